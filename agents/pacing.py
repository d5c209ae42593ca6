"""How much a search does between two looks at the clock, so that it keeps its time and can be interrupted.

Compiled code cannot be interrupted, so a decision is thought out in slices. A slice is to take `SLICE_SECONDS` by what
the one before it took for each simulation, less where the time is short, and towards the end of it half of what is
left, so that neither a slow machine nor positions that take longer make it late by more than a simulation or two. What
follows a search (its answer is read, a solution is settled) takes time as well, and somebody else may have the
processor when it would end: so it aims at a little less than its time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

SLICE_SECONDS = 0.01  # Ctrl-C is answered within 0.05 even where simulations suddenly take four times as long
SLICE_SHARE = 0.1  # of the time, at most
SPARE = 0.04  # of the time, which a search leaves to what follows it, but no less than
LEAST_SPARE = 0.0015  # seconds, where that is no more than
MOST_SPARE = 0.075  # of the time
MOST_IN_A_SLICE = 1 << 14


def slices(limit: int | None, seconds: float | None, clock: Callable[[], float] = time.perf_counter) -> Iterator[int]:
    """Sizes of the slices of a search of at most `limit` units (simulations, say) and `seconds`; None: without limit.

    The time runs from this call. The first slice is of a single unit, which may itself take long; there is always that
    one. What is done with a size must be done before the next is asked for.
    """
    return _slices(limit, math.inf if seconds is None else aimed(seconds), clock, clock())


def aimed(seconds: float) -> float:
    """Seconds after which a search means to end that may take so many."""
    return seconds - min(max(SPARE * seconds, LEAST_SPARE), MOST_SPARE * seconds)


def _slices(limit: int | None, seconds: float, clock: Callable[[], float], begin: float) -> Iterator[int]:
    left = math.inf if limit is None else limit
    end, most = begin + seconds, min(SLICE_SECONDS, SLICE_SHARE * seconds)
    size, now = 1, clock()
    while left > 0:
        yield size
        left -= size
        before, now = now, clock()
        each = (now - before) / size
        remaining = end - now
        if remaining <= each / 2:
            return
        fitting = min(most, remaining / 2) / each if each > 0 else math.inf
        size = int(max(1, min(fitting, 2 * size, MOST_IN_A_SLICE, left)))


__all__ = ["MOST_IN_A_SLICE", "SLICE_SECONDS", "aimed", "slices"]
