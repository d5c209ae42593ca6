"""Files of agents that take away what belongs to the whole process, end it, or never return, outside of tournaments."""

from __future__ import annotations

import gc
import hashlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from probespiel.agents import apart
from probespiel.agents.apart import ApartAgent
from probespiel.agents.base import AgentError
from probespiel.agents.bot_host import _Host
from probespiel.agents.outside import BotProcess
from probespiel.agents.registry import make_agent
from probespiel.app import trial
from probespiel.app.cli import run
from probespiel.app.session.table import _AGENTS, Gone, Table, answer
from probespiel.envs import make_game
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game
from probespiel.envs.core.modules.kept import STREAMS, kept_process
from probespiel.envs.core.nursery import Child
from probespiel.envs.core.recipes import recipe_of
from probespiel.envs.core.rng import derive_seed
from probespiel.training import checkpoint
from probespiel.training.config import train_config

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


# At a table with people


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn", compiled=False)


@pytest.mark.parametrize("where", ["top", "init", "reset", "act"])
@pytest.mark.parametrize("does", ["sys.stdout = None", "os.chdir(os.path.dirname(os.getcwd()))", "sys.path.clear()"])
def test_an_agent_at_a_table_changes_its_own_process_alone(where: str, does: str, kuhn: Game, tmp_path: Path) -> None:
    before = *state(), *sys.path
    with Table(kuhn, {0: bot(tmp_path, **{where: does}), 1: "human"}, 1) as table:
        table.prepare()
        assert table.decide(0) == 0
        assert (*state(), *sys.path) == before


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("os._exit(3)", "its process ended with exit code 3"),
        ("os._exit(0)", "its process ended with exit code 0"),
        ("os.kill(os.getpid(), 9)", "its process was ended by SIGKILL"),
        ("sys.exit(5)", r"SystemExit: 5 \(mine\.py:14\)"),
        ("raise KeyError('no')", r"KeyError: 'no' \(mine\.py:14\)"),
        ("return 99", "answered 99, not legal now"),
        ("return 'stop'", "answered 'stop' \\(str\\), not the id of an action"),
    ],
)
def test_an_agent_that_ends_its_process_ends_no_game(does: str, told: str, kuhn: Game, tmp_path: Path) -> None:
    """It is told what happened; where its file is mended, the same game goes on, with all that it knew."""
    text = bot(tmp_path, act=does)
    with Table(kuhn, {0: text, 1: "human"}, 1, keep=tmp_path / "kept") as table:
        for _ in range(2):
            with pytest.raises(Gone, match=f"^{told}$") as caught:
                table.decide(0)
            assert caught.value.seat == 0 and table.thinking() == [0] and table.decisions == 0
        bot(tmp_path)
        table._agents[0].close()  # as after an interrupt
        with pytest.raises(AssertionError, match="prepare comes first"):
            table._agents[0].act(table.view(0, text))
        table._prepared.discard(0)
        assert table.decide(0) == 0


REMEMBERS = """import hashlib
from probespiel.agents.base import Agent


class Bot(Agent):
    per_table = True

    def __init__(self):
        self.seen = []

    def reset(self, seed):
        assert not self.seen and seed > 0
        self.seed = seed

    def act(self, view):
        self.seen.append((self.seed, view.key, view.seed, tuple(view.history), view.legal))
        if len(self.seen) == {ends}:
            import os
            os._exit(7)
        if len(self.seen) == {raises}:
            raise ValueError(hashlib.sha256(repr(self.seen).encode()).hexdigest())
        return view.legal[0]
"""


@pytest.mark.parametrize("ends", [0, 1, 3])
def test_an_agent_that_starts_again_is_shown_all_that_it_has_decided(ends: int, tmp_path: Path) -> None:
    """Seeds, lines and choices are those of the first time, also after its process has ended at a move."""
    game, moves = make_game("ews_rps", compiled=False), 4
    path = tmp_path / "remembers.py"
    path.write_text(REMEMBERS.format(ends=ends, raises=0), encoding="utf-8")
    with Table(game, {0: f"{path}:Bot", 1: "first"}, 4) as table:
        for number in range(1, moves):
            if number == ends:
                with pytest.raises(Gone, match="its process ended with exit code 7"):
                    table.decide(0)
                path.write_text(REMEMBERS.format(ends=0, raises=0), encoding="utf-8")
            while table.decisions < 2 * number:
                seat = table.thinking()[0]
                table.choose(seat, table.decide(seat))
        table.close()
        path.write_text(REMEMBERS.format(ends=0, raises=moves), encoding="utf-8")
        table._prepared.discard(0)
        seed = derive_seed(4, "reset", f"{path}:Bot", 0)
        views = [*table._views(0), table.view(0, f"{path}:Bot")]
        shown = [(seed, view.key, view.seed, tuple(view.history), view.legal) for view in views]
        assert len(views) == moves and all(view.history for view in views)
        with pytest.raises(Gone, match=f"^ValueError: {hashlib.sha256(repr(shown).encode()).hexdigest()} "):
            table.decide(0)


def test_an_agent_that_forgets_begins_with_its_seed(kuhn: Game, tmp_path: Path) -> None:
    """Once a process, before its first question."""
    path = tmp_path / "forgets.py"
    path.write_text(
        "from probespiel.agents.base import Agent\nclass Bot(Agent):\n    seeds = ()\n    def reset(self, seed):\n"
        "        self.seeds += (seed,)\n    def act(self, view):\n        raise ValueError(self.seeds)\n"
    )
    with Table(kuhn, {0: f"{path}:Bot", 1: "human"}, 1) as table:
        seed = derive_seed(1, "reset", f"{path}:Bot", 0)
        for told in (f"({seed},)", f"({seed}, {seed})"):  # it begins again when it has failed
            with pytest.raises(Gone, match=f"^ValueError: {re.escape(told)} "):
                table.decide(0)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_bot_plays_by_rules_that_are_interpreted_where_those_of_its_match_are(compiled: bool, tmp_path: Path) -> None:
    text = bot(tmp_path, act="raise ValueError(view.game.kernel.compiled)")
    game = make_game("kuhn", compiled=compiled)
    told = f"^ValueError: {game.kernel.compiled} "
    with Table(game, {0: text, 1: "human"}, 1) as table, pytest.raises(Gone, match=told):
        table.decide(0)


def test_an_agent_that_never_answers_can_be_interrupted(kuhn: Game, tmp_path: Path) -> None:
    """Its process is gone then; when it is asked again another one is asked."""
    (tmp_path / "slow").touch()
    wait = f"\n        import time\n        while os.path.exists({str(tmp_path / 'slow')!r}): time.sleep(0.01)"
    begun: list[float] = []

    def interrupt(number: int, frame: object) -> None:
        begun.append(time.monotonic())
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGALRM, interrupt)
    with Table(kuhn, {0: bot(tmp_path, act=wait), 1: "human"}, 1) as table:
        table.prepare()
        agent = table._agents[0]
        assert isinstance(agent, ApartAgent) and agent._process is not None and agent._process._process is not None
        child = agent._process._process
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        try:
            with pytest.raises(KeyboardInterrupt):
                table.decide(0)
        finally:
            signal.signal(signal.SIGALRM, old)
        child.wait(20)
        assert table.thinking() == [0] and time.monotonic() - begun[0] < 20
        (tmp_path / "slow").unlink()
        assert table.decide(0) == 0


def test_a_table_that_cannot_begin_leaves_no_process(
    kuhn: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here its second agent cannot be made, after the first one's process was started."""
    (tmp_path / "first").mkdir()
    children: list[Child] = []

    class Seen(BotProcess):
        def check(self) -> None:
            super().check()
            assert self._process is not None
            children.append(self._process)

    monkeypatch.setattr(apart, "BotProcess", Seen)
    with pytest.raises(AgentError, match="ZeroDivisionError"):
        Table(kuhn, {0: bot(tmp_path / "first"), 1: bot(tmp_path, "1 // 0")}, 1)
    gc.collect()
    (child,) = children
    child.wait(20)


def test_a_question_that_an_agent_does_not_survive_leaves_nothing(kuhn: Game, tmp_path: Path) -> None:
    """In another process, which lives on and makes it anew for the next question."""
    path, ends = tmp_path / "forgets.py", tmp_path / "ends"
    path.write_text(
        "import os\nfrom probespiel.agents.base import Agent\nclass Bot(Agent):\n    def act(self, view):\n"
        f"        if os.path.exists({str(ends)!r}): os._exit(3)\n        return view.legal[0]\n"
    )
    with Table(kuhn, {0: f"{path}:Bot", 1: "human"}, 1) as table:
        question = table.question(0)
    before = dict(_AGENTS)
    assert answer(question) == answer(question) == 0
    ((key, made),) = [(key, agent) for key, agent in _AGENTS.items() if key not in before]
    assert isinstance(made, ApartAgent), "one that forgets is kept"
    ends.touch()
    for _ in range(2):
        with pytest.raises(Gone, match="its process ended with exit code 3"):
            answer(question)
        assert before == _AGENTS
    ends.unlink()
    assert answer(question) == 0 and _AGENTS[key] is not made
    _AGENTS.pop(key).close()


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
    ["train", "kuhn", "--setting", "teacher={}", "--out", "out"],
    ["train", "kuhn", "--method", "psro", "--setting", "start={}", "--out", "out"],
    ["train", "kuhn", "--setting", "teacher={}", "--seeds", "2", "--out", "out"],
    ["train", "kuhn", "--setting", 'scenarios=[{"reviewer": "{}"}]', "--setting", "review=100", "--out", "out"],
    ["bench-rps", "--agents", "uniform,{}"],
    ["bench-rps", "--agent", "{}"],
]


@pytest.mark.parametrize(("command", "where"), [(COMMANDS[0], "init"), *((command, "top") for command in COMMANDS)])
def test_an_agent_that_ends_the_process_is_told(
    command: list[str], where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is begun."""
    monkeypatch.chdir(tmp_path)
    text = bot(tmp_path, **{where: "os._exit(3)"})
    assert run([word.replace("{}", text) for word in command]) == 2
    told = capsys.readouterr()
    assert f"agent '{text}': broken: the process that makes it ended with exit code 3 before all" in told.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("trust", [True, False])
def test_agents_of_a_training_that_goes_on_are_tried_if_they_are_trusted(
    trust: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever they are for; else no file that a checkpoint names is run at all."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    text = bot(tmp_path, f"open({str(tmp_path / 'ran')!r}, 'w').close()\nos._exit(3)")

    def load(*_: object) -> None:
        raise ProbespielError("nothing is loaded here")

    monkeypatch.setattr(checkpoint, "read_config", lambda path: train_config("kuhn", teacher=text))
    monkeypatch.setattr(checkpoint, "load_checkpoint", load)
    assert run(["train", "kuhn", "--resume", "--out", "out", *(["--trust-files"] if trust else [])]) == 2
    told = capsys.readouterr().err
    assert ("the process that makes it ended with exit code 3" in told) is trust is (tmp_path / "ran").exists()
    assert ("nothing is loaded here" in told) is not trust


def test_an_agent_that_is_never_made_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(trial, "IMPORT_SECONDS", 1.0)
    begun = time.monotonic()
    text = bot(tmp_path, "while True:\n    pass")
    assert run(["play", "kuhn", "--opponent", text]) == 2
    told = capsys.readouterr().err
    assert f"agent '{text}': broken: not made after 1 s; an agent is made at once, and thinks when" in told
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
    assert (
        host.traits == {"per_table": True, "batched": False, "apart": True, "tells": False}
        and Path.cwd() == tmp_path.parent
    )


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
