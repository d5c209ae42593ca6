"""A figure along one parameter, with a band around it, and where it has a value or lies in a range.

A band says where the figure lies with 95 % at each place. Which places may have a value follows by inversion: those
whose band holds it (Fieller 1954, Some problems in interval estimation).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are called

from ...agents.intervals import NORMAL

Floats = npt.NDArray[np.float64]
TINY = 1e-9  # what exact values may differ by and still be equal
DRAWS = 2_000  # by which is told how far means of neighbouring places stray together
GRID = 1_000  # places of a profile


@dataclass(frozen=True)
class Profile:
    """A figure at rising places `x`: float64[n], its value, and the ends of its band.

    `direction`: 1 it rises, -1 it falls, 0 it does both.
    """

    x: Floats
    mid: Floats
    low: Floats
    high: Floats
    direction: int


@dataclass(frozen=True)
class Root:
    """Where a profile has a value, from `low` to `high`; `open_low`: perhaps even below the first place.

    `value` is None if the profile never has it, though its band may.
    """

    value: float | None
    low: float
    high: float
    open_low: bool
    open_high: bool


def curve(x: Floats, y: Floats, cov: Floats, seed: int, grid: Floats) -> Profile:
    """The profile of values y float64[n], measured at rising places x with covariance float64[n, n].

    It is made monotone (isotonic regression; Barlow et al. 1972) as long as that contradicts no measurement, and then
    the band is that of a monotone figure (`_bounds`). Between two neighbouring measured places the value goes straight,
    but nothing is assumed of the figure except that it stays between what it may be there: rules have steps.
    """
    places = np.unique(np.concatenate([grid, x]))
    at = np.searchsorted(x, places)
    known = np.isclose(x[np.minimum(at, len(x) - 1)], places, rtol=0, atol=TINY)
    left, right = np.where(known, at, at - 1), np.minimum(at, len(x) - 1)
    sd = np.sqrt(np.diag(cov))
    exact = bool((sd <= TINY).all())
    weights = np.ones(len(x)) if exact else 1.0 / np.maximum(sd, sd[sd > TINY].min() / 10) ** 2
    directions, smooth = _monotone(x, y, weights, exact)
    direction = directions[0] if directions else 0
    mid = np.interp(places, x, smooth)
    if exact:
        low, high = np.minimum(smooth[left], smooth[right]), np.maximum(smooth[left], smooth[right])
        return Profile(places, mid, low, high, direction)
    noise = np.random.default_rng(seed).multivariate_normal(
        np.zeros(len(x)), cov, DRAWS, method="eigh", check_valid="ignore"
    )
    bands = [_bounds(y, cov, weights, noise, d) for d in directions] or [(y - NORMAL * sd, y + NORMAL * sd)]
    bottom, top = np.min([low for low, _ in bands], axis=0), np.max([high for _, high in bands], axis=0)
    low, high = np.minimum(bottom[left], bottom[right]), np.maximum(top[left], top[right])
    return Profile(places, mid, np.minimum(low, mid), np.maximum(high, mid), direction)


def _bounds(y: Floats, cov: Floats, weights: Floats, noise: Floats, direction: int) -> tuple[Floats, Floats]:
    """The band of a figure that goes one way, float64[n] each: it holds the figure with 95 % at each place.

    What rises is nowhere lower than the mean of any places that end there, and nowhere higher than that of any that
    begin there. All those means hold at once: how far the worst of them strays follows from `noise` float64[draws, n],
    with the covariance of the values. (Curves through resampled values do not serve: where a figure is flat their
    ends stray too little; Sen, Banerjee and Woodroofe 2010, Inconsistency of bootstrap: the Grenander estimator.)
    """
    if direction < 0:
        low, high = _bounds(-y, cov, weights, noise, 1)
        return -high, -low
    n = len(y)
    k = np.arange(n)
    inside = (k[None, :, None] <= k) & (k <= k[:, None, None])  # [last, first, place]
    parts = inside * weights
    sums = parts.sum(axis=2, keepdims=True)
    parts = np.divide(parts, sums, out=np.zeros_like(parts), where=sums > 0)
    means = parts @ y
    errors = np.sqrt(np.maximum(np.einsum("abi,ij,abj->ab", parts, cov, parts), 0.0))
    strays = parts @ noise.T  # [last, first, draw]
    scaled = np.divide(strays, errors[..., None], out=np.zeros_like(strays), where=errors[..., None] > TINY)
    there = np.tri(n, dtype=bool)
    low, high = np.empty(n), np.empty(n)
    for k in range(n):
        ends, begins = there[k], there[:, k]
        below = np.quantile(scaled[k, ends].max(axis=0), 0.975)
        above = np.quantile((-scaled[begins, k]).max(axis=0), 0.975)
        low[k] = (means[k, ends] - below * errors[k, ends]).max()
        high[k] = (means[begins, k] + above * errors[begins, k]).min()
    return np.minimum(low, high), np.maximum(low, high)


def _isotonic(y: Floats, weights: Floats, direction: int) -> Floats:
    return np.asarray(scipy.optimize.isotonic_regression(y, weights=weights, increasing=direction > 0).x)


def _monotone(x: Floats, y: Floats, weights: Floats, exact: bool) -> tuple[tuple[int, ...], Floats]:
    """The directions in which the values may go, the likelier one first, and the values made monotone by that one.

    None, and the values themselves, if they turn round.
    """
    if len(y) < 2:
        return (1,), y
    fits = {d: _isotonic(y, weights, d) for d in (1, -1)}
    misfit = {d: float((weights * (y - fit) ** 2).sum()) for d, fit in fits.items()}
    slope = 1 if float(np.dot(weights * (x - x.mean()), y)) >= 0 else -1
    best = min((1, -1), key=lambda d: (misfit[d], d != slope))
    allowed = TINY if exact else float(scipy.special.chdtri(len(y), 0.05))
    found = tuple(d for d in (best, -best) if misfit[d] <= allowed)
    return found, fits[best] if found else y


def root_of(profile: Profile, value: float, near: float | None = None) -> Root | None:
    """Where a profile has a value: of several places the one `near`; None if not even its band has it anywhere."""
    x, gap = profile.x, profile.mid - value
    places = _zeros(x, gap)
    inside = (profile.low < value - TINY) & (value + TINY < profile.high) | (np.abs(gap) <= TINY)
    if not places and not inside.any():
        return None
    wanted = float(x[len(x) // 2]) if near is None else near
    if places:
        at = min(places, key=lambda p: abs(p - wanted))
        seen = np.flatnonzero(inside)
        near_by = seen[(x[seen] >= at - _step(x)) & (x[seen] <= at + _step(x))]
        if not len(near_by):  # between two neighbouring places, at which the figure is known
            after = int(np.searchsorted(x, at))
            return Root(at, float(x[after - 1]), float(x[after]), False, False)
        first, last = _run(inside, int(near_by[np.abs(x[near_by] - at).argmin()]))
    else:
        at = None
        seen = np.flatnonzero(inside)
        first, last = _run(inside, int(seen[np.abs(x[seen] - wanted).argmin()]))
    # one place further on both sides, unless the figure is known there
    low, high = max(first - 1, 0), min(last + 1, len(x) - 1)
    ends = (x[first] if abs(gap[first]) <= TINY else x[low], x[last] if abs(gap[last]) <= TINY else x[high])
    below, above = bool(inside[0]) and first == 0, bool(inside[-1]) and last == len(x) - 1
    exact_ends = abs(gap[0]) <= TINY, abs(gap[-1]) <= TINY
    return Root(at, float(ends[0]), float(ends[1]), below and not exact_ends[0], above and not exact_ends[1])


def _step(x: Floats) -> float:
    return float(np.diff(x).max(initial=0.0)) + TINY


def _run(inside: npt.NDArray[np.bool_], at: int) -> tuple[int, int]:
    """First and last of the neighbouring places that are inside, too."""
    first = last = at
    while first > 0 and inside[first - 1]:
        first -= 1
    while last < len(inside) - 1 and inside[last + 1]:
        last += 1
    return first, last


def _zeros(x: Floats, gap: Floats) -> list[float]:
    """Where straight lines through the points are 0; the middle of a stretch that is 0 throughout."""
    sign = np.where(np.abs(gap) <= TINY, 0, np.sign(gap)).astype(int)
    out = []
    i = 0
    while i < len(x):
        if sign[i] == 0:
            last = i
            while last + 1 < len(x) and sign[last + 1] == 0:
                last += 1
            out.append(float((x[i] + x[last]) / 2))
            i = last + 1
            continue
        if i + 1 < len(x) and sign[i] * sign[i + 1] < 0:
            out.append(float(x[i] + (x[i + 1] - x[i]) * gap[i] / (gap[i] - gap[i + 1])))
        i += 1
    return out


def spans(x: Floats, inside: npt.NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    """The stretches of places that are inside, each from its first to its last place."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(int)))
    return tuple((float(x[a]), float(x[b - 1])) for a, b in edges.reshape(-1, 2))


def covariance(gaps: Sequence[Floats | None], errors: Floats) -> Floats:
    """Covariance of means over deals, float64[n, n]: what points have in common comes from the deals that both played.

    `gaps` float64[deals] each, deal by deal from the first on, or None where no deals are known; `errors` are the
    standard errors, which may hold more than the deals tell and set the scale.
    """
    n = len(gaps)
    out = np.diag(np.asarray(errors, dtype=np.float64) ** 2)
    for i in range(n):
        for j in range(i):
            a, b = gaps[i], gaps[j]
            if a is None or b is None:
                continue
            both = min(len(a), len(b))
            own = a[:both].std() * b[:both].std()
            if both < 2 or own <= TINY:
                continue
            shared = float(np.mean((a[:both] - a[:both].mean()) * (b[:both] - b[:both].mean()))) / own
            part = np.clip(shared, -1.0, 1.0) * both / (len(a) * len(b)) ** 0.5
            out[i, j] = out[j, i] = part * errors[i] * errors[j]
    return out


__all__ = ["DRAWS", "GRID", "Profile", "Root", "covariance", "curve", "root_of", "spans"]
