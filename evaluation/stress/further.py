"""A module's actions beside those of the game: which come on top of its decisions, and whether all are forced.

After an action on top of a decision the same seat is asked the same again. A key turned before a test, or a card drawn
before a round, is one decision more, but no longer game: what would have been decided without the module is decided all
the same. An action that takes the place of a move is none of these. A module is forced that has all the answers
wherever it asks: it can be neither used nor left alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.core.rng import rand_below, rng_table
from .conditions import Condition
from .context import Context
from .declining import SECONDS
from .drawing import drawn
from .lab import Facts, Lab
from .workers import Job

GAMES = 40
DECISIONS = 300  # of a game
SEEN = 5  # times that an action must have been taken, and a question asked


def look_beside_others(context: Context) -> Facts:
    """What is known of the games, with what the module's actions are beside others; Unanswered where rules fail."""
    if not context.used:
        return context.facts
    job = Job("further", {"condition": context.bench.everybody(), "seed": context.seed("further")}, SECONDS)
    (answer,) = context.need("break", [job])
    return replace(context.facts, further=tuple(answer["actions"]), forced=bool(answer["forced"]))


# What workers do


def further(lab: Lab, condition: Condition, seed: int) -> dict[str, Any]:
    """Ids of the actions on top of decisions, and whether the module is forced, from games of random play."""
    game, own, uses = lab.game(condition), frozenset(lab.own_actions), lab.marks.actions
    again, taken, asked = Counter[int](), Counter[int](), Counter[bool]()
    for dice in rng_table(seed, GAMES, "further"):
        met = met_in(game, own, uses, np.array([dice], dtype=np.uint64))
        asked.update(forced for _, forced, _ in met)
        for action, _, asked_again in met:
            taken[action] += 1
            again[action] += asked_again
    found = sorted(a for a in own & set(taken) if taken[a] >= SEEN and again[a] == taken[a])
    return {"actions": found, "forced": asked[True] >= SEEN and not asked[False]}


def met_in(game: Game, own: frozenset[int], uses: frozenset[int], dice: np.ndarray) -> list[tuple[int, bool, bool]]:
    """The decisions of a random game at which one of the module's actions `uses` was legal.

    What was taken there, whether nothing but such actions was legal, and whether the same seat was asked the same
    again, but for the module's `own` actions. `dice` uint64[1] is a generator, used up.
    """
    choices = np.array([drawn(dice)], dtype=np.uint64)
    position, out = game.position(), list[tuple[int, bool, bool]]()
    before: tuple[int, bool, list[Any]] | None = None
    for _ in range(DECISIONS):
        while faces := position.die():
            position.fall(int(rand_below(dice, faces)))
        asked = position.to_act()
        legal = position.legal(asked[0]) if asked else []
        rest = set(legal) - own
        if before is not None:
            action, forced, known = before
            out.append((action, forced, bool(rest) and [asked[0], position.phase(), rest] == known))
            before = None
        if not asked:
            break
        action = legal[int(rand_below(choices, len(legal)))]
        if uses & set(legal) and len(legal) > 1:
            before = action, uses.issuperset(legal), [asked[0], position.phase(), rest]
        position.apply(asked[0], action)
    return out


__all__ = ["further", "look_beside_others", "met_in"]
