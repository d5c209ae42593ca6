"""What the stress lab says of the game as a whole, each figure on a small case worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.base import Agent, View
from probespiel.agents.match import Match, Schedule
from probespiel.envs import make_game
from probespiel.evaluation.stress import stakes as stakes_step
from probespiel.evaluation.stress.actions import counter_line, lines_of, stakes_of
from probespiel.evaluation.stress.advice import next_for_game
from probespiel.evaluation.stress.changes import Change, change_of, change_of_samples, figures_of, part_of, quantile
from probespiel.evaluation.stress.conditions import Condition
from probespiel.evaluation.stress.dominance import (
    Variety,
    cyclic_by_block,
    cyclic_of,
    different_number,
    learned_of,
    likeness,
    liking,
    without_each,
)
from probespiel.evaluation.stress.effect import freedom, luck_change, of_variety
from probespiel.evaluation.stress.findings import (
    ActionLine,
    CounterLine,
    Effect,
    Findings,
    Interval,
    Level,
    Oversight,
    Sample,
    SeatEffect,
    Stake,
)
from probespiel.evaluation.stress.game_levels import Watched, share_of_uses, sims_of
from probespiel.evaluation.stress.game_verdict import GAME_VERDICTS, GUESSING, ends, game_verdict_of, number, sentence
from probespiel.evaluation.stress.game_words import (
    action_lines,
    counter_lines,
    effect_lines,
    level_lines,
)
from probespiel.evaluation.stress.guided import Guided, Log, Marks
from probespiel.evaluation.stress.lab import Facts, Lab
from probespiel.evaluation.stress.levels import mean_rate, score_of, worth_of
from probespiel.evaluation.stress.rollouts import Branches
from probespiel.evaluation.stress.sample import (
    looks,
)
from probespiel.evaluation.stress.seated import seated
from probespiel.evaluation.stress.stakes import gaps, leads_of, mattering, plan, second_half, weighed
from probespiel.evaluation.stress.strategies import Mixture, Strategy
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.verdict import verdict_of

from .lab_findings import BOWS, FORCED, LENGTH, LOSES, OPEN, STILL, answers_with, figure, findings

# Changes


def test_a_part_is_a_mean_over_deals() -> None:
    """1, 2, 3, 4: mean 2.5, and so far each deal lies from it."""
    part = part_of(np.array([[1.0, 2.0, 3.0, 4.0]]), np.zeros((1, 4), dtype=np.int64))
    assert part.value == 2.5 and part.pulls.tolist() == [-1.5, -0.5, 0.5, 1.5] and part.seeds.tolist() == [2.5]


def test_a_part_with_gaps_is_a_ratio_of_sums() -> None:
    """Deal 0 has 1 of 2, deal 1 has 1 of 1: 2/3; pulls (1 - 4/3) / 1.5 and (1 - 2/3) / 1.5."""
    part = part_of(np.array([[1.0, np.nan], [0.0, 1.0]]), np.array([[0, 1], [1, 0]]))
    assert part.value == pytest.approx(2 / 3) and part.pulls == pytest.approx([-2 / 9, 2 / 9])
    assert part.seeds.tolist() == [1.0, 0.0]  # seed 0: 1 and 1; seed 1: 0
    assert np.isnan(part_of(np.full((1, 3), np.nan), np.zeros((1, 3))).value)


def test_a_change_is_paired_and_widened_by_the_seeds() -> None:
    """The same shift in all deals has no error; seeds that shift by 1 and by 3 have one of 1."""
    values = np.array([[1.0, 5.0, 2.0, 8.0]])
    same = np.zeros((1, 4), dtype=np.int64)
    found = change_of("length", part_of(values, same), part_of(values + 2, same), 0.1)
    assert (found.before, found.after, found.errors[2], found.n) == (4.0, 6.0, 0.0, 4)
    assert found.errors[0] == pytest.approx(values.std(ddof=1) / 2)
    seeds = np.array([[0, 1, 0, 1]])
    shifted = values + np.array([[1.0, 3.0, 1.0, 3.0]])
    found = change_of("length", part_of(values, seeds), part_of(shifted, seeds), 0.1)
    # deals: shifts 1, 3, 1, 3 deviate by 2 / sqrt(3), their mean by 1 / sqrt(3); seeds: 1 and 3 deviate by sqrt(2)
    assert found.errors[2] == pytest.approx((1 / 3 + 1) ** 0.5)


def test_intervals_hold_together() -> None:
    """Of two figures from ten deals each has the tail 0.0125: 2.685 standard errors; alone it has 2.262."""
    two = [Change("length", 1.0, 2.0, (0.5, 0.5, 0.1), 10, 0.5), Change("luck", 0.5, 0.5, (0.0, 0.0, 0.0), 10, 0.1)]
    first, second = figures_of(two)
    assert first.change.low == pytest.approx(1 - 0.2685, abs=1e-4)
    assert first.before.high == pytest.approx(1 + 0.5 * 2.2622, abs=1e-4)
    assert first.matters and first.shown and not first.within
    assert second.within and not second.shown and second.change == Interval(0.0, 0.0, 0.0)
    assert quantile(10, 1) == pytest.approx(2.2622, abs=1e-4)
    again = change_of_samples("first seat", Sample(0, -1, 1, 10), Sample(1, 0, 2, 10), Sample(1, 0.5, 1.5, 10), 0.1)
    assert again.errors == pytest.approx((1 / 2.2622, 1 / 2.2622, 0.5 / 2.2622), abs=1e-4)


def test_a_rule_without_effect_is_hardly_ever_accused() -> None:
    """Eight figures of pure noise: in at most 5 % of tests (here 400) any is shown to change."""
    r, wrong = np.random.default_rng(11), 0
    for _ in range(400):
        noise = r.normal(0, 1, (8, 40))
        changes = [Change("length", 0.0, float(x.mean()), (0, 0, float(x.std(ddof=1) / 40**0.5)), 40, 0) for x in noise]
        wrong += any(figure.shown for figure in figures_of(changes))
    assert wrong <= 28  # 20 are expected at most, with a deviation of 4.4


def test_luck_change() -> None:
    """All of the variance lies between deals, then none of it: the replicates take turns."""
    deals = np.tile([1.0, -1.0], 20)
    before, after = np.stack([deals, deals]), np.stack([np.ones(40), -np.ones(40)])
    found = luck_change(before, after)
    assert (found.before, found.after, found.errors[2]) == (1.0, 0.0, 0.0)
    assert luck_change(after, before).after == 1.0


# Decisions that matter


def test_decisions_that_matter() -> None:
    """Best and worst are told by one half and measured on the other; what falls behind by as much is taken off."""
    nan = np.nan
    first = np.array([[1.0, 0.0, nan], [0.3, 0.0, 0.2], [0.0, 0.0, nan]])
    second = np.array([[0.8, 0.2, nan], [0.0, 0.3, 0.1], [0.0, 0.0, nan]])
    assert gaps(first, second).tolist() == [[pytest.approx(0.6), 1.0], [-0.3, -0.3], [0.0, 0.0]]
    assert mattering(first, second, 0.1).tolist() == [1.0, -1.0, 0.0]
    assert mattering(first, second, 0.7).tolist() == [0.5, 0.0, 0.0]
    assert second_half(np.array([1.0]), np.array([2.0])).tolist() == [3.0]
    assert gaps(np.zeros((0, 2)), np.zeros((0, 2))).shape == (0, 2)


def test_a_payment_that_comes_in_any_case_parts_no_equal_values() -> None:
    """Values that are equal stay so with a twentieth more, which no number of the machine is, and by whole ones."""
    told = np.random.default_rng(1).integers(-2, 3, (500, 4)) / 2
    first, second = told, second_half(told, np.random.default_rng(2).integers(-4, 5, (500, 4)) / 4)
    for more in (0.05, 0.1, 1 / 3, 7.0):
        paid = second_half(first + more, (first + second) / 2 + more)
        assert gaps(first + more, paid) == pytest.approx(gaps(first, second), abs=1e-9)
    assert gaps(np.array([[0.0, 0.001]]), np.array([[5.0, 9.0]])).tolist() == [[4.0, 0.001]], "those do differ"


def test_luck_is_no_reason_for_a_decision_to_matter() -> None:
    """Actions that are all the same count for none on the average, whatever their noise."""
    r = np.random.default_rng(3)
    found = mattering(r.normal(0, 1, (4000, 5)), r.normal(0, 1, (4000, 5)), 0.1)
    assert abs(found.mean()) < 4 * found.std() / 4000**0.5
    assert (found > 0).mean() > 0.2  # each by itself would seem to matter


def test_that_a_rule_asks_is_no_act_of_it() -> None:
    """What is still to be done counts last, and only of a rule that nobody decides about."""
    assert looks([]) == (False, True) and looks([7]) == (False,)


def test_a_question_that_is_answered_alike_is_no_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games with a trap that nobody walks into, a real choice of the module, and moves of the game."""
    phases = np.repeat([1, 2, 3], 20)  # the trap, the choice, the game's own
    taken = np.array([0] * 19 + [1] + [0] * 18 + [1] * 2 + [2] * 20)
    values = np.tile([1.0, 0.0, np.nan], (60, 1))
    counting = weighed(values, phases, taken, [1, 2]).sum(axis=1)
    assert counting.tolist() == [1] * 20 + [2] * 20 + [3] * 20
    assert weighed(values, phases, taken, []).all() and not len(weighed(values[:0], phases[:0], taken[:0], [1]))
    numbers = np.tile([0, 1], 30)
    found = Branches(numbers, numbers, numbers, phases, taken, values, np.zeros((60, 0), dtype=np.float32), -1)
    monkeypatch.setattr(stakes_step, "branches_of", lambda *_, **__: found)
    monkeypatch.setattr(stakes_step, "schedule_of", lambda *_: SimpleNamespace(seating=0, dice=0, tables=0))
    game = SimpleNamespace(n_seats=2, spec=SimpleNamespace(phases=("", "trap", "school", "move")))
    lab = SimpleNamespace(bench=None, marks=None, facts=Facts(), game=lambda _: game, guided=lambda _: None)
    alone = Mixture((Strategy("a"),), (1.0,))
    counts = stakes_step.stakes(cast(Lab, lab), Condition(), alone, alone, 2, 0.5, 0.1, ["trap", "school"], 1)["counts"]
    assert counts.tolist() == [40.0, 40.0]  # 20 of 30 in each, half of which were looked at


def test_answers_that_nobody_gives_make_no_rivals_of_the_others() -> None:
    """Of three answers two are as good as each other, and the third, which costs, is never given: nothing depends."""
    values = np.tile([1.0, 1.0, -3.0], (4, 1))
    rivals = np.array([True, True, False])
    assert leads_of(values, values).tolist() == [4.0] * 4
    assert leads_of(values, values, rivals).tolist() == [0.0] * 4
    assert leads_of(values, values, np.array([True, False, True])).tolist() == [4.0] * 4
    alone = leads_of(np.array([[1.0, np.nan, -3.0]]), np.array([[1.0, np.nan, -3.0]]), rivals)
    assert alone.tolist() == [0.0]  # one of them alone is legal
    blank = np.array([[np.nan, 2.0, np.nan], [1.0, 0.0, np.nan]])
    assert mattering(blank, blank, 0.1).tolist() == [0.0, 1.0]


def test_few_games_that_were_all_alike_show_no_change_and_no_constancy() -> None:
    """Twelve games each, all drawn: one in three may be otherwise. What is no share of games is left as it is."""
    few, many = (Change("search", 0.5, 0.5, (0.0, 0.0, 0.0), n, 0.05, cases=(n, n)) for n in (12, 2_000))
    (one,), (other,) = figures_of([few]), figures_of([many])
    assert one.change.high == pytest.approx(1 - 0.05 ** (1 / 12)) and not Effect((one,), {}).stays(one)
    assert 0.0 < other.change.high < 0.002 and Effect((other,), {}).stays(other)
    (both, _) = figures_of([few, many])
    assert both.change.high == pytest.approx(1 - 0.025 ** (1 / 12))  # together they hold
    (length,) = figures_of([Change("length", 6.0, 6.0, (0.0, 0.0, 0.0), 12, 0.6)])
    assert length.change.high == length.change.low == 0.0
    (moved,) = figures_of([Change("draws", 0.0, 1.0, (0.0, 0.0, 0.0), 12, 0.05, cases=(12, 12))])
    assert moved.change.low == 1.0


def test_decisions_that_matter_are_not_fewer_than_none() -> None:
    """What is taken off for luck may be more than was seen; a change may go below."""
    assert number("decisions", -23.8) == "0.0 decisions" and number("decisions", -7.9, sign=True).startswith("−7.9")
    still = Interval(0.0, 0.0, 0.0)
    assert ends("draws", still, True) == "the same every time" and ends("draws", still) == "0% to 0%"


def test_how_much_is_looked_at() -> None:
    """A decision of 4 actions in a game of 10 takes 4 * 6 * 5 = 120 decisions of continuations."""
    assert plan(120 * 800, 10, 8, 4, 0) == (100, 1.0)
    assert plan(120 * 160, 10, 8, 4, 0) == (40, 0.5)  # 40 games at least, so half of their decisions
    assert plan(1e9, 10, 8, 4, 0) == (400, 1.0)
    assert plan(120 * 800, 10, 8, 4, 600) == (50, 1.0)  # a long observation costs twice as much


# Strategies


def test_twins_count_as_one_strategy() -> None:
    """Rock, paper and scissors with rock twice: three strategies that differ, however rock's weight is divided."""
    cycle = np.array([[0, 0, -1, 1], [0, 0, -1, 1], [1, 1, 0, -1], [-1, -1, 1, 0]], dtype=float)
    blocks = np.repeat(cycle[None], 4, axis=0)
    alike = likeness(blocks, 1.0)
    assert alike[0, 1] == 1.0 and alike[0, 2] < 1e-9
    assert different_number(np.array([1 / 6, 1 / 6, 1 / 3, 1 / 3]), alike) == pytest.approx(3)
    assert different_number(np.array([0.5, 0.5, 0.0, 0.0]), alike) == pytest.approx(1)
    # rows that differ by 0.2 against one of four: root mean square 0.1, at scale 1 just one unit
    near = np.zeros((2, 4, 4))
    near[:, 0, 3] = 0.2
    assert likeness(near, 1.0)[0, 1] == pytest.approx(np.exp(-0.5))


def test_cyclic_share_without_one_block_at_a_time() -> None:
    cycle = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], dtype=float)
    assert cyclic_by_block(np.repeat(cycle[None], 4, axis=0)) == pytest.approx([1.0] * 4)
    order = np.array([2.0, 1.0, 0.0])
    ranks = order[:, None] - order[None, :]
    assert cyclic_by_block(np.repeat(ranks[None], 4, axis=0)) == pytest.approx([0.0] * 4, abs=1e-12)


def test_without_one_learned_strategy_at_a_time() -> None:
    """Rock, paper, scissors and a fool who loses to all by 3; then without the fool, and without scissors.

    Of all four heights are 3/4, 3/4, 3/4 and -9/4: |M|² = 6 + 54, |G|² = 2 * 3 * 9. Without the fool all is cyclic.
    Without scissors heights are 4/3, 2/3 and -2: |M|² = 2 (1 + 9 + 9), |G|² = 2 (4 + 100 + 64) / 9.
    """
    game = np.array([[0, 1, -1, 3], [-1, 0, 1, 3], [1, -1, 0, 3], [-3, -3, -3, 0]], dtype=float)
    blocks = np.repeat(game[None], 4, axis=0)
    assert cyclic_of(blocks) == pytest.approx(1 - 54 / 60)
    assert without_each(blocks, [3, 2], cyclic_of) == pytest.approx([1.0, 1 - 168 / 9 / 19])
    assert without_each(blocks, [], cyclic_of).tolist() == []


def test_what_was_learned() -> None:
    """By action values of the whole game, or of when to use the module; heuristics and searches are the same again."""
    pool = [Strategy("a"), Strategy("b", net="b.npz"), Strategy("c", agent="search"), Strategy("d", whether="d.npz")]
    assert learned_of(seated([pool, pool], pool[0])) == [1, 3]


def test_who_uses_it_as_he_likes() -> None:
    """Of two heuristics and their ways of use those that are held to none: they are in both pools."""
    pool = [Strategy("a"), Strategy("a").using("always"), Strategy("b").using("as_is"), Strategy("a").using("coin")]
    assert liking(seated([pool, pool], pool[0])) == [0, 2]


def varied(cyclic: Sequence[Sequence[float]], lucky: Sequence[Sequence[float]]) -> Change:
    """The change of the cyclic share by its values without a block, and without a learned strategy, at a time."""
    first, second, third = (np.array(x) for x in cyclic)
    before, after, back = (np.array(x) for x in lucky)
    one, none = (np.ones(20),) * 3, (np.zeros(0),) * 3
    variety = Variety((one[0], one[1], one[2]), (first, second, third), 20, 1.0, (none[0], none[1], none[2]),
                      (before, after, back))  # fmt: skip
    alike = SimpleNamespace(different=Interval(1.0, 1.0, 1.0))
    numbers, out = of_variety(cast(Any, SimpleNamespace(nobody=alike, everybody=alike)), variety)
    assert (numbers.name, numbers.errors, numbers.direct) == ("strategies", (0.0, 0.0, 0.0), ((0.0, 0.0),))
    return out


def test_the_luck_of_learning_widens_what_changes_of_the_ways_to_play() -> None:
    """Games always alike, three strategies learned before and two after: variances by hand, 2/3 and 1/2 of squares.

    Before 0.1, 0.2 and 0.3 without one at a time, 2/3 * 0.02; after 0.1 and 0.5, 1/2 * 0.08; the same ones without the
    rule 0.1 and 0.3, so that they change by 0 and 0.2, 1/2 * 0.02. The change has (4/3 + 4)² / ((4/3)² / 2 + 4²) = 1.68
    degrees of freedom, that with the same strategies 1: Student's quantile for two of these.
    """
    still = ([0.2] * 20, [0.4] * 20, [0.3] * 20)
    found = varied(still, ([0.1, 0.2, 0.3], [0.1, 0.5], [0.1, 0.3]))
    squares = (0.04 / 3, 0.04, 0.04 / 3 + 0.04)
    assert np.square(found.errors) == pytest.approx(squares)
    assert found.direct == ((pytest.approx(0.1), pytest.approx(0.1)),) and found.n == 2
    assert found.luck**2 == pytest.approx(squares[2])
    assert figures_of([found])[0].learned == pytest.approx(quantile(2, 1) * squares[2] ** 0.5)
    assert (found.before, found.after) == (pytest.approx(0.2), pytest.approx(0.4))
    assert freedom((0.0, squares[0] ** 0.5, 0.2), (19, 2, 1)) == pytest.approx(28.444 / 16.889, abs=1e-3)
    assert freedom((0.3, 0.3), (10, 10)) == pytest.approx(20) and freedom((0.0, 0.0), (19, 2)) == 19.0
    # nothing learned (values are exact): the games alone; learned once: nothing can be told
    assert varied(still, ([], [], [])).errors == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)
    assert not np.isfinite(varied(still, ([0.2], [0.4, 0.4], [0.3, 0.3])).after)


def test_a_circle_by_the_luck_of_learning_is_not_shown() -> None:
    """The share rises from 14 % to 23 % in games without any noise: shown if learners agree, not if they differ."""
    still = ([0.14] * 20, [0.23] * 20, [0.14] * 20)
    agree = varied(still, ([0.14] * 4, [0.23] * 4, [0.14] * 4))
    differ = varied(still, ([0.14] * 4, [0.20, 0.22, 0.24, 0.26], [0.11, 0.13, 0.15, 0.17]))
    assert [figures_of([found])[0].shown for found in (agree, differ)] == [True, False]
    assert figures_of([differ])[0].direct[0].low > 0  # the same ones do change alike


# Levels


def test_worth_and_scores_of_levels() -> None:
    """Side 0 gains 1 and 3, side 1 gains 2 and 0."""
    without = np.array([1.0, 1.0])
    found = worth_of([(without + [1.0, 3.0], without), (without + [1.0, -1.0], without - 1.0)])
    room = 2 * (1 - 0.05**0.5)  # results differ by 2 at most, and two deals alike do not tell that all are
    assert found.value == 1.5 and found.games == 2 and found.high - found.value == pytest.approx(room)
    # the stronger wins as side 0 and draws as side 1; then loses and wins
    assert score_of(np.array([1.0, -1.0]), np.array([0.0, -2.0])).tolist() == [0.75, 0.5]


# Actions and counters


def branches(game: Any, values: list[list[float]], taken: list[int], phase: int = 0) -> Branches:
    n = len(values)
    full = np.full((n, game.n_actions), np.nan)
    full[:, : len(values[0])] = values
    numbers = np.arange(n)
    return Branches(numbers, numbers, numbers * 0, np.full(n, phase), np.array(taken), full, np.zeros((n, 0)), -1)


def test_every_action_has_its_line() -> None:
    """Action 0 is taken once in two chances and gains (0 + 2) / 2 over what was taken; 1 declines; 2 never was one."""
    game = make_game("ews_rps", "plain_rps", compiled=False)
    nan = float("nan")
    found = branches(game, [[3.0, 1.0, nan], [4.0, 2.0, nan], [nan, 5.0, nan]], [0, 1, 1])
    lines = lines_of(game, found, [0, 1, 2], frozenset({0}))
    told = [(line["chances"], line.get("rate"), line.get("gain"), line["declines"]) for line in lines]
    assert told == [(2, 0.5, 1.0, False), (3, pytest.approx(2 / 3), pytest.approx(-2 / 3), True), (0, None, None, True)]
    words = action_lines([ActionLine(**line) for line in lines], " EP")
    assert "taken in 50% of 2 chances that were tried and gains +1.00 EP over what is done there" in words[0]
    assert "(declines it)" in words[1] and "was never a choice" in words[2]


def test_stakes_are_those_of_questions_that_nobody_can_decline() -> None:
    """The halves are 2 apart and 4 apart; a decision with another way out does not count."""
    game = make_game("ews_rps", "plain_rps", compiled=False)
    nan = float("nan")
    half = branches(game, [[1.0, -1.0, nan], [9.0, 0.0, 5.0]], [0, 0])
    both = branches(game, [[1.5, -1.5, nan], [9.0, 0.0, 5.0]], [0, 0])
    (row,) = stakes_of(game, half, both, frozenset({0, 1}))
    assert (row["phase"], row["count"], row["spread"], row["error"]) == (game.spec.phases[0], 1, 3.0, None)


def test_counters_at_the_end() -> None:
    """Two games of two seats: means 1 and 3, so 2 with an error of 1."""
    line = CounterLine(**counter_line("focus", np.array([[0.0, 2.0], [3.0, 3.0]])))
    assert (line.mean, line.least, line.most, line.games) == (2.0, 0, 3, 2) and line.error == pytest.approx(1.0)
    assert "“focus” stands at 2.0 on the average (± 2.0), 0 to 3 in 2 games" in counter_lines([line])[0]


@pytest.mark.parametrize(("low", "high", "beyond"), [(0, 3, False), (0, 2, True), (1, 3, True), (-1, 4, False)])
def test_a_counter_that_leaves_its_range_is_told(low: int, high: int, beyond: bool) -> None:
    """It goes from 0 to 3."""
    (told,) = counter_lines([CounterLine(**counter_line("focus", np.array([[0.0, 2.0], [3.0, 3.0]]), low, high))])
    assert (f"It is declared as {low} to {high}: hold it there" in told) == beyond
    german = words("de")
    assert (f"Zähler mit {low} bis {high}: ihn darin halten" in german(told).replace("−", "-")) == beyond
    assert not german.missed


# The verdict on the game


NEARLY = replace(figure("draws", 0.1, 0.91, 0.02, 0.05), after=Interval(0.91, 0.89, 0.93))


@pytest.mark.parametrize(
    ("made", "word"),
    [
        (findings(STILL), "changes little"),
        (findings(STILL, OPEN), "no change shown"),
        (findings(STILL, LENGTH), "longer games"),
        (findings(figure("length", 10.0, 8.0, 0.2, 1.0)), "shorter games"),
        (findings(LENGTH, figure("luck", 0.5, 0.3, 0.1, 0.05)), "changes the game"),
        (findings(figure("unresolved", 0.0, 0.06, 0.03, 0.02), LENGTH), "stalls the game"),
        (findings(figure("unresolved", 0.0, 0.04, 0.03, 0.02)), "more games without an end"),
        (findings(figure("draws", 0.1, 0.4, 0.1, 0.05), LENGTH), "stalls the game"),
        (findings(figure("draws", 0.1, 0.4, 0.1, 0.05), STILL), "more draws"),
        (findings(figure("draws", 0.1, 1.0, 0.02, 0.05), STILL), "stalls the game"),  # nobody wins any more
        (findings(NEARLY, STILL), "more draws"),  # it may be fewer than nine of ten
        (findings(figure("draws", 0.85, 1.0, 0.02, 0.05), STILL), "more draws"),  # hardly another game than before
        (findings(figure("draws", 0.1, 1.0, 0.02, 0.05), figure("length", 10.0, 8.0, 0.2, 1.0)), "changes the game"),
        (findings(figure("length", 10.0, 21.0, 0.5, 1.0)), "stalls the game"),
        (findings(STILL, use=FORCED), GUESSING),
        (findings(STILL, use=replace(FORCED, choices=answers_with(0.08))), GUESSING),  # learned: not quite even
        (findings(STILL, use=replace(FORCED, choices=answers_with(0.5))), "changes little"),  # fire is right
        (findings(STILL, use=replace(FORCED, stakes=(Stake("school", 100, 0.1, 0.1),))), "changes little"),
        (findings(STILL, use=replace(FORCED, stakes=(Stake("school", 100, 0.01, 0.01),))), "decoration"),
        (findings(STILL, use=replace(FORCED, games=25, stakes=(Stake("school", 100, 0.01, 0.01),))), "decoration"),
        # five answers a game: five hundredths of its result
        (findings(STILL, use=replace(FORCED, games=20, stakes=(Stake("school", 100, 0.01, 0.01),))), "changes little"),
        (findings(STILL, use=BOWS), "decoration"),
        (findings(LENGTH, use=BOWS), "decoration"),
        (findings(STILL, use=replace(BOWS, worth=LOSES)), "changes little"),  # its fields are read later on
        (findings(figure("luck", 0.5, 0.3, 0.1, 0.05), use=BOWS), "the deal decides less"),
        (findings(STILL, breakage=None, effect=None), "open"),
    ],
)
def test_verdicts_on_the_game(made: Findings, word: str) -> None:
    found = game_verdict_of(made)
    assert found.word == word and found.why
    assert made.effect is None or next_for_game(made, word)
    assert word in GAME_VERDICTS or word == "open" or len(made.effect.figures if made.effect else ()) <= 2


@pytest.mark.parametrize(
    ("gain", "share"), [(0.30, 0.5), (0.02, 0.95)], ids=["one answer is better", "one answer is nearly always given"]
)
def test_no_guessing_game_where_there_is_a_best_choice(gain: float, share: float) -> None:
    best = replace(FORCED.choices[0], gain=gain, share=share)
    made = findings(STILL, use=replace(FORCED, choices=(best, replace(FORCED.choices[1], share=1 - share))))
    assert game_verdict_of(made).word == "changes little"


def test_sentences_about_figures() -> None:
    """Every figure is told with its interval, in its unit; what stays, what is open and what is left out is told."""
    assert sentence(LENGTH) == "a game lasts 15.0 decisions instead of 10.0 decisions (+4.8 to +5.2)"
    fewer = figure("luck", 0.5, 0.3, 0.1, 0.05)
    assert sentence(fewer) == "the deal decides 30% of the results' variance instead of 50% (−30 to −10 points)"
    told = effect_lines(Effect((LENGTH, STILL, OPEN), {"cycles": "there is one side"}))
    assert told[0].startswith("A game lasts 15.0") and told[1] == "Shown to stay as they are, within what counts: luck."
    assert told[2] == "Not sure, the intervals reach too far: search."
    assert told[3] == "Left out, because there is one side: cycles."
    little = effect_lines(Effect((figure("luck", 0.5, 0.51, 0.005, 0.05),)))
    assert "less than what counts: the deal decides 51%" in little[0]


def test_what_only_other_strategies_change_is_not_said_of_the_rule() -> None:
    """A change must show with the same strategies, too, and the same way; one way of holding them is enough."""
    nothing, up, down = Interval(0.0, 0.0, 0.0), Interval(1.0, 0.5, 1.5), Interval(-1.0, -1.5, -0.5)
    wide = Interval(0.0, -1.0, 1.0)
    ways = {"one": (nothing, up), "other": (up, nothing), "none": (nothing, nothing), "against": (down, down),
            "unsure": (wide, wide)}  # fmt: skip
    shown = {name: replace(LENGTH, direct=direct).shown for name, direct in ways.items()}
    assert shown == {"one": True, "other": True, "none": False, "against": False, "unsure": False}
    drift, unsure = replace(LENGTH, direct=(nothing, nothing)), replace(LENGTH, direct=(wide, wide))
    assert drift.untouched and Effect((drift,)).stays(drift)
    assert not unsure.untouched and not Effect((unsure,)).stays(unsure)
    assert game_verdict_of(findings(drift)).word == "changes little"
    assert game_verdict_of(findings(unsure)).word == "no change shown"
    told = effect_lines(Effect((unsure,)))[0]
    assert "with the same ones no change is shown: a game lasts" in told and "by the strategies" in told
    assert effect_lines(Effect((drift,)))[1] == "With the same strategies no game went otherwise by it."
    part = [part_of(np.array([[x, x + 1.0]]), np.zeros((1, 2))) for x in (1.0, 4.0, 2.0, 1.5)]
    found = change_of("length", part[0], part[1], 0.1, part[2:])
    assert found.direct == ((1.0, 0.0), (2.5, 0.0))  # with it: 2 instead of 1; without it: 1.5 instead of 4


def test_an_interval_goes_no_further_than_a_figure_can() -> None:
    """A share from nothing to all, strategies from one on, but their changes as far as they reach."""
    wide = Interval(0.5, -0.1, 3.9)
    assert ends("draws", wide) == "0% to 100%" and ends("strategies", wide) == "1.0 to 3.9"
    assert ends("strategies", wide, sign=True) == "−0.1 to +3.9"


def test_what_players_adapt_to_is_not_said_to_stay() -> None:
    """Where the rule touches other figures, one that differs by what counts may do so because of it; a small one stays.

    Of a rule that touches no game, all that differs is the luck of learning.
    """
    nothing, up = Interval(0.0, 0.0, 0.0), Interval(0.1, 0.05, 0.15)
    drawn = replace(figure("draws", 0.11, 1.0, 0.02, 0.05), direct=(nothing, nothing))
    touched = replace(figure("skill", 0.68, 0.78, 0.02, 0.03), direct=(nothing, up))
    slight = replace(figure("comebacks", 0.20, 0.24, 0.02, 0.05), direct=(nothing, nothing))
    both = Effect((drawn, touched, slight))
    assert [both.stays(f) for f in both.figures] == [False, False, True] and not both.untouched
    told = effect_lines(both)
    assert any(x.startswith("100% of the games are drawn instead of 11% (") and "has learned to" in x for x in told)
    assert any(line == "Shown to stay as they are, within what counts: comebacks." for line in told)
    alone = Effect((drawn, slight))
    assert alone.untouched and alone.stays(drawn) and "draws and comebacks" in effect_lines(alone)[0]


def test_a_seat_is_not_favoured_by_the_luck_of_learning() -> None:
    """The first seat gains 0.4 with it, but nothing if the strategies stay the same."""
    seat = SeatEffect(True, Sample(0, -0.1, 0.1, 99), Sample(0.4, 0.3, 0.5, 99), Sample(0.4, 0.3, 0.5, 99))
    first = figure("first seat", 0.0, 0.4, 0.1, 0.1)
    made = findings(first, seat=seat)
    assert verdict_of(made).word == "seat-favouring"
    nothing = Interval(0.0, 0.0, 0.0)
    still = replace(made, effect=Effect((replace(first, direct=(nothing, nothing)),)))
    assert verdict_of(still).word == "neutral"


def test_who_it_is_for() -> None:
    made = findings(STILL, worth=0.2)
    assert made.worth
    levels = (
        Level("beginners", "choose at random", "at random", Sample(0.05, 0.01, 0.09, 50), 0.5, 0.01),
        Level("experts", "play the mixture", "when it pays", made.worth.overall, None, None),
    )
    told = level_lines(levels, made)
    assert told[0] == (
        "Beginners (choose at random): having it is worth +0.05 EP among them (+0.01 to +0.09; 50 games); "
        "they use it at random, in 50% of their chances (± 2 points)."
    )
    assert told[1].endswith("(+0.19 to +0.21; 99 games).")
    exact = replace(made, worth=replace(made.worth, exact=True))
    assert "(exact)" in level_lines(levels, exact)[1] and "(exact)" not in level_lines(levels, exact)[0]


def test_what_is_overlooked() -> None:
    """One sentence an oversight, with its worth and use; German has them all."""
    rows = (
        Oversight("never", Sample(0.0, -0.01, 0.01, 50), 0.0, 0.0),
        Oversight("overlook", Sample(0.1, 0.05, 0.15, 50), 0.55, 0.01, 0.4),
        Oversight("always", Sample(-0.1, -0.15, -0.05, 50), 1.0, None),
        Oversight("random", Sample(0.1, 0.05, 0.15, 50), None, None),
        Oversight("unseen", Sample(0.4, 0.35, 0.45, 50), None, None),
    )
    told = level_lines((), replace(findings(STILL, worth=0.2), oversights=rows))
    assert told[0] == (
        "If its holder never thinks of using it, having it is worth 0.00 EP (−0.01 to +0.01; 50 games); "
        "it is used in 0% of the chances (± 0 points)."
    )
    assert "overlooks it in 40% of the chances, having it is worth +0.10 EP" in told[1] and "in 55% of" in told[1]
    assert told[2].endswith("it is used in 100% of the chances.") and told[3].endswith("50 games).")
    assert told[4].startswith("If the others do not reckon with it")
    german = words("de")
    german.all(told)
    assert not german.missed


def test_rates_of_sides_and_blocks() -> None:
    """Two sides: 0.2 and 0.4, errors 0.03 and 0.04: 0.3, and 0.05 / 2. Blocks 1 of 2 and 3 of 4: 4 of 6."""
    assert mean_rate([(0.2, 0.03), (0.4, 0.04), (None, None)]) == pytest.approx((0.3, 0.025))
    assert mean_rate([(None, None)]) == (None, None) and mean_rate([(0.2, None)]) == (0.2, None)
    rate, error = share_of_uses([2, 4], [1, 3], 20)
    gaps = [1 - 2 * 2 / 3, 3 - 4 * 2 / 3]
    assert rate == pytest.approx(2 / 3) and error == pytest.approx((sum(g * g for g in gaps) * 2) ** 0.5 / 6)
    assert share_of_uses([0, 0], [0, 0], 20) == (None, None)
    assert share_of_uses([2, 4], [2, 4], 20) == (1.0, pytest.approx((1 - 0.05 ** (1 / 20)) / 1.96))
    assert share_of_uses([2, 4], [0, 0], 20) == (0.0, pytest.approx((1 - 0.05 ** (1 / 20)) / 1.96))


@pytest.mark.parametrize(
    ("agent", "sims"), [("casual:sims=16,temperature=0.5", 16), ("search:sims=8000", 8000), ("counter", 200)]
)
def test_simulations_of_levels(agent: str, sims: int) -> None:
    assert sims_of(agent) == sims


class Plain(Agent):
    """One action, always."""

    def __init__(self, action: int) -> None:
        self.action = action

    def act(self, view: View) -> int:
        return self.action


def test_uses_of_an_agent_are_counted() -> None:
    """An agent that always passes, and one that always bets, in Kuhn poker, where both are legal at every decision."""
    game = make_game("kuhn", compiled=False)
    for action, uses in ((0, 0), (1, 1)):
        watched = Watched(Plain(action), game, [1])
        with Match(game, [watched, "random"], 1, None) as match:
            match.play(Schedule.of(1, np.arange(6), np.array([[0, 1]] * 6)))
        assert watched.chances >= 6 and watched.uses == uses * watched.chances


def test_what_is_overlooked_is_not_used() -> None:
    """A bettor who overlooks bets always passes, whatever it likes; by half it does so in about half of its games."""
    game = make_game("kuhn")
    rates = []
    for chance in (0.0, 0.5, 1.0):
        log = Log(4000)
        bettor = Guided("bettor", "", Marks(frozenset({1})), "always", log=log, overlook=chance)
        with Match(game, [bettor], 1, None) as match:
            match.play(Schedule.of(1, np.arange(600), np.array([[0, 0]] * 600)))
        rates.append(float(log.read().taken.mean()))
    assert rates[0] == 1.0 and abs(rates[1] - 0.5) < 0.06 and rates[2] == 0.0


@pytest.mark.parametrize(("name", "low", "high", "sign", "told"), [
    ("length", 2.68, 2.84, False, "2.7 to 2.8"),
    ("length", -0.3, 0.14, True, "−0.3 to +0.1"),
    ("draws", -0.02, 0.13, False, "0% to 13%"),  # a share is nowhere below nothing or above all
    ("cycles", 0.32, 1.02, False, "32% to 100%"),
    ("draws", -0.17, 0.009, True, "−17 to +0.9"),  # but changes are: in points, as told beside them
    ("first seat", -0.02, 0.04, False, "−0.02 to 0.04"),
])  # fmt: skip
def test_ends_of_intervals_are_told_once_with_their_unit(
    name: str, low: float, high: float, sign: bool, told: str
) -> None:
    """A table with every unit three times over is wider than a screen."""
    assert ends(name, Interval(0.0, low, high), sign) == told
