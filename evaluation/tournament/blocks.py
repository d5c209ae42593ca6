"""From result rows to sums for each seed block, and the bootstrap over those blocks.

Games that share a deal are not independent: the same cards were played with the seats swapped. The unit of every
interval in this package is therefore the *seed block*, which holds all seatings of its deals. A resample draws blocks
with replacement and adds their sums, so that its cost does not depend on the number of games (Efron and Tibshirani
1993, chapter 8; Künsch 1989 for blocks).

Blocks are drawn within *strata*: blocks in which the same pairs of agents meet. Where every block holds the whole round
robin there is one stratum; where every pairing has blocks of its own, each pairing is one. No resample can thus lose a
pairing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import scipy.sparse as sp
from scipy.special import ndtr, ndtri, stdtrit

from .results import ResultsError, column, validate

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Blocks are merged in order beyond this number a stratum: so many units are ample for intervals, and bound memory.
MAX_UNITS = 400
_CHUNK_CELLS = 4_000_000  # weights drawn at once: 32 MB


@dataclass(frozen=True, slots=True)
class Entries:
    """One row for each (game, side, agent): the agents of one side normally agree, and then it is one row a side.

    All arrays have shape (entries,) and are sorted by game: `game` is the index of the game, `share` the agent's part
    of its side's seats (0..1], `payoff` the mean payoff of its seats, `result` the side's result (-1, 0, 1).
    """

    game: Ints
    side: Ints
    agent: Ints
    share: Floats
    payoff: Floats
    result: Ints


@dataclass(frozen=True, slots=True)
class Meetings:
    """Every ordered pair of opposing agents in every game.

    Shape (meetings,) each: `game` the index of the game, `row` and `col` the agents, `weight` the part of a game that
    this meeting counts (1 in a game of two sides with one agent each), `payoff` the row agent's payoff, `score` 1 for
    its win, 1/2 for a tie, 0 for a loss.
    """

    game: Ints
    row: Ints
    col: Ints
    weight: Floats
    payoff: Floats
    score: Floats


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over games, of all games or of a resample; the leading axes (if any) are resamples.

    `games`, `wins` (a tie is half a win) and `payoff` (of the row agent) have shape (..., agents, agents) with an empty
    diagonal; the seat arrays have shape (..., agents, seats).
    """

    games: Floats
    wins: Floats
    payoff: Floats
    seat_rows: Floats
    seat_payoff: Floats
    seat_score: Floats


@dataclass(frozen=True, slots=True)
class BlockSums:
    """Sums for each resampling unit (a seed block, or several merged ones).

    `stratum` (units,) numbers the stratum of each unit; the `matrices` are sparse, (units, agents * agents) or
    (units, agents * seats), in the order of the fields of `Sums`. `draws` (agents, agents) counts ties in all games;
    `independent` is the smallest number of units that any pair of agents has in strata of two units or more: intervals
    need at least 2. `balanced` says whether each pair sat equally often either way round.
    """

    n_agents: int
    n_seats: int
    blocks: int
    stratum: Ints
    matrices: tuple[sp.csr_array, ...]
    draws: Floats
    independent: int
    balanced: bool

    def totals(self) -> Sums:
        """The sums over all units."""
        return self._of(np.arange(len(self.stratum)))

    def halves(self) -> tuple[Sums, Sums]:
        """The sums over every other unit and over the rest, alternating within each stratum."""
        position = np.zeros(len(self.stratum), dtype=np.int64)
        for s in np.unique(self.stratum):
            members = np.flatnonzero(self.stratum == s)
            position[members] = np.arange(len(members))
        return self._of(np.flatnonzero(position % 2 == 0)), self._of(np.flatnonzero(position % 2 == 1))

    def _of(self, units: Ints) -> Sums:
        return self._shape([np.asarray(m[units].sum(axis=0)).reshape(1, -1) for m in self.matrices], 0)

    def resample(self, resamples: int, seed: int) -> Sums:
        """Sums of `resamples` bootstrap resamples, with a leading axis of that length; the same seed, the same sums."""
        if resamples < 1:
            raise ValueError(f"resamples is {resamples}; it must be at least 1")
        parts: list[list[Floats]] = [[] for _ in self.matrices]
        for weights in _weights(self.stratum, resamples, seed):
            for part, matrix in zip(parts, self.matrices, strict=True):
                part.append(np.asarray((matrix.T @ weights.T).T))
        return self._shape([np.concatenate(part) for part in parts], resamples)

    def _shape(self, flat: list[Floats], resamples: int) -> Sums:
        lead = (resamples,) if resamples else ()
        pairs = [a.reshape(*lead, self.n_agents, self.n_agents) for a in flat[:3]]
        seats = [a.reshape(*lead, self.n_agents, self.n_seats) for a in flat[3:]]
        return Sums(*pairs, *seats)


def _weights(stratum: Ints, resamples: int, seed: int) -> Iterator[Floats]:
    """Multinomial counts of each unit, in chunks of shape (chunk, units)."""
    rng = np.random.default_rng(seed)
    members = [np.flatnonzero(stratum == s) for s in np.unique(stratum)]
    chunk = max(1, min(resamples, _CHUNK_CELLS // max(1, len(stratum))))
    for start in range(0, resamples, chunk):
        count = min(chunk, resamples - start)
        weights = np.empty((count, len(stratum)))
        for units in members:
            weights[:, units] = rng.multinomial(len(units), np.full(len(units), 1 / len(units)), size=count)
        yield weights


def entries(table: pa.Table) -> Entries:
    """Collapse the rows of a validated results table to one row for each (game, side, agent)."""
    game_id, team, agent = (column(table, name).astype(np.int64) for name in ("game", "team", "agent"))
    order = np.lexsort((agent, team, game_id))
    game_id, team, agent = game_id[order], team[order], agent[order]
    payoff, result = column(table, "payoff")[order], column(table, "result")[order].astype(np.int64)
    new_game = _starts(game_id)
    new_side = new_game | _starts(team)
    new_entry = new_side | _starts(agent)
    at, side = np.flatnonzero(new_entry), np.cumsum(new_side) - 1
    seats = np.diff(np.append(at, len(agent)))
    side_seats = np.bincount(side)
    return Entries(
        game=(np.cumsum(new_game) - 1)[at],
        side=side[at],
        agent=agent[at],
        share=seats / side_seats[side[at]],
        payoff=np.add.reduceat(payoff, at) / seats if len(at) else np.zeros(0),
        result=result[at],
    )


def _starts(values: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    first = np.ones(len(values), dtype=bool)
    first[1:] = values[1:] != values[:-1]
    return first


def meetings(e: Entries) -> Meetings:
    """Pair each entry with every entry of another side and another agent in its game.

    A game of k sides counts as k (k - 1) / 2 meetings of two sides, each of weight 1 / (k - 1), so that every side
    weighs one game; a side shared by several agents is split by their seats.
    """
    if not len(e.game):
        none = np.zeros(0)
        return Meetings(none.astype(np.int64), none.astype(np.int64), none.astype(np.int64), none, none, none)
    starts = np.flatnonzero(_starts(e.game))
    sizes = np.diff(np.append(starts, len(e.game)))
    sides = e.side[starts + sizes - 1] - e.side[starts] + 1
    left: list[Ints] = []
    right: list[Ints] = []
    for size in np.unique(sizes):
        index = starts[sizes == size][:, None] + np.arange(size)
        for u in range(size):
            for v in range(size):
                if u != v:
                    left.append(index[:, u])
                    right.append(index[:, v])
    a = np.concatenate(left) if left else np.zeros(0, dtype=np.int64)
    b = np.concatenate(right) if right else np.zeros(0, dtype=np.int64)
    keep = (e.side[a] != e.side[b]) & (e.agent[a] != e.agent[b])
    a, b = a[keep], b[keep]
    order = np.lexsort((b, a))  # by game, so that sums do not depend on the order of the rows
    a, b = a[order], b[order]
    return Meetings(
        game=e.game[a],
        row=e.agent[a],
        col=e.agent[b],
        weight=e.share[a] * e.share[b] / (sides[e.game[a]] - 1),
        payoff=e.payoff[a],
        score=0.5 + 0.5 * np.sign(e.result[a] - e.result[b]),
    )


def block_sums(table: pa.Table, n_agents: int) -> BlockSums:
    """Add up a results table by seed block. Validates it; raises `ResultsError` also if it is empty."""
    table = validate(table, n_agents)
    if table.num_rows == 0:
        raise ResultsError("there are no finished games; play at least one block before analysing")
    e = entries(table)
    m = meetings(e)
    game_rows = np.flatnonzero(_starts(column(table, "game")))
    block_ids, game_block = np.unique(column(table, "block")[game_rows], return_inverse=True)
    stratum_of_block = _strata(game_block, m, len(block_ids), n_agents)
    unit_of_block, stratum = _merge(stratum_of_block)
    units, n_seats = len(stratum), int(column(table, "seat").max()) + 1
    unit_of_game = unit_of_block[game_block]

    def pairs(values: Floats) -> sp.csr_array:
        return _sparse(values, unit_of_game[m.game], m.row * n_agents + m.col, (units, n_agents * n_agents))

    row_game = np.cumsum(_starts(column(table, "game"))) - 1
    cell = column(table, "agent").astype(np.int64) * n_seats + column(table, "seat")
    score = 0.5 + 0.5 * column(table, "result").astype(np.float64)

    def seats(values: Floats) -> sp.csr_array:
        return _sparse(values, unit_of_game[row_game], cell, (units, n_agents * n_seats))

    ties = np.zeros(n_agents * n_agents)
    np.add.at(ties, m.row * n_agents + m.col, m.weight * (m.score == 0.5))
    games = pairs(m.weight)
    return BlockSums(
        n_agents=n_agents,
        n_seats=n_seats,
        blocks=len(block_ids),
        stratum=stratum,
        matrices=(
            games,
            pairs(m.weight * m.score),
            pairs(m.weight * m.payoff),
            seats(np.ones(table.num_rows)),
            seats(column(table, "payoff")),
            seats(score),
        ),
        draws=ties.reshape(n_agents, n_agents),
        independent=_independent(games, n_agents * n_agents, stratum),
        balanced=_balanced(e),
    )


def _sparse(values: Floats, unit: Ints, cell: Ints, shape: tuple[int, int]) -> sp.csr_array:
    # A stable order of summation makes the result the same, to the bit, for any order of the rows.
    matrix = sp.coo_array((values, (unit, cell)), shape=shape).tocsr()
    matrix.sum_duplicates()
    return matrix


def _strata(game_block: Ints, m: Meetings, blocks: int, n_agents: int) -> Ints:
    """Number the blocks by the set of pairs that meet in them, in order of first appearance."""
    pair = np.minimum(m.row, m.col) * n_agents + np.maximum(m.row, m.col)
    present = np.unique(game_block[m.game] * (n_agents * n_agents) + pair)
    # One random word a pair; the sum (modulo 2**64) of a block's words names its set.
    words = np.random.default_rng(0).integers(0, 2**63, n_agents * n_agents, dtype=np.uint64)
    names = np.zeros(blocks, dtype=np.uint64)
    np.add.at(names, present // (n_agents * n_agents), words[present % (n_agents * n_agents)])
    _, first, inverse = np.unique(names, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


def _merge(stratum_of_block: Ints) -> tuple[Ints, Ints]:
    """Group the blocks of each stratum to at most MAX_UNITS units; returns (unit of block, stratum of unit)."""
    unit_of_block = np.zeros(len(stratum_of_block), dtype=np.int64)
    strata: list[Ints] = []
    done = 0
    for s in range(int(stratum_of_block.max()) + 1):
        members = np.flatnonzero(stratum_of_block == s)
        units = min(len(members), MAX_UNITS)
        unit_of_block[members] = done + np.arange(len(members)) * units // len(members)
        strata.append(np.full(units, s, dtype=np.int64))
        done += units
    return unit_of_block, np.concatenate(strata)


def _independent(games: sp.csr_array, pairs: int, stratum: Ints) -> int:
    """The smallest number of units, over the pairs that met, in strata of at least two units."""
    several = np.bincount(stratum)[stratum] >= 2
    met = _units(games, pairs) > 0
    if not met.any():
        return int(several.sum())
    counts = _units(games[np.flatnonzero(several)], pairs)
    return int(counts[met].min())


def _units(games: sp.csr_array, pairs: int) -> Ints:
    """In how many units (rows) each pair has games, shape (pairs,)."""
    return np.bincount(games.indices[games.data != 0], minlength=pairs)


def _balanced(e: Entries) -> bool:
    """Whether each pair of agents met equally often either way round (games of two sides)."""
    starts = np.flatnonzero(_starts(e.game))
    sizes = np.diff(np.append(starts, len(e.game)))
    two = starts[sizes == 2]
    a, b = e.agent[two], e.agent[two + 1]
    n = int(max(a.max(initial=0), b.max(initial=0))) + 1
    counts = np.bincount(a * n + b, minlength=n * n).reshape(n, n)
    return bool((counts == counts.T).all())


def expansion(level: float, independent: int) -> float:
    """How much wider than a normal interval one from `independent` blocks must be, at least 1.

    Bootstrap intervals are too short when blocks are few: their spread lacks a factor of sqrt(n / (n - 1)), and they
    use normal quantiles in place of Student's. Hesterberg's expanded percentile interval makes up for both (T.
    Hesterberg 2015, What teachers should know about the bootstrap, The American Statistician 69(4)). Raises
    `ValueError` for a level outside (0, 1) or fewer than two blocks.
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; it must lie between 0 and 1, for instance 0.95")
    if independent < 2:
        raise ValueError(f"{independent} independent blocks; an interval needs at least 2")
    tail = (1 - level) / 2
    student, normal = stdtrit(independent - 1, tail), ndtri(tail)
    return float(np.sqrt(independent / (independent - 1)) * student / normal)


def expanded_tail(level: float, independent: int) -> float:
    """The tail that a percentile interval of nominal `level` leaves on each side after `expansion`; errors as there."""
    return float(ndtr(expansion(level, independent) * ndtri((1 - level) / 2)))


def percentile_interval(samples: Floats, level: float, independent: int) -> tuple[Floats, Floats]:
    """Expanded percentile interval along axis 0 of `samples`; returns (low, high) of shape samples.shape[1:]."""
    tail = expanded_tail(level, independent)
    # numpy's usual quantile of R samples lies further in than its tail by up to 1 / R, which tells for small tails.
    low, high = np.quantile(samples, [tail, 1 - tail], axis=0, method="weibull")
    return low, high
