"""Compiled Monte Carlo counterfactual regret minimization over any rule set, and play from its result.

Lanctot, Waugh, Zinkevich and Bowling 2009, Monte Carlo Sampling for Regret Minimization in Extensive Games. Seats that
choose at the same moment choose one after the other here; the keys of information states hide what is sealed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..envs.core.abi import (
    APPLY,
    KEY,
    LEGAL,
    RETURNS,
    ROLL,
    TO_ACT,
    address_of,
    call_kernel,
    copy_bytes,
    float64_at,
    int64_at,
    lowest_bit,
    popcount,
    uint64_at,
)
from ..envs.core.batch import start_table
from ..envs.core.inner import inner
from ..envs.core.jit import driver
from ..envs.core.rng import mix, rand_float

STATES, ENTRIES, FULL, ITERATIONS, TOUCHED = 0, 1, 2, 3, 4  # entries of Tables.used
OFFSET, SIZE, INFO_COLUMNS = 0, 1, 2  # columns of Tables.infos, and their number
BAD_RULES, TOO_DEEP = -3, -4
BASELINE_STEP = 0.1  # weight of a new value in the moving average of an action's value


class Tables(NamedTuple):
    """What is learnt: information states by hash, and a run of entries (one per legal action, ascending) for each.

    `table` int64[T] (T a power of 2; state + 1, or 0), `keys` int64[M], `infos` int64[M, 2], `regrets`, `averages`,
    `values` float64[E], `used` int64[5].
    """

    table: Any
    keys: Any
    infos: Any
    regrets: Any
    averages: Any
    values: Any
    used: Any


class Settings(NamedTuple):
    """How to learn: powers of the iteration as weights of regrets and averages, floor at 0 or not, exploration.

    `abstract` is the address of an abstraction (see `abstraction.py`), 0 for the game as it is.
    """

    k: int
    p: int
    seats: int
    average_power: float
    regret_power: float
    floor: bool
    explore: float
    abstract: int


class Work(NamedTuple):
    """Working space for D own decisions in a game.

    `states` uint8[D, size], `words` int64[D, W], `sigma`, `value` float64[D, A], `frame` int64[D, 3] (information
    state, number of actions, the one that is tried), `reach` float64[D, 2], `payoff` float64[capacity].
    """

    states: Any
    words: Any
    sigma: Any
    value: Any
    frame: Any
    reach: Any
    payoff: Any


@driver
def place(tables, key, size):
    """Index of an information state, new ones included; -1 if there is no room, which is noted."""
    mask = len(tables.table) - 1
    slot = mix(key, 1) & mask
    while True:
        entry = tables.table[slot]
        if entry == 0:
            break
        if tables.keys[entry - 1] == key:
            return entry - 1 if tables.infos[entry - 1, SIZE] == size else np.int64(-1)
        slot = (slot + 1) & mask
    state, offset = tables.used[STATES], tables.used[ENTRIES]
    if state >= len(tables.keys) or offset + size > len(tables.regrets):
        tables.used[FULL] = 1
        return np.int64(-1)
    tables.table[slot] = state + 1
    tables.keys[state] = key
    tables.infos[state, OFFSET] = offset
    tables.infos[state, SIZE] = size
    tables.used[STATES] = state + 1
    tables.used[ENTRIES] = offset + size
    return state


@driver
def rehash(tables):
    """Fill an empty hash table from the keys."""
    mask = len(tables.table) - 1
    for state in range(tables.used[STATES]):
        slot = mix(tables.keys[state], 1) & mask
        while tables.table[slot] != 0:
            slot = (slot + 1) & mask
        tables.table[slot] = state + 1


@driver
def match(tables, state, size, sigma):
    """Write the current strategy by regret matching to `sigma`; uniform for a state that found no room."""
    total = 0.0
    if state >= 0:
        offset = tables.infos[state, OFFSET]
        for j in range(size):
            sigma[j] = max(tables.regrets[offset + j], 0.0)
            total += sigma[j]
    for j in range(size):
        sigma[j] = sigma[j] / total if total > 0.0 else 1.0 / size


@driver
def nth_action(words, n):
    """The n-th legal action."""
    for w in range(len(words)):
        word = words[w]
        count = popcount(word)
        if n < count:
            for _ in range(n):
                word &= word - 1
            return 32 * w + lowest_bit(word)
        n -= count
    return np.int64(-1)


@driver
def draw(chances, size, rng):
    """An index by its chance."""
    pick = rand_float(rng)
    chosen = 0
    for j in range(size):
        if chances[j] > 0.0 and pick >= 0.0:
            chosen = j
            pick -= chances[j]
    return chosen


@inner
def ask(settings, s, words):
    """Who is to decide first, and among how many actions: (seat, n); seat -1 at the end, -2 where a rule is broken."""
    bits = call_kernel(settings.k, TO_ACT, s, settings.p, 0, 0, 0)
    if bits == 0:
        return np.int64(-1), 0
    if bits < 0:
        return np.int64(-2), 0
    seat = lowest_bit(bits)
    rules = settings.abstract if settings.abstract else settings.k
    call_kernel(rules, LEGAL, s, settings.p, seat, 0, address_of(words))
    total = 0
    for w in range(len(words)):
        total += popcount(words[w])
    return (seat if total else np.int64(-2)), total


@driver
def known_as(settings, s, seat):
    """The key under which an information state is stored."""
    rules = settings.abstract if settings.abstract else settings.k
    return mix(call_kernel(rules, KEY, s, settings.p, seat, 0, 0), seat)


@inner
def move(settings, s, seat, action, rng):
    """Take an action (of the abstraction, if there is one) and throw the dice."""
    if settings.abstract:
        action = call_kernel(settings.abstract, APPLY, s, settings.p, seat, action, 0)
    call_kernel(settings.k, APPLY, s, settings.p, seat, action, 0)
    call_kernel(settings.k, ROLL, s, settings.p, 0, 0, address_of(rng))


@inner
def add_average(tables, settings, state, size, sigma, weight):
    """Add a strategy to the average."""
    if state < 0:
        return
    weight *= np.float64(tables.used[ITERATIONS]) ** settings.average_power
    offset = tables.infos[state, OFFSET]
    for j in range(size):
        tables.averages[offset + j] += weight * sigma[j]


@inner
def add_regrets(tables, settings, state, size, sigma, value, weight):
    """Add regrets of action values `value` against `sigma`; returns the value of the state."""
    expected = 0.0
    for j in range(size):
        expected += sigma[j] * value[j]
    if state >= 0:
        weight *= np.float64(tables.used[ITERATIONS]) ** settings.regret_power
        offset = tables.infos[state, OFFSET]
        for j in range(size):
            regret = tables.regrets[offset + j] + weight * (value[j] - expected)
            tables.regrets[offset + j] = max(regret, 0.0) if settings.floor else regret
    return expected


@driver
def external(tables, settings, work, me, rng):
    """One traversal with external sampling for the seat `me`: all of its actions, one of everybody else's.

    The average strategy is that of the next seat, whose own choices alone decide how often its states come by; with
    more than two seats the chances of the others are divided out. Returns 0 or a status below 0.
    """
    size = work.states.shape[1]
    base = address_of(work.states)
    follower = (me + 1) % settings.seats
    start_table(settings.k, base, settings.p, size, rng=rng)
    level = 0
    work.reach[0, 0] = 1.0  # of the seats other than `me` and `follower`
    while True:
        s = base + level * size
        words, sigma = work.words[level], work.sigma[level]
        seat, n = ask(settings, s, words)
        tables.used[TOUCHED] += 1
        if seat == -2:
            return BAD_RULES
        if seat >= 0 and n == 1:
            move(settings, s, seat, nth_action(words, 0), rng=rng)
            continue
        if seat >= 0:
            state = place(tables, known_as(settings, s, seat), n)
            match(tables, state, n, sigma)
            if seat != me:
                pick = draw(sigma, n, rng)
                if seat == follower:
                    add_average(tables, settings, state, n, sigma=sigma, weight=1.0 / work.reach[level, 0])
                else:
                    work.reach[level, 0] *= sigma[pick]
                move(settings, s, seat, nth_action(words, pick), rng=rng)
                continue
            work.frame[level, 0] = state
            work.frame[level, 1] = n
            work.frame[level, 2] = 0
        else:
            call_kernel(settings.k, RETURNS, s, settings.p, 0, 0, address_of(work.payoff))
            utility = work.payoff[me]
            # Back to the last own decision with an action left to try.
            while True:
                if level == 0:
                    return 0
                level -= 1
                n = work.frame[level, 1]
                work.value[level, work.frame[level, 2]] = utility
                work.frame[level, 2] += 1
                if work.frame[level, 2] < n:
                    break
                utility = add_regrets(
                    tables,
                    settings,
                    work.frame[level, 0],
                    n,
                    sigma=work.sigma[level],
                    value=work.value[level],
                    weight=1.0,
                )
        if level + 1 >= len(work.states):
            return TOO_DEEP
        copy_bytes(base + (level + 1) * size, base + level * size, size)
        work.reach[level + 1, 0] = work.reach[level, 0]
        action = nth_action(work.words[level], work.frame[level, 2])
        level += 1
        move(settings, base + level * size, me, action, rng=rng)


@driver
def outcome(tables, settings, work, me, rng):
    """One playthrough with outcome sampling for the seat `me`, which explores.

    Values of actions not taken are moving averages (Schmid et al. 2019, Variance Reduction in Monte Carlo
    Counterfactual Regret Minimization). Returns 0 or a status below 0.
    """
    s = address_of(work.states)
    start_table(settings.k, s, settings.p, work.states.shape[1], rng=rng)
    words = work.words[0]
    own, sampled, others, level = 1.0, 1.0, 1.0, 0
    while True:
        sigma = work.sigma[level]
        seat, n = ask(settings, s, words)
        tables.used[TOUCHED] += 1
        if seat == -2:
            return BAD_RULES
        if level >= len(work.frame):
            return TOO_DEEP
        if seat == -1:
            break
        if n == 1:
            move(settings, s, seat, nth_action(words, 0), rng=rng)
            continue
        state = place(tables, known_as(settings, s, seat), n)
        match(tables, state, n, sigma)
        if seat != me:
            pick = draw(sigma, n, rng)
            others *= sigma[pick]
        else:
            add_average(tables, settings, state, n, sigma=sigma, weight=own / (sampled * others))
            chances = work.value[level]
            for j in range(n):
                chances[j] = settings.explore / n + (1.0 - settings.explore) * sigma[j]
            pick = draw(chances, n, rng)
            work.frame[level, 0], work.frame[level, 1], work.frame[level, 2] = state, n, pick
            work.reach[level, 0], work.reach[level, 1] = sampled, chances[pick]
            own *= sigma[pick]
            sampled *= chances[pick]
            level += 1
        move(settings, s, seat, nth_action(words, pick), rng=rng)
    call_kernel(settings.k, RETURNS, s, settings.p, 0, 0, address_of(work.payoff))
    utility = work.payoff[me]
    while level > 0:
        level -= 1
        state, n, pick = work.frame[level, 0], work.frame[level, 1], work.frame[level, 2]
        value = work.value[level]
        for j in range(n):
            value[j] = tables.values[tables.infos[state, OFFSET] + j] if state >= 0 else 0.0
        before = value[pick]
        value[pick] += (utility - before) / work.reach[level, 1]
        if state >= 0:
            tables.values[tables.infos[state, OFFSET] + pick] += BASELINE_STEP * (utility - before)
        utility = add_regrets(
            tables, settings, state, n, sigma=work.sigma[level], value=value, weight=1.0 / work.reach[level, 0]
        )
    return 0


@driver
def iterate(tables, settings, work, by_outcome, iterations, rng):
    """Run iterations (one traversal for every seat) until done or out of room; return how many, or a status below 0."""
    for i in range(iterations):
        tables.used[ITERATIONS] += 1
        for me in range(settings.seats):
            if by_outcome:
                status = outcome(tables, settings, work, me, rng=rng)
            else:
                status = external(tables, settings, work, me, rng=rng)
            if status < 0:
                return status
        if tables.used[FULL]:
            return i + 1
    return iterations


@driver
def find_key(keys, key):
    """Index of a key in an ascending array, or -1."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < len(keys) and keys[low] == key else -1


@driver
def fill_chances(keys, starts, chances, request_keys, seats, words, out):
    """Write what a saved strategy does: float64[m, A]; uniform where it does not know the information state.

    `keys` int64[M] ascending, `starts` int64[M + 1], `chances` float64[E]; `request_keys`, `seats` int64[m], `words`
    int64[m, W].
    """
    for i in range(len(seats)):
        total = 0
        for w in range(words.shape[1]):
            total += popcount(words[i, w])
        at = find_key(keys, mix(request_keys[i], seats[i]))
        known = at >= 0 and starts[at + 1] - starts[at] == total
        for j in range(total):
            out[i, nth_action(words[i], j)] = chances[starts[at] + j] if known else 1.0 / total


@driver
def draw_rows(chances, seeds, rngs, actions):
    """Draw an action for every row of `chances` float64[m, A]; `seeds`, `rngs` uint64[m], `actions` int64[m]."""
    for i in range(len(chances)):
        rngs[i] = seeds[i]
        actions[i] = draw(chances[i], chances.shape[1], rngs[i : i + 1])


def play_saved(which: int, s: int, p: int, seat: int, k: int, rng_address: int) -> int:
    """A saved strategy as a native policy.

    `which` is the address of int64[6]: number of states, addresses of keys, starts and chances, words of a legal set,
    and the address of the abstraction that the strategy was solved in (0: none).
    """
    rng = uint64_at(rng_address, 1)
    header = int64_at(which, 6)
    n_words, abstract = header[4], header[5]
    rules = abstract if abstract else k
    keys = int64_at(header[1], header[0])
    starts = int64_at(header[2], header[0] + 1)
    words = np.zeros(n_words, np.int64)
    call_kernel(rules, LEGAL, s, p, seat, 0, address_of(words))
    total = 0
    for w in range(n_words):
        total += popcount(words[w])
    if total == 1:
        chosen = nth_action(words, 0)
    else:
        at = find_key(keys, mix(call_kernel(rules, KEY, s, p, seat, 0, 0), seat))
        if at < 0 or starts[at + 1] - starts[at] != total:
            chosen = nth_action(words, draw(np.full(total, 1.0 / total), total, rng))
        else:
            chosen = nth_action(words, draw(float64_at(header[3] + 8 * starts[at], total), total, rng))
    if abstract:
        return call_kernel(abstract, APPLY, s, p, seat, chosen, 0)
    return chosen
