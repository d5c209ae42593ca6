"""Files of agents that take away what belongs to the whole process, end it, or never return, outside of tournaments."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from probespiel.agents.base import AgentError
from probespiel.agents.bot_host import _Host
from probespiel.agents.registry import make_agent
from probespiel.app import trial
from probespiel.app.cli import run
from probespiel.app.session.table import Gone, Table
from probespiel.envs import make_game
from probespiel.envs.core.modules.kept import STREAMS, Changed, kept_process
from probespiel.envs.core.recipes import recipe_of

BOT = """import os
import sys
{top}


class Bot:
    def __init__(self):
        {init}

    def reset(self, seed):
        {reset}

    def act(self, view):
        {act}
        return view.legal[0]
"""
CHANGES = [
    *[(f"sys.{name} = None", rf"sys\.{name} is another one") for name in STREAMS],
    ("del sys.stdout", r"sys\.stdout is another one"),
    ("sys.stderr = sys.stdout", r"sys\.stderr is another one"),
    ("os.chdir(os.path.dirname(os.getcwd()))", "the working folder is another one"),
]


def bot(folder: Path, top: str = "", init: str = "pass", reset: str = "pass", act: str = "pass") -> str:
    path = folder / "mine.py"
    path.write_text(BOT.format(top=top, init=init, reset=reset, act=act), encoding="utf-8")
    return f"{path}:Bot"


def state() -> tuple[object, ...]:
    return (*(getattr(sys, name, "none") for name in STREAMS), os.getcwd())


@pytest.mark.parametrize("where", ["top", "init"])
@pytest.mark.parametrize(("does", "told"), CHANGES)
def test_an_agent_that_changes_the_process_when_it_is_made_is_refused(
    where: str, does: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every time, and all is as before; a process of its own may be changed."""
    text, before = bot(tmp_path, **{where: does}), state()
    for _ in range(2):
        with pytest.raises(AgentError, match=rf"agent '{text}': {told} afterwards; an agent leaves the process as it"):
            make_agent(text, "kuhn")
        assert state() == before
    for name in STREAMS:
        monkeypatch.setattr(sys, name, getattr(sys, name))
    monkeypatch.chdir(os.getcwd())
    make_agent(text, apart=True)
    assert state() != before


@pytest.mark.parametrize("where", ["reset", "act"])
def test_an_agent_that_changes_the_process_while_it_plays_is_gone(where: str, tmp_path: Path) -> None:
    game, before = make_game("kuhn", compiled=False), state()
    table = Table(game, {0: bot(tmp_path, **{where: "sys.stdout = None"}), 1: "human"}, 1)
    with pytest.raises((Gone, Changed), match=r"^sys\.stdout is another one afterwards; an agent leaves"):
        table.prepare()
        table.decide(0)
    assert state() == before
    honest = Table(game, {0: bot(tmp_path), 1: "human"}, 1)
    honest.prepare()
    assert honest.decide(0) == 0, "a file that was changed is imported anew"


def test_what_is_closed_is_opened_again(tmp_path: Path) -> None:
    """Streams, descriptors and both; what is written afterwards goes where it went before."""
    (tmp_path / "away").mkdir()
    code = (
        "import os, sys\n"
        "from probespiel.envs.core.modules.kept import Changed, kept_process\n"
        "def tried(does):\n"
        "    try:\n"
        "        with kept_process('only'):\n"
        "            exec(does)\n"
        "    except Changed as error:\n"
        "        print(error, flush=True)\n"
        "    else:\n"
        "        print('nothing', flush=True)\n"
        "for does in sys.argv[1:]:\n"
        "    tried(does)\n"
        "print(sys.stdin.read(), sys.stdout.encoding, file=sys.stderr)\n"
    )
    changes = [
        "pass", "sys.stdout.close()", "os.close(1)", "sys.stdin.close()", "sys.stderr.close(); os.close(2)",
        "os.dup2(os.open(os.devnull, os.O_WRONLY), 1)", "os.chdir('away'); os.rmdir(os.getcwd())", "pass",
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", code, *changes], input="asked", capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout.splitlines() == [
        "nothing", "sys.stdout is closed afterwards; only", "file descriptor 1 is another one afterwards; only",
        "sys.stdin is closed afterwards; only", "file descriptor 2 is another one afterwards; only",
        "file descriptor 1 is another one afterwards; only", "the working folder is another one afterwards; only",
        "nothing",
    ]  # fmt: skip
    assert (done.stderr, done.returncode) == ("asked utf-8\n", 0)


def test_nothing_is_left_open() -> None:
    before = os.listdir("/dev/fd") if Path("/dev/fd").is_dir() else []
    with kept_process("only"):
        pass
    assert (os.listdir("/dev/fd") if before else []) == before


COMMANDS = [
    ["play", "kuhn", "--opponent", "{}"],
    ["play", "kuhn", "--opponent", "random", "--partner", "{}"],
    ["exploit", "kuhn", "--agent", "{}", "--out", "out"],
    ["train", "kuhn", "--opponents", "{}=1", "--out", "out"],
    ["train", "kuhn", "--against", "{}", "--out", "out"],
]


@pytest.mark.parametrize(("command", "where"), [(COMMANDS[0], "init"), *((command, "top") for command in COMMANDS)])
def test_an_agent_that_ends_the_process_is_told(
    command: list[str], where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is begun."""
    monkeypatch.chdir(tmp_path)
    text = bot(tmp_path, **{where: "os._exit(3)"})
    assert run([word.format(text) for word in command]) == 2
    told = capsys.readouterr()
    assert f"agent '{text}': broken: the process that makes it ended with exit code 3 before all" in told.err
    assert not (tmp_path / "out").exists()


def test_an_agent_that_is_never_made_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(trial, "IMPORT_SECONDS", 3.0)
    begun = time.monotonic()
    text = bot(tmp_path, "while True:\n    pass")
    assert run(["play", "kuhn", "--opponent", text]) == 2
    told = capsys.readouterr().err
    assert f"agent '{text}': broken: not made after 3 s; an agent is made at once, and thinks when" in told
    assert time.monotonic() - begun < 20


def test_agents_that_are_wrong_otherwise_are_told_as_ever(tmp_path: Path) -> None:
    """No process is needed for those of this package; what is raised is told by whoever makes them."""
    trial.try_agents(["random", "nobody", "search:sims=", bot(tmp_path, "1 // 0"), bot(tmp_path)])
    with pytest.raises(AgentError, match=r"mine\.py:8: SystemExit: 3"):
        make_agent(bot(tmp_path, init="sys.exit(3)"))
    with pytest.raises(AgentError, match=r"mine\.py:3: ZeroDivisionError"):
        make_agent(bot(tmp_path, "1 // 0"))


def test_a_process_of_its_own_may_go_where_it_likes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There it disturbs nobody."""
    monkeypatch.chdir(tmp_path)
    host = _Host(bot(tmp_path, "os.chdir(os.path.dirname(os.getcwd()))"), recipe_of(make_game("kuhn", compiled=False)))
    assert host.traits == {"per_table": True, "batched": False} and Path.cwd() == tmp_path.parent


@pytest.mark.parametrize(
    ("does", "code", "told"),
    [
        ("sys.stdout = None", 0, "cannot be loaded: Changed: sys.stdout is another one afterwards"),
        ("sys.exit(3)", 0, "cannot be loaded: SystemExit: 3"),
        ("os._exit(0)", 2, "agent 'theirs': broken: the process that makes it ended with exit code 0"),
    ],
)
def test_an_installed_agent_that_cannot_be_loaded_leaves_the_list(
    does: str, code: int, told: str, tmp_path: Path
) -> None:
    bot(tmp_path, does)
    declared = tmp_path / "theirs-1.dist-info"
    declared.mkdir()
    (declared / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1\n", encoding="utf-8")
    (declared / "entry_points.txt").write_text("[probespiel.agents]\ntheirs = mine:Bot\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "from probespiel.app.start import main; main()", "agents", "kuhn"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == code and told in " ".join((done.stdout + done.stderr).split())
    assert "Traceback" not in done.stderr and ("random  (built in)" in done.stdout) == (code == 0)
