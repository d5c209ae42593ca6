"""Compiled loops that grow the tree of a two-seat game whose seats choose at the same time, round after round."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...envs.core.abi import (
    APPLY,
    DETERMINIZE,
    DIE,
    LEGAL,
    OBSERVE,
    OVER,
    RETURNS,
    ROLL,
    TO_ACT,
    address_of,
    call_kernel,
    copy_bytes,
)
from ...envs.core.batch import start_table
from ...envs.core.jit import driver


@driver
def deal_tables(k, p, states, rngs):
    """Begin a game at every record, `states` uint8[n, size], with the dice `rngs` uint64[n]."""
    size = states.shape[1]
    for i in range(len(states)):
        start_table(k, address_of(states) + i * size, p, size, rng=rngs[i : i + 1])


@driver
def deal_again(k, p, source, seat, targets, rngs):
    """Copies of a record in which all that `seat` cannot know is dealt anew: `targets` uint8[n, size]."""
    size = targets.shape[1]
    for i in range(len(targets)):
        s = address_of(targets) + i * size
        copy_bytes(s, address_of(source), size)
        call_kernel(k, DETERMINIZE, s, p, seat, 0, 0)
        call_kernel(k, ROLL, s, p, 0, 0, address_of(rngs[i : i + 1]))


@driver
def look(k, p, states, n_words, seats, observations, masks):
    """Observation and mask of seat `seats[i]` in record i: float32[n, L], zeroed before, and int8[n, A]."""
    size = states.shape[1]
    words = np.zeros(n_words, np.int64)
    for i in range(len(states)):
        s = address_of(states) + i * size
        call_kernel(k, OBSERVE, s, p, seats[i], 0, address_of(observations) + 4 * observations.shape[1] * i)
        call_kernel(k, LEGAL, s, p, seats[i], 0, address_of(words))
        for a in range(masks.shape[1]):
            masks[i, a] = (words[a >> 5] >> (a & 31)) & 1


@driver
def check_both(k, p, states):
    """Index of the first record in which not both seats choose now, or -1."""
    size = states.shape[1]
    for i in range(len(states)):
        if call_kernel(k, TO_ACT, address_of(states) + i * size, p, 0, 0, 0) != 3:
            return i
    return -1


@driver
def grow(k, p, states, parents, seat, own, other, targets):
    """Child i is record `parents[i]` after `own[i]` of `seat` and `other[i]` of the other seat.

    Writes `targets` uint8[m, size]. Returns the first child in which a die is due, or -1.
    """
    size = states.shape[1]
    for i in range(len(parents)):
        s = address_of(targets) + i * size
        copy_bytes(s, address_of(states) + parents[i] * size, size)
        call_kernel(k, APPLY, s, p, seat, own[i], 0)
        call_kernel(k, APPLY, s, p, 1 - seat, other[i], 0)
        if call_kernel(k, DIE, s, p, 0, 0, 0) > 0:
            return i
    return -1


class LastChoices(NamedTuple):
    """The choices that end m games: in the records `parents` int64[m], of a seat `own` and of the `other`, int64[m]."""

    parents: Any
    own: Any
    other: Any


@driver
def finish(k, p, states, choices, seat, capacity, payoffs):
    """Payoffs of the other seat, float64[m], after the last choices; -1, or the first that does not end the game."""
    parents, own, other = choices.parents, choices.own, choices.other
    size = states.shape[1]
    record = np.zeros(size, np.uint8)
    out = np.zeros(capacity, np.float64)
    for i in range(len(parents)):
        s = address_of(record)  # in the loop: an array that is not mentioned any more is freed
        copy_bytes(s, address_of(states) + parents[i] * size, size)
        call_kernel(k, APPLY, s, p, seat, own[i], 0)
        call_kernel(k, APPLY, s, p, 1 - seat, other[i], 0)
        if call_kernel(k, OVER, s, p, 0, 0, 0) == 0:
            return i
        call_kernel(k, RETURNS, s, p, 0, 0, address_of(out))
        payoffs[i] = out[1 - seat]
    return -1
