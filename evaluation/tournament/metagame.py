"""The tournament seen as one big matrix game: each agent is a pure strategy, each cell what it earns from another.

The cell M[i, j] is half the difference of the mean payoffs of i and j in their games, over both ways of sitting. M is
antisymmetric (M[j, i] = -M[i, j], zero diagonal), so that the game is symmetric and zero-sum with value 0; if the game
itself is zero-sum, M[i, j] is simply the mean payoff of i against j. On this matrix stand the questions a designer
asks: which mixture of strategies cannot be exploited (Nash), how much the best opponent in the pool takes from each
strategy (exploitability), and which strategies are never the right choice (dominated).

Linear programs are solved by HiGHS through scipy (Huangfu and Hall 2018). Their form is textbook: von Neumann's minimax
theorem, and for dominance by mixtures Shoham and Leyton-Brown, *Multiagent Systems* (2009), sections 4.5.1 and 4.5.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are called

from ...agents.matrix_game import Solution, solve_zero_sum
from .blocks import Sums
from .ratings import laplacian_inverse

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

# Payoffs closer than this, relative to the largest one, count as equal.
TOLERANCE = 1e-7
_LP_CELLS = 60_000  # matrix cells solved in one block-diagonal program
_MIXES = 128  # column mixtures tried as witnesses before a program is solved


class MetagameError(ValueError):
    """A matrix that is no payoff matrix of a metagame; the message says why."""


@dataclass(frozen=True, slots=True)
class Domination:
    """Which mixture of other strategies does best against strategy k being the right choice.

    `weights` (agents,) is that mixture, `margin` its smallest lead over k (above 0: strict dominance), `gain` the
    largest total lead of a mixture that is nowhere behind k (above 0: weak dominance).
    """

    weights: Floats
    margin: float
    gain: float
    strict: bool
    weak: bool


def payoff_matrix(sums: Sums) -> Floats:
    """M[i, j] = (mean payoff of i against j - mean payoff of j against i) / 2, shape (..., agents, agents).

    The diagonal is 0; pairs that never met are NaN.
    """
    own = mean_payoffs(sums)
    matrix = (own - own.swapaxes(-1, -2)) / 2
    n = matrix.shape[-1]
    matrix[..., np.arange(n), np.arange(n)] = 0.0
    return matrix


def mean_payoffs(sums: Sums) -> Floats:
    """Mean payoff of the row agent in its games against the column agent, NaN where they never met."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums.payoff / sums.games)


def _check(matrix: Floats) -> Floats:
    m = np.asarray(matrix, dtype=np.float64)
    if m.ndim < 2 or 0 in m.shape:
        raise MetagameError(f"the payoff matrix has shape {m.shape}; give at least one row and one column")
    if not np.isfinite(m).all():
        raise MetagameError("the payoff matrix has empty cells; every pair of agents must have met")
    return m


def linear_program(cost: Floats, **program: Any) -> Floats:
    """The point that minimises `cost` under the constraints of `scipy.optimize.linprog`; raises `MetagameError`."""
    options = {"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9}
    result = scipy.optimize.linprog(cost, method="highs", options=options, **program)
    if result.x is None:
        raise MetagameError(f"HiGHS found no solution: {result.message}")
    return np.asarray(result.x)


def maximin_many(games: Floats) -> tuple[Floats, Floats]:
    """The row player's best guarantee in many matrix games: games (count, rows, columns) -> values (count,), mixtures.

    max v subject to sum_i x_i G[i, j] >= v for all j, x in the simplex. Many small programs are put on the diagonal of
    one sparse program, because a single call costs more than its solution.
    """
    g = _check(games)
    scale = np.abs(g).max(axis=(1, 2))
    scaled = g / np.where(scale > 0, scale, 1.0)[:, None, None]
    count, rows, _ = g.shape
    values, mixtures = np.zeros(count), np.zeros((count, rows))
    for part in _chunks(count, g.shape[1] * g.shape[2]):
        block = scaled[part]
        k = len(block)
        # variables of one block: x (rows), v
        bodies = [np.hstack([-b.T, np.ones((b.shape[1], 1))]) for b in block]
        sums = [np.append(np.ones(rows), 0.0)[None, :]] * k
        x = linear_program(
            np.tile(np.append(np.zeros(rows), -1.0), k),
            A_ub=scipy.sparse.block_diag(bodies, format="csr"),
            b_ub=np.zeros(k * g.shape[2]),
            A_eq=scipy.sparse.block_diag(sums, format="csr"),
            b_eq=np.ones(k),
            bounds=([(0.0, None)] * rows + [(None, None)]) * k,
        ).reshape(k, rows + 1)
        mix = np.maximum(x[:, :rows], 0)
        mixtures[part] = mix / mix.sum(axis=1, keepdims=True)
        values[part] = x[:, rows] * scale[part]
    return values, mixtures


def _chunks(count: int, cells: int) -> list[slice]:
    size = max(1, _LP_CELLS // max(1, cells))
    return [slice(i, min(i + size, count)) for i in range(0, count, size)]


def solve(matrix: Floats) -> Solution:
    """A Nash equilibrium of the zero-sum game `matrix` (rows, columns) of row payoffs, by linear programming.

    Some games have many; this is one corner of their set (see `max_entropy_nash`). Raises `MetagameError` for NaN.
    """
    return solve_zero_sum(_check(matrix))


def max_entropy_nash(matrix: Floats) -> Floats:
    """The row player's optimal mixture of greatest entropy, shape (rows,): unique, and equal for equal strategies.

    Of all x in the simplex with sum_i x_i M[i, j] >= value for every j, the one that maximises -sum x log x (Ortiz,
    Schapire and Kakade 2007; used to evaluate agents by Balduzzi et al. 2018, Re-evaluating Evaluation).
    It is first found which strategies can be used at all and which constraints always bind; on what is left
    the optimum is x_i proportional to exp(sum_j w_j M[i, j]), and the smooth dual in w is minimised. Copies of a
    strategy share what is one unknown, so that they need no programs of their own. Raises `MetagameError` for NaN.
    """
    different, which, copies = np.unique(_check(matrix), axis=0, return_inverse=True, return_counts=True)
    return (_max_entropy_of(np.unique(different, axis=1), copies) / copies)[which.ravel()]


def _max_entropy_of(m: Floats, copies: npt.NDArray[np.int64]) -> Floats:
    """The optimal mixture of rows, each of which stands for so many copies, whose mixture has the greatest entropy."""
    rows = m.shape[0]
    scale = float(np.abs(m).max())
    if scale == 0 or rows == 1:
        return copies / copies.sum()
    found = solve_zero_sum(m)
    g = (m - found.value) / scale
    usable, binding, inner = _face(g, found)
    # The affine hull of the optimal set: x over `usable`, sum 1, binding constraints equal to 0.
    equal = np.vstack([np.ones(len(usable)), g[np.ix_(usable, binding)].T])
    right = np.append(1.0, np.zeros(len(binding)))
    if np.linalg.matrix_rank(equal, tol=1e-8) == len(usable):
        part = np.linalg.lstsq(equal, right, rcond=None)[0]
    else:
        part = _max_entropy(g[usable], np.log(copies[usable]), binding, inner[usable], equal, right)
    x = np.zeros(rows)
    x[usable] = np.maximum(part, 0)
    return x / x.sum()


def _face(g: Floats, found: Solution) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]:
    """Strategies with positive weight in some optimum, constraints that bind in all, and a point inside all others.

    By one optimum of both players: what earns less against the opponent's is in no optimum, and what the opponent
    plays binds in all (complementary slackness). Linear programs decide about the rest, if there is any.
    """
    rows, columns = g.shape
    limits = {"A_ub": -g.T, "b_ub": np.full(columns, 1e-9), "A_eq": np.ones((1, rows)), "b_eq": [1.0]}
    possible, played = g @ found.column >= -TOLERANCE, found.column > TOLERANCE
    corners = [found.row]
    for i in np.flatnonzero(possible):
        if max(x[i] for x in corners) <= TOLERANCE:
            corners.append(linear_program(-np.eye(rows)[i], **limits))
    for j in np.flatnonzero(~played):
        if max(x @ g[:, j] for x in corners) <= TOLERANCE:
            corners.append(linear_program(-g[:, j], **limits))
    every = np.array(corners)
    usable, binding = possible & (every.max(axis=0) > TOLERANCE), played | ((every @ g).max(axis=0) <= TOLERANCE)
    return np.flatnonzero(usable), np.flatnonzero(binding), every.mean(axis=0)


def _max_entropy(
    g: Floats, log_copies: Floats, binding: npt.NDArray[np.int64], inner: Floats, equal: Floats, right: Floats
) -> Floats:
    """Maximise the entropy over x >= 0, sum 1, g.T x >= 0 (equal to 0 at `binding`); `inner` is a feasible start.

    The entropy is that of the copies among which each x is divided evenly.
    """

    def dual(w: Floats) -> tuple[float, Floats]:
        z = g @ w + log_copies
        top = z.max()
        e = np.exp(z - top)
        return float(top + np.log(e.sum())), g.T @ (e / e.sum())

    bounds = [(None, None) if j in set(binding.tolist()) else (0.0, None) for j in range(g.shape[1])]
    found = scipy.optimize.minimize(
        dual, np.zeros(g.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds,
        options={"maxiter": 5000, "ftol": 1e-16, "gtol": 1e-11},
    )  # fmt: skip
    z = g @ found.x + log_copies
    x = np.exp(z - z.max())
    x /= x.sum()
    # Remove what is left of the gradient: the nearest point of the affine hull, if it is still a mixture.
    near = x - np.linalg.lstsq(equal, equal @ x - right, rcond=None)[0]
    good = near.min() > -1e-9 and (near @ g).min() > -1e-6
    return near if good else inner / inner.sum()


def nash_many(matrices: Floats) -> Floats:
    """One Nash mixture of each of many antisymmetric matrices (count, agents, agents), shape (count, agents).

    Meant for bootstrap resamples, whose equilibrium is unique unless payoffs tie exactly.
    """
    return maximin_many(matrices)[1]


def exploitability(matrix: Floats) -> Floats:
    """What the best opponent in the pool earns from each strategy, max_j M[j, i], shape (..., agents); never below 0.

    0 means that nobody in the pool gains against it. As a maximum of noisy means it is biased upwards; see
    `cross_fitted_exploitability`.
    """
    return np.maximum(0.0, -matrix.min(axis=-1)) + 0.0  # no negative zero


def cross_fitted_exploitability(first: Floats, second: Floats) -> Floats:
    """Exploitability without the winner's curse: choose the best opponent on one half, measure it on the other.

    `first` and `second` are payoff matrices (agents, agents) of the two halves; the two measurements are averaged and
    cut off at 0, shape (agents,).
    """
    rows = np.arange(len(first))
    there = -second[rows, first.argmin(axis=1)]
    back = -first[rows, second.argmin(axis=1)]
    return np.maximum(0.0, (there + back) / 2) + 0.0


def hodge(matrix: Floats, weights: Floats | None = None) -> tuple[Floats, Floats]:
    """Split an antisymmetric matrix into heights f on a ladder and a remainder: M[i, j] = f[i] - f[j] + R[i, j].

    The heights float64[agents] (mean 0) are those for which the squares of the remainder float64[agents, agents], times
    `weights` (symmetric, at least 0; 1 without), are least: the gradient part of the Hodge decomposition (Jiang et al.
    2011). At every agent the weighted remainders add up to 0: what is left runs in circles. Pairs without weight may be
    empty; the heights of groups that never met have mean 0 each.
    """
    m = np.asarray(matrix, dtype=np.float64)
    if m.ndim != 2 or m.shape[0] != m.shape[1]:
        raise MetagameError(f"the payoff matrix has shape {m.shape}; give a square one")
    w = np.ones(m.shape) if weights is None else np.array(weights, dtype=np.float64)
    if w.shape != m.shape or not np.isfinite(w).all() or (w < 0).any() or not np.array_equal(w, w.T):
        raise MetagameError(
            "the weights of a Hodge decomposition are a symmetric matrix of numbers that are at least 0"
        )
    np.fill_diagonal(w, 0.0)
    known = _check(np.where(w > 0, m, 0.0))
    heights = laplacian_inverse(w) @ (w * known).sum(axis=1)
    return heights, np.where(w > 0, known - (heights[:, None] - heights[None, :]), 0.0)


def cyclic_share(first: Floats, second: Floats) -> float:
    """The share of an antisymmetric matrix that is cyclic, like rock-paper-scissors, 0..1; the rest is transitive.

    The transitive part is that of `hodge`, with squares of differences as sizes (Jiang et al. 2011, Statistical ranking
    and combinatorial Hodge theory; Balduzzi et al. 2019, Open-ended learning in symmetric zero-sum games).
    `first` and `second` (agents, agents) are measured on different games, so that noise, which looks cyclic, averages
    out of the products. A matrix of nothing but noise has share 0.
    """
    a, b = _check(first), _check(second)
    f, g = a.mean(axis=1), b.mean(axis=1)  # the heights of `hodge` where all pairs have weight 1
    whole = float((a * b).sum())
    transitive = float(((f[:, None] - f[None, :]) * (g[:, None] - g[None, :])).sum())
    return min(1.0, max(0.0, 1.0 - transitive / whole)) if whole > 0 else 0.0


def pure_dominance(matrices: Floats) -> tuple[Bools, Bools]:
    """(strict, weak) with [..., i, k] true if strategy i dominates strategy k; matrices (..., agents, agents).

    Strict: M[i, j] > M[k, j] for every j. Weak: M[i, j] >= M[k, j] for every j and > for some; strict implies weak.
    """
    m = _check(matrices)
    tolerance = TOLERANCE * np.abs(m).max(axis=(-1, -2), keepdims=True)
    strict, weak = np.zeros(m.shape, dtype=bool), np.zeros(m.shape, dtype=bool)
    for k in range(m.shape[-1]):
        lead = m - m[..., k : k + 1, :]
        strict[..., k] = (lead > tolerance).all(axis=-1)
        weak[..., k] = (lead >= -tolerance).all(axis=-1) & (lead > tolerance).any(axis=-1)
    return strict, weak


def mixed_domination(matrix: Floats, k: int) -> Domination:
    """Whether a mixture of strategies dominates strategy k in `matrix` (agents, agents).

    Strict: max t with sum_i x_i (M[i, j] - M[k, j]) >= t for all j; dominated if t > 0. Weak: the largest sum of leads
    of a mixture that is nowhere behind; dominated if it is > 0. Raises `MetagameError` for a bad k or NaN.
    """
    m = _check(matrix)
    if not 0 <= k < len(m):
        raise MetagameError(f"strategy {k} does not exist; it must be between 0 and {len(m) - 1}")
    lead = (m - m[k])[None]
    scale = float(np.abs(m).max())
    margin, mixture = maximin_many(lead)
    gain, weak_mixture = _weak_gains(lead)
    strict, weak = bool(margin[0] > TOLERANCE * scale), bool(gain[0] > TOLERANCE * scale * len(m))
    weights = (mixture if strict else weak_mixture)[0].copy()
    if not weak:
        weights[:] = 0.0
    return Domination(weights, max(float(margin[0]), 0.0) + 0.0, max(float(gain[0]), 0.0) + 0.0, strict, strict or weak)


def _weak_gains(leads: Floats) -> tuple[Floats, Floats]:
    """max sum_j (x L)_j subject to x L >= 0, x in the simplex, for many lead matrices L (count, rows, columns)."""
    count, rows, columns = leads.shape
    scale = np.abs(leads).max(axis=(1, 2))
    scaled = leads / np.where(scale > 0, scale, 1.0)[:, None, None]
    gains, mixtures = np.zeros(count), np.zeros((count, rows))
    for part in _chunks(count, rows * columns):
        block = scaled[part]
        k = len(block)
        x = linear_program(
            -block.sum(axis=2).ravel(),
            A_ub=scipy.sparse.block_diag([-b.T for b in block], format="csr"),
            b_ub=np.zeros(k * columns),
            A_eq=scipy.sparse.block_diag([np.ones((1, rows))] * k, format="csr"),
            b_eq=np.ones(k),
        ).reshape(k, rows)
        mixtures[part] = x
        gains[part] = np.einsum("ki,kij->k", x, block) * scale[part]
    return gains, mixtures


def dominated_many(matrices: Floats) -> Bools:
    """Whether each strategy is at least weakly dominated, by a strategy or a mixture: (count, agents).

    Programs are solved only where nothing shorter decides: a strategy dominated by a single one is dominated; one that
    is a best reply to some mixture of all columns is not (Pearce 1984, lemma 4).
    """
    m = _check(matrices)
    count, n = m.shape[0], m.shape[-1]
    dominated = np.asarray(pure_dominance(m)[1].any(axis=-2))
    tolerance = TOLERANCE * np.abs(m).max(axis=(-1, -2))[:, None, None]
    rng = np.random.default_rng(0)
    # Mixtures of all columns, each with one or a few heavy ones, as witnesses of being a best reply.
    mixes = np.vstack([np.eye(n) * 0.999 + 0.001 / n, rng.dirichlet(np.full(n, 0.5), _MIXES) * 0.999 + 0.001 / n])
    replies = m @ mixes.T
    best = (replies >= replies.max(axis=-2, keepdims=True) - tolerance).any(axis=-1)
    open_ = np.argwhere(~dominated & ~best)
    if len(open_):
        b, k = open_.T
        gains = _weak_gains(m[b] - m[b, k][:, None, :])[0]
        dominated[b, k] = gains > TOLERANCE * np.abs(m[b]).max(axis=(1, 2)) * n
    assert dominated.shape == (count, n)
    return dominated


def mixture_text(weights: Sequence[float] | Floats, names: Sequence[str], least: float = 0.005) -> str:
    """A mixture in words, heaviest first, e.g. ``0.62 hunter + 0.38 random``; weights below `least` are left out."""
    order = sorted((i for i, w in enumerate(weights) if w >= least), key=lambda i: (-round(weights[i], 6), i))
    return " + ".join(f"{weights[i]:.2f} {names[i]}" for i in order)
