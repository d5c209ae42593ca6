"""A small regression tree that finds in which situations something pays, and measures it on other data.

The tree is grown on one half of the samples and its leaves are measured on the other, so that a situation is not
praised for the noise by which it was found (Athey and Imbens 2016, Recursive partitioning for heterogeneous causal
effects).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...agents.intervals import NORMAL, room
from ...envs.core.texts import german_number

Floats = npt.NDArray[np.float64]
SINGLE = 1e-6  # values that differ by less, of their largest, are the same


@dataclass(frozen=True)
class Leaf:
    """One situation: its conditions (column, above, threshold), its share of the samples, mean and standard error.

    `above` tells whether the column must lie above the threshold. Mean, error and `count` are of the second half.
    """

    conditions: tuple[tuple[int, bool, float], ...]
    share: float
    mean: float
    error: float
    count: int


def honest_leaves(
    features: npt.NDArray[np.floating], values: Floats, groups: npt.NDArray[np.int64], depth: int = 3, least: int = 60
) -> list[Leaf]:
    """Leaves of a tree over `features` [n, k] for `values` [n]; `groups` [n] (games) are not torn apart.

    A split needs `least` samples of the first half on either side. Standard errors are those of group means.
    """
    first = groups % 2 == 0
    step = SINGLE * max(1.0, float(np.abs(values).max(initial=0.0)))  # payoffs are kept in single precision
    told = np.round(values / step)
    chosen: list[tuple[tuple[int, bool, float], ...]] = []
    _grow(features[first], told[first], (), depth, least, chosen)
    out = []
    rest = features[~first]
    for conditions in chosen:
        inside = np.ones(len(rest), dtype=bool)
        for column, above, threshold in conditions:
            inside &= (rest[:, column] > threshold) == above
        part = values[~first][inside]
        count = len(part)
        mean, error = clustered(part, groups[~first][inside])
        out.append(Leaf(conditions, count / max(len(rest), 1), mean, error, count))
    return out


def _grow(
    x: npt.NDArray[np.floating], y: Floats, path: tuple[tuple[int, bool, float], ...], depth: int, least: int,
    out: list[tuple[tuple[int, bool, float], ...]],
) -> None:  # fmt: skip
    best = _split(x, y, least) if depth > 0 and len(y) >= 2 * least else None
    if best is None:
        out.append(path)
        return
    column, threshold = best
    above = x[:, column] > threshold
    for side in (False, True):
        part = above == side
        _grow(x[part], y[part], (*path, (column, side, threshold)), depth - 1, least, out)


def _split(x: npt.NDArray[np.floating], y: Floats, least: int) -> tuple[int, float] | None:
    """The column and threshold that reduce the squared error most, or None if no split is worth it.

    The errors are those of the values or of their ranks, whichever are told apart better: a few results that went far
    astray hide what nearly all others say.
    """
    n = len(y)
    if y.min() == y.max():
        return None
    both = np.stack([part / (part.std() or 1.0) for part in (y - y.mean(), ranks(y))])
    best, gain = None, 2.0 * np.log(max(n, 2))  # noise gains about 1 for each trial
    for column in range(x.shape[1]):
        v = x[:, column]
        low, high = v.min(), v.max()
        if low == high:
            continue
        order = np.argsort(v, kind="stable")
        sums, at = np.cumsum(both[:, order], axis=1), np.arange(1, n + 1)
        values = v[order]
        ends = np.flatnonzero(values[:-1] < values[1:])
        ends = ends[(ends + 1 >= least) & (n - ends - 1 >= least)]
        if not len(ends):
            continue
        score = (sums[:, ends] ** 2 * (1 / at[ends] + 1 / (n - at[ends]))).max(axis=0)  # the sums of all are 0
        k = int(score.argmax())
        if score[k] > gain:
            gain = float(score[k])
            best = (column, float((values[ends[k]] + values[ends[k] + 1]) / 2))
    return best


def ranks(values: npt.ArrayLike) -> Floats:
    """Ranks of values [n], equal ones with the mean of theirs, the mean of all taken off."""
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    out = (np.cumsum(counts) - (counts - 1) / 2)[index]
    return out - out.mean()


def clustered(values: Floats, groups: npt.NDArray[np.int64]) -> tuple[float, float]:
    """Mean of values [n] and its standard error when those of one group hang together; (nan, nan) for none."""
    n = len(values)
    if n == 0:
        return float("nan"), float("nan")
    mean = float(values.mean())
    _, index = np.unique(groups, return_inverse=True)
    sums = np.bincount(index, weights=values - mean)
    k = len(sums)
    if k < 2:
        return mean, float("inf")
    return mean, float(np.sqrt((sums**2).sum() * k / (k - 1)) / n)


def clustered_share(taken: npt.NDArray[np.bool_], groups: npt.NDArray[np.int64]) -> tuple[float, float]:
    """The share of `taken` bool[n] and its standard error, as `clustered`, with room for what is rare (see `room`).

    What was done always, or never, in some games may be done otherwise in one of the next.
    """
    values = taken.astype(np.float64)
    mean, error = clustered(values, groups)
    if not np.isfinite(error):
        return mean, error
    _, index = np.unique(groups, return_inverse=True)
    of_group = np.bincount(index, weights=values) / np.bincount(index)
    return mean, max(error, float(room(of_group, (0.0, 1.0)).max()) / NORMAL)


@dataclass(frozen=True)
class Feature:
    """A number that situations are told apart by: its name, what it is called, and of which kind it is.

    `called` are words in every language of `SIGNS`. A `flag` is 0 or 1, and what it is called says what holds; limits
    of a `whole` number are whole numbers.
    """

    name: str
    called: tuple[str, str]
    flag: bool = False
    whole: bool = False


_SHIFTED = re.compile(r"(.+) \+ (\d+)")
SIGNS = {"en": ("always", "not: ", " and "), "de": ("immer", "nicht: ", " und ")}


def words_for(conditions: Sequence[tuple[int, bool, float]], features: Sequence[Feature], lang: str = "en") -> str:
    """A situation in words, in `en` or `de`."""
    always, _, joint = SIGNS[lang]
    parts: dict[tuple[int, bool], float] = {}
    for column, above, threshold in conditions:
        known = parts.get((column, above))
        parts[column, above] = threshold if known is None else (max if above else min)(known, threshold)
    return (
        joint.join(_limit(features[column], above, value, lang) for (column, above), value in parts.items()) or always
    )


def _limit(feature: Feature, above: bool, threshold: float, lang: str) -> str:
    """A limit in words; of what holds or does not, that alone."""
    name = feature.called[list(SIGNS).index(lang)]
    if feature.flag:
        return name if above else SIGNS[lang][1] + name
    shifted = _SHIFTED.fullmatch(name)  # an observation adds that much so that nothing is below 0; people do not
    if shifted:
        name, threshold = shifted[1], threshold - int(shifted[2])
    if feature.whole:
        text = f"≥ {math.ceil(threshold)}" if above else f"≤ {math.floor(threshold)}"
    else:
        text = f"{'>' if above else '≤'} {threshold:.3g}"
    text = text.replace("-", "−")
    return f"{name} {text if lang == 'en' else german_number(text)}"


__all__ = ["Feature", "Leaf", "clustered", "clustered_share", "honest_leaves", "ranks", "words_for"]
