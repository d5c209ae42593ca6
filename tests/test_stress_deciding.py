"""What would decide an undecided worth: the budget that is named, and when none is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from probespiel.evaluation.stress.advice import next_for_game, next_for_holder
from probespiel.evaluation.stress.alike import reach_between
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.deciding import deciding, needed, told
from probespiel.evaluation.stress.findings import Effect, Figure, Interval, Reach, Sample, Sizes, Worth
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.verdict import level_of, verdict_of
from probespiel.evaluation.stress.worth import reach_of

from .test_stress_numbers import findings

EVEN = Interval(0.0, -0.1, 0.1)


def worth(value: float, deals: float, seeds: float = 0.0, gap: float = 0.0, odds: Interval = EVEN) -> Worth:
    """An undecided worth where a result has the deviation 1, so that 0.05 counts."""
    reach = Reach(value - gap / 2, value + gap / 2, deals, seeds)
    wide = max(deals, seeds) + gap / 2
    return Worth((), Sample(value, value - wide, value + wide, 2000), 1.0, odds, reach=reach)


@pytest.mark.parametrize(
    ("made", "budget", "enough", "short", "said"),
    [
        # five times the games of `quick`, and again of `standard`: widths by 2.236
        (worth(0.02, 0.06), "quick", "standard", 0.03, "from ± 0.060 to about ± 0.027, and ± 0.030 is enough"),
        (worth(-0.02, 0.06), "quick", "standard", 0.03, "--budget standard should decide it"),
        (worth(0.0, 0.12), "quick", "deep", 0.05, "from ± 0.120 to about ± 0.024, and ± 0.050 is enough"),
        (worth(0.0, 0.12), "standard", "", 0.05, "deep would leave ± 0.054, and ± 0.050 is enough, about 5.8 times"),
        (worth(0.06, 0.08), "quick", "standard", 0.06, "to about ± 0.036, and ± 0.060 is enough"),  # must leave out 0
        (worth(0.0, 0.5), "quick", "", 0.05, "deep would leave ± 0.100, and ± 0.050 is enough, about 100 times"),
        (worth(0.0, 0.06), "deep", "", 0.05, "deep would leave ± 0.060, and ± 0.050 is enough, about 1.5 times"),
        (worth(0.0499, 0.07), "quick", "", 0.0001, "so close to what counts"),
        # two, three and five seeds: 0.2 by the root of 2/5
        (worth(0.0, 0.01, seeds=0.2), "quick", "", 0.05, "still be ± 0.126 apart with --budget deep, where ± 0.050"),
        (worth(0.0, 0.01, seeds=0.06), "quick", "standard", 0.05, "from ± 0.060 to about ± 0.049"),
        (worth(0.0, 0.01, gap=0.12), "quick", "", 0.0, "with it say lies 0.120, and only better answers"),
        (worth(0.0, 0.05, gap=0.04), "quick", "standard", 0.03, "from ± 0.050 to about ± 0.022, and ± 0.030"),
        # odds of 0.06 count; their interval reaches 0.12, twice as far as it may, and so does that of the payoff
        (worth(0.03, 0.06, odds=Interval(0.06, -0.06, 0.18)), "quick", "standard", 0.03, "± 0.030 is enough"),
        (worth(0.03, 0.06, odds=Interval(0.03, -0.09, 0.15)), "quick", "deep", 0.02, "± 0.020 is enough"),
        (worth(0.02, 0.06, odds=Interval(0.60, -0.01, 1.21)), "quick", "standard", 0.03, "± 0.030 is enough"),
    ],
)  # fmt: skip
def test_what_would_decide_it(made: Worth, budget: str, enough: str, short: float, said: str) -> None:
    """By the widths that more games and more seeds would leave, as long as the value stays."""
    assert level_of(made) == "undecided"
    found = deciding(made, budget, Sizes(1.0, 100, 10.0, 1.0))
    assert found is not None and found.budget == enough
    assert found.needed == pytest.approx(short) and max(needed(made), 0.0) == found.needed
    assert said in told(found)
    german = words("de")
    assert german.told(told(found)) is not None and not german.missed


def test_what_was_not_kept_is_not_told() -> None:
    """A report of old, and a worth by the values of solved games."""
    assert deciding(replace(worth(0.0, 0.1), reach=None), "quick", Sizes(1.0, 100, 10.0, 1.0)) is None
    assert "more games" in told(None)


def test_small_games_are_played_as_often_as_the_budget_says() -> None:
    """40 deals are the least: 0.004 of 8,000 are 32, of 40,000 160."""
    assert [BUDGETS[name].measure for name in ("quick", "standard")] == [8_000, 40_000]
    found = deciding(worth(0.0, 0.07), "quick", Sizes(0.004, 100, 10.0, 1.0))
    assert found is not None and found.budget == "standard"
    assert found.expected == pytest.approx(0.07 * (40 / 160) ** 0.5)


def test_the_reach_is_that_of_deals_and_of_seeds() -> None:
    """Gains 0, 2, 0, 2 of seeds that take turns: deals alone say ± 3.18 * 0.577, the seeds are 2 apart."""
    with_it, without = np.array([0.0, 2.0, 0.0, 2.0]), np.zeros(4)
    found = reach_of([(with_it, without)], 2)
    assert (found.low, found.high) == (1.0, 1.0)
    assert found.deals == pytest.approx(3.18245 * (4 / 3 / 4) ** 0.5, abs=1e-4)
    assert found.seeds == pytest.approx(2.0 * 2**0.5 / 2**0.5)
    assert reach_of([(with_it, without)], 1).seeds == 0.0


def test_the_reach_between_two_ends() -> None:
    """The widest half interval, beyond the span of the middles."""
    found = reach_between([Sample(0.1, 0.05, 0.15, 9), Sample(-0.1, -0.3, 0.1, 9)])
    assert (found.low, found.high) == (-0.1, 0.1) and found.deals == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (worth(0.02, 0.06), "Nothing is known yet: test again with `--budget standard`"),
        (worth(0.0, 0.5), "larger --budget need not decide"),
        (worth(0.04, 0.03), "Whether that counts is not known yet: test again with `--budget deep`"),
        (worth(0.0499, 0.03), "Whether that counts no larger --budget need decide: go by"),
    ],
)
def test_the_next_step_names_the_budget(made: Worth, said: str) -> None:
    found = replace(findings(0.0), worth=made, sizes=Sizes(1.0, 100, 10.0, 1.0))
    steps = next_for_holder(found, "undecided")
    assert said in " ".join(steps)
    why = verdict_of(found).why[0]
    counts = "it may be less than the 0.05 from which on it counts, or more"
    assert why.endswith(counts if "Whether" in said else "it may change nothing, or more than 0.05")
    german = words("de")
    assert all(german.told(line) is not None for line in (*steps, why))


def unsure(name: str, value: float, half: float, learned: float = 0.0, direct: tuple[Interval, ...] = ()) -> Figure:
    """A figure of which a change counts from 0.05 on."""
    change = Interval(value, value - half, value + half)
    return Figure(name, Interval(0.5, 0.5, 0.5), Interval(0.5, 0.5, 0.5), change, 0.05, 100, direct, learned)


NOTHING = Interval(0.0, -0.1, 0.1)


@pytest.mark.parametrize(
    ("figure", "budget", "said"),
    [
        # 400, 2,000 and 8,000 deals of a course: widths by 2.236 and by 2
        (unsure("luck", 0.02, 0.06), "quick", "`--budget standard` should decide, if they stay where they are: luck."),
        (unsure("luck", 0.02, 0.08), "quick", "`--budget deep` should decide"),  # 0.036 and 0.018 for 0.03
        (unsure("luck", 0.02, 0.14), "quick", "No larger budget of the lab is sure to decide: luck."),  # 0.0313
        (unsure("luck", 0.02, 0.06), "deep", "No larger budget of the lab is sure to decide: luck."),
        (unsure("draws", 0.06, 0.1), "quick", "`--budget standard` should decide"),  # 0.0447, must leave out 0
        (unsure("draws", -0.06, 0.1), "quick", "`--budget standard` should decide"),
        (unsure("draws", 0.0499, 0.06), "quick", "No larger budget"),  # too close to what counts
        # what other strategies make is not shown by more games, and counts
        (unsure("draws", 0.2, 0.1, direct=(NOTHING,)), "quick", "No larger budget"),
        # 400 and 1,000 games of a pair: 0.0443; 80, 200 (0.0696) and 500 games of a rung: 0.044
        (unsure("strategies", 0.0, 0.07), "quick", "`--budget standard` should decide"),
        (unsure("search", 0.0, 0.11), "quick", "`--budget deep` should decide"),
        # all of it by learning: two, three and five seeds, 0.0612 by the root of 2/3 is 0.05
        (unsure("luck", 0.0, 0.0612, 0.0612), "quick", "`--budget standard` should decide"),
        (unsure("luck", 0.0, 0.0613, 0.0613), "quick", "`--budget deep` should decide"),
        (unsure("luck", 0.0, 0.08, 0.08), "quick", "No larger budget"),  # 0.0506
    ],
)
def test_the_budget_that_decides_a_figure_of_the_game(figure: Figure, budget: str, said: str) -> None:
    """By what the game plays for it, and by the seeds, as long as the value stays."""
    found = replace(findings(0.0), budget=budget, sizes=Sizes(1.0, 100, 10.0, 1.0), effect=Effect((figure,)))
    (line,) = next_for_game(found, "no change shown")
    assert line.startswith(said)
    german = words("de")
    assert german.told(line) is not None and not german.missed


def test_figures_are_told_by_the_budget_that_decides_them() -> None:
    """What is shown to stay is not named; without sizes, as in a report of old, no budget is."""
    figures = (unsure("luck", 0.02, 0.08), unsure("length", 0.0, 0.01), unsure("draws", 0.02, 0.06),
               unsure("comebacks", 0.02, 0.07), unsure("cycles", 0.0, 9.0))  # fmt: skip
    found = replace(findings(0.0), budget="quick", sizes=Sizes(1.0, 100, 10.0, 1.0), effect=Effect(figures))
    assert next_for_game(found, "no change shown") == (
        "`--budget standard` should decide, if they stay where they are: draws.",
        "`--budget deep` should decide, if they stay where they are: luck, comebacks.",
        "No larger budget of the lab is sure to decide: cycles.",
    )
    assert next_for_game(replace(found, sizes=None), "no change shown")[0].startswith("A larger --budget")
