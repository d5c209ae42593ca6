"""A growing game tree over the information states of all seats, and PCFR+ on it.

Nodes are histories. Whoever is to act at a node acts by its *information state*, which many nodes share: there lie the
regrets and the strategy. A child has a higher number than its parent, so that one loop up and one loop down suffice for
the chances of all nodes and for their values. Predictive regret matching with alternating updates (Farina, Kroer and
Sandholm 2021, Faster Game Solving via Predictive Blackwell Approachability).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..envs.core.inner import inner
from ..envs.core.jit import driver
from ..envs.core.rng import mix

LEAF, DECISION, CHANCE, SAMPLED, END = 0, 1, 2, 3, 4  # kinds of nodes
KIND, SEAT, FIRST, NEXT, COUNT, INFO, OPEN, VISITS, TRIES, BELIEF = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9  # columns of nodes
NODE_COLUMNS = 11  # BELIEF takes two, one a side
GUESS, CHANCE_OF, VALUE, REACH = 0, 2, 3, 4  # columns of Tree.floats: a guess and a reach for each side
FLOAT_COLUMNS = 7
DEALT = 6  # column of the chance that the dice alone bring one here
OFFSET, SIZE, ACTOR = 0, 1, 2  # columns of Tree.infos
INFO_COLUMNS = 3
REGRET, GAIN, NOW, AVERAGE = 0, 1, 2, 3  # columns of Tree.entries
ENTRY_COLUMNS = 4
OWN, MET = 0, 1  # columns of Tree.weights: sum of the own chances of an information state in a pass, and its nodes
RANGE, CF, WORTH = 0, 1, 2  # columns of Tree.beliefs
BELIEF_COLUMNS = 3
# entries of Tree.used; EFFORT: nodes that the solver may still visit
NODES, INFOS, ENTRIES, BELIEFS, ROOTS, FULL, SIMULATIONS, PASSES, EFFORT = range(9)
USED = 9


class Tree(NamedTuple):
    """A tree of up to N nodes, with E entries of information states, in memory that is touched as it grows.

    `nodes` int32[N, 11], `codes` int64[N] (the action or the outcomes that lead there), `floats` float64[N, 7];
    `table` int64[T] (T a power of 2; number + 1 of an information state, minus that of a belief, 0), `keys` int64[N],
    `infos` int32[N, 3], `weights` float64[N, 2]; `entries` float64[E, 4], `actions` int32[E]; `belief_keys` int64[N],
    `beliefs` float64[N, 3] (what is known at the end of a solution about what one side knows: the chance with which the
    side itself plays there, the chance of everything else, and what it is worth); `used` int64[9].
    """

    nodes: Any
    codes: Any
    floats: Any
    table: Any
    keys: Any
    infos: Any
    weights: Any
    entries: Any
    actions: Any
    belief_keys: Any
    beliefs: Any
    used: Any


class Roots(NamedTuple):
    """The positions at which a tree begins, at most R of them.

    `states` uint8[R, size], `hashes` int64[R], `nodes` int64[R], `mine` int64[R] (whether the searching seat is in its
    information state there), `counts` float64[R] (how often it was dealt), `ranges` float64[R, 2] (by side: the chance
    with which it plays there; in `expected` -1 where it is not known), `weights` float64[R] (of the deal).
    """

    states: Any
    hashes: Any
    nodes: Any
    mine: Any
    counts: Any
    expected: Any
    ranges: Any
    weights: Any


@driver(allocates=False)
def clear(tree):
    """Make a tree empty; of its hash table only what is taken is touched.

    From the place where a key belongs, entries lie without a gap up to where it is, so that they can go in one sweep.
    """
    mask = len(tree.table) - 1
    for info in range(tree.used[INFOS]):
        sweep(tree, mix(tree.keys[info], 1) & mask)
    for belief in range(tree.used[BELIEFS]):
        sweep(tree, mix(tree.belief_keys[belief], 1) & mask)
    tree.used[:] = 0


@inner(allocates=False)
def sweep(tree, slot):
    """Empty a hash table from a slot up to the next one that is empty."""
    mask = len(tree.table) - 1
    while tree.table[slot] != 0:
        tree.table[slot] = 0
        slot = (slot + 1) & mask


@driver(allocates=False)
def find_info(tree, key):
    """The number of an information state, or -1."""
    mask = len(tree.table) - 1
    slot = mix(key, 1) & mask
    while tree.table[slot] != 0:
        entry = tree.table[slot]
        if entry > 0 and tree.keys[entry - 1] == key:
            return entry - 1
        slot = (slot + 1) & mask
    return np.int64(-1)


@inner(allocates=False)
def add_info(tree, key, seat, size):
    """The number of an information state, which is made if it is new; -1 if there is no room.

    One of another number of actions is not the same, though its key is: it gets another key.
    """
    mask = len(tree.table) - 1
    slot = mix(key, 1) & mask
    while tree.table[slot] != 0:
        entry = tree.table[slot]
        if entry > 0 and tree.keys[entry - 1] == key:
            if tree.infos[entry - 1, SIZE] == size:
                return entry - 1
            key = mix(key, size)
            slot = mix(key, 1) & mask
        else:
            slot = (slot + 1) & mask
    info, offset = tree.used[INFOS], tree.used[ENTRIES]
    if info >= len(tree.keys) or offset + size > len(tree.entries):
        return np.int64(-1)
    tree.used[INFOS] = info + 1
    tree.used[ENTRIES] = offset + size
    tree.table[slot] = info + 1
    tree.keys[info] = key
    tree.infos[info, OFFSET] = offset
    tree.infos[info, SIZE] = size
    tree.infos[info, ACTOR] = seat
    for j in range(size):
        tree.entries[offset + j, REGRET] = 0.0
        tree.entries[offset + j, GAIN] = 0.0
        tree.entries[offset + j, NOW] = 1.0 / size
        tree.entries[offset + j, AVERAGE] = 0.0
    return info


@inner(allocates=False)
def find_belief(tree, key):
    """The number of a belief, or -1 - (its free slot of the table)."""
    mask = len(tree.table) - 1
    slot = mix(key, 1) & mask
    while tree.table[slot] != 0:
        entry = -tree.table[slot]
        if entry > 0 and tree.belief_keys[entry - 1] == key:
            return entry - 1
        slot = (slot + 1) & mask
    return -1 - slot


@inner(allocates=False)
def add_belief(tree, key):
    """The number of a belief, which is made if it is new; -1 if there is no room."""
    found = find_belief(tree, key)
    belief = tree.used[BELIEFS]
    if found >= 0:
        return found
    if belief >= len(tree.belief_keys):
        return np.int64(-1)
    tree.used[BELIEFS] = belief + 1
    tree.table[-1 - found] = -(belief + 1)
    tree.belief_keys[belief] = key
    return belief


@inner(allocates=False)
def add_node(tree, parent):
    """A new leaf, the first child of its parent (-1: none); -1 if there is no room."""
    node = tree.used[NODES]
    if node >= len(tree.nodes):
        return np.int64(-1)
    tree.used[NODES] = node + 1
    row = tree.nodes[node]
    row[:] = 0
    row[FIRST], row[NEXT], row[INFO], row[OPEN], row[BELIEF], row[BELIEF + 1] = -1, -1, -1, 1, -1, -1
    tree.floats[node, :] = 0.0
    tree.floats[node, CHANCE_OF] = 1.0
    if parent >= 0:
        row[NEXT] = tree.nodes[parent, FIRST]
        tree.nodes[parent, FIRST] = node
        tree.nodes[parent, COUNT] += 1
    return node


@driver(allocates=False)
def spread(tree, roots, sides, learner, average):
    """Chances of all nodes, from the root down, by the strategies of now or the average ones.

    Of the information states of the side `learner` (-1: none) the own chances are added up. `sides` int64[seats].
    """
    nodes, floats = tree.nodes, tree.floats
    column = AVERAGE if average else NOW
    for root in range(tree.used[ROOTS]):
        node = roots.nodes[root]
        floats[node, REACH] = roots.ranges[root, 0]
        floats[node, REACH + 1] = roots.ranges[root, 1]
        floats[node, DEALT] = roots.weights[root]
    for node in range(tree.used[NODES]):
        kind = nodes[node, KIND]
        if kind in (LEAF, END):
            continue
        first, second, dealt = floats[node, REACH], floats[node, REACH + 1], floats[node, DEALT]
        child = nodes[node, FIRST]
        if kind == DECISION:
            side = sides[nodes[node, SEAT]]
            info = nodes[node, INFO]
            if side == learner:
                tree.weights[info, OWN] += floats[node, REACH + side]
                tree.weights[info, MET] += 1.0
            entry = tree.infos[info, OFFSET] + tree.infos[info, SIZE] - 1  # the last action is the first child
            while child >= 0:
                chance = tree.entries[entry, column]
                floats[child, REACH] = first * chance if side == 0 else first
                floats[child, REACH + 1] = second * chance if side == 1 else second
                floats[child, DEALT] = dealt
                child = nodes[child, NEXT]
                entry -= 1
        else:
            share = 1.0 / nodes[node, COUNT]
            while child >= 0:
                floats[child, REACH] = first
                floats[child, REACH + 1] = second
                floats[child, DEALT] = dealt * (floats[child, CHANCE_OF] if kind == CHANCE else share)
                child = nodes[child, NEXT]


@inner(allocates=False)
def gather(tree, sides, learner, average):
    """What every node is worth to the side `learner`, from the leaves up; gains of its actions are added up."""
    nodes, floats = tree.nodes, tree.floats
    column = AVERAGE if average else NOW
    for node in range(tree.used[NODES] - 1, -1, -1):
        kind = nodes[node, KIND]
        if kind in (LEAF, END):
            floats[node, VALUE] = floats[node, GUESS + learner]
            continue
        value = 0.0
        child = nodes[node, FIRST]
        if kind == DECISION:
            info = nodes[node, INFO]
            entry = tree.infos[info, OFFSET] + tree.infos[info, SIZE] - 1
            own = sides[nodes[node, SEAT]] == learner
            weight = floats[node, REACH + 1 - learner] * floats[node, DEALT] if own else 0.0
            while child >= 0:
                worth = floats[child, VALUE]
                value += tree.entries[entry, column] * worth
                tree.entries[entry, GAIN] += weight * worth
                child = nodes[child, NEXT]
                entry -= 1
        else:
            share = 1.0 / nodes[node, COUNT]
            while child >= 0:
                value += (floats[child, CHANCE_OF] if kind == CHANCE else share) * floats[child, VALUE]
                child = nodes[child, NEXT]
        floats[node, VALUE] = value


@inner(allocates=False)
def learn(tree, sides, learner, weight):
    """Predictive regret matching+ at all information states of a side; `weight` is that of the strategy just played."""
    entries = tree.entries
    for info in range(tree.used[INFOS]):
        if sides[tree.infos[info, ACTOR]] != learner:
            continue
        begin = tree.infos[info, OFFSET]
        end = begin + tree.infos[info, SIZE]
        own = tree.weights[info, OWN] / max(tree.weights[info, MET], 1.0)
        tree.weights[info, OWN] = 0.0
        tree.weights[info, MET] = 0.0
        expected = 0.0
        for entry in range(begin, end):
            expected += entries[entry, NOW] * entries[entry, GAIN]
            entries[entry, AVERAGE] += weight * own * entries[entry, NOW]
        total = 0.0
        for entry in range(begin, end):
            gain = entries[entry, GAIN] - expected
            entries[entry, GAIN] = 0.0
            regret = max(entries[entry, REGRET] + gain, 0.0)
            entries[entry, REGRET] = regret
            entries[entry, NOW] = max(regret + gain, 0.0)  # the last gain is expected to come again
            total += entries[entry, NOW]
        for entry in range(begin, end):
            entries[entry, NOW] = entries[entry, NOW] / total if total > 0.0 else 1.0 / (end - begin)


@driver(allocates=False)
def iterate(tree, roots, sides):
    """One pass of the solver for each side; how many nodes were visited.

    The average weighs a pass by the square of the number of simulations before it, so that what was learnt on a small
    tree is forgotten as it grows.
    """
    tree.used[PASSES] += 1
    weight = np.float64(tree.used[SIMULATIONS]) ** 2
    for learner in range(2):
        spread(tree, roots, sides, learner=learner, average=False)
        gather(tree, sides, learner=learner, average=False)
        learn(tree, sides, learner=learner, weight=weight)
    return 2 * tree.used[NODES]


@driver(allocates=False)
def settle(tree, roots, sides):
    """End a solution: average strategies become chances, and beliefs are worth what they are worth under them."""
    entries = tree.entries
    for info in range(tree.used[INFOS]):
        begin = tree.infos[info, OFFSET]
        end = begin + tree.infos[info, SIZE]
        total = 0.0
        for entry in range(begin, end):
            total += entries[entry, AVERAGE]
        for entry in range(begin, end):
            entries[entry, AVERAGE] = entries[entry, AVERAGE] / total if total > 0.0 else entries[entry, NOW]
    tree.beliefs[: tree.used[BELIEFS]] = 0.0
    spread(tree, roots, sides, learner=-1, average=True)
    for side in range(2):
        gather(tree, sides, learner=side, average=True)
        for node in range(tree.used[NODES]):
            belief = tree.nodes[node, BELIEF + side]
            if belief >= 0:
                others = tree.floats[node, REACH + 1 - side] * tree.floats[node, DEALT]
                tree.beliefs[belief, RANGE] = tree.floats[node, REACH + side]
                tree.beliefs[belief, CF] += others
                tree.beliefs[belief, WORTH] += others * tree.floats[node, VALUE]
    for entry in range(tree.used[ENTRIES]):
        entries[entry, GAIN] = 0.0
