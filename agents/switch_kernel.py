"""Compiled trials of whole ways to play: what somebody earns who plays a stretch of the game like this or like that.

A way may begin with an action that is given. In a round every way that is tried meets the same deal and the same dice,
as long as it does the same; the rest of the game after the stretch, and whoever does not choose, plays as usual.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..envs.core.abi import APPLY, LEGAL, RETURNS, ROLL, TO_ACT, address_of, call_kernel, copy_bytes, lowest_bit
from ..envs.core.inner import inner
from ..envs.core.jit import driver
from ..envs.core.rng import next_u64
from .search_kernel import BAD_POLICY, BAD_RULES, CLOCK, ESTIMATE

ROUNDS, TOTAL, SQUARES, EARNED, EARNED_SQUARES = range(5)


class Ways(NamedTuple):
    """Between what is chosen, in which game.

    `k`, `p` as in `Game`; `policy`: address of the compiled baselines; `which` int64[n]: one of them each, the
    first the usual way; `first` int64[n]: what `seat` does first, -1: what the baseline does; `mine` int64[seats]:
    1 where a seat does as is tried; `wanted` int64[seats]: 1 where a seat's payoff counts. `stretch`: address of
    what tells stretches apart, 0: every decision is one. `outlook`, `memory`, `horizon`: what values a position
    when its clock has moved on so far, 0: games are played to their end.
    """

    k: int
    p: int
    policy: int
    which: Any
    first: Any
    seat: int
    mine: Any
    wanted: Any
    stretch: int
    outlook: int
    memory: int
    horizon: int


class Room(NamedTuple):
    """Working space: `state` uint8[size]; `words` int64[W]; `seats`, `actions` int64[64]; `payoff` float64[capacity].

    `thrown` uint64[1] are the dice of a game; `results` float64[n] what each way earned in a round.
    """

    state: Any
    words: Any
    seats: Any
    actions: Any
    payoff: Any
    thrown: Any
    results: Any


@inner(allocates=False)
def stretch_of(ways, s):
    """The stretch of the game that the record at `s` is in."""
    return call_kernel(ways.stretch, CLOCK, s, ways.p, 0, 0, 0)


@inner(allocates=False)
def play_on(ways, room, world, way, seed):
    """One game from the forgotten record at `world`; 0 or a status below 0. `room.results` gets what it earned."""
    s, thrown, words = address_of(room.state), address_of(room.thrown), address_of(room.words)
    room.thrown[0] = seed
    copy_bytes(s, world, len(room.state))
    call_kernel(ways.k, ROLL, s, ways.p, 0, 0, thrown)
    here = np.int64(0)
    if ways.stretch != 0:
        here = stretch_of(ways, s)
    until = np.int64(0)
    if ways.horizon > 0:
        until = call_kernel(ways.outlook, CLOCK, s, ways.p, ways.memory, 0, 0) + ways.horizon
    within, opening, valued = True, True, False
    while True:
        bits = call_kernel(ways.k, TO_ACT, s, ways.p, 0, 0, 0)
        if bits < 0:
            return BAD_RULES
        if bits == 0:
            break
        if ways.horizon > 0 and call_kernel(ways.outlook, CLOCK, s, ways.p, ways.memory, 0, 0) >= until:
            valued = True
            break
        if within and ways.stretch != 0:
            within = stretch_of(ways, s) == here
        chosen = 0
        while bits:
            # everybody chooses before anybody's choice is applied: a policy may look at the record
            seat = lowest_bit(bits)
            bits &= bits - 1
            like = ways.which[way] if within and ways.mine[seat] else ways.which[0]
            call_kernel(ways.k, LEGAL, s, ways.p, seat, 0, words)
            if opening and seat == ways.seat and ways.first[way] >= 0:
                action = ways.first[way]
            else:
                action = call_kernel(ways.policy, like, s, ways.p, seat, ways.k, thrown)
            if action < 0 or action >= 32 * len(room.words) or not (room.words[action >> 5] >> (action & 31)) & 1:
                return BAD_POLICY
            room.seats[chosen] = seat
            room.actions[chosen] = action
            chosen += 1
        within, opening = within and ways.stretch != 0, False
        for i in range(chosen):
            call_kernel(ways.k, APPLY, s, ways.p, room.seats[i], room.actions[i], 0)
        call_kernel(ways.k, ROLL, s, ways.p, 0, 0, thrown)
    if valued:
        call_kernel(ways.outlook, ESTIMATE, s, ways.p, ways.memory, 0, address_of(room.payoff))
    else:
        call_kernel(ways.k, RETURNS, s, ways.p, 0, 0, address_of(room.payoff))
    total = 0.0
    for seat in range(len(ways.wanted)):
        if ways.wanted[seat]:
            total += room.payoff[seat]
    room.results[way] = total
    return 0


@driver(allocates=False, nogil=True)
def try_ways(ways, room, world, tried, rounds, rng, found):
    """Play so many rounds of the ways `tried` (int64[m], the first of them 0); 0 or a status below 0.

    `found` float64[n, 5] gets the number of rounds, by how much each way earned more than the usual one, the sum and
    that of squares, and likewise what it earned. `rng` uint64[1] is advanced.
    """
    for _ in range(rounds):
        seed = next_u64(rng)
        for way in tried:
            status = play_on(ways, room, world, way=way, seed=seed)
            if status < 0:
                return status
        for way in tried:
            more = room.results[way] - room.results[0]
            found[way, ROUNDS] += 1.0
            found[way, TOTAL] += more
            found[way, SQUARES] += more * more
            found[way, EARNED] += room.results[way]
            found[way, EARNED_SQUARES] += room.results[way] ** 2
    return 0


@driver
def begin_of(stretch, p, world):
    """The stretch that the record at `world` is in, which was dealt anew."""
    return call_kernel(stretch, CLOCK, world, p, 0, 0, 0)


@driver
def acting_at(k, p, world):
    """The seats that owe a decision in the record at `world`, as bits."""
    return call_kernel(k, TO_ACT, world, p, 0, 0, 0)


__all__ = [
    "EARNED",
    "EARNED_SQUARES",
    "ROUNDS",
    "SQUARES",
    "TOTAL",
    "Room",
    "Ways",
    "acting_at",
    "begin_of",
    "try_ways",
]
