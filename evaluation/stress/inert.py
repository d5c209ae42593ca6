"""A rule that changes nothing: games of random play beside the same games by the rules without it.

Both games stand side by side and take every step together, but for what the module asks: its own questions are
answered, its actions taken and its dice thrown in the one game alone. Whenever both are asked the same, or are over,
they must stand alike, the module's own numbers and bookkeeping left out. A rule of which that holds in many games has
done nothing in any of them, neither by itself nor by a use.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.game import Position
from ...envs.core.replay import Choice, Die
from ...envs.core.rng import next_u64, rand_below, rng_table
from .conditions import Condition
from .context import Context
from .lab import Lab, position_bytes
from .shadow import Shadow
from .workers import Failed, Job

GAMES, DECISIONS = 400, 20_000  # of random play, at most


def look_for_effects(context: Context) -> int:
    """In how many games of random play a rule changed nothing at all; 0 if it did in one, or that could not be told."""
    args = {"condition": context.bench.everybody(), "seed": context.seed("inert")}
    (answer,) = context.ask("break", [Job("inert", args)])
    return 0 if isinstance(answer, Failed) else int(answer["games"])


# What workers do


def inert(lab: Lab, condition: Condition, seed: int) -> dict[str, Any]:
    """How many games were played in which the rule changed nothing; 0 as soon as it does."""
    game, plain = lab.game(condition), lab.game(Condition())
    shadow = Shadow(plain, position_bytes(lab, game, own=False))
    own, taken, games = frozenset(lab.own_actions), 0, 0
    for dice in rng_table(seed, GAMES, "inert"):
        count = beside(game.position(), shadow, own, np.array([dice], dtype=np.uint64))
        if not count:
            return {"games": 0}
        taken, games = taken + count, games + 1
        if taken >= DECISIONS:
            break
    return {"games": games}


def beside(position: Position, shadow: Shadow, own: frozenset[int], dice: np.ndarray) -> int:
    """Decisions of a random game that stood like the one without the module wherever both were asked; 0 if it did not.

    `dice` uint64[1] is a generator, used up.
    """
    choices = np.array([next_u64(dice)], dtype=np.uint64)
    plain, taken = shadow.start(), 0
    while plain is not None and taken < DECISIONS:
        faces, asked = position.die(), position.to_act()
        together = (faces, asked) == (plain.die(), plain.to_act())
        if together and asked:
            together = all(set(position.legal(s)) - own == set(plain.legal(s)) for s in asked)
        if together and not shadow.same(position, plain):
            return 0
        if not faces and not asked:
            return taken if together else 0
        before = position.to_bytes()
        if faces:
            step: Die | Choice = Die(faces, int(rand_below(dice, faces)))
            position.fall(step.fell)
        else:
            legal = position.legal(asked[0])
            step = Choice(asked[0], legal[int(rand_below(choices, len(legal)))])
            position.apply(*step)
            taken += 1
            together = together and step.action not in own
        if together:
            plain = shadow.after(before, step)
    return 0


__all__ = ["beside", "inert", "look_for_effects"]
