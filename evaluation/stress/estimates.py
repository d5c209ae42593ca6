"""Estimates with their intervals: means over deals, paired differences, and odds of winning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are called

from ...agents.intervals import FEW, LEVEL, NORMAL, error_of, missed, share_ends, unseen
from .findings import Interval, Mean, Sample

Floats = npt.NDArray[np.float64]
SAME = 1e-6  # differences that are one: margins are kept in single precision
NEVER = 1e-6  # chances below are not told from none


def interval(mean: float, error: float, n: int) -> Sample:
    """A mean with its Student interval from `n` independent values."""
    factor = float(scipy.special.stdtrit(max(n - 1, 1), 0.5 + LEVEL / 2))
    return Sample(mean, mean - factor * error, mean + factor * error, n)


def paired(first: Floats, second: Floats) -> Sample:
    """The mean of first - second over the same deals, with its interval."""
    return paired_many([(first, second)])


def paired_many(pairs: Sequence[tuple[Floats, Floats]]) -> Sample:
    """The mean of first - second over deals, each of which is played by all pairs, with its interval.

    Where all deals made the same difference, or none, one may still make another with the chance `unseen`, by as much
    as results differ at all.
    Where few did, their mean is not normal: the interval leaves room for as many more as may have been missed.
    """
    gaps = np.mean([first - second for first, second in pairs], axis=0)
    n = len(gaps)
    if np.ptp(gaps) <= SAME:
        room = unseen(n) * max(float(np.ptp(part)) for pair in pairs for part in pair)
        value = float(gaps.mean())
        return Sample(value, value - room, value + room, n)
    found = interval(float(gaps.mean()), float(gaps.std(ddof=1) / n**0.5), n)
    ends = found.value + missed(np.maximum(gaps, 0.0)), found.value - missed(np.maximum(-gaps, 0.0))
    return Sample(found.value, min(found.low, ends[1]), max(found.high, ends[0]), n)


def scored(margins: Floats) -> Floats:
    """1 for a win, 1/2 for a draw, 0 for a loss."""
    return 0.5 + 0.5 * np.sign(np.where(np.abs(margins) < 1e-9, 0.0, margins))


def odds_ratio(with_it: Floats, without: Floats) -> Interval:
    """Change of the log odds of winning (draws half), by the delta method on paired deals.

    Where fewer than `FEW` were won or lost, their number alone bounds the odds (Clopper and Pearson), and the two are
    taken as independent (MOVER: Zou and Donner 2008). Chances below `NEVER` are as none, so that the ends
    are finite.
    """
    a, b = scored(with_it), scored(without)
    n = len(a)
    p = np.clip([a.mean(), b.mean()], 0.5 / n, 1 - 0.5 / n)
    slopes = 1 / (p * (1 - p))
    error = float((slopes[0] * (a - a.mean()) - slopes[1] * (b - b.mean())).std(ddof=1) / n**0.5)
    change = float(np.log(p[0] / (1 - p[0])) - np.log(p[1] / (1 - p[1])))
    if np.array_equal(a, b):  # as in `paired`
        return Interval(change, change - unseen(n) * float(slopes[0]), change + unseen(n) * float(slopes[0]))
    low, high = change - NORMAL * error, change + NORMAL * error
    if min(_fewer(a), _fewer(b)) < FEW:
        first, second = (_log_odds_ends(x, chance) for x, chance in zip((a, b), p))
        low = min(low, change - float(np.hypot(first[0], second[1])))
        high = max(high, change + float(np.hypot(first[1], second[0])))
    return Interval(change, low, high)


def _fewer(scores: Floats) -> float:
    """Points that were won, or lost if those are fewer."""
    return float(min(scores.sum(), len(scores) - scores.sum()))


def _log_odds_ends(scores: Floats, chance: float) -> tuple[float, float]:
    """How far the log odds of winning may lie below and above those of a chance, by the number of points."""
    ends = np.clip(share_ends(float(scores.sum()), len(scores)), NEVER, 1 - NEVER)
    below, above = np.log(ends / (1 - ends)) - np.log(chance / (1 - chance))
    return -float(below), float(above)


def mean_of(values: Floats, reach: tuple[float, float] | None = None) -> Mean:
    """The mean of independent values and its standard error, with room for what is rare if they lie within `reach`."""
    mean = float(values.mean()) if len(values) else None
    if reach is not None and len(values) > 1:
        return Mean(mean, error_of(values, reach))
    return Mean(mean, float(values.std(ddof=1) / len(values) ** 0.5) if len(values) > 1 else None)


__all__ = ["interval", "mean_of", "missed", "odds_ratio", "paired", "paired_many", "scored", "unseen"]
