"""Compiled loops over the sequence form of a game: plans, best answers, and regret minimization without the rules.

A seat's *sequences* are numbered from 0 (nothing done) in the order of its information states and their actions; a
*plan* gives each the chance that the seat itself contributes. What sequences of both seats bring together is a sparse
matrix, so that an iteration is a product with it and one pass over the information states.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..envs.core.inner import inner
from ..envs.core.jit import driver
from .exact_kernel import CHANCE, TERMINAL

FORGETS = -6  # a status: information states with different own pasts
CFR_PLUS, DCFR, PCFR_PLUS = range(3)


class Side(NamedTuple):
    """What a seat decides, and what it gets.

    `parent` int64[m]: the own sequence before each of its information states; `starts` int64[m + 1]: their first
    sequences, the last entry is the number of all. `rows` int64[sequences + 1], `columns` int32[n], `values`
    float64[n]: what it gets for each of its own sequences with those of the other seat; chance is counted in.
    """

    parent: Any
    starts: Any
    rows: Any
    columns: Any
    values: Any


class Learnt(NamedTuple):
    """What is learnt for a seat, all float64[sequences].

    `regrets`; `average`: sum of plans; `chances`: the strategy now; `plan`; `gains`: working space; `last`: the regrets
    of the last iteration, as the prediction of the next.
    """

    regrets: Any
    average: Any
    chances: Any
    plan: Any
    gains: Any
    last: Any


@driver(allocates=False)
def sequences_of(nodes, starts, own, chance, last, before):
    """Sequences of both seats and the chance of dice at every node of a tree; 0 or FORGETS.

    `starts` int64[M + 1] by information state, `own` int64[M]: the first sequence of each, among those of its seat.
    Out: `chance` float64[N], `last` int64[N, 2], `before` int64[M] (-1 at first).
    """
    chance[0] = 1.0
    for node in range(len(chance)):
        if node > 0:
            parent = nodes.parent[node]
            kind = nodes.kind[parent]
            chance[node] = chance[parent]
            last[node, 0] = last[parent, 0]
            last[node, 1] = last[parent, 1]
            if kind == CHANCE:
                chance[node] /= nodes.fan[parent]
            else:
                last[node, kind] = own[nodes.ref[parent]] + nodes.branch[node]
        kind = nodes.kind[node]
        if kind != CHANCE and kind != TERMINAL:
            info = nodes.ref[node]
            if before[info] != -1 and before[info] != last[node, kind]:
                return FORGETS
            before[info] = last[node, kind]
    return 0


@driver(allocates=False)
def set_plan(side, chances, plan):
    """The plan of a strategy, both float64[sequences]."""
    plan[0] = 1.0
    for info in range(len(side.parent)):
        reach = plan[side.parent[info]]
        for i in range(side.starts[info], side.starts[info + 1]):
            plan[i] = reach * chances[i]


@inner(allocates=False)
def set_gains(side, other, gains):
    """What a seat gets at the end of each of its sequences, float64[sequences], against a plan of the other."""
    for row in range(len(gains)):
        total = 0.0
        for k in range(side.rows[row], side.rows[row + 1]):
            total += side.values[k] * other[side.columns[k]]
        gains[row] = total


@driver(allocates=False)
def best_answer(side, other, gains, chances):
    """The most that a seat gets against a plan of the other; `chances` float64[sequences] gets such a strategy."""
    set_gains(side, other, gains)
    for info in range(len(side.parent) - 1, -1, -1):  # what follows comes later
        begin, end = side.starts[info], side.starts[info + 1]
        best = begin
        for i in range(begin, end):
            chances[i] = 0.0
            if gains[i] > gains[best]:
                best = i
        chances[best] = 1.0
        gains[side.parent[info]] += gains[best]
    return gains[0]


@driver(allocates=False)
def value_of(side, other, gains, chances):
    """What a strategy of a seat gets against a plan of the other; `gains` is working space."""
    set_gains(side, other, gains)
    for info in range(len(side.parent) - 1, -1, -1):
        for i in range(side.starts[info], side.starts[info + 1]):
            gains[side.parent[info]] += chances[i] * gains[i]
    return gains[0]


@inner(allocates=False)
def match_regrets(learnt, begin, end, predict):
    """The next strategy at one information state, by its positive regrets, with the last ones added if `predict`."""
    total = 0.0
    for i in range(begin, end):
        wish = learnt.regrets[i] + (learnt.last[i] if predict else 0.0)
        learnt.chances[i] = wish if wish > 0.0 else 0.0
        total += learnt.chances[i]
    for i in range(begin, end):
        learnt.chances[i] = learnt.chances[i] / total if total > 0.0 else 1.0 / (end - begin)


@inner(allocates=False)
def update(side, learnt, other, method, t):
    """One iteration of a seat against the plan of the other: regrets, the next strategy, its plan, the average.

    `t` counts from 1. CFR+ (Tammelin 2014): regrets floored at 0, averages weighted by t. DCFR (Brown and Sandholm
    2019): regrets discounted by t^1.5 / (t^1.5 + 1), negative ones halved, averages weighted by t^2. PCFR+ (Farina,
    Kroer and Sandholm 2021): CFR+ that expects the last regrets once more, averages weighted by t^2.
    """
    gains = learnt.gains
    set_gains(side, other, gains)
    keep = t**1.5 / (t**1.5 + 1.0)
    for info in range(len(side.parent) - 1, -1, -1):
        begin, end = side.starts[info], side.starts[info + 1]
        value = 0.0
        for i in range(begin, end):
            value += learnt.chances[i] * gains[i]
        for i in range(begin, end):
            change = gains[i] - value
            regret = learnt.regrets[i] + change
            if method == DCFR:
                regret *= keep if regret > 0.0 else 0.5
            elif regret < 0.0:
                regret = 0.0
            learnt.regrets[i] = regret
            learnt.last[i] = change
        gains[side.parent[info]] += value
        match_regrets(learnt, begin, end, method == PCFR_PLUS)
    set_plan(side, learnt.chances, learnt.plan)
    weight = t if method == CFR_PLUS else t * t
    for i in range(len(gains)):
        learnt.average[i] += weight * learnt.plan[i]


@driver(allocates=False)
def iterate(sides, learnt, method, begin, count):
    """`count` iterations of both seats in turn, numbered from `begin`; `sides` and `learnt` of both."""
    for t in range(begin, begin + count):
        for seat in range(2):
            update(sides[seat], learnt[seat], learnt[1 - seat].plan, method, t=float(t))
