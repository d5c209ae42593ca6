"""What happened in few blocks or in none: how far margins and payoffs may lie beyond what the bootstrap knows of them.

See `agents.intervals`. The values are means of units of blocks, and the deals behind them say how much was not seen.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...agents.intervals import room
from .blocks import BlockSums

Floats = npt.NDArray[np.float64]


def rare(values: Floats, reach: tuple[float, float], level: float, cases: Floats) -> Floats:
    """How far below and above each column's mean the true one may lie because of what is rare, float64[2, columns].

    `values` (units, columns) are means of units, NaN where there is none; `cases` (columns,) deals are behind each
    column. See `agents.intervals.room`; 0 for a column without values.
    """
    found = np.zeros((2, values.shape[1]))
    for k, column in enumerate(values.T):
        known = column[np.isfinite(column)]
        if len(known):
            found[:, k] = room(known, reach, level, max(float(cases[k]), len(known)))
    return found


def rare_margins(sums: BlockSums, reach: tuple[float, float], level: float) -> Floats:
    """The room of each margin, below and above, float64[2, agents, agents], where payoffs lie within `reach`."""
    n = sums.n_agents
    own = sums.means(2, 0).reshape(-1, n, n)
    margins = (own - own.swapaxes(1, 2)).reshape(-1, n * n) / 2
    most = (reach[1] - reach[0]) / 2
    return rare(margins, (-most, most), level, sums.deals.ravel()).reshape(2, n, n)


def payoffs_of_units(sums: BlockSums) -> Floats:
    """Mean payoff of each agent in each unit, over the opponents that it met there, (units, agents)."""
    n = sums.n_agents
    own = sums.means(2, 0).reshape(-1, n, n)
    paid, rows = (sums.matrices[k].toarray().reshape(-1, n, sums.n_seats).sum(axis=2) for k in (4, 3))
    with np.errstate(invalid="ignore", divide="ignore"):
        return mean_met(own, paid / rows)


def mean_met(own: Floats, alone: Floats) -> Floats:
    """Mean over the last axis of what is known of `own`; `alone` (..., agents) where nothing is."""
    met = np.isfinite(own)
    count = met.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(met, own, 0.0).sum(axis=-1) / count
    return np.where(count > 0, mean, alone)


def deals_of(sums: BlockSums, agents: Sequence[int], deals: int) -> float:
    """Deals that the figures of some agents rest on: those of the pair of them that met in the fewest, else `deals`."""
    met = sums.deals[list(agents)]
    return float(met[met > 0].min(initial=float(deals)))
