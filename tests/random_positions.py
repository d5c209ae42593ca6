"""Positions of random games."""

from __future__ import annotations

import numpy as np

from probespiel.envs.core.game import Game, Position


def somewhere(game: Game, rng: np.random.Generator, seed: int, most: int) -> Position:
    """A position at which somebody chooses, after less than `most` random actions; over a game, another begins."""
    position = game.position(seed=seed)
    position.roll()
    for _ in range(int(rng.integers(0, most))):
        seat = position.to_act()[0]
        position.apply(seat, int(rng.choice(position.legal(seat))))
        position.roll()
        if position.over:
            position = game.position(seed=seed)
            position.roll()
    return position
