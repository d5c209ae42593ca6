"""The compiled loops under the VecEnv: take the learner's actions, play on, gather the questions to the other seats."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .abi import (
    APPLY,
    ENDED,
    KEY,
    LEGAL,
    OBSERVE,
    OVER,
    RETURNS,
    ROLL,
    STOPPED,
    TO_ACT,
    address_of,
    call_kernel,
    lowest_bit,
    popcount,
    zero_bytes,
)
from .batch import start_table
from .inner import inner
from .jit import driver
from .memory import BLOCK, get, nonzero, put, put_index
from .rng import next_u64, rand_below


class Course(NamedTuple):
    """Where n tables stand: `states` uint8[n, size], `dice` uint64[n], `seats` int64[n] of the learner.

    `own` int64[seats] are the sets of seats that the learner decides for, by the seat that it sits at; `bits` int64[n]
    the seats that still owe an answer; `ready`, `ended` (status), `moves` of the learner, what it was `paid` so far and
    its `returns`, one number a table.
    """

    states: Any
    dice: Any
    seats: Any
    own: Any
    bits: Any
    ready: Any
    ended: Any
    moves: Any
    paid: Any
    returns: Any


class Rows(NamedTuple):
    """Decisions as rows, what a seat sees and may do: written out, or as lists of what is not 0.

    Written out: `observations` float32[r, L] and `masks` int8[r, A], and the rest is empty. As lists: row i has
    `sizes[i, 1]` entries, `index` int32[r, L + A] ascending and `values` float32[r, L + A]. The first `sizes[i, 0]` are
    the observation's values that are not `usual` (float32[L], or empty for 0), and by how much they differ from that;
    the others are the legal actions, of index L + action and value 1. `observations` [1, L] is working space then, and
    `masks` has no row. Both come from one `observe` of the rules.
    """

    observations: Any
    masks: Any
    index: Any
    values: Any
    sizes: Any  # int64[r, 2]
    usual: Any


class Learner(NamedTuple):
    """What the learner gets of n tables: `done` int8[n], `rewards` [n], `rows` (Rows), `terminal` float32[n, L]."""

    done: Any
    rewards: Any
    rows: Any
    terminal: Any


class Questions(NamedTuple):
    """Questions to the other seats, one a row: `rows` (Rows), seats, tables, seeds.

    `seats`, `tables` int64[r], `seeds` uint64[r]; `generators` uint64[n] give the seeds, by table.
    """

    rows: Any
    seats: Any
    tables: Any
    seeds: Any
    generators: Any


class Replies(NamedTuple):
    """Who answers for other seats without leaving compiled code.

    `function` is the address of a C function (six int64 -> int64), or 0 for nobody. `function(memory, m, ...)` answers
    the first m of `questions`, by `which` opponents int64[r], into `actions` int64[r]. It answers for opponents of the
    numbers up to `last`; `ids` int64[n, seats] are the numbers of who sits at the tables.
    """

    function: int
    memory: int
    last: int
    ids: Any
    questions: Questions
    which: Any
    actions: Any


class Rules(NamedTuple):
    """Addresses of a rule set and its parameters, words of a set of actions, room for payoffs, what is not asked."""

    kernel: int
    params: int
    words: int
    capacity: int
    skip_forced: bool  # decisions with one legal action


class Span(NamedTuple):
    """Tables `begin` to `end`."""

    begin: int
    end: int


@inner
def count_legal(words):
    """Number of actions in a legal-action set (int64[W])."""
    total = 0
    for w in range(len(words)):
        total += popcount(words[w])
    return total


@inner
def first_legal(words):
    """Lowest action of a legal-action set that is not empty."""
    w = 0
    while words[w] == 0:
        w += 1
    return 32 * w + lowest_bit(words[w])


@inner(allocates=False)
def list_nonzero(at, length, index, values):
    """Write which of the numbers (float32) at an address are not 0 (int32), and these numbers; how many."""
    found, whole = 0, length // BLOCK * BLOCK
    for begin in range(0, whole, BLOCK):
        left = nonzero(at + 4 * begin)
        while left:
            j = begin + lowest_bit(left)
            put_index(index, found, j)
            put(values, found, get(at, j))
            found += 1
            left &= left - 1
    for j in range(whole, length):
        value = get(at, j)
        put_index(index, found, j)
        put(values, found, value)
        found += value != 0.0
    return found


@driver
def list_values(observation, rows, i):
    """Begin list i of `rows` with the values of an observation (float32[L]) that are not the usual ones; how many.

    The observation is used up.
    """
    for j in range(len(rows.usual)):
        observation[j] -= rows.usual[j]
    at, length = address_of(observation), len(observation)
    index = address_of(rows.index) + 4 * i * rows.index.shape[1]
    values = address_of(rows.values) + 4 * i * rows.values.shape[1]
    found = list_nonzero(at, length, index, values=values)
    rows.sizes[i, 0] = found
    rows.sizes[i, 1] = found
    return found


@inner
def write_row(k, p, s, seat, words, rows, i):
    """Write row i (see Rows): the observation of a seat, and its legal-action set."""
    listed = len(rows.sizes) > 0
    observation = rows.observations[0 if listed else i]
    zero_bytes(address_of(observation), 4 * len(observation))
    call_kernel(k, OBSERVE, s, p, seat, 0, address_of(observation))
    if listed:
        found = list_values(observation, rows, i)
        for w in range(len(words)):
            left = words[w]
            while left:
                rows.index[i, found] = len(observation) + 32 * w + lowest_bit(left)
                rows.values[i, found] = 1.0
                found += 1
                left &= left - 1
        rows.sizes[i, 1] = found
    else:
        mask = rows.masks[i]
        for a in range(len(mask)):
            mask[a] = (words[a >> 5] >> (a & 31)) & 1


@inner
def take(k, p, s, seat, action, bits):
    """Apply an action; the seats of this cycle (`bits`) that then still owe an answer."""
    call_kernel(k, APPLY, s, p, seat, action, 0)
    return bits & call_kernel(k, TO_ACT, s, p, 0, 0, 0) & ~(1 << seat)


@driver
def answer(k, p, states, seats, tables, actions, bits):
    """Take the answers (checked before) of other seats."""
    size = states.shape[1]
    for r in range(len(tables)):
        i = tables[r]
        if bits[i] >> seats[r] & 1:
            bits[i] = take(k, p, address_of(states) + i * size, seats[r], action=actions[r], bits=bits[i])


WAITING = 2  # `ready` of a table at which questions are open

# what `play_through` counts: open questions, and those that are to be answered at once
OPEN, QUICK = range(2)


@inner
def answered_at_once(todo, table, replies):
    """Whether all of a set of seats are played by those who answer at once."""
    while todo:
        if replies.ids[table, lowest_bit(todo)] > replies.last:
            return False
        todo &= todo - 1
    return True


@inner
def advance(rules, course, span, learner, questions, replies, counts):
    """Play on at every table of a span where the learner is not to move and no game has just ended; 0.

    A table of `course` stops where the learner is to move (`ready`, its row written), where its game has ended
    (`ended` = status, `terminal` written; for lists only if the game was stopped), or where other seats must be asked
    (one row each, those of one cycle together: of `replies.questions` if all of them are answered at once, else of
    `questions`; `counts` int64[2] are the rows so far). `done` and `rewards` of the `learner` are set for games
    in which it has decided something; `seats` moves on to the one that is asked. Ends early where rows are full.
    Returns -1 - table if the rules leave a seat without an action.
    """
    k, p, skip_forced = rules.kernel, rules.params, rules.skip_forced
    states, dice, seats, own, bits = course.states, course.dice, course.seats, course.own, course.bits
    ready, ended, moves, paid, returns = course.ready, course.ended, course.moves, course.paid, course.returns
    done, rewards, terminal, listed = learner.done, learner.rewards, learner.terminal, len(learner.rows.sizes) > 0
    size = states.shape[1]
    words = np.zeros(rules.words, np.int64)
    words_at = address_of(words)
    payoff = np.zeros(rules.capacity, np.float64)
    payoff_at = address_of(payoff)
    for i in range(span.begin, span.end):
        if ready[i] or ended[i]:
            continue
        s = address_of(states) + i * size
        me = seats[i]
        while True:
            if bits[i] == 0:  # all have answered: dice, and the next question
                call_kernel(k, ROLL, s, p, 0, 0, address_of(dice) + 8 * i)
                bits[i] = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
                if bits[i] < 0:
                    return -1 - i
            if bits[i] == 0:
                status = call_kernel(k, OVER, s, p, 0, 0, 0)
                if status != ENDED and status != STOPPED:
                    return -1 - i
                ended[i] = status
                if moves[i] > 0:
                    call_kernel(k, RETURNS, s, p, 0, 0, payoff_at)
                    rewards[i] = payoff[me] - paid[i]
                    returns[i] += rewards[i]
                    done[i] = status
                    if status == STOPPED or not listed:
                        zero_bytes(address_of(terminal[i]), 4 * terminal.shape[1])
                        call_kernel(k, OBSERVE, s, p, me, 0, address_of(terminal[i]))
                break
            if bits[i] & own[me]:
                me = lowest_bit(bits[i] & own[me])
                seats[i] = me
                call_kernel(k, LEGAL, s, p, me, 0, words_at)
                legal = count_legal(words)
                if legal == 0:
                    return -1 - i
                if legal == 1 and skip_forced:
                    bits[i] = take(k, p, s, me, action=first_legal(words), bits=bits[i])
                    continue
                write_row(k, p, s, me, words=words, rows=learner.rows, i=i)
                if moves[i] > 0:  # what a new game has paid already belongs to its own first reward
                    call_kernel(k, RETURNS, s, p, 0, 0, payoff_at)
                    rewards[i] = payoff[me] - paid[i]
                    returns[i] += rewards[i]
                    paid[i] = payoff[me]
                ready[i] = 1
                break
            quick = replies.function != 0 and answered_at_once(bits[i], i, replies)
            kind, asked = (QUICK, replies.questions) if quick else (OPEN, questions)
            first = counts[kind]
            if first + popcount(bits[i]) > len(asked.seats):
                return 0  # the tables from here on are taken up by the next call
            todo, row = bits[i], first
            while todo:
                seat = lowest_bit(todo)
                todo &= todo - 1
                call_kernel(k, LEGAL, s, p, seat, 0, words_at)
                legal = count_legal(words)
                if legal == 0:
                    return -1 - i
                if legal == 1 and skip_forced:
                    bits[i] = take(k, p, s, seat, action=first_legal(words), bits=bits[i])
                    continue
                write_row(k, p, s, seat, words=words, rows=asked.rows, i=row)
                asked.seats[row] = seat
                asked.tables[row] = i
                asked.seeds[row] = next_u64(asked.generators[i : i + 1])
                row += 1
            counts[kind] = row
            if row > first:
                if not quick:
                    ready[i] = WAITING
                break
    return 0


@driver
def play_through(rules, course, span, learner, questions, replies):
    """`advance` until the learner is to move, a game has ended or a question is open at every table of a span.

    The number of open questions, which must have been answered (`answer`) before the next call; or -1 - table.
    """
    counts = np.zeros(2, np.int64)
    for i in range(span.begin, span.end):
        if course.ready[i] == WAITING:
            course.ready[i] = 0
    asked = replies.questions
    while True:
        counts[QUICK] = 0
        wrong = advance(rules, course, span, learner, questions=questions, replies=replies, counts=counts)
        if wrong < 0:
            return wrong
        m = counts[QUICK]
        if m == 0:
            return counts[OPEN]
        for r in range(m):
            replies.which[r] = replies.ids[asked.tables[r], asked.seats[r]]
        call_kernel(replies.function, replies.memory, m, 0, 0, 0, 0)
        answer(
            rules.kernel, rules.params, course.states, asked.seats[:m], tables=asked.tables[:m],
            actions=replies.actions[:m], bits=course.bits,
        )  # fmt: skip


@driver(nogil=True)
def play_unlocked(rules, course, span, learner, questions, replies):
    """`play_through` for compiled rules: other spans may be played meanwhile, with rows and memory of their own."""
    return play_through(rules, course, span, learner, questions=questions, replies=replies)


@driver
def learner_moves(k, p, states, seats, actions, bits, moves, ready):
    """Take the learner's action (checked before) at every table."""
    size = states.shape[1]
    for i in range(len(states)):
        bits[i] = take(k, p, address_of(states) + i * size, seats[i], action=actions[i], bits=bits[i])
        moves[i] += 1
        ready[i] = 0


@driver
def begin(k, p, course, tables):
    """Set up the tables of these numbers and throw the first dice."""
    states = course.states
    size = states.shape[1]
    for r in range(len(tables)):
        i = tables[r]
        start_table(k, address_of(states) + i * size, p, size, rng=course.dice[i : i + 1])
        course.bits[i] = 0
        course.ended[i] = 0
        course.moves[i] = 0
        course.paid[i] = 0.0
        course.returns[i] = 0.0


@driver
def present_learners(k, p, n_words, states, seats, rows):
    """Write the learner's row of every table; -1 - table where it has no legal action, else 0."""
    size = states.shape[1]
    words = np.zeros(n_words, np.int64)
    for i in range(len(states)):
        s = address_of(states) + i * size
        call_kernel(k, LEGAL, s, p, seats[i], 0, address_of(words))
        if count_legal(words) == 0:
            return -1 - i
        write_row(k, p, s, seats[i], words=words, rows=rows, i=i)
    return 0


@driver
def present_all(k, p, n_seats, states, seats, own, rows):
    """Write lists of all that any seat sees, from the learner's `own` lists (Rows) of every table.

    Its observation comes first, of length L. Then come the other seats in the order of the table, each L further on, as
    what differs from the learner's observation, so that what both see is not told twice. Last are the legal actions.
    `rows.observations` [2, L] is working space.
    """
    size, length = states.shape[1], rows.observations.shape[1]
    mine, other = rows.observations[0], rows.observations[1]
    for i in range(len(states)):
        s = address_of(states) + i * size
        found = own.sizes[i, 0]
        for e in range(found):
            rows.index[i, e], rows.values[i, e] = own.index[i, e], own.values[i, e]
        zero_bytes(address_of(mine), 4 * length)
        call_kernel(k, OBSERVE, s, p, seats[i], 0, address_of(mine))
        for j in range(1, n_seats):
            zero_bytes(address_of(other), 4 * length)
            call_kernel(k, OBSERVE, s, p, (seats[i] + j) % n_seats, 0, address_of(other))
            for c in range(length):
                other[c] -= mine[c]
            index = address_of(rows.index) + 4 * (i * rows.index.shape[1] + found)
            values = address_of(rows.values) + 4 * (i * rows.values.shape[1] + found)
            end = found + list_nonzero(address_of(other), length, index, values=values)
            for e in range(found, end):
                rows.index[i, e] += j * length
            found = end
        rows.sizes[i, 0] = found
        for e in range(own.sizes[i, 0], own.sizes[i, 1]):
            rows.index[i, found], rows.values[i, found] = own.index[i, e] + (n_seats - 1) * length, own.values[i, e]
            found += 1
        rows.sizes[i, 1] = found


@driver
def check_choices(masks, actions, m):
    """Index of the first of `m` actions (int64) that its mask (int8[m, A]) does not allow, or -1."""
    for r in range(m):
        a = actions[r]
        if a < 0 or a >= masks.shape[1] or masks[r, a] == 0:
            return r
    return -1


@driver
def check_listed(rows, actions, m):
    """Like `check_choices`, for the first m lists of `rows`."""
    length = rows.observations.shape[1]
    for r in range(m):
        found = False
        for e in range(rows.sizes[r, 0], rows.sizes[r, 1]):
            found |= rows.index[r, e] == length + actions[r]
        if not found:
            return r
    return -1


@driver
def draw_seeded(masks, seeds, actions):
    """A uniform legal action for every row: `masks` int8[m, A], `seeds` uint64[m]; writes `actions` int64[m]."""
    rng = np.zeros(1, np.uint64)
    for r in range(len(masks)):
        total = 0
        for a in range(masks.shape[1]):
            total += masks[r, a]
        rng[0] = seeds[r]
        pick = rand_below(rng, total)
        for a in range(masks.shape[1]):
            if masks[r, a]:
                if pick == 0:
                    actions[r] = a
                    break
                pick -= 1


@driver
def keys_of(k, p, states, tables, seats, out):
    """Information-state keys of `seats` at `tables` (int64[m] each), written to `out` int64[m]."""
    size = states.shape[1]
    for r in range(len(tables)):
        out[r] = call_kernel(k, KEY, address_of(states) + tables[r] * size, p, seats[r], 0, 0)
