"""Statements about many strategies at once that are right together, with the chance that the report promises.

A tournament makes many comparisons, and a reader looks at the most striking ones. With an interval of 95 % for each,
some strategy among six equal ones seems worse than the luckiest in half of all tournaments. Everything that the report
claims therefore follows from three *families* of differences: the margins of all pairs, the differences of all ratings,
and the ratings. Each family gets a third of what the level leaves, and each member of a family its share of that third
(Bonferroni), by Student's quantiles over the seed blocks. All claims together are then right at the level, whatever was
picked after looking at the numbers. For ranks that is the confidence set of Mogstad, Romano, Shaikh and Wilhelm (2024,
Inference for ranks, Review of Economic Studies 91(1)).

Bonferroni's bound needs no resampling and holds for ten blocks too, where a bootstrap of the largest difference falls
short of its level (docs/metrics.md has the measurements).
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are called

from .blocks import BlockSums, Sums

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FAMILIES = 3  # margins of pairs, differences of ratings, ratings


@dataclass(frozen=True, slots=True)
class PairResiduals:
    """How far each unit of blocks pulls the margin of each pair of agents away from its mean.

    `row` and `col` (pairs,) number the agents of a pair, row < col; `values` (units, pairs) sum to 0 where all units
    are of one stratum, and the sum of their squares estimates the variance of the margin.
    """

    row: Ints
    col: Ints
    values: Floats

    def summed(self, n_agents: int) -> Floats:
        """Residuals of the sum of an agent's margins against all others, (units, agents)."""
        total = np.zeros((len(self.values), n_agents))
        for k in range(n_agents):
            total[:, k] = self.values[:, self.row == k].sum(axis=1) - self.values[:, self.col == k].sum(axis=1)
        return total


def least_blocks(level: float) -> int:
    """From how many blocks on something can be shown at all: fewer equal signs in a row happen by chance.

    Two equal strategies agree in the sign of all n blocks with chance 2 ** (1 - n). Raises `ValueError` for a level
    outside (0, 1).
    """
    return int(np.ceil(1 - np.log2(_tail(level))))


def _tail(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; it must lie between 0 and 1, for instance 0.95")
    return (1 - level) / FAMILIES


def pair_residuals(sums: BlockSums, total: Sums) -> PairResiduals:
    """Residuals of all margins M[i, j] (see `metagame.payoff_matrix`) by units of `sums`, whose sums are `total`.

    A margin is a ratio of sums, and its residual the linear part of what a unit adds (Cochran 1977, Sampling
    Techniques, 6.4). A pair that never met has residuals of 0.
    """
    n = sums.n_agents
    row, col = np.triu_indices(n, 1)
    values = np.zeros((len(sums.stratum), len(row)))
    played = np.where(total.games > 0, total.games, 1.0)
    mean = total.payoff / played
    for first, second, sign in ((row, col, 0.5), (col, row, -0.5)):
        cells = first * n + second
        games = sums.matrices[0].tocsc()[:, cells].toarray()
        payoff = sums.matrices[2].tocsc()[:, cells].toarray()
        values += sign * (payoff - mean[first, second] * games) / played[first, second]
    for units in _strata(sums.stratum):
        count = len(units)
        if count > 1:
            values[units] *= np.sqrt(count / (count - 1))
    return PairResiduals(row, col, values)


def _strata(stratum: Ints) -> Iterable[Ints]:
    return (np.flatnonzero(stratum == s) for s in np.unique(stratum))


def standard_errors(residuals: Floats, scale: float) -> Floats:
    """Standard errors of sums with these `residuals` (units, ...), shape (...); 0 what is rounding beside `scale`."""
    errors = np.sqrt((residuals**2).sum(axis=0))
    return np.where(errors > 1e-12 * scale, errors, 0.0)


def member_level(count: int, level: float) -> float:
    """The level of each interval of a family of so many, with which all families together hold at `level`."""
    return 1 - _tail(level) / max(count, 1)


def half_widths(errors: Floats, independent: int, level: float) -> Floats:
    """Half the length of each interval of one family, so that all families together hold at `level`.

    `errors` are the standard errors of the whole family, NaN for members that are not measured, from `independent`
    blocks. Infinite where nothing can be said: for too few blocks, and for a difference that was the same in all blocks
    (error 0) while there are fewer of them than it takes to rule out a coincidence somewhere in the family. Raises
    `ValueError` for a level outside (0, 1).
    """
    count = int(np.isfinite(errors).sum())
    if count == 0 or independent < least_blocks(level):
        return np.where(np.isfinite(errors), np.inf, np.nan)
    tail = _tail(level) / count
    widths = -scipy.special.stdtrit(independent - 1, tail / 2) * errors
    if 2.0 ** (1 - independent) > tail:
        widths = np.where(errors == 0, np.inf, widths)
    return np.asarray(widths)
