"""Numbers of a search for balance, and words about them, each worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.errors import ProbespielError
from probespiel.evaluation.balance.fit import Fit
from probespiel.evaluation.balance.measuring import Measured
from probespiel.evaluation.balance.profile import GRID, Profile, curve, root_of
from probespiel.evaluation.balance.records import Balance, Figure, Point
from probespiel.evaluation.balance.space import Axis, Space
from probespiel.evaluation.balance.targets import Target, targets_of
from probespiel.evaluation.balance.texts import words
from probespiel.evaluation.balance.words import figure_text, point_text, summary_lines
from probespiel.evaluation.stress.compare import FIGURES


def profile(mid: list[float], low: list[float] | None = None, high: list[float] | None = None) -> Profile:
    """A falling profile at 0, 1, 2, ..., known without any doubt unless a band is given."""
    at = np.array(mid, float)
    ends = (at if low is None else np.array(low, float), at if high is None else np.array(high, float))
    return Profile(np.arange(len(mid), dtype=float), at, ends[0], ends[1], -1)


def test_between_two_known_places_a_root_has_a_value_and_both_ends() -> None:
    found = root_of(profile([3.0, 1.0, -3.0]), 0.0)
    assert found is not None
    assert (found.value, found.low, found.high) == (1.25, 1.0, 2.0) and not (found.open_low or found.open_high)


def test_each_figure_tells_whether_its_own_target_is_met() -> None:
    """A length within its range is not called missed because the worth lies outside of its own."""
    figures = (Figure("worth", 0.05, 0.04, 0.06, 9), Figure("length", 9.0, 8.0, 11.0, 9), Figure("luck", 50, 40, 60, 9))
    point = Point({"cost": 5}, figures=figures, meets="no")
    aims = targets_of(["worth=0..0.02", "length=0..10"])
    told = point_text(point, aims, "EP", words("en"))
    assert (
        told.count("met") == 1 and "+0.040 to +0.060): not met, length 9.0" in told and "11.0): perhaps, luck" in told
    )
    assert point_text(point, aims[:1], "EP", words("en")).endswith(" (not met)")
    met = point_text(point, targets_of(["worth=0..0.06", "length=0..11"]), "EP", words("de"))
    assert met.count(": erfüllt") == 2 and "nicht" not in met
    exactly = point_text(point, targets_of(["worth=0.05"]), "EP", words("en"))
    assert not exactly.endswith("met)")


def test_of_several_stretches_the_one_with_the_root_is_told() -> None:
    """At 1 and at 2 the figure may be nothing; its root at 1.75 is nearer to 2; at 1.5 it surely is something."""
    x = np.array([0.0, 1.0, 1.5, 2.0, 3.0])
    low, high = np.array([0.9, -0.1, 0.05, -0.3, -0.6]), np.array([1.1, 0.7, 0.2, 0.2, -0.4])
    found = root_of(Profile(x, np.array([1.0, 0.5, 0.1, -0.1, -0.5]), low, high, -1), 0.0)
    assert found is not None and (found.value, found.low, found.high) == (1.75, 1.5, 3.0)
    assert not found.open_low and not found.open_high


def test_an_end_at_which_the_figure_is_known_is_no_open_one() -> None:
    """The first place has the value itself, and so has the last; where only its band holds it, it may lie beyond."""
    band = [-0.5, -0.5, -1.0], [0.5, 0.5, 0.5]
    first = root_of(profile([0.0, -0.1, -0.3], *band), 0.0, near=0.0)
    assert first is not None and (first.value, first.low, first.high) == (0.0, 0.0, 2.0)
    assert not first.open_low and first.open_high
    last = root_of(profile([0.3, 0.1, 0.0], *band), 0.0, near=2.0)
    assert last is not None and last.value == 2.0 and last.open_low and not last.open_high


def test_one_known_point_among_others_does_not_make_all_known() -> None:
    """0 without any error, then 1 with one of 0.1: at the second place the band is 1.96 of it wide to either side."""
    found = curve(np.arange(2.0), np.array([0.0, 1.0]), np.diag([0.0, 0.01]), 1, np.arange(2.0))
    assert found.low[0] == found.high[0] == 0.0
    assert (found.low[1], found.high[1]) == (pytest.approx(0.804, abs=0.02), pytest.approx(1.196, abs=0.02))


def cost_fit(values: list[float], axis: Axis | None = None) -> Fit:
    """A worth without any error at costs of 0, 1, 2, ..."""
    space = Space((axis or Axis("cost", tuple(range(len(values))), True),), {})
    known = {(i,): Measured({"worth": Figure("worth", v, v, v, 0, True)}) for i, v in enumerate(values)}
    return Fit(space, (Target("worth", 0.0, 1.0),), known, 1)


def test_figures_are_told_at_even_distances_from_the_first_value_on() -> None:
    """Of costs of 0 to 3: so many places, and the measured ones."""
    found = cost_fit([3.0, 2.0, 1.0, 0.0]).profiles()["worth"]
    assert np.array_equal(found.x, np.unique([*np.linspace(0, 3, GRID), *range(4)]))
    assert found.mid == pytest.approx(3 - found.x)


def test_a_slice_that_turns_round_has_no_direction() -> None:
    """Through a surface that rises from 0 to 1 and falls again; on its way up alone it rises."""
    space = Space((Axis("cost", (0, 10), True), Axis("size", (0, 10), True)), {})
    fit = Fit(space, (), {}, 1)
    hill: Any = SimpleNamespace(at=lambda x: (4 * x[:, 0] * (1 - x[:, 0]), np.zeros(len(x))))
    slope: Any = SimpleNamespace(at=lambda x: (x[:, 0] ** 2, np.zeros(len(x))))
    assert fit._slice(hill, 0, (0, 0)).direction == 0 and fit._slice(slope, 0, (0, 0)).direction == 1
    assert fit._slice(slope, 1, (0, 0)).direction == 1, "it is the same everywhere"
    wide = Fit(Space((Axis("cost", tuple(range(52)), True), Axis("size", (0, 10), True)), {}), (), {}, 1)
    assert set(range(52)) <= set(wide._slice(slope, 0, (0, 0)).x.tolist()), "whole values are places of it"


def test_what_is_wanted_of_figures_that_are_given_without_a_range() -> None:
    assert targets_of(["dominant"]) == (Target("dominant", 0.0, 95.0),)
    assert targets_of(["use"]) == (Target("use", 20.0, 80.0),) and targets_of(["worth"]) == targets_of([])
    for name in ("draws", "luck", "length", "seat"):
        with pytest.raises(ProbespielError, match="needs a range"):
            targets_of([name])


@pytest.mark.parametrize("name", ["use", "draws", "luck", "dominant"])
def test_shares_lie_between_0_and_100_per_cent(name: str) -> None:
    assert targets_of([f"{name}=0..100"]) == (Target(name, 0.0, 100.0),)
    for wrong in ("-1..50", "50..101"):
        with pytest.raises(ProbespielError, match=r"is not allowed: 0\.\.100"):
            targets_of([f"{name}={wrong}"])


def test_a_figure_tells_its_interval_or_that_it_is_exact() -> None:
    played = Figure("draws", 12.34, 10.0, 15.0, 400)
    assert figure_text(played) == "draws 12.3 % (10.0 % to 15.0 %)"
    assert figure_text(replace(played, low=12.34, high=12.34)) == "draws 12.3 %"
    assert figure_text(Figure("worth", 0.04, 0.04, 0.04, 0, True), "points") == "worth +0.040 points (exact)"
    assert figure_text(Figure("length", 12.34, 12.0, 12.5, 9), "points") == "length 12.3 (12.0 to 12.5)"


def test_what_a_comparison_tells_in_per_cent() -> None:
    percent = {name: figure.digits for name, figure in FIGURES.items() if figure.percent}
    assert percent == {
        "use": 0, "cycles": 0, "in equilibrium": 0, "luck": 0, "draws": 1, "comebacks": 0, "unresolved": 1, "skill": 0,
        "search": 0,
    }  # fmt: skip
    assert {name for name, figure in FIGURES.items() if figure.digits != 2} - set(percent) == {
        "worth", "strategies", "length", "decisions"}  # fmt: skip


def test_points_without_figures_are_told_only_where_there_are_some() -> None:
    def told(*faults: str) -> list[str]:
        points = tuple(Point({"fee": i}, 1.0, (), "no", False, fault=fault) for i, fault in enumerate(faults))
        found = Balance("kuhn", "m.py", "s", {}, "quick", 1, (), (), "", "x", "0", points=points)
        return [line for line in summary_lines(found) if "Without figures" in line]

    assert told("it breaks", "") == ["Without figures: 1 of 2 points"] and not told("", "")
