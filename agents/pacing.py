"""How much a search does between two looks at the clock, so that it keeps its time and can be interrupted.

Compiled code cannot be interrupted, so a decision is thought out in slices. A slice is to take `SLICE_SECONDS` by what
the one before it took for each simulation, and towards the end of the time half of what is left, so that neither a slow
machine nor positions that take longer make it late by more than a simulation or two.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

SLICE_SECONDS = 0.01  # Ctrl-C is answered within 0.05 even where simulations suddenly take four times as long
MOST_IN_A_SLICE = 1 << 14


def slices(limit: int | None, seconds: float | None, clock: Callable[[], float] = time.perf_counter) -> Iterator[int]:
    """Sizes of the slices of a search of at most `limit` units (simulations, say) and `seconds`; None: without limit.

    The time runs from this call. The first slice is of a single unit, which may itself take long; there is always that
    one. What is done with a size must be done before the next is asked for.
    """
    return _slices(limit, clock() + (math.inf if seconds is None else seconds), clock)


def _slices(limit: int | None, end: float, clock: Callable[[], float]) -> Iterator[int]:
    left = math.inf if limit is None else limit
    size, now = 1, clock()
    while left > 0:
        yield size
        left -= size
        before, now = now, clock()
        each = (now - before) / size
        remaining = end - now
        if remaining <= each / 2:
            return
        fitting = min(SLICE_SECONDS, remaining / 2) / each if each > 0 else math.inf
        size = int(max(1, min(fitting, 2 * size, MOST_IN_A_SLICE, left)))


__all__ = ["MOST_IN_A_SLICE", "SLICE_SECONDS", "slices"]
