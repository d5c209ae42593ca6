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
from .rng import next_u64, rand_below
from .rows import count_legal, first_legal, list_nonzero, write_row


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


class Following(NamedTuple):
    """Games that follow at n tables: `ids` int64[n, depth, seats] of who sits there, `taken` int64[n] of them.

    `episodes` int64[n] numbers the games, `idle` int64[n] counts those in a row without a decision of the learner, and
    `fixed` is its seat, or -1 where that is (table + episode) % seats.
    """

    ids: Any
    taken: Any
    episodes: Any
    idle: Any
    fixed: int


class Going(NamedTuple):
    """All that compiled code needs to play on: see each."""

    rules: Rules
    course: Course
    learner: Learner
    questions: Questions
    replies: Replies


class Room(NamedTuple):
    """Working space of `advance`: `counts` int64[2] of rows, a set of actions int64[W], payoffs float64[capacity]."""

    counts: Any
    words: Any
    payoff: Any


class Span(NamedTuple):
    """Tables `begin` to `end`."""

    begin: int
    end: int


@inner(allocates=False)
def take(k, p, s, seat, action, bits):
    """Apply an action; the seats of this cycle (`bits`) that then still owe an answer."""
    call_kernel(k, APPLY, s, p, seat, action, 0)
    return bits & call_kernel(k, TO_ACT, s, p, 0, 0, 0) & ~(1 << seat)


@driver(allocates=False)
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


@inner(allocates=False)
def answered_at_once(todo, table, replies):
    """Whether all of a set of seats are played by those who answer at once."""
    while todo:
        if replies.ids[table, lowest_bit(todo)] > replies.last:
            return False
        todo &= todo - 1
    return True


@inner(allocates=False)
def advance(rules, course, span, learner, questions, replies, room):
    """Play on at every table of a span where the learner is not to move and no game has just ended; 0.

    A table of `course` stops where the learner is to move (`ready`, its row written), where its game has ended
    (`ended` = status, `terminal` written; for lists only if the game was stopped), or where other seats must be asked
    (one row each, those of one cycle together: of `replies.questions` if all of them are answered at once, else of
    `questions`; the `counts` of the `room` are the rows so far). `done` and `rewards` of the `learner` are set for
    games in which it has decided something; `seats` moves on to the one that is asked. Ends early where rows are full.
    Returns -1 - table if the rules leave a seat without an action.
    """
    k, p, skip_forced = rules.kernel, rules.params, rules.skip_forced
    states, dice, seats, own, bits = course.states, course.dice, course.seats, course.own, course.bits
    ready, ended, moves, paid, returns = course.ready, course.ended, course.moves, course.paid, course.returns
    done, rewards, terminal, listed = learner.done, learner.rewards, learner.terminal, len(learner.rows.sizes) > 0
    size, counts = states.shape[1], room.counts
    words, payoff = room.words, room.payoff
    words_at, payoff_at = address_of(words), address_of(payoff)
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
    room = Room(counts, np.zeros(rules.words, np.int64), np.zeros(rules.capacity, np.float64))
    for i in range(span.begin, span.end):
        if course.ready[i] == WAITING:
            course.ready[i] = 0
    asked = replies.questions
    while True:
        counts[QUICK] = 0
        wrong = advance(rules, course, span, learner, questions=questions, replies=replies, room=room)
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


@driver(allocates=False)
def learner_moves(k, p, course, span, actions):
    """Take the learner's action (int64[n], checked before) at the tables of a span."""
    states, bits = course.states, course.bits
    size = states.shape[1]
    for i in range(span.begin, span.end):
        bits[i] = take(k, p, address_of(states) + i * size, course.seats[i], action=actions[i], bits=bits[i])
        course.moves[i] += 1
        course.ready[i] = 0


@driver(allocates=False, nogil=True)
def move_unlocked(k, p, course, span, actions):
    """`learner_moves` for compiled rules: other spans may be moved meanwhile."""
    learner_moves(k, p, course, span=span, actions=actions)


@inner(allocates=False)
def begin_one(k, p, course, i):
    """Set up a table, and throw the first dice."""
    states = course.states
    size = states.shape[1]
    start_table(k, address_of(states) + i * size, p, size, rng=course.dice[i : i + 1])
    course.bits[i] = 0
    course.ended[i] = 0
    course.moves[i] = 0
    course.paid[i] = 0.0
    course.returns[i] = 0.0


@driver(allocates=False)
def begin_next(k, p, course, following, ids, i):
    """Begin the next game at a table, as `following` says; `ids` int64[n, seats] of who sits there are written."""
    following.episodes[i] += 1
    n_seats = ids.shape[1]
    course.seats[i] = following.fixed if following.fixed >= 0 else (i + following.episodes[i]) % n_seats
    for seat in range(n_seats):
        ids[i, seat] = following.ids[i, following.taken[i], seat]
    following.taken[i] += 1
    begin_one(k, p, course, i)


@driver
def begin(k, p, course, tables, span):
    """Set up the tables of these numbers, those of a span of them, and throw the first dice."""
    for r in range(span.begin, span.end):
        begin_one(k, p, course, tables[r])


@driver(nogil=True)
def begin_unlocked(k, p, course, tables, span):
    """`begin` for compiled rules: other tables may be begun meanwhile."""
    begin(k, p, course, tables, span=span)


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
def present_all(k, p, course, own, rows, span):
    """Write lists of all that any seat sees, from the learner's `own` lists (Rows) of the tables of a span.

    Its observation comes first, of length L. Then come the other seats in the order of the table, each L further on, as
    what differs from the learner's observation, so that what both see is not told twice. Last are the legal actions.
    `rows.observations` [2, L] is working space.
    """
    states, seats, n_seats = course.states, course.seats, len(course.own)
    size, length = states.shape[1], rows.observations.shape[1]
    mine, other = rows.observations[0], rows.observations[1]
    for i in range(span.begin, span.end):
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
