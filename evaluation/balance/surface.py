"""A figure over several parameters: a Gaussian process through what was measured.

A linear trend and a smooth deviation from it (squared exponential, one length for each parameter), with the noise of
the measurements; lengths and size by the marginal likelihood over a small table (Rasmussen and Williams 2006, Gaussian
Processes for Machine Learning, 2.2 and 5.4).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are called

from .space import Key, Space

Floats = npt.NDArray[np.float64]
LENGTHS = (0.25, 0.5, 1.0, 2.0)  # of the range of a parameter
SIZES = (0.1, 0.5, 2.0)  # variance of the deviation, of that of what the trend leaves
JITTER = 1e-8


def coordinates(space: Space, keys: Sequence[Key]) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Places of points, float64[n, columns], and the axis of every column: numbers 0..1, others by indicators."""
    columns: list[Floats] = []
    owner: list[int] = []
    table = np.asarray(keys, dtype=np.int64).reshape(-1, len(space.axes))
    for a, axis in enumerate(space.axes):
        if axis.numeric:
            values = np.asarray(axis.values, dtype=np.float64)
            columns.append((values[table[:, a]] - values[0]) / (values[-1] - values[0]))
            owner.append(a)
        else:
            for i in range(len(axis.values)):
                columns.append((table[:, a] == i).astype(np.float64))
                owner.append(a)
    return np.stack(columns, axis=1), np.array(owner)


@dataclass(frozen=True)
class Surface:
    """A fitted process; `at` gives mean and standard deviation at places (see `coordinates`)."""

    x: Floats
    trend: Floats
    factor: Floats
    weights: Floats
    scale: Floats
    size: float

    def at(self, places: Floats) -> tuple[Floats, Floats]:
        """Mean and standard deviation of the figure, float64[n] each."""
        near = _kernel(places, self.x, self.scale, self.size)
        mean = _design(places) @ self.trend + near @ self.weights
        part = scipy.linalg.solve_triangular(self.factor, near.T, lower=True)
        return mean, np.sqrt(np.maximum(self.size - (part**2).sum(axis=0), 0.0))


def surface(x: Floats, owner: npt.NDArray[np.int64], y: Floats, cov: Floats) -> Surface:
    """The process through values y float64[n] with covariance float64[n, n] at places x float64[n, columns]."""
    weights = 1.0 / np.maximum(np.diag(cov), 1e-12)
    root = np.sqrt(weights / weights.max())[:, None]
    design = _design(x)
    trend = np.linalg.lstsq(root * design, root[:, 0] * y, rcond=None)[0]
    rest = y - design @ trend
    spread = max(float(rest.var()), 1e-12)
    best: tuple[float, Surface] | None = None
    for lengths in itertools.product(LENGTHS, repeat=int(owner.max()) + 1):
        scale = np.asarray(lengths)[owner]
        for share in SIZES:
            size = share * spread
            full = _kernel(x, x, scale, size) + cov + JITTER * spread * np.eye(len(x))
            factor = scipy.linalg.cho_factor(full, lower=True)
            solved = np.asarray(scipy.linalg.cho_solve(factor, rest))
            lower = np.tril(np.asarray(factor[0]))
            likelihood = float(-0.5 * rest @ solved - np.log(np.diag(lower)).sum())
            if best is None or likelihood > best[0] + 1e-9:
                best = likelihood, Surface(x, trend, lower, solved, scale, size)
    assert best is not None
    return best[1]


def _design(x: Floats) -> Floats:
    return np.concatenate([np.ones((len(x), 1)), x], axis=1)


def _kernel(a: Floats, b: Floats, scale: Floats, size: float) -> Floats:
    gaps = (a[:, None, :] - b[None, :, :]) / scale
    return size * np.exp(-0.5 * (gaps**2).sum(axis=2))


__all__ = ["Surface", "coordinates", "surface"]
