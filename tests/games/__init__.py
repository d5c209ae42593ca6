"""Small games with simultaneous choices, as kernels in the style of the project's systems, for tests of agents."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from probespiel.envs.core.actions import ActionBlock, ActionTable
from probespiel.envs.core.build import Sources
from probespiel.envs.core.game import Game, GameSpec, Position, Seat
from probespiel.envs.core.observe import Layout, Piece

from . import cards, nim, rps


class NoTexts:
    """Texts that say nothing."""

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        return ""

    def event(self, event: int, seat: int | None, lang: str) -> str:
        return ""

    def phase(self, position: Position, lang: str) -> str:
        return ""


def _game(
    name: str, module: Any, params: np.ndarray, seats: int, codes: tuple[str, ...], layout: Layout,
    simultaneous: bool = True, compiled: bool = True, **more: Any,
) -> Game:  # fmt: skip
    constants = {"PLAYERS": seats}
    sources = Sources((module,), constants, module.STATE, module.PARAMS, seats=seats, words=1, observation=layout.size)
    spec = GameSpec(
        name=name,
        system=name,
        scenario="standard",
        options={},
        sources=sources,
        params=params,
        seats=tuple(Seat(f"seat{i}", f"side{i}") for i in range(seats)),
        actions=ActionTable([ActionBlock("choice", codes)]),
        layout=layout,
        phases=("choose",),
        texts=NoTexts(),
        zero_sum=True,
        simultaneous=simultaneous,
        **more,
    )
    return Game(spec, compiled)


ROCKS = ((0, -1, 2), (1, 0, -1), (-2, 1, 0))


def rps_game(rounds: int = 1, payoff: npt.ArrayLike = ROCKS) -> Game:
    """Rock, paper, scissors in which a rock that wins counts twice; its solution is (1/4, 1/2, 1/4), its value 0.

    Or with any `payoff` [3, 3] of the first seat.
    """
    params = np.zeros(1, dtype=rps.PARAMS)
    params["rounds"] = rounds
    params["payoff"] = payoff
    most = float(np.abs(payoff).max()) * rounds
    layout = Layout(
        [Piece("seen", (rps.ROUNDS, 2, 3), 0, 1, "choices of past rounds"), Piece("seat", (2,), 0, 1, "own")]
    )
    return _game(
        "rps",
        rps,
        params,
        2,
        ("rock", "paper", "scissors"),
        layout,
        max_decisions=2 * rounds,
        payoff_range=(-most, most),
    )


def card_game(seats: int = 2, hand: int = 2, deck: int = 5) -> Game:
    """Everybody plays one of its hidden cards at once, the higher card wins a point, round after round."""
    params = np.zeros(1, dtype=cards.PARAMS)
    params["hand"], params["deck"] = hand, deck
    layout = Layout(
        [
            Piece("hand", (cards.DECK,), 0, 1, "own cards"),
            Piece("played", (seats, cards.DECK), 0, 1, "cards played"),
        ]
    )
    return _game(
        "cards",
        cards,
        params,
        seats,
        tuple(f"card{i}" for i in range(deck)),
        layout,
        max_decisions=seats * hand,
        payoff_range=(-float(hand * (seats - 1)), float(hand * (seats - 1))),
    )


def nim_game() -> Game:
    """3, 4 or 5 stones, of which the seats take one or two in turn: perfect information and a die; interpreted."""
    layout = Layout([Piece("stones", (1,), 0, 5, "stones left")])
    return _game(
        "nim",
        nim,
        np.zeros(1, dtype=nim.PARAMS),
        2,
        ("one", "two"),
        layout,
        simultaneous=False,
        compiled=False,
        max_decisions=5,
        payoff_range=(-1.0, 1.0),
    )
