"""From the tallies of blocks to sums for each seed block, and the bootstrap over those blocks.

Games that share a deal are not independent: the same cards were played with the seats swapped. The unit of every
interval in this package is therefore the *seed block*, which holds all seatings of its deals. A resample draws blocks
with replacement and adds their sums, so that its cost does not depend on the number of games (Efron and Tibshirani
1993, chapter 8; Künsch 1989 for blocks).

Blocks are drawn within *strata*: blocks in which the same pairs of agents meet. Where every block holds the whole round
robin there is one stratum; where every pairing has blocks of its own, each pairing is one. No resample can thus lose a
pairing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import scipy  # its parts are loaded when they are called

from .results import ResultsError, validate
from .tally import Tally, tallies_of, with_seats

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Blocks are merged in order beyond this number a stratum: so many units are ample for intervals, and bound memory.
MAX_UNITS = 400
_CHUNK_CELLS = 4_000_000  # weights drawn at once: 32 MB


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
    need at least 2. `balanced` says whether each pair sat equally often either way round. `deals` (agents, agents)
    counts the deals in which a pair met.
    """

    n_agents: int
    n_seats: int
    blocks: int
    stratum: Ints
    matrices: tuple[scipy.sparse.csr_array, ...]
    draws: Floats
    independent: int
    balanced: bool
    deals: Floats

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

    def means(self, kind: int, rows: int) -> Floats:
        """What a sum came to in each unit, by what was counted there, (units, cells); NaN where nothing was.

        `kind` and `rows` number the `matrices` of the sum and of the count.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.matrices[kind].toarray() / self.matrices[rows].toarray())

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


def block_sums(table: pa.Table, n_agents: int) -> BlockSums:
    """Add up a results table by seed block. Validates it; raises `ResultsError` also if it is empty."""
    table = validate(table, n_agents)
    if table.num_rows == 0:
        raise ResultsError("there are no finished games; play at least one block before analysing")
    return sums_of(list(tallies_of(table, n_agents).values()))


def sums_of(tallies: Sequence[Tally]) -> BlockSums:
    """The sums of blocks, given by their tallies in the order of the blocks; there must be one at least."""
    n_agents = tallies[0].pairs.shape[1]
    n_seats = max(tally.seats.shape[2] for tally in tallies)
    stratum_of_block = _strata(tallies)
    unit_of_block, stratum = _merge(stratum_of_block)
    pairs, seats = np.zeros((len(stratum), 4, n_agents * n_agents)), np.zeros((len(stratum), 3, n_agents * n_seats))
    order = np.zeros((n_agents, n_agents), dtype=np.int64)
    deals = np.zeros((n_agents, n_agents))
    for unit, tally in zip(unit_of_block.tolist(), tallies, strict=True):
        pairs[unit] += tally.pairs.reshape(4, -1)
        seats[unit] += with_seats(tally, n_seats).reshape(3, -1)
        order += tally.order
        deals += np.minimum(tally.pairs[0], tally.deals[0])
    games, wins, payoff = (scipy.sparse.csr_array(pairs[:, k]) for k in range(3))
    return BlockSums(
        n_agents=n_agents,
        n_seats=n_seats,
        blocks=len(tallies),
        stratum=stratum,
        matrices=(games, wins, payoff, *(scipy.sparse.csr_array(seats[:, k]) for k in range(3))),
        draws=pairs[:, 3].sum(axis=0).reshape(n_agents, n_agents),
        independent=_independent(games, n_agents * n_agents, stratum),
        balanced=bool((order == order.T).all()),
        deals=deals,
    )


def _strata(tallies: Sequence[Tally]) -> Ints:
    """Number the blocks by the set of pairs that meet in them, in order of first appearance."""
    numbers: dict[bytes, int] = {}
    sets = [np.packbits(tally.pairs[0] > 0).tobytes() for tally in tallies]
    return np.array([numbers.setdefault(one, len(numbers)) for one in sets])


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


def _independent(games: scipy.sparse.csr_array, pairs: int, stratum: Ints) -> int:
    """The smallest number of units, over the pairs that met, in strata of at least two units."""
    several = np.bincount(stratum)[stratum] >= 2
    met = _units(games, pairs) > 0
    if not met.any():
        return int(several.sum())
    counts = _units(games[np.flatnonzero(several)], pairs)
    return int(counts[met].min())


def _units(games: scipy.sparse.csr_array, pairs: int) -> Ints:
    """In how many units (rows) each pair has games, shape (pairs,)."""
    return np.bincount(games.indices[games.data != 0], minlength=pairs)


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
    student, normal = scipy.special.stdtrit(independent - 1, tail), scipy.special.ndtri(tail)
    return float(np.sqrt(independent / (independent - 1)) * student / normal)


def expanded_tail(level: float, independent: int) -> float:
    """The tail that a percentile interval of nominal `level` leaves on each side after `expansion`; errors as there."""
    return float(scipy.special.ndtr(expansion(level, independent) * scipy.special.ndtri((1 - level) / 2)))


def percentile_interval(samples: Floats, level: float, independent: int) -> tuple[Floats, Floats]:
    """Expanded percentile interval along axis 0 of `samples`; returns (low, high) of shape samples.shape[1:]."""
    tail = expanded_tail(level, independent)
    # numpy's usual quantile of R samples lies further in than its tail by up to 1 / R, which tells for small tails.
    low, high = np.quantile(samples, [tail, 1 - tail], axis=0, method="weibull")
    return low, high
