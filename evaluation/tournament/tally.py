"""What the report needs of a block of games, so that nobody has to read them again: sums, and little else.

A tally is made when a block has been played and lies in the header of its file (`results.py`). Its size does not depend
on the number of games. Games are counted by *entries*, one row for each (game, side, agent), and *meetings*, every
ordered pair of opposing agents in every game.
"""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from .results import FORFEITS, ResultsError, column

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FORMAT = "2"


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
    starts = np.flatnonzero(_starts(e.game))
    sizes = np.diff(np.append(starts, len(e.game)))
    sides = e.side[starts + sizes - 1] - e.side[starts] + 1
    left: list[Ints] = [np.zeros(0, dtype=np.int64)]
    right: list[Ints] = [np.zeros(0, dtype=np.int64)]
    for size in np.unique(sizes):
        index = starts[sizes == size][:, None] + np.arange(size)
        for u in range(size):
            for v in range(size):
                if u != v:
                    left.append(index[:, u])
                    right.append(index[:, v])
    a, b = np.concatenate(left), np.concatenate(right)
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


def alone(e: Entries, n_agents: int) -> Floats:
    """The sums `Tally.alone`: every game of two agents in which one of them has one side, and the other all others.

    Each side counts once in the mean of the table. In a game of two sides either agent is alone.
    """
    found = np.zeros((2, n_agents, n_agents))
    starts = np.flatnonzero(_starts(e.game))
    if not len(starts):
        return found
    sizes = np.diff(np.append(starts, len(e.game)))
    low, high = (end.reduceat(e.agent, starts) for end in (np.minimum, np.maximum))
    mean = np.add.reduceat(e.payoff * e.share, starts) / np.add.reduceat(e.share, starts)
    for row, column_ in ((low, high), (high, low)):
        mine, others = (e.agent == agent[e.game] for agent in (row, column_))
        one = np.add.reduceat(mine & (e.share == 1), starts) == 1
        rest = np.add.reduceat(others & (e.share == 1), starts) == sizes - 1
        good = one & rest & (low != high)
        at = mine & good[e.game]
        pair = row[e.game[at]] * n_agents + column_[e.game[at]]
        gain = e.payoff[at] - mean[e.game[at]]
        found += np.stack([np.bincount(pair, weights, n_agents**2) for weights in (np.ones(len(gain)), gain)]).reshape(
            found.shape
        )
    return found


def tally_of(table: pa.Table, n_agents: int) -> Tally:
    """Count a validated results table with at least one row."""
    e = entries(table)
    m = meetings(e)
    names = ("agent", "seat", "payoff", "result", "decisions", "forfeit", "game", "length", "block", "deal")
    values = {name: column(table, name) for name in names}
    agent, seat, payoff, result = (values[name] for name in ("agent", "seat", "payoff", "result"))
    pair = m.row * n_agents + m.col
    n_seats = int(seat.max()) + 1
    cell = agent.astype(np.int64) * n_seats + seat

    def meet(weights: Floats) -> Floats:
        return np.asarray(np.bincount(pair, weights, n_agents * n_agents).reshape(n_agents, n_agents), np.float64)

    def sit(weights: Floats) -> Floats:
        return np.asarray(np.bincount(cell, weights, n_agents * n_seats).reshape(n_agents, n_seats), np.float64)

    def each(rows: npt.NDArray[np.bool_], weights: npt.NDArray[Any] | None = None) -> Floats:
        found = np.bincount(agent[rows], None if weights is None else weights[rows], n_agents)
        return found.astype(np.float64)

    starts = np.flatnonzero(_starts(e.game))
    two = starts[np.diff(np.append(starts, len(e.game))) == 2]
    order = np.bincount(e.agent[two] * n_agents + e.agent[two + 1], minlength=n_agents * n_agents)
    every = np.ones(len(agent), dtype=bool)
    forfeited = np.flatnonzero(values["forfeit"])
    by_result = [payoff[result == sign] for sign in (-1, 0, 1)]
    first = _starts(values["game"])
    return Tally(
        pairs=np.stack(
            [meet(m.weight), meet(m.weight * m.score), meet(m.weight * m.payoff), meet(m.weight * (m.score == 0.5))]
        ),
        seats=np.stack([sit(np.ones(len(agent))), sit(payoff), sit(0.5 + 0.5 * result)]),
        order=order.reshape(n_agents, n_agents),
        agents=np.stack(
            [
                each(every),
                each(every, values["decisions"]),
                *(each(values["forfeit"] == kind) for kind in range(1, len(FORFEITS))),
                *(found for sign in (1, -1) for found in (each(result == sign), each(result == sign, payoff))),
            ],
            axis=1,
        ),
        ends=np.array([[p.min(initial=np.inf), p.max(initial=-np.inf)] for p in by_result]),
        alone=alone(e, n_agents),
        lengths=np.stack(np.unique(values["length"][first], return_counts=True), axis=1).astype(np.int64),
        forfeits=np.stack(
            [values[name][forfeited].astype(np.int64) for name in ("game", "seat", "agent", "forfeit")], axis=1
        ),
        deals=np.array([len(np.unique((values["block"].astype(np.int64) << 32) + values["deal"]))]),
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
        with np.load(io.BytesIO(base64.b64decode(content, validate=True)), allow_pickle=False) as arrays:
            found = Tally(**{f.name: arrays[f.name] for f in fields(Tally)})
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ResultsError(f"the tally of a block is damaged: {type(error).__name__}: {error}") from None
    if n_agents is not None and found.pairs.shape != (4, n_agents, n_agents):
        raise ResultsError(
            f"the tally of a block has shape {found.pairs.shape}, which is not that of {n_agents} agents"
        )
    return found
