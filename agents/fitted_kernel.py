"""A fitted outlook, compiled for every rule set at once: one hidden layer over what each seat sees.

What is seen comes as numbers most of which are 0, so the first layer adds up rows of weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..envs.core.abi import OBSERVE, call_kernel, float32_at, float64_at, int64_at, zero_bytes
from ..envs.core.inner import inner
from ..envs.core.jit import driver
from ..envs.core.memory import int32_at
from ..envs.core.rows import list_nonzero

CLOCK, ESTIMATE, SEE = 0, 1, 2  # what an outlook is asked for; the last of what a system's own sight
# words of a block: entry points, sizes, addresses of the weights, of the scale, and of working space
RULES, SIGHT, SHARED, SEATS, SIZE, HIDDEN, FIRST, BIAS, LAST, SCALE, SEEN, INDEX, VALUES, SUMS, WORDS = range(15)
SHIFT, FACTOR, LOW, HIGH, TOTAL = range(5)  # numbers of the scale: float64[5], the last nan where sums differ


@inner(allocates=False)
def see(rules, sight, s, p, seat, size, seen):
    """What a seat sees, float32[size] at the address `seen`: its observation, or what the system's own sight shows."""
    zero_bytes(seen, 4 * size)
    if sight != 0:
        call_kernel(sight, SEE, s, p, seat, 0, seen)
    else:
        call_kernel(rules, OBSERVE, s, p, seat, 0, seen)


@inner
def value_of(sums, last):
    """What the network answers: `last` float32[H + 1] over the positive part of the hidden sums float32[H]."""
    total = last[len(sums)]
    for j in range(len(sums)):
        total += last[j] * max(sums[j], np.float32(0.0))
    return total


@driver
def estimate_seat(w: Any, s: int, p: int, seat: int) -> float:
    """Expected payoff of a seat at the record `s`; `w` int64[WORDS] is the block."""
    size, hidden = w[SIZE], w[HIDDEN]
    see(w[RULES], w[SIGHT], s, p, seat=seat, size=size, seen=w[SEEN])
    found = list_nonzero(w[SEEN], size, w[INDEX], values=w[VALUES])
    sums, last = float32_at(w[SUMS], hidden), float32_at(w[LAST], hidden + 1)
    bias = float32_at(w[BIAS], hidden)
    for j in range(hidden):
        sums[j] = bias[j]
    places = int32_at(w[INDEX], found)
    values = float32_at(w[VALUES], found)
    for i in range(found):
        row = float32_at(w[FIRST] + 4 * hidden * places[i], hidden)
        value = values[i]
        for j in range(hidden):
            sums[j] += value * row[j]
    scale = float64_at(w[SCALE], 5)
    value = scale[SHIFT] + scale[FACTOR] * value_of(sums, last)
    return min(max(value, scale[LOW]), scale[HIGH])


def fitted(op, s, p, block, b, out):
    """An outlook as searches call it: ESTIMATE writes the expected payoffs of all seats, float64[seats], at `out`.

    `block` is the address of the block. CLOCK answers what the system's own sight says, 0 without one.
    """
    w = int64_at(block, WORDS)
    if op == CLOCK:
        return call_kernel(w[SIGHT], CLOCK, s, p, 0, 0, 0) if w[SIGHT] != 0 else 0
    values, scale = float64_at(out, w[SEATS]), float64_at(w[SCALE], 5)
    total = 0.0
    for seat in range(w[SEATS]):
        values[seat] = values[0] if seat > 0 and w[SHARED] else estimate_seat(w, s, p, seat=seat)
        total += values[seat]
    if not np.isnan(scale[TOTAL]):
        for seat in range(w[SEATS]):
            values[seat] += (scale[TOTAL] - total) / w[SEATS]
    return 0
