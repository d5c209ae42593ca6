"""Compiled calls of compiled policies, and of other functions over a rule set that take long."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..envs.core.abi import address_of, call_kernel
from ..envs.core.batch import random_legal
from ..envs.core.jit import driver


class Questions(NamedTuple):
    """m decisions: `worlds` uint8[m, size], which may be used up, `seats` int64[m] to act, `seeds` uint64[m].

    `rngs` uint64[m] is working space, `actions` int64[m] are written.
    """

    worlds: Any
    seats: Any
    seeds: Any
    rngs: Any
    actions: Any


@driver
def act_native(policy, which, k, p, questions):
    """Ask the policy at an address, told from others by `which`, some Questions."""
    rngs, size = questions.rngs, questions.worlds.shape[1]
    for i in range(len(questions.worlds)):
        rngs[i] = questions.seeds[i]
        s, rng = address_of(questions.worlds) + i * size, address_of(rngs[i : i + 1])
        questions.actions[i] = call_kernel(policy, which, s, p, questions.seats[i], k, rng)


@driver
def mix_native(mixture, p, worlds, seats, out):
    """Write the chances that a compiled mixture at an address gives in worlds uint8[m, size], into float64[m, A]."""
    size, row = worlds.shape[1], 8 * out.shape[1]
    for i in range(len(worlds)):
        call_kernel(mixture, 0, address_of(worlds) + i * size, p, seats[i], 0, address_of(out) + i * row)


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
