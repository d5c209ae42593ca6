"""Compiled games in which what seats see is written down with what they were paid, and the fit of a network to it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..agents.fitted_kernel import CLOCK, see
from ..envs.core.abi import APPLY, LEGAL, RETURNS, ROLL, TO_ACT, address_of, call_kernel, lowest_bit
from ..envs.core.batch import random_legal, start_table
from ..envs.core.inner import inner
from ..envs.core.jit import driver
from ..envs.core.rng import rand_below, rand_float
from ..envs.core.rows import list_nonzero

ZERO = np.float32(0.0)


class Call(NamedTuple):
    """What is called: the rules, their parameters, the system's sight (0: none), policies `which` int64[k] (-1 random).

    `teams` int64[seats] as in `search_kernel.Table`: seats of one number play alike.
    """

    k: int
    p: int
    sight: int
    policy: int
    which: Any
    teams: Any


class Desk(NamedTuple):
    """Working space: `state` uint8[size], `words` int64[W], `seen` float32[L], `payoff` float64[capacity].

    `cast`, `chosen` int64[capacity]; `sums` float64[2]: the least and the largest sum of payoffs; `rng` uint64[1].
    """

    state: Any
    words: Any
    seen: Any
    payoff: Any
    cast: Any
    chosen: Any
    sums: Any
    rng: Any


class Found(NamedTuple):
    """Positions: entries `starts[i]` to `starts[i + 1]` of `index` int32 and `values` float32 are not 0.

    `seats`, `games` int64[m], `payoffs` float32[m]: what that seat was paid in the end of that game.
    """

    index: Any
    values: Any
    starts: Any
    seats: Any
    games: Any
    payoffs: Any


class Plan(NamedTuple):
    """At most so many `games`, of whose positions the `share` is kept; the first bears the number 0.

    In every second game a decision is random with the chance `stray`; with `opening` only until the clock of the
    system's sight moves on for the first time, and until then nothing is kept of such a game.
    """

    games: int
    share: float
    stray: float
    opening: bool


@driver
def collect(call, desk, found, plan):
    """Play games and write down a share of their positions, each as one seat sees it, until there is no more room.

    Returns positions, games, and -1 in place of the positions for a policy that answered what is not legal.
    """
    games, share, stray, opening = plan.games, plan.share, plan.stray, plan.opening
    k, p, s, seats = call.k, call.p, address_of(desk.state), len(call.teams)
    rng, size = desk.rng, len(desk.seen)
    rng_at, words_at, seen_at = address_of(rng), address_of(desk.words), address_of(desk.seen)
    used, entries, played = 0, 0, 0
    found.starts[0] = 0
    for number in range(games):
        if used + 1 >= len(found.seats) or entries + size + 1 > len(found.index):
            break
        begin, clock, turns, wild = used, np.int64(-1), 0, number % 2 == 1
        start_table(k, s, p, len(desk.state), rng=rng)
        for seat in range(seats):
            team = call.teams[seat]
            own = rand_below(rng, len(call.which))
            desk.cast[seat] = call.which[own] if team == seat else desk.cast[team]
        while True:
            bits = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
            if bits <= 0:
                break
            due = True
            if call.sight != 0:
                now = call_kernel(call.sight, CLOCK, s, p, 0, 0, 0)
                due = now != clock
                clock = now
                turns += due
                if opening and wild and due:
                    wild = turns < 2
                    due = not wild
            if due and rand_float(rng) < share and used + 1 < len(found.seats) and entries + size < len(found.index):
                seat = rand_below(rng, seats)
                see(k, call.sight, s, p, seat=seat, size=size, seen=seen_at)
                at, values = address_of(found.index) + 4 * entries, address_of(found.values) + 4 * entries
                entries += list_nonzero(seen_at, size, at, values=values)
                found.seats[used], found.games[used] = seat, number
                used += 1
                found.starts[used] = entries
            todo = bits
            while todo:
                # all choose before anybody's choice is applied
                seat = lowest_bit(todo)
                todo &= todo - 1
                call_kernel(k, LEGAL, s, p, seat, 0, words_at)
                which = desk.cast[seat]
                if which < 0 or (wild and rand_float(rng) < stray):
                    action = random_legal(desk.words, rng)
                else:
                    action = call_kernel(call.policy, which, s, p, seat, k, rng_at)
                if action < 0 or action >= 32 * len(desk.words) or not (desk.words[action >> 5] >> (action & 31)) & 1:
                    return -1, number
                desk.chosen[seat] = action
            while bits:
                seat = lowest_bit(bits)
                bits &= bits - 1
                call_kernel(k, APPLY, s, p, seat, desk.chosen[seat], 0)
            call_kernel(k, ROLL, s, p, 0, 0, rng_at)
        call_kernel(k, RETURNS, s, p, 0, 0, address_of(desk.payoff))
        for i in range(begin, used):
            found.payoffs[i] = desk.payoff[found.seats[i]]
        total = 0.0
        for seat in range(seats):
            total += desk.payoff[seat]
        desk.sums[0] = min(desk.sums[0], total)
        desk.sums[1] = max(desk.sums[1], total)
        played += 1
    return used, played


class Net(NamedTuple):
    """One hidden layer: `first` float32[L, H], `bias` float32[H], `last` float32[H + 1] (the answer's bias behind)."""

    first: Any
    bias: Any
    last: Any


@inner(allocates=False)
def answer(net, found, i, sums):
    """What the network says of position i; `sums` float32[H] are those of the hidden layer."""
    hidden = len(net.bias)
    for j in range(hidden):
        sums[j] = net.bias[j]
    for e in range(found.starts[i], found.starts[i + 1]):
        row, value = found.index[e], found.values[e]
        for j in range(hidden):
            sums[j] += value * net.first[row, j]
    total = net.last[hidden]
    for j in range(hidden):
        total += net.last[j] * max(sums[j], ZERO)
    return total


@driver
def answers(net, found, rows, out):
    """What the network says of the positions `rows` int64[m] into `out` float32[m]."""
    sums = np.zeros(len(net.bias), dtype=np.float32)
    for i in range(len(rows)):
        out[i] = answer(net, found, rows[i], sums)


@driver
def gradient(net, grads, found, rows, goals):
    """Add the gradient of half the squared error over `rows` int64[m] to `grads`, a Net; the sum of squared errors."""
    hidden = len(net.bias)
    sums = np.zeros(hidden, dtype=np.float32)
    slopes = np.zeros(hidden, dtype=np.float32)
    squares = 0.0
    for r in range(len(rows)):
        i = rows[r]
        error = np.float32(answer(net, found, i, sums) - goals[i])
        squares += error * error
        grads.last[hidden] += error
        for j in range(hidden):
            if sums[j] > ZERO:
                grads.last[j] += error * sums[j]
                slopes[j] = error * net.last[j]
            else:
                slopes[j] = ZERO
            grads.bias[j] += slopes[j]
        for e in range(found.starts[i], found.starts[i + 1]):
            row, value = found.index[e], found.values[e]
            for j in range(hidden):
                grads.first[row, j] += value * slopes[j]
    return squares


class School(NamedTuple):
    """A network that learns: `net` and its gradients `grads` (Nets over the flat arrays that follow), Adam's moments.

    `flat`, `flat_grads`, `first`, `second` float32[weights].
    """

    net: Any
    grads: Any
    flat: Any
    flat_grads: Any
    first: Any
    second: Any


class Course(NamedTuple):
    """What is learnt in one round: positions in the `order` int64[m], their `goals` float32[.], `batch` at a time.

    `begin`, `end` are the rates of learning at the start and in the end, `decay` that of the weights, in float32.
    """

    order: Any
    goals: Any
    batch: int
    begin: Any
    end: Any
    decay: Any


@driver
def step(school, scale, rate, decay, number):
    """Step `number` (from 1) of Adam (Kingma and Ba 2015) with decoupled decay; the gradients are zeroed.

    `scale` (of the gradients), `rate` and `decay` are float32.
    """
    weights, grads, first, second = school.flat, school.flat_grads, school.first, school.second
    left1, left2 = np.float32(1.0 - 0.9**number), np.float32(1.0 - 0.999**number)
    for i in range(len(weights)):
        g = grads[i] * scale
        grads[i] = ZERO
        first[i] = np.float32(0.9) * first[i] + np.float32(0.1) * g
        second[i] = np.float32(0.999) * second[i] + np.float32(0.001) * g * g
        move = first[i] / left1 / (np.sqrt(second[i] / left2) + np.float32(1e-8))
        weights[i] -= rate * (move + decay * weights[i])


@driver
def epoch(school, found, course, number):
    """Go once through the positions of a Course; the mean of squared errors, and the number of the next step."""
    order, squares, done = course.order, 0.0, 0
    while done < len(order):
        rows = order[done : done + course.batch]
        squares += gradient(school.net, school.grads, found, rows, goals=course.goals)
        rate = np.float32(course.begin + (course.end - course.begin) * done / len(order))
        step(school, np.float32(1.0 / len(rows)), rate, course.decay, number=number)
        number += 1
        done += len(rows)
    return squares / len(order), number
