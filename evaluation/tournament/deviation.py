"""Ratings of strategies in games of any number of players: deviation ratings and alpha-rank.

*Deviation ratings* (Marris, Liu, Gemp, Piliouras and Lanctot 2025, Deviation Ratings: A General, Clone-Invariant Rating
Method, arXiv 2502.11645). For a distribution s over joint strategies, a player's strategy x has the deviation gain
sum_a s(a) (G_p(x, a_-p) - G_p(a)): what the player gains by always playing x while all others go by s. Of all s the one
is chosen whose largest gain is least; of these, whose second largest gain is least; and so on. The gains that result
are the ratings: unique, at most 0 (a Nash equilibrium is such an s, and nobody gains there), and the same whatever
copies or mixtures of strategies are added. Each step is a linear program; a row whose dual is positive is as large in
every optimum, so that its gain is known.

What a tournament of more than two sides has played is not the whole table of joint strategies, but every strategy alone
among copies of every other one (`plan.py`). That is the table of *crowds*: s ranges over the joint strategies in which
all sides play the same, and payoffs count relative to the mean of the table, so that a crowd earns 0 and a stranger's
gain is what he earns above the mean of his table. Where payoffs have a constant sum that is the gain of the game
itself; in other games it leaves out what a strategy adds to everybody's payoff. For two sides the table is the matrix
of margins, and the ratings are those of the symmetric zero-sum game that it describes (crowds lose nothing there). With
more sides the largest rating may be above 0: then no mixture of crowds is safe from strangers.

*Alpha-rank* (Omidshafiei et al. 2019, alpha-Rank: Multi-Agent Evaluation by Evolution, Scientific Reports 9) is the
share of time that a population spends with each strategy when now and then a single mutant appears and either dies out
or takes over. It is small enough to stand here; the one maintained library that has it is OpenSpiel, with which a test
compares it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are called

from .metagame import MetagameError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Gains are scaled to 1 at most. Feasibility is 1e-9; a dual above this says that its row cannot be made smaller.
_FEASIBLE, _DUAL, _SAME = 1e-9, 1e-7, 12
_COLUMNS = 2000  # of the first program; others are added while they improve it
_MORE = 500
POPULATION = 50
DENSE = 1024  # joint strategies of which alpha-rank makes a full matrix
_KRYLOV, _ROUNDED = 40, 1e-12
FELT = 0.05  # of the largest gain of somebody alone, for another such gain to be worth a word
INVASION = 0.01  # how often a mutant that earns less takes over, where selection is as strong as can be


def gains_table(payoffs: Sequence[npt.ArrayLike]) -> Floats:
    """Deviation gains of a game in normal form, float64[strategies of all players, joint strategies].

    `payoffs` has an array of shape (strategies of player 0, ..., of player n - 1) for every player, her payoffs. Rows
    are the strategies of player 0, then of player 1 and so on; columns the joint strategies, the last player's changing
    first. Raises `MetagameError` for arrays that do not fit.
    """
    tables = [np.asarray(table, dtype=np.float64) for table in payoffs]
    if not tables or any(table.shape != tables[0].shape or table.ndim != len(tables) for table in tables):
        raise MetagameError(
            f"payoffs have the shapes {[table.shape for table in tables]}; give one array for each of n players, all "
            "of one shape with n axes"
        )
    rows = []
    for player, table in enumerate(tables):
        if not np.isfinite(table).all() or 0 in table.shape:
            raise MetagameError(f"the payoffs of player {player} have empty cells; every joint strategy needs a payoff")
        for strategy in range(table.shape[player]):
            rows.append((np.take(table, [strategy], axis=player) - table).ravel())
    return np.array(rows)


def deviation_ratings(payoffs: Sequence[npt.ArrayLike]) -> tuple[Floats, ...]:
    """Deviation ratings of all strategies of each player, from payoffs as in `gains_table`; at most 0."""
    ratings, _ = least_gains(gains_table(payoffs))
    sizes = np.asarray(payoffs[0]).shape
    return tuple(np.split(ratings, np.cumsum(sizes)[:-1]))


def alone_gains(alone: Floats) -> Floats:
    """What the row's strategy gains alone among copies of the column's, above the mean of the table.

    `alone` float64[2, strategies, strategies]: such games and the sums of these gains. NaN where there were none.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        gains = np.asarray(alone[1] / alone[0])
    np.fill_diagonal(gains, 0.0)
    return gains


def stranger(gains: Floats, margins: Floats) -> tuple[int, int, float] | None:
    """Who gains alone among copies of whom, and how much, though by the margins of the pair not ahead of it.

    `gains` as for `crowd_ratings`, `margins` float64[strategies, strategies] the mean of both ways to sit. That gain
    against the best by margins, else the largest; none below a twentieth of the largest gain counts. None where there
    is none, as with two sides, or where entries are not finite.
    """
    if not np.isfinite(gains).all() or not np.isfinite(margins).all():
        return None
    hidden = np.where((margins <= 0) & (gains > FELT * np.abs(gains).max()), gains, 0.0)
    best = int(np.argmax(margins.mean(axis=1)))
    if hidden[:, best].any():
        hidden[:, np.arange(len(hidden)) != best] = 0.0
    who, whom = (int(at) for at in np.unravel_index(hidden.argmax(), hidden.shape))
    return (who, whom, float(hidden[who, whom])) if hidden.any() else None


def outcast(gains: Floats, margins: Floats) -> tuple[int, int, float] | None:
    """Who is ahead of whom by the margins of the pair, and how much it loses alone among copies of that one.

    Arguments and limits as of `stranger`. What the best by margins loses the most by, else the largest such loss.
    """
    if not np.isfinite(gains).all() or not np.isfinite(margins).all():
        return None
    hidden = np.where((margins > 0) & (gains < -FELT * np.abs(gains).max()), -gains, 0.0)
    best = int(np.argmax(margins.mean(axis=1)))
    if hidden[best].any():
        hidden[np.arange(len(hidden)) != best] = 0.0
    who, whom = (int(at) for at in np.unravel_index(hidden.argmax(), hidden.shape))
    return (who, whom, float(hidden[who, whom])) if hidden.any() else None


def alone_told(names: Sequence[str], gains: Floats, margins: Floats) -> list[str]:
    """What a reader must know who reads of pairs and equilibria: a sentence for a `stranger`, one for an `outcast`."""
    told = []
    if (lost := outcast(gains, margins)) is not None:
        who, whom, loss = lost
        told.append(
            "With more than two sides, who is ahead of another by both ways to sit, taken together, may lose alone "
            f"among its copies: alone among copies of {names[whom]}, by the mean payoffs, {names[who]} loses "
            f"{loss:.3f} a game."
        )
    if (found := stranger(gains, margins)) is None:
        return told
    who, whom, gain = found
    return [
        *told,
        "With more than two sides, “against” means both ways to sit, taken together: one alone among copies of the "
        "other, and the other way round. Only alone it can be otherwise: by the mean payoffs "
        f"{names[who]} gains {gain:.3f} a game alone among copies of {names[whom]}.",
    ]


def crowd_ratings(gains: Floats) -> tuple[Floats, Floats]:
    """Ratings float64[strategies] and a mixture of crowds that shows them, float64[strategies].

    `gains` float64[strategies, strategies]: what the row's strategy gains alone among copies of the column's.
    """
    if gains.ndim != 2 or gains.shape[0] != gains.shape[1]:
        raise MetagameError(f"the gains have shape {gains.shape}; give a square matrix")
    return least_gains(gains)


def least_gains(gains: Floats) -> tuple[Floats, Floats]:
    """The least gains, largest first: (gains float64[rows], a distribution over the columns with these gains).

    `gains` float64[rows, columns], a row for each deviation, a column for each joint strategy that may be played. Only
    columns that improve the program enter it, so that tables with millions of them can be given. Raises `MetagameError`
    for empty cells.
    """
    table = np.asarray(gains, dtype=np.float64)
    if table.ndim != 2 or 0 in table.shape or not np.isfinite(table).all():
        raise MetagameError(f"a table of deviation gains of shape {table.shape} has no rows, no columns or empty cells")
    scale = float(np.abs(table).max())
    if scale == 0:
        return np.zeros(len(table)), np.full(table.shape[1], 1 / table.shape[1])
    # Copies have the same row: one of them is enough, and the others' gains are the same.
    rows, same = np.unique(np.round(table / scale, _SAME), axis=0, return_inverse=True)
    found, limits = np.full(len(rows), np.nan), np.full(len(rows), np.nan)
    chosen = _first_columns(rows)
    weights = np.zeros(len(chosen))
    while np.isnan(found).any():
        least, chosen, weights, duals = _step(rows, limits, chosen)
        known = np.isnan(found) & (duals > _DUAL)
        found[known] = least
        # What this solution is allowed the next one is, too: a program solved to 1e-9 may exceed its optimum by that.
        reached = rows[:, chosen] @ weights
        limits[~np.isnan(found)] = np.fmax(limits, np.maximum(found, reached) + _FEASIBLE)[~np.isnan(found)]
    mixture = np.zeros(table.shape[1])
    mixture[chosen] = weights
    return found[same.ravel()] * scale + 0.0, mixture


def _first_columns(rows: Floats) -> Ints:
    """Columns to begin with: all of a small table, else those with the least largest gains."""
    count = rows.shape[1]
    if count <= _COLUMNS:
        return np.arange(count)
    return np.sort(np.argpartition(rows.max(axis=0), _COLUMNS)[:_COLUMNS])


def _step(rows: Floats, limits: Floats, chosen: Ints) -> tuple[float, Ints, Floats, Floats]:
    """The least largest gain of the rows whose limit is NaN, while the others keep to theirs.

    Returns it, the columns in use, their weights, and the duals of all rows (at least 0, those without a limit add up
    to 1).
    """
    open_ = np.isnan(limits)
    while True:
        k = len(chosen)
        bounded = np.hstack([rows[:, chosen], -open_.astype(np.float64)[:, None]])
        result = scipy.optimize.linprog(
            np.append(np.zeros(k), 1.0),
            A_ub=bounded,
            b_ub=np.where(open_, 0.0, limits),
            A_eq=np.append(np.ones(k), 0.0)[None, :],
            b_eq=[1.0],
            bounds=[(0.0, None)] * k + [(None, None)],
            method="highs",
            options={"primal_feasibility_tolerance": _FEASIBLE, "dual_feasibility_tolerance": _FEASIBLE},
        )
        if result.x is None:
            raise MetagameError(f"HiGHS found no deviation ratings: {result.message}")
        duals = np.maximum(-result.ineqlin.marginals, 0.0)
        if k == rows.shape[1]:
            break
        reduced = duals @ rows - result.eqlin.marginals[0]
        reduced[chosen] = 0.0
        better = np.flatnonzero(reduced < -1e-8)
        if not len(better):
            break
        better = better[np.argsort(reduced[better])[:_MORE]]
        chosen = np.concatenate([chosen, better])
    weights = np.maximum(result.x[:-1], 0.0)
    return float(result.x[-1]), chosen, weights / weights.sum(), duals


def alpha_rank(margins: Floats, intensity: float = np.inf, population: int = POPULATION) -> Floats:
    """The share of time that a population spends with each strategy, float64[strategies], adding up to 1.

    `margins` float64[strategies, strategies], antisymmetric: half of what the row's strategy earns more than the
    column's when they meet. `intensity` is alpha times payoff. Infinite, a mutant that earns more takes over but for
    one case in a hundred, one that earns less in one of a hundred, an equal in one of two (as in OpenSpiel); else with
    the probability of fixation of the Moran process in a population of that size. Raises `MetagameError`.
    """
    m = np.asarray(margins, dtype=np.float64)
    if m.ndim != 2 or m.shape[0] != m.shape[1] or 0 in m.shape or not np.isfinite(m).all():
        raise MetagameError(f"margins of shape {m.shape}: give a square matrix without empty cells")
    if not intensity > 0 or population < 2:
        raise MetagameError(f"intensity = {intensity:g} must be above 0, population = {population} at least 2")
    n = len(m)
    if n == 1:
        return np.ones(1)
    lead = (m - m.T).T  # [i, j]: what j earns more when it invades i
    tie = np.abs(lead) <= 1e-12 * max(float(np.abs(m).max()), 1e-300)
    if np.isinf(intensity):
        takes = np.where(tie, 0.5, np.where(lead > 0, 1 - INVASION, INVASION))
    else:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            push = intensity * np.where(tie, 1.0, lead)
            # For a mutant that earns less both exponentials grow: e^{(m - 1) push} is their quotient's limit.
            takes = np.where(
                push > 0,
                np.expm1(-push) / np.expm1(-population * push),
                np.exp((population - 1) * push) * np.expm1(push) / np.expm1(population * push),
            )
        takes = np.where(tie, 1 / population, takes)
    change = takes / (n - 1)
    np.fill_diagonal(change, 0.0)
    return _stationary(change)


def joint_alpha_rank(payoffs: Sequence[npt.ArrayLike]) -> tuple[Floats, ...]:
    """Alpha-rank with a population for each player, from payoffs as in `gains_table`: shares of each one's strategies.

    A state is a joint strategy. A mutant of one population takes over by what it earns more among the others as they
    are, with the chances of `alpha_rank` where selection is as strong as can be; all mutants are equally frequent. From
    a state only those are reached in which one population plays something else, so that memory grows with the number of
    states times that of strategies. Up to `DENSE` states every share is exact to its last digits; above, the sum of all
    errors is 1e-13 times the time in which the populations forget where they began. Raises `MetagameError`.
    """
    gains = gains_table(payoffs)
    shape = np.asarray(payoffs[0]).shape
    states = np.arange(gains.shape[1])
    mutants = sum(size - 1 for size in shape)
    if not mutants:
        return tuple(np.ones(1) for _ in shape)
    small = 1e-12 * max(float(np.abs(gains).max()), 1e-300)
    froms, tos, rates = [], [], []
    row = 0
    for player, size in enumerate(shape):
        for strategy in range(size):
            lead, row = gains[row], row + 1
            there = np.broadcast_to(np.take(states.reshape(shape), [strategy], axis=player), shape).ravel()
            others = np.flatnonzero(there != states)
            lead = lead[others]
            takes = np.where(np.abs(lead) <= small, 0.5, np.where(lead > 0, 1 - INVASION, INVASION))
            froms.append(others)
            tos.append(there[others])
            rates.append(takes / mutants)
    entries = (np.concatenate(rates), (np.concatenate(froms), np.concatenate(tos)))
    change = scipy.sparse.csr_matrix(entries, shape=(len(states), len(states)))
    shares = _stationary(change.toarray()) if len(states) <= DENSE else _stationary_of_many(change)
    players = range(len(shape))
    table = shares.reshape(shape)
    return tuple(table.sum(axis=tuple(p for p in players if p != player)) for player in players)


def _stationary_of_many(change: Any) -> Floats:
    """The stationary distribution of a chain of many states, `change` a sparse matrix of rates, rows adding up to 1.

    By Arnoldi's method (ARPACK), which finds it in a few dozen steps where only few groups of states are hard to leave:
    they are the few other eigenvalues near 1. Raises `MetagameError` if it does not come to an end.
    """
    n = change.shape[0]
    stays = 1.0 - np.asarray(change.sum(axis=1)).ravel()
    step = (change.T + scipy.sparse.diags(stays)).tocsr()
    try:
        _, vectors = scipy.sparse.linalg.eigs(step, k=1, which="LR", v0=np.full(n, 1.0 / n), ncv=_KRYLOV, tol=0)
    except scipy.sparse.linalg.ArpackError as error:  # ArpackNoConvergence is one
        raise MetagameError(f"alpha-rank of {n:,} joint strategies was not found: {error}") from None
    shares = np.abs(vectors[:, 0].real)
    shares /= shares.sum()
    if (missed := float(np.abs(step @ shares - shares).sum())) > _ROUNDED:
        raise MetagameError(f"alpha-rank of {n:,} joint strategies was not found: a step still changes {missed:.1e}")
    return shares


def _stationary(change: Floats) -> Floats:
    """The stationary distribution of a chain with the rates `change` float64[n, n] between different states.

    By the elimination of Grassmann, Taksar and Heyman (1985), which subtracts nothing and thus stands rates that are
    many orders of magnitude apart. A state that nothing leaves keeps everything.
    """
    rates = np.maximum(change, 1e-290)  # irreducible, however rare
    np.fill_diagonal(rates, 0.0)
    n = len(rates)
    for k in range(n - 1, 0, -1):
        rates[:k, k] /= rates[k, :k].sum()
        rates[:k, :k] += np.outer(rates[:k, k], rates[k, :k])
    shares = np.zeros(n)
    shares[0] = 1.0
    for k in range(1, n):
        shares[k] = shares[:k] @ rates[:k, k]
        shares[: k + 1] /= shares[: k + 1].sum()
    return shares


__all__ = [
    "alone_gains",
    "alone_told",
    "alpha_rank",
    "crowd_ratings",
    "deviation_ratings",
    "gains_table",
    "joint_alpha_rank",
    "least_gains",
    "outcast",
    "stranger",
]
