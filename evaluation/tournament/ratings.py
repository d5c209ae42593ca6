"""Bradley-Terry ratings on an Elo-like scale, fitted free of order, with their bootstrap.

The model (Bradley and Terry 1952) gives each agent i a strength theta_i with P(i beats j) = 1 / (1 + exp(theta_j -
theta_i)). A tie counts as half a win each way. The scale is 1500 + (400 / ln 10) theta with the mean of all agents at
1500, so that 400 points are odds of 10 to 1, as in chess. Only differences mean anything, and only inside one
tournament.

An agent that won every game has no finite maximum-likelihood strength, and groups that never met cannot be compared.
Both are settled by a prior of `prior_draws` drawn games between every two agents (1 by default, next to hundreds of
real ones); `separated` names the agents whose place rests on that prior.
"""

from dataclasses import dataclass

import choix
import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

Floats = npt.NDArray[np.float64]

ELO_MEAN = 1500.0
ELO_SCALE = 400.0 / np.log(10.0)
PRIOR_DRAWS = 1.0


@dataclass(frozen=True, slots=True)
class Separation:
    """Groups of agents, strongest first, between which nothing was won (or nothing played) in one direction.

    One group means that the data alone determine all ratings.
    """

    groups: tuple[tuple[int, ...], ...]

    @property
    def separated(self) -> bool:
        """Whether some differences rest on the prior alone."""
        return len(self.groups) > 1


def elo(theta: Floats) -> Floats:
    """Strengths (..., agents) on the Elo-like scale, mean 1500 along the last axis."""
    return ELO_MEAN + ELO_SCALE * (theta - theta.mean(axis=-1, keepdims=True))


def expected_score(difference: float) -> float:
    """The share of points that a lead of `difference` rating points stands for, between 0 and 1."""
    return float(1 / (1 + 10 ** (-difference / 400)))


def _with_prior(wins: Floats, prior_draws: float) -> Floats:
    n = wins.shape[-1]
    if wins.shape[-2] != n:
        raise ValueError(f"wins has shape {wins.shape}; give a square matrix, wins[i, j] = wins of i against j")
    if not np.isfinite(wins).all() or (wins < 0).any():
        raise ValueError("wins holds a negative or non-finite number; counts must be at least 0")
    if not prior_draws > 0:
        raise ValueError(f"prior_draws is {prior_draws}; it must be above 0, or perfect records have no finite rating")
    prior = np.full((n, n), prior_draws / 2)
    np.fill_diagonal(prior, 0.0)
    counts = wins + prior
    counts[..., np.arange(n), np.arange(n)] = 0.0
    return counts


def bradley_terry(wins: Floats, prior_draws: float = PRIOR_DRAWS) -> Floats:
    """Strengths theta, shape (agents,), mean 0, from `wins` (agents, agents) with ties as half wins.

    Fitted by choix (iterative Luce spectral ranking, Maystre and Grossglauser 2015). Raises `ValueError` for a matrix
    that is not square or holds negative or non-finite counts, or a prior that is not positive.
    """
    counts = _with_prior(np.asarray(wins, dtype=np.float64), prior_draws)
    n = len(counts)
    if n == 1:
        return np.zeros(1)
    try:
        theta = choix.ilsr_pairwise_dense(counts, max_iter=500, tol=1e-10)
    except (RuntimeError, ValueError, np.linalg.LinAlgError):
        # Records that are all but perfect make the spectral iteration slow; Newton's method has the same optimum.
        theta = bradley_terry_many(counts[None], prior_draws=None)[0]
    return theta - theta.mean()


def bradley_terry_many(wins: Floats, prior_draws: float | None = PRIOR_DRAWS, start: Floats | None = None) -> Floats:
    """Strengths (resamples, agents), mean 0, of many tournaments at once: wins (resamples, agents, agents).

    The same optimum as `bradley_terry`, by Newton's method with steps damped by ln(1 + d) / d, d the largest change of
    a difference of strengths, which converges from anywhere (Sun and Tran-Dinh 2019, Generalized self-concordant
    functions; for logistic models Bach 2010). `prior_draws=None` adds no prior. `start` (agents,) is a first guess.
    Raises `ValueError` as `bradley_terry` does.
    """
    counts = np.asarray(wins, dtype=np.float64) if prior_draws is None else _with_prior(wins, prior_draws)
    b, n = counts.shape[0], counts.shape[-1]
    if n == 1:
        return np.zeros((b, 1))
    theta = np.zeros((b, n)) if start is None else np.broadcast_to(start, (b, n)).copy()
    total = counts + counts.swapaxes(-1, -2)
    won = counts.sum(axis=-1)
    eye = np.eye(n, dtype=bool)
    for _ in range(200):
        p = 1 / (1 + np.exp(np.clip(theta[:, None, :] - theta[:, :, None], -500, 500)))
        gradient = won - (total * p).sum(axis=-1)
        hessian = -total * p * (1 - p)
        hessian[:, eye] = -(hessian.sum(axis=-1) - hessian[:, eye])
        scale = hessian[:, eye].max(axis=-1)  # lifts the null direction (adding a constant to all strengths)
        step = np.linalg.solve(hessian + scale[:, None, None] / n, gradient[..., None])[..., 0]
        width = step.max(axis=-1) - step.min(axis=-1)
        damping = np.where(width > 1e-8, np.log1p(width) / np.maximum(width, 1e-300), 1.0)
        theta += damping[:, None] * step
        if width.max() < 1e-9:
            break
    return theta - theta.mean(axis=-1, keepdims=True)


def ranks(ratings: Floats) -> npt.NDArray[np.int64]:
    """Ranks along the last axis, 1 for the highest; equal ratings share the better rank."""
    higher = ratings[..., None, :] > ratings[..., :, None] + 1e-9
    return 1 + higher.sum(axis=-1)


def separated(wins: Floats) -> Separation:
    """Split agents into groups such that no agent took even half a point from one of a stronger group.

    `wins` (agents, agents), ties as half wins. The groups are the strongly connected components of the graph "took
    points from" (Ford 1957: the maximum-likelihood strengths are finite if and only if there is only one).
    """
    labels = np.asarray(connected_components(np.asarray(wins) > 0, directed=True, connection="strong")[1])
    found = [np.flatnonzero(labels == k) for k in np.unique(labels)]
    theta = bradley_terry(wins)
    order = sorted(range(len(found)), key=lambda k: (-float(theta[found[k]].mean()), int(found[k][0])))
    return Separation(tuple(tuple(int(i) for i in found[k]) for k in order))


def rank_interval(samples: npt.NDArray[np.int64], tail: float) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Interval of ranks along axis 0 that leaves at most `tail` of the resamples on either side; (low, high)."""
    low = np.quantile(samples, tail, axis=0, method="inverted_cdf")
    high = np.quantile(samples, 1 - tail, axis=0, method="inverted_cdf")
    return low.astype(np.int64), high.astype(np.int64)
