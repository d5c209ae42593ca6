"""Games played on from a given position by a compiled baseline in all seats: what it is worth between equals."""

from __future__ import annotations

import numpy as np

from ..envs.core.abi import STOPPED
from ..envs.core.game import Game, Position
from ..envs.core.keys import key_of, keyed_words
from .base import AgentError, NativePolicy
from .declaration import lineup_of
from .match_kernel import Agents, Games, Sheet, play_compiled
from .registry import make_agent


class Playouts:
    """Plays games of one compiled game to their end from any position; the same seed gives the same payoffs.

    `agent` is a compiled baseline (default: the first of those that stand for everybody in a search's simulations).
    """

    def __init__(self, game: Game, agent: str | None = None) -> None:
        """Raises AgentError for an agent that is no compiled baseline."""
        self.game = game
        self.agent = (agent or lineup_of(game).rollout_in(game).split("+")[0]).strip()
        policy = make_agent(self.agent).native(game)
        if policy is None:
            raise AgentError(f"agent {self.agent!r} is no compiled baseline: games cannot be played on by it")
        self._policy: NativePolicy = policy
        # Drivers start a game with a copy of the record right before the parameters: here stands the position.
        size, params = game.state_size, game.spec.params
        self._memory = np.zeros(size + params.nbytes, dtype=np.uint8)
        self._memory[size:] = np.frombuffer(params.tobytes(), dtype=np.uint8)

    def play(self, position: Position, games: int, seed: int) -> np.ndarray:
        """The payoffs of so many games that go on from a position, float64[games, seats].

        Raises AgentError if the baseline answers what is not legal, or a game does not end.
        """
        game, n = self.game, self.game.n_seats
        size = game.state_size
        self._memory[:size] = np.frombuffer(position.to_bytes(), dtype=np.uint8)
        payoffs, status = np.zeros((games, game.capacity)), np.zeros(games, dtype=np.int8)
        rows = np.arange(games)
        play_compiled(
            game.address,
            self._memory.ctypes.data + size,
            size,
            game.words,
            agents=Agents(
                policies=np.array([self._policy.address]),
                which=np.array([self._policy.which]),
                seeds=keyed_words(key_of(seed, "agent"), np.zeros(1, dtype=np.int64)),
            ),
            sheets=Sheet(
                seating=np.zeros((games, n), dtype=np.int64),
                decisions=np.zeros((games, n), dtype=np.int32),
                offences=np.zeros((games, n), dtype=np.int8),
                answers=np.zeros((games, n), dtype=np.int64),
            ),
            games=Games(
                dice=keyed_words(key_of(seed, "dice"), rows),
                tables=keyed_words(key_of(seed, "table"), rows),
                payoffs=payoffs,
                status=status,
            ),
        )
        self._policy.raise_pending()
        game.kernel.raise_pending()
        if (status > STOPPED).any():
            raise AgentError(f"{self.agent}: a game that it plays on does not come to its end")
        return payoffs[:, :n]


__all__ = ["Playouts"]
