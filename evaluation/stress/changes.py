"""Changes of figures from one condition to another, with intervals that hold together.

A report says of many figures how they change, and a reader looks at the most striking ones. So the interval of every
change is Student's with the tail 5 % / (number of figures) / 2 on each side (Bonferroni): whatever is picked out, all
of it is right at once in 95 % of tests at least, as far as the strategies found stand for the game's players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are called

from ...agents.intervals import unseen
from .findings import Figure, Interval, Sample

Floats = npt.NDArray[np.float64]
TAIL = 0.05


@dataclass(frozen=True)
class Part:
    """A figure in one condition: its value, how far each deal pulls it away (float64[n], mean 0), and by seed.

    The mean of squares of `pulls` over n estimates n times the variance of the value; `seeds` float64[k] are the values
    of each learner's seed alone (empty: not told apart).
    """

    value: float
    pulls: Floats
    seeds: Floats


@dataclass(frozen=True)
class Change:
    """A figure before and after with standard errors, that of the change too, from `n` independent deals or blocks.

    `direct`: changes with the same strategies both times, each with its standard error. `luck`: the part of the error
    of the change that comes from what was learned. `cases`: of a share of games that was none or all of them before,
    and after, in how many games: one of the next may be otherwise (0: it is no such share).
    """

    name: str
    before: float
    after: float
    errors: tuple[float, float, float]  # before, after, change
    n: int
    counts: float
    direct: tuple[tuple[float, float], ...] = ()
    luck: float = 0.0
    cases: tuple[int, int] = (0, 0)


def part_of(values: Floats, seeds: np.ndarray) -> Part:
    """The mean of `values` [replicates, deals], NaN where there is none; `seeds` int64 of the same shape.

    A ratio of sums over deals, with its linear parts (Cochran 1977, Sampling Techniques, 6.4). NaN if there are none.
    """
    known = np.isfinite(values)
    weights = known.sum(axis=0).astype(np.float64)
    sums = np.where(known, values, 0.0).sum(axis=0)
    total = weights.sum()
    if total == 0:
        return Part(float("nan"), np.full(values.shape[1], np.nan), np.zeros(0))
    value = float(sums.sum() / total)
    pulls = (sums - value * weights) / (total / len(weights))
    each = []
    for seed in np.unique(seeds):
        own = known & (seeds == seed)
        each.append(values[own].mean() if own.any() else np.nan)
    return Part(value, pulls, np.array(each))


def error_of(pulls: Floats, seeds: Floats) -> float:
    """Standard error of a value: from its deals, and from learners' seeds, which deals alone do not tell."""
    n = len(pulls)
    return float(np.hypot(pulls.std(ddof=1) / n**0.5 if n > 1 else 0.0, luck_of(seeds)))


def luck_of(seeds: Floats) -> float:
    """Standard error of a value that comes from learners' seeds."""
    k = len(seeds)
    return float(seeds.std(ddof=1) / k**0.5) if k > 1 and np.isfinite(seeds).all() else 0.0


def change_of(
    name: str, before: Part, after: Part, counts: float, moved: Sequence[Part] = (), cases: tuple[int, int] = (0, 0)
) -> Change:
    """The change of a figure measured on the same deals both times.

    `moved`: with the rule by the strategies of before, and without it by those of after; `cases` as in `Change`.
    """
    errors = (
        error_of(before.pulls, before.seeds),
        error_of(after.pulls, after.seeds),
        _paired(before, after)[1],
    )
    direct = (_paired(before, moved[0]), _paired(moved[1], after)) if moved else ()
    luck = luck_of(_seeds(before, after))
    return Change(name, before.value, after.value, errors, len(before.pulls), counts, direct, luck, cases)


def _paired(before: Part, after: Part) -> tuple[float, float]:
    """A change on the same deals and its standard error."""
    return after.value - before.value, error_of(after.pulls - before.pulls, _seeds(before, after))


def _seeds(before: Part, after: Part) -> Floats:
    """The change by each learner's seed."""
    return after.seeds - before.seeds if len(after.seeds) == len(before.seeds) else np.zeros(0)


def change_of_samples(name: str, before: Sample, after: Sample, change: Sample, counts: float) -> Change:
    """The change of a figure that is known with Student's intervals of 95 %."""
    factor = quantile(change.games, 1)
    b, a, c = ((x.high - x.low) / 2 / factor for x in (before, after, change))
    return Change(name, before.value, after.value, (b, a, c), change.games, counts)


def quantile(n: int, family: int) -> float:
    """Student's quantile for one of `family` intervals from n values that hold together in 95 % of cases."""
    return float(scipy.special.stdtrit(max(n - 1, 1), 1 - TAIL / family / 2))


def figures_of(changes: Sequence[Change]) -> tuple[Figure, ...]:
    """The figures with intervals: each value's own, and those of the changes together."""
    out = []
    for c in changes:
        alone, together = quantile(c.n, 1), quantile(c.n, len(changes))
        twice = quantile(c.n, 2 * len(changes))  # there are two of them
        value = c.after - c.before
        # games that were all alike both times say no more of a change than how many they were
        rare = unseen(min(c.cases), 1 - TAIL / len(changes)) if min(c.cases) and not value else 0.0
        out.append(
            Figure(
                c.name,
                _around(c.before, max(alone * c.errors[0], _unseen(c.cases[0]))),
                _around(c.after, max(alone * c.errors[1], _unseen(c.cases[1]))),
                _around(value, max(together * c.errors[2], rare)),
                c.counts,
                c.n,
                tuple(_around(value, twice * error) for value, error in c.direct),
                together * c.luck,
            )
        )
    return tuple(out)


def _unseen(cases: int) -> float:
    return unseen(cases) if cases else 0.0


def _around(value: float, half: float) -> Interval:
    return Interval(value, value - half, value + half)


__all__ = [
    "Change", "Part", "change_of", "change_of_samples", "error_of", "figures_of", "luck_of", "part_of", "quantile",
]  # fmt: skip
