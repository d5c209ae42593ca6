"""Agents from outside in trainings and exploits: one that ends its process, or never answers, ends nothing else."""

from __future__ import annotations

import copy
import gc
import os
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from probespiel.agents import apart, outside
from probespiel.agents.apart import TOGETHER, AskedApart, Failed, asked_apart
from probespiel.agents.base import AgentError, Requests
from probespiel.agents.faults import check_chances
from probespiel.agents.learner_env import ProbespielVectorEnv
from probespiel.agents.policy_net import Blueprint
from probespiel.agents.registry import make_agent, parse_agent
from probespiel.app.cli import run
from probespiel.app.training import keeping
from probespiel.envs import make_game
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game
from probespiel.evaluation.exploit.records import Target
from probespiel.evaluation.exploit.run import Plan as ExploitPlan
from probespiel.evaluation.exploit.run import exploit
from probespiel.training.evaluate import opponent_of
from probespiel.training.league import League, _agent
from probespiel.training.lessons import teacher_of

BOT = """import os, time
from probespiel.agents.base import Agent


class Bot(Agent):
    {more}

    def act(self, view):
        {act}
        return view.legal[view.seed % len(view.legal)]
"""


def bot(folder: Path, act: str = "pass", more: str = "pass") -> str:
    path = folder / "mine.py"
    path.write_text(BOT.format(act=act, more=more), encoding="utf-8")
    return f"{path}:Bot"


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn", compiled=False)


def questions(game: Game, m: int) -> Requests:
    """First decisions at m tables, whose seeds differ."""
    states = np.zeros((m, game.state_size), np.uint8)
    for i in range(m):
        position = game.position(i)
        position.roll()
        states[i] = np.frombuffer(position.to_bytes(), np.uint8)
    return Requests.gather(game, states, np.arange(m), np.zeros(m, np.int64), 0, np.arange(m, dtype=np.uint64), 0)


def test_answers_are_those_of_the_agent_itself(kuhn: Game, tmp_path: Path) -> None:
    """In the order of the questions, of which two whole batches and five more are asked."""
    text, asked = bot(tmp_path), questions(kuhn, 2 * TOGETHER + 5)
    here, there = make_agent(text), asked_apart(text)
    assert isinstance(there, AskedApart) and there.name == text
    there.prepare(kuhn)
    try:
        wanted = here.act_batch(asked)
        assert 0 < wanted.sum() < len(wanted)
        number = there._of(kuhn)._pipe.number  # type: ignore[union-attr]
        assert (there.act_batch(asked) == wanted).all()
        assert there._of(kuhn)._pipe.number == number + 4  # type: ignore[union-attr]  # three of them, after a `reset`
        assert there.act(asked.view(7)) == wanted[7]
        assert there.act_batch(asked[[]]).tolist() == []
    finally:
        there.close()


@pytest.mark.parametrize(("act", "told"), [
    ("os._exit(3)", "agent '{}': its process ended with exit code 3"),
    ("os.abort()", "agent '{}': its process was ended by SIGABRT"),
    ("1 // 0", r"{} raised ZeroDivisionError: .*mine\.py:9"),
    ("return 77", "{} answered 77, not legal now"),
    ("time.sleep(60)", "agent '{}': no answer within 1 s"),
])  # fmt: skip
def test_what_became_of_an_agent_is_told_by_its_name(
    act: str, told: str, kuhn: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever in a batch it fails; asked again it is another one."""
    monkeypatch.setattr(apart, "QUESTION_SECONDS", 1.0)
    ends = tmp_path / "ends"
    agent = asked_apart(bot(tmp_path, f"if view.seed % 3 == 0 and os.path.exists({str(ends)!r}): {act}"))
    asked = questions(kuhn, 10)
    try:
        agent.prepare(kuhn)
        before = agent.act_batch(asked)
        ends.touch()
        with pytest.raises(Failed, match=f"^{told.format(re.escape(agent.name))}"):
            agent.act_batch(asked)
        ends.unlink()
        assert (agent.act_batch(asked) == before).all()
    finally:
        agent.close()


def test_who_is_known_by_more_than_answers_stays_here(tmp_path: Path) -> None:
    """Who remembers, has compiled code, tells by what it goes; and whoever is not from outside.

    Of who knows more than its answers nothing else may be wanted; who remembers has a seat, and its process says so.
    """
    kuhn = make_game("kuhn", compiled=False)
    for more in (
        "per_table = True", "def native(self, game):\n        return None",
        "def looks_at(self, game):\n        return None",
    ):  # fmt: skip
        text, remembers = bot(tmp_path, more=more), more == "per_table = True"
        assert not isinstance(asked_apart(text), AskedApart) and not isinstance(asked_apart(text, kuhn), AskedApart)
        answers, here = asked_apart(text, answers=True), asked_apart(text, kuhn, answers=True)
        assert isinstance(answers, AskedApart) and answers.remembers(kuhn) == remembers == here.per_table
        assert isinstance(here, AskedApart) != remembers
        answers.close()
        here.close()
    assert not isinstance(asked_apart("random"), AskedApart)
    assert isinstance(asked_apart(parse_agent(bot(tmp_path))), AskedApart)


# what it knows of its chances: by the seeds of the decisions here, so that rows that changed places would show
KNOWS = """def probabilities(self, requests):
        import numpy as np
        found = requests.masks * (1.0 + requests.seeds.astype(float)[:, None] % 7 * np.arange(requests.masks.shape[1]))
        {}
        return found / found.sum(axis=1, keepdims=True)"""


def test_chances_are_those_of_the_agent_itself(kuhn: Game, tmp_path: Path) -> None:
    """In the order of the questions, to the last bit; who does not know them, or is asked for answers, tells none."""
    asked = questions(kuhn, 2 * TOGETHER + 5)
    text = bot(tmp_path, more=KNOWS.format("pass"))
    wanted = make_agent(text).probabilities(asked)
    assert wanted is not None and len(set(wanted[:, 0])) == 7 and wanted.shape == asked.masks.shape
    for name in ("knows", "silent"):
        (tmp_path / name).mkdir()
    knows_none, silent = bot(tmp_path / "knows", more=KNOWS.format("return None")), bot(tmp_path / "silent")
    for agent, known in (
        (asked_apart(text), wanted), (asked_apart(text, kuhn), wanted), (asked_apart(text, answers=True), None),
        (asked_apart(text, kuhn, answers=True), None),
        (asked_apart(knows_none), None), (asked_apart(silent), None),
    ):  # fmt: skip
        assert isinstance(agent, AskedApart)
        agent.prepare(kuhn)
        try:
            found = agent.probabilities(asked)
            assert (found is None) if known is None else np.array_equal(found, known)  # type: ignore[arg-type]
            if known is not None:
                none = agent.probabilities(asked[[]])
                assert none is not None and none.shape == (0, kuhn.n_actions)
        finally:
            agent.close()


@pytest.mark.parametrize(("does", "told"), [
    ("os._exit(3)", "agent '{}': its process ended with exit code 3"),
    ("time.sleep(60)", "agent '{}': no answer within 1 s"),
    ("return found[:1]", r"{} raised TypeError: probabilities answered shape \(1, 2\), not \(3, 2\)"),
    ("return -found", "{} raised TypeError: probabilities answered what is no chance"),
    ("return 0.3 * requests.masks", "{} told chances that are not those of the legal actions"),
])  # fmt: skip
def test_what_became_of_an_agent_that_is_asked_for_its_chances(
    does: str, told: str, kuhn: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told by its name, and ends nothing else."""
    monkeypatch.setattr(apart, "QUESTION_SECONDS", 1.0)
    agent = asked_apart(bot(tmp_path, more=KNOWS.format(does)), kuhn)
    assert isinstance(agent, AskedApart)
    try:
        with pytest.raises(Failed, match=f"^{told.format(re.escape(agent.name))}"):
            agent.probabilities(questions(kuhn, 3))
    finally:
        agent.close()


def test_what_is_no_chance_is_told_where_it_is_made(kuhn: Game) -> None:
    """Before it goes through the pipe, which would take it for a broken one; 1 may be missed by rounding."""
    asked = questions(kuhn, 1)
    assert check_chances(None, asked) is None and check_chances([[0, 1.0 + 1e-9]], asked) == [[0.0, 1.0]]
    for wrong in ([[-0.1, 1.1]], [[float("nan"), 1.0]]):
        with pytest.raises(TypeError, match="what is no chance"):
            check_chances(wrong, asked)
    with pytest.raises(TypeError, match=r"shape \(2,\), not \(1, 2\)"):
        check_chances([0.5, 0.5], asked)


def test_a_chance_for_what_is_not_legal_is_none(kuhn: Game, tmp_path: Path) -> None:
    """Half of it for an action that this decision has not."""
    agent, asked = asked_apart(bot(tmp_path, more=KNOWS.format("return 0.5 + 0 * found")), kuhn), questions(kuhn, 3)
    found = agent.probabilities(asked)
    assert found is not None and (found == 0.5).all()
    asked.masks[1, 0] = 0
    try:
        with pytest.raises(Failed, match="told chances that are not those of the legal actions"):
            agent.probabilities(asked)
    finally:
        agent.close()


HOSTILE = {
    "import": ("os._exit(3)\n", "", "its process ended with exit code 3"),
    "raises": ("1 // 0\n", "", "ZeroDivisionError"),
    "hangs": ("time.sleep(60)\n", "", "no answer within 2 s"),
    "made": ("", "def __init__(self):\n        os._exit(4)", "its process ended with exit code 4"),
    "killed": ("", "def __init__(self):\n        os.abort()", "its process was ended by SIGABRT"),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_who_cannot_be_made_ends_nothing_else(
    how: str, kuhn: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opposite a learner, as a teacher, as who is exploited, as who is played against: it is made elsewhere first."""
    first, more, told = HOSTILE[how]
    text = bot(tmp_path, more=more or "pass")
    path = tmp_path / "mine.py"
    path.write_text(path.read_text().replace("\n\n\nclass", f"\n{first}\n\nclass", 1), encoding="utf-8")
    if how == "hangs":
        monkeypatch.setattr(outside, "START_SECONDS", 2.0)
        monkeypatch.setattr(apart, "QUESTION_SECONDS", 2.0)
    for make in (
        lambda: ProbespielVectorEnv(kuhn, 2, text), lambda: teacher_of(text, [kuhn]), lambda: opponent_of(text, kuhn),
        lambda: exploit(Target("kuhn", text), tmp_path / "out", ExploitPlan(steps=4000, games=100)),
    ):  # fmt: skip
        with pytest.raises(AgentError, match=told):
            make()
        if how == "hangs":
            break  # two seconds each


def test_who_can_be_asked_elsewhere_is_never_made_here(kuhn: Game, tmp_path: Path) -> None:
    """And once, in the process that goes on to be asked: one that ends whatever holds the command ends nothing."""
    text = bot(tmp_path, more=f"def __init__(self):\n        os.getpid() == {os.getpid()} and os._exit(7)")
    league = League(Blueprint(30, 2, 4), {text: 1.0}, 1, 0)
    league.prepare([kuhn])
    tables = ProbespielVectorEnv(kuhn, 2, text, seat=1)
    for agent in (teacher_of(text, [kuhn]), opponent_of(text, kuhn), league.agents[0], tables.others.agent):
        assert isinstance(agent, AskedApart)
        agent.prepare(kuhn)
        assert len(agent._processes) == 1
        agent.close()
    remembers = League(Blueprint(30, 2, 4), {bot(tmp_path, more="per_table = True"): 1.0}, 1, 0)
    with pytest.raises(ProbespielError, match="remembers things between its moves: it cannot play in a training"):
        remembers.prepare([kuhn])


def test_who_plays_opposite_a_learner_ends_nothing_else(kuhn: Game, tmp_path: Path) -> None:
    """Its answers are those that it gives here; a copy has a process of its own."""
    ends = tmp_path / "ends"
    text = bot(tmp_path, f"if os.path.exists({str(ends)!r}): os._exit(3)")
    tables = ProbespielVectorEnv(kuhn, 3, text, seat=1)
    tables.reset(seed=5)
    same = copy.deepcopy(tables)
    assert isinstance(tables.others.agent, AskedApart) and tables.others.agent is not same.others.agent
    tables.step(np.zeros(3, np.int64))
    ends.touch()
    try:
        with pytest.raises(Failed, match=f"^agent {re.escape(repr(text))}: its process ended with exit code 3"):
            same.step(np.zeros(3, np.int64))
    finally:
        tables.close()
        same.close()


def test_exact_chances_come_from_another_process(tmp_path: Path) -> None:
    """Random play from outside is exploitable by 11/24, as that of the house; one that ends its process says so."""
    uniform = (
        "def probabilities(self, requests):\n        {}\n        return requests.masks / requests.masks.sum(1)[:, None]"
    )
    found = exploit(Target("kuhn", bot(tmp_path, more=uniform.format("pass"))), tmp_path, ExploitPlan())
    assert found.method == "exact" and found.bound.value == pytest.approx(11 / 24)
    text = bot(tmp_path, more=uniform.format("os._exit(3)"))
    with pytest.raises(AgentError, match="its process ended with exit code 3"):
        exploit(Target("kuhn", text), tmp_path, ExploitPlan())


def test_every_game_has_its_own_process(kuhn: Game, tmp_path: Path) -> None:
    agent, other = asked_apart(bot(tmp_path)), make_game("kuhn", compiled=False, ante=2)
    assert isinstance(agent, AskedApart)
    try:
        for _ in range(2):
            agent.prepare(kuhn)
            agent.prepare(other)
        assert [game for game, _ in agent._processes] == [kuhn, other]
        first, second = (process for _, process in agent._processes)
        assert first is not second
        assert agent._of(other) is second
    finally:
        agent.close()
    assert agent._processes == [] and first._process is second._process is None


TRAIN = ["train", "kuhn", "--steps", "4000", "--setting", "tables=16", "--setting", "steps=4", "--setting", "batch=32",
         "--setting", "evaluate_games=200", "--against", "random", "--out", "out"]  # fmt: skip
EXPLOIT = [
    "exploit",
    "kuhn",
    "--method",
    "learned",
    "--steps",
    "4000",
    "--games",
    "100",
    "--seeds",
    "1",
    "--out",
    "out",
]


@pytest.mark.parametrize("more", ["def native(self, game):\n        return None",
                                  "def probabilities(self, requests):\n        os._exit(4)"])  # fmt: skip
def test_opponents_of_trainings_are_asked_for_answers_alone(more: str, kuhn: Game, tmp_path: Path) -> None:
    """Whatever they can tell besides, while it learns and when it is measured."""
    text = bot(tmp_path, more=more)
    for agent in (_agent(text), opponent_of(text, kuhn)):
        assert isinstance(agent, AskedApart)
        agent.close()


@pytest.mark.parametrize("command", [
    [*TRAIN, "--opponents", "{}=1"], [*TRAIN, "--opponents", "{}=1", "--seeds", "2"], [*EXPLOIT, "--agent", "{}"],
])  # fmt: skip
def test_what_was_learned_is_kept_where_an_agent_ends_its_process(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its file, the folder and how to go on are told, and once it is mended the same command goes on to the end."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ends").touch()
    text = bot(tmp_path, f"if view.seed % 50 == 7 and os.path.exists({str(tmp_path / 'ends')!r}): os._exit(3)")
    asked = [word.replace("{}", text) for word in command]
    assert run(asked) == 2
    told = capsys.readouterr().err
    assert f"agent '{text}': its process ended with exit code 3" in told and "Traceback" not in told
    kept = "; what was learned is kept in out: --resume goes on with it" in told
    there = [
        path.name for path in Path("out").rglob("*") if path.name.startswith(("checkpoint", "exploiter", "policy"))
    ]
    assert kept == bool(there)
    os.unlink(tmp_path / "ends")
    assert run([*asked, "--resume" if kept else "--overwrite"]) == 0


def test_nothing_is_said_to_be_kept_where_nothing_was_learned(tmp_path: Path) -> None:
    (tmp_path / "settings.json").touch()
    for name, kept in (("", False), ("policy.json", False), ("checkpoint-1.part", True)):
        if name:
            (tmp_path / name).touch()
        with pytest.raises(AgentError) as told, keeping(tmp_path):
            raise AgentError("it failed")
        assert str(told.value) == (
            f"it failed; what was learned is kept in {tmp_path}: --resume goes on with it" if kept else "it failed"
        )


def test_processes_end_with_whoever_asked(kuhn: Game, tmp_path: Path) -> None:
    """In a circle of references, too, and without a word about sockets that nobody closed."""
    agent = asked_apart(bot(tmp_path))
    agent.prepare(kuhn)
    child = agent._of(kuhn)._process  # type: ignore[union-attr]
    assert child is not None
    agent.itself = agent  # type: ignore[attr-defined]
    del agent
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        gc.collect()
    child.wait(20)
    assert [str(one.message) for one in told if one.category is ResourceWarning] == []
