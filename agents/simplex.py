"""A step of the simplex method, for compiled programs that are too small, and too many, to call HiGHS."""

from __future__ import annotations

from ..envs.core.inner import inner


@inner(allocates=False)
def pivot(tableau, leave, enter, rows, width):
    """Make column `enter` basic in the row `leave` of a tableau float64[rows, width] or larger, in place."""
    by = tableau[leave, enter]
    for j in range(width):
        tableau[leave, j] /= by
    for i in range(rows):
        if i != leave and tableau[i, enter] != 0.0:
            factor = tableau[i, enter]
            for j in range(width):
                tableau[i, j] -= factor * tableau[leave, j]
