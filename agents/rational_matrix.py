"""Zero-sum matrix games solved exactly in rationals, for the exact analysis of einBlatt (E1, E11).

Small games by the million entries are not the aim: the stage games of a test have at most a few dozen rows. Weakly
dominated rows and columns are removed first, a saddle point ends the search, and what is left goes to the simplex
method with fractions and Bland's rule, so that no rounding can spoil a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Number = int | Fraction
Matrix = Sequence[Sequence[Number]]


@dataclass(frozen=True, slots=True)
class MatrixSolution:
    """Value of a game to its row player, and one optimal mixed strategy of each side (probabilities sum to 1)."""

    value: Fraction
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]


def undominated(matrix: Matrix) -> tuple[list[int], list[int]]:
    """Rows and columns that survive the repeated removal of weakly dominated ones; the value stays the same.

    Of equal rows or columns the first is kept.
    """
    rows = list(range(len(matrix)))
    columns = list(range(len(matrix[0])))
    shrinking = True
    while shrinking:
        size = len(rows) + len(columns)
        lines = {i: tuple(matrix[i][j] for j in columns) for i in rows}
        rows = _survivors(rows, lines, 1)
        lines = {j: tuple(matrix[i][j] for i in rows) for j in columns}
        columns = _survivors(columns, lines, -1)
        shrinking = len(rows) + len(columns) < size
    return rows, columns


def _survivors(indices: list[int], lines: dict[int, tuple[Number, ...]], sign: int) -> list[int]:
    """Indices whose line no other one dominates; the owner wants large entries (sign 1) or small ones (-1)."""
    kept: list[int] = []
    for i in indices:
        if any(all(sign * a >= sign * b for a, b in zip(lines[k], lines[i])) for k in kept):
            continue
        kept = [k for k in kept if not all(sign * a >= sign * b for a, b in zip(lines[i], lines[k]))]
        kept.append(i)
    return kept


def solve_matrix(matrix: Matrix) -> MatrixSolution:
    """Solve a zero-sum game; entry [i][j] is what row i earns against column j (whole numbers or fractions).

    Raises ValueError if the matrix is empty or ragged.
    """
    if not matrix or not matrix[0] or any(len(row) != len(matrix[0]) for row in matrix):
        raise ValueError(f"matrix = {matrix!r}: allowed are one or more rows of one and the same positive length")
    rows, columns = undominated(matrix)
    core = [[Fraction(matrix[i][j]) for j in columns] for i in rows]
    value, x, y = _saddle(core) or _simplex(core)
    full_x, full_y = [Fraction(0)] * len(matrix), [Fraction(0)] * len(matrix[0])
    for i, weight in zip(rows, x):
        full_x[i] = weight
    for j, weight in zip(columns, y):
        full_y[j] = weight
    return MatrixSolution(value, tuple(full_x), tuple(full_y))


_Solved = tuple[Fraction, list[Fraction], list[Fraction]]


def _saddle(matrix: list[list[Fraction]]) -> _Solved | None:
    """The solution in pure strategies, if there is one."""
    floors = [min(row) for row in matrix]
    ceilings = [max(row[j] for row in matrix) for j in range(len(matrix[0]))]
    if max(floors) != min(ceilings):
        return None
    x, y = [Fraction(0)] * len(floors), [Fraction(0)] * len(ceilings)
    x[floors.index(max(floors))] = Fraction(1)
    y[ceilings.index(min(ceilings))] = Fraction(1)
    return max(floors), x, y


def _simplex(matrix: list[list[Fraction]]) -> _Solved:
    """Solve a game by the simplex method on the column player's programme.

    All entries are shifted above 0; then the columns' programme, maximise sum(y) under M y <= 1, has the slack basis
    as a feasible start, its optimum is 1 / value, and the rows' strategy stands in the objective under the slacks.
    """
    m, n = len(matrix), len(matrix[0])
    shift = 1 - min(min(row) for row in matrix)
    unit = [Fraction(0)] * m
    tableau = [[entry + shift for entry in row] + unit[:i] + [Fraction(1)] + unit[i + 1 :] + [Fraction(1)]
               for i, row in enumerate(matrix)]  # fmt: skip
    objective = [Fraction(-1)] * n + [Fraction(0)] * (m + 1)
    basis = list(range(n, n + m))
    while True:
        # Bland's rule, lowest index in and out, cannot cycle.
        entering = next((j for j in range(n + m) if objective[j] < 0), None)
        if entering is None:
            break
        # Every column has a positive entry: the programme is bounded because all shifted entries are positive.
        ratios = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(tableau) if row[entering] > 0]
        pivot = min(ratios)[2]
        basis[pivot] = entering
        head = tableau[pivot][entering]
        line = tableau[pivot] = [entry / head for entry in tableau[pivot]]
        for i, row in enumerate(tableau):
            if i != pivot and row[entering]:
                factor = row[entering]
                tableau[i] = [entry - factor * other for entry, other in zip(row, line)]
        factor = objective[entering]
        objective = [entry - factor * other for entry, other in zip(objective, line)]
    total = objective[-1]
    y = [Fraction(0)] * n
    for i, variable in enumerate(basis):
        if variable < n:
            y[variable] = tableau[i][-1] / total
    x = [entry / total for entry in objective[n : n + m]]
    return 1 / total - shift, x, y
