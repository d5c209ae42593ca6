"""Compiled part of solving confrontations: what every pair of bids leads to when all that follows is played best."""

from __future__ import annotations

import numpy as np
from numba import types

from ...envs.core.abi import (
    APPLY,
    LEGAL,
    RETURNS,
    TO_ACT,
    address_of,
    call_kernel,
    copy_bytes,
    float64_at,
    int64_at,
    lowest_bit,
)
from ...envs.core.jit import driver

DEPTH = 8  # records on the stack: bids, victim, fate, spoils, unit, response, and room
_ADDRESSES = [types.int64] * 8


@driver(signature=types.float64(*_ADDRESSES))
def best_value(k, p, base, size, level, words_at, n_words, payoff_at):
    """Payoff of seat 0 from record `level` of a stack when one seat after the other plays best until the game is over.

    No two seats may choose at once and no dice may be due. `base`: address of the stack, `size` bytes a record;
    `words_at`, `payoff_at`: addresses of int64[DEPTH, n_words] and float64[capacity], both overwritten.
    """
    s = base + level * size
    bits = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
    if bits == 0:
        call_kernel(k, RETURNS, s, p, 0, 0, payoff_at)
        return float64_at(payoff_at, 1)[0]
    seat = lowest_bit(bits)
    at = words_at + 8 * n_words * level
    call_kernel(k, LEGAL, s, p, seat, 0, at)
    words = int64_at(at, n_words)
    best = -np.inf if seat == 0 else np.inf
    for w in range(n_words):
        left = words[w]
        while left:
            action = 32 * w + lowest_bit(left)
            left &= left - 1
            copy_bytes(s + size, s, size)
            call_kernel(k, APPLY, s + size, p, seat, action, 0)
            value = best_value(
                k, p, base, size, level=level + 1, words_at=words_at, n_words=n_words, payoff_at=payoff_at
            )
            if (value > best) == (seat == 0) and value != best:
                best = value
    return best


@driver
def bid_payoffs(k, p, stack, n_words, capacity, first, tied, payoffs):
    """Fill `payoffs` float64[rows, columns], but not where `tied` (bool, same shape): seat 0's payoff of bids i, j.

    `stack` uint8[DEPTH, size]: its first record is a clash that waits for both bids; `first` is the action of bid 0.
    """
    size = stack.shape[1]
    base = address_of(stack)
    words = np.zeros(DEPTH * n_words, np.int64)
    payoff = np.zeros(capacity, np.float64)
    for i in range(payoffs.shape[0]):
        for j in range(payoffs.shape[1]):
            if tied[i, j]:
                continue
            copy_bytes(base + size, base, size)
            call_kernel(k, APPLY, base + size, p, 0, first + i, 0)
            call_kernel(k, APPLY, base + size, p, 1, first + j, 0)
            payoffs[i, j] = best_value(
                k, p, base, size, level=1, words_at=address_of(words), n_words=n_words, payoff_at=address_of(payoff)
            )
