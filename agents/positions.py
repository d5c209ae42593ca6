"""All positions of a public game, and best answers to agents that go by nothing but the position.

Where all is public but choices made at the same moment, and an agent looks at nothing that only tells what happened
before, whoever answers it has to remember nothing either: positions that agree in the rest are one. Few may be left of
a game with far too many histories to be enumerated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np

from ..envs.core.game import Game
from . import public_game
from .base import Agent, AgentError, Requests
from .by_position import chances_of
from .cfr import SavedStrategy, sure_strategy
from .position_keys import entry_keys, reading_of
from .positions_kernel import (
    COMES_BACK,
    DEPENDS,
    EDGES,
    ENDS,
    FULL,
    HIDDEN,
    POSITIONS,
    REMEMBERS,
    STUCK,
    TOO_LONG,
    Answers,
    Graph,
    Room,
    Table,
    evaluate,
    expand,
    recheck,
    set_order,
)
from .public_game import NotSolved

LIMIT = 100_000  # positions
FAN = 64  # what may follow a position, in the mean
MOST_BYTES = 1 << 30  # of their records
CHECKS = 20_000  # records that met a known position by another past, of which it is tried whether that matters
CHUNK = 4096  # decisions that are asked about at a time
_WHY = {
    TOO_LONG: "a game may be stopped by the limit of decisions",
    HIDDEN: public_game.SOMETHING_HIDDEN,
    COMES_BACK: public_game.POSITION_COMES_BACK,
    DEPENDS: public_game.CHOICES_DEPEND,
    STUCK: public_game.NOBODY_GOES_ON,
    REMEMBERS: public_game.PAST_MATTERS,
}


class Positions:
    """The positions of a game of two seats, as an agent tells them apart that looks at some pieces of an observation.

    Raises NotSolved for other games, for more than `limit` positions, and where positions do not tell what follows.
    """

    def __init__(self, game: Game, pieces: Collection[str] = (), limit: int = LIMIT) -> None:
        self.game, self.pieces = game, tuple(sorted(pieces))
        where, size = public_game.of_two_sides(game)
        limit = min(limit, MOST_BYTES // game.state_size)
        self.reading = reading_of(game, self.pieces)
        self._room = Room(
            steps=np.zeros((3, size), np.int64),
            seen=np.zeros(game.layout.size, np.int32),
            payoff=np.zeros(game.capacity),
            words=np.zeros(game.words, np.int64),
        )
        self._used = np.zeros(5, np.int64)
        graph, table = self._rooms(limit, size)
        graph.states[0] = np.frombuffer(game.position().to_bytes(), np.int64)
        self._used[POSITIONS] = 1
        status = self._call(expand, graph, table)
        if status == FULL:
            raise NotSolved(f"{where}: it has more than {int(self._used[POSITIONS]):,} positions")
        if status == 0:
            status = self._call(recheck, graph, table)
        n, ends, edges = (int(self._used[at]) for at in (POSITIONS, ENDS, EDGES))
        self.graph = Graph(
            graph.states[:n], graph.who[:n], graph.words[:n], graph.first[:n], graph.fan[:n],
            graph.children[:edges], graph.payoffs[:ends],
        )  # fmt: skip
        self.order = np.zeros(n, np.int64)
        if status == 0:
            status = set_order(self.graph.who, self.graph.first, self.graph.fan, self.graph.children, order=self.order)
        if status >= game.spec.max_decisions:
            status = TOO_LONG
        if status < 0:
            raise NotSolved(f"{where}: {_WHY[status]}")
        fan = self.graph.fan.astype(np.int64)
        own = [np.where(self.graph.who >> seat & 1, fan[:, seat], 0) for seat in (0, 1)]
        self.starts = np.stack([np.cumsum(own[0]) - own[0], own[0].sum() + np.cumsum(own[1]) - own[1]])
        self.entries = int(own[0].sum() + own[1].sum())  # chances of both seats

    def __len__(self) -> int:
        return len(self.order)

    def _call(self, driver: Any, graph: Graph, table: Table) -> int:
        game = self.game
        status = driver(
            game.address, game.params_address, self.reading, graph, table=table, used=self._used, room=self._room
        )
        game.kernel.raise_pending()
        return int(status)

    def _rooms(self, n: int, size: int) -> tuple[Graph, Table]:
        # Arrays of the full size cost memory only as far as they are written.
        game, records = self.game, min(CHECKS, MOST_BYTES // self.game.state_size)
        slots = 1 << (8 * n).bit_length()
        graph = Graph(
            states=np.zeros((n + 1, size), np.int64),
            who=np.zeros(n, np.int8),
            words=np.zeros((n, 2, game.words), np.int64),
            first=np.zeros(n, np.int64),
            fan=np.zeros((n, 2), np.int32),
            children=np.zeros(FAN * n, np.int64),
            payoffs=np.zeros((4 * n + 1, game.capacity)),
        )
        table = Table(
            keys=np.zeros(slots, np.int64),
            codes=np.zeros(slots, np.int64),
            again=np.zeros((records, size), np.int64),
            twins=np.zeros(records, np.int64),
        )
        return graph, table

    # --- who answers --------------------------------------------------------------------------------------------------

    def rows(self, seat: int) -> np.ndarray:
        """The positions at which a seat is asked, int64[m]."""
        return np.flatnonzero(self.graph.who >> seat & 1)

    def requests(self, seat: int) -> Iterator[tuple[np.ndarray, Requests]]:
        """The decisions of a seat, some thousand at a time: the numbers of their positions, and what is asked."""
        rows = self.rows(seat)
        for at in range(0, len(rows), CHUNK):
            part = rows[at : at + CHUNK]
            states = self.graph.states[part].view(np.uint8).reshape(len(part), -1)
            numbers = np.arange(len(part))
            yield part, Requests.gather(self.game, states, numbers, np.full(len(part), seat), 0, 0, numbers)

    def chances(self, agent: Agent) -> np.ndarray | None:
        """The chances of an agent at every position at which a seat is asked, as `starts` says; None: not known.

        Raises AgentError for chances that are none.
        """
        out = np.zeros(self.entries)
        for seat in (0, 1):
            for rows, requests in self.requests(seat):
                dense = chances_of(agent, requests)
                if dense is None:
                    return None
                legal = requests.masks != 0
                if np.any(dense[~legal] > 0) or np.any(np.abs(dense.sum(axis=1) - 1) > 1e-6):
                    raise AgentError(f"{agent!r}: chances that are not a distribution over the legal actions")
                counts = self.graph.fan[rows, seat].astype(np.int64)
                first = np.repeat(self.starts[seat, rows] - (np.cumsum(counts) - counts), counts)
                out[first + np.arange(counts.sum())] = dense[legal]
        return out

    def best(self, seat: int, chances: np.ndarray) -> tuple[float, np.ndarray]:
        """The most that a seat gets against those chances of the other; what it chooses where, int64[N] (-1: nothing).

        Choices are numbers of legal actions in ascending order.
        """
        return self._value(seat, chances, True)

    def value(self, seat: int, chances: np.ndarray) -> float:
        """What a seat gets if both go by the chances."""
        return self._value(seat, chances, False)[0]

    def _value(self, seat: int, chances: np.ndarray, best: bool) -> tuple[float, np.ndarray]:
        values, choices = np.zeros(len(self)), np.zeros(len(self), np.int64)
        answers = Answers(seat=seat, best=int(best), starts=self.starts, chances=chances)
        evaluate(self.graph, self.order, answers, values, choices=choices)
        return float(values[0]), choices

    def strategy(self, choices: Sequence[np.ndarray], **more: Any) -> SavedStrategy:
        """What both seats choose, by `best`, as a strategy that can be kept and played; `more` goes into its manifest.

        Positions at which there is nothing to choose are left out.
        """
        keys, sizes, chosen = [], [], []
        for seat in (0, 1):
            rows = self.rows(seat)
            rows = rows[self.graph.fan[rows, seat] > 1]
            states = np.ascontiguousarray(self.graph.states[rows])
            keys.append(entry_keys(self.game, states, np.full(len(rows), seat), self.reading))
            sizes.append(self.graph.fan[rows, seat].astype(np.int64))
            chosen.append(choices[seat][rows])
        found = (np.concatenate(parts) for parts in (keys, sizes, chosen))
        return sure_strategy(self.game, *found, pieces=list(self.pieces), **more)


__all__ = ["LIMIT", "Positions"]
