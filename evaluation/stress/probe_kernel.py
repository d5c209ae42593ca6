"""Compiled search for what breaks: games of wilful random play in which every step is watched.

What is played is written down as it happens to arrays that may lie in a shared file, so that a game in which the rules
never return, or bring the process down, can be told from outside.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...envs.core.abi import (
    APPLY,
    LEGAL,
    OBSERVE,
    OVER,
    RETURNS,
    ROLL,
    STOPPED,
    TO_ACT,
    address_of,
    call_kernel,
    float64_at,
    int64_at,
    lowest_bit,
    popcount,
    zero_bytes,
)
from ...envs.core.batch import random_legal, start_table
from ...envs.core.inner import inner
from ...envs.core.jit import driver
from ...envs.core.rng import next_u64, rand_below, rand_float
from .marking_kernel import position_hash

# entries of `live`, which tells how far play has come
GAME, COUNT, DOING = 0, 1, 2
SETTING_UP, ASKING, ENTERING, OBSERVING, PAYING = 1, 2, 3, 4, 5  # values of live[DOING]

# what became of a game
FINE, NO_MOVE, NOBODY_ASKED, ENDLESS, CUT_SHORT, REPEATED, BAD_PAYOFF, BAD_VIEW, FAULTY = range(9)
KINDS = (
    "fine", "no legal move", "nobody asked", "endless", "cut short", "repeated", "bad payoff", "bad observation",
    "module at fault",
)  # fmt: skip


class Watch(NamedTuple):
    """What is watched besides the course of play.

    `marked` int64[W]: actions of the module. `keep` uint8[size]: 255 for bytes of the record that make up the position
    (without counters and histories). `counters` int64[c]: offsets of the module's numbers in a record. `low`, `high`
    float32[L]: range of observations. `bounds` float64[2]: range of payoffs. `phase_at`: offset of the phase.
    `fault_at`, `value_at`: offsets of a module's fault and of its value in a parameter record, -1 without.
    """

    marked: Any
    keep: Any
    counters: Any
    low: Any
    high: Any
    bounds: Any
    phase_at: int
    fault_at: int
    value_at: int


class Habits(NamedTuple):
    """How the seats of n games play.

    `wills` float64[n]: chance of using the module wherever it can be used. `likes` float64[n]: share of all actions
    that a seat likes, and keeps to where it can; 0: it likes none better.
    """

    wills: Any
    likes: Any


class Progress(NamedTuple):
    """How far play has come: `live` int64[3] (see above); `course` int64[limit, 2] (seat, action) of this game."""

    live: Any
    course: Any


class Found(NamedTuple):
    """What n games have shown, zeroed before.

    `kinds` int64[n]: what became of each. `lengths` int64[n]: decisions. `cycles` int64[n]: decision to which a
    repeated position goes back, or what was being done when a module made a fault. `payoffs` float64[n]: of the first
    seat, where a game came to its end. `faults` float64[n, 2]: fault and value. `most` int64[c, 3]: largest absolute
    value of each counter, its game, the length of that game. `phases` int64[64]: how often each was asked. `used`
    int64[2]: decisions with an action of the module legal, and taken.
    """

    kinds: Any
    lengths: Any
    cycles: Any
    payoffs: Any
    faults: Any
    most: Any
    phases: Any
    used: Any


@inner
def faulty(p, watch):
    """Whether a module has made a fault (see `envs.core.modules.bind`)."""
    return watch.fault_at >= 0 and int64_at(p + watch.fault_at, 1)[0] != 0


@inner
def wilful(words, marked, will, rng):
    """A uniform legal action, or with the chance `will` one of the module, if one is legal."""
    own = 0
    for w in range(len(words)):
        own += popcount(words[w] & marked[w])
    if own == 0 or rand_float(rng) >= will:
        return random_legal(words, rng)
    pick = rand_below(rng, own)
    for w in range(len(words)):
        bits = words[w] & marked[w]
        while bits:
            if pick == 0:
                return np.int64(32 * w + lowest_bit(bits))
            pick -= 1
            bits &= bits - 1
    return np.int64(-1)


@inner
def fancied(liked, seats, share, rng):
    """Draw for each of so many seats the actions that it likes, every one with the chance `share`: int64[64, W]."""
    for seat in range(seats):
        for w in range(liked.shape[1]):
            liked[seat, w] = 0
            for bit in range(32):
                if rand_float(rng) < share:
                    liked[seat, w] |= np.int64(1) << bit


@inner
def narrowed(words, liked, few):
    """Whether a seat likes any of its legal actions; those go into `few` int64[W]."""
    some = np.int64(0)
    for w in range(len(words)):
        few[w] = words[w] & liked[w]
        some |= few[w]
    return some != 0


@inner
def out_of_range(k, p, s, seat, watch, seen):
    """Whether an observation holds a value that is not finite or outside of its declared range."""
    zero_bytes(address_of(seen), 4 * len(seen))
    call_kernel(k, OBSERVE, s, p, seat, 0, address_of(seen))
    for i in range(len(seen)):
        if not watch.low[i] <= seen[i] <= watch.high[i]:
            return True
    return False


@inner
def bad_payoff(k, p, s, watch, payoff, seats):
    """Whether a payoff is not finite, or far outside of the range that the game declares."""
    call_kernel(k, RETURNS, s, p, 0, 0, address_of(payoff))
    for seat in range(seats):
        if not watch.bounds[0] - 1e-9 <= payoff[seat] <= watch.bounds[1] + 1e-9:
            return True
    return False


@driver
def probe(k, p, seats, watch, habits, dice, progress, found):
    """Play n games of wilful random play, each of as many decisions as its course has room for.

    In: number of `seats`, `watch` Watch, `habits` Habits, `dice` uint64[n] (generators, used up). Out: `progress`
    Progress, `found` Found. Returns the number of decisions.
    """
    live, course, likes = progress.live, progress.course, habits.likes
    kinds, lengths, cycles, most = found.kinds, found.lengths, found.cycles, found.most
    size, n_words, limit = len(watch.keep), len(watch.marked), len(course)
    record = np.zeros(size, np.uint8)
    words = np.zeros(n_words, np.int64)
    words_at = address_of(words)
    payoff = np.zeros(64, np.float64)
    seen = np.zeros(len(watch.low), np.float32)
    chosen = np.zeros(64, np.int64)
    own = np.zeros(1, np.uint64)
    liked, few = np.zeros((64, n_words), np.int64), np.zeros(n_words, np.int64)
    table_size = 1 << 12
    while table_size < 2 * limit and table_size < 1 << 15:
        table_size *= 2
    table = np.zeros(table_size, np.int64)
    when = np.zeros(table_size, np.int64)
    total = 0
    for game in range(len(dice)):
        s = address_of(record)  # in the loop: an array that is not mentioned any more is freed
        live[GAME] = game
        live[COUNT] = 0
        live[DOING] = SETTING_UP
        rng = dice[game : game + 1]
        own[0] = next_u64(rng)
        if likes[game] > 0.0:
            fancied(liked, seats, likes[game], rng=own)
        start_table(k, s, p, size, rng=rng)
        table[:] = 0
        count = 0
        stored = 0
        kind = FAULTY if faulty(p, watch) else FINE
        while kind == FINE:
            bits = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
            if bits <= 0:
                status = call_kernel(k, OVER, s, p, 0, 0, 0)
                if bits < 0 or status == 0:
                    kind = NOBODY_ASKED
                elif status == STOPPED:
                    kind = ENDLESS if count >= limit else CUT_SHORT
                break
            h = position_hash(s, watch.keep)
            slot = h & (table_size - 1)
            while table[slot] != 0 and table[slot] != h:
                slot = (slot + 1) & (table_size - 1)
            if table[slot] == h:
                kind = REPEATED
                cycles[game] = when[slot]
                break
            if 2 * stored < table_size:
                table[slot] = h
                when[slot] = count
                stored += 1
            phase = int64_at(s + watch.phase_at, 1)[0]
            if 0 <= phase < 64:
                found.phases[phase] += 1
            asked = bits
            while bits:
                seat = lowest_bit(bits)
                bits &= bits - 1
                live[DOING] = ASKING
                call_kernel(k, LEGAL, s, p, seat, 0, words_at)
                if faulty(p, watch):
                    kind = FAULTY
                    break
                choice = words
                if likes[game] > 0.0 and narrowed(words, liked[seat], few):
                    choice = few
                action = wilful(choice, watch.marked, habits.wills[game], own)
                if action < 0:
                    kind = NO_MOVE
                    break
                offered = 0
                for w in range(n_words):
                    offered |= words[w] & watch.marked[w]
                found.used[0] += offered != 0
                found.used[1] += (watch.marked[action >> 5] >> (action & 31)) & 1
                chosen[seat] = action
                if (count & 15) == 0:
                    live[DOING] = OBSERVING
                    wrong = out_of_range(k, p, s, seat, watch=watch, seen=seen)
                    if wrong or faulty(p, watch):
                        kind = FAULTY if faulty(p, watch) else BAD_VIEW
                        break
            if kind != FINE:
                break
            while asked:
                seat = lowest_bit(asked)
                asked &= asked - 1
                if count < limit:
                    course[count, 0], course[count, 1] = seat, chosen[seat]
                count += 1
                live[COUNT] = count
                live[DOING] = ENTERING
                call_kernel(k, APPLY, s, p, seat, chosen[seat], 0)
                if faulty(p, watch):
                    break
            call_kernel(k, ROLL, s, p, 0, 0, address_of(rng))
            if faulty(p, watch):
                kind = FAULTY
                break
            if count >= limit and call_kernel(k, OVER, s, p, 0, 0, 0) == 0:
                kind = ENDLESS
        if kind == FINE:
            live[DOING] = PAYING
            wrong = bad_payoff(k, p, s, watch, payoff=payoff, seats=seats)
            found.payoffs[game] = payoff[0]
            if wrong or faulty(p, watch):  # a fault that stays would be told of the next game
                kind = FAULTY if faulty(p, watch) else BAD_PAYOFF
        if kind == FAULTY:
            fault = int64_at(p + watch.fault_at, 1)
            found.faults[game, 0], found.faults[game, 1] = fault[0], float64_at(p + watch.value_at, 1)[0]
            fault[0] = 0
            cycles[game] = live[DOING]
        for c in range(len(watch.counters)):
            value = abs(int64_at(s + watch.counters[c], 1)[0])
            if value > most[c, 0]:
                most[c, 0], most[c, 1], most[c, 2] = value, game, count
        kinds[game], lengths[game] = kind, count
        total += count
    live[DOING] = 0
    return total


__all__ = ["KINDS", "Found", "Habits", "Progress", "Watch", "probe"]
