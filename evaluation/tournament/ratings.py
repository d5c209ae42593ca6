"""Ratings by payoff (least squares over margins) and by wins (Bradley-Terry), both free of the order of games.

The rating by payoff r is the least-squares fit of r[i] - r[j] to the margins M[i, j] of all pairs that met, each pair
counting once (Kendall 1955, Further contributions to the theory of paired comparisons; the transitive part of Jiang et
al. 2011, Statistical ranking and combinatorial Hodge theory), times n / (n - 1). Where all n agents met, that is what
an agent earns from the others on average. It says who earns most, and it is the rating that ranks.

The rating by wins asks only who won, however much. The model (Bradley and Terry 1952) gives each agent i a strength
theta_i with P(i beats j) = 1 / (1 + exp(theta_j - theta_i)). A tie counts as half a win each way. The scale is 1500 +
(400 / ln 10) theta with the mean of all agents at 1500, so that 400 points are odds of 10 to 1, as in chess. Only
differences mean anything, and only inside one tournament.

A prior of `prior_draws` drawn games between every two agents (1 by default, next to hundreds of real ones) steadies the
fit. An agent that won every game has no finite maximum-likelihood strength; there the prior would choose the number, so
that `separated` finds the groups between which this happens, and `rated_group` the one that gets numbers.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are called

Floats = npt.NDArray[np.float64]

ELO_MEAN = 1500.0
ELO_SCALE = 400.0 / np.log(10.0)
PRIOR_DRAWS = 1.0


@dataclass(frozen=True, slots=True)
class Separation:
    """Groups of agents, strongest first, between which nothing was won (or nothing played) in one direction.

    One group means that the data alone determine all ratings by wins.
    """

    groups: tuple[tuple[int, ...], ...]

    @property
    def rated_group(self) -> tuple[int, ...]:
        """The agents that have a rating by wins: the largest group, the strongest of several; () if all are alone."""
        largest = max(self.groups, key=len)
        return largest if len(largest) > 1 or len(self.groups) == 1 else ()

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
    import choix  # loads all of scipy's statistics, which nothing else here needs

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


def payoff_ratings(margins: Floats) -> Floats:
    """Ratings by payoff from margins (agents, agents) with NaN for pairs that never met, mean 0 in each group that met.

    Raises `ValueError` for a matrix that is not square.
    """
    if margins.ndim != 2 or margins.shape[0] != margins.shape[1]:
        raise ValueError(f"margins has shape {margins.shape}; give a square matrix, what i earns from j")
    met = np.isfinite(margins)
    return payoff_operator(met) @ np.where(met, margins, 0.0).sum(axis=1)


def payoff_operator(met: npt.NDArray[np.bool_]) -> Floats:
    """The matrix (agents, agents) that turns each agent's sum of margins into its rating by payoff.

    `met` (agents, agents) says who met whom. It is n / (n - 1) times the pseudo-inverse of the graph's Laplacian.
    """
    n = len(met)
    edges = np.array(met, dtype=np.float64)
    np.fill_diagonal(edges, 0.0)
    return laplacian_inverse(edges) * n / max(n - 1, 1)


def laplacian_inverse(weights: Floats) -> Floats:
    """The pseudo-inverse (agents, agents) of the Laplacian of a graph, from its symmetric weights with diagonal 0.

    With J the projection onto what is constant in each connected part it is (L + s J)^-1 - J / s for any s (Gutman and
    Xiao 2004). `numpy.linalg.pinv` takes the rounding of an eigenvalue 0 for one that is not, with 12 equal agents.
    """
    together = comparable(weights > 0)
    project = together / together.sum(axis=1)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    scale = float(laplacian.max(initial=0.0)) or 1.0  # as large as the rest, so that rounding is small beside it
    return np.linalg.inv(laplacian + scale * project) - project / scale


def comparable(met: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Whether the ratings of two agents can be compared: they met, or met others who met, and so on."""
    labels = np.asarray(scipy.sparse.csgraph.connected_components(np.asarray(met), directed=False)[1])
    return labels[:, None] == labels[None, :]


def ranks(ratings: Floats) -> npt.NDArray[np.int64]:
    """Ranks along the last axis, 1 for the highest; ratings equal up to rounding share the better rank."""
    tolerance = 1e-9 * np.abs(ratings).max(axis=-1, keepdims=True, initial=0.0)
    higher = ratings[..., None, :] > (ratings + tolerance)[..., :, None]
    return 1 + higher.sum(axis=-1)


def rank_intervals(better: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """(lowest, highest) rank of each agent, (agents,), where better[i, j] says that i is shown to be better than j.

    If all that is shown is right, all ranks lie within (Mogstad et al. 2024, as in `simultaneous`).
    """
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)


def separated(wins: Floats) -> Separation:
    """Split agents into groups such that no agent took even half a point from one of a stronger group.

    `wins` (agents, agents), ties as half wins. The groups are the strongly connected components of the graph "took
    points from" (Ford 1957: the maximum-likelihood strengths are finite if and only if there is only one).
    """
    labels = np.asarray(
        scipy.sparse.csgraph.connected_components(np.asarray(wins) > 0, directed=True, connection="strong")[1]
    )
    found = [np.flatnonzero(labels == k) for k in np.unique(labels)]
    theta = bradley_terry(wins)
    order = sorted(range(len(found)), key=lambda k: (-float(theta[found[k]].mean()), int(found[k][0])))
    return Separation(tuple(tuple(int(i) for i in found[k]) for k in order))
