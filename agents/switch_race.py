"""A race of ways to play against the usual one: who is hardly better drops out, the rest are played more.

Most decisions do not matter, and of most others a few dozen games tell so. Halving plays the same number of them
everywhere; a race ends where nobody is left who may be better by anything that counts (Maron and Moore 1994, Hoeffding
Races, NIPS 6).
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from .pacing import aimed
from .switch_kernel import EARNED, EARNED_SQUARES, ROUNDS, SQUARES, TOTAL

FIRST = 6  # rounds before anybody drops out
GROWTH = 0.5  # how many more rounds are played between two looks, by those that were
LEAST = 0.05  # standard deviations of what a game earns: who is not better by so much need not be found
HOPE = 1.0  # standard errors by which somebody may be better than he looks
SURE = 3.0  # standard errors by which the last one must be better for no more games to be needed


def standing(found: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """By how much each way earns more than the usual one, the errors, and the deviation of what a game earns.

    An error is that of so many rounds and one more, in which the difference is that deviation: few rounds in which
    nothing was different do not show that nothing is.
    """
    rounds = np.maximum(found[:, ROUNDS], 1.0)
    means = found[:, EARNED] / rounds
    spread = float(np.sqrt(np.maximum(found[:, EARNED_SQUARES] / rounds - means**2, 0.0).max()))
    return found[:, TOTAL] / rounds, np.sqrt(found[:, SQUARES] + spread**2) / rounds, spread


def left_of(kept: np.ndarray, found: np.ndarray) -> np.ndarray:
    """Who goes on, the usual way always: who may be better than it by what counts, and than the surely best."""
    more, errors, spread = standing(found)
    others = kept[1:]
    least = max(LEAST * spread, float((more[others] - HOPE * errors[others]).max()))
    return np.concatenate([kept[:1], others[more[others] + HOPE * errors[others] > least]])


def race(
    play: Callable[[np.ndarray, int, float | None], None], found: np.ndarray, games: int | None, seconds: float | None
) -> tuple[int, float, float]:
    """The best way beside the usual one, by how much it earns more, and its error; (0, 0, 0) if all dropped out.

    `play(kept, rounds, seconds)` plays so many rounds of some ways, or as many as there is time for, and adds them to
    `found` (see `try_ways`). At most so many games are played in all, and for so many seconds.
    """
    kept, end = np.arange(len(found), dtype=np.int64), None if seconds is None else perf_counter() + aimed(seconds)
    while len(kept) > 1:
        rounds = max(FIRST, int(GROWTH * found[0, ROUNDS]))
        if games is not None:
            rounds = min(rounds, (games - int(found[:, ROUNDS].sum())) // len(kept))
        rest = None if end is None else end - perf_counter()
        if rounds < 1 or (rest is not None and rest <= 0.0 and found[0, ROUNDS]):
            break
        play(kept, rounds, rest)
        kept = left_of(kept, found)
        more, errors, _ = standing(found)
        if len(kept) == 2 and more[kept[1]] > SURE * errors[kept[1]]:
            break
    if len(kept) == 1:
        return 0, 0.0, 0.0
    more, errors, _ = standing(found)
    best = int(kept[1:][np.argmax(more[kept[1:]])])
    return best, float(more[best]), float(errors[best])


__all__ = ["FIRST", "race", "standing"]
