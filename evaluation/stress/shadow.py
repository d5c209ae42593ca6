"""Where a rule acts: a step of a game is taken once more, from the same position, by the rules without it.

All conditions of a test share one layout of records, so that a position of one can be gone on from in another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game, Position
from ...envs.core.replay import Choice, Die


class State(NamedTuple):
    """What can be told of a position: the bytes that count, the die due, who is to act, and payoffs as they stand."""

    content: bytes
    die: int
    asked: tuple[int, ...]
    payoffs: tuple[float, ...]


def state_of(position: Position, keep: np.ndarray) -> State:
    """What can be told of a position; `keep` uint8[size] is the mask of the bytes that count."""
    content = np.frombuffer(position.to_bytes(), dtype=np.uint8) & keep
    return State(
        content.tobytes(), position.die(), tuple(position.to_act()), tuple(np.round(position.returns(), 9).tolist())
    )


class Shadow:
    """The rules without the one under test; `keep` is the mask of the bytes that count."""

    def __init__(self, game: Game, keep: np.ndarray) -> None:
        self.game, self.keep = game, keep

    def start(self) -> Position:
        """How a game starts there."""
        return self.game.position()

    def after(self, before: bytes, step: Die | Choice) -> Position | None:
        """The position after a step from a record `before`; None if it cannot be taken there."""
        position = Position(self.game, data=np.frombuffer(bytearray(before), dtype=self.game.state_dtype))
        try:
            if isinstance(step, Die):
                position.fall(step.fell)
            else:
                position.apply(step.seat, step.action)
        except ProbespielError:
            return None
        return position

    def same(self, position: Position, other: Position) -> bool:
        """Whether two positions are the same as far as it counts."""
        return state_of(position, self.keep) == state_of(other, self.keep)


__all__ = ["Shadow", "State", "state_of"]
