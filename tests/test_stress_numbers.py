"""The stress lab's statistics on made-up data whose answers are known."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import scipy

from probespiel.envs import make_game
from probespiel.envs.core.rng import rand_float, rng_array
from probespiel.evaluation.report.wording import signed
from probespiel.evaluation.stress import prelude
from probespiel.evaluation.stress import run as stress
from probespiel.evaluation.stress.actions import answer_gain
from probespiel.evaluation.stress.advice import next_for_game
from probespiel.evaluation.stress.answering import seats_told
from probespiel.evaluation.stress.bounds import bounds_of
from probespiel.evaluation.stress.budget import BUDGETS, fitted
from probespiel.evaluation.stress.conditions import Settings
from probespiel.evaluation.stress.dominance import effective_number, matrix_game, solved
from probespiel.evaluation.stress.drawing import drawn
from probespiel.evaluation.stress.dynamics import ladder_of, ladder_plan, luck_share
from probespiel.evaluation.stress.estimates import odds_ratio, paired, paired_many, unseen
from probespiel.evaluation.stress.findings import (
    ActionLine,
    Breakage,
    Choice,
    Dominance,
    Dominant,
    Dynamics,
    Effect,
    Fault,
    Findings,
    Interval,
    Luck,
    Mean,
    Place,
    Play,
    Restricted,
    Sample,
    Stake,
    Use,
    UseWorth,
    Ways,
    Worth,
)
from probespiel.evaluation.stress.forecast import Pace, _learned, ask_pace, timed
from probespiel.evaluation.stress.lab import NETS
from probespiel.evaluation.stress.learning import share_of
from probespiel.evaluation.stress.progress import INTERPRETED, Estimate, Lines, Quiet, duration
from probespiel.evaluation.stress.rollouts import Branches
from probespiel.evaluation.stress.run import Stress
from probespiel.evaluation.stress.strategies import Prelude, Strategy
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.tree import Feature, clustered, honest_leaves, ranks, words_for
from probespiel.evaluation.stress.usage import share_tried
from probespiel.evaluation.stress.verdict import VERDICTS, level_of, use_of, verdict_of
from probespiel.evaluation.stress.words import answers
from probespiel.evaluation.stress.workers import Job
from probespiel.evaluation.stress.worth import (
    Margins,
    Measured,
    exact_worth,
    handicaps_of,
    odds_of,
    seat_effect,
    worth_table,
)
from probespiel.evaluation.tournament.metagame import cyclic_share


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# The tree


def test_the_tree_finds_where_something_pays_and_measures_it_honestly() -> None:
    """Gains are +1 where column 2 is above 0.5 and -1 elsewhere; leaf means are within 5 standard errors of that."""
    r = rng(1)
    x = r.random((4000, 6))
    y = np.where(x[:, 2] > 0.5, 1.0, -1.0) + r.normal(0, 2, 4000)
    leaves = honest_leaves(x, y, np.arange(4000))
    assert abs(sum(leaf.share for leaf in leaves) - 1) < 1e-9
    for leaf in leaves:
        above = [side for column, side, t in leaf.conditions if column == 2 and abs(t - 0.5) < 0.1]
        assert above, leaf
        assert abs(leaf.mean - (1 if above[0] else -1)) < 5 * leaf.error + 0.25


def test_the_tree_sees_past_a_few_results_that_went_far_astray() -> None:
    """Column 3 decides between +1 and -1; one in ten values is off by up to 30, so that no mean of half of them tells.

    The means of the leaves are those of the values themselves, whatever the ranks say.
    """
    r = rng(4)
    x = r.integers(0, 2, (400, 8)).astype(float)
    y = np.where(x[:, 3] > 0.5, 1.0, -1.0) + np.where(r.random(400) < 0.1, r.uniform(-30, 30, 400), 0.0)
    leaves = honest_leaves(x, y, np.arange(400), least=12)
    assert len(leaves) > 1 and all(leaf.conditions[0][::2] == (3, 0.5) for leaf in leaves)
    odd = np.arange(400) % 2 == 1
    assert sum(leaf.mean * leaf.count for leaf in leaves) / 200 == pytest.approx(y[odd].mean())


def test_equal_values_share_their_rank() -> None:
    assert ranks([5.0, -1.0, 5.0, 90.0]).tolist() == [0.0, -1.5, 0.0, 1.5]


def test_the_tree_does_not_split_noise() -> None:
    r = rng(2)
    split = [len(honest_leaves(r.random((1000, 20)), r.normal(0, 1, 1000), np.arange(1000))) > 1 for _ in range(20)]
    assert sum(split) <= 8  # a few spurious splits are allowed: their leaves are measured on other data


def test_the_tree_does_not_split_what_is_the_same_every_time() -> None:
    """A use that always gains 0.15 pays everywhere; what single precision leaves of it tells nothing apart."""
    x = np.arange(4000.0).reshape(-1, 1) % 10
    y = (
        np.where(x[:, 0] > 4, 0.85, -0.85).astype(np.float32) - np.where(x[:, 0] > 4, 0.7, -1.0).astype(np.float32)
    ).astype(np.float64)
    assert len(np.unique(y)) == 2 and np.ptp(y) < 1e-6
    (leaf,) = honest_leaves(x, y, np.arange(4000))
    assert leaf.conditions == () and leaf.mean == pytest.approx(0.15)
    assert len(honest_leaves(x, np.where(x[:, 0] > 4, 0.1501, 0.15), np.arange(4000))) == 2


def test_clustered_errors_count_groups_not_rows() -> None:
    """Rows that repeat their group's value add no information: the error is that of the group means."""
    values = rng(3).normal(0, 1, 400)
    mean, error = clustered(np.repeat(values, 5), np.repeat(np.arange(400), 5))
    assert mean == pytest.approx(values.mean())
    assert error == pytest.approx(values.std(ddof=1) / 20, rel=1e-6)
    assert np.isnan(clustered(np.zeros(0), np.zeros(0, dtype=np.int64))[0])


def test_situations_in_words() -> None:
    """What holds or does not is said; limits of whole numbers are those that they reach."""
    real, other = Feature("a", ("mood", "Laune")), Feature("b", ("debt", "Schuld"))
    flag = Feature("c", ("is able", "ist handlungsfähig"), flag=True, whole=True)
    whole = Feature("d", ("cards", "Karten"), whole=True)
    told = [real, other, flag, whole]
    assert (words_for((), told), words_for((), told, "de")) == ("always", "immer")
    limits = ((0, True, 0.5), (1, False, -2.25), (0, True, 0.75))
    assert words_for(limits, told) == "mood > 0.75 and debt ≤ −2.25"
    assert words_for(limits, told, "de") == "Laune > 0,75 und Schuld ≤ −2,25"
    assert [words_for(((2, above, 0.5),), told) for above in (True, False)] == ["is able", "not: is able"]
    assert words_for(((2, False, 0.5),), told, "de") == "nicht: ist handlungsfähig"
    assert [words_for(((3, above, 9.5),), told) for above in (True, False)] == ["cards ≥ 10", "cards ≤ 9"]
    shifted = [Feature("e", ("body + 1", "Körper + 1"), whole=True)]
    assert [words_for(((0, above, 2.5),), shifted) for above in (True, False)] == ["body ≥ 2", "body ≤ 1"]
    assert words_for(((0, False, 0.5),), shifted, "de") == "Körper ≤ −1"


def test_cyclic_share() -> None:
    """Rock-paper-scissors is all cycle, a ranking none; noise of two halves counts as nothing."""
    cycle = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], dtype=float)
    f = np.array([0.0, 1.0, 3.0])
    ranking = f[:, None] - f[None, :]
    assert cyclic_share(cycle, cycle) == pytest.approx(1)
    assert cyclic_share(ranking, ranking) == pytest.approx(0, abs=1e-12)
    both = cyclic_share(cycle + ranking, cycle + ranking)
    assert both == pytest.approx(6 / (6 + (ranking**2).sum()))
    assert cyclic_share(np.zeros((3, 3)), np.zeros((3, 3))) == 0


def blocks_of(matrix: np.ndarray, count: int = 40, noise: float = 0.05) -> np.ndarray:
    return matrix + rng(4).normal(0, noise, (count, *matrix.shape))


def test_what_counts_is_not_rounded_away() -> None:
    """Where a twentieth of a deviation is less than two hundredths, three digits are told: of uses and of worth."""
    made = findings(0.0123, use=use(0.5, 0.0, 0.0123))
    assert made.worth is not None and made.digits == 2
    fine = replace(made, worth=replace(made.worth, deviation=0.2))
    told = {name: " ".join(lines) for name, lines in answers(fine).items()}
    assert fine.digits == 3 and "a use gained +0.012 " in told["use"] and "(−0.007 to +0.032)" in told["use"]
    assert "gains +0.012 " in told["worth"] and "a use gained +0.01 " in " ".join(answers(made)["use"])


def test_a_number_is_told_as_by_whoever_reads_it_from_a_file() -> None:
    """Files keep ten figures: what is a hair below a half is rounded alike before and after."""
    assert signed(0.04749999999999, 3) == signed(0.0475, 3) == "+0.048"
    assert signed(-0.04749999999999, 3) == "−0.048" and signed(0.0474, 3) == "+0.047"


def test_gains_without_a_sum_of_nothing_are_half_of_the_lead() -> None:
    for zero_sum in (True, False):
        told = answers(replace(findings(0.3), zero_sum=zero_sum))["worth"]
        assert ("gains are half of what the lead" in told[0]) is not zero_sum
        table = answers(replace(findings(0.3), zero_sum=zero_sum, whole_table=True))["worth"]
        assert ("gains are half of what the lead" in table[0]) is not zero_sum and "results change" in table[0]


def test_where_all_fare_alike_none_is_dominant() -> None:
    found = matrix_game(["a", "b", "c"], np.zeros((40, 3, 3)), [0.0, 0.5, 1.0], 300, 1)
    assert found.dominant.share == 0


def test_a_dominant_strategy_is_seen() -> None:
    f = np.array([0.0, 0.2, 1.0])
    found = matrix_game(["a", "b", "c"], blocks_of(f[:, None] - f[None, :]), [0.0, 0.5, 1.0], 300, 1)
    assert found.dominant == Dominant("c", 1.0)
    assert [s.dominated_share > 0.95 for s in found.strategies] == [True, True, False]
    assert found.effective.value == pytest.approx(1)
    assert found.module_mass and found.module_mass.value == pytest.approx(1)


def test_strategies_that_are_alike_are_the_best_together() -> None:
    """Two learners that play alike, up to noise, beat a third; a fourth that differs and is worse counts for itself."""
    f = np.array([1.0, 0.99, 0.3, 0.0])
    found = matrix_game(list("abcd"), blocks_of(f[:, None] - f[None, :]), [0.0] * 4, 300, 1)
    assert (found.dominant.name, found.dominant.alike) == ("a", 2) and found.dominant.share > 0.95
    made = replace(findings(0.0), dominance=Dominance(found, found), payoff_unit="EP")
    told = answers(made)["dominance"][0]
    apart = "they differ by less than 0.10 EP on average"
    assert told.startswith(
        f"With it, 2 of 4 strategies fare alike ({apart}) and are best against all worth playing, like"
    )
    german = words("de")
    assert "gleich abschneiden (im Mittel unterscheiden sie sich um weniger als 0,10 EP), die besten" in german(told)
    earlier = replace(found, dominant=replace(found.dominant, within=0.0))
    old = answers(replace(findings(0.0), dominance=Dominance(earlier, earlier)))["dominance"][0]
    assert old.startswith("With it, 2 of 4 strategies fare alike and are best against all worth playing, like “a” (")
    assert (
        "sind 2 von 4 Strategien, die gleich abschneiden, die besten gegen alle, die zu spielen sich lohnt, etwa „a“ "
        "(in" in german(old)
    )
    assert not german.missed
    rival = f[:, None] - f[None, :]
    rival[0, 2] = rival[1, 2] = -0.3  # the third one beats both
    rival[2, 0] = rival[2, 1] = 0.3
    rival[3, 2], rival[2, 3] = 0.3, -0.3  # and loses to the fourth one, which loses to both
    assert matrix_game(list("abcd"), blocks_of(rival), [0.0] * 4, 300, 1).dominant.share == 0.0


@pytest.mark.parametrize("scale", [0.5, 4.0])
def test_it_is_told_how_far_strategies_that_fare_alike_are_apart(scale: float) -> None:
    """A tenth of a deviation of weak play: with more they are not alike; of one alone nothing is apart."""
    for size, many, within in ((0.9, 2, 0.1 * scale), (1.1, 1, 0.0)):
        f = np.array([10.0, 10.0 - 0.1 * size, 3.0, 0.0]) * scale
        found = solved(list("abcd"), np.tile(f[:, None] - f[None, :], (8, 1, 1)), [0.0] * 4, 60, 1, 8, scale)[0]
        assert (found.dominant.name, found.dominant.share, found.dominant.alike) == ("a", 1.0, many)
        assert found.dominant.within == pytest.approx(within)


def test_cycles_have_no_dominant_strategy() -> None:
    m = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], dtype=float)
    found = matrix_game(["r", "p", "s"], blocks_of(m), [float("nan")] * 3, 200, 1)
    assert found.dominant.share == 0
    assert found.effective.value == pytest.approx(3, abs=0.05)
    assert found.cyclic.value > 0.98
    assert found.module_mass is None
    assert not any(s.dominated_share > 0.05 for s in found.strategies)


def test_effective_number() -> None:
    assert effective_number(np.array([0.5, 0.5, 0.0])) == pytest.approx(2)


# Worth


def test_paired_differences_use_the_deal() -> None:
    """The luck of the deal, which both games share, does not widen the interval."""
    deal, noise = rng(5).normal(0, 3, 2000), rng(6).normal(0, 0.1, 2000)
    found = paired(deal + 0.2 + noise, deal)
    assert found.low < 0.2 < found.high and found.high - found.low < 0.02


def test_no_difference_seen_is_not_none() -> None:
    """What has happened in none of n games may have the chance c with (1 - c)^n = 0.05, and change results at all."""
    deal = np.tile([-1.0, 3.0], 50)
    assert unseen(100) == pytest.approx(0.0295130, rel=1e-5)  # 0.9704870^100 = 0.05
    found = paired(deal, deal)
    assert (found.value, found.low, found.high) == (
        0.0,
        pytest.approx(-0.118052, rel=1e-5),
        pytest.approx(0.118052, rel=1e-5),
    )
    both = paired_many([(deal, deal), (-deal, -deal)])  # each side by itself: results are 4 apart, not 6
    assert (both.low, both.high) == (pytest.approx(-0.118052, rel=1e-5), pytest.approx(0.118052, rel=1e-5))
    assert paired(np.full(9, 0.5), np.full(9, 0.5)).high == 0.0  # values that were computed
    odds = odds_ratio(deal, 2 * deal)  # half of the games are won both times: 1 / (p (1 - p)) = 4
    assert (odds.value, odds.low, odds.high) == (
        0.0,
        pytest.approx(-0.118052, rel=1e-5),
        pytest.approx(0.118052, rel=1e-5),
    )


def test_the_interval_of_what_is_rare_holds_as_often_as_it_says() -> None:
    """A rule that is worth 8 in one deal of 400: whatever number of 1200 deals it decides, 95 % of intervals hold it.

    By the normal law alone it would be 85 % of them: with one such deal its upper end is 3 deals, by Clopper and
    Pearson it is 5.6.
    """
    n, chance, size = 1200, 1 / 400, 8.0
    law = scipy.stats.binom(n, chance)
    deal = np.tile([-4.5, 4.5], n // 2)
    for sign in (1, -1):
        held = 0.0
        for seen in range(20):
            found = paired(deal + np.where(np.arange(n) < seen, sign * size, 0.0), deal)
            held += law.pmf(seen) * (found.low <= sign * size * chance <= found.high)
            if seen:
                exact = scipy.stats.binomtest(seen, n).proportion_ci(0.95, "exact")
                far, near = (found.high, found.low) if sign == 1 else (-found.low, -found.high)
                assert far == pytest.approx(size * exact.high, rel=1e-6)
                half = scipy.stats.t.ppf(0.975, n - 1) * (seen / n * (1 - seen / n) / (n - 1)) ** 0.5
                assert near == pytest.approx(size * (seen / n - half), rel=1e-6)
        assert held >= 0.95


def test_odds_ratio() -> None:
    """From one half to three quarters the odds triple."""
    found = odds_ratio(np.tile([1.0, 1.0, 1.0, -1.0], 500), np.tile([1.0, -1.0], 1000))
    assert found.value == pytest.approx(np.log(3)) and found.low < np.log(3) < found.high


def measured(worth: float, unit: float = 0.3, seat: float = 0.0, n: int = 4000) -> Margins:
    """Margins of side 0: a unit of the handicap is worth `unit`, the module `worth`, sitting first `seat` with it."""
    deal = rng(7).normal(0, 1.5, n)
    nobody, alone = {}, {}
    for side, sign in ((0, 1), (1, -1)):
        for d in (-2, -1, 0, 1, 2, 4):
            nobody[side, d] = deal + sign * unit * d
            alone[side, d] = deal + sign * (unit * d + worth)
    return Margins(nobody, alone, deal + seat, (deal, deal - seat))


def test_worth_is_read_in_units_of_the_handicap() -> None:
    """A module worth 0.45 where a unit is worth 0.3 is worth one unit and a half, at every handicap."""
    got = measured(0.45)
    budget = BUDGETS["quick"]
    for entry in handicaps_of(got, [0, 1], ["A", "B"], budget):
        for row in entry.by_amount:
            if row.amount < 2:
                assert row.value == pytest.approx(1.5, abs=0.01)
    table = worth_table(got, [0, 1], ["A", "B"], budget)
    assert table.overall.value == pytest.approx(0.45)
    assert table.deviation == pytest.approx(1.5, rel=0.1)


def test_there_is_an_answer_where_another_side_may_have_it_too() -> None:
    """Everybody's game compared with the other's alone: not of one side, and not where everybody was not played."""
    zero, one = np.zeros(4), np.ones(4)
    two = Margins({(0, 0): zero, (1, 0): zero}, {(0, 0): one, (1, 0): -one}, one)
    found = worth_table(two, [0, 1], ["A", "B"], BUDGETS["quick"]).sides
    assert [side.answer and side.answer.value for side in found] == [2.0, 0.0]
    alone = Margins({(0, 0): zero}, {(0, 0): one}, one)
    for got, sides in ((alone, [0]), (replace(two, everybody=None), [0, 1])):
        table = worth_table(got, sides, ["A", "B"], BUDGETS["quick"])
        assert [(side.by_amount[0].worth.value, side.answer) for side in table.sides] == [(1.0, None)] * len(sides)


def test_worth_beyond_the_curve_says_so() -> None:
    rows = handicaps_of(measured(5.0), [0, 1], ["A", "B"], BUDGETS["quick"])[0].by_amount
    row = next(r for r in rows if not r.amount)
    assert row.value == row.most == 4


def test_where_units_are_worth_nothing_the_one_nearest_to_none_is_told() -> None:
    """The curve is level from one unit against to one for: a worth of 0 lies anywhere on it."""
    curve = {-2: -1.0, -1: 0.0, 0: 0.0, 1: 0.0, 2: 2.0, 4: 2.0}
    nobody = {(0, d): np.full(50, value) for d, value in curve.items()}

    def row(worth: float) -> tuple[float, float, float]:
        got = Margins(nobody, {(0, d): values + worth for (_, d), values in nobody.items()}, None, None)
        (found,) = (r for r in handicaps_of(got, [0], ["A"], BUDGETS["quick"])[0].by_amount if r.amount == 0)
        return found.value, found.low, found.high

    assert row(0.0) == (0.0, -1.0, 1.0)
    assert row(1.0) == (1.5, 1.5, 1.5)
    assert row(-0.5) == (-1.5, -1.5, -1.5)
    assert row(2.0) == (2.0, 2.0, 4.0)


def test_seat_effect() -> None:
    found = seat_effect(measured(0.0, seat=0.3), 1)
    assert found.change.value == pytest.approx(0.3)
    assert found.nobody.value == pytest.approx(0.0)


def test_seats_and_answers_hold_the_luck_of_learning() -> None:
    """Learners of two seeds, one 0.4 better in the first seat, the other 0.2 worse: 0.1 and 2 * 0.3 to both sides."""
    n = 400
    seat = np.tile([0.4, -0.2], n // 2)
    nothing = np.zeros(n)
    got = Margins({(0, 0): nothing, (1, 0): nothing}, {(0, 0): nothing, (1, 0): nothing}, seat, (nothing, -seat))
    found = seat_effect(got, 2)
    for sample in (found.everybody, found.change):
        assert (sample.low, sample.value, sample.high) == pytest.approx((-0.5, 0.1, 0.7))
    assert (found.nobody.low, found.nobody.high) == (0.0, 0.0)
    assert seat_effect(got, 1).change.high < 0.2
    answer = worth_table(got, [0, 1], ["A", "B"], replace(BUDGETS["quick"], seeds=2)).sides[0].answer
    assert answer is not None and (answer.low, answer.high) == pytest.approx((-0.5, 0.7))


def test_odds_hold_the_luck_of_learning() -> None:
    """One seed's learners win three quarters with it, the other's half: log odds of 3 and 1, 5 / 8 for both."""
    with_it = np.array([1.0, 1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0] * 50)  # by turns: 3 of 4 won, 2 of 4 won
    without = np.tile([1.0, 1.0, -1.0, -1.0], 100)
    found = odds_of([(with_it, without)], 2)
    extra = 2 * np.std([np.log(1.0), np.log(3.0)], ddof=1) / 2**0.5
    assert found.value == pytest.approx(np.log(5 / 3))
    assert found.high - found.value == pytest.approx(found.value - found.low) == pytest.approx(extra)
    assert odds_of([(with_it, without)], 1).low > 0 > found.low


def test_luck_share() -> None:
    """Two thirds of the variance between deals come out within 5 standard errors."""
    r = rng(8)
    margins = r.normal(0, 2**0.5, 3000)[None, :] + r.normal(0, 1, (4, 3000))
    between, within, share, error = luck_share(margins)
    assert abs(share - 2 / 3) < 5 * error < 0.1
    assert within == pytest.approx(1, rel=0.1) and between == pytest.approx(2, rel=0.1)
    assert luck_share(np.zeros((3, 50)))[2] == 0


def test_exact_values_take_the_place_of_played_ones() -> None:
    """Payoffs, answers and the mean are those of the solved games; shares of wins and the deviation stay."""
    played = worth_table(measured(0.45), [0, 1], ["A", "B"], BUDGETS["quick"])
    cells = {(side, n): np.full(10, 1.0 + n) for side in (0, 1) for n in (-2, 0, 2)}
    alone = {(0, n): cells[0, n] + 0.75 for n in (-2, 0, 2)} | {(1, n): cells[1, n] - 0.25 for n in (-2, 0, 2)}
    solved = worth_table(Margins(cells, alone, np.full(10, 1.5)), [0, 1], ["A", "B"], BUDGETS["quick"])
    worth = exact_worth(played, solved)
    assert worth.exact and (worth.overall.value, worth.overall.low, worth.overall.high) == (0.5, 0.5, 0.5)
    assert worth.found == worth.played == played.overall == played.played, "what is played is known beside it"
    a, b = (side.even for side in worth.sides)
    assert (a.worth.value, b.worth.value, a.with_it, a.without) == (0.75, 0.25, 1.75, 1.0)
    # against a holder: everybody 1.5, only B 0.75, only A 1.75
    assert [side.answer.value for side in worth.sides if side.answer] == [0.75, 0.25]
    assert a.score_with == played.sides[0].even.score_with and worth.deviation == played.deviation
    assert level_of(worth) == "strong" and level_of(replace(worth, odds=Interval(2.0, 1.9, 2.1))) == "strong"


# The verdict


@pytest.mark.parametrize(
    ("value", "low", "high", "level"),
    [
        (0.00, -0.04, 0.04, "neutral"),
        (0.02, 0.01, 0.03, "neutral"),
        (0.00, -0.06, 0.06, "undecided"),
        (-0.02, -0.07, 0.03, "undecided"),
        (0.04, -0.01, 0.09, "undecided"),
        (0.04, 0.01, 0.07, "undecided"),
        (0.20, -0.01, 0.41, "undecided"),
        (0.10, 0.01, 0.19, "small"),
        (-0.10, -0.19, -0.01, "small"),
        (0.30, 0.01, 0.59, "strong"),
        (0.70, 0.60, 0.80, "overpowered"),
        (-0.70, -0.80, -0.60, "strong"),
    ],
)
def test_levels(value: float, low: float, high: float, level: str) -> None:
    """In deviations of a result: thresholds 0.05, 0.25, 0.67; nothing is claimed that the interval does not carry."""
    worth = Worth((), Sample(2 * value, 2 * low, 2 * high, 1000), 2.0, Interval(0.0, -0.1, 0.1))
    assert level_of(worth) == level


@pytest.mark.parametrize(("scale", "level"), [(0.5, "overpowered"), (3.0, "small")])
def test_a_trifle_decides_no_game_whose_end_is_known(
    scale: float, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Strong play deviates by 0.06: 0.055 are 0.92 of that, and 0.18 of a tenth of what weak play deviates by, 3."""
    known = Worth((), Sample(0.055, 0.055, 0.055, 1000), 0.06, Interval(0.0, -0.1, 0.1), True)
    test = Stress(
        Settings("kuhn", str(Path(__file__).parent / "planted" / "jacks.py"), budget="quick"),
        tmp_path,
        1,
        False,
        False,
        Quiet(),
        "",
    )
    test.context = replace(test.context, scale=scale)
    mixtures = SimpleNamespace(told=lambda sides: ())
    monkeypatch.setattr(stress, "learn", lambda *_: SimpleNamespace(courses=()))
    monkeypatch.setattr(stress, "choose", lambda *_, **__: mixtures)
    monkeypatch.setattr(stress, "measure", lambda *_: Measured(known, None, None))
    monkeypatch.setattr(stress, "measure_paid", lambda *_: None)
    monkeypatch.setattr(stress, "payable", lambda _, worth: worth)
    _, measured = test.measured(cast(Any, None))
    assert level_of(measured.worth) == level and test.found.worth == measured.worth
    assert measured.worth.deviation == pytest.approx(max(0.06, scale / 10))


def findings(worth: float | None = 0.0, seat: float = 0.0, use: Use | None = None, *faults: Fault) -> Findings:
    """Findings of a module that is worth so much (None: not measured), without actions unless its use is given."""
    found = Findings(
        game="game", module="module", scenario="", params={}, budget="quick", seed=1, sides=("A", "B"),
        unit=("unit", "units"), payoff_unit="", ruleset="", version="", breakage=Breakage(faults),
    )  # fmt: skip
    if worth is None:
        return found
    got = measured(worth, seat=seat)
    table = worth_table(got, [0, 1], ["A", "B"], BUDGETS["quick"])
    return replace(found, worth=table, seat=seat_effect(got, 1), use=use or Use(0))


def use(never: float, always: float, gain: float, effect: float = 1.0, leaves: tuple[Place, ...] = ()) -> Use:
    """What was seen of a module's use."""

    def loss(x: float) -> Sample:
        return Sample(x, x - 0.02, x + 0.02, 1000)

    row = Restricted(loss(always), loss(never), loss(never / 2), loss(never / 2))
    worth = UseWorth(1000, 500, gain, 0.01, effect, 0.5, 0.5, leaves=leaves)
    return Use(1, opportunities=1000, restricted={"A": row, "B": row}, worth=worth)


def leaf(gain: float, share: float = 0.5) -> Place:
    return Place("x", share, gain, 0.01, 500)


# nobody can decline it, so that using it always or never is all the same
FORCED = replace(
    use(0.0, 0.0, 0.0), opportunities=0, forced=500, worth=UseWorth(0, 0, None, None, None, None, None),
    choices=(Choice("school", "fire", 300, 0.6), Choice("school", "water", 200, 0.4)),
)  # fmt: skip
LOOPS = Fault("endless", "loops", "everybody")


@pytest.mark.parametrize(
    ("made", "word"),
    [
        (findings(0.0), "neutral"),
        (findings(0.3), "small"),
        (findings(0.7), "strong"),
        (findings(-0.7), "strong"),
        (findings(1.5), "overpowered"),
        (findings(0.2, seat=0.4), "seat-favouring"),
        (findings(1.5, seat=0.1), "overpowered"),
        (findings(0.3, use=use(0.3, 0.0, 0.2)), "always-use"),
        (findings(0.3, use=use(0.3, 0.2, 0.1, leaves=(leaf(0.4), leaf(-0.2)))), "small"),
        (findings(0.3, use=use(0.3, 0.0, 0.1, leaves=(leaf(0.4), leaf(-0.2)))), "small"),
        (findings(0.0, use=use(0.0, 0.4, -0.3, leaves=(leaf(-0.5), leaf(-0.1)))), "dead rule"),
        (findings(0.0, use=use(0.0, 0.0, 0.0, effect=0.0)), "neutral"),
        (findings(0.0, use=use(0.0, 0.3, -0.03, effect=0.0)), "dead rule"),  # what it leaves is read later on
        (findings(0.0, use=use(0.0, 0.0, 0.0, effect=0.5)), "dead rule"),
        (findings(0.0, use=FORCED), "neutral"),
        (findings(0.7, use=FORCED), "strong"),
        (findings(0.0, use=use(0.0, 0.4, -0.3, leaves=(leaf(-0.5), leaf(0.3)))), "neutral"),
        (findings(None, 0.0, None, LOOPS), "broken"),
        (findings(1.5, 0.0, None, LOOPS), "broken"),
        (findings(None), "open"),
    ],
)
def test_verdicts(made: Findings, word: str) -> None:
    found = verdict_of(made)
    assert found.word == word and found.why
    assert word in VERDICTS or word == "open"


@pytest.mark.parametrize(("gain", "error"), [(None, None), (0.1, None), (0.0, 0.2), (0.4, 0.3)])
def test_a_use_of_unknown_gain_is_not_dead(gain: float | None, error: float | None) -> None:
    """Deviations are about 1.5, so that 0.075 counts: an unmeasured gain is not called too small."""
    unsure = use(0.0, 0.0, 0.0)
    assert unsure.worth is not None
    unsure = replace(unsure, worth=replace(unsure.worth, gain=gain, error=error))
    assert verdict_of(findings(0.0, use=unsure)).word == "neutral"


@pytest.mark.parametrize(("gain", "error", "word"), [(0.0, 0.03, "dead rule"), (0.02, 0.04, "neutral")])
def test_a_situation_that_may_pay_saves_a_rule(gain: float, error: float, word: str) -> None:
    """0.075 counts (deviations are about 1.5): two errors above what was seen, it may gain 0.06 or 0.1 there."""
    place = Place("somewhere", 0.3, gain, error, 60)
    assert verdict_of(findings(0.0, use=use(0.0, 0.3, -0.1, leaves=(place,)))).word == word


@pytest.mark.parametrize(("share", "word"), [(1.0, "dead rule"), (0.99, "neutral")])
def test_a_situation_that_is_all_of_them_says_no_more_than_all_uses(share: float, word: str) -> None:
    """It was tried on the half of the uses that did not choose it: -0.05 with 0.07 may be 0.09, and 0.075 counts."""
    place = Place("always", share, -0.05, 0.07, 105)
    assert verdict_of(findings(0.0, use=use(0.0, 0.3, -0.1, leaves=(place,)))).word == word


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({}, "dead rule"),
        ({"uses": 1}, "neutral"),
        ({"opportunities": 99}, "neutral"),
        ({"better": 0.004}, "neutral"),
        ({"count": 99}, "neutral"),
        ({"gain": -0.2, "error": 0.08}, "neutral"),  # 2.5 standard errors are not shown
        ({"gain": -0.22, "error": 0.08}, "dead rule"),
    ],
)
def test_what_nobody_uses_and_never_helps_is_dead(changed: dict[str, float], word: str) -> None:
    """Though in a situation that was seldom tried it may gain 0.08, two errors above what was seen; 0.075 counts."""
    made = use(0.0, 0.4, -0.3, leaves=(Place("late", 0.3, -0.1, 0.09, 18),))
    assert made.worth is not None
    seen: dict[str, Any] = {"better": 0.0, "count": 250}
    own: dict[str, Any] = {"uses": 0}
    for name, value in changed.items():
        (own if name in ("uses", "opportunities") else seen)[name] = value
    made = replace(made, worth=replace(made.worth, **seen), **own)
    assert verdict_of(findings(0.0, use=made)).word == word


@pytest.mark.parametrize(
    ("offers", "games", "share"), [(3560, 178, 0.1), (100, 100, 1.0), (500, 200, 0.8), (0, 0, 1.0)]
)
def test_of_a_game_two_uses_are_tried(offers: int, games: int, share: float) -> None:
    """So that they come from many games, as those of one hang together."""
    assert share_tried({"opportunities": offers, "games_with_offer": games}) == pytest.approx(share)


@pytest.mark.parametrize(
    ("chances", "gain", "error", "word"),
    [
        (0, 0.03, 0.01, "dead rule"),
        (1, 0.03, 0.01, "dead rule"),
        (10, 0.03, 0.01, "dead rule"),
        (20, 0.03, 0.01, "neutral"),
        (1, 0.0, 0.03, "dead rule"),
        (20, 0.0, 0.03, "neutral"),
    ],
)
def test_what_is_little_may_come_often(chances: int, gain: float, error: float, word: str) -> None:
    """0.03 in a sixth of the chances is less than the 0.075 that counts, but not with ten chances of a side in a game.

    Nor does a gain that may be 0.06.
    """
    place = Place("somewhere", 1 / 6, gain, error, 60)
    rare = use(0.0, 0.3, -0.1, leaves=(place, Place("elsewhere", 5 / 6, -0.13, 0.01, 300)))
    rare = replace(rare, opportunities=chances * 100, games_with_offer=100 if chances else 0)
    assert verdict_of(findings(0.0, use=rare)).word == word


def test_nothing_is_no_handicap() -> None:
    made = findings(0.0)
    assert made.worth is not None
    solved = replace(made.worth, overall=Sample(0.0, 0.0, 0.0, 1000), exact=True)
    assert "neither an advantage nor a handicap (exact)" in verdict_of(replace(made, worth=solved)).why[0]
    small = replace(solved, overall=Sample(-0.004, -0.004, -0.004, 1000))
    assert "a handicap of 0.004 (exact)" in verdict_of(replace(made, worth=small)).why[0]


def test_what_a_loop_leaves_behind_is_told_after_it() -> None:
    """Large numbers may come from the loop or the crash, however short their sentence is."""
    number = Fault("unbounded", "n of the module reached 2,000", "everybody", 1, 10, 5)
    loop = Fault("hang", "hook 'wounded' raised RuntimeError: a loop went round 1000000 times: it never ends", "only A")
    assert verdict_of(findings(None, 0.0, None, number, loop)).why == (loop.text, number.text)


def test_what_is_not_shown_is_called_neither() -> None:
    """A worth whose interval holds nothing is told with its interval, not as an advantage."""
    made = findings(0.0)
    assert made.worth is not None
    worth = replace(made.worth, overall=Sample(0.16, -1.46, 1.79, 1000), odds=Interval(0.0, -0.1, 0.1))
    why = verdict_of(replace(made, worth=worth)).why[0]
    assert why.startswith("that having it is an advantage or a handicap is not shown: +0.16 (−1.46 to +1.79)")


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(-0.04, 0.02, "having it is neither an advantage nor a handicap (−0.04 to +0.02)"),
     (-0.06, 0.02, "that having it is an advantage or a handicap is not shown: 0.00 (−0.06 to +0.02)"),
     (-0.02, 0.06, "that having it is an advantage or a handicap is not shown: 0.00 (−0.02 to +0.06)")],
)  # fmt: skip
def test_what_may_count_is_not_called_nothing(low: float, high: float, said: str) -> None:
    """However little is measured: a twentieth of a deviation would count."""
    made = findings(0.0)
    assert made.worth is not None
    worth = replace(made.worth, overall=Sample(-0.001, low, high, 1000), odds=Interval(0.0, -0.1, 0.1), deviation=1.0)
    assert verdict_of(replace(made, worth=worth)).why[0].startswith(said)


@pytest.mark.parametrize(
    ("value", "low", "high", "deviation", "odds", "level", "said"),
    [
        (0.005, -0.01, 0.02, 0.1, (0.12, 0.08, 0.16), "small",
         "having it shows in wins alone, not in payoffs: +0.01 (−0.01 to +0.02); the holder's share of wins goes from"),
        (0.004, -0.001, 0.009, 0.1, (0.12, 0.08, 0.16), "small",
         "having it shows in wins alone, not in payoffs: +0.0040 (−0.0010 to +0.0090); "),
        (0.004, 0.002, 0.006, 0.05, (0.0, -0.1, 0.1), "small",
         "having it is an advantage of 0.0040 (+0.0020 to +0.0060); the holder's share of wins is not shown to change"),
        (0.004, 0.002, 0.006, 0.5, (0.0, -0.1, 0.1), "neutral",
         "having it is neither an advantage nor a handicap (0.00 to +0.01)"),
        (0.005, -0.01, 0.02, 0.3, (0.12, 0.08, 0.16), "undecided", "that having it is an advantage or a handicap"),
    ],
)  # fmt: skip
def test_a_verdict_and_its_reason_agree(
    value: float, low: float, high: float, deviation: float, odds: Any, level: str, said: str
) -> None:
    """What breaks ties alone shows in wins; a small worth that counts is told with the digits that it has."""
    made = findings(0.0)
    assert made.worth is not None
    worth = replace(made.worth, overall=Sample(value, low, high, 1000), odds=Interval(*odds), deviation=deviation)
    verdict = verdict_of(replace(made, worth=worth))
    assert verdict.word == level and verdict.why[0].startswith(said)
    assert words("de")(verdict.why[0]) != verdict.why[0]


@pytest.mark.parametrize(
    ("offered", "said", "german"),
    [
        (79, "and in 40 of the 79 games, in all of which it was offered.", "in 40 von allen 79 Spielen, denn"),
        (60, "and in 40 of the 60 games (of 79) in which it was offered.", "in 40 der 60 Spiele (von 79), in denen"),
    ],
)
def test_games_that_all_offered_a_use_are_counted_once(offered: int, said: str, german: str) -> None:
    made = replace(use(0.3, 0.0, 0.2), games=79, games_with_offer=offered, games_with_use=40)
    (line,) = [x for x in answers(findings(0.2, use=made))["use"] if x.startswith("The strongest strategies use")]
    assert line.endswith(said) and german in words("de")(line)


@pytest.mark.parametrize(("before", "said"), [(0.5, True), (0.6, False)])
def test_one_best_strategy_is_said_of_a_rule_that_makes_it(before: float, said: bool) -> None:
    """Not where one was nearly shown without it, too."""
    game = matrix_game(["a", "b"], np.tile([[0.0, 1.0], [-1.0, 0.0]], (40, 1, 1)), [0.0, 0.0], 60, 1)
    plain = replace(game, dominant=replace(game.dominant, share=before))
    assert game.dominant.share == 1.0
    made = replace(findings(0.0), dominance=Dominance(nobody=plain, everybody=game))
    assert any("makes one strategy best" in line for line in verdict_of(made).remarks) == said


def test_strategies_that_are_best_together_are_not_called_one() -> None:
    """Both of the first two beat the third by one, and each other by nothing."""
    game = matrix_game(["a", "b", "c"], np.tile([[0.0, 0, 1], [0, 0, 1], [-1, -1, 0]], (40, 1, 1)), [0.0] * 3, 60, 1)
    plain = replace(game, dominant=replace(game.dominant, share=0.0))
    made = replace(findings(0.0), dominance=Dominance(nobody=plain, everybody=game))
    (told,) = [line for line in verdict_of(made).remarks if line.startswith("It makes one")]
    apart = "they differ by less than 0.10 on average"
    assert told.endswith("way to play best against all found that are worth playing: 2 of 3 strategies fare alike "
                         f"({apart}) and are best, such as “{game.dominant.name}”.")  # fmt: skip
    german = words("de")
    assert "2 von 3 Strategien schneiden gleich ab" in german(told) and not german.missed


def test_what_is_little_but_always_gained_is_not_dead() -> None:
    """A hundredth in every chance, where a twentieth would count: right to use, and no rule that nobody should."""
    made = use(0.0, 0.0, 0.01)
    assert made.worth is not None
    picked = replace(made, worth=replace(made.worth, gain=0.01, error=0.0, better=1.0, worse=0.0))
    nothing = replace(made, worth=replace(made.worth, gain=0.0, error=0.0, better=0.0, worse=0.0))
    found = findings(0.0)
    assert found.worth is not None
    assert use_of(replace(found, use=picked), found.worth) == "mixed"
    assert use_of(replace(found, use=nothing), found.worth) == "dead rule"


@pytest.mark.parametrize(
    ("better", "worse", "gain", "error", "rate", "count", "said"),
    [
        (1.0, 0.0, 0.01, 0.0, 1.0, 300, True),
        (0.97, 0.0, 0.01, 0.0, 1.0, 300, True),  # in the others it made no difference
        (0.90, 0.0, 0.01, 0.0, 1.0, 300, False),
        (0.97, 0.01, 0.01, 0.0, 1.0, 300, False),
        (1.0, 0.0, 5e-7, 0.0, 1.0, 300, False),  # rounding
        (1.0, 0.0, 0.01, 0.05, 1.0, 300, False),  # not shown
        (1.0, 0.0, 0.01, 0.0, 0.9, 300, False),  # left alone where it is right
        (1.0, 0.0, 0.01, 0.0, 1.0, 50, False),
    ],
)
def test_what_is_always_right_is_told_however_little_it_brings(
    better: float, worse: float, gain: float, error: float, rate: float, count: int, said: bool
) -> None:
    """A hundredth in every chance is less than what counts; that there is nothing to decide is true all the same."""
    made = use(0.0, 0.0, 0.01)
    assert made.worth is not None
    tried = replace(made.worth, gain=gain, error=error, better=better, worse=worse, count=count)
    found = findings(0.0, use=replace(made, worth=tried, rate=rate))
    found = replace(found, verdict=verdict_of(found), effect=Effect(()))
    told = [line for line in answers(found)["use"] if "there is nothing to decide" in line]
    steps = [line for line in next_for_game(found, "changes little") if line.startswith("Using it is always right")]
    assert bool(told) == said and bool(steps) == said
    for line in (*told, *steps):
        assert words("de")(line).startswith(("Achtung: Es gibt nichts zu entscheiden", "Es zu nutzen ist immer"))


def test_one_right_answer_to_what_must_be_answered_is_told_as_one() -> None:
    """Nobody can decline it, and every other answer costs."""
    lines = (ActionLine("fire", 100, 1.0, 0.0, 0.0, 0.0), ActionLine("water", 100, 0.0, 0.0, -0.3, 0.01))
    choices = (Choice("school", "fire", 100, 1.0, 0.0, 0.0),)
    for cost, said in ((-0.3, True), (-0.02, False)):
        held = (lines[0], replace(lines[1], gain=cost))
        made = findings(0.0, use=replace(FORCED, choices=choices, lines=held))
        (told,) = [x for x in answers(replace(made, verdict=verdict_of(made)))["use"] if "each gains or loses" in x]
        assert told.endswith(
            "It is always fire that is right: every other answer costs."
            if said
            else "Nearly always it is fire, and no other answer is better."
        )
        assert ("Immer richtig ist fire: jede andere Antwort kostet." in words("de")(told)) == said


def test_a_forced_choice_is_told_as_one() -> None:
    """Where the module has all the answers nothing is used, dead or always right: the mixture is told."""
    made = findings(0.0, use=FORCED)
    made = replace(made, verdict=verdict_of(made))
    assert made.verdict and made.verdict.use == "forced"
    told = " ".join(answers(made)["use"])
    assert "Nobody can decline it" in told and "fire 60% and water 40%" in told
    assert "Flag" not in told and "never" not in told and "always" not in told


@pytest.mark.parametrize(
    ("gains", "words"),
    [
        ((0.02, -0.03), "a guessing game"),
        ((0.30, -0.45), "fire is the best answer"),
        ((-0.20, 0.30), "water is the best answer"),
        ((None, None), "could not be tried"),
        ((0.02, None), "None is shown to be better than the mixture."),  # the other one was never legal
    ],
)
def test_answers_to_a_forced_question(gains: tuple[float | None, ...], words: str) -> None:
    """Errors of 0.02 each: whatever is not significantly better than the mixture is no best answer."""
    errors = [None if gain is None else 0.02 for gain in gains]
    choices = tuple(replace(c, gain=g, error=e) for c, g, e in zip(FORCED.choices, gains, errors))
    made = findings(0.0, use=replace(FORCED, choices=choices, stakes=(Stake("school", 500, 1.0, 0.05),)))
    assert words in " ".join(answers(replace(made, verdict=verdict_of(made)))["use"])


@pytest.mark.parametrize(
    ("stake", "words"),
    [
        (Stake("school", 500, 1.0, 0.05, 0.01, 0.02), "by what counts: no best choice, a guessing game"),
        (Stake("school", 500, 1.0, 0.05, 0.40, 0.02), "the situation tells which one is right"),
        (Stake("school", 500, 1.0, 0.05, 0.01, 0.02, 0.0, 0.0), "makes no difference that counts."),  # equals
        (Stake("school", 500, 1.0, 0.05, 0.01, 0.02, 0.9, 0.05), "by what counts: no best choice, a guessing game"),
        (Stake("school", 500, 0.001, 0.0005), "None is shown to be better than the mixture."),  # nothing depends on it
    ],
)
def test_a_guess_is_only_what_the_verdict_calls_so(stake: Stake, words: str) -> None:
    """No answer is better on the average; what is answered may go by the situation, and it may not matter."""
    choices = tuple(replace(c, gain=g, error=0.02) for c, g in zip(FORCED.choices, (0.02, -0.03)))
    made = findings(0.0, use=replace(FORCED, choices=choices, stakes=(stake,)))
    told = " ".join(answers(replace(made, verdict=verdict_of(made)))["use"])
    assert words in told and ("a guessing game" in told) == ("guessing game" in words)


@pytest.mark.parametrize(("games", "alike"), [(500, True), (250, True), (100, False)])
def test_a_small_difference_adds_up_over_the_answers_of_a_game(games: int, alike: bool) -> None:
    """Answers differ by 0.02 at most, of 500: in one or two of a game that is less than 0.05, in five it is 0.1."""
    stake = Stake("school", 500, 0.0, 0.01, 0.0, 0.02, 0.0, 0.01)
    choices = tuple(replace(c, gain=0.0, error=0.02) for c in FORCED.choices)
    made = findings(0.0, use=replace(FORCED, forced=500, games=games, choices=choices, stakes=(stake,)))
    assert ("no difference that counts" in " ".join(answers(replace(made, verdict=verdict_of(made)))["use"])) == alike
    ways = replace(FORCED, forced=0, opportunities=500, games=games, choices=(), ways=(Ways(0.5, stake, choices),))
    told = " ".join(answers(replace(made, use=ways, verdict=verdict_of(made)))["use"])
    assert ("are given makes no difference" in told) == alike


def test_an_answer_that_is_best_on_the_average_is_not_right_where_the_situation_tells() -> None:
    """Fire gains 0.05 over the mixture, and whoever goes by the situation 0.4; or 0.3, and no more than that."""
    told = "The situation tells which one is right."
    for gain, played, said in ((0.05, 0.4, told), (0.3, 0.31, "fire is the best answer")):
        choices = tuple(replace(c, gain=g, error=0.01) for c, g in zip(FORCED.choices, (gain, -gain)))
        made = findings(
            0.0, use=replace(FORCED, choices=choices, stakes=(Stake("school", 500, 1.0, 0.05, played, 0.02),))
        )
        assert said in " ".join(answers(replace(made, verdict=verdict_of(made)))["use"])


@pytest.mark.parametrize(("first", "told"), [(1.0, True), (0.9, True), (0.8, False)])
def test_what_each_seat_answers_is_told_where_it_goes_by_the_seat(first: float, told: bool) -> None:
    """Ada says fire and Bea water, so that over both they look like a mixture of equals."""
    fire, water = (replace(c, share=0.5) for c in FORCED.choices)
    fire, water = replace(fire, seats={"Ada": first, "Bea": 0.0}), replace(water, seats={"Ada": 1 - first, "Bea": 1.0})
    made = findings(0.0, use=replace(FORCED, choices=(fire, water)))
    lines = " ".join(answers(replace(made, verdict=verdict_of(made)))["use"])
    own = (
        "It is the seat that tells which one is given. “Ada” nearly always answers “fire”. “Bea” nearly always answers "
    )
    assert (own + "“water”." in lines) == told and ("the seat" in lines) == told
    german = words("de")
    assert ("„Ada“ antwortet fast immer „fire“" in german(lines)) == told and not german.missed
    alike = tuple(replace(c, seats={"Ada": c.share, "Bea": c.share}) for c in FORCED.choices)
    assert seats_told(alike) == [] and seats_told((replace(fire, seats={"Ada": 1.0, "Bea": 1.0}),)) == []
    assert (
        seats_told((replace(fire, seats=dict.fromkeys("abc", 1.0)), replace(water, seats=dict.fromkeys("de", 1.0))))
        == []
    )


def test_gains_of_answers_are_those_over_the_mixture() -> None:
    """Shares 3:1: where both answers are legal the mixture of values 4 and 0 is 3, where one is, it is that one's."""
    rps = make_game("ews_rps", "plain_rps", compiled=False)
    rock, paper = (rps.actions.describe(a) for a in (0, 1))
    values = np.full((3, rps.n_actions), np.nan)
    values[0, :2], values[1, 0], values[1:, 2] = (4.0, 0.0), 4.0, 9.0
    phase = list(rps.spec.phases).index("round")
    numbers = np.arange(3)
    found = Branches(numbers, numbers, numbers, np.full(3, phase), numbers, values, np.zeros((3, 0)), -1)
    choices = [{"phase": "round", "action": rock, "share": 0.75}, {"phase": "round", "action": paper, "share": 0.25}]
    gains = [answer_gain(rps, found, choices, row)["gain"] for row in choices]
    assert gains == [0.5, -3.0]


def test_findings_survive_json() -> None:
    """What is written is read again: records within records, tuples, optional parts, texts as they are."""
    made = replace(findings(0.3, 0.2, use(0.3, 0.2, 0.1, leaves=(leaf(0.4),)), LOOPS), mixtures={"A": ()})
    made = replace(made, verdict=verdict_of(made))
    again = Findings.from_json(json.loads(json.dumps(made.to_json())))
    assert again.to_json() == made.to_json()
    assert again.use and made.use and again.use.worth == made.use.worth and set(again.use.restricted) == {"A", "B"}
    assert again.breakage == made.breakage and again.verdict == made.verdict and again.unit == made.unit
    with pytest.raises(KeyError, match="nothing_of_the_kind"):
        Findings.from_json({**made.to_json(), "nothing_of_the_kind": 1})


# Budgets and progress


@pytest.mark.parametrize("slower", [0.7, 1.0, 2.5])
def test_the_time_left_is_honest(slower: float) -> None:
    """From a fifth of the time on within a factor of 1.5, on a machine that is slower or faster than its pace said."""
    now = [0.0]
    planned = {"a": 20.0, "b": 50.0, "c": 5.0, "d": 25.0}
    estimate = Estimate(lambda: now[0])
    estimate.start({"build": 1.0, **planned})
    estimate.begin("build")
    now[0] = 30.0
    estimate.plan(planned)
    assert estimate.left == pytest.approx(100.0)
    whole = slower * 100.0
    for step, seconds in planned.items():
        estimate.begin(step)
        for _ in range(10):
            now[0] += slower * seconds / 10
            estimate.advance(step, 0.1)
            passed = now[0] - 30.0
            left = estimate.left
            if 0.2 * whole <= passed <= 0.9 * whole:
                assert left is not None and (whole - passed) / 1.5 <= left <= 1.5 * (whole - passed), (step, left)
    assert estimate.done > 0.95


def test_the_time_left_of_interpreted_rules_follows_what_is_measured() -> None:
    """Nothing is told before anything is done, whatever compiled rules would take; and it grows while a step lasts."""
    now = [0.0]
    estimate = Estimate(lambda: now[0])
    estimate.start({"build": 30.0, "break": 10.0, "learn": 60.0})
    estimate.begin("build")
    now[0] = 3.0
    assert estimate.left is None
    estimate.measure()
    assert estimate.done == pytest.approx(0.3) and estimate.left is None
    estimate.begin("break")
    now[0] = 203.0
    assert estimate.left is None
    estimate.begin("learn")
    assert estimate.left == pytest.approx(200.0 * 0.6 / 0.1)
    now[0] = 403.0
    assert estimate.left == pytest.approx(400.0 * 0.6 / 0.1)
    estimate.advance("learn", 0.5)
    assert estimate.left == pytest.approx(400.0 * 0.3 / 0.4)


def test_a_line_is_written_again_when_its_time_is_over() -> None:
    """Not before, and not oftener than once a minute; with the time that is left then."""
    now, stream = [0.0], io.StringIO()
    told = Lines(stream, "en", lambda: now[0])
    told.start({"build": 30.0, "break": 10.0, "learn": 60.0}, {"learn": "learning"})
    told.begin("build")
    now[0] = 3.0
    told.measure(INTERPRETED)
    told.begin("break")
    now[0] = 13.0
    told.begin("learn")
    seen = len(stream.getvalue().splitlines())
    assert INTERPRETED in stream.getvalue() and stream.getvalue().endswith(" 40%  learning (60 s left)\n")
    now[0] = 72.9
    told.tick()
    assert len(stream.getvalue().splitlines()) == seen
    now[0] = 73.0
    told.tick()
    told.tick()
    assert stream.getvalue().splitlines()[seen:] == [" 40%  learning (7 min left)"]


def test_what_was_done_before_takes_no_time() -> None:
    """A test that goes on does not hold its machine for faster than it is."""
    now = [0.0]
    estimate = Estimate(lambda: now[0])
    estimate.start({"a": 1.0, "b": 1.0})
    estimate.plan({"a": 50.0, "b": 50.0})
    for _ in range(20):
        estimate.advance("a", 0.05, played=False)
    assert estimate.left is not None and 50.0 <= estimate.left <= 85.0


def test_a_pace_is_that_of_enough_work() -> None:
    """The size grows until it takes long enough to be measured; the first, which may compile, does not count.

    What it takes to begin is told apart from what each unit adds, also where beginning takes longer than asked for.
    """
    for beginning in (0.01, 0.2):
        now, sizes = [0.0], []

        def work(size: int, beginning: float = beginning, now: list[float] = now, sizes: list[int] = sizes) -> float:
            sizes.append(size)
            now[0] += 30.0 if len(sizes) == 1 else beginning + size * 0.002
            return 3.0 * size

        each, once = timed(work, 2, 0.15, lambda now=now: now[0])
        assert (each, once) == (pytest.approx(0.002 / 3), pytest.approx(beginning))
        assert sizes[:2] == [1, 2] and sizes[-1] * 0.002 > 0.1
    assert timed(lambda size: 0.0, 2, 0.15, iter(range(9)).__next__) == (0.0, 1)


def test_a_pace_is_stretched_by_what_the_clock_showed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers of three took twice as long by the clock as by their processor: all takes 5 / 3 of the time.

    The networks by which they took it are gone afterwards: there would be as many as workers.
    """
    answers = [
        {
            "seconds": {"games": 1.0 + n}, "decisions": {"free": 4.0 * n}, "depths": {"free": 50.0 * n},
            "slower": (1.0, 2.0, 2.0)[n], "positions": 90.0, "plain": 0.75,
        }
        for n in range(3)
    ]  # fmt: skip
    jobs: list[Job] = []

    def run(given: list[Job], tick: object) -> list[tuple[int, dict[str, Any]]]:
        jobs.extend(given)
        for n in range(len(given)):
            for name in (f"{n}-pace.npz", f"counter-{n}-pace.npz", f"use-{n}-pace.npz"):
                (tmp_path / NETS / name).touch()
        return list(enumerate(answers[: len(given)]))

    (tmp_path / NETS).mkdir()
    (tmp_path / NETS / "free-A-0.npz").touch()

    monkeypatch.setattr("probespiel.evaluation.stress.forecast.mg.max_entropy_nash", lambda game: None)
    monkeypatch.setattr("probespiel.evaluation.stress.forecast._share", lambda context, prelude, kind: len(kind) / 10)
    monkeypatch.setattr("probespiel.evaluation.stress.forecast.level_named", lambda context, number: f"of {number}")
    monkeypatch.setattr(
        "probespiel.evaluation.stress.forecast.deals_of", lambda context, prelude, agent: int(agent == "of 2")
    )
    context = SimpleNamespace(
        folder=tmp_path, workers=SimpleNamespace(count=3, run=run), watcher=Quiet(), budget=BUDGETS["quick"],
        scale=1.0, facts=None, seed=lambda *parts: 7,
    )  # fmt: skip
    baselines = tuple(Strategy(name, base=name) for name in ("random", "anchor", "other"))
    pace = ask_pace(cast(Any, context), Prelude(baselines, baselines[1], choices=3.0))
    assert pace is not None and pace.seconds["games"] == pytest.approx(2.0 * 5 / 3)
    assert pace.decisions == {"free": pytest.approx(4.0)} and pace.depths == {"free": pytest.approx(50.0)}
    assert [path.name for path in (tmp_path / NETS).iterdir()] == ["free-A-0.npz"]
    assert pace.positions == 90.0 and pace.plain == 0.75 and jobs[0].args["positions"] == 300_000
    assert [job.args["number"] for job in jobs] == [0, 0, 1, 2]  # one alone, which compiles, then all
    assert [s.name for s in jobs[0].args["others"]] == ["random", "other"]
    assert jobs[0].args["shares"] == {"free": 0.4, "counter": 0.7}
    assert list(jobs[0].args["agents"].values()) == ["of 2"], "levels that are not asked take no time"
    assert duration(45) == "45 s" and duration(600) == "10 min" and duration(9000) == "2.5 h"


def test_a_course_is_forecast_to_end_with_its_work() -> None:
    """Of 4,000 games of 10 decisions 0.4 are branched, half as seats learn in turns: by 100 decisions each, or by more.

    With an observation of 600 numbers a decision takes twice the time: 3,000,000 of work are 1,500,000 decisions.
    """
    budget = replace(BUDGETS["quick"], learn_work=3_000_000)
    context: Any = SimpleNamespace(
        budget=budget, observation=600, bench=SimpleNamespace(sides=(0, 1)), sides=(0, 1), marked=(),
        file_of=lambda net, condition: net, scale=1.0, seed=lambda *parts: 7,
    )  # fmt: skip
    prelude = Prelude((), Strategy("x", base="x"), length=10.0, choices=10.0, legal=2.0)
    share = share_of(budget.learn_work, budget.learn_free, 0.4, prelude, 600)
    free = budget.learn_free * share * np.sqrt(10.0 * 10.0 * 0.75)
    for depth, branched in ((1.0, free), (1_500_000 / free, free), (3_000_000 / free, free / 2)):
        work = _learned(context, prelude, Pace({}, {"free": 10.0}, {"free": depth}), "free")
        assert work["branches"] == pytest.approx(branched)
    assert _learned(context, prelude, Pace({}, {"free": 10.0}), "free")["branches"] == pytest.approx(free)


def test_longer_games_are_played_less_often() -> None:
    quick = BUDGETS["quick"]
    duel, _ = fitted(quick, 8, 700, True)
    campaign, factor = fitted(quick, 60, 700, True)
    slow, _ = fitted(quick, 8, 700, False)
    assert duel.measure > campaign.measure > slow.measure >= 40
    assert 0 < factor < 1 and slow.seeds == 1 and duel.ladder == quick.ladder
    heavy, less = fitted(quick, 60, 600, True, 3.0)  # 60 * (3 + 1) instead of 60 * (1 + 1)
    assert less == pytest.approx(17.0 / 240) and heavy.measure == round(quick.measure * 17 / 240)


def test_simulations_of_the_lab_are_played_by_who_is_quick() -> None:
    """Who plans at length gives way to the strongest of those that do not; the game's own choice stands elsewhere."""

    def rollout(game: str, ranked: list[str], scenario: str | None = None) -> str:
        bench = SimpleNamespace(spec=lambda condition: make_game(game, scenario, compiled=False).spec)
        return prelude._rollout(cast(Any, SimpleNamespace(bench=bench)), ranked)

    campaign = "konfrontation-campaign"
    assert rollout(campaign, ["lookahead", "matrix", "support_rush", "raider", "builder"]) == "raider"
    assert rollout(campaign, ["lookahead"]) == "random"
    assert rollout("konfrontation-clash", ["lookahead", "raider"]) == "auto"
    assert rollout("kuhn", []) == "auto"
    assert rollout("liars_dice", [], "five_dice") == "auto", "another baseline than with one die each, quick as well"
    ((strong, weak),) = ladder_of((25, 50), "raider")
    assert strong.agent == "search:rollout=raider,prior=rollout,sims=50"
    assert weak.agent == "search:rollout=raider,prior=rollout,sims=25"
    assert ladder_of((25, 50), "auto")[0][0].agent == "search:prior=rollout,sims=50"


def test_long_games_with_many_actions_are_branched_less_often() -> None:
    """As many games are learned from, and all continuations together are no more than the budget allows."""
    quick, anchor = BUDGETS["quick"], Strategy("x", base="x")
    duel, mission = Prelude((), anchor, 10.0, 10.0, 5.0), Prelude((), anchor, 114.0, 114.0, 24.0)
    assert share_of(quick.learn_work, 3000, 0.4, duel, 893) == 0.4
    share = share_of(quick.learn_work, 388, 0.4, mission, 2830)
    one = 24 * 114 / 2 * (1 + 2830 / 600)
    assert share * 388 * 114 * one == pytest.approx(quick.learn_work) and share < 0.1
    assert ladder_plan(quick, duel) == (quick.ladder, quick.rung)


def test_a_ladder_has_as_many_rungs_as_can_be_played() -> None:
    """Of 25, 50, 100 simulations a deal of both rungs takes 37.5 + 75 times 2 * 100 games of 100 / 2, of one a third.

    With the work of 6 deals of both it has both, with less the first one, whose deals all of the work is for.
    """
    quick, anchor = BUDGETS["quick"], Strategy("x", base="x")
    long, both, first = Prelude((), anchor, 100.0, 100.0, 5.0), 112.5 * 10_000, 37.5 * 10_000
    assert ladder_plan(replace(quick, rung_work=6 * both / 2), long) == ((25, 50, 100), 6)
    assert ladder_plan(replace(quick, rung_work=5 * both / 2), long) == ((25, 50), 15)
    assert ladder_plan(replace(quick, rung_work=8 * first / 2), long) == ((25, 50), 8)
    assert ladder_plan(replace(quick, rung_work=2 * first / 2), long) == ((25, 50), 6)


def test_the_remaining_time_comes_from_the_speed_so_far() -> None:
    now = [0.0]
    estimate = Estimate(lambda: now[0])
    estimate.start({"a": 1.0, "b": 3.0})
    assert estimate.left is None
    now[0] = 10.0
    estimate.begin("b")
    assert estimate.done == pytest.approx(0.25) and estimate.left == pytest.approx(30.0)
    for _ in range(50):
        estimate.advance("b", 0.2)
    assert estimate.done < 1.0


def sure(value: float) -> Sample:
    return Sample(value, value, value, 2)


def test_bounds_of_the_worth_by_hand() -> None:
    """Least: what is kept with it, less what the best answer gains without; most: the other way round."""
    kept = [np.full(2, x) for x in (-0.1, 0.3, -0.6)]  # nobody, side 0 alone, side 1 alone; of side 0
    gained = [np.full(2, x) for x in (0.1, 0.5, -0.4)]
    found = bounds_of(kept, gained, [sure(0.4), sure(0.5)], sure(0.45))
    assert [(x.low, x.high) for x in found.sides] == [pytest.approx((0.2, 0.6)), pytest.approx((0.3, 0.7))]
    assert (found.overall.low, found.overall.value, found.overall.high) == pytest.approx((0.25, 0.45, 0.65))
    assert found.games == 2
    # answers that are worse than what was played leave it within
    assert bounds_of(kept, gained, [sure(0.1), sure(0.9)], sure(0.5)).sides[0].low == 0.1
    assert bounds_of(kept, gained, [sure(0.1), sure(0.9)], sure(0.5)).sides[1].high == 0.9
    # nor is what was played any surer by them
    wide = bounds_of(kept, gained, [Sample(0.4, 0.1, 0.5, 2), Sample(0.5, 0.4, 0.8, 2)], Sample(0.45, 0.2, 0.7, 2))
    assert [(x.low, x.high) for x in (*wide.sides, wide.overall)] == [
        pytest.approx((0.1, 0.6)), pytest.approx((0.3, 0.8)), pytest.approx((0.2, 0.7)),
    ]  # fmt: skip
    # the least is uncertain by its own deals: 0.2 and 0.1 either way, times Student's 12.706
    kept[1] = np.array([0.2, 0.4])
    uneven = bounds_of(kept, gained, [sure(0.4), sure(0.5)], sure(0.45)).sides[0]
    assert (uneven.low, uneven.high) == pytest.approx((0.2 - 12.7062 * 0.1, 0.6), abs=1e-4)


def test_what_is_said_of_a_dead_rule() -> None:
    """That nobody should use it only where a use is shown to cost; else that none gains by what counts."""
    for gain, error, said in ((-0.3, 0.01, "nobody should"), (-0.01, 0.01, "no use of it gains by what counts")):
        seen = use(0.0, 0.3, gain)
        assert seen.worth is not None
        made = findings(0.0, use=replace(seen, worth=replace(seen.worth, error=error)))
        made = replace(made, verdict=verdict_of(made))
        assert made.verdict and made.verdict.word == "dead rule"
        (line,) = [line for line in answers(made)["use"] if "Flag" in line]
        assert said in line and words("de").told(line)


def test_python_draws_the_bits_that_a_kernel_draws() -> None:
    """Of which a float takes the upper 53."""
    ours, theirs = rng_array("draws"), rng_array("draws")
    assert [(int(drawn(ours)) >> 11) / 2**53 for _ in range(5)] == [rand_float(theirs) for _ in range(5)]
    assert ours.tolist() == theirs.tolist()


def test_games_without_a_lead_have_no_comebacks() -> None:
    """Where no lead shows before the end, nothing is said of it; nor of draws in a game of one side."""
    play = Play(Luck(0.5, 0.1, 1.0, 1.0), 100, Mean(0.0, 0.0), Mean(0.0, 0.0), Mean(0.0, 0.0), Mean(6.0, 0.1), 0.1, ())
    made = replace(findings(0.0), dynamics=Dynamics(play, play), seat=None)
    lead = {"comebacks": "no lead shows before the end"}
    for left_out, said, unsaid in (
        ({}, "The winner was behind at some time in 0% and 0%", "Of the games"),
        (lead, "Of the games 10% and 10% are drawn; 0% and 0% were stopped", "behind"),
        ({**lead, "draws": "there is one side"}, "Of the games 0% and 0% were stopped", "drawn"),
    ):
        told = answers(replace(made, effect=Effect((), left_out)))["dynamics"]
        (line,) = [line for line in told if line.startswith("A game lasts")]
        assert said in line and unsaid not in line
        german = words("de")
        german.all(told)
        assert not german.missed


def test_the_weakest_baselines_can_be_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of five, each of which beats all before it, four are kept and uniform choice, which is first: e, d, c, b.

    The two strongest stay in any case, and so does uniform choice, whatever it loses.
    """
    strength = np.arange(5.0)
    course = {"lengths": [3.0], "choices": [3.0], "legal": [2.0], "margins": [0.0]}

    deals: list[Any] = []

    def need(step: str, jobs: list[Any]) -> list[Any]:
        deals.append(jobs[0].args["deals"])
        return [course if jobs[0].kind == "course" else np.sign(strength[:, None] - strength)[None]]

    monkeypatch.setattr(prelude, "_rollout", lambda context, ranked: ",".join(ranked))
    bench = SimpleNamespace(baselines=lambda: ["random", "b", "c", "d", "e"], everybody=lambda: None)
    budget = SimpleNamespace(prelude=40, baselines=4)
    context = SimpleNamespace(bench=bench, budget=budget, begin=lambda _: None, need=need, seed=lambda _: 1)
    found = prelude.compare_baselines(cast(Any, context))
    assert [s.name for s in found.baselines] == ["random", "b", "c", "d", "e"] and found.anchor.name == "e"
    assert [s.name for s in found.weakest] == ["b", "c"] and found.rollout == "e,d,c,b,random"
    assert deals == [(0, 40), (0, prelude.GAMES)] and (found.length, found.choices, found.legal) == (3.0, 3.0, 2.0)
