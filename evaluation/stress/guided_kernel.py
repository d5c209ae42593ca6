"""The compiled guided policy: a baseline, a network of action values, or both, held to a way of using some actions.

One C function serves all of them; what differs lies in an array of int64 whose address is the policy's number. It may
also write a log of every decision that it takes.
"""

from __future__ import annotations

import numpy as np

from ...envs.core.abi import LEGAL, RETURNS, call_kernel, float64_at, int64_at, lowest_bit, popcount, uint64_at
from ...envs.core.batch import random_legal
from ...envs.core.jit import driver
from ...envs.core.rng import rand_below, rand_float
from .value_kernel import ACTIONS, VALUES, values_of

# entries of a guide
BASE, WHICH, USE, SCOPE, NET, WORDS, LEGAL_AT, LEFT_AT = 0, 1, 2, 3, 4, 5, 6, 7
MARKED, PHASES, PHASE_AT, TUNING, LOG, SIDES, SEATS, PAYOFF, ANSWER = 8, 9, 10, 11, 12, 13, 14, 15, 16
ENTRIES = 17

AS_IS, ALWAYS, NEVER, COIN, RANDOM, FIXED = range(6)  # how marked actions are used; FIXED: one of them, where legal
# decisions that the network takes; WHETHER: those about the module, but for what is done where it is not used
NOWHERE, EVERYWHERE, WHETHER = range(3)

# a log: header, then rows
ROOM, USED, ROWS = 0, 1, 2
ROW = 6
R_SEAT, R_ACTION, R_PHASE, R_FLAGS, R_LEGAL, R_LEAD = range(6)
OFFERED, TAKEN, ASKED, FREE = 1, 2, 4, 8  # flags: a marked action was legal; taken; asked by the module; others legal
LEAD_UNIT = 1 << 20  # leads are logged in units of 1 / LEAD_UNIT


@driver
def count_of(words):
    """Actions in a legal set `words` int64[W]."""
    n = 0
    for w in range(len(words)):
        n += popcount(words[w])
    return n


@driver
def offers(words, marked):
    """Whether a legal set `words` int64[W] holds a marked action, and whether it holds others."""
    offered, others = False, False
    for w in range(len(words)):
        offered = offered or words[w] & marked[w] != 0
        others = others or words[w] & ~marked[w] != 0
    return offered, others


@driver
def lead_of(guide, k, s, p, seat):
    """Mean payoff of the seat's side as it stands, less that of the best other side; 0 where there is no other."""
    seats = guide[SEATS]
    payoff = float64_at(guide[PAYOFF], 64)
    sides = int64_at(guide[SIDES], seats)
    call_kernel(k, RETURNS, s, p, 0, 0, guide[PAYOFF])
    own, best = 0.0, -np.inf
    for side in range(seats):
        total, n = 0.0, 0
        for other in range(seats):
            if sides[other] == side:
                total += payoff[other]
                n += 1
        if n == 0:
            continue
        if side == sides[seat]:
            own = total / n
        elif total / n > best:
            best = total / n
    return own - best if best > -np.inf else 0.0


@driver
def pick(net, words, temperature, rng):
    """A legal action by the values found, which it may use up: the best, or a draw from exp(value / temperature)."""
    values = float64_at(net[VALUES], net[ACTIONS])
    best, top = np.int64(-1), -np.inf
    for w in range(len(words)):
        bits = words[w]
        while bits:
            action = 32 * w + lowest_bit(bits)
            bits &= bits - 1
            if values[action] > top:
                best, top = np.int64(action), values[action]
    if temperature <= 0.0:
        return best
    total = 0.0
    for w in range(len(words)):
        bits = words[w]
        while bits:
            action = 32 * w + lowest_bit(bits)
            bits &= bits - 1
            values[action] = np.exp((values[action] - top) / temperature)  # from here on its weight
            total += values[action]
    left = rand_float(rng) * total
    for w in range(len(words)):
        bits = words[w]
        while bits:
            action = 32 * w + lowest_bit(bits)
            bits &= bits - 1
            left -= values[action]
            if left < 0.0:
                return np.int64(action)
    return best


@driver
def base_action(guide, k, s, p, seat, legal, rng, rng_address):
    """What the baseline answers; uniform without one."""
    if guide[BASE] == 0:
        return random_legal(legal, rng)
    return call_kernel(guide[BASE], guide[WHICH], s, p, seat, k, rng_address)


@driver
def level(guide, net, legal):
    """Give the unmarked legal actions their mean value: which of them it is, is not for this network to decide.

    By the best of many that are worth the same the module would hardly ever be used.
    """
    marked = int64_at(guide[MARKED], guide[WORDS])
    values = float64_at(net[VALUES], net[ACTIONS])
    mean, n = 0.0, 0
    for turn in range(2):
        for w in range(guide[WORDS]):
            bits = legal[w] & ~marked[w]
            while bits:
                action = 32 * w + lowest_bit(bits)
                bits &= bits - 1
                if turn:
                    values[action] = mean / n
                else:
                    mean += values[action]
                    n += 1


@driver
def by_network(guide, k, s, p, seat, legal, left, rng):
    """The network's answer out of `left`; now and then a random one, if the guide explores."""
    if count_of(left) == 1:
        return random_legal(left, rng)
    net = int64_at(guide[NET], 64)
    tuning = float64_at(guide[TUNING], 2)
    if tuning[1] > 0.0 and rand_float(rng) < tuning[1]:
        return random_legal(left, rng)
    values_of(net, k, s, p, seat=seat, words=legal)
    if guide[SCOPE] == WHETHER:
        level(guide, net, legal)
    return pick(net, left, tuning[0], rng)


@driver
def write_log(guide, k, s, p, seat, action, phase, flags):
    """One row for this decision, `flags` but for TAKEN; what has no room is counted only."""
    words = guide[WORDS]
    legal, marked = int64_at(guide[LEGAL_AT], words), int64_at(guide[MARKED], words)
    head = int64_at(guide[LOG], 3)
    at = head[USED]
    head[USED] = at + 1
    if at >= head[ROOM] or not 0 <= action < 32 * words:
        return
    row = int64_at(head[ROWS] + 8 * ROW * at, ROW)
    row[R_SEAT], row[R_ACTION], row[R_PHASE] = seat, action, phase
    taken = (marked[action >> 5] >> (action & 31)) & 1
    row[R_FLAGS] = flags | TAKEN * taken
    row[R_LEGAL] = count_of(legal)
    row[R_LEAD] = np.int64(lead_of(guide, k, s, p, seat=seat) * LEAD_UNIT)


def guided(which, s, p, seat, k, rng_address):
    """The policy: `which` is the address of a guide."""
    guide = int64_at(which, ENTRIES)
    words = guide[WORDS]
    legal = int64_at(guide[LEGAL_AT], words)
    left = int64_at(guide[LEFT_AT], words)
    marked = int64_at(guide[MARKED], words)
    rng = uint64_at(rng_address, 1)
    call_kernel(k, LEGAL, s, p, seat, 0, guide[LEGAL_AT])
    offered, others = offers(legal, marked)
    phase = int64_at(s + guide[PHASE_AT], 1)[0]
    asked = 0 <= phase < 64 and int64_at(guide[PHASES], 64)[phase] != 0
    use = guide[USE]
    if use == COIN and offered:
        use = ALWAYS if rand_below(rng, 2) else NEVER
    overlooked = float64_at(guide[TUNING], 3)[2]
    if offered and overlooked > 0.0 and rand_float(rng) < overlooked:
        use = NEVER
    answer = guide[ANSWER]
    if use == RANDOM and (offered or asked):
        action = random_legal(legal, rng)
    elif use == FIXED and (legal[answer >> 5] >> (answer & 31)) & 1:
        action = answer
    else:
        for w in range(words):
            left[w] = legal[w]
            if offered and use == ALWAYS:
                left[w] = legal[w] & marked[w]
            elif offered and use == NEVER and others:
                left[w] = legal[w] & ~marked[w]
        scope = guide[SCOPE]
        action = np.int64(-1)
        if guide[NET] and (scope == EVERYWHERE or (scope != NOWHERE and (offered or asked))):
            action = by_network(guide, k, s, p, seat=seat, legal=legal, left=left, rng=rng)
            if scope == WHETHER and offered and others and not (marked[action >> 5] >> (action & 31)) & 1:
                for w in range(words):
                    left[w] = legal[w] & ~marked[w]
                action = np.int64(-1)
        if action < 0:
            action = base_action(guide, k, s, p, seat=seat, legal=legal, rng=rng, rng_address=rng_address)
            if not 0 <= action < 32 * words:
                return action
            if (left[action >> 5] >> (action & 31)) & 1 == 0:  # it is held to another, or a module forbids it
                action = random_legal(left, rng)
    if guide[LOG]:
        flags = OFFERED * offered + ASKED * asked + FREE * (offered and others)
        write_log(guide, k, s, p, seat=seat, action=action, phase=phase, flags=flags)
    return action
