"""Compiled calls of compiled policies, and of other functions over a rule set that take long."""

from __future__ import annotations

from ..envs.core.abi import address_of, call_kernel
from ..envs.core.batch import random_legal
from ..envs.core.jit import driver


@driver
def act_native(policy, which, k, p, worlds, seats, seeds, rngs, actions):
    """Ask a policy about the records `worlds` uint8[m, size], which it may use up; write `actions` int64[m].

    `seats` int64[m] to act; `seeds` uint64[m] of the decisions, `rngs` uint64[m] is working space.
    """
    size = worlds.shape[1]
    for i in range(len(worlds)):
        rngs[i] = seeds[i]
        s = address_of(worlds) + i * size
        actions[i] = call_kernel(policy, which, s, p, seats[i], k, address_of(rngs[i : i + 1]))


@driver
def act_random(words, seeds, rngs, actions):
    """Draw a uniform action of every legal set `words` int64[m, W]; `seeds`, `rngs`, `actions` as above."""
    for i in range(len(words)):
        rngs[i] = seeds[i]
        actions[i] = random_legal(words[i], rngs[i : i + 1])


@driver(nogil=True)
def call_unlocked(function, op, s, p, a, b, out):
    """`abi.call_from_python` for long calls: other threads run meanwhile, with memory of their own."""
    return call_kernel(function, op, s, p, a, b, out)
