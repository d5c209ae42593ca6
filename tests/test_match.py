"""Matches: seeds, forfeits, and three ways to play that lead to the same games."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import Agent, AgentError, Requests, View
from probespiel.agents.match import EXCEPTION, FORFEITED, ILLEGAL, TIME, Match, Outcome, Schedule
from probespiel.agents.match_kernel import decide
from probespiel.agents.outside import BotProcess
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from tests.bots import EveryBad
from tests.games import card_game

BOTS = Path(__file__).parent / "bots.py"


def bot(name: str) -> str:
    return f"{BOTS}:{name}"


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


def both_ways(deals: int, a: int = 0, b: int = 1, seed: int = 3) -> Schedule:
    """Deals of a duel, each with the seats swapped."""
    return Schedule.of(seed, np.repeat(np.arange(deals), 2), np.tile([[a, b], [b, a]], (deals, 1)))


def assert_same(first: Outcome, second: Outcome, rows: Any = slice(None)) -> None:
    for name in ("payoffs", "results", "decisions", "offences", "status"):
        assert np.array_equal(getattr(first, name)[rows], getattr(second, name)[rows]), name


class Plain(Agent):
    """An agent of this process that answers through a function of the view; `kept` are all views that it saw."""

    def __init__(self, answer: Any, name: str = "plain", per_table: bool = False) -> None:
        self.answer, self.name = answer, name
        self.per_table = per_table  # type: ignore[misc]

    def act(self, view: View) -> int:
        return self.answer(view)


class Batch(Agent):
    """An agent of this process that answers through a function of the requests."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.name = answer, "batch"

    def act_batch(self, requests: Requests) -> np.ndarray:
        return self.answer(requests)


# Seeds and ways to play


@pytest.mark.parametrize("game", ["kuhn", "einblatt-duel", "einblatt-melee"])
def test_compiled_and_batched_play_the_same_games(game: str) -> None:
    made = make_game(game)
    names = ["random", "honest" if game == "kuhn" else "best3_shuffled", "first"]
    turn = [[int(s in side) for s in range(made.n_seats)] for _, side in made.sides[:2]]
    pairs = np.array([np.where(np.array(t) == 1, a, b) for a, b in [(0, 1), (0, 2), (1, 2)] for t in turn])
    n = 2 if game == "einblatt-melee" else 20
    schedule = Schedule.of(5, np.repeat(np.arange(n), len(pairs)), np.tile(pairs, (n, 1)))
    with Match(made, names, 5) as quick, Match(made, names, 5, batch=7, compiled=False) as slow:
        played = quick.play(schedule)
        assert_same(played, slow.play(schedule))
    assert (played.status == 1).all() and not played.messages
    assert (played.lengths == played.decisions.sum(axis=1)).all()


def test_batches_and_order_change_nothing(kuhn: Game) -> None:
    names = ["random", "search:sims=20"]
    schedule = both_ways(12)
    with Match(kuhn, names, 3) as one, Match(kuhn, names[::-1], 3, batch=5) as other:
        first = one.play(schedule)
        assert_same(first, one.play(schedule))
        back = np.arange(len(schedule))[::-1]
        reversed_ = Schedule(1 - schedule.seating[back], schedule.dice[back], schedule.tables[back])
        swapped = other.play(reversed_)
        assert np.array_equal(first.payoffs, swapped.payoffs[back])


def test_another_agent_changes_no_game_of_the_others(kuhn: Game) -> None:
    schedule = both_ways(50)
    with Match(kuhn, ["random", "card_only"], 3) as two, Match(kuhn, ["random", "card_only", "bluffer"], 3) as three:
        assert_same(two.play(schedule), three.play(schedule))


def test_a_deal_is_the_same_for_all_pairings_and_seatings() -> None:
    game = make_game("einblatt-duel")
    seen: dict[tuple[str, int], list[bytes]] = {}

    def note(name: str) -> Agent:
        def answer(view: View) -> int:
            seen.setdefault((name, view.seat), []).append(view.observation.tobytes())
            return view.legal[0]

        return Plain(answer, name)

    with Match(game, [note("a"), note("b"), note("c")], 3) as match:
        match.play(Schedule.of(3, np.zeros(6), [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]))
    for seat in (0, 1):
        first = {views[0] for (_, s), views in seen.items() if s == seat}
        assert len(first) == 1, "the first thing that a seat sees is its hand"
    with Match(game, [note("d"), note("e")], 4) as match:
        match.play(Schedule.of(4, [0], [[0, 1]]))
    assert seen["d", 0][0] != seen["a", 0][0]


def test_seeds_reach_agents_that_remember(kuhn: Game) -> None:
    seeds: list[int] = []

    class Keeps(Plain):
        def reset(self, seed: int) -> None:
            seeds.append(seed)

    def run(**more: Any) -> list[int]:
        seeds.clear()
        agents = [Keeps(lambda v: v.legal[0], "x", per_table=True), Keeps(lambda v: v.legal[0], "y", per_table=True)]
        with Match(kuhn, agents, 9, **more) as match:
            match.play(both_ways(4, seed=9))
        return list(seeds)

    first = run()
    assert len(set(first)) == len(first) == 16 and all(0 <= s < 2**63 for s in first)
    assert sorted(run(batch=1)) == sorted(first)


def test_simultaneous_choices_stay_sealed() -> None:
    game = card_game(seats=3, deck=8)
    seen: list[tuple[int, bytes, bytes]] = []

    def answer(view: View) -> int:
        seen.append((view.seat, view.observation.tobytes(), view.world().to_bytes()))
        return view.legal[answer.choice % len(view.legal)]  # type: ignore[attr-defined]

    found = []
    for choice in (0, 1):
        answer.choice = choice  # type: ignore[attr-defined]
        seen.clear()
        with Match(game, [Plain(answer)], 1) as match:
            match.play(Schedule.of(1, [0], [[0, 0, 0]]))
        found.append(seen[:3])
    assert found[0] == found[1], "what the others choose shows only after everybody has chosen"


# Forfeits


@pytest.fixture(scope="module")
def forfeits() -> Iterator[Any]:
    """Plays some deals of Kuhn poker between a bot and `first`; returns the outcome."""
    game = make_game("kuhn")

    def play(agent: str | Agent, deals: int = 2, seconds: float = 0.4) -> Outcome:
        with Match(game, [agent, "first"], 3, seconds) as match:
            assert match.ordinary_range == (-2.0, 2.0)
            return match.play(both_ways(deals))

    yield play


FAULTS = {
    "raise": (EXCEPTION, "ZeroDivisionError: integer division or modulo by zero (bots.py:"),
    "recurse": (EXCEPTION, "RecursionError: maximum recursion depth exceeded"),
    "quit": (EXCEPTION, "SystemExit: 7"),
    "illegal": (ILLEGAL, "answered 1000000, not legal now"),
    "negative": (ILLEGAL, "answered -1, not legal now"),
    "nothing": (ILLEGAL, "answered None (NoneType), not the id of an action"),
    "float": (ILLEGAL, "answered 0.0 (float), not the id"),
    "text": (ILLEGAL, "answered 'pass' (str), not the id"),
    "huge": (ILLEGAL, "answered <int>, not legal now"),
    "bool": (ILLEGAL, "answered True (bool), not the id"),
    "list": (ILLEGAL, "answered [0] (list), not the id"),
    "array": (ILLEGAL, "(ndarray), not the id"),
    "evil": (ILLEGAL, "(Evil), not the id"),
}


def test_bad_answers_and_exceptions_forfeit_a_game_each(kuhn: Game) -> None:
    kinds = EveryBad.KINDS
    assert set(kinds) == set(FAULTS)
    with Match(kuhn, [bot("EveryBad"), "first"], 3, 5.0) as match:
        played = match.play(Schedule.of(3, np.zeros(len(kinds)), np.tile([0, 1], (len(kinds), 1))))
    assert (played.status == FORFEITED).all() and (played.decisions == 0).all()
    assert played.payoffs.tolist() == [[-2.0, 2.0]] * len(kinds)
    assert played.results.tolist() == [[-1, 1]] * len(kinds)
    for row, kind in enumerate(kinds):
        code, text = FAULTS[kind]
        assert played.offences[row].tolist() == [code, 0], kind
        assert text in played.messages[row, 0]


@pytest.mark.parametrize(
    ("how", "code", "text"),
    [
        ("die", EXCEPTION, "its process ended with exit code 7"),
        ("hang", TIME, "no answer within 0.4 s"),
        ("sleep", TIME, "no answer within 0.4 s"),
    ],
)
def test_bots_that_must_be_stopped_forfeit(forfeits: Any, how: str, code: int, text: str) -> None:
    played = forfeits(bot(f"Bad:how={how}"), deals=1)
    bad = np.array([[True, False], [False, True]])
    assert (played.status == FORFEITED).all()
    assert np.array_equal(played.offences, np.where(bad, code, 0))
    assert np.array_equal(played.payoffs, np.where(bad, -2.0, 2.0))
    assert np.array_equal(played.results, np.where(bad, -1, 1))
    assert sorted(played.messages) == [(0, 0), (1, 1)]
    assert all(text in message for message in played.messages.values()), played.messages


def test_a_bot_that_hangs_is_given_up_after_three_stops(forfeits: Any) -> None:
    begun = time.monotonic()
    played = forfeits(bot("Bad:how=hang"), deals=20, seconds=0.2)
    assert time.monotonic() - begun < 55  # the bot sleeps for 60 s
    assert (played.status == FORFEITED).all() and played.stopped == (0,)
    texts = list(played.messages.values())
    assert sum("no answer within 0.2 s" in t for t in texts) == 3
    assert sum("was not asked any more" in t for t in texts) == 37


def test_a_bot_can_fail_late_and_only_its_own_seats_are_blamed(forfeits: Any) -> None:
    played = forfeits(bot("Bad:late=true"), deals=30)
    late = played.status == FORFEITED
    # seat 0 passes, seat 1 passes: no second decision; the game ends by the rules
    assert (played.decisions[late] >= 1).any(axis=1).all() or not late.any()
    assert set(np.unique(played.status)) <= {1, FORFEITED}


def test_what_a_bot_prints_is_dropped(forfeits: Any, capfd: pytest.CaptureFixture[str]) -> None:
    played = forfeits(bot("Bad:how=flood"), deals=1, seconds=5.0)
    assert (played.status == 1).all()
    assert capfd.readouterr() == ("", "")


def test_good_bots_play_as_they_would_inside(kuhn: Game) -> None:
    schedule = both_ways(6)
    for name in ("Good", "Counting", "Modular", "Moody"):
        with Match(kuhn, [bot(name), "card_only"], 3, 5.0) as match:
            played = match.play(schedule)
            assert_same(played, match.play(schedule))
            rows = [5, 0, 3]
            some = Schedule(schedule.seating[rows], schedule.dice[rows], schedule.tables[rows])
            assert np.array_equal(match.play(some).payoffs, played.payoffs[rows]), "no game leaks into another"
        if name == "Good":
            with Match(kuhn, ["first", "card_only"], 3) as match:
                assert_same(played, match.play(schedule))
        if name == "Moody":
            assert set(np.unique(played.offences)) == {0, EXCEPTION}
            assert {text.partition(" (")[0] for text in played.messages.values()} == {"RuntimeError: not today"}


def test_a_bot_that_cannot_be_made_is_an_error_and_no_forfeit(kuhn: Game) -> None:
    for name, text in [("Bad:how=refuse", "RuntimeError: I will not play"), ("Nobody", "has no class Nobody")]:
        with pytest.raises(AgentError, match=text):
            Match(kuhn, [bot(name), "first"])
    process = BotProcess(bot("Good"), kuhn, 1, 1.0)
    process.close()
    process.close()


@pytest.mark.parametrize(
    ("answer", "code", "text"),
    [
        (lambda r: np.full(len(r), 99), ILLEGAL, "answered 99, not legal now"),
        (lambda r: np.zeros((len(r), 2), dtype=int), EXCEPTION, "TypeError: act_batch answered shape (1, 2)"),
        (lambda r: [0.0] * len(r), EXCEPTION, "TypeError: act_batch answered shape (1,) of float64"),
        (lambda r: 1 // 0, EXCEPTION, "ZeroDivisionError"),
        (lambda r: time.sleep(0.05 * len(r)) or r.masks.argmax(axis=1), TIME, "the limit is 0.01 s"),
    ],
)
def test_agents_of_this_process_forfeit_too(kuhn: Game, answer: Any, code: int, text: str) -> None:
    with Match(kuhn, [Batch(answer), "first"], 3, 0.01) as match:
        match.play(both_ways(1))  # a first call is not timed
        played = match.play(both_ways(2))
    assert (played.offences.max(axis=1) == code).all()
    assert all(text in message for message in played.messages.values())


def test_one_failing_decision_does_not_fail_its_batch(kuhn: Game) -> None:
    def answer(requests: Requests) -> np.ndarray:
        if (requests.seeds % np.uint64(4) == 1).any():
            raise RuntimeError("one of them")
        return requests.masks.argmax(axis=1)

    with Match(kuhn, [Batch(answer), "first"], 3) as match:
        played = match.play(both_ways(40))
    failed = played.offences.any(axis=1)
    assert 0 < failed.sum() < len(played.status)


def test_if_all_sides_forfeit_it_is_a_draw() -> None:
    game = card_game(seats=2)

    def fail(view: View) -> int:
        raise RuntimeError("both")

    with Match(game, [Plain(fail, "a"), Plain(fail, "b")], 1) as match:
        played = match.play(Schedule.of(1, [0], [[0, 1]]))
        low, high = match.ordinary_range
    assert played.offences.tolist() == [[EXCEPTION, EXCEPTION]]
    assert played.payoffs.tolist() == [[(low + high) / 2] * 2] and played.results.tolist() == [[0, 0]]


def test_a_side_forfeits_together() -> None:
    game = make_game("einblatt-melee")
    side = [int(s in game.sides[0][1]) for s in range(game.n_seats)]
    with Match(game, [Plain(lambda v: 10**9, "bad"), "first"], 1) as match:
        played = match.play(Schedule.of(1, [0], [[1 - s for s in side]]))
        low, high = match.ordinary_range
    assert played.payoffs[0].tolist() == [low if s else high for s in side]
    assert played.results[0].tolist() == [-1 if s else 1 for s in side]
    assert game.spec.payoff_range[0] <= low < 0 < high <= game.spec.payoff_range[1]


@pytest.mark.parametrize(
    ("sides", "payoffs", "results"),
    [
        ([0, 1, 1], [2, 1, 1.5], [1, -1, -1]),  # by the mean of a side, not by its sum
        ([0, 1, 1], [1, 3, -1], [0, 0, 0]),
        ([0, 1, 2], [1, 1, 0], [0, 0, -1]),
        ([1, 0, 1, 0], [-3, -1, -2, -2], [-1, 1, -1, 1]),
        ([0, 1, 2], [-5, -1, -2], [-1, 1, -1]),
    ],
)
def test_the_side_with_the_largest_mean_wins(sides: list[int], payoffs: list[float], results: list[int]) -> None:
    found = np.full((2, len(sides)), 5, dtype=np.int8)
    decide(np.array([payoffs] * 2), np.array(sides), np.bincount(sides), found)
    assert found.tolist() == [results] * 2


def test_absent_agents_are_not_asked(kuhn: Game) -> None:
    with Match(kuhn, [Plain(lambda v: pytest.fail("it was asked")), "first"], 3) as match:
        played = match.play(both_ways(2), absent={0})
    assert (played.offences.max(axis=1) == TIME).all()


def test_wrong_arguments_are_named(kuhn: Game) -> None:
    with pytest.raises(ProbespielError, match="takes part twice"):
        Match(kuhn, ["first", "first"])
    with pytest.raises(ProbespielError, match="move_seconds = 0"):
        Match(kuhn, ["first"], move_seconds=0)
    with pytest.raises(ProbespielError, match="batch = 0"):
        Match(kuhn, ["first"], batch=0)
    with Match(kuhn, ["first"]) as match:
        with pytest.raises(ProbespielError, match=r"agents are 0\.\.0"):
            match.play(both_ways(1))
        assert len(match.play(Schedule.of(1, np.zeros(0), np.zeros((0, 2)))).payoffs) == 0
