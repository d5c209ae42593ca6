"""How far a rating by wins may lie to either side where somebody seldom lost: the ends of a likelihood interval.

Standard errors and resamples of blocks know a loss only by those that were seen. With six of them in a thousand games
either leaves out too often that there should have been three, and with one they know next to nothing. The likelihood
of the wins does say how strong an agent can be that lost so often: the ends are where the best strengths that give an
agent such a rating are less likely than the best of all by the quantile of chi-square (profile likelihood, Venzon and
Moolgavkar 1988, A method for computing profile-likelihood-based confidence intervals).

Counts are whole numbers, so that such an interval alone holds the truth in 84 % at worst. As for the intervals of
Clopper and Pearson the end at which an agent is better takes the losses as they were, without any prior, and the one at
which it is worse half a game more that it might have lost, shared among pairs by what each tells of the rating. For
two agents that holds in 94.2 % at least, whatever the chance (tests/test_rating_ends.py works it out by the binomial
law).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are called

from ...agents.intervals import LEVEL, NORMAL
from .blocks import BlockSums, expansion
from .ratings import ELO_MEAN, ELO_SCALE, PRIOR_DRAWS, bradley_terry_many, laplacian_inverse

Floats = npt.NDArray[np.float64]

MORE = 0.5  # of a game, besides those that were seen, where the end is on the side of more of them
_DOUBLED, _CLOSER, _STEPS = 60, 60, 100
_NEAR = 1e-6  # of the deviance's root


def likelihood_ends(
    wins: Floats, theta: Floats, of: npt.NDArray[np.int64], wider: Floats, level: float = LEVEL
) -> tuple[Floats, Floats]:
    """The lowest and the highest strength (agents of `of`,), less the mean of all, that the wins do not refute.

    `wins` (agents, agents) are games won, ties as half wins; `theta` (agents,) their fit, and `wider` (agents of `of`,)
    by how much the variance of a rating is larger than that of independent games, at least 1. Between groups of which
    one never took a point from another no end is known: half a draw is taken to have been played there by each pair.
    """
    counts = connected(wins)
    p = _chances(theta)
    inverse = laplacian_inverse((counts + counts.T) * p * (1 - p))
    quantile = NORMAL if level == LEVEL else float(scipy.special.ndtri(0.5 + level / 2))
    low, high = np.empty(len(of)), np.empty(len(of))
    for at, agent in enumerate(of.tolist()):
        pull = inverse[:, agent]
        apart = pull[:, None] - pull[None, :]  # how much a win of one over the other raises the rating
        share = (counts + counts.T) * p * (1 - p) * apart**2
        more = np.where(apart > 0, 2 * MORE * share / max(float(share.sum()), 1e-300), 0.0)
        both = np.stack([counts + more.T, counts + more])
        low[at], high[at] = _reached(both, theta, agent, quantile * np.sqrt(wider[at]))
    return low, high


def ends_of_blocks(
    sums: BlockSums, group: Sequence[int], theta: Floats, weight: Floats, prior: float, level: float
) -> tuple[Floats, Floats]:
    """The ends (agents of the group,) on the scale of ratings in a tournament, which say nothing for one alone.

    `theta` are the strengths of the group, `weight` (agents, agents) what a game of each pair counts, and `prior` the
    drawn games assumed between every two, of which more than the usual one count here, too.
    """
    if len(group) == 1:
        return np.full(1, np.inf), np.full(1, -np.inf)  # nothing is added to what else is known
    counted, more = weight[np.ix_(group, group)], max(prior - PRIOR_DRAWS, 0.0)
    cells = np.add.outer(np.multiply(group, len(weight)), group).ravel()
    games, wins = (sums.matrices[k][:, cells] for k in (0, 1))
    wider = of_independent(wins, games, theta, counted, more, expansion(level, sums.independent) ** 2)
    both = np.asarray(wins.sum(axis=0)).reshape(counted.shape) * counted + more / 2 * (1 - np.eye(len(group)))
    low, high = likelihood_ends(both, theta, np.arange(len(group)), wider, level)
    return ELO_MEAN + ELO_SCALE * low, ELO_MEAN + ELO_SCALE * high


def of_independent(
    wins: scipy.sparse.csr_array, games: scipy.sparse.csr_array, theta: Floats, weight: Floats, prior: float,
    expanded: float,
) -> Floats:  # fmt: skip
    """The variance of each rating (agents,) in units of that which weighted games would have that all were played.

    `wins` and `games` (blocks, agents * agents) as they were, `weight` (agents, agents) what a game of a pair counts,
    and `prior` drawn games of each. A block pulls at the ratings by what it was off (the sandwich of Huber 1967 and
    White 1982), `expanded` times for few of them; at least the variance of independent games.
    """
    n, p = len(theta), _chances(theta)
    single = np.asarray(games.sum(axis=0)).reshape(n, n) * p * (1 - p)
    inverse = laplacian_inverse(single * weight + prior * (1 - np.eye(n)) * p * (1 - p))
    counted = scipy.sparse.diags_array(weight.ravel()), scipy.sparse.diags_array((weight * p).ravel())
    of_row = scipy.sparse.csr_array(np.repeat(np.eye(n), n, axis=0))
    pulls = (wins @ counted[0] - games @ counted[1]) @ of_row  # sparse: a block of one pair pulls at two
    squares = (pulls.T @ pulls).toarray() * expanded
    alone = np.diag((single * weight**2).sum(axis=1)) - single * weight**2
    return np.maximum(np.diag(inverse @ squares @ inverse), np.diag(inverse @ alone @ inverse)) / np.diag(inverse)


def connected(wins: Floats) -> Floats:
    """The wins, and half a draw of each pair of two groups of which one never took a point from the other."""
    _, labels = scipy.sparse.csgraph.connected_components(wins > 0, directed=True, connection="strong")
    return wins + PRIOR_DRAWS / 2 * (labels[:, None] != labels[None, :])


def _chances(theta: Floats) -> Floats:
    """The chance of each agent to beat each other one, (..., agents, agents)."""
    return 1 / (1 + np.exp(np.clip(theta[..., None, :] - theta[..., :, None], -500, 500)))


def _likelihood(counts: Floats, theta: Floats) -> Floats:
    """The logarithm of how likely the counts are, (...,)."""
    return -(counts * np.logaddexp(0.0, theta[..., None, :] - theta[..., :, None])).sum(axis=(-1, -2))


def _reached(counts: Floats, start: Floats, agent: int, root: float) -> tuple[float, float]:
    """How low and high an agent's strength can be, less the mean, where the deviance of the best fit has this root.

    `counts` (2, agents, agents) are those of the lower end and those of the upper one.
    """
    n = counts.shape[-1]
    rating = np.full(n, -1 / n)
    rating[agent] += 1
    best = bradley_terry_many(counts, None, start)
    most, middle = _likelihood(counts, best), best @ rating
    sign = np.array([-1.0, 1.0])
    inside, outside = np.zeros(2), np.full(2, np.inf)
    total = counts + counts.swapaxes(-1, -2)
    p = _chances(best)
    information = total * p * (1 - p)
    away = root * np.sqrt(np.array([laplacian_inverse(one)[agent, agent] for one in information]))
    for _ in range(_DOUBLED + _CLOSER):
        theta = _held(counts, best + (sign * away)[:, None] * rating * n / (n - 1), rating)
        deviance = np.sqrt(np.maximum(2 * (most - _likelihood(counts, theta)), 0.0))
        if np.abs(deviance - root).max() <= _NEAR * root:
            break
        passed = deviance >= root
        inside, outside = np.where(passed, inside, away), np.where(passed, away, outside)
        far = away * root / np.maximum(deviance, 1e-300)  # exact where the deviance grows by the square
        middle_of = np.where(np.isfinite(outside), (inside + outside) / 2, 2 * inside)
        good = (far > inside) & (far < np.minimum(outside, 4 * np.maximum(inside, away)))
        away = np.where(good, far, middle_of)
    low, high = (middle + sign * away).tolist()
    return low, high


def _held(counts: Floats, theta: Floats, rating: Floats) -> Floats:
    """The most likely strengths (2, agents) whose sum weighted by `rating` stays what it is, by Newton's method."""
    n = counts.shape[-1]
    total = counts + counts.swapaxes(-1, -2)
    won = counts.sum(axis=-1)
    eye = np.eye(n, dtype=bool)
    theta = theta.copy()
    for _ in range(_STEPS):
        p = _chances(theta)
        gradient = won - (total * p).sum(axis=-1)
        hessian = -total * p * (1 - p)
        hessian[:, eye] = -(hessian.sum(axis=-1) - hessian[:, eye])
        scale = hessian[:, eye].max(axis=-1)
        sides = np.stack([gradient, np.broadcast_to(rating, gradient.shape)], axis=-1)
        free, pull = np.moveaxis(np.linalg.solve(hessian + scale[:, None, None] / n, sides), -1, 0)
        step = free - pull * ((free @ rating) / (pull @ rating))[:, None]
        width = step.max(axis=-1) - step.min(axis=-1)
        damping = np.where(width > 1e-8, np.log1p(width) / np.maximum(width, 1e-300), 1.0)
        theta += damping[:, None] * step
        if width.max() < 1e-9:
            break
    return theta
