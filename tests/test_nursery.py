"""Processes that are forked by one which has imported what they need: what they get, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from probespiel.envs.core import nursery as module
from probespiel.envs.core.nursery import Nursery, NurseryError, nursery

HOME = "tests.nursery_child"


@pytest.fixture(scope="module")
def made() -> Iterator[Nursery]:
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[1])
    one = Nursery(HOME)
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before
    yield one
    one.close()


def told(made: Nursery, what: str, *arguments: object, stdin: int | None = None) -> tuple[str, int]:
    """What a child writes into the file that it is given, and its exit code."""
    read, write = os.pipe()
    child = made.start(f"{HOME}:{what}", *arguments, files=[write], stdin=stdin)
    os.close(write)
    with os.fdopen(read) as file:
        text = file.read()
    return text, child.wait(20)


def test_a_child_gets_what_its_parent_has_now(made: Nursery, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PROBESPIEL_TOLD", "first")
    monkeypatch.chdir(tmp_path)
    assert told(made, "surroundings", 3, "x") == (f"first|{tmp_path}|3|x", 0)
    monkeypatch.delenv("PROBESPIEL_TOLD")
    assert told(made, "surroundings", 4, "y") == (f"None|{tmp_path}|4|y", 0)


def test_a_child_holds_no_file_of_others(made: Nursery) -> None:
    """Neither those of its parent, nor the nursery's, nor those of children before it; and it leads its own session."""
    held, end = os.pipe()
    os.set_inheritable(held, True)
    sleeper = made.start(f"{HOME}:sleep", 60)
    text, code = told(made, "files_and_session")
    assert code == 0 and text == "4 files, session True, input closed"
    read, write = os.pipe()
    os.write(write, b"asked")
    os.close(write)
    assert told(made, "files_and_session", stdin=read) == ("4 files, session True, input asked", 0)
    for number in (held, end, read):
        os.close(number)
    sleeper.kill()
    assert sleeper.wait(20) == -signal.SIGKILL


def test_how_children_end(made: Nursery) -> None:
    """By exit code, by signal, by an exception, late; they are told apart though they end in another order."""
    children = [made.start(f"{HOME}:end", how) for how in ("sleep", "code", "signal", "raise", "return")]
    assert [child.wait(20) for child in children[1:]] == [7, -signal.SIGTERM, 1, 0]
    assert children[1].wait() == 7, "as often as one asks"
    with pytest.raises(subprocess.TimeoutExpired):
        children[0].wait(0.01)
    children[0].kill()
    assert children[0].wait(20) == -signal.SIGKILL
    children[0].kill()  # nothing is left to be killed


def test_children_draw_different_numbers(made: Nursery) -> None:
    """Those of the global generators; a seed draws the same everywhere."""
    first, second = (told(made, "draw")[0].split() for _ in range(2))
    assert first[0] != second[0] and first[1] != second[1] and first[2] == second[2]


def test_what_is_imported_is_not_imported_again(made: Nursery) -> None:
    assert told(made, "imported_by")[0] == told(made, "imported_by")[0] == str(made._process.pid)


def test_a_dead_nursery_is_told_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    monkeypatch.setattr(module, "_NURSERIES", {})
    first = nursery(HOME)
    child = first.start(f"{HOME}:sleep", 60)
    assert nursery(HOME) is first
    first._process.kill()
    first._process.wait()
    assert child.wait(20) == -signal.SIGKILL, "its exit code is lost"
    os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(NurseryError, match="has died"):
        first.start(f"{HOME}:sleep", 60)
    second = nursery(HOME)
    assert second is not first and second.start(f"{HOME}:end", "code").wait(20) == 7
    monkeypatch.setenv("PYTHONHASHSEED", "5")
    third = nursery(HOME)
    assert third is not second, "what an interpreter reads when it starts is another"
    second.close()
    third.close()
    nowhere = Nursery("no_such_module")
    with pytest.raises(NurseryError, match="has died"):
        nowhere.start("no_such_module:f")
    nowhere.close()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes through /proc")
def test_a_nursery_ends_with_its_parent_and_its_children_if_they_wish() -> None:
    code = (
        "from probespiel.envs.core.nursery import Nursery\n"
        f"one = Nursery({HOME!r})\n"
        f"print(one._process.pid, *(one.start('{HOME}:sleep', 60, leave).pid for leave in (False, True)), flush=True)\n"
        "import time; time.sleep(60)"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        tender, stays, leaves = map(int, parent.stdout.readline().split())
        time.sleep(0.1)
        parent.kill()
        until = time.monotonic() + 20
        while any(Path(f"/proc/{pid}").exists() for pid in (tender, leaves)):
            assert time.monotonic() < until
            time.sleep(0.02)
        assert Path(f"/proc/{stays}").exists()
        os.kill(stays, signal.SIGKILL)
