"""Verdicts of the stress lab, and what they rest on, at the very limits of what counts; worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.evaluation.balance import measuring
from probespiel.evaluation.balance.records import Along, Axis, Crossing, Figure
from probespiel.evaluation.balance.targets import Target
from probespiel.evaluation.balance.words import along_lines, crossing_text
from probespiel.evaluation.exploit import measure
from probespiel.evaluation.exploit.learned import settings_of
from probespiel.evaluation.exploit.measure import Bench, shown
from probespiel.evaluation.exploit.records import Target as Aim
from probespiel.evaluation.stress import dynamics, exploit, levels, sample, usage
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.conditions import Condition
from probespiel.evaluation.stress.deciding import needed
from probespiel.evaluation.stress.dominance import _SPLITS, cyclic_of, likeness, matrix_game, resampled, with_luck
from probespiel.evaluation.stress.dynamics import Courses, Raw, course, jackknife_error, rung
from probespiel.evaluation.stress.findings import (
    Choice,
    Interval,
    Reach,
    Sample,
    SeatEffect,
    Stake,
    Typical,
    Use,
    Worth,
)
from probespiel.evaluation.stress.game_verdict import GUESSING, game_verdict_of, number
from probespiel.evaluation.stress.levels import _fair, worth_of
from probespiel.evaluation.stress.strategies import Mixture, Strategy
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.usage import summary_of_worths
from probespiel.evaluation.stress.verdict import _mean, level_of, use_of, verdict_of
from probespiel.evaluation.stress.workers import Job
from probespiel.evaluation.stress.worth import Margins, handicaps_of, worth_table
from probespiel.evaluation.tournament import metagame as mg
from probespiel.training import answers
from tests.lab_findings import FORCED, OPEN, STILL, findings
from tests.test_exploit_cases import Played
from tests.test_stress_numbers import leaf, measured, use

# The verdict on the holder


def test_odds_alone_make_nothing_of_next_to_nothing() -> None:
    """Odds that count and a worth of a fiftieth of a deviation: too little, where half of a twentieth is asked for."""
    odds = Interval(0.1, 0.05, 0.15)
    assert level_of(Worth((), Sample(0.02, 0.01, 0.03, 99), 1.0, odds)) == "neutral"
    assert level_of(Worth((), Sample(0.03, 0.01, 0.04, 99), 1.0, odds)) == "small"


def favours(change: float, worth: float) -> Any:
    nothing, moved = Sample(0.0, -0.01, 0.01, 99), Sample(change, change - 0.01, change + 0.01, 99)
    return verdict_of(findings(worth=worth, seat=SeatEffect(True, nothing, moved, moved)))


def test_a_seat_is_favoured_by_half_as_much_as_having_it_at_least() -> None:
    assert favours(0.1, 0.1).word == "seat-favouring" and favours(0.1, 0.5).word == "strong"
    first, last = favours(0.2, 0.0).why[0], favours(-0.2, 0.0).why[0]
    assert first == "with it, whoever sits first is better off by 0.20 (+0.19 to +0.21 for the first seat)"
    assert last == "with it, whoever sits last is better off by 0.20 (−0.21 to −0.19 for the first seat)"


def judged(made: Use, worth: float = 0.3) -> str:
    found = findings(worth=worth, use=made)
    assert found.worth is not None
    return use_of(found, found.worth)


def test_a_use_is_always_right_by_the_limits_of_each_reason() -> None:
    assert judged(use(0.3, 0.0, 0.2)) == "always-use"
    # a situation against it must be one of twenty chances at least
    assert judged(use(0.3, 0.0, 0.2, leaves=(leaf(0.4, 0.97), leaf(-0.2, 0.03)))) == "always-use"
    assert judged(use(0.3, 0.0, 0.2, leaves=(leaf(0.4, 0.94), leaf(-0.2, 0.06)))) == "mixed"
    # what always using it costs must be a tenth of what never using it costs, or next to nothing
    assert judged(use(0.3, 0.1, 0.2)) == "mixed"
    # two errors above what was seen it must gain, not surely gain
    assert judged(use(0.3, 0.0, 0.01)) == "always-use" and judged(use(0.3, 0.0, -0.03)) == "mixed"


def test_a_dead_rule_gains_little_by_all_its_chances_of_a_game() -> None:
    """0.02 at most by a use, where 0.05 counts: nothing in one chance a game, but 0.1 in five a side."""
    seldom = replace(use(0.0, 0.0, 0.0), games_with_offer=500)
    often = replace(seldom, games_with_offer=100)
    assert judged(seldom, 0.0) == "dead rule" and judged(often, 0.0) == "mixed"


def test_the_mean_of_sides_is_known_better_than_each() -> None:
    found = _mean(
        [Interval(0.0, -0.1, 0.1), Interval(0.2, 0.18, 0.22), Interval(0.1, 0.0, 0.2), Interval(0.1, 0.1, 0.1)]
    )
    assert (found.value, found.low, found.high) == pytest.approx((0.1, 0.05, 0.15))


def test_shares_of_wins_go_from_without_to_with() -> None:
    made = findings(worth=0.1)
    assert made.worth is not None
    sides = tuple(
        replace(side, by_amount=(replace(side.by_amount[0], score_with=won, score_without=0.5),))
        for side, won in zip(made.worth.sides, (0.7, 0.6))
    )
    worth = replace(made.worth, sides=sides, odds=Interval(0.62, 0.5, 0.74))
    told = verdict_of(replace(made, worth=worth)).why[0]
    assert told.endswith("the holder's share of wins goes from 50% to 65%")


@pytest.mark.parametrize(("rate", "told"), [(0.5, True), (0.95, False), (0.9, False)])
def test_who_uses_it_seldom_though_it_is_always_right_is_told(rate: float, told: bool) -> None:
    found = verdict_of(findings(worth=0.2, use=replace(use(0.3, 0.0, 0.2), rate=rate)))
    assert found.word == "always-use"
    assert any(f"use it in {rate:.0%} of the opportunities" in line for line in found.remarks) == told


# Worth


def test_shares_of_wins_are_of_games_with_it_and_without() -> None:
    """Side 0 wins three of four with it and one of four without; its results spread by 2 with it, by 1 without."""
    without, with_it = np.array([1.0, -1.0, -1.0, -1.0]), np.array([3.0, 3.0, 3.0, -1.0])
    got = Margins({(0, 0): without}, {(0, 0): with_it}, None)
    table = worth_table(got, [0], ["A"], replace(BUDGETS["quick"], seeds=1))
    row = table.sides[0].even
    assert (row.score_with, row.score_without, row.with_it, row.without) == (0.75, 0.25, 2.0, -0.5)
    assert table.deviation == pytest.approx(1.0), "of a result without it"


def test_ends_of_the_scale_are_told_from_each_handicap() -> None:
    """The curve is known from -2 to 4 units: from 2 units on these are 4 fewer and 2 more."""
    rows = {row.amount: row for row in handicaps_of(measured(0.1), [0], ["A"], BUDGETS["quick"])[0].by_amount}
    assert len(rows) > 1 and all((row.least, row.most) == (-2 - n, 4 - n) for n, row in rows.items())
    bad = {row.amount: row for row in handicaps_of(measured(-5.0), [0], ["A"], BUDGETS["quick"])[0].by_amount}
    assert bad[0].value == bad[0].least == -2.0, "below all that was measured"


def test_what_decides_a_handicap_is_its_end_nearest_to_nothing() -> None:
    worth = Worth((), Sample(-0.4, -0.6, -0.2, 99), 1.0, Interval(0.0, -0.1, 0.1), reach=Reach(-0.5, -0.3, 0.1))
    assert needed(worth) == pytest.approx(0.3)
    assert needed(replace(worth, overall=Sample(0.4, 0.2, 0.6, 99), reach=Reach(0.3, 0.5, 0.1))) == pytest.approx(0.3)


# The verdict on the game


def asked(*answers: tuple[float | None, float]) -> str:
    """The verdict on a question with answers that gain so much with such an error, all given alike."""
    share = 1 / len(answers)
    rows = tuple(Choice("school", f"answer {i}", 50, share, *row) for i, row in enumerate(answers))
    return game_verdict_of(findings(STILL, use=replace(FORCED, choices=rows))).word


def test_the_more_answers_the_surer_one_must_be_better() -> None:
    """0.15 of 1.2 is 0.18: 0.23 beats it by two errors of 0.022, but two answers ask for 2.4 and six for 3.2."""
    assert asked((0.23, 0.022), (-0.23, 0.022)) == GUESSING
    assert asked((0.24, 0.022), (-0.24, 0.022)) == "changes little"
    assert asked((0.24, 0.022), *[(-0.05, 0.022)] * 5) == GUESSING


def test_answers_that_were_not_tried_may_be_the_best() -> None:
    assert asked((0.02, 0.02), (-0.02, 0.02), (0.0, 0.02)) == GUESSING
    assert asked((0.02, 0.02), (-0.02, 0.02), (None, 0.02)) == "changes little"


@pytest.mark.parametrize(("spread", "error", "word"), [(0.03, 0.009, "decoration"), (0.03, 0.015, "changes little")])
def test_answers_decide_nothing_if_that_is_sure(spread: float, error: float, word: str) -> None:
    """A twentieth of a deviation counts: two errors above 0.03 it may be 0.048 or 0.06."""
    made = replace(FORCED, stakes=(Stake("school", 100, spread, error),))
    assert game_verdict_of(findings(STILL, use=made)).word == word


def test_small_shares_have_a_digit_and_next_to_nothing_has_none() -> None:
    shares = [number("draws", value) for value in (0.0, 0.0004, 0.0006, 0.034, 0.12)]
    assert shares == ["0%", "0%", "0.1%", "3.4%", "12%"]
    assert [number("draws", value, sign=True) for value in (-0.034, 0.12)] == ["−3.4 points", "+12 points"]


def test_what_is_sure_and_what_is_not_are_counted_apart() -> None:
    found = game_verdict_of(findings(STILL, replace(STILL, name="skill"), OPEN))
    assert found.word == "no change shown"
    assert found.why == (
        "of 3 figures none is shown to change by what counts", "2 are shown not to, not sure are: search",
    )  # fmt: skip
    found = game_verdict_of(findings(STILL, OPEN))
    assert found.why[1] == "one is shown not to, not sure are: search"
    assert words("de")(found.why[1]) == "von einer ist gezeigt, dass sie es nicht tut; nicht sicher sind: Vorausdenken"


# Courses and ladders of searches


def test_questions_that_come_up_without_the_rule_are_not_its_own() -> None:
    """Those who found their play with it come to a phase without it that others never reach."""

    def raw(*phases: str) -> Raw:
        return Raw({}, np.zeros((1, 1), np.int64), (), False, dict.fromkeys(phases, 1.0))

    courses = Courses(raw("move"), raw("move", "duel", "school"), (raw("move", "school"), raw("move", "duel")))
    assert courses.questions == {"school"} and courses.own == 1.0


def test_a_stronger_search_plays_both_ways_of_sitting(monkeypatch: pytest.MonkeyPatch) -> None:
    """It wins its deals in both seats but one: margins of side 0, where the weaker one sits in the second half."""
    pairs: list[Any] = []

    def play(lab: Any, condition: Any, players: Any, who: Any, numbers: np.ndarray, seed: int) -> Any:
        pairs.extend(zip(who, numbers.tolist()))
        return SimpleNamespace(margins=np.array([1.0, 3.0, -1.0, 1.0]))

    monkeypatch.setattr(dynamics, "play", play)
    found = rung(cast(Any, None), Condition(), Strategy("a"), Strategy("b"), (5, 7), 1)
    assert pairs == [((0, 1), 5), ((0, 1), 6), ((1, 0), 5), ((1, 0), 6)]
    assert found["margins"].tolist() == [1.0, 1.0] and found["scores"].tolist() == [1.0, 0.5]
    told = dynamics._rung_of("search", found["scores"])
    assert (told.score, told.games) == (0.75, 4)


def test_pairs_of_learners_take_turns_and_draw_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four deals, twice over, by two pairs: deal 0 by the first and then by the second."""
    drawn: list[Any] = []

    def draw(first: Any, second: Any, numbers: np.ndarray, seed: int) -> list[Any]:
        drawn.append((numbers.tolist(), seed))
        return [(0, 0)] * len(numbers)

    def play(lab: Any, condition: Any, players: Any, pairs: Any, numbers: np.ndarray, seed: int, **more: Any) -> Any:
        log = SimpleNamespace(phases=np.array([0, 0, 1]), actions=np.array([4, 9, 4]), leads=np.zeros(3))
        n = len(numbers)
        return SimpleNamespace(margins=10.0 * more["again"] + numbers, lengths=np.ones(n), status=np.zeros(n), log=log)

    monkeypatch.setattr("probespiel.evaluation.stress.play.draw_pairs", draw)
    for name, made in (("play", play), ("tension", lambda *_: {}), ("choices_of", lambda _: {})):
        monkeypatch.setattr(dynamics, name, made)
    game = SimpleNamespace(spec=SimpleNamespace(phases=("move", "duel")))
    bench, marks = SimpleNamespace(everybody=lambda: None), SimpleNamespace(phases=frozenset())
    lab = cast(Any, SimpleNamespace(game=lambda _: game, facts=SimpleNamespace(further=[9]), bench=bench, marks=marks))
    alone = [Mixture((Strategy(name),), (1.0,)) for name in "ab"]
    mixtures = [(mixture, mixture) for mixture in alone]
    found = course(lab, Condition(), mixtures, (0, 4), 2, 100)
    assert found["seeds"].tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    assert found["margins"].tolist() == [[0.0, 1.0, 2.0, 3.0], [10.0, 11.0, 12.0, 13.0]]
    assert drawn == [([0, 2], 100), ([1, 3], 100), ([1, 3], 101), ([0, 2], 101)]
    assert found["phases"] == {"move": 8 / 8, "duel": 4 / 8}, "decisions a game"
    assert found["further"] == {"move": 4 / 8}, "those that took an action after which the same is asked again"


# Matrices of strategies


def test_a_strategy_that_is_never_better_is_dominated() -> None:
    """a and b fare alike but against c, where a wins 1: b is dominated, by a, though not everywhere worse."""
    m = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    found = matrix_game(["a", "b", "c"], np.tile(m, (6, 1, 1)), [float("nan")] * 3, 20, 1)
    assert [row.dominated for row in found.strategies] == [False, True, True]
    assert found.strategies[1].by == "1.00 a" and found.strategies[1].margin == 0.0


def noisy(count: int = 12) -> np.ndarray:
    blocks = np.random.default_rng(2).normal(0, 1, (count, 3, 3))
    return blocks - blocks.swapaxes(1, 2)


def test_weights_are_those_of_the_mean_and_the_mean_of_those_of_resamples() -> None:
    blocks = noisy()
    found = matrix_game(["a", "b", "c"], blocks, [float("nan")] * 3, 40, 7)
    nash = mg.max_entropy_nash(blocks.mean(axis=0))
    drawn = mg.nash_many(resampled(blocks, 40, 7)).mean(axis=0)
    assert np.abs(nash - drawn).max() > 0.05
    assert [row.nash for row in found.strategies] == pytest.approx(nash.tolist())
    assert [row.nash_mean for row in found.strategies] == pytest.approx(drawn.tolist(), abs=1e-6)


def test_noise_makes_no_strategies_different_and_no_circle() -> None:
    """Blocks that say the opposite by turns: products of both halves are below nothing, and count as nothing."""
    circle = np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    turns = np.array([circle if b % 2 else -circle for b in range(8)])
    assert likeness(turns, 1.0) == pytest.approx(np.ones((3, 3)))
    assert likeness(np.tile(circle, (8, 1, 1)), 10.0)[0, 1] == pytest.approx(np.exp(-(1 + 1 + 4) / 3 / 2))
    blocks = noisy()
    shares = []
    for seed in range(_SPLITS):
        order = np.random.default_rng(seed).permutation(12)
        shares.append(mg.cyclic_share(blocks[order[:6]].mean(axis=0), blocks[order[6:]].mean(axis=0)))
    assert cyclic_of(blocks) == pytest.approx(np.mean(shares))


def test_the_cyclic_share_has_the_interval_of_its_blocks() -> None:
    """0.4 and 0.6 by turns without one of four blocks: an error of 0.1 sqrt(3), and Student's t at three degrees."""
    made = matrix_game(["a", "b", "c"], noisy(), [float("nan")] * 3, 20, 1)
    share = np.array([0.4, 0.6, 0.4, 0.6])
    assert jackknife_error(share) == pytest.approx(0.1 * 3**0.5)
    found = with_luck(made, [], share, np.zeros(0)).cyclic
    half = 3.182446 * 0.1 * 3**0.5
    assert (found.value, found.low, found.high) == pytest.approx((0.5, 0.5 - half, 0.5 + half), abs=1e-5)


# Levels, uses, and games that show something


def test_fair_players_use_it_in_the_way_that_serves_them_best() -> None:
    blocks = np.array([[[0.1], [0.6], [0.2]], [[0.1], [0.4], [0.2]]])
    asked_for: list[Any] = []

    def matrices(step: str, wanted: list[Any], deals: int, seed: str) -> list[np.ndarray]:
        asked_for.extend(wanted)
        return [blocks]

    alone = Condition(holders=(0,))
    bench = SimpleNamespace(holder_conditions=lambda: {"A": alone}, alone=lambda side: "A")
    context = cast(Any, SimpleNamespace(used=True, bench=bench, matrices=matrices, budget=SimpleNamespace(choose=9)))
    strategy, words = _fair(context, Strategy("anchor"))
    assert (strategy.use, words) == ("always", "whenever they can")
    assert [(conditions, len(rows), len(columns)) for conditions, rows, columns in asked_for] == [([alone], 3, 1)]
    assert levels.WAYS["never"] == "not at all"


def test_the_worth_of_a_level_has_the_error_of_its_mean() -> None:
    """Gains of 1 and 3 on four deals each: a deviation of sqrt(8/7), divided by the root of eight."""
    found = worth_of([(np.tile([2.0, 4.0], 4), np.ones(8))])
    assert found.value == 2.0 and (found.high - found.low) / 2 == pytest.approx(2.364624 * (8 / 7 / 8) ** 0.5, abs=1e-4)


def test_a_use_that_changes_nothing_is_neither_better_nor_worse() -> None:
    game = cast(Any, SimpleNamespace(spec=SimpleNamespace(phases=("move",)), actions=SimpleNamespace(describe=str)))
    facts = np.zeros((5, 7), dtype=np.int64)
    facts[:, 0], facts[:, 6] = range(5), [0, 1, 1, 1, 0]
    worth = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [2.0, 0.0], [0.0, 0.0]])
    found = summary_of_worths(game, facts, worth, np.zeros((5, 1)))
    assert (found["better"], found["worse"], found["effect"]) == (0.4, 0.2, 0.6)


@pytest.mark.parametrize(("gains", "side", "wins"), [
    ((0.1, -0.4), 1, False), ((0.4, 0.1), 0, True), ((-0.4, 0.1), 0, False), ((0.1, 0.4), 1, True),
])  # fmt: skip
def test_the_sample_game_is_of_the_side_that_gains_or_loses_most(
    gains: tuple[float, float], side: int, wins: bool
) -> None:
    """Where it decides no game of who has it alone, one is looked for in which everybody has it."""
    jobs: list[Job] = []
    flips = [0]

    def need(step: str, wanted: list[Job]) -> list[dict[str, Any]]:
        jobs.extend(wanted)
        return [{"found": False, "flips": flips[0]}]

    conditions = {"A": "a", "B": "b", "everybody": "all"}
    bench = SimpleNamespace(alone=lambda at: "AB"[at], holder_conditions=lambda: conditions, side_names="AB")
    context = cast(Any, SimpleNamespace(begin=lambda _: None, bench=bench, sides=(0, 1), need=need, scale=1.0,
                                        budget=SimpleNamespace(show=9), seed=lambda _: 1))  # fmt: skip
    prelude = cast(Any, SimpleNamespace(legal=2.0, length=4.0, choices=2.0))
    chosen = cast(Any, SimpleNamespace(of_all=lambda name: (name, name)))
    rows = tuple(SimpleNamespace(even=SimpleNamespace(worth=SimpleNamespace(value=gain))) for gain in gains)
    worth = cast(Any, SimpleNamespace(sides=rows))
    both = sample.sample_game(context, prelude, chosen, worth, Use(0))
    assert (both.found, both.side, [job.args["rows"] for job in jobs]) == (False, "", ["AB"[side], "everybody"])
    flips[0], _ = 3, jobs.clear()
    assert sample.sample_game(context, prelude, chosen, worth, Use(0)).side == "AB"[side] and len(jobs) == 1
    args = jobs[0].args
    assert (args["side"], args["gains"], args["rows"]) == (side, wins, "AB"[side])


def moved(values: list[float], taken: int, own: set[int], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The decisive move of a game with one decision, whose actions are worth so much."""
    found = SimpleNamespace(seats=[0], values=np.array([values]), taken=[taken], numbers=[3])
    parts = {
        "branches_of": lambda *_, **__: found, "schedule_of": lambda *_: SimpleNamespace(dice=0, tables=0),
        "seating_of": lambda *_: 0, "Guided": SimpleNamespace,
    }  # fmt: skip
    for name, made in parts.items():
        monkeypatch.setattr(exploit, name, made)
    bench = SimpleNamespace(player=lambda *_: SimpleNamespace(), side_seats=lambda *_: [0])
    game = SimpleNamespace(actions=SimpleNamespace(describe=lambda a: f"action {a}"))
    lab = cast(Any, SimpleNamespace(game=lambda _: game, bench=bench, marks=SimpleNamespace(actions=own)))
    best = exploit.decisive(lab, Condition(), 0, [Strategy("a")], (0, 0), 0, 1, 1)
    assert best is not None
    return best


def test_the_decisive_use_is_held_against_the_best_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    nan = float("nan")
    best = moved([0.25, 0.5, nan, 2.0], 3, {3}, monkeypatch)
    assert (best["swing"], best["instead"], best["weight"], best["number"]) == (1.5, "action 1", 1, 3)
    # another move, or an answer where every one is the module's, against the mean of the others; the answer comes first
    plain = moved([0.25, 0.75, nan, 2.0], 1, {3}, monkeypatch)
    assert (plain["swing"], plain["instead"], plain["weight"]) == (0.75 - 1.125, "action 3", 0)
    only = moved([nan, 0.5, nan, 2.0], 3, {1, 3}, monkeypatch)
    assert (only["swing"], only["instead"], only["weight"]) == (1.5, "action 1", 1)


# Balance, and what is exploited


def test_ends_that_lie_beyond_what_was_tried_are_said_to_do_so() -> None:
    axis = Axis("cost", tuple(range(9)), True)
    found: Any = SimpleNamespace(axes=(axis,), targets=(Target("worth", 0.0, 0.5),), payoff_unit="")
    along = Along("cost", (), (), ((1.0, 4.0),), ((2.0, 3.0),), False)
    told = [crossing_text(Crossing("worth", 0.0, 3.0, 1.0, 5.0, low, high), along, found)
            for low, high in ((True, False), (False, True))]  # fmt: skip
    assert [line.rpartition("(")[2] for line in told] == ["below 1 to 5)", "1 to beyond 5)"]
    assert along_lines(along, found) == ["The target is met for cost 1 to 4, surely for 2 to 3."]
    found.targets = (Target("worth", 0.2, 0.2),)
    assert along_lines(along, found) == [], "one value is met at a crossing, not in a region"


def test_the_middle_game_is_that_of_the_hero() -> None:
    """The hero gets 0 to 199 in a row, the agent in its place the other way round but for one deal."""
    bench = Played(lambda hero, side, deal: float(deal if hero else (7 * deal) % 200), ["agent", "hero"], [[0], [1]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "Schedule", SimpleNamespace(of=lambda seed, deals, seats: int(deals[0])))
        patch.setattr(measure, "replayed", lambda bench, schedule: schedule)
        assert shown(bench, 1, 1, 0, gaining=False) == (measure.SHOWN - 1) // 2


def test_who_left_last_stands_before_who_left_first() -> None:
    """Eight players, of whom the worse half leaves after every block: the order is that of their payoffs."""
    bench = Played(lambda hero, side, deal: float(hero), list("abcdefgh"), [[0], [1]])
    ranked, _ = bench.choose(4000, 60.0)
    assert [hero for hero, _ in ranked[0]] == [7, 6, 5, 4, 3, 2, 1, 0]


@pytest.mark.parametrize(("zero_sum", "sides", "opposed"), [(True, 2, True), (False, 2, False), (True, 3, False)])
def test_only_two_sides_of_a_sum_of_nothing_are_opposed(
    zero_sum: bool, sides: int, opposed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "Match", lambda *_: None)
    game: Any = SimpleNamespace(spec=SimpleNamespace(zero_sum=zero_sum), sides=[(str(i), (i,)) for i in range(sides)])
    assert Bench(game, "random", [], 1).opposed == opposed


def test_every_second_training_begins_with_the_weights_of_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    network = SimpleNamespace(hidden=64, groups=True, advisers=())
    policy = SimpleNamespace(manifest=SimpleNamespace(network=network))
    monkeypatch.setattr(answers, "own_policy", lambda agent, game: policy)
    game, target = make_game("kuhn", compiled=False), Aim("kuhn", "random")
    assert [settings_of(target, game, number, 5, decisions=9)[1] for number in range(4)] == [True, False, True, False]


def test_shares_of_resamples_are_told_in_per_cent(monkeypatch: pytest.MonkeyPatch) -> None:
    """24 of 25, of which the interval by Clopper and Pearson is 79.6 to 99.9 %."""
    monkeypatch.setattr(measuring, "matrix_game", lambda *_: SimpleNamespace(dominant=SimpleNamespace(share=0.96)))
    bench = SimpleNamespace(everybody=Condition)
    context = cast(Any, SimpleNamespace(budget=SimpleNamespace(matrix=3, resamples=25), bench=bench, seed=lambda _: 1,
                                        matrices=lambda *_: [np.zeros((2, 2, 2))]))  # fmt: skip
    chosen = cast(Any, SimpleNamespace(pools={"everybody": [[Strategy("a")], [Strategy("a"), Strategy("b")]]}))
    found = measuring._dominant(context, cast(Any, SimpleNamespace(anchor=Strategy("a"))), chosen)
    assert (found.value, found.low, found.high, found.games) == pytest.approx((96.0, 79.65, 99.90, 12), abs=0.01)


@pytest.mark.parametrize(("wanted", "file"), [(("worth",), "alone.json"), (("worth", "length"), "all.json")])
def test_the_game_that_is_kept_is_one_with_the_rule(
    wanted: tuple[str, ...], file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a worth alone one in which a side has it by itself; else one in which all have it, as the figures tell."""
    games = [Typical("nobody", 0, 0.0, "none.json"), Typical("everybody", 0, 0.0, "all.json"),
             Typical("A", 0, 0.0, "alone.json")]  # fmt: skip
    nothing = Figure("worth", 0.0, 0.0, 0.0, 1)
    parts = {
        "learn": None, "choose": None, "casts_of": None, "typical_games": games,
        "_worth": (nothing, np.zeros(1)), "_course": {"length": nothing},
    }  # fmt: skip
    for name, answer in parts.items():
        monkeypatch.setattr(measuring, name, lambda *_, answer=answer: answer)
    context, prelude = cast(Any, None), cast(Any, None)
    assert measuring.estimated(context, prelude, wanted, "").replay == file


def test_rates_of_use_are_those_of_the_strategy_and_not_of_its_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games: side 0 is the opponent's in the first and the strategy's in the second, and only it uses it there."""

    def play(lab: Any, condition: Any, players: Any, pairs: Any, numbers: np.ndarray, seed: int, logged: bool) -> Any:
        assert pairs == [(1, 0), (0, 1)]
        log = Logged(seats=np.array([0, 1, 0, 1]), free=np.ones(4, dtype=bool), taken=np.array([0, 1, 1, 0]) > 0)
        return SimpleNamespace(log=log, games_of_log=lambda: np.array([0, 0, 1, 1]))

    monkeypatch.setattr(usage, "play", play)
    lab = cast(Any, SimpleNamespace(bench=SimpleNamespace(side_seats=lambda *_: [0])))
    found = usage.use_rates(lab, Condition(), [Strategy("a")], [Strategy("a")], Strategy("b"), 2, 1)
    assert found == {"rates": [1.0]}


class Logged(SimpleNamespace):
    """Four decisions."""

    def __len__(self) -> int:
        return len(self.seats)
