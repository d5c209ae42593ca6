"""Compiled collection of what seats may know, and the seeds of their decisions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import config, njit

from ..envs.core.abi import DETERMINIZE, KEY, LEGAL, OBSERVE, ROLL, address_of, call_kernel, copy_bytes
from ..envs.core.jit import driver
from ..envs.core.rng import mix

DECISION, DEAL = 0x64656369, 0x6465616C  # tags that keep the uses of a seed apart

if getattr(config, "DISABLE_JIT", False):

    def unsigned(x: int) -> int:
        """The bits of an int64 as a uint64."""
        return int(x) & 0xFFFFFFFFFFFFFFFF

else:

    @njit(inline="always")
    def unsigned(x):
        """The bits of an int64 as a uint64."""
        return np.uint64(x)


@driver
def decision_seed(agent_seed, table_seed, seat, number):
    """Seed (uint64) of one decision: of agent, table, seat and the number of decisions that the seat took before.

    Nothing else enters it, so that an answer depends neither on batching nor on the order in which tables are played.
    """
    return unsigned(mix(mix(mix(mix(DECISION, agent_seed), table_seed), seat), number))


class Decisions(NamedTuple):
    """m decisions: of `seats` in the records `rows`, int64[m]; `agents`, `tables` uint64[m] (seeds).

    `numbers` int64[m] count the decisions that the seat took before.
    """

    rows: Any
    seats: Any
    agents: Any
    tables: Any
    numbers: Any


class Known(NamedTuple):
    """What the seats of m decisions may know, zeroed before.

    `observations` float32[m, L], `masks` int8[m, A], `words` int64[m, W], `worlds` uint8[m, size] (records that have
    forgotten what the seat cannot know), `keys` int64[m], `seeds` uint64[m].
    """

    observations: Any
    masks: Any
    words: Any
    worlds: Any
    keys: Any
    seeds: Any


@driver
def gather(k, p, states, decisions, known):
    """Collect m `decisions` (Decisions) at the records `states` uint8[n, size]; `known` (Known) is written."""
    rows, agents, tables, numbers = decisions.rows, decisions.agents, decisions.tables, decisions.numbers
    observations, masks, words = known.observations, known.masks, known.words
    worlds, keys, seeds = known.worlds, known.keys, known.seeds
    size = states.shape[1]
    for i in range(len(rows)):
        s = address_of(states) + rows[i] * size
        seat = decisions.seats[i]
        call_kernel(k, OBSERVE, s, p, seat, 0, address_of(observations) + 4 * observations.shape[1] * i)
        call_kernel(k, LEGAL, s, p, seat, 0, address_of(words) + 8 * words.shape[1] * i)
        for a in range(masks.shape[1]):
            masks[i, a] = (words[i, a >> 5] >> (a & 31)) & 1
        keys[i] = call_kernel(k, KEY, s, p, seat, 0, 0)
        world = address_of(worlds) + i * size
        copy_bytes(world, s, size)
        call_kernel(k, DETERMINIZE, world, p, seat, 0, 0)
        seeds[i] = decision_seed(agents[i], tables[i], seat, numbers[i])


@driver
def deal(k, p, worlds, seeds, rngs):
    """Deal what the records `worlds` uint8[m, size] have forgotten; modified in place.

    The dice depend on `seeds` uint64[m] alone; `rngs` uint64[m] is working space.
    """
    size = worlds.shape[1]
    for i in range(len(worlds)):
        rngs[i] = unsigned(mix(DEAL, seeds[i]))
        call_kernel(k, ROLL, address_of(worlds) + i * size, p, 0, 0, address_of(rngs[i : i + 1]))


@driver
def reseed(seeds, number):
    """Other seeds, uint64[m], derived from `seeds` and a number."""
    out = np.zeros(len(seeds), np.uint64)
    for i in range(len(seeds)):
        out[i] = unsigned(mix(mix(DECISION, seeds[i]), number))
    return out
