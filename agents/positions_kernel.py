"""Compiled enumeration of all positions of a public game, and best answers over them.

Positions are met breadth first; those that agree in all that is read of them are one, whatever happened before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..envs.core.abi import (
    APPLY,
    DETERMINIZE,
    DIE,
    FALL,
    LEGAL,
    OBSERVE,
    OVER,
    RETURNS,
    STOPPED,
    TO_ACT,
    address_of,
    call_kernel,
    popcount,
)
from ..envs.core.inner import inner
from ..envs.core.jit import driver
from ..envs.core.rng import mix
from .perfect_information_kernel import find, nth_action

TOO_LONG, HIDDEN, DEPENDS, STUCK, REMEMBERS, COMES_BACK, FULL = range(-1, -8, -1)  # statuses
CHANCE, FIRST, SECOND, BOTH = range(4)  # who chooses at a position; FIRST and SECOND are 1 << seat
POSITIONS, ENDS, EDGES, DONE, AGAIN = range(5)  # entries of `used`
WRONG = -(1 << 62)  # lies below all codes, with any status added


class Reading(NamedTuple):
    """How a position is read.

    `kept` int64[n, 2]: ranges of words of the record that count; `told` int64[m, 2]: all that is no event; `seen`
    int64[q, 2]: ranges of the observations of both seats that count.
    """

    kept: Any
    told: Any
    seen: Any


class Graph(NamedTuple):
    """N positions, Z ends and E edges, with room for more.

    `states` int64[N, size] records; `who` int8[N] (CHANCE, FIRST, SECOND, BOTH); `words` int64[N, 2, W] legal sets;
    `first` int64[N] where the children begin, `fan` int32[N, 2] (actions of seat 0, of seat 1; faces and 1);
    `children` int64[E], row by row of seat 0: a position, or -1 - the number of an end; `payoffs` float64[Z, capacity].
    """

    states: Any
    who: Any
    words: Any
    first: Any
    fan: Any
    children: Any
    payoffs: Any


class Table(NamedTuple):
    """`keys` int64[T] of positions and ends met (0: free), and their `codes` int64[T] as in `Graph.children`.

    `again` int64[C, size], `twins` int64[C]: records that met a known position by another past, and which.
    """

    keys: Any
    codes: Any
    again: Any
    twins: Any


class Room(NamedTuple):
    """Working space: `steps` int64[3, size] records, `payoff` float64[capacity], `words` int64[W].

    `seen` int32[L] gets the bits of an observation, which tell apart all that is not equal.
    """

    steps: Any
    seen: Any
    payoff: Any
    words: Any


@inner
def key_of(k, p, state, reading, seen):
    """A hash of what counts of a position that is not over; never 0."""
    h = np.int64(1)
    for r in range(len(reading.kept)):
        for i in range(reading.kept[r, 0], reading.kept[r, 1]):
            h = mix(h, state[i])
    if len(reading.seen):
        s = address_of(state)
        for seat in range(2):
            seen[:] = 0
            call_kernel(k, OBSERVE, s, p, seat, 0, address_of(seen))
            for r in range(len(reading.seen)):
                for i in range(reading.seen[r, 0], reading.seen[r, 1]):
                    h = mix(h, np.int64(seen[i]))
    return h if h != 0 else np.int64(1)


@driver
def keys_of(k, p, states, reading, seen, out):
    """Keys of positions `states` int64[m, size] in which something is asked, written to `out` int64[m]."""
    for i in range(len(states)):
        out[i] = key_of(k, p, states[i], reading, seen=seen)


@inner
def end_key(state, reading):
    """A hash of what counts of an end; never 0."""
    h = np.int64(2)
    for r in range(len(reading.kept)):
        for i in range(reading.kept[r, 0], reading.kept[r, 1]):
            h = mix(h, state[i])
    return h if h != 0 else np.int64(2)


@inner
def hidden_from(k, p, state, scratch, told, seat):
    """Whether forgetting what a seat cannot know changes the position."""
    scratch[:] = state
    call_kernel(k, DETERMINIZE, address_of(scratch), p, seat, 0, 0)
    for r in range(len(told)):
        for i in range(told[r, 0], told[r, 1]):
            if scratch[i] != state[i]:
                return True
    return False


@inner
def count_legal(k, p, state, seat, words):
    """Read the legal set of a seat; how many actions there are."""
    words[:] = 0
    call_kernel(k, LEGAL, address_of(state), p, seat, 0, address_of(words))
    total = 0
    for w in range(len(words)):
        total += popcount(words[w])
    return total


@inner
def same(a, b):
    """Whether two rows are equal."""
    for i in range(len(a)):
        if a[i] != b[i]:
            return False
    return True


@inner
def met(k, p, state, reading, graph, table, used, room):
    """The code of the position or end in `state`, new or known; WRONG plus a status where there is none."""
    over = call_kernel(k, OVER, address_of(state), p, 0, 0, 0)
    if over == STOPPED:
        return WRONG + TOO_LONG
    if over:
        call_kernel(k, RETURNS, address_of(state), p, 0, 0, address_of(room.payoff))
        key = end_key(state, reading)
        place = find(table.keys, key)
        if place >= 0:
            code = table.codes[place]
            if code >= 0 or not same(graph.payoffs[-1 - code], room.payoff):
                return WRONG + REMEMBERS
            return code
        code = -1 - used[ENDS]
        graph.payoffs[used[ENDS]] = room.payoff
        used[ENDS] += 1
    else:
        key = key_of(k, p, state, reading, seen=room.seen)
        place = find(table.keys, key)
        if place >= 0:
            code = table.codes[place]
            if used[AGAIN] < len(table.twins) and not same(graph.states[code], state):
                table.again[used[AGAIN]] = state
                table.twins[used[AGAIN]] = code
                used[AGAIN] += 1
            return code
        code = used[POSITIONS]
        graph.states[code] = state
        used[POSITIONS] += 1
    place = -1 - place
    table.keys[place] = key
    table.codes[place] = code
    return code


@inner
def asked(k, p, state, reading, room, words, fan):
    """Who chooses at a position that is not over, and what is legal; or a status below 0."""
    s = address_of(state)
    faces = call_kernel(k, DIE, s, p, 0, 0, 0)
    if faces > 0:
        fan[0], fan[1] = faces, 1
        return CHANCE
    bits = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
    if bits == 0:
        return STUCK
    fan[0], fan[1] = 1, 1
    for seat in range(2):
        if bits >> seat & 1:
            if hidden_from(k, p, state, room.steps[2], told=reading.told, seat=seat):
                return HIDDEN
            fan[seat] = count_legal(k, p, state, seat, words=words[seat])
            if fan[seat] < 1:
                return STUCK
    return bits


@inner
def child(k, p, state, who, words, row, column, room):
    """Write what follows into `room.steps[1]`; 0 or a status below 0."""
    after = room.steps[1]
    after[:] = state
    t = address_of(after)
    if who == CHANCE:
        call_kernel(k, FALL, t, p, row, 0, 0)
        return 0
    if who != SECOND:
        call_kernel(k, APPLY, t, p, 0, nth_action(words[0], row), 0)
    if who == BOTH:
        if call_kernel(k, OVER, t, p, 0, 0, 0) or call_kernel(k, DIE, t, p, 0, 0, 0):
            return DEPENDS
        if call_kernel(k, TO_ACT, t, p, 0, 0, 0) != 2:
            return DEPENDS
        count_legal(k, p, after, 1, words=room.words)
        if not same(room.words, words[1]):
            return DEPENDS
    if who != FIRST:
        call_kernel(k, APPLY, t, p, 1, nth_action(words[1], column), 0)
    return 0


@driver
def expand(k, p, reading, graph, table, used, room):
    """Go on with the positions that were met and not yet expanded; 0, FULL where room ends, or another status.

    Position 0 must be there. `used` int64[5]: positions, ends, edges, positions expanded, records met again.
    """
    fan = np.zeros(2, np.int64)
    while used[DONE] < used[POSITIONS]:
        i = used[DONE]
        state = room.steps[0]
        state[:] = graph.states[i]
        who = asked(k, p, state, reading, room=room, words=graph.words[i], fan=fan)
        if who < 0:
            return who
        count = fan[0] * fan[1]
        if (
            used[POSITIONS] + count >= len(graph.states)  # one is left for `recheck`
            or used[ENDS] + count >= len(graph.payoffs)
            or used[EDGES] + count > len(graph.children)
        ):
            return FULL
        graph.who[i] = who
        graph.first[i] = used[EDGES]
        graph.fan[i, 0], graph.fan[i, 1] = fan[0], fan[1]
        for row in range(fan[0]):
            for column in range(fan[1]):
                status = child(k, p, state, who, words=graph.words[i], row=row, column=column, room=room)
                if status < 0:
                    return status
                code = met(k, p, room.steps[1], reading, graph=graph, table=table, used=used, room=room)
                if code < WRONG // 2:
                    return code - WRONG
                graph.children[used[EDGES]] = code
                used[EDGES] += 1
        used[DONE] = i + 1
    return 0


@driver
def recheck(k, p, reading, graph, table, used, room):
    """Whether what follows records that met known positions is what follows those; 0, REMEMBERS or another status."""
    fan, words = np.zeros(2, np.int64), np.zeros(graph.words.shape[1:], np.int64)
    known, records = (used[POSITIONS], used[ENDS]), used[AGAIN]
    used[AGAIN] = len(table.twins)  # no more are written down
    for j in range(records):
        i, state = table.twins[j], room.steps[0]
        state[:] = table.again[j]
        words[:] = 0
        who = asked(k, p, state, reading, room=room, words=words, fan=fan)
        if who < 0:
            return who
        if who != graph.who[i] or fan[0] != graph.fan[i, 0] or fan[1] != graph.fan[i, 1]:
            return REMEMBERS
        for seat in range(2):
            if not same(words[seat], graph.words[i, seat]):
                return REMEMBERS
        for row in range(fan[0]):
            for column in range(fan[1]):
                status = child(k, p, state, who, words=words, row=row, column=column, room=room)
                if status < 0:
                    return status
                code = met(k, p, room.steps[1], reading, graph=graph, table=table, used=used, room=room)
                if code < WRONG // 2:
                    return code - WRONG
                if used[POSITIONS] != known[0] or used[ENDS] != known[1]:
                    return REMEMBERS
                if code != graph.children[graph.first[i] + row * fan[1] + column]:
                    return REMEMBERS
    return 0


@driver
def set_order(who, first, fan, children, order):
    """Write the positions so that each comes before its children, int64[N]; decisions of the longest game.

    COMES_BACK if a position may come back.
    """
    n = len(order)
    before, longest = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for i in range(n):
        for e in range(first[i], first[i] + fan[i, 0] * fan[i, 1]):
            if children[e] >= 0:
                before[children[e]] += 1
    found, most = 0, 0
    for i in range(n):
        if before[i] == 0:
            order[found] = i
            found += 1
    at = 0
    while at < found:
        i = order[at]
        at += 1
        length = longest[i] + (2 if who[i] == BOTH else 1 if who[i] else 0)
        most = max(most, length)
        for e in range(first[i], first[i] + fan[i, 0] * fan[i, 1]):
            j = children[e]
            if j >= 0:
                longest[j] = max(longest[j], length)
                before[j] -= 1
                if before[j] == 0:
                    order[found] = j
                    found += 1
    return most if found == n else COMES_BACK


class Answers(NamedTuple):
    """Who answers how: `seat` gets what is asked for, `best` 1 as its best answer, 0 by its own chances.

    `starts` int64[2, N] where the chances of a seat at a position begin in `chances` float64[.].
    """

    seat: int
    best: int
    starts: Any
    chances: Any


@driver
def evaluate(graph, order, answers, values, choices):
    """Write what the seat gets from each position on, float64[N], and what it chooses there, int64[N] (-1: nothing).

    Of equal actions the first. `order` as `set_order` writes it.
    """
    me, starts, chances = answers.seat, answers.starts, answers.chances
    for at in range(len(order) - 1, -1, -1):
        i = order[at]
        who, first, rows, columns = graph.who[i], graph.first[i], graph.fan[i, 0], graph.fan[i, 1]
        choices[i] = -1
        if who == CHANCE:
            total = 0.0
            for e in range(first, first + rows):
                total += worth(graph, values, graph.children[e], me)
            values[i] = total / rows
            continue
        mine, theirs = (rows, columns) if me == 0 else (columns, rows)
        asked_me, asked_them = who >> me & 1, who >> (1 - me) & 1
        best, mean = -np.inf, 0.0
        for a in range(mine):
            value = 0.0
            for b in range(theirs):
                chance = chances[starts[1 - me, i] + b] if asked_them else 1.0
                if chance > 0.0:
                    e = first + (a * columns + b if me == 0 else b * columns + a)
                    value += chance * worth(graph, values, graph.children[e], me)
            if asked_me and not answers.best:
                mean += chances[starts[me, i] + a] * value
            else:
                mean = value
            if value > best:
                best = value
                choices[i] = a if asked_me else -1
        values[i] = best if answers.best else mean


@inner
def worth(graph, values, code, seat):
    """What a seat gets after an edge."""
    return values[code] if code >= 0 else graph.payoffs[-1 - code, seat]


__all__ = [
    "AGAIN",
    "BOTH",
    "CHANCE",
    "COMES_BACK",
    "DEPENDS",
    "DONE",
    "EDGES",
    "ENDS",
    "FIRST",
    "FULL",
    "HIDDEN",
    "POSITIONS",
    "REMEMBERS",
    "SECOND",
    "STUCK",
    "TOO_LONG",
    "Answers",
    "Graph",
    "Reading",
    "Room",
    "Table",
    "evaluate",
    "expand",
    "keys_of",
    "recheck",
    "set_order",
]
