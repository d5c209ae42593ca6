"""What the stress lab says of the game as a whole, each figure on a small case worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.base import Agent, View
from probespiel.agents.match import Match, Schedule
from probespiel.envs import make_game
from probespiel.envs.core.replay import Choice as Step
from probespiel.envs.core.replay import Recorder
from probespiel.evaluation.stress import declining as declining_step
from probespiel.evaluation.stress import inert as inert_step
from probespiel.evaluation.stress import stakes as stakes_step
from probespiel.evaluation.stress.actions import counter_line, lines_of, stakes_of
from probespiel.evaluation.stress.advice import next_for_game, next_for_holder
from probespiel.evaluation.stress.changes import Change, change_of, change_of_samples, figures_of, part_of, quantile
from probespiel.evaluation.stress.conditions import Condition, Settings
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
from probespiel.evaluation.stress.dynamics import Courses, Raw
from probespiel.evaluation.stress.effect import freedom, luck_change, of_courses, of_variety
from probespiel.evaluation.stress.findings import (
    ActionLine,
    Breakage,
    Choice,
    CounterLine,
    Effect,
    Fault,
    Figure,
    Findings,
    HookNumber,
    Interval,
    Level,
    Oversight,
    Place,
    Sample,
    SampleGame,
    SeatEffect,
    SideWorth,
    Stake,
    Use,
    UseWorth,
    Worth,
    WorthRow,
)
from probespiel.evaluation.stress.game_levels import Watched, share_of_uses, sims_of
from probespiel.evaluation.stress.game_verdict import GAME_VERDICTS, GUESSING, game_verdict_of, sentence
from probespiel.evaluation.stress.game_words import (
    action_lines,
    counter_lines,
    effect_lines,
    level_lines,
    sample_lines,
)
from probespiel.evaluation.stress.guided import Guided, Log, Marks
from probespiel.evaluation.stress.lab import Facts, Lab, declining_of, open_lab, position_bytes
from probespiel.evaluation.stress.levels import mean_rate, score_of, worth_of
from probespiel.evaluation.stress.own_fields import deciding_fields
from probespiel.evaluation.stress.rollouts import Branches, branches_of
from probespiel.evaluation.stress.sample import (
    acting,
    commented,
    line_of,
    looks,
    moment_of,
    parting,
    reckoned_with,
    turned,
    used_first,
    winner,
    within,
)
from probespiel.evaluation.stress.shadow import Shadow
from probespiel.evaluation.stress.stakes import gaps, mattering, plan, second_half, settled
from probespiel.evaluation.stress.strategies import Chosen, Mixture, Strategy, joined
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.tunable import numbers_in, turned_in, turned_of
from probespiel.evaluation.stress.usage import worths
from probespiel.evaluation.stress.verdict import verdict_of
from probespiel.evaluation.stress.words import answers

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
    assert first.matters and first.shown and not first.stays
    assert second.stays and not second.shown and second.change == Interval(0.0, 0.0, 0.0)
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
    taken = np.array([5] * 19 + [6] + [5] * 18 + [6] * 2 + [7] * 20)
    assert settled(phases, taken, [1, 2]).tolist() == [True] * 20 + [False] * 40
    assert not settled(phases, taken, []).any() and not settled(phases[:0], taken[:0], [1]).any()
    values = np.tile([1.0, 0.0], (60, 1))
    numbers = np.tile([0, 1], 30)
    found = Branches(numbers, numbers, numbers, phases, taken, values, np.zeros((60, 0), dtype=np.float32), -1)
    monkeypatch.setattr(stakes_step, "branches_of", lambda *_, **__: found)
    monkeypatch.setattr(stakes_step, "schedule_of", lambda *_: SimpleNamespace(seating=0, dice=0, tables=0))
    game = SimpleNamespace(n_seats=2, spec=SimpleNamespace(phases=("", "trap", "school", "move")))
    lab = SimpleNamespace(bench=None, marks=None, facts=Facts(), game=lambda _: game, guided=lambda _: None)
    alone = Mixture((Strategy("a"),), (1.0,))
    counts = stakes_step.stakes(cast(Lab, lab), Condition(), alone, alone, 2, 0.5, 0.1, ["trap", "school"], 1)["counts"]
    assert counts.tolist() == [40.0, 40.0]  # 20 of 30 in each, half of which were looked at


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
    assert learned_of(pool) == [1, 3]


def test_who_uses_it_as_he_likes() -> None:
    """Of two heuristics and their ways of use those that are held to none: they are in both pools."""
    pool = [Strategy("a"), Strategy("a").using("always"), Strategy("b").using("as_is"), Strategy("a").using("coin")]
    assert liking(pool) == [0, 2]


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
    assert found.value == 1.5 and found.games == 2 and found.high - found.value == pytest.approx(0.0)
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


# The verdict on the game


def figure(name: str, before: float, after: float, half: float, counts: float) -> Figure:
    value = after - before
    around = [Interval(x, x, x) for x in (before, after)]
    return Figure(name, around[0], around[1], Interval(value, value - half, value + half), counts, 100)


def findings(*figures: Figure, use: Use | None = None, worth: float = 0.0, **more: Any) -> Findings:
    """Findings of a module that is worth so much, where results deviate by 1."""
    row = WorthRow(0, Sample(worth, worth, worth, 99), Interval(0, -0.1, 0.1), worth, 0.0, 0.5, 0.5)
    sides = tuple(SideWorth(side, (row,), (worth,)) for side in ("A", "B"))
    made = Findings(
        game="game", module="rule.py", scenario="", params={}, budget="quick", seed=1, sides=("A", "B"),
        unit=("card", "cards"), payoff_unit="EP", ruleset="", version="", offered=True, use=use or Use(0),
        worth=Worth(sides, Sample(worth, worth - 0.01, worth + 0.01, 99), 1.0, Interval(0.0, -0.1, 0.1)),
        effect=Effect(figures, {"cycles": "there is one side"}),
    )  # fmt: skip
    return replace(made, **more)


STILL = figure("luck", 0.5, 0.5, 0.01, 0.05)
OPEN = figure("search", 0.5, 0.52, 0.1, 0.05)
LENGTH = figure("length", 10.0, 15.0, 0.2, 1.0)
FORCED = Use(
    2, forced=100, stakes=(Stake("school", 100, 1.2, 0.1),),
    choices=(Choice("school", "fire", 50, 0.5, 0.02, 0.02), Choice("school", "water", 50, 0.5, -0.02, 0.02)),
)  # fmt: skip


def answers_with(gain: float) -> tuple[Choice, ...]:
    """Fire gains so much over the mixture of both answers."""
    return Choice("school", "fire", 50, 0.5, gain, 0.02), Choice("school", "water", 50, 0.5, -gain, 0.02)


BOWS = Use(1, opportunities=500, worth=UseWorth(500, 300, 0.0, 0.01, 0.0, 0.1, 0.1))
LOSES = UseWorth(500, 300, -0.03, 0.01, 0.0, 0.1, 0.2)


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
        (findings(figure("length", 10.0, 21.0, 0.5, 1.0)), "stalls the game"),
        (findings(STILL, use=FORCED), GUESSING),
        (findings(STILL, use=replace(FORCED, choices=answers_with(0.08))), GUESSING),  # learned: not quite even
        (findings(STILL, use=replace(FORCED, choices=answers_with(0.5))), "changes little"),  # fire is right
        (findings(STILL, use=replace(FORCED, stakes=(Stake("school", 100, 0.1, 0.1),))), "changes little"),
        (findings(STILL, use=replace(FORCED, stakes=(Stake("school", 100, 0.01, 0.01),))), "decoration"),
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
    assert drift.untouched and drift.stays and not unsure.untouched and not unsure.stays
    assert game_verdict_of(findings(drift)).word == "changes little"
    assert game_verdict_of(findings(unsure)).word == "no change shown"
    assert effect_lines(Effect((unsure,)))[0].endswith("with the same ones no change is shown: length.")
    assert effect_lines(Effect((drift,)))[1] == "With the same strategies no game went otherwise by it."
    part = [part_of(np.array([[x, x + 1.0]]), np.zeros((1, 2))) for x in (1.0, 4.0, 2.0, 1.5)]
    found = change_of("length", part[0], part[1], 0.1, part[2:])
    assert found.direct == ((1.0, 0.0), (2.5, 0.0))  # with it: 2 instead of 1; without it: 1.5 instead of 4


def test_a_seat_is_not_favoured_by_the_luck_of_learning() -> None:
    """The first seat gains 0.4 with it, but nothing if the strategies stay the same."""
    seat = SeatEffect(True, Sample(0, -0.1, 0.1, 99), Sample(0.4, 0.3, 0.5, 99), Sample(0.4, 0.3, 0.5, 99))
    first = figure("first seat", 0.0, 0.4, 0.1, 0.1)
    made = findings(first, seat=seat)
    assert verdict_of(made).word == "seat-favouring"
    nothing = Interval(0.0, 0.0, 0.0)
    still = replace(made, effect=Effect((replace(first, direct=(nothing, nothing)),)))
    assert verdict_of(still).word == "neutral"


# Next steps


@pytest.mark.parametrize(
    ("made", "word", "said"),
    [
        (findings(worth=0.27, ranges={"price": (1, 5)}), "small", "found it is worth 0.27 EP to its holder"),
        (findings(worth=0.27, ranges={"price": (1, 5)}), "small", "price=1..5 --target worth=-0.050..0.050` looks for"),
        (findings(worth=0.27, ranges={"price": (1, 5), "most": (0, 3)}), "small",
         "value; others that might do: most; none was tried here."),
        (findings(worth=0.27, ranges={"price": (1, 5)}), "always-use", "worth=-0.050..0.050 --target use` looks"),
        (findings(worth=0.27), "strong", "declare one"),
        (findings(worth=0.27, hooks=("choose", "options")), "strong", "let it cost so much in its hook `choose`, and"),
        (findings(worth=0.27, hooks=("total",)), "strong", "let it cost so much in its hook `total`, and"),
        (findings(worth=0.27, numbers=(HookNumber("m", "total", 4, 12), HookNumber("m", "choose", 1, 9))), "small",
         "its hook `total` has one, 4 in line 12. Make it one (`module.param(\"amount\", 4, 0, 8)`, and `p.m_amount` "
         "in its place), and `probespiel balance game --module rule.py --param amount=0..8 --target"),
        (findings(worth=0.27, numbers=(HookNumber("m", "payoff", 0.2, 9),)), "small",
         "(`module.param(\"hundredths\", 20, 0, 40)`, and `p.m_hundredths / 100` in its place)"),
        (findings(worth=-0.27), "small", "Its holder loses 0.27 EP"),
        (findings(), "neutral", "Nothing has to be balanced"),
        (findings(), "dead rule", "cheaper"),
        (findings(use=replace(BOWS, rate=0.03, worth=UseWorth(9, 9, 0, 0, 1, 0, 0, leaves=(
            Place("hand ≤ 2", 0.1, 0.5, 0.1, 50), Place("hand > 2", 0.9, -0.3, 0.1, 50))))),
         "neutral", "used in 3% of the chances: it only pays where hand ≤ 2 (+0.50 EP)."),
        (findings(use=replace(BOWS, rate=0.99)), "neutral", "in 99% of the chances: no situation speaks against it"),
        (findings(breakage=None, worth=0.0), "open", "--resume"),
    ],
)  # fmt: skip
def test_next_steps(made: Findings, word: str, said: str) -> None:
    """Results deviate by 1, so that 0.05 is what the verdict calls neutral."""
    told = next_for_holder(made, word)
    assert said in " ".join(told)
    german = words("de")
    german.all(told)
    assert not german.missed


@pytest.mark.parametrize(
    ("deviation", "size"), [(0.22, "0.011"), (2.0, "0.10"), (30.0, "1.5"), (400.0, "20"), (5000.0, "250")]
)
def test_the_target_is_what_counts_as_neutral_in_this_game(deviation: float, size: str) -> None:
    """A twentieth of what results deviate by, whatever the unit, to two figures and no more than whole numbers."""
    made = findings(worth=0.27, ranges={"price": (1, 5)})
    assert made.worth is not None
    made = replace(made, worth=replace(made.worth, deviation=deviation))
    assert f"--target worth=-{size}..{size}`" in " ".join(next_for_holder(made, "small"))


HOOKS = """
BONUS = 7
@module.hook
def options(s, p, seat, window, words):
    allow_for(words, TAKE, 0, 3)
@module.hook
def choose(s, p, seat, window, action):
    s.rule_used[seat] = 1
    draw(s, seat, 2, max(s.cards[5], 9))
@module.hook
def total(s, p, seat, value):
    if s.round == 3:
        return value + 4 * (s.power[1] > 6) if s.power[2] - 5 else min(value, 30)
    return value - BONUS * s.rule_used[seat + 2] / 100
def helper(s):
    return s.power + 8
"""


def test_numbers_of_hooks_that_could_be_turned() -> None:
    """What an answer is changed by comes before what services are given; by hand, line by line."""
    found = [(x.hook, x.value, x.line) for x in numbers_in(HOOKS, "rule")]
    assert found == [("total", 4.0, 13), ("total", 7.0, 14), ("choose", 2.0, 9)]


ADDED = """
@module.hook
def answered(s, p, phase, seat, action):
    if has(s, p, 1) and answer_of(s, 1) == TAKE:
        s.rule_used[seat] += 1
        s.rule_won[seat] += 8
"""


def test_what_is_added_to_a_field_could_be_turned() -> None:
    """But neither a seat that is asked for, nor a count."""
    assert [(x.value, x.line) for x in numbers_in(ADDED, "rule")] == [(8.0, 6)]


TURNED = """
@module.hook
def options(s, p, seat, window, words):
    if s.rule_used[seat] < p.rule_limit:
        allow(words, TAKE)
@module.hook
def choose(s, p, seat, window, action):
    pay(s, p, seat, p.rule_price)
    share(s, p)
@module.hook
def total(s, p, seat, value):
    return value + p.rule_bonus * (s.power[seat] > p.rule_least) + p.rule_always + s.rule_state
@module.hook
def observe(s, p, seat, out):
    out[0] = p.rule_shown
def share(s, p):
    s.pot += p.rule_part
def unused(s, p):
    s.pot += p.rule_lost
"""


def test_parameters_that_can_be_turned() -> None:
    """By what an answer is made of first, then what is paid, also by a function that is called; then conditions.

    A switch, what is only shown, what no hook reads, a field of the state, another module's parameter are none.
    """
    names = ("limit", "shown", "price", "least", "lost", "bonus", "always", "part", "state", "unread")
    ranges = {name: (0, 1) if name == "always" else (0, 5) for name in names}
    assert list(turned_in(TURNED, "rule", ranges)) == ["bonus", "price", "part", "limit", "least"]
    assert turned_in(TURNED, "other", ranges) == {} and turned_in(TURNED, "rule", {"part": (2, 4)}) == {"part": (2, 4)}


def test_numbers_of_shipped_modules_are_turned() -> None:
    """Of a rule with a price, a condition and a text that is chosen: what is declared, in the files as they are."""
    for name, found in (
        ("oneshot.modules.flanking", {"bonus": (1, 3), "comrades": (1, 3)}),
        ("konfrontation.modules.blackmail", {"price": (1, 20)}),
        ("scorekeeper.modules.free_parry", {"limit": (0, 20)}),  # after_acting is a switch
        ("einblatt.modules.marked_cards", {}),
    ):
        source = import_module(f"probespiel.envs.{name}")
        assert turned_of(source.module, source) == found, name


def places(*gains: float) -> UseWorth:
    """What a use gains in as many situations, each with an error of 0.1."""
    leaves = tuple(Place(f"place {n}", 0.5, gain, 0.1, 50) for n, gain in enumerate(gains))
    return UseWorth(9, 9, 0, 0, 1, 0, 0, leaves=leaves)


@pytest.mark.parametrize(
    ("rate", "gains", "said"),
    [
        (0.04, (0.28, -0.9), "in 4% of the chances: no situation was found in which it clearly pays."),  # < 2.9 errors
        (0.04, (0.30, -0.9), "in 4% of the chances: it only pays where place 0 (+0.30 EP)."),
        (0.97, (0.9, -0.28), "in 97% of the chances: no situation speaks against it."),
        (0.97, (0.9, -0.30), "in 97% of the chances: it does not pay where place 1 (\N{MINUS SIGN}0.30 EP)."),
        (0.50, (0.9, -0.9), ""),
    ],
)
def test_where_a_use_pays_is_told_of_what_is_rare_or_usual(rate: float, gains: tuple[float, ...], said: str) -> None:
    """And only of situations whose gain is clear: beyond 2.6 errors, and 0.15 more for each that was looked at."""
    told = " ".join(next_for_holder(findings(use=replace(BOWS, rate=rate, worth=places(*gains))), "neutral"))
    assert said in told and ("It is used in" in told) == bool(said)


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ((LENGTH,), "should not last longer"),
        ((figure("length", 15.0, 10.0, 0.2, 1.0),), "should not be shorter"),
        ((STILL, OPEN), "If that is what it is meant for, nothing has to be done."),
        ((figure("draws", 0.1, 0.12, 0.001, 0.05),), "nothing has to be done"),  # shown, but it does not count
        ((figure("draws", 0.4, 0.1, 0.1, 0.05),), "nothing has to be done"),  # fewer draws ask for nothing
        ((figure("first seat", 0.0, 0.4, 0.1, 0.1),), "Give the last seat something"),
        ((figure("first seat", 0.4, 0.0, 0.1, 0.1),), "Give the first seat something"),
    ],
)
def test_the_next_step_answers_the_figure_that_matters(figures: tuple[Figure, ...], said: str) -> None:
    (told,) = next_for_game(findings(*figures, use=BOWS), "changes the game")
    assert said in told


def test_a_rule_that_acts_by_itself_cannot_be_used_less_often() -> None:
    """Advice on use is for modules with actions; the others can only act less."""
    for figures, word in ((figure("length", 10.0, 21.0, 0.5, 1.0), "stalls the game"), (LENGTH, "longer games")):
        passive, used = (" ".join(next_for_game(findings(figures, use=use), word)) for use in (Use(0), BOWS))
        assert "act" in passive and "used" not in passive and "can be had" not in passive
        assert "used" in used or "can be had" in used


def test_the_next_step_after_a_fault_is_its_game() -> None:
    made = findings(breakage=Breakage((Fault("endless", "loops", "everybody", replay="1-endless.json"),)))
    assert "replays/1-endless.json" in next_for_holder(made, "broken")[0]
    assert game_verdict_of(made).word == "broken" and next_for_game(made, "broken") == ()


def test_a_rule_of_the_whole_table_gives_nobody_an_edge() -> None:
    made = findings(STILL, worth=0.4, whole_table=True)
    found = verdict_of(made)
    assert found.word == "shared" and "advantage" not in " ".join((*found.why, *found.remarks))
    told = answers(replace(made, verdict=found))["worth"]
    assert "nobody has it alone" in told[0] and "A +0.40 EP" in told[0] and "Whoever" not in told[0]


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
    rate, error = share_of_uses([2, 4], [1, 3])
    gaps = [1 - 2 * 2 / 3, 3 - 4 * 2 / 3]
    assert rate == pytest.approx(2 / 3) and error == pytest.approx((sum(g * g for g in gaps) * 2) ** 0.5 / 6)
    assert share_of_uses([0, 0], [0, 0]) == (None, None)


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


# The sample game


def test_games_that_are_turned() -> None:
    """Games 1, 2 and 4 have another winner; gained with a use first, then gained, then lost; draws turn nothing."""
    before, after = winner(np.array([1.0, -1, -1, 0, 1])), winner(np.array([1.0, 1, 2, 1, -1]))
    length, used = np.array([5, 5, 9, 5, 5]), np.array([True, False, True, True, True])
    assert turned(before, after, length, used, gains=True) == [2, 1, 4]
    assert turned(before, after, length, used, gains=False) == [4, 2, 1]
    assert turned(before, after, length, np.ones(5, dtype=bool), gains=True) == [1, 2, 4]


LINES: list[dict[str, Any]] = [
    {"who": "A", "what": "bet", "then": [], "step": 2}, {"who": "B", "what": "call", "then": ["A wins"], "step": 4},
]  # fmt: skip


def test_the_decisive_moment() -> None:
    """A use that gained; else the first step at which the rule acts of those that move the payoffs most."""
    assert [line_of(LINES, step) for step in (0, 1, 2, 3, 4, 9)] == [None, None, 0, 0, 1, 1]
    best = {"number": 1, "instead": "fold", "swing": 0.5, "weight": 1}
    assert moment_of(LINES, [(2, 1.0, [])], best) == (1, "B uses it: call (instead of: fold)")
    assert moment_of(LINES, [], None) == (None, None)
    assert moment_of(LINES, [(2, 0.0, []), (3, 1.0, []), (4, 1.0, [])], None) == (0, "the rule acts after A: bet")
    assert moment_of(LINES, [(0, 0.0, [])], None) == (None, "the rule acts before the first decision")
    assert moment_of(LINES, [], None, 0) == (0, "A uses it: bet")
    assert moment_of(LINES, [(4, 1.0, [])], None, 0) == (1, "the rule acts after B: call")
    assert moment_of(LINES, [(4, 1.0, [])], best, 0) == (1, "B uses it: call (instead of: fold)")
    marked = commented(LINES, 1, [(4, 1.0, ["B wins"])], best, 1)
    assert [line["decisive"] for line in marked] == [False, True] and not marked[0]["comment"]
    assert marked[1]["comment"] == (
        "up to here both games are the same. the rule acts; without it: B wins. worth +0.50 against “fold”"
    )


def test_a_rule_that_is_reckoned_with() -> None:
    """The first decision that is another one, by the same person."""
    other = [{**LINES[0]}, {**LINES[1], "what": "fold"}]
    assert reckoned_with(LINES, other, 1) == (1, "B decides on call (instead of: fold)")
    assert reckoned_with(LINES, other, None) == reckoned_with(LINES, other, 2) == (None, None)
    assert reckoned_with(LINES, [LINES[0], {**LINES[0], "what": "fold"}], 1) == (None, None)


def test_how_many_games_are_looked_at_for_a_moment() -> None:
    """Two uses are weighed; without a use 40 games are looked at, or 20,000 decisions, and one game at least."""
    used, few = np.array([True, True, True, False, True, False]), np.full(6, 5)
    assert within([0, 1, 2, 3, 4, 5], few, used, 2) == [0, 1, 3, 5]
    assert within([2, 5, 4, 0], few, used, 1) == [2, 5]
    many = np.zeros(100, dtype=bool)
    assert within(range(100), np.full(100, 5), many, 2) == list(range(40))
    assert within([7, 3, 9], np.full(100, 9_000), many, 2) == [7, 3]
    assert within([7, 3, 9], np.full(100, 30_000), many, 2) == [7]


def test_what_is_said_of_a_sample_game() -> None:
    made = findings(STILL)
    none = sample_lines(SampleGame(False, 100, 0), made)
    assert "In 0 of 100 deals" in none[0] and "no such deal was found" in none[0]
    shown = SampleGame(True, 100, 7, "B", 3, {"A": "hunter"}, 1.0, -1.0, True, "the rule acts after A: bet", 1)
    told = sample_lines(shown, made)
    assert told[0].startswith("In 7 of 100 deals") and "A plays hunter" in told[0]
    assert told[1] == "Without it B gets −1.00 EP; where B has it, +1.00 EP."
    assert told[3] == "It acts by itself, and this is when: the rule acts after A: bet."
    used = sample_lines(shown, replace(made, use=BOWS))  # it acts after a use, perhaps much later
    assert used[3] == "This is when it acts: the rule acts after A: bet."
    parting_use = replace(shown, passive=False, gained=False, moment="B uses it: call")
    assert sample_lines(parting_use, made)[3] == "With this use the games part: B uses it: call."
    threat = replace(parting_use, reckoned=True, moment="B decides on call (instead of: fold)")
    assert sample_lines(threat, made)[3] == (
        "It does nothing in this game, but is reckoned with, and here the games part: B decides on call "
        "(instead of: fold)."
    )
    told = sample_lines(SampleGame(False, 100, 7, idle=True), made)[0]
    assert told.endswith("There is no game to show: it is used in none of them.")
    told = sample_lines(SampleGame(False, 100, 7), made)[0]
    assert told.endswith("There is no game to show: in none of them its moment could be told.")
    gained = replace(parting_use, gained=True, moment="B uses it: call (instead of: fold)")
    assert sample_lines(gained, made)[3] == ("The use that gained most: B uses it: call (instead of: fold).")


# Rules compared step by step


JACKS = '''"""A jack counts as three."""
from typing import Any
from probespiel.envs.kuhn.module import Module
module = Module("jacks", "A jack counts as three.")
@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """Of a holder."""
    return 3 if card == 0 else value
'''


def laboratory(game: str, module: str, folder: Path) -> Lab:
    """A lab whose rules are interpreted."""
    lab = open_lab(Settings(game, module), folder)
    lab.bench.compiled = False
    return lab


def test_where_a_rule_acts(tmp_path: Path) -> None:
    """At the showdown that it turns, and nowhere else; the other game is told."""
    path = tmp_path / "jacks.py"
    path.write_text(JACKS)
    lab = laboratory("kuhn", str(path), tmp_path)
    game, plain = lab.game(lab.bench.everybody()), lab.game(Condition())
    shadow = Shadow(plain, position_bytes(lab, game, own=False))

    def played(made: Any, cards: tuple[int, int]) -> Any:
        recorder = Recorder(made)
        for card in cards:
            recorder.fall(card)
        for seat in (0, 1):
            recorder.apply(seat, 0)
        return recorder.replay()

    jack_first, others = played(game, (0, 0)), played(game, (1, 1))  # jack against queen; queen against king
    assert jack_first.payoffs[0] == 1 and played(plain, (0, 0)).payoffs[0] == -1
    (act,) = acting(jack_first, shadow, frozenset(), frozenset())
    assert act[0] == len(jack_first.steps) and act[1] == 2.0
    assert acting(others, shadow, frozenset(), frozenset()) == []
    assert acting(jack_first, shadow, frozenset({0, 1}), frozenset()) == []  # uses are not the rule's own doing
    assert parting(jack_first, played(plain, (0, 0))) == 2 and parting(jack_first, others) is None
    first, second = [step.action for step in jack_first.steps if isinstance(step, Step)]
    assert used_first(jack_first, 0, frozenset({first})) == 0 and used_first(jack_first, 1, frozenset({second})) == 1
    assert used_first(jack_first, 0, frozenset()) is None
    assert used_first(jack_first, 2, frozenset({first, second})) is used_first(jack_first, None, frozenset()) is None


def test_that_a_rule_asks_first_is_no_moment(tmp_path: Path) -> None:
    """Blackmail asks for an offer before the game goes on: nothing has happened yet."""
    lab = laboratory("konfrontation-clash", "blackmail", tmp_path)
    game, plain = lab.game(lab.bench.everybody()), lab.game(Condition())
    shadow, own = Shadow(plain, position_bytes(lab, game, own=False)), frozenset(lab.own_actions)
    recorder = Recorder(game)
    while not (set(recorder.position.legal(recorder.position.to_act()[0])) & own):
        seat = recorder.position.to_act()[0]
        recorder.apply(seat, recorder.position.legal(seat)[0])
    asked = recorder.replay()
    assert acting(asked, shadow, frozenset(), lab.marks.phases), "who is asked differs"
    assert acting(asked, shadow, own, lab.marks.phases) == []


def test_answers_that_decline_are_found_by_effect(tmp_path: Path) -> None:
    """Whoever makes no offer or refuses to pay goes on as if there were no blackmail; offers and payments change it."""
    lab = laboratory("konfrontation-clash", "blackmail", tmp_path)
    found = declining_step.declining(lab, lab.bench.everybody(), 1)["actions"]
    game = lab.game(lab.bench.everybody())
    assert [game.actions.codes[a] for a in found] == ["blackmail.no_offer", "blackmail.refuse"]


def test_a_module_says_itself_what_declines_it(tmp_path: Path) -> None:
    """Its uses are its other actions, and every action has a line."""
    text = (Path(__file__).parents[1] / "envs/konfrontation/modules/blackmail.py").read_text(encoding="utf-8")
    text = text.replace("from ..", "from probespiel.envs.konfrontation.").replace("blackmail", "racket")
    text = text.replace('nicht zahlen (refuse)")', 'nicht zahlen (refuse)", decline=True)')
    path = tmp_path / "racket.py"
    path.write_text(text, encoding="utf-8")
    lab = laboratory("konfrontation-clash", str(path), tmp_path)
    codes = lab.game(lab.bench.everybody()).actions.codes
    assert [codes[a].partition(".")[2] for a in sorted(lab.marks.actions)] == ["offer", "no_offer", "pay"]
    assert [codes[a] for a in declining_of(lab.bench)] == ["racket.refuse"]
    assert [codes[a].partition(".")[2] for a in lab.own_actions] == ["offer", "no_offer", "pay", "refuse"]
    lab.facts = Facts(declining=(min(lab.own_actions),))
    assert len(lab.marks.actions) == 2 and len(lab.own_actions) == 4


STANCES = '''"""A fighter takes a stance for the rest of the round."""
from typing import Any
from probespiel.envs.scorekeeper.module import ME, Module
from probespiel.envs.scorekeeper.services import allow_bits, ask_module
module = Module("poses", "Poses.")
module.state("now", scope="round", doc="the pose")
TAKEN = module.phase("poses_taken")
STEADY = module.action("steady", "stand (poses)")
BOLD = module.action("bold", "press (poses)")
@module.hook
def turn(s: Any, p: Any, seat: int) -> None:
    """On turn."""
    ask_module(s, ME, TAKEN, seat)
@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """Both."""
    allow_bits(words, STEADY, 3)
@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Remembered, and seen by nothing else for now."""
    s.poses_now[seat] = max(s.poses_now[seat], action - STEADY)
'''


def test_answers_that_the_module_remembers_do_not_decline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two poses only the one that leaves the fighter as it was is none; the other could act on later rolls."""
    monkeypatch.setattr(declining_step, "GAMES", 4)
    path = tmp_path / "poses.py"
    path.write_text(STANCES)
    lab = laboratory("scorekeeper-duel", str(path), tmp_path)
    found = declining_step.declining(lab, lab.bench.everybody(), 1)["actions"]
    codes = lab.game(lab.bench.everybody()).actions.codes
    assert [codes[a] for a in found] == ["poses.steady"]


def test_an_answer_that_changes_nothing_at_times_does_not_decline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In odd rounds to press is remembered, in even ones to stand: each answer leaves all as it was now and then."""
    monkeypatch.setattr(declining_step, "GAMES", 4)
    path = tmp_path / "poses.py"
    path.write_text(STANCES.replace("action - STEADY)", "int((action - STEADY) % 2 == s.round_no % 2))"))
    lab = laboratory("scorekeeper-duel", str(path), tmp_path)
    condition, same = lab.bench.everybody(), set[tuple[int, bool]]()
    before = declining_step.unchanged

    def watched(question: Any, action: int, shadow: Any, own: Any) -> bool | None:
        found = before(question, action, shadow, own)
        same.add((action, bool(found)))
        return found

    monkeypatch.setattr(declining_step, "unchanged", watched)
    assert declining_step.declining(lab, condition, 1)["actions"] == []
    assert len(same) == 4, "either answer does both"


def test_strategies_that_are_moved_keep_their_luck() -> None:
    """Names decide the luck of strategies; moved to the game with the module they leave it alone, all alike."""
    one, two = Strategy("hunter", base="hunter"), Strategy("learned", net="a.npz", scope="everywhere")
    mixture = Mixture((one, two), (0.25, 0.75))
    chosen = Chosen({}, {"nobody": [(mixture, mixture), (mixture, mixture)]})
    ((rows, columns),) = chosen.moved("nobody", held=True)
    assert [s.name for s in rows.strategies] == ["hunter", "learned"] and rows.weights == mixture.weights
    assert {s.use for s in (*rows.strategies, *columns.strategies)} == {"never"}
    assert chosen.moved("nobody", held=False) == chosen.of_seeds("nobody")
    assert chosen.all_moved("nobody", held=True) == (rows, columns)
    players, weights, _ = joined(Mixture((one.leaving,), (1.0,)), columns)  # one player, not two of one name
    assert [p.name for p in players] == ["hunter", "learned"] and weights == [1.0, 0.0]


# What a module decides by

READER = '''"""A module for tests."""
from typing import Any
from probespiel.envs.ews_rps.module import ME, Module
from probespiel.envs.ews_rps.services import allow, answer_of
module = Module("reader", "A module for tests.", payoff_shift=1.0)
GO = module.action("go", en="go", de="gehen")
for name in ("shown", "limit", "count", "paid", "index", "copy", "from_", "told", "cells"):
    module.state(name, doc="a number")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Once."""
    if s.reader_limit[seat] == 0:
        allow(words, GO)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Counted in several ways."""
    s.reader_shown[seat] = s.reader_limit[seat] = 1
    s.reader_count[seat] = min(9, s.reader_count[seat] + 1)
    s.reader_paid[seat] += 1
    s.reader_told[s.reader_index[seat]] += 1
    s.reader_copy[seat] = s.reader_from_[seat]
    s.reader_cells[seat][0] += 1


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """What is told decides nothing yet."""
    s.reader_copy[seat] = answer_of(s, seat)


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Paid."""
    return value + s.reader_paid[seat]{more}


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Seen."""
    out[0] = s.reader_shown[seat]
'''


@pytest.mark.parametrize(("more", "answers"), [("", set[str]()), (" + answer_of(s, seat)", {"mq_told"})])
def test_which_of_its_numbers_a_module_decides_by(tmp_path: Path, more: str, answers: set[str]) -> None:
    """What payoffs, indexes and other numbers are made of; not what is only shown, counted, or limits the offer."""
    path = tmp_path / "reader.py"
    path.write_text(READER.replace("{more}", more))
    source = ModuleType("reader")
    source.__file__ = str(path)
    fields = dict.fromkeys(("shown", "limit", "count", "paid", "index", "copy", "from_", "told", "cells"))
    module = SimpleNamespace(name="reader", fields=fields)
    found = deciding_fields(cast(Any, module), source)
    assert found == {"reader_paid", "reader_index", "reader_from_", *answers}


def test_a_use_that_is_paid_later_has_an_effect() -> None:
    """Of a module that pays what was taken the taken amount is a part of the position; of a counter nothing is."""

    def kept(game: str, path: Path) -> set[str]:
        lab = open_lab(Settings(game, str(path), budget="quick"), Path())
        lab.bench.compiled = False
        made = lab.bench.game(lab.bench.everybody())
        keep = position_bytes(lab, made, own=False, deciding=True)
        names = [f"{lab.bench.modules[0].name}_{field}" for field in lab.bench.modules[0].fields] + ["mq_told"]
        fields: Any = made.state_dtype.fields
        return {name for name in names if name in fields and keep[fields[name][1]]}

    planted = Path(__file__).parent / "planted"
    assert kept("ews_rps", planted / "alms.py") == {"alms_taken"}
    assert kept("ews_rps", planted / "morra.py") == {"morra_equal"}, "answers are read where they are given alone"
    assert kept("oneshot-parley", planted / "hum.py") == set()


def test_its_own_questions_do_not_count_for_the_length() -> None:
    """Games of four decisions, two of them its own, last as long as games of two."""

    def raw(length: float, asked: float) -> Raw:
        figures = {"lengths": np.full((2, 20), length), "margins": np.zeros((2, 20)), "unresolved": np.zeros((2, 20))}
        phases = {"move": length - asked, **({"school": asked} if asked else {})}
        return Raw(figures, np.zeros((2, 20), np.int64), (), False, phases)

    courses = Courses(raw(2.0, 0.0), raw(4.0, 2.0), (raw(5.0, 3.0), raw(2.0, 0.0)))
    assert courses.own == 2.0 and courses.questions == {"school"}
    length = next(change for change in of_courses(courses, True) if change.name == "length")
    assert (length.before, length.after) == (2.0, 2.0) and [value for value, _ in length.direct] == [0.0, 0.0]
    told = effect_lines(Effect((STILL,), own=2.0))
    assert "Its own questions, 2.0 decisions a game, do not count for the length." in told


@pytest.mark.parametrize(
    ("game", "name", "nothing"),
    [
        ("oneshot-parley", "hum", True),  # a question of its own
        ("ews_rps", "trinket", True),  # an option in a window of its own
        ("konfrontation-clash", "motto", True),  # a filter that answers what was so
        ("ews_rps", "alms", False),  # paid at the end
        ("ews_rps", "hot_hand", False),  # dice of its own, paid at the end
        ("ews_rps", "granite", False),
        ("konfrontation-clash", "schools", False),
        ("kuhn", "twin_queens", False),
    ],
)
def test_a_rule_that_changes_nothing(game: str, name: str, nothing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games with it stand like those without it, whatever is chosen; the first that does not tells."""
    monkeypatch.setattr(inert_step, "GAMES", 6)
    lab = open_lab(Settings(game, str(Path(__file__).parent / "planted" / f"{name}.py"), budget="quick"), Path())
    lab.bench.compiled = False
    found = inert_step.inert(lab, lab.bench.everybody(), 3)
    assert (found["games"] == 6) == nothing and found["games"] in (0, 6)


def test_a_rule_that_changes_nothing_is_neutral() -> None:
    """However far learners of a few seeds lie apart; but what is shown to be worth something acts where few come."""
    made = findings(STILL, OPEN, inert=400)
    assert made.worth is not None
    unsure = replace(made.worth, overall=Sample(-0.1, -0.2, 0.01, 99))
    made = replace(made, worth=unsure)
    assert verdict_of(made).word == "neutral" and "in 400 games" in verdict_of(made).why[0]
    assert game_verdict_of(made).word == "changes little" and "in 400 games" in game_verdict_of(made).why[0]
    assert verdict_of(replace(made, inert=0)).word != "neutral"
    # random play never met what it changes, but those who play well did
    acting = replace(findings(STILL, OPEN, worth=0.3), inert=400)
    assert verdict_of(acting).word == "strong" and game_verdict_of(acting).word == "no change shown"
    shown = replace(made, worth=replace(unsure, overall=Sample(-0.1, -0.2, -0.01, 99)))
    assert verdict_of(shown).word != "neutral"
    assert game_verdict_of(replace(made, effect=Effect((LENGTH,)))).word == "longer games"


def test_a_use_changes_nothing_that_is_drawn_later() -> None:
    """A bet is 0.3 / 20 more or less at the end, whatever else is played: half of that is the lead."""
    lab = open_lab(Settings("ews_rps", str(Path(__file__).parent / "planted" / "hot_hand.py"), budget="quick"), Path())
    lab.bench.compiled = False
    anybody = Mixture((Strategy("random", base="random"),), (1.0,))
    got = worths(lab, lab.bench.everybody(), anybody, anybody, samples=12, deals=6, replicates=1, seed=4)
    half = 0.3 / 20 / 2
    assert got["count"] == 12 and got["effect"] == 1.0 and 0 < got["better"] < 1
    assert got["gain"] == pytest.approx(half * (got["better"] - got["worse"]))
    assert got["better"] + got["worse"] == 1.0


def test_learners_see_a_use_on_the_same_draws() -> None:
    """What is taught of a bet is what it pays, 0.3 / 20 / 2 more or less than none, and nothing that is drawn later."""
    lab = open_lab(Settings("ews_rps", str(Path(__file__).parent / "planted" / "hot_hand.py"), budget="quick"), Path())
    lab.bench.compiled = False
    game, player = lab.bench.game(lab.bench.everybody()), lab.guided(Strategy("random", base="random"))
    found = branches_of(game, [player], np.zeros((2, 2), dtype=np.int64), [0, 1], 10, 5, marks=lab.marks)
    gaps = [row[np.isfinite(row)] for row in found.values]
    assert len(gaps) == 10 and all(len(gap) == 2 for gap in gaps)
    assert [abs(gap[1] - gap[0]) for gap in gaps] == pytest.approx([0.3 / 20 / 2] * 10)
