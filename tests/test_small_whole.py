"""Whole functions that broad tests alone reached, each by a small case of all its lines or a naive twin."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents import cfr, exact
from probespiel.agents.base import Agent, AgentError, Requests, View
from probespiel.agents.declaration import lineup_of
from probespiel.agents.faults import Fault
from probespiel.agents.fitted import FittedOutlook, Scale
from probespiel.agents.match_kernel import EXCEPTION
from probespiel.agents.native import outlook_of
from probespiel.agents.players import Remembering
from probespiel.agents.search import SearchAgent
from probespiel.app.web import hall as hall_module
from probespiel.app.web.hall import Hall
from probespiel.app.web.room import OVER, Room
from probespiel.envs import make_game
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import game_names, system_of
from probespiel.envs.konfrontation import state as st
from probespiel.envs.konfrontation.system import SYSTEM as KONFRONTATION
from probespiel.evaluation.stress.guided import LoggedDecisions
from probespiel.evaluation.stress.sample import decided_alike
from probespiel.evaluation.tournament.files import free_folder
from probespiel.evaluation.tournament.plan import TournamentError
from probespiel.training import forecast as forecasting
from probespiel.training.config import TrainConfig
from probespiel.training.lessons import Classroom


@pytest.fixture(scope="module")
def cards() -> Game:
    return make_game("goofspiel", "four", compiled=False)


def later_questions(game: Game, m: int) -> Requests:
    """Questions at m tables after none to two rounds of random bids, so that other bids are left at each."""
    states, seats, rng = np.zeros((m, game.state_size), np.uint8), np.zeros(m, np.int64), np.random.default_rng(3)
    for i in range(m):
        position = game.position(i)
        position.roll()
        for _ in range(2 * (i % 3)):
            seat = position.to_act()[0]
            position.apply(seat, int(rng.choice(position.legal(seat))))
            position.roll()
        states[i], seats[i] = np.frombuffer(position.to_bytes(), np.uint8), position.to_act()[0]
    return Requests.gather(game, states, np.arange(m), seats, 0, np.arange(m, dtype=np.uint64), 0)


@pytest.mark.parametrize("sims", [0, 1, 6])
def test_many_decisions_are_searched_as_each_by_itself(cards: Game, sims: int) -> None:
    """With its own legal actions, seat, key and seed, of which one is drawn where no simulation came by (0)."""
    agent, asked = SearchAgent(sims=max(sims, 1)), later_questions(cards, 18)
    agent.prepare(cards)
    agent.sims = sims
    together = agent.act_batch(asked).tolist()
    assert together == [int(agent.act_batch(asked[[i]])[0]) for i in range(18)]
    assert all(action in asked.view(i).legal for i, action in enumerate(together))
    assert len({asked.view(i).legal for i in range(18)}) > 4


def test_an_outlook_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Every field, what is not a number included."""
    made = FittedOutlook(
        "chess", "short", 2, (("board", 2), ("clock", 1)), Scale(0.5, 2.0, -3.0, 4.0, float("nan")),
        np.arange(12, dtype=np.float32).reshape(3, 4), np.full(4, 0.25, np.float32), np.arange(5, dtype=np.float32),
        {"epochs": 7, "agents": "x"}, {"explained": 0.75},
    )  # fmt: skip
    made.save(tmp_path / "a.safetensors")
    read = FittedOutlook.load(tmp_path / "a.safetensors")
    for name in ("game", "scenario", "seats", "seen", "settings", "quality"):
        assert getattr(read, name) == getattr(made, name), name
    assert np.array_equal(read.scale.array(), made.scale.array(), equal_nan=True)
    for name in ("first", "bias", "last"):
        assert np.array_equal(getattr(read, name), getattr(made, name)) and getattr(read, name).dtype == np.float32


class Doubling:
    """A game in which somebody has two choices and a die two faces, or others, by turns, for some steps."""

    def __init__(self, steps: int, faces: int = 2) -> None:
        self.left, self.faces = steps, faces

    @property
    def over(self) -> bool:
        return self.left == 0

    def die(self) -> int:
        return self.faces * (self.left % 2)

    def fall(self, outcome: int) -> None:
        assert 0 <= outcome < self.faces
        self.left -= 1

    def to_act(self) -> list[int]:
        return [1]

    def legal(self, seat: int) -> list[int]:
        assert seat == 1
        return [4, 5]

    def apply(self, seat: int, action: int) -> None:
        assert seat == 1 and action in (4, 5)
        self.left -= 1


@pytest.mark.parametrize(("steps", "large"), [(12, True), (10, True), (9, False), (3, False)])
def test_a_tree_is_surely_too_large_by_its_random_games(
    monkeypatch: pytest.MonkeyPatch, steps: int, large: bool
) -> None:
    """Ways double at every choice and every die: 1024 after ten of them, which are 64 times a budget of 16."""
    monkeypatch.setattr(exact, "FAR", 64)
    game = SimpleNamespace(position=lambda: Doubling(steps))
    assert exact.surely_too_large(cast(Any, game), 16) is large


@pytest.mark.parametrize(("faces", "large"), [(40, True), (26, True), (25, False), (6, False)])
def test_a_die_has_as_many_ways_as_faces(monkeypatch: pytest.MonkeyPatch, faces: int, large: bool) -> None:
    """Two dice with a choice between them: 2 * 26 * 26 = 1352 are more than 64 * 20 = 1280, 2 * 25 * 25 are less."""
    monkeypatch.setattr(exact, "FAR", 64)
    game = SimpleNamespace(position=lambda: Doubling(3, faces))
    assert exact.surely_too_large(cast(Any, game), 20) is large


class Failing(Agent):
    """It answers the lowest action once, and fails from then on."""

    def __init__(self) -> None:
        self.asked = 0

    def prepare(self, game: Game) -> None:
        self.asked = 0

    def act(self, view: View) -> int:
        self.asked += 1
        if self.asked > 1:
            raise ValueError("no more ideas")
        return view.legal[0]


def test_who_remembers_is_one_for_each_seat_of_each_table_and_told_why_it_failed(cards: Game) -> None:
    """At three tables each has an instance, which fails at its second question with its own words."""
    player, asked = Remembering(Failing, cards, 5, None), later_questions(cards, 3)
    tables = np.arange(3, dtype=np.uint64)
    first = player.ask(asked, np.arange(3), tables)
    assert first.actions.tolist() == [asked.view(i).legal[0] for i in range(3)] and not first.faults
    second = player.ask(asked[[0, 2]], np.array([0, 2]), tables)
    assert sorted(second.faults) == [0, 1]
    for fault in second.faults.values():
        assert isinstance(fault, Fault) and fault.code == EXCEPTION and "no more ideas" in fault.message
    player.clear()
    assert not player.ask(asked, np.arange(3), tables).faults  # of other games new ones


def ticking() -> Iterator[float]:
    """A clock that moves on by a second whenever somebody looks at it."""
    return (float(second) for second in itertools.count())


def test_a_forecast_adds_up_what_each_part_of_an_update_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learning once, advisers twice, and two agents thrice and once: a second each, and looks at the clock between."""

    class Part:
        def learn(self) -> str:
            return "learned"

        def columns(self, n: int) -> int:
            return n

        def act_batch(self, n: int) -> int:
            return 2 * n

    class Rehearsed:
        def __init__(self, config: TrainConfig, device: str) -> None:
            assert (config.teacher, config.review, config.settle, config.evaluate_every, device) == (
                None,
                0,
                0,
                0,
                "cpu",
            )
            self.learner = Part()
            self.league = SimpleNamespace(advice=Part(), agents=[Part(), Part()])

        def update(self) -> None:
            assert self.learner.learn() == "learned"
            assert [self.league.advice.columns(n) for n in (3, 4)] == [3, 4]
            one, other = self.league.agents
            assert [one.act_batch(1), one.act_batch(2), one.act_batch(3), other.act_batch(n := 4)] == [2, 4, 6, 2 * n]

    clock = ticking()
    monkeypatch.setattr(forecasting, "SelfPlay", Rehearsed)
    monkeypatch.setattr(forecasting.time, "perf_counter", lambda: next(clock))
    config = TrainConfig.model_validate({"game": "kuhn", "opponents": {"self": 1.0}})
    found = forecasting.forecast(config, "cpu")
    whole = 15.0  # seven calls with two looks each, and the look at the end
    assert found.rate == config.per_update / whole
    assert found.shares == {"learning": 1 / whole, "advisers": 2 / whole, "opponents": 4 / whole, "playing": 8 / whole}
    assert found.dearest == "playing" and found.seconds(30) == 30 / found.rate


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"format": "probespiel-tournament/2", "settings": {}}', "is not a probespiel-tournament/1 file"),
        (b'{"settings": {}}', "is not a probespiel-tournament/1 file"),
        (b'{"format": "probespiel-tournament/1", "settings": []}', "is not a probespiel-tournament/1 file"),
        (b'{"format": "probespiel-tournament/1"}', "is not a probespiel-tournament/1 file"),
        (b"[]", "is not a probespiel-tournament/1 file"),
        (b"{", "is damaged"),
        (b"\xff", "is damaged"),
    ],
)
def test_settings_of_another_kind_are_refused(tmp_path: Path, content: bytes, told: str) -> None:
    """By name of the file, whatever else it holds; a finished tournament is left, an unfinished one gone on with."""
    assert free_folder(tmp_path / "t") == tmp_path / "t"
    (tmp_path / "t").mkdir()
    path = tmp_path / "t" / "tournament.json"
    path.write_bytes(content)
    with pytest.raises(TournamentError, match=rf"tournament.json {told}.*choose another --out folder"):
        free_folder(tmp_path / "t")
    for finished, free in ((False, "t"), (True, "t-2")):
        made = {"format": "probespiel-tournament/1", "settings": {}, "finished": finished}
        path.write_text(json.dumps(made), encoding="utf-8")
        assert free_folder(tmp_path / "t") == tmp_path / free


def test_a_note_of_a_game_holds_all_that_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every field by its own value; all of it is on the disk when it is synced, and no draft is left."""
    synced: list[int] = []
    monkeypatch.setattr(hall_module.os, "fsync", lambda file: synced.append(os.fstat(file).st_size))
    made = Room(
        "c3" * 8, "einblatt-duel", "storm", ("Ada", "Foe"), {1: "turtle"}, {0: "ab" * 32}, "de", 12.5, OVER,
        file=Path("/somewhere/game.json"), result={"en": ["Ada wins"]}, run="r7",
    )  # fmt: skip
    hall = cast(Any, SimpleNamespace(_rooms={made.id: made}, notes=tmp_path))
    Hall.note(hall, made)
    (path,) = tmp_path.iterdir()
    assert synced == [path.stat().st_size] and path.name == f"{made.id}.json"
    read = hall_module._read_note(path)
    assert read is not None
    for name in ("id", "game", "scenario", "seats", "cast", "owners", "lang", "made", "state", "file", "result", "run"):
        assert getattr(read, name) == getattr(made, name), name
    Hall.note(hall, replace(made, id="c4" * 8))  # nobody holds it any more
    assert len(list(tmp_path.iterdir())) == 1
    content = json.loads(path.read_text("utf-8"))
    for field, wrong in (("state", "lost"), ("file", None), ("owners", {"0": "x"}), ("id", "other"), ("cast", [])):
        path.write_text(json.dumps({**content, field: wrong}), "utf-8")
        assert hall_module._read_note(path) is None, field


def test_nobody_strays_where_nobody_is_to() -> None:
    """Habits or not, what was to be played is played."""
    room, rng = cast(Any, SimpleNamespace(stray=0.0)), np.random.default_rng(2)
    actions, habits = rng.integers(0, 4, 40), rng.integers(0, 2**40, 40).astype(np.uint64)
    assert Classroom.strayed(room, actions, np.ones((40, 4), np.int8), habits).tolist() == actions.tolist()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"stagee": "bid"}, r"option 'stagee' = 'bid' is unknown; known: .*did you mean stage\?$"),
        ({"nonsense": 7}, r"option 'nonsense' = 7 is unknown; known: "),
        (
            {"factions": {n: {"power": 1, "resources": {f"{n}{i}": 1 for i in range(st.RESOURCES + 1)}} for n in "AB"}},
            rf"faction A has more than {st.RESOURCES}; allowed are 0\.\.{st.RESOURCES}$",
        ),
    ],
)
def test_what_is_wrong_with_options_of_konfrontation_is_told(options: dict[str, Any], told: str) -> None:
    """Name, value, and what is allowed."""
    with pytest.raises(RulesetError, match=told):
        KONFRONTATION.spec("konfrontation-campaign", None, options, {})


@pytest.mark.parametrize(
    ("status", "told"), [(cfr.BAD_RULES, "has no legal action"), (cfr.TOO_DEEP, "is too deep: more than 7 decisions")]
)
def test_counterfactual_iterations_tell_what_stopped_them(
    monkeypatch: pytest.MonkeyPatch, status: int, told: str
) -> None:
    """What the rules raised comes first; then their bad answers; full tables grow."""
    raised: list[BaseException] = []

    def pending() -> None:
        if raised:
            raise raised[0]

    tables = SimpleNamespace(used=np.zeros(8, np.int64))
    agent: Any = SimpleNamespace(
        values={"sampling": "outcome"}, _tables=tables, _settings=1, _work=SimpleNamespace(frame=range(7)), _rng=3,
        game=SimpleNamespace(name="chess", kernel=SimpleNamespace(raise_pending=pending)),
    )  # fmt: skip
    asked: list[Any] = []
    found = [5]
    monkeypatch.setattr(cfr, "iterate", lambda *given, **named: (asked.append((given, named)), found[0])[1])
    monkeypatch.setattr(cfr, "_grown", lambda given: SimpleNamespace(used=given.used * 0))
    iterated = cfr.CfrSolver._iterate
    assert iterated(agent, 9) == 5 and agent._tables is tables
    assert asked == [((tables, 1, agent._work, True), {"iterations": 9, "rng": 3})]
    tables.used[cfr.FULL] = 1
    assert iterated(agent, 9) == 5 and agent._tables is not tables
    found[0] = status
    with pytest.raises(AgentError, match=told):
        iterated(agent, 9)
    raised.append(KeyError("of the rules"))
    with pytest.raises(KeyError, match="of the rules"):
        iterated(agent, 9)


def test_where_searches_value_positions_before_the_end() -> None:
    """By which outlook or sight, how far ahead, with which exploration and caution; in all other scenarios not."""
    missions = ("cellar_cleanse", "courier", "heist", "boss_hunt", "last_stand", "random")
    expected: dict[str, Any] = {"einblatt-campaign table32_session": (1, 1.0, 1.5)}
    expected |= {f"oneshot-mission {name}": (1, 0.3, 2.0, 78, True) for name in missions}
    expected |= {f"oneshot-skirmish {name}": (1, 0.3, 1.0) for name in ("duel_mirror", "melee_vs_bow", "diplomat_duel")}
    for game in ("scorekeeper-duel", "scorekeeper-skirmish"):
        expected |= {f"{game} {name}": (1, 1.0, 0.5) for name in system_of(game).scenarios(game)}
    found: dict[str, Any] = {}
    for name in sorted(game_names()):
        for scenario in system_of(name).scenarios(name):
            if scenario == "literal":
                continue  # a build, which takes minutes to make interpreted
            game = Game(system_of(name).spec(name, scenario, {}, {}), compiled=False)
            if (own := outlook_of(game)) is not None:
                found[f"{name} {scenario}"] = (own.horizon, own.c, own.margin)
            elif (sight := lineup_of(game).sight) is not None:
                found[f"{name} {scenario}"] = (sight.horizon, sight.c, sight.margin, sight.size, sight.shared)
    assert found == expected


def logged(rng: np.random.Generator, lengths: list[int], kept: int) -> Any:
    """Games of such lengths, of whose decisions the first so many are in the log."""
    n = min(kept, sum(lengths))
    rows = np.zeros((n, 6), dtype=np.int64)
    rows[:, 0], rows[:, 1], rows[:, 2] = rng.integers(0, 2, n), rng.integers(3, 5, n), rng.integers(6, 8, n)
    return SimpleNamespace(log=LoggedDecisions(rows), lengths=np.array(lengths))


def test_which_games_are_decided_alike_by_a_list_of_their_decisions() -> None:
    """But for actions 4 and phase 7; of games that the log does not hold to their end in both nothing is known."""
    rng, seen = np.random.default_rng(8), set()
    for _ in range(60):
        lengths, more = rng.integers(0, 4, 6).tolist(), rng.integers(0, 4, 6).tolist()
        kept = int(rng.integers(4, 20))
        first, second = logged(rng, lengths, kept), logged(rng, more, kept)
        told = []
        for played in (first, second):
            at, games = 0, []
            for length in played.lengths.tolist():
                rows = range(at, at + length)
                at += length
                log, whole = played.log, at <= len(played.log)
                rest = [i for i in rows if whole and log.actions[i] != 4 and log.phases[i] != 7]
                games.append([(int(log.seats[i]), int(log.actions[i])) for i in rest] if whole else None)
            told.append(games)
        expected = [a is not None and b is not None and a == b for a, b in zip(*told, strict=True)]
        assert decided_alike(first, second, frozenset({4}), frozenset({7})).tolist() == expected
        seen |= {(a is None, b is None, alike) for a, b, alike in zip(*told, expected, strict=True)}
    assert len(seen) == 5  # both known and alike or not, one unknown either way, both
