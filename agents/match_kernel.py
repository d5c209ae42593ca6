"""Compiled loops of matches: whole games between compiled policies, and the steps of many tables in lockstep."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..envs.core.abi import APPLY, LEGAL, OVER, RETURNS, ROLL, TO_ACT, address_of, call_kernel, lowest_bit
from ..envs.core.batch import start_table
from ..envs.core.inner import inner
from ..envs.core.jit import driver
from .base_kernel import decision_seed

ILLEGAL, EXCEPTION, TIME = 1, 2, 3  # why a seat forfeited; 0: it did not
FORFEITED, STUCK = 3, 4  # further statuses of a game, beside running 0, ended 1 and stopped by the limit 2


class Agents(NamedTuple):
    """Compiled policies: addresses `policies` and what tells them apart `which`, int64[a]; `seeds` uint64[a]."""

    policies: Any
    which: Any
    seeds: Any


class Sheet(NamedTuple):
    """The seats of one game, or of n games with a further first axis.

    In: `seating` int64[seats] (agent of each seat). Modified: `decisions` int32[seats] (taken by each seat), `offences`
    int8[seats] (ILLEGAL for a seat that forfeited), `answers` int64[seats] (what it answered).
    """

    seating: Any
    decisions: Any
    offences: Any
    answers: Any


class Desk(NamedTuple):
    """Working space of one game: `words` int64[W], `chosen` int64[seats], `seed` uint64[1]."""

    words: Any
    chosen: Any
    seed: Any


class Games(NamedTuple):
    """n games: `dice` uint64[n] (generators, used up), `tables` uint64[n] (seeds of the tables).

    Out, zeroed before: `payoffs` float64[n, capacity], `status` int8[n].
    """

    dice: Any
    tables: Any
    payoffs: Any
    status: Any


class Tables(NamedTuple):
    """n games in lockstep: `states` uint8[n, size], `dice` uint64[n], `status` int8[n], `decisions` int32[n, seats].

    `payoffs` float64[n, capacity] are written at the end of a game.
    """

    states: Any
    dice: Any
    status: Any
    decisions: Any
    payoffs: Any


class Answers(NamedTuple):
    """m decisions: of `seats` at the tables `rows`, answered by `actions`; all int64[m]."""

    rows: Any
    seats: Any
    actions: Any


@driver
def is_legal(words, action):
    """Whether an action id is in the legal set `words` int64[W]."""
    return 0 <= action < 32 * len(words) and (words[action >> 5] >> (action & 31)) & 1 == 1


@inner
def is_empty(words):
    """Whether the legal set `words` int64[W] holds nothing."""
    for w in range(len(words)):
        if words[w] != 0:
            return False
    return True


@inner
def play_on(k, p, s, agents, sheet, table, rng, desk):
    """Play one game from where the record at address `s` stands to its end, between compiled policies.

    In: `agents` Agents, `table` (seed of the table), `rng` uint64[1] (the dice). `sheet` Sheet of this game is
    modified, `desk` Desk is working space. Returns the status: ended, stopped, FORFEITED or STUCK.
    """
    words, chosen, seed = desk.words, desk.chosen, desk.seed
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
            agent = sheet.seating[seat]
            seed[0] = decision_seed(agents.seeds[agent], table, seat, np.int64(sheet.decisions[seat]))
            action = call_kernel(agents.policies[agent], agents.which[agent], s, p, seat, k, seed_at)
            chosen[seat] = action
            if not is_legal(words, action):
                sheet.offences[seat] = ILLEGAL
                sheet.answers[seat] = action
                status = FORFEITED
        if status != 0:
            break
        bits = asked
        while bits:
            seat = lowest_bit(bits)
            bits &= bits - 1
            call_kernel(k, APPLY, s, p, seat, chosen[seat], 0)
            sheet.decisions[seat] += 1
        call_kernel(k, ROLL, s, p, 0, 0, address_of(rng))
    return status


@driver
def play_compiled(k, p, size, n_words, agents, sheets, games):
    """Play n whole games between compiled policies: `agents` Agents, `sheets` Sheet and `games` Games of them."""
    n, seats = sheets.seating.shape
    record = np.zeros(size, np.uint8)
    desk = Desk(np.zeros(n_words, np.int64), np.zeros(seats, np.int64), np.zeros(1, np.uint64))
    for i in range(n):
        s = address_of(record)  # in the loop: an array that is not mentioned any more is freed
        rng = games.dice[i : i + 1]
        start_table(k, s, p, size, rng=rng)
        sheet = Sheet(sheets.seating[i], sheets.decisions[i], sheets.offences[i], sheets.answers[i])
        games.status[i] = play_on(k, p, s, agents, sheet=sheet, table=games.tables[i], rng=rng, desk=desk)
        call_kernel(k, RETURNS, s, p, 0, 0, address_of(games.payoffs) + 8 * games.payoffs.shape[1] * i)


@driver
def decide(payoffs, side_of, seats, results):
    """Write who won: the side with the largest mean payoff, alone (1, the others -1) or with others (0).

    `payoffs` float64[n, seats], `side_of` int64[seats], `seats` int64[sides] (of each side); out: `results` int8[n,
    seats].
    """
    means = np.empty(len(seats))
    for i in range(len(payoffs)):
        means[:] = 0
        for seat in range(len(side_of)):
            means[side_of[seat]] += payoffs[i, seat]
        best, best_sides = -np.inf, 0
        for side in range(len(seats)):
            means[side] /= seats[side]
            if means[side] > best:
                best, best_sides = means[side], 0
            best_sides += means[side] == best
        for seat in range(len(side_of)):
            if means[side_of[seat]] < best:
                results[i, seat] = -1
            else:
                results[i, seat] = 0 if best_sides > 1 else 1


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
def ask_compiled(k, p, states, agents, tables, decisions, answers):
    """Ask the only one of `agents` for the decisions of `answers`, whose actions are written.

    `states` uint8[n, size]; `tables` uint64[n] (seeds), `decisions` int32[n, seats] taken before.
    """
    size = states.shape[1]
    policy, which = agents.policies[0], agents.which[0]
    seed = np.zeros(1, np.uint64)
    for i in range(len(answers.rows)):
        row, seat = answers.rows[i], answers.seats[i]
        seed[0] = decision_seed(agents.seeds[0], tables[row], seat, np.int64(decisions[row, seat]))
        answers.actions[i] = call_kernel(policy, which, address_of(states) + row * size, p, seat, k, address_of(seed))


@driver
def mark_illegal(words, actions, wrong):
    """Set `wrong` int8[m] to ILLEGAL where `actions` int64[m] are not in `words` int64[m, W]; other marks stay."""
    for i in range(len(actions)):
        if wrong[i] == 0 and not is_legal(words[i], actions[i]):
            wrong[i] = ILLEGAL


@driver
def advance(k, p, tables, live, n_live, answers):
    """Enter the `answers`, throw the dice, and keep the tables in `live[:n_live]` (int64) whose games go on.

    Tables whose status is not 0 are left out. Returns the new length of `live`; `tables` Tables are written.
    """
    states, dice, status, payoffs = tables.states, tables.dice, tables.status, tables.payoffs
    size = states.shape[1]
    for i in range(len(answers.rows)):
        row = answers.rows[i]
        if status[row] == 0:
            call_kernel(k, APPLY, address_of(states) + row * size, p, answers.seats[i], answers.actions[i], 0)
            tables.decisions[row, answers.seats[i]] += 1
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
