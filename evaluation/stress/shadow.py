"""Where a rule acts: a step of a game is taken once more, from the same position, by the rules without it.

All conditions of a test share one layout of records, so that a position of one can be gone on from in another. Of a
whole game the rules without it may make one with the same dice and the same decisions: what differs then, the rule did.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game, Position
from ...envs.core.replay import Choice, Die, Recorder, Replay


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

    def payoffs(self, record: bytes) -> np.ndarray:
        """What payoffs stand at in a position `record` of the other rules, float64[seats]."""
        return Position(self.game, data=np.frombuffer(bytearray(record), dtype=self.game.state_dtype)).returns()

    def same(self, position: Position, other: Position, payoffs: bool = True) -> bool:
        """Whether two positions are the same as far as it counts; `payoffs`: those as they stand, too."""
        one, two = state_of(position, self.keep), state_of(other, self.keep)
        return one == two if payoffs else one[:3] == two[:3]


def without_it(
    replay: Replay, rules: Game, own: frozenset[int], phases: frozenset[int], left: list[Die | Choice] | None = None
) -> Replay | None:
    """The game by `rules` without the module, with the same dice and decisions but for its own; None if that is none.

    Its own are the actions `own`, what is answered in `phases`, and dice that are not due without it; they are added to
    `left`.
    """
    made, asked = Recorder(rules, agents=replay.agents), False
    mine = [] if left is None else left
    try:
        for step, position in replay.positions():
            if isinstance(step, Die):
                if made.position.die() == step.faces:
                    made.fall(step.fell)
                else:
                    mine.append(step)
            elif step is not None and not asked and step.action not in own:
                made.apply(step.seat, step.action)
            elif step is not None:
                mine.append(step)
            asked = int(position.record.ask_phase) in phases and bool(position.to_act())
    except ProbespielError:
        return None
    return None if made.position.to_act() or made.position.die() else made.replay()


def shifted(there: Replay, here: Replay, own: frozenset[int]) -> bool:
    """Whether two games of a deal part at a die, and dice of the game with the rule, `there`, come after it.

    The rule has thrown one of its own then, or has made the game throw another, so that all later ones are other ones:
    the games differ by luck. Its `own` actions are passed over.
    """
    one, other = (
        [step for step in replay.steps if isinstance(step, Die) or step.action not in own] for replay in (there, here)
    )
    at = next((i for i, (a, b) in enumerate(zip_longest(one, other)) if a != b), len(one))
    first = [steps[at] for steps in (one, other) if at < len(steps)]
    return any(isinstance(step, Die) for step in first) and any(isinstance(step, Die) for step in one[at + 1 :])


__all__ = ["Shadow", "State", "shifted", "state_of", "without_it"]
