"""What the stress lab and comparisons tell, against small cases worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.evaluation.stress.advice import next_for_game
from probespiel.evaluation.stress.compare import FIGURES, compare
from probespiel.evaluation.stress.conditions import EVERYBODY, NOBODY, Condition
from probespiel.evaluation.stress.dominance import Variety
from probespiel.evaluation.stress.dynamics import Courses, Raw
from probespiel.evaluation.stress.effect import _moved_seats, _of_matter, of_courses, of_variety
from probespiel.evaluation.stress.findings import Dynamics, Interval, Luck, Sample, SeatEffect, Use
from probespiel.evaluation.stress.forecast import Forecast
from tests.lab_findings import figure, findings
from tests.test_combine import found_of, judged
from tests.test_compare import findings as report
from tests.test_compare import play


def test_a_rule_without_actions_that_shortens_games_is_not_told_to_act_less() -> None:
    longer, shorter = figure("length", 10.0, 15.0, 0.2, 1.0), figure("length", 15.0, 10.0, 0.2, 1.0)
    told = [next_for_game(findings(one, use=Use(0)), "changes the game") for one in (longer, shorter)]
    assert told[0] == ("If games should not last longer, end them sooner by as much, or let it act less often.",)
    assert told[1] == ("If games should not be shorter, weaken what ends them.",)


def test_what_counts_beside_others_goes_by_what_results_deviate_by() -> None:
    """A rise of 0.2 is shown; it counts where results deviate by 1, and not where they deviate by 10."""
    alone, beside = found_of(0.3), found_of(0.5)
    assert judged(alone, beside).word == "stronger"
    assert alone.worth is not None
    assert judged(replace(alone, worth=replace(alone.worth, deviation=10.0)), beside).word == "no interplay shown"


def test_only_differences_to_the_first_version_are_counted() -> None:
    """Worth, that of either side and use are in both; six figures of a course in one are compared with nothing."""
    first, second = report(dynamics=None), report()
    assert compare([("a", first), ("b", second)]).compared == 4
    assert compare([("a", second), ("b", first)]).compared == 4
    assert compare([("a", second), ("b", second)]).compared == 10


def test_figures_of_versions_are_those_of_games_in_which_all_have_it() -> None:
    other = replace(play(), luck=Luck(0.9, 0.01, 9.0, 1.0))
    seat = SeatEffect(True, Sample(0.1, 0.0, 0.2, 9), Sample(0.3, 0.2, 0.4, 9), Sample(0.2, 0.1, 0.3, 9))
    found = report(dynamics=Dynamics(other, play()), seat=seat)
    told = [FIGURES[name].get(found) for name in ("luck", "first seat", "length")]
    assert [value and value.value for value in told] == [0.4, 0.3, 20.0]


# What it does to the game


def raw(length: float, changes: float = 0.0) -> Raw:
    values = {"lengths": length, "changes": changes, "margins": 1.0, "unresolved": 0.0, "comeback": 0.0}
    figures = {name: np.full((2, 20), value) for name, value in values.items()}
    return Raw(figures, np.zeros((2, 20), np.int64), (), True, {})


def test_what_counts_is_a_share_of_what_was_before() -> None:
    """A tenth of the decisions of a game, and a fifth of the changes of the lead, without the rule."""
    courses = Courses(raw(10.0, 2.0), raw(40.0, 8.0), (raw(40.0, 8.0), raw(10.0, 2.0)))
    counts = {change.name: change.counts for change in of_courses(courses, False)}
    assert counts["length"] == pytest.approx(1.0) and counts["lead changes"] == pytest.approx(0.4)


def test_what_counts_of_decisions_is_never_nothing() -> None:
    """A fifth of those that mattered before, and 0.05 where none did."""
    none, some = np.zeros(8), np.tile([1.0, 3.0], 4)
    assert _of_matter([none, some, some, none]).counts == 0.05
    found = _of_matter([some, none, none, some[:6]])
    assert found.counts == pytest.approx(0.4) and found.n == 6, "the deals that were looked at everywhere"


def variety(numbers: tuple[list[float], list[float], list[float]], lucky: list[list[float]], blocks: int) -> Variety:
    same = tuple(np.full(blocks, 0.2) for _ in range(3))
    first, second, third = (np.array(x) for x in numbers)
    a, b, c = (np.array(x) for x in lucky)
    none = np.zeros(0)
    return Variety((first, second, third), cast(Any, same), blocks, 1.5, (a, b, c), (none, none, none))


def test_the_number_of_strategies_has_the_spread_of_its_resamples() -> None:
    """Resamples 1 and 3, 2 and 6: deviations of sqrt(2), sqrt(8), sqrt(2) for the change, and times sqrt(2 / 1) each.

    Against the same strategies, 1 and 4 there, the change is 1 and 2: sqrt(1/2), times sqrt(2).
    """
    known = cast(Any, SimpleNamespace(nobody=SimpleNamespace(different=Interval(2.0, 2.0, 2.0)),
                                      everybody=SimpleNamespace(different=Interval(4.0, 4.0, 4.0))))  # fmt: skip
    found = of_variety(known, variety(([1.0, 3.0], [2.0, 6.0], [1.0, 4.0]), [[], [], []], 2))[0]
    assert np.square(found.errors) == pytest.approx([4.0, 16.0, 4.0])
    value, error = found.direct[0]
    assert (value, error**2) == (pytest.approx(2.5), pytest.approx(1.0))
    assert found.n == 2, "two blocks have one degree of freedom"


def test_of_two_changes_the_one_with_fewer_degrees_of_freedom_counts() -> None:
    """Three learned before and eleven after: 4/3 and 4 times 2 degrees and 10 make (16/3)² / ((4/3)² / 2 + 4² / 10).

    That of the same strategies, without any luck, has the 19 degrees of 20 blocks.
    """
    alike = cast(Any, SimpleNamespace(nobody=SimpleNamespace(different=Interval(2.0, 2.0, 2.0)),
                                      everybody=SimpleNamespace(different=Interval(4.0, 4.0, 4.0))))  # fmt: skip
    still = ([1.0] * 20, [1.0] * 20, [1.0] * 20)
    few, many = [1.0, 2.0, 3.0], np.linspace(1, 3, 11).tolist()
    found = of_variety(alike, variety(still, [few, many, many], 20))[0]
    assert np.square(found.errors) == pytest.approx([4 / 3, 4.0, 16 / 3])
    degrees = (16 / 3) ** 2 / ((4 / 3) ** 2 / 2 + 4.0**2 / 10)
    assert 11 < degrees < 12 and found.n == 12
    moving = ([1.0, 3.0] * 10, [1.0, 3.0] * 10, [1.0, 3.0] * 10)
    assert of_variety(alike, variety(moving, [[], [], []], 20))[0].n == 20, "19 degrees of 20 blocks"


def test_seats_are_moved_with_the_strategies_of_the_other_condition() -> None:
    """Of every condition first as it is and then mirrored; what sitting first is worth is half of the difference."""
    asked: list[tuple[Any, Any]] = []

    def cells(step: str, wanted: list[tuple[Any, Any]], deals: int, use: str) -> list[np.ndarray]:
        asked.extend(wanted)
        return [np.full(3, float(2**i)) for i in range(len(wanted))]

    conditions = {NOBODY: Condition(), EVERYBODY: Condition(holders=(0, 1))}
    bench = SimpleNamespace(holder_conditions=lambda: conditions, can_mirror=True)
    context = cast(Any, SimpleNamespace(bench=bench, used=True, budget=SimpleNamespace(measure=3), cells=cells))
    chosen = cast(Any, SimpleNamespace(moved=lambda whose, held: (whose, held)))
    found = _moved_seats(context, chosen)
    assert [gaps.tolist() for gaps in found] == [[-0.5] * 3, [-2.0] * 3, [-8.0] * 3, [-32.0] * 3]
    assert [(bool(condition.holders), condition.mirrored) for condition, _ in asked] == [
        (held, mirrored) for held in (False, True, True, False) for mirrored in (False, True)
    ]
    assert [pairs for _, pairs in asked[::2]] == [
        (NOBODY, False), (EVERYBODY, False), (NOBODY, True), (EVERYBODY, False),
    ]  # fmt: skip


# What it will take


def test_a_forecast_names_the_other_budgets_and_processes() -> None:
    found = Forecast({}, {"quick": 50.0, "standard": 600.0, "deep": 7200.0}, {})
    assert found.told("standard", 2) == (
        "This takes about 10 min with 2 processes (--budget quick 50 s, deep 2.0 h)."
    )  # fmt: skip
    assert found.told("quick", 1).startswith("This takes about 50 s with 1 process (--budget standard 10 min, deep")
