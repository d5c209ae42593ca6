"""The game `clash` as a specification; see `clash_rules`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from probespiel.envs.core.actions import ActionBlock, ActionTable
from probespiel.envs.core.build import Sources
from probespiel.envs.core.game import Game, GameSpec, Position, Seat
from probespiel.envs.core.observe import Layout, Piece
from tests.games_adapters import clash_rules

THROWS = ("rock", "paper", "scissors")


class ClashTexts:
    """What a person reads of clash."""

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """Round and last throws."""
        record = position.record
        last = ["-" if not t else THROWS[t - 1] for t in record.last.tolist()]
        return f"round {record.turn}: {', '.join(last)}"

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """A revealed round."""
        return f"round {event}"

    def phase(self, position: Position, lang: str) -> str:
        """What is asked."""
        return position.phase()


def clash(
    seats: int = 2,
    sides: Sequence[int] | None = None,
    rounds: int = 2,
    rock: float = 2.0,
    limit: int = 1000,
    broken: int = 1 << 40,
    bows: bool = True,
    compiled: bool = True,
) -> Game:
    """A game of clash; `sides` gives each seat's side (default: each its own)."""
    sides = tuple(range(seats)) if sides is None else tuple(sides)
    params = np.zeros(1, dtype=clash_rules.PARAMS)
    params["rounds"], params["limit"], params["rock"] = rounds, limit, rock
    params["broken"], params["bows"] = broken, bows
    params["side"][0, :seats] = sides
    layout = Layout(
        [
            Piece("phase", (2,), 0, 1, "what is asked"),
            Piece("round", (1,), 0, 100, "rounds played"),
            Piece("me", (seats,), 0, 1, "own seat"),
            Piece("sealed", (4,), 0, 1, "own sealed throw"),
            Piece("last", (seats, 4), 0, 1, "last throws"),
            Piece("payoff", (seats,), -1000, 1000, "payoffs so far"),
        ]
    )
    sources = Sources(
        (clash_rules,),
        {"N": seats},
        clash_rules.state_dtype(seats),
        clash_rules.PARAMS,
        seats=seats,
        words=1,
        observation=layout.size,
    )
    top = rounds * (rock * (seats - 1) + 1.0)
    spec = GameSpec(
        name="clash",
        system="clash",
        scenario="standard",
        options={"seats": seats, "rounds": rounds, "rock": rock, "limit": limit, "sides": list(sides)},
        sources=sources,
        params=params,
        seats=tuple(Seat(f"player_{i}", f"side_{sides[i]}") for i in range(seats)),
        actions=ActionTable([ActionBlock("throw", THROWS), ActionBlock("bow", ("stay", "bow"))]),
        layout=layout,
        phases=("throw", "bow"),
        texts=ClashTexts(),
        max_decisions=limit,
        payoff_range=(-top, top),
        zero_sum=True,
        simultaneous=True,
    )
    return Game(spec, compiled)
