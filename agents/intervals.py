"""Intervals of means that still hold where few values, or none, differ from the others.

The interval of a mean by its standard error takes the mean as normal. It is too short where something happens seldom,
and has no width at all where it did not happen in the sample. What is left out is then bounded by the number of values
alone: by the highest chance of being apart from the most common value that is not refuted (Clopper and Pearson 1934,
The use of confidence or fiducial limits, Biometrika 26(4)), which is about 3 / n where none was (the rule of three).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are called

Floats = npt.NDArray[np.float64]
LEVEL = 0.95
NORMAL = 1.96  # standard errors to either side of a normal interval at the level
ALIKE = 1e-9  # by how much of the largest difference equal values may be apart
FEW = 40  # so many values apart from the common one are enough for a standard error


def unseen(n: float, level: float = LEVEL) -> float:
    """The chance that something may have, at the level, which was not seen in `n` independent games (about 3 / n)."""
    return 1.0 - (1.0 - level) ** (1.0 / max(n, 1))


def missed(sizes: Floats, level: float = LEVEL) -> float:
    """By how much the mean of values from 0 on may be too low because few are above 0, by the number of those alone.

    The highest chance of being above 0 that is not refuted by their number, less that seen, for each side of an
    interval at the level.
    """
    n, seen = len(sizes), int(np.count_nonzero(sizes))
    if seen in (0, n):
        return 0.0
    most = share_ends(seen, n, level)[1]
    return (most - seen / n) * float(((sizes**2).sum() / seen) ** 0.5)


def share_ends(points: float, games: int, level: float = LEVEL) -> tuple[float, float]:
    """The least and the most share of the points that so many of them in so many games do not refute."""
    tail = (1.0 - level) / 2
    low = float(scipy.special.betaincinv(points, games - points + 1, tail)) if points > 0 else 0.0
    high = float(scipy.special.betaincinv(points + 1, games - points, 1.0 - tail)) if points < games else 1.0
    return low, high


def room(values: Floats, reach: tuple[float, float], level: float = LEVEL, cases: float | None = None) -> Floats:
    """How far below and above the mean of the sample the true one may lie because of what is rare, float64[2].

    `reach`: between what every value must lie. Where all values are equal, anything else may still happen with the
    chance `unseen` in `cases` independent ones (as many as there are values). Where a third of them are, at least two,
    the others may be more often than they were, as long as they are `FEW`. Else 0: then the standard error says enough.
    Where none of those few were on one side of more than half of all, one there may be as far away as one of theirs. A
    value that is alone tells nothing, nor do none: the room is all that there is.
    """
    low, high = reach
    if not len(values):
        return np.full(2, high - low)
    tolerance = ALIKE * max(high - low, float(np.ptp(values)))
    ordered = np.sort(values)
    groups = np.split(ordered, np.flatnonzero(np.diff(ordered) > tolerance) + 1)
    if len(groups) == 1:
        common = float(ordered[0])
        chance = 1.0 if len(values) == 1 and cases is None else unseen(len(values) if cases is None else cases, level)
        return chance * np.maximum([common - low, high - common], 0.0)
    found = np.zeros((1, 2))
    for group in groups:
        if len(group) >= max(2, len(values) / 3):
            gaps = np.where(np.abs(values - group[0]) <= tolerance, 0.0, values - group[0])
            largest = float(np.abs(gaps).max()) if np.count_nonzero(gaps) < min(FEW, len(gaps) / 2) else 0.0
            rooms = []
            for sizes, most in ((-gaps, group[0] - low), (gaps, high - group[0])):
                seen = np.count_nonzero(sizes > 0)
                if seen:
                    rooms.append(missed(np.maximum(sizes, 0.0), level) if seen < FEW else 0.0)
                else:
                    rooms.append(unseen(len(gaps), (1 + level) / 2) * max(min(largest, float(most)), 0.0))
            found = np.append(found, [rooms], axis=0)
    return found.max(axis=0)


def mean_interval(values: Floats, reach: tuple[float, float], level: float = LEVEL) -> tuple[float, float, float]:
    """The mean of independent values that lie within `reach`, and the ends of its interval: Student's, with `room`.

    Raises ValueError without values.
    """
    n = len(values)
    if not n:
        raise ValueError("a mean of no values")
    mean, half = float(np.mean(values)), 0.0
    if n > 1:
        half = float(scipy.special.stdtrit(n - 1, 0.5 + level / 2) * np.std(values, ddof=1) / n**0.5)
    below, above = np.maximum(room(values, reach, level), half).tolist()
    return mean, mean - below, mean + above


def error_of(values: Floats, reach: tuple[float, float]) -> float:
    """The standard error of a mean of independent values within `reach`, as large as `room` is wide at least.

    So that intervals of `NORMAL` errors to either side leave that room, of sums of such means, too.
    """
    n = len(values)
    spread = float(np.std(values, ddof=1) / n**0.5) if n > 1 else 0.0
    return max(spread, float(room(values, reach).max()) / NORMAL)


__all__ = ["ALIKE", "LEVEL", "NORMAL", "error_of", "mean_interval", "missed", "room", "share_ends", "unseen"]
