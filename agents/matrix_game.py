"""Zero-sum matrix games by linear programming (HiGHS, Huangfu and Hall 2018): value and a mixture of each side.

One program gives both: the row player's mixture is its solution, the column player's its multipliers (von Neumann's
minimax theorem). A saddle point in pure strategies needs no program.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are called

from ..envs.core.errors import ProbespielError

Floats = npt.NDArray[np.float64]
_TOLERANCE = 1e-10  # of the program, on entries scaled to 1
_GAP = 1e-8  # what the two mixtures may differ by in what they guarantee, on the same scale


@dataclass(frozen=True, slots=True)
class Solution:
    """Optimal mixtures of a zero-sum matrix game for the row and the column player, and the row player's value."""

    row: Floats
    column: Floats
    value: float


def solve_zero_sum(matrix: npt.ArrayLike) -> Solution:
    """Solve a game; `matrix[i, j]`, float64[rows, columns], is what row i earns against column j.

    The value is right to about 1e-12 of the largest entry. Raises ProbespielError for a matrix that is empty or has
    entries that are not finite, and if the program cannot be solved.
    """
    m = np.asarray(matrix, dtype=np.float64)
    if m.ndim != 2 or 0 in m.shape or not np.isfinite(m).all():
        raise ProbespielError(f"matrix of shape {m.shape}: one or more rows and columns of finite numbers are needed")
    floors, ceilings = m.min(axis=1), m.max(axis=0)
    if floors.max() >= ceilings.min():
        return Solution(_pure(len(floors), floors.argmax()), _pure(len(ceilings), ceilings.argmin()), floors.max())
    rows, columns = m.shape
    low, scale = float(m.min()), float(m.max() - m.min())
    g = (m - low) / scale  # not constant: that would be a saddle point
    # variables: the mixture x and the value v; maximise v with x g >= v
    found = scipy.optimize.linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-g.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        method="highs",
        options={"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE},
    )
    if found.x is None:
        raise ProbespielError(f"HiGHS found no solution of a game of shape {m.shape}: {found.message}")
    x, y = _mixture(found.x[:rows]), _mixture(-found.ineqlin.marginals)
    least, most = float((x @ g).min()), float((g @ y).max())
    if most - least > _GAP:
        raise ProbespielError(f"HiGHS left a gap of {most - least:.2g} in a game of shape {m.shape}")
    return Solution(x, y, low + scale * (least + most) / 2)


def _pure(n: int, i: np.intp) -> Floats:
    out = np.zeros(n)
    out[i] = 1.0
    return out


def _mixture(weights: Floats) -> Floats:
    kept = np.maximum(weights, 0.0)
    return kept / kept.sum()


__all__ = ["Solution", "solve_zero_sum"]
