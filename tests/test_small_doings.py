"""What functions do that no test named: files that are kept, jobs that are shared out, questions, who is told what."""

from __future__ import annotations

import inspect
import os
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.registry import ForeignAgent, list_agents, parse_agent
from probespiel.app import cli_verify, training
from probespiel.app.session import picks
from probespiel.app.web.hall import Hall
from probespiel.envs.core import batch, part_cache, replay
from probespiel.envs.core.engine import Engine
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.registry import make_game, system_of
from probespiel.envs.scorekeeper import actions as fight
from probespiel.evaluation.exploit.games import Spread
from probespiel.evaluation.exploit.measure import Ask
from probespiel.evaluation.oneshot import builds
from probespiel.evaluation.tournament.playing import BlockWork
from probespiel.training import population, psro
from tests.test_oneshot_mission_cases import mission


def test_the_secret_of_a_server_is_kept_from_others(tmp_path: Path) -> None:
    """Whatever files may usually be read by; one that is no secret is made anew."""
    path, before = tmp_path / "key", os.umask(0)
    try:
        key = Hall._key(path)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(key) == 32
    assert Hall._key(path) == key == path.read_bytes()
    path.write_bytes(b"short")
    again = Hall._key(path)
    assert len(again) == 32 and again != key and path.read_bytes() == again


# --- a set of things --------------------------------------------------------------------------------------------------


class Asked:
    """A position of one seat: what can be named after what was named, by a table; 9 ends the question."""

    def __init__(self, table: dict[frozenset[int], list[int]], named: frozenset[int] = frozenset()) -> None:
        self.table, self.named = table, named

    def phase(self) -> str:
        return "over" if self.named == {1, 2} else "several"

    def legal(self, seat: int) -> list[int]:
        assert seat == 1
        return self.table.get(self.named, [9])

    def clone(self) -> Asked:
        return Asked(self.table, self.named)

    def apply(self, seat: int, action: int) -> None:
        assert seat == 1
        self.named |= {action}


def test_what_can_be_named_after_something_else_can_be_named() -> None:
    """At first 1 or 4, after 4 also 3, and then 5; after 1 also 2, which ends the question: what follows is another."""
    table = {
        frozenset[int](): [1, 4, 9], frozenset({1}): [2, 9], frozenset({4}): [3, 9], frozenset({3, 4}): [5, 9],
        frozenset({1, 2}): [7],
    }  # fmt: skip
    assert picks._reachable(cast(Any, Asked(table)), 1, 9) == {1, 2, 3, 4, 5}
    assert picks._reachable(cast(Any, Asked({frozenset(): [9]})), 1, 9) == set()


# --- work that is shared out ------------------------------------------------------------------------------------------


def test_duels_are_reported_as_they_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six pairs in parts of four: of row r and column c the row wins by r / 10 and loses by c / 100."""
    monkeypatch.setattr(builds, "CHUNK", 4)
    told: list[tuple[str, int, int]] = []

    def play(figures: np.ndarray, pairs: np.ndarray) -> np.ndarray:
        assert figures.tolist() == [7]
        return pairs / [10.0, 100.0]

    found = builds.payoffs_of(
        cast(Any, SimpleNamespace(play=play)), np.array([7]), np.array([1, 5]), np.array([2, 3, 4]), 2,
        lambda *said: told.append(said), "duels",
    )  # fmt: skip
    assert found == pytest.approx(np.array([[0.08, 0.07, 0.06], [0.48, 0.47, 0.46]]))
    assert told == [("duels", 4, 6), ("duels", 6, 6)]


@pytest.mark.parametrize(("cost", "sizes"), [
    (0.01, [300, 200, 120]), (0.1, [*[30] * 16, 20, *[30] * 4]), (10.0, [*[10] * 50, *[10] * 12]), (1e-9, []),
])  # fmt: skip
def test_games_of_an_exploit_are_shared_out_by_what_they_cost(cost: float, sizes: list[int]) -> None:
    """Three seconds a job, ten deals at least; 500 and 120 deals are asked for, and answered by their numbers."""
    jobs: list[Ask] = []

    def answered(ask: Ask) -> np.ndarray:
        return 1000.0 * ask.side + np.arange(ask.first, ask.first + ask.count)

    def map_jobs(work: Any, asked: list[Ask]) -> Any:
        jobs.extend(asked)
        return [SimpleNamespace(index=i, answer=answered(asked[i])) for i in reversed(range(len(asked)))]

    spread = Spread(cast(Engine, SimpleNamespace(count=2, map=map_jobs)), cast(Any, None))
    spread._cost = cost
    asks = [Ask(0, 0, 40, 500), Ask(0, 1, 0, 120)]
    found = spread(cast(Any, SimpleNamespace(answer=answered)), asks)
    assert [job.count for job in jobs] == sizes
    for ask, answer in zip(asks, found, strict=True):
        assert answer.tolist() == answered(ask).tolist()


def test_messages_name_files_as_they_are_given(tmp_path: Path) -> None:
    """A bot whose file lies elsewhere, one that lies where it did, and a module."""
    here = [SimpleNamespace(agent=parse_agent(text)) for text in ("a.py:Bot", "random")]
    there = [SimpleNamespace(agent=one.agent.moved({"a.py": "/far/a.py"})) for one in here]
    plan = SimpleNamespace(entrants=here, moved=lambda files: SimpleNamespace(entrants=there))
    work = BlockWork(cast(Any, plan)).moved({"a.py": "/far/a.py", "m.py": "/far/m.py"})
    assert work.shown == {"/far/a.py:Bot": "a.py:Bot", "/far/a.py": "a.py", "/far/m.py": "m.py"}
    again = SimpleNamespace(entrants=here, moved=lambda files: SimpleNamespace(entrants=there))
    twice = BlockWork(cast(Any, again), {"a.py": "first.py"}).moved({"a.py": "/far/a.py"})
    assert twice.shown["/far/a.py"] == "first.py"


def test_answers_are_learned_where_the_policy_begins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each from a seed of its own, in all scenarios, the first of which is the game that is told."""
    asked: list[tuple[Any, ...]] = []

    def answer_to(*given: Any, **more: Any) -> tuple[str, bool]:
        asked.append((*given, more))
        return f"config {len(asked)}", len(asked) == 1

    made: list[Any] = []

    def group(*given: Any, **more: Any) -> Any:
        made.append((given, more))
        return SimpleNamespace(folder=tmp_path / "answers-3")

    monkeypatch.setattr(psro, "answer_to", answer_to)
    monkeypatch.setattr(psro, "Population", group)
    monkeypatch.setattr(psro, "plain", lambda one: f"plain {one}")
    config = SimpleNamespace(scenarios=("x", "y"), answers=2, seed=5, answer_decisions=700)
    members: list[Any] = [SimpleNamespace(file="p1"), SimpleNamespace(file="p2")]
    responses: Any = SimpleNamespace(
        config=config, games=["first", "second"], folder=tmp_path, answers=["before"],
        _text=lambda stage: f"the {stage}", _done=lambda people, doing: members,
    )  # fmt: skip
    told: list[tuple[Any, ...]] = []
    doing: Any = SimpleNamespace(say=lambda *said: told.append(said))
    assert psro.Responses._answered(responses, 3, cast(Any, "stage"), doing)
    assert told == [("answers", 3)]
    assert [one[:4] for one in asked] == [("the stage", "first", ["plain x", "plain y"], k) for k in (0, 1)]
    assert [one[5] for one in asked] == [{"decisions": 700}] * 2
    assert asked[0][4] != asked[1][4]
    (((configs, folder, begins), more),) = made
    assert (configs, folder, begins) == (["config 1", "config 2"], tmp_path / "answers-3", ["the stage", ""])
    assert more == {"newest": True}
    assert responses.answers == ["before", *(
        f"policy:file={tmp_path}/answers-3/{name},temperature={t}" for name in ("p1", "p2") for t in ("1.0", "0.0")
    )]  # fmt: skip
    responses._done = lambda people, doing: None
    assert not psro.Responses._answered(responses, 3, cast(Any, "stage"), doing)
    assert len(responses.answers) == 5


# --- agents and games -------------------------------------------------------------------------------------------------


def test_agents_are_as_they_are_declared() -> None:
    """A parameter that is not given has the value that is told of it."""
    seen = 0
    for kind in list_agents():
        if not inspect.isclass(kind.make):
            continue
        takes = inspect.signature(kind.make).parameters
        for param in kind.params:
            if param.name in takes:
                assert takes[param.name].default == param.default, f"{kind.name}: {param.name}"
                seen += 1
    assert seen > 30


def test_an_object_that_knows_reset_is_told_the_seed() -> None:
    told: list[int] = []
    both = SimpleNamespace(act=lambda view: 3, reset=told.append)
    ForeignAgent(both).reset(17)
    assert told == [17]
    for inner in (SimpleNamespace(act=lambda view: 3), SimpleNamespace(act=lambda view: 3, reset=None)):
        ForeignAgent(inner).reset(17)
        assert ForeignAgent(inner).act(cast(Any, None)) == 3


@pytest.mark.parametrize("game", ["kuhn", "leduc", "goofspiel", "liars_dice"])
def test_options_of_reference_games_are_those_that_they_take(game: str) -> None:
    declared = system_of(game).declared(game)
    assert set(declared) == set(make_game(game, compiled=False).spec.options)
    made = make_game(game, compiled=False, **{name: option.default for name, option in declared.items()})
    assert made.ruleset == make_game(game, compiled=False).ruleset
    with pytest.raises(ProbespielError, match="none_such"):
        make_game(game, compiled=False, none_such=1)


def test_worked_examples_are_told_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what kind of example it is; a file that cannot be used is told, and those after it are checked."""
    results = [
        SimpleNamespace(id="first", kind="unit", problems=["it is 3"]),
        SimpleNamespace(id="b", kind="game", problems=[]),
    ]

    def load(path: str) -> tuple[str, list[Any]]:
        if path == "bad":
            raise ProbespielError("bad is\ndamaged")
        return "kuhn", []

    monkeypatch.setattr(cli_verify, "load_cases", load)
    monkeypatch.setattr(cli_verify, "analysis_of", lambda of: SimpleNamespace(examples=lambda: f"examples of {of}"))
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(cli_verify, "verify_file", lambda *given: asked.append(given) or results)
    notes: list[dict[str, Any]] = []
    cli_verify.check(notes.append, ["bad", "good"], None, "one", {"m": {}}, False, 5, 1)
    assert notes == [
        {"unusable": "bad is damaged"}, {"what": "first (unit)", "problems": ["it is 3"]},
        {"what": "b (game)", "problems": []},
    ]  # fmt: skip
    assert asked == [("good", "examples of kuhn", False, "one", {"m": {}})]


def test_the_map_of_a_mission_has_its_rows_and_columns() -> None:
    layout = mission({}, grid_width=8, grid_height=11).game.layout
    assert next(piece.shape for piece in layout.pieces if piece.name == "map") == (2, 11, 8)


@pytest.mark.parametrize(("length", "shown"), [(299, 299), (300, 300), (301, 303)])
def test_a_wrong_value_is_shown_whole_if_it_is_short(length: int, shown: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to 300 characters of it; then an ellipsis says that there is more."""
    monkeypatch.setattr(replay, "_shorten", SimpleNamespace(repr=lambda value: value * length))
    text = replay._show("x")
    assert (len(text), text.endswith("...")) == (shown, length > 300)


def test_cards_of_kuhn_poker_are_one_of_three_then_of_two() -> None:
    position = make_game("kuhn", compiled=False).position()
    assert position.die() == 3
    position.fall(0)
    assert position.die() == 2
    position.fall(1)
    assert position.die() == 0
    assert position.record.card.tolist() == [0, 2]


@pytest.mark.parametrize("rounds", [False, True])
@pytest.mark.parametrize(("lang", "said"), [
    ("en", "Ending after the legs under way; once more to stop at once."),
    ("de", "Ende nach den laufenden Abschnitten; noch einmal für sofort."),
])  # fmt: skip
def test_who_interrupts_trainings_is_told_when_they_end(
    lang: str, said: str, rounds: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """They are stopped here; what was learned until then is told."""
    told: list[str] = []

    @contextmanager
    def interruptible(message: str) -> Any:
        told.append(message)
        yield [True]

    member = SimpleNamespace(decisions=1500)
    people = SimpleNamespace(members=lambda: [member, None], learn=lambda engine, tell, stopped: [member][stopped() :])
    responses = SimpleNamespace(
        total=9000, run=lambda doing: doing.tell(1500) if doing.stopped() else pytest.fail("on")
    )
    monkeypatch.setattr(training, "interruptible", interruptible)
    monkeypatch.setattr(population, "Population", SimpleNamespace(of_seeds=lambda config, seeds, folder: people))
    monkeypatch.setattr(psro, "Responses", lambda config, folder: responses)
    engine = cast(Any, SimpleNamespace(count=2))
    if rounds:
        done = training.train_in_rounds(
            "kuhn", {"method": "psro"}, tmp_path, engine, False, False, lang, "command"
        )  # fmt: skip
    else:
        done = training.train_side_by_side("kuhn", {}, 2, tmp_path, engine, False, False, lang, "command")
    assert not done
    assert told == [said]
    assert ("1,500" if lang == "en" else "1.500") in capsys.readouterr().err


@pytest.mark.parametrize("game", ["kuhn", "liars_dice"])
def test_a_table_begins_anew_whatever_was_played_there(game: str) -> None:
    """Byte for byte: what the last game left is gone."""
    made = make_game(game, compiled=False)
    records = [np.full(made.state_size, left, np.uint8) for left in (0, 255)]
    for record in records:
        batch.start_table(
            made.address, record.ctypes.data, made.params_address, made.state_size, np.array([7], np.uint64)
        )
    assert (records[0] == records[1]).all()


def test_what_a_rule_set_is_made_of_holds_no_other() -> None:
    """A part of one is told by what it is asked for; one with another in it, whatever else it has, is refused."""
    outer, inner = (ModuleType(f"rules:{name}") for name in ("outer", "inner"))
    vars(outer).update(inner=inner, number=3, other=4)
    vars(inner).update(number=5)
    told = part_cache._value(outer, frozenset({"number", "none"}))
    assert "number=int 3" in told
    assert "other" not in told
    for names in ({"inner", "number"}, {"inner"}):  # the other one may have them as well
        with pytest.raises(part_cache.NotKept, match="a module of a rule set inside another"):
            part_cache._value(outer, frozenset(names))


@pytest.mark.parametrize(("lang", "said"), [
    ("en", ["do not lower the wound", "lower the wound by 2", "yourself", "mate 1", "enemy 1", "enemy 3", "shot",
            "shot on enemy 1", "counter: "]),
    ("de", ["die Wunde nicht mildern", "die Wunde um 2 mildern", "dich selbst", "Kamerad 1", "Gegner 1", "Gegner 3",
            "Schuss", "Schuss auf Gegner 1", "Konter: "]),
])  # fmt: skip
def test_actions_of_a_fight_in_words(lang: str, said: list[str]) -> None:
    """Enemies are counted from 1, and so are mates, of whom the first is oneself; what is aimed says where at."""
    zone = fight.ZONE_NAMES[lang]["character"][1]
    found = [
        fight.reduce_text(0, lang), fight.reduce_text(2, lang), fight.slot_name(0, lang, True),
        fight.slot_name(1, lang, True), fight.slot_name(0, lang, False), fight.slot_name(2, lang, False),
        fight.attack_text("shoot", "", 0, lang), fight.attack_text("shoot", fight.slot_name(0, lang, False), 0, lang),
        fight.attack_text("counter", "", 1, lang).removesuffix(zone),
    ]  # fmt: skip
    assert found == said
