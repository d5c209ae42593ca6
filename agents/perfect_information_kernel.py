"""Compiled complete search of a game of perfect information whose keys name positions, not histories."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..envs.core.abi import (
    APPLY,
    DIE,
    FALL,
    KEY,
    LEGAL,
    RETURNS,
    TO_ACT,
    address_of,
    call_kernel,
    copy_bytes,
    lowest_bit,
    popcount,
    select_bit,
)
from ..envs.core.inner import inner
from ..envs.core.jit import driver

TOO_MANY, TOO_DEEP = -1, -2  # statuses


class Known(NamedTuple):
    """A hash table of positions: `keys` int64[T], 0 where it is free, and their `values` float64[T]."""

    keys: Any
    values: Any


class Goal(NamedTuple):
    """Who wants what: `signs` int64[seats] 1 for seats that want what the seat `mine` wants, -1 for the others.

    `payoff` float64[capacity] is working space.
    """

    signs: Any
    mine: int
    payoff: Any


class Stack(NamedTuple):
    """The path under search, one row a position.

    `states` uint8[D, size]; `words` int64[D, W] legal set; `faces` (0: a decision), `count`, `at`, `keys` int64[D];
    `sums` float64[D]: sum of a chance node, best value so far of a decision.
    """

    states: Any
    words: Any
    faces: Any
    count: Any
    at: Any
    keys: Any
    sums: Any


@inner
def find(keys, key):
    """Index of a key in the table, or -1 - the free place where it belongs."""
    mask = len(keys) - 1
    i = (key ^ (key >> 29)) & mask
    while keys[i] != 0:
        if keys[i] == key:
            return i
        i = (i + 1) & mask
    return -1 - i


@inner
def nth_action(words, n):
    """The n-th action of a legal set."""
    for w in range(len(words)):
        c = popcount(words[w])
        if n < c:
            return 32 * w + select_bit(words[w], n)
        n -= c
    return -1


@driver
def solve(k, p, stack, known, goal, limit, found):
    """Value of the position in `stack.states[0]` for the seat `goal.mine`; 0 or a status below 0.

    `known` Known is an empty hash table; `found` float64[2] gets the value and the number of positions, of which there
    are at most `limit`.
    """
    keys, values = known.keys, known.values
    signs, mine, payoff = goal.signs, goal.mine, goal.payoff
    depth, size = stack.states.shape
    n_words = stack.words.shape[1]
    base = address_of(stack.states)
    d = 0
    nodes = 0
    value = 0.0
    fresh = True
    while True:
        s = base + d * size
        if fresh:
            fresh = False
            bits = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
            faces = 0 if bits else call_kernel(k, DIE, s, p, 0, 0, 0)
            if bits == 0 and faces == 0:
                call_kernel(k, RETURNS, s, p, 0, 0, address_of(payoff))
                value = payoff[mine]
                if d == 0:
                    break
                d -= 1
                done = True
            else:
                key = call_kernel(k, KEY, s, p, mine, 0, 0)
                if key == 0:
                    key = np.int64(1)
                place = find(keys, key)
                if place >= 0:
                    value = values[place]
                    d -= 1
                    done = True
                else:
                    nodes += 1
                    if nodes > limit:
                        return TOO_MANY
                    if d + 1 >= depth:
                        return TOO_DEEP
                    stack.keys[d] = key
                    stack.faces[d] = faces
                    stack.at[d] = 0
                    if faces:
                        stack.count[d] = faces
                        stack.sums[d] = 0.0
                    else:
                        seat = lowest_bit(bits)
                        stack.sums[d] = -np.inf
                        for w in range(n_words):
                            stack.words[d, w] = 0
                        call_kernel(k, LEGAL, s, p, seat, 0, address_of(stack.words) + 8 * n_words * d)
                        total = 0
                        for w in range(n_words):
                            total += popcount(stack.words[d, w])
                        stack.count[d] = total
                    done = False
            if done:
                continue_at(k, p, stack, d, value=value, signs=signs)
                continue
        if stack.at[d] == stack.count[d]:
            value = stack.sums[d]
            if stack.faces[d]:
                value /= stack.faces[d]
            else:
                value *= sign_of(k, p, stack, d, signs=signs)
            place = -1 - find(keys, stack.keys[d])
            keys[place] = stack.keys[d]
            values[place] = value
            if d == 0:
                break
            d -= 1
            continue_at(k, p, stack, d, value=value, signs=signs)
            continue
        t = s + size
        copy_bytes(t, s, size)
        if stack.faces[d]:
            call_kernel(k, FALL, t, p, stack.at[d], 0, 0)
        else:
            seat = lowest_bit(call_kernel(k, TO_ACT, s, p, 0, 0, 0))
            call_kernel(k, APPLY, t, p, seat, nth_action(stack.words[d], stack.at[d]), 0)
        d += 1
        fresh = True
    found[0] = value
    found[1] = nodes
    return 0


@inner
def sign_of(k, p, stack, d, signs):
    """1 if the seat that decides at a position of the path wants what is searched for, else -1."""
    s = address_of(stack.states) + d * stack.states.shape[1]
    return signs[lowest_bit(call_kernel(k, TO_ACT, s, p, 0, 0, 0))]


@inner
def continue_at(k, p, stack, d, value, signs):
    """Enter the value of the child that was searched last."""
    if stack.faces[d]:
        stack.sums[d] += value
    else:
        mine = sign_of(k, p, stack, d, signs=signs) * value
        if mine > stack.sums[d]:
            stack.sums[d] = mine
    stack.at[d] += 1
