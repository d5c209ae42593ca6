"""Compiled induction over the positions of a public game, with a matrix game wherever both seats choose at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..envs.core.abi import (
    APPLY,
    DETERMINIZE,
    DIE,
    FALL,
    LEGAL,
    OVER,
    RETURNS,
    STOPPED,
    TO_ACT,
    address_of,
    call_kernel,
    lowest_bit,
    popcount,
)
from ..envs.core.inner import inner
from ..envs.core.jit import driver
from ..envs.core.rng import mix
from .perfect_information_kernel import find, nth_action
from .simplex import pivot

TOO_MANY, TOO_DEEP, HIDDEN, COMES_BACK, DEPENDS, STUCK, REMEMBERS, NO_END = range(-1, -9, -1)  # statuses
CHANCE, CHOICE, BOTH, SECOND = range(4)  # kinds of positions: SECOND follows the sealed choice of seat 0
UNDER_WAY = np.inf  # the value of a position on the path


class Reading(NamedTuple):
    """How a state record is read, in words of 8 bytes.

    `kept` int64[n, 2]: ranges that the future depends on; `told` int64[m, 2]: all that is no event. `payoff`
    float64[capacity] is working space.
    """

    kept: Any
    told: Any
    payoff: Any


class Path(NamedTuple):
    """The path under search, one row a position.

    `states` int64[D, size]; `words` int64[D, W] legal set of whoever chooses; `kind`, `at`, `count`, `place` int64[D]:
    branches seen and in all, place in the table; `best` float64[D]; `seat`, `again` int64[D]: who chooses, and 1 for a
    known position that is valued once more; `top` int64[D] where the matrix begins in `cells` float64[C]. `without`
    int64[2, W]: actions that a seat does not take where it has another one.
    """

    states: Any
    words: Any
    kind: Any
    at: Any
    count: Any
    place: Any
    best: Any
    seat: Any
    again: Any
    top: Any
    cells: Any
    without: Any


@inner
def hash_of(state, kept):
    """A hash of what the future depends on; never 0."""
    h = np.int64(1)
    for r in range(len(kept)):
        for i in range(kept[r, 0], kept[r, 1]):
            h = mix(h, state[i])
    return h if h != 0 else np.int64(1)


@inner
def hidden_from(k, p, path, d, told, seat):
    """Whether forgetting what a seat cannot know changes the position."""
    states = path.states
    states[d + 1] = states[d]
    call_kernel(k, DETERMINIZE, address_of(states) + (d + 1) * states.shape[1] * 8, p, seat, 0, 0)
    for r in range(len(told)):
        for i in range(told[r, 0], told[r, 1]):
            if states[d + 1, i] != states[d, i]:
                return True
    return False


@inner
def count_legal(k, p, path, d, seat):
    """Read what a seat may take into the path; how many actions there are."""
    n = path.words.shape[1]
    for w in range(n):
        path.words[d, w] = 0
    s = address_of(path.states) + d * path.states.shape[1] * 8
    call_kernel(k, LEGAL, s, p, seat, 0, address_of(path.words) + d * n * 8)
    total, others = 0, 0
    for w in range(n):
        total += popcount(path.words[d, w])
        others += popcount(path.words[d, w] & ~path.without[seat, w])
    if others == 0:
        return total
    for w in range(n):
        path.words[d, w] &= ~path.without[seat, w]
    return others


@driver
def matrix_value(m, x):
    """Value of a zero-sum matrix game, float64[rows, columns], for the rows (Dantzig 1951: the simplex method).

    Beside `matrix_game.solve_zero_sum`, since compiled code cannot call HiGHS. NaN if the method comes to no end.
    `x` float64[rows + 1, columns + rows + 1] is working space.
    """
    rows, columns = m.shape
    low, high, floor, ceiling = m[0, 0], m[0, 0], -np.inf, np.inf
    for i in range(rows):
        least = m[i, 0]
        for j in range(columns):
            least = min(least, m[i, j])
            high = max(high, m[i, j])
        floor = max(floor, least)
        low = min(low, least)
    for j in range(columns):
        most = m[0, j]
        for i in range(rows):
            most = max(most, m[i, j])
        ceiling = min(ceiling, most)
    if floor >= ceiling:
        return floor
    # the column player's program: maximise sum(y) under M y <= 1, y >= 0, with M scaled to 1..2; value 1 / sum(y)
    scale = high - low
    width = columns + rows
    x[: rows + 1, : width + 1] = 0.0
    for i in range(rows):
        for j in range(columns):
            x[i, j] = 1.0 + (m[i, j] - low) / scale
        x[i, columns + i] = 1.0
        x[i, width] = 1.0
    for j in range(columns):
        x[rows, j] = -1.0
    steps = 0
    patience = 20 * width
    while steps < 1000 * width:
        steps += 1
        enter, least = -1, -1e-11
        for j in range(width):
            if x[rows, j] < least:
                enter = j
                if steps > patience:  # Bland's rule: no cycles
                    break
                least = x[rows, j]
        if enter < 0:
            return low + scale * (1.0 / x[rows, width] - 1.0)
        leave, ratio = -1, np.inf
        for i in range(rows):
            if x[i, enter] > 1e-11 and x[i, width] / x[i, enter] < ratio - 1e-15:
                leave, ratio = i, x[i, width] / x[i, enter]
        if leave < 0:
            break
        pivot(x, leave, enter, rows=rows + 1, width=width + 1)
    return np.nan


@driver
def solve(k, p, path, known, reading, limit, checks, found):
    """Value of the position in `path.states[0]` for seat 0; 0 or a status below 0.

    `known` Known is an empty hash table; `found` float64[2] gets the value and the number of positions, of which there
    are at most `limit`. The table holds what is got after a position, so that what was got before makes no other one.
    The first `checks` positions that are met again, by another past, are valued again: if that
    makes a difference, the rules remember what the reading leaves out.
    """
    keys, values = known.keys, known.values
    states, cells = path.states, path.cells
    depth, size = states.shape
    base = address_of(states)
    tableau = np.zeros((1, 1))
    d, nodes, value = 0, 0, 0.0
    fresh, top, within = True, 0, -1
    while True:
        s = base + d * size * 8
        if fresh:
            fresh = False
            second = d > 0 and path.kind[d - 1] == BOTH
            over = call_kernel(k, OVER, s, p, 0, 0, 0)
            if over:
                if second:
                    return DEPENDS
                if over == STOPPED:
                    return TOO_DEEP
                value = so_far(k, p, s, reading)
                done = True
            else:
                done = False
                path.again[d] = 0
                if not second:
                    place = find(keys, hash_of(states[d], reading.kept))
                    if place >= 0:
                        if values[place] == UNDER_WAY:
                            return COMES_BACK
                        path.place[d] = place
                        if checks > 0 and within < 0:  # one step each, or the first few would take all
                            checks -= 1
                            path.again[d] = 1
                            within = d
                        else:
                            value = values[place] + so_far(k, p, s, reading)
                            done = True
                    else:
                        nodes += 1
                        if nodes > limit:
                            return TOO_MANY
                        place = -1 - place
                        keys[place] = hash_of(states[d], reading.kept)
                        values[place] = UNDER_WAY
                        path.place[d] = place
                if not done:
                    if d + 2 >= depth:
                        return TOO_DEEP
                    bits = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
                    path.at[d] = 0
                    path.top[d] = top
                    if second:
                        if bits != 2:
                            return DEPENDS
                        path.kind[d] = SECOND
                        path.seat[d] = 1
                        path.count[d] = count_legal(k, p, path, d, seat=1)
                        if path.at[d - 1] == 0:
                            path.best[d] = 0.0
                            need = path.count[d - 1] * path.count[d]
                            if top + need > len(cells):
                                return TOO_DEEP
                            path.top[d - 1] = top
                            path.best[d - 1] = path.count[d]
                            top += need
                        elif path.best[d - 1] != path.count[d]:
                            return DEPENDS
                    elif bits == 0:
                        path.kind[d] = CHANCE
                        path.count[d] = call_kernel(k, DIE, s, p, 0, 0, 0)
                        path.best[d] = 0.0
                        if path.count[d] < 1:
                            return STUCK
                    else:
                        seat = lowest_bit(bits)
                        both = bits == 3
                        if hidden_from(k, p, path, d, told=reading.told, seat=seat):
                            return HIDDEN
                        if both and hidden_from(k, p, path, d, told=reading.told, seat=1):
                            return HIDDEN
                        path.kind[d] = BOTH if both else CHOICE
                        path.seat[d] = seat
                        path.count[d] = count_legal(k, p, path, d, seat=seat)
                        path.best[d] = -np.inf
                        if path.count[d] < 1:
                            return STUCK
            if not done:
                continue
        elif path.at[d] == path.count[d]:
            kind = path.kind[d]
            if kind == SECOND:  # its row is full
                d -= 1
                path.at[d] += 1
                continue
            if kind == CHANCE:
                value = path.best[d] / path.count[d]
            elif kind == CHOICE:
                value = path.best[d] if path.seat[d] == 0 else -path.best[d]
            else:
                rows, columns = path.count[d], np.int64(path.best[d])
                first = path.top[d]
                if tableau.shape[0] <= rows or tableau.shape[1] <= rows + columns:
                    tableau = np.zeros((rows + 1, rows + columns + 1))
                value = matrix_value(cells[first : first + rows * columns].reshape((rows, columns)), x=tableau)
                if np.isnan(value):
                    return NO_END
                top = first
            rest = value - so_far(k, p, s, reading)
            if path.again[d] and abs(rest - values[path.place[d]]) > 1e-8 * max(1.0, abs(rest)):
                return REMEMBERS
            values[path.place[d]] = rest
            if within == d:
                within = -1
        else:
            states[d + 1] = states[d]
            t = s + size * 8
            if path.kind[d] == CHANCE:
                call_kernel(k, FALL, t, p, path.at[d], 0, 0)
            else:
                call_kernel(k, APPLY, t, p, path.seat[d], nth_action(path.words[d], path.at[d]), 0)
            d += 1
            fresh = True
            continue
        # `value` is that of the position at depth d: hand it to the one before
        if d == 0:
            break
        d -= 1
        kind = path.kind[d]
        if kind == CHANCE:
            path.best[d] += value
        elif kind == CHOICE:
            path.best[d] = max(path.best[d], value if path.seat[d] == 0 else -value)
        else:
            cells[path.top[d - 1] + path.at[d - 1] * path.count[d] + path.at[d]] = value
        path.at[d] += 1
    found[0] = value
    found[1] = nodes
    return 0


@inner
def so_far(k, p, s, reading):
    """Half of the lead of seat 0 so far: of opposed payoffs its own."""
    call_kernel(k, RETURNS, s, p, 0, 0, address_of(reading.payoff))
    return (reading.payoff[0] - reading.payoff[1]) / 2.0
