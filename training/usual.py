"""What a seat is mostly shown: most numbers that are not 0 say how the game is set up, and hardly ever change.

The native learner is told how an observation differs from that. What the first layer makes of usual inputs is worked
out once for a set of weights, as is their share of the gradient; less than half of the numbers that are not 0 is left.
Nothing but rounding depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..envs.core.game import Game
from ..envs.core.learner_tables import LearnerTables
from ..envs.core.rng import rng_table
from ..envs.core.vec_drivers import draw_seeded

TABLES, STEPS = 32, 24  # of random play that is looked at: the beginning of long games, several of short ones
SEED = 0  # the same for every training, as what is usual depends on the game alone


def usual_inputs(games: Sequence[Game], counts: Sequence[int], whole_side: bool = False) -> np.ndarray:
    """What each number of an observation is in more than half of the decisions of random play, else 0; float32[L].

    Game i has `counts[i]` tables of the training, and its share of what is looked at, two tables at least.
    """
    seen = []
    for i, (game, count) in enumerate(zip(games, counts)):
        env = LearnerTables(game, max(2, TABLES * count // sum(counts)), whole_side=whole_side, seed=SEED)
        actions = np.empty(env.num_envs, np.int64)
        env.reset()
        for step in range(STEPS):
            seen.append(env.observations)
            draw_seeded(env.masks, rng_table(SEED, env.num_envs, "usual", i, step), actions)
            env.step(actions)
    return most_frequent(np.concatenate(seen))


def most_frequent(seen: np.ndarray) -> np.ndarray:
    """The value in more than half of the rows of `seen`, float32[m, L], or 0 where none is; float32[L]."""
    middle = np.sort(seen, axis=0)[len(seen) // 2]  # which such a value always is
    return np.where(2 * (seen == middle).sum(axis=0) > len(seen), middle, np.float32(0.0))


__all__ = ["most_frequent", "usual_inputs"]
