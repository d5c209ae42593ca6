"""What the report needs of a block of games, so that nobody has to read them again: sums, and little else.

A tally is made when a block has been played and lies in the header of its file (`results.py`). Its size does not depend
on the number of games. `counting.py` says what is an entry and a meeting.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...envs.core.archive import read_arrays
from .counting import Counts, Entries, count, largest_game
from .results import FORFEITS, ResultsError, column, rows_of, shared_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FORMAT = "2"


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over the games of one block, or of several.

    `pairs` float64[4, agents, agents]: games, wins (a tie is half a win), payoff and ties of the row agent against the
    column agent. `seats` float64[3, agents, seats]: rows, payoff, share of points. `order` int64[agents, agents]: games
    of two entries by who had the first side. `agents` float64[agents, 9]: rows, decisions, forfeits of each kind, then
    rows and payoff of games won and of games lost. `ends` float64[3, 2]: least and most payoff of a seat that lost,
    drew, won. `alone` float64[2, agents, agents]: games in which one side is of the row agent and all others are of
    the column agent, and what the row agent got there above the mean of the table. `lengths` int64[n, 2]: games by
    length. `forfeits` int64[n, 4]: game, seat, agent, kind. `deals` int64[1]: how many.
    """

    pairs: Floats
    seats: Floats
    order: Ints
    agents: Floats
    ends: Floats
    alone: Floats
    lengths: Ints
    forfeits: Ints
    deals: Ints

    @property
    def games(self) -> int:
        """Number of games."""
        return int(self.lengths[:, 1].sum())

    @property
    def largest(self) -> float:
        """The largest payoff of a seat, whatever its sign."""
        return float(np.abs(self.ends[np.isfinite(self.ends)]).max(initial=0.0))


def tally_of(table: pa.Table, n_agents: int) -> Tally:
    """Count a validated results table with at least one row."""
    rows = rows_of(table)
    n_seats = int(rows.seat.max()) + 1
    counts = Counts(
        pairs=np.zeros((4, n_agents, n_agents)),
        seats=np.zeros((3, n_agents, n_seats)),
        order=np.zeros((n_agents, n_agents), dtype=np.int64),
        agents=np.zeros((n_agents, 5 + len(FORFEITS))),
        ends=np.tile([np.inf, -np.inf], (3, 1)),
        alone=np.zeros((2, n_agents, n_agents)),
    )
    shared = shared_of(table)
    most, whole, real = max(2, largest_game(rows.game)), np.int64, np.float64
    count(
        rows,
        shared,
        counts,
        Entries(*(np.zeros(most, kind) for kind in (whole, whole, whole, whole, whole, real, real))),
    )
    first = np.ones(len(rows.game), dtype=bool)
    first[1:] = rows.game[1:] != rows.game[:-1]
    lengths, games = np.unique(shared.length[first], return_counts=True)
    deals = np.sort((shared.block[first].astype(np.int64) << 32) + shared.deal[first])
    forfeited = np.flatnonzero(rows.forfeit)
    return Tally(
        **counts._asdict(),
        lengths=np.stack([lengths, games], axis=1).astype(np.int64),
        forfeits=np.stack(
            [values[forfeited].astype(np.int64) for values in (rows.game, rows.seat, rows.agent, rows.forfeit)], axis=1
        ),
        deals=np.array([1 + np.count_nonzero(np.diff(deals))]),
    )


def tallies_of(table: pa.Table, n_agents: int) -> dict[int, Tally]:
    """Tallies of the blocks of a validated results table, by block and in their order."""
    block = column(table, "block")
    found: dict[int, Tally] = {}
    blocks = np.unique(block)
    for number in blocks.tolist():
        part = table if len(blocks) == 1 else table.filter(pa.array(block == number))
        found[number] = tally_of(part, n_agents)
    return found


def merged(tallies: Sequence[Tally]) -> Tally:
    """The tally of all blocks together, added in their order; there must be one at least."""
    seats = max(t.seats.shape[2] for t in tallies)
    lengths = np.concatenate([t.lengths for t in tallies])
    values, at = np.unique(lengths[:, 0], return_inverse=True)
    games = np.zeros(len(values), dtype=np.int64)
    np.add.at(games, at, lengths[:, 1])
    ends = np.stack([t.ends for t in tallies])
    forfeits = np.concatenate([t.forfeits for t in tallies])
    return Tally(
        pairs=np.sum([t.pairs for t in tallies], axis=0),
        seats=np.sum([with_seats(t, seats) for t in tallies], axis=0),
        order=np.sum([t.order for t in tallies], axis=0),
        agents=np.sum([t.agents for t in tallies], axis=0),
        ends=np.stack([ends[:, :, 0].min(axis=0), ends[:, :, 1].max(axis=0)], axis=1),
        alone=np.sum([t.alone for t in tallies], axis=0),
        lengths=np.stack([values, games], axis=1),
        forfeits=forfeits[np.lexsort((forfeits[:, 1], forfeits[:, 0]))],
        deals=np.sum([t.deals for t in tallies], axis=0),
    )


def with_seats(tally: Tally, seats: int) -> Floats:
    """The sums by seat for so many seats."""
    return np.pad(tally.seats, ((0, 0), (0, 0), (0, seats - tally.seats.shape[2])))


def tally_text(tally: Tally) -> str:
    """A tally as text, for the header of a file; `read_tally` reads it."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **{f.name: getattr(tally, f.name) for f in fields(Tally)})
    return f"{FORMAT} {base64.b64encode(buffer.getvalue()).decode('ascii')}"


def read_tally(text: str, n_agents: int | None = None) -> Tally:
    """A tally from its text. Raises ResultsError for another format, damage, or another number of agents."""
    version, _, content = text.partition(" ")
    if version != FORMAT:
        raise ResultsError(f"the tally of a block has format {version[:20]!r}, this program reads {FORMAT!r}")
    try:
        packed = io.BytesIO(base64.b64decode(content, validate=True))
        found = Tally(**read_arrays(packed, [f.name for f in fields(Tally)]))
    except (OSError, ValueError) as error:
        raise ResultsError(f"the tally of a block is damaged: {error}") from None
    if n_agents is not None and found.pairs.shape != (4, n_agents, n_agents):
        raise ResultsError(
            f"the tally of a block has shape {found.pairs.shape}, which is not that of {n_agents} agents"
        )
    return found
