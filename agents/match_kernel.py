"""Compiled loops of matches: whole games between compiled policies, and the steps of many tables in lockstep."""

from __future__ import annotations

import numpy as np

from ..envs.core.abi import APPLY, LEGAL, OVER, RETURNS, ROLL, TO_ACT, address_of, call_kernel, lowest_bit
from ..envs.core.batch import start_table
from ..envs.core.jit import driver
from .base_kernel import decision_seed

ILLEGAL, EXCEPTION, TIME = 1, 2, 3  # why a seat forfeited; 0: it did not
FORFEITED, STUCK = 3, 4  # further statuses of a game, beside running 0, ended 1 and stopped by the limit 2


@driver
def is_legal(words, action):
    """Whether an action id is in the legal set `words` int64[W]."""
    return 0 <= action < 32 * len(words) and (words[action >> 5] >> (action & 31)) & 1 == 1


@driver
def is_empty(words):
    """Whether the legal set `words` int64[W] holds nothing."""
    for w in range(len(words)):
        if words[w] != 0:
            return False
    return True


@driver
def play_on(k, p, s, policies, which, agent_seeds, seating, table, rng, decisions, offences, answers, words, chosen,
            seed):  # fmt: skip
    """Play one game from where the record at address `s` stands to its end, between compiled policies.

    In: `policies`, `which` int64[a] (addresses and numbers of the agents' policies), `agent_seeds` uint64[a], `seating`
    int64[seats], `table` (seed of the table), `rng` uint64[1] (the dice). Modified: `decisions` int32[seats] (taken by
    each seat), `offences` int8[seats] (ILLEGAL for a seat that forfeited), `answers` int64[seats] (what it answered).
    `words` int64[W], `chosen` int64[seats], `seed` uint64[1] are working space. Returns the status: ended, stopped,
    FORFEITED or STUCK.
    """
    words_at, seed_at = address_of(words), address_of(seed)
    status = 0
    while status == 0:
        asked = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
        if asked <= 0:
            over = call_kernel(k, OVER, s, p, 0, 0, 0)
            return over if asked == 0 and over > 0 else STUCK
        # All answer before any answer is entered: simultaneous choices stay unknown to the others.
        bits = asked
        while bits:
            seat = lowest_bit(bits)
            bits &= bits - 1
            call_kernel(k, LEGAL, s, p, seat, 0, words_at)
            if is_empty(words):
                return STUCK
            agent = seating[seat]
            seed[0] = decision_seed(agent_seeds[agent], table, seat, np.int64(decisions[seat]))
            action = call_kernel(policies[agent], which[agent], s, p, seat, k, seed_at)
            chosen[seat] = action
            if not is_legal(words, action):
                offences[seat] = ILLEGAL
                answers[seat] = action
                status = FORFEITED
        if status != 0:
            break
        bits = asked
        while bits:
            seat = lowest_bit(bits)
            bits &= bits - 1
            call_kernel(k, APPLY, s, p, seat, chosen[seat], 0)
            decisions[seat] += 1
        call_kernel(k, ROLL, s, p, 0, 0, address_of(rng))
    return status


@driver
def play_compiled(k, p, size, n_words, policies, which, agent_seeds, seating, dice, tables, payoffs, decisions,
                  offences, answers, status):  # fmt: skip
    """Play n whole games between compiled policies.

    In: `policies`, `which`, `agent_seeds` as in `play_on`; `seating` int64[n, seats] (agent of each seat), `dice`
    uint64[n] (generators, used up), `tables` uint64[n] (seeds of the tables). Out, zeroed before: `payoffs` float64[n,
    capacity]; `decisions` int32[n, seats], `offences` int8[n, seats], `answers` int64[n, seats]; `status` int8[n].
    """
    n, seats = seating.shape
    record = np.zeros(size, np.uint8)
    words = np.zeros(n_words, np.int64)
    chosen = np.zeros(seats, np.int64)
    seed = np.zeros(1, np.uint64)
    for i in range(n):
        s = address_of(record)  # in the loop: an array that is not mentioned any more is freed
        rng = dice[i : i + 1]
        start_table(k, s, p, size, rng)
        status[i] = play_on(
            k, p, s, policies, which, agent_seeds, seating[i], tables[i], rng, decisions[i], offences[i], answers[i],
            words, chosen, seed,
        )  # fmt: skip
        call_kernel(k, RETURNS, s, p, 0, 0, address_of(payoffs) + 8 * payoffs.shape[1] * i)


@driver
def collect(k, p, states, live, n_live, rows, seats, words):
    """Write who owes a decision at the tables `live[:n_live]` (int64) of `states` uint8[n, size].

    Out: `rows`, `seats` int64 and the legal sets `words` int64[., W], one row for each decision. Returns how many, or
    -1 - t if at table t the rules failed: its game goes on, but nobody is to act or somebody has no legal action.
    """
    size = states.shape[1]
    m = 0
    for at in range(n_live):
        s = address_of(states) + live[at] * size
        bits = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
        if bits <= 0:
            return -1 - live[at]
        while bits:
            seat = lowest_bit(bits)
            bits &= bits - 1
            call_kernel(k, LEGAL, s, p, seat, 0, address_of(words[m]))
            if is_empty(words[m]):
                return -1 - live[at]
            rows[m] = live[at]
            seats[m] = seat
            m += 1
    return m


@driver
def ask_compiled(k, p, states, policy, which, agent_seed, tables, decisions, rows, seats, actions):
    """Ask a compiled policy for the decisions of `seats` at the tables `rows` int64[m]; write `actions` int64[m]."""
    size = states.shape[1]
    seed = np.zeros(1, np.uint64)
    for i in range(len(rows)):
        row, seat = rows[i], seats[i]
        seed[0] = decision_seed(agent_seed, tables[row], seat, np.int64(decisions[row, seat]))
        actions[i] = call_kernel(policy, which, address_of(states) + row * size, p, seat, k, address_of(seed))


@driver
def mark_illegal(words, actions, wrong):
    """Set `wrong` int8[m] to ILLEGAL where `actions` int64[m] are not in `words` int64[m, W]; other marks stay."""
    for i in range(len(actions)):
        if wrong[i] == 0 and not is_legal(words[i], actions[i]):
            wrong[i] = ILLEGAL


@driver
def advance(k, p, states, dice, live, n_live, rows, seats, actions, status, decisions, payoffs):
    """Enter the answers `actions` int64[m], throw the dice, and keep the tables in `live` whose games go on.

    Tables whose `status` int8[n] is not 0 are left out. Returns the new length of `live`; `status`, `decisions`
    int32[n, seats], `dice` uint64[n] and, at the end of a game, `payoffs` float64[n, capacity] are written.
    """
    size = states.shape[1]
    for i in range(len(rows)):
        row = rows[i]
        if status[row] == 0:
            call_kernel(k, APPLY, address_of(states) + row * size, p, seats[i], actions[i], 0)
            decisions[row, seats[i]] += 1
    kept = 0
    for at in range(n_live):
        row = live[at]
        s = address_of(states) + row * size
        if status[row] == 0:
            call_kernel(k, ROLL, s, p, 0, 0, address_of(dice[row : row + 1]))
            status[row] = call_kernel(k, OVER, s, p, 0, 0, 0)
        if status[row] == 0:
            live[kept] = row
            kept += 1
        else:
            call_kernel(k, RETURNS, s, p, 0, 0, address_of(payoffs) + 8 * payoffs.shape[1] * row)
    return kept
