"""Values of positions of perfect information by complete search; positions that meet again are solved once.

For games with two sides whose keys name positions (all that the future depends on) instead of histories, such as
Scorekeeper's.
"""

from __future__ import annotations

import numpy as np

from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game, Position
from .perfect_information_kernel import TOO_DEEP, Goal, Known, Stack, solve

DEPTH = 4096


class TooLarge(ProbespielError):
    """A position with more behind it than a complete search was allowed to meet."""


def game_value(game: Game, nodes: int = 2_000_000, seat: int = 0) -> float:
    """Value of a game from its start for the side of a seat; see `position_value`."""
    return position_value(game.position(), nodes, seat)


def position_value(position: Position, nodes: int = 2_000_000, seat: int = 0) -> float:
    """Value of a position for the side of a seat, if both sides play for it alone and without error.

    Dice that are still to be thrown are weighed by their chances. Raises TooLarge for more than `nodes`
    positions from there on, ProbespielError for a game of other than two sides, or whose payoffs are not opposed.
    """
    game = position.game
    if len(game.sides) != 2 or game.spec.payoff_range[0] != -game.spec.payoff_range[1] or game.spec.simultaneous:
        raise ProbespielError(f"{game.name}: complete search needs two sides of opposed payoffs who move in turn")
    side = game.seats[seat].side
    signs = np.array([1 if other.side == side else -1 for other in game.seats], dtype=np.int64)
    stack = Stack(
        states=np.zeros((DEPTH, game.state_size), dtype=np.uint8),
        words=np.zeros((DEPTH, game.words), dtype=np.int64),
        faces=np.zeros(DEPTH, dtype=np.int64),
        count=np.zeros(DEPTH, dtype=np.int64),
        at=np.zeros(DEPTH, dtype=np.int64),
        keys=np.zeros(DEPTH, dtype=np.int64),
        sums=np.zeros(DEPTH, dtype=np.float64),
    )
    stack.states[0] = np.frombuffer(position.to_bytes(), dtype=np.uint8)
    size = 1 << max(4, (2 * nodes).bit_length())
    found = np.zeros(2)
    status = solve(
        game.address,
        game.params_address,
        stack,
        Known(keys=np.zeros(size, dtype=np.int64), values=np.zeros(size)),
        goal=Goal(signs=signs, mine=seat, payoff=np.zeros(game.capacity)),
        limit=int(nodes),
        found=found,
    )
    game.kernel.raise_pending()
    if status < 0:
        what = f"a line of more than {DEPTH} steps" if status == TOO_DEEP else f"more than {nodes} positions"
        raise TooLarge(f"{game.name} is too large for a complete search: {what}")
    return float(found[0])


__all__ = ["TooLarge", "game_value", "position_value"]
