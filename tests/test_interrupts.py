"""SIGTERM and a closed window keep what Ctrl-C keeps, in every command that takes long; the exit code tells which."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.tree_cfr import TreeCfr
from probespiel.app import cli_systems
from probespiel.app.cli import COMMANDS, run
from probespiel.app.training import interruptible
from probespiel.envs.core.engine.local import without_interrupts
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.stress import progress
from probespiel.evaluation.stress.progress import Quiet
from probespiel.evaluation.tournament import ladder
from probespiel.evaluation.tournament.playing import Crew
from probespiel.training.selfplay import SelfPlay

SIGNALS = [(signal.SIGTERM, 143), (signal.SIGHUP, 129)]
EVERY = pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), *SIGNALS], ids=str)
BOTH = pytest.mark.parametrize(("number", "code"), SIGNALS, ids=str)
TERM = pytest.mark.parametrize(("number", "code"), SIGNALS[:1], ids=str)  # where it takes its time
EDGE = str(Path(__file__).parent / "planted_costs" / "edge.py")
TINY = ["--setting=tables=8", "--setting=steps=8", "--setting=batch=32", "--setting=evaluate_games=100"]
BUILDS = (
    "builds oneshot --weapon axes --scenario arena --perks none --tactics attack --saga 3 --set max_count=40 "
    "--set gear_budget=4 --set attribute_points=3 --set attribute_cap=2"
)
BENCH = "bench-rps --agents frequency --against rockbot,randbot --matches 4 --throws 50"
AT_A_TERMINAL = {"play", "resume", "replay", "tutorial", "serve"}


@pytest.fixture(autouse=True)
def as_at_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Signals as a shell gives them to a program, whoever runs the tests; nothing of it stays, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    after = [signal.getsignal(number) for number in before]
    for number, handler in before.items():
        signal.signal(number, handler)
    assert after == [signal.SIG_DFL] * 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def at_the_second(number: int, does: Callable[..., Any]) -> Callable[..., Any]:
    """A function that the signal hits as it is called the second time, before it does anything."""
    calls: list[int] = []

    def hit(*given: Any, **named: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            signal.raise_signal(number)
        return does(*given, **named)

    return hit


class Hit(Quiet):
    """Gets the signal as its second step begins."""

    def __init__(self, number: int) -> None:
        self.begin = at_the_second(number, lambda step: None)


@EVERY
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in AT_A_TERMINAL])
def test_every_command_ends_with_a_word_and_the_code_of_the_signal(
    name: str, number: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        import_module(f"probespiel.app.{COMMANDS[name][0]}"), COMMANDS[name][1], lambda: signal.raise_signal(number)
    )
    assert run([name]) == code
    assert capsys.readouterr() == ("", "error: interrupted\n")


@EVERY
def test_solve_saves_what_it_has_learnt(number: int, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def learns(solver: TreeCfr, *_: object, **__: object) -> None:
        whole(solver, 30)
        signal.raise_signal(number)

    whole = TreeCfr.run
    monkeypatch.setattr(TreeCfr, "run", learns)
    assert run(["solve", "kuhn", "--method", "cfr+", "--iterations", "9999", "--out", "s.npz"]) == code
    monkeypatch.setattr(TreeCfr, "run", whole)
    assert run(["solve", "kuhn", "--method", "cfr+", "--iterations", "30", "--out", "t.npz"]) == 0
    kept, wanted = np.load("s.npz"), np.load("t.npz")
    assert set(kept) == set(wanted) and all((kept[name] == wanted[name]).all() for name in wanted)


@BOTH
def test_train_keeps_its_checkpoint_and_policy(number: int, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    update = SelfPlay.update
    monkeypatch.setattr(SelfPlay, "update", at_the_second(number, update))
    assert run(["train", "kuhn", "--learner", "native", "--steps", "640", "--out", "a", *TINY]) == code
    assert Path("a/policy.safetensors").exists() and Path("a/report.html").exists()
    monkeypatch.setattr(SelfPlay, "update", update)
    assert run(["train", "kuhn", "--out", "a", "--resume"]) == 0
    assert run(["train", "kuhn", "--learner", "native", "--steps", "640", "--out", "b", *TINY]) == 0
    assert Path("a/policy.safetensors").read_bytes() == Path("b/policy.safetensors").read_bytes()


@TERM
def test_exploit_reports_what_it_has(number: int, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SelfPlay, "update", at_the_second(number, SelfPlay.update))
    line = ["exploit", "kuhn", "--agent", "random", "--method", "learned", "--seeds", "1", "--out", "e"]
    assert run([*line, "--steps", "40000", "--games", "200"]) == code
    told = json.loads(Path("e/exploit.json").read_text())
    assert told["complete"] is False


@BOTH
@pytest.mark.parametrize("kind", ["tournament kuhn --agents first,random --games 400", "match kuhn first random"])
def test_tournaments_report_the_blocks_that_are_finished(
    kind: str, number: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = Crew.play

    def play(crew: Crew, *given: Any) -> Iterator[int]:
        for count, played in enumerate(whole(crew, *given)):
            if count == 1:
                signal.raise_signal(number)
            yield played

    monkeypatch.setattr(Crew, "play", play)
    assert run([*kind.split(), "--jobs", "1", "--seed", "1", "--out", "t"]) == code
    assert "Interrupted after 2 of" in capsys.readouterr().err
    assert "Interrupted: 2 of" in Path("t/report.html").read_text(encoding="utf-8")


@BOTH
def test_ladders_keep_the_batches_that_are_played(number: int, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "play", at_the_second(number, ladder.play))
    line = ["ladder", "kuhn", "add", "first", "random", "--ladder", "l.duckdb", "--within", "1", "--max-games", "300"]
    assert run(line) == code
    with ladder.book_of(Path("l.duckdb"), make_game("kuhn")) as book:
        assert [batch.number for batch in book.batches()] == [0]


@TERM
@pytest.mark.parametrize("kind", ["stress", "balance"])
def test_the_lab_reports_what_is_finished(kind: str, number: int, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "watcher", lambda lang: Hit(number))
    more = ["--param", "fee=130..160", "--target", "worth=0..0.04"] if kind == "balance" else []
    assert run([kind, "kuhn", "--module", EDGE, *more, "--budget", "quick", "--jobs", "1", "--out", "o"]) == code
    assert "interrupted" in Path("o/report.html").read_text(encoding="utf-8")


@EVERY
@pytest.mark.parametrize("line", [BUILDS, BENCH], ids=["builds", "bench-rps"])
def test_searches_of_systems_end_at_once_and_write_nothing(
    line: str, number: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second time that they tell how far they are is the last."""
    told: list[tuple[int, int]] = []

    def tell(progress: cli_systems.Progress, what: str, done: int, total: int) -> None:
        told.append((done, total))

    monkeypatch.setattr(cli_systems.Progress, "__call__", at_the_second(number, tell))
    assert run([*line.split(), "--jobs", "1", "--out", "found.csv"]) == code
    assert capsys.readouterr() == ("", "error: interrupted\n")
    assert [path for path in Path().rglob("*") if path.is_file()] == []
    assert len(told) == 1 and told[0][0] < told[0][1]


def test_a_window_that_tells_it_twice_breaks_nothing_off() -> None:
    """Its system and its shell each do; a second SIGTERM, as a second Ctrl-C, means at once."""
    with interruptible("ending") as stop:
        signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGHUP)
        assert stop == [True]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    with interruptible("ending") as stop:
        signal.raise_signal(signal.SIGHUP)
        assert stop == [True]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_what_is_ignored_stays_so() -> None:
    """As with `nohup`: the command goes on."""
    code = """
import signal, sys
from probespiel.app import cli_lists
from probespiel.app.cli import run
cli_lists.games = lambda: signal.raise_signal(signal.SIGHUP)
sys.exit(run(["games"]))
"""
    ignoring = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", sys.executable, "-c", code]
    assert subprocess.run(ignoring, timeout=120).returncode == 0
    assert subprocess.run(ignoring[4:], timeout=120, stderr=subprocess.DEVNULL).returncode == 129


def test_workers_leave_a_closed_window_to_their_parent() -> None:
    sends = "import os, signal, sys; os.kill(os.getpid(), getattr(signal, sys.argv[1])); print('lives on')"

    def told(name: str) -> str:
        return subprocess.run([sys.executable, "-c", sends, name], capture_output=True, text=True, timeout=60).stdout

    with without_interrupts():
        assert (told("SIGHUP"), told("SIGINT"), told("SIGTERM")) == ("lives on\n", "lives on\n", "")
    assert told("SIGHUP") == ""


@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_that_python_drops_comes_again(name: str, status: int) -> None:
    """An exception that is raised in a callback is dropped by Python; also one of a window, which else counts once."""
    code = f"""
import os, signal, sys, time, weakref
from probespiel.app import cli_lists
from probespiel.app.start import main
class Thing: pass
def games():
    thing = Thing()
    known = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.{name}))
    del thing
    time.sleep(60)
cli_lists.games = games
sys.argv = ["probespiel", "games"]
main()
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=50, env={**os.environ})
    assert (found.returncode, found.stdout, found.stderr) == (status, "", "error: interrupted\n")
