"""Games that show what a report claims, chosen among the first of each pair.

Only the first blocks are read, about LOOKED games of each pair: all pairs play in them, in a race too, and which they
are does not depend on how many games followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..report.rating_words import cycle_claims, rating_claims
from ..report.showing import decision_wishes, dominance_wishes
from ..report.wording import claims
from .results import column
from .summary import Example, Summary, Wish

LOOKED = 100  # games of a pair among which its example is chosen, if its first block has no more


def wishes_of(summary: Summary, focus: Sequence[str] = ()) -> tuple[Wish, ...]:
    """The games that the claims of a report ask for, each once."""
    told = [*claims(summary, focus), *rating_claims(summary), *cycle_claims(summary)]
    found = [wish for claim in told for wish in claim.wishes]
    found += [wish for row in summary.leaderboard for wish in dominance_wishes(summary, row.agent)]
    if summary.decision is not None:
        found += decision_wishes(summary.decision)
    return tuple(dict.fromkeys(found))


def blocks_to_look_at(blocks: Iterable[int], games_a_block: int) -> list[int]:
    """Of the finished blocks those in which examples are looked for; a block has so many games of each pair."""
    return sorted(blocks)[: -(-LOOKED // max(1, games_a_block))]


def examples(table: pa.Table, wishes: Iterable[Wish]) -> tuple[Example, ...]:
    """For each wish the game that shows it; none where no game of a validated results table does."""
    names = ("pairing", "block", "deal", "game", "agent", "payoff", "forfeit")
    pairing, block, deal, game, agent, payoff, forfeit = (column(table, name) for name in names)
    lone = not column(table, "team").any()  # a deal of a pair is shown by the game of the first
    order = np.lexsort((deal, pairing, block))
    steps = np.any([np.diff(values[order]) != 0 for values in (block, pairing, deal)], axis=0)
    meeting = np.zeros(len(game), dtype=np.int64)
    meeting[order[1:]] = np.cumsum(steps)
    met = meeting if lone else game
    found: list[Example] = []
    for wish in wishes:
        both = np.isin(agent, [wish.first, wish.second])
        meet = np.intersect1d(pairing[agent == wish.first], pairing[agent == wish.second])
        rows = both & np.isin(pairing, meet)
        if wish.first == wish.second or not rows.any():
            continue
        numbers, at = np.unique(met[rows], return_inverse=True)
        mine, theirs = (_mean(payoff[rows], at, agent[rows] == one, len(numbers)) for one in (wish.first, wish.second))
        played = np.bincount(at, forfeit[rows] != 0, len(numbers)) == 0  # who forfeits shows nothing of the game
        fits = played if played.any() else ~played
        if wish.kind == "ahead":
            fits = fits & (mine > theirs)
        fits &= np.isfinite(mine - theirs)
        if not fits.any():
            continue
        candidates = np.flatnonzero(fits)
        order = candidates[np.lexsort((numbers[candidates], (mine - theirs)[candidates]))]
        chosen = int(order[(len(order) - 1) // 2])
        row = int(np.flatnonzero((met == numbers[chosen]) & (agent == wish.first))[0])
        pays = (float(mine[chosen]), float(theirs[chosen]))
        among, looked = len(candidates), len(numbers)
        found.append(Example(wish.kind, wish.first, wish.second, int(game[row]), int(block[row]), pays, among, looked))
    return tuple(found)


def _mean(
    payoff: npt.NDArray[np.float64], at: npt.NDArray[np.int64], mine: npt.NDArray[np.bool_], games: int
) -> npt.NDArray[np.float64]:
    """The mean payoff of an agent's seats in each game; NaN where it has none."""
    with np.errstate(invalid="ignore"):
        return np.bincount(at[mine], payoff[mine], games) / np.bincount(at[mine], minlength=games)


__all__ = ["LOOKED", "blocks_to_look_at", "examples", "wishes_of"]
