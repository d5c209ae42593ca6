"""Compiled trees of a search: information states in a hash table, actions as edges in linked lists, and selection."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..envs.core.abi import lowest_bit
from ..envs.core.batch import random_legal
from ..envs.core.jit import driver
from ..envs.core.rng import mix, rand_float

FIRST, NODE_RM, NODE_MANY = 0, 1, 2  # columns of Tree.nodes
VISITS, NODE_TOTAL = 0, 1  # columns of Tree.stats
ACTION, NEXT, COUNT, AVAILABLE, STAMP = 0, 1, 2, 3, 4  # columns of Tree.edges
TOTAL, SQUARES, REGRET, STRATEGY = 0, 1, 2, 3  # columns of Tree.sums
NODES, EDGES, SIMULATIONS = 0, 1, 2  # entries of Tree.used
EDGES_OF_NODE = 4  # in the mean


class Tree(NamedTuple):
    """Working space of one search.

    `table` int64[T] (T a power of 2; node + 1, or 0), `keys` int64[M], `nodes` int64[M, 3], `stats` float64[M, 2],
    `edges` int64[E, 5], `sums` float64[E, 4], `used` int64[3].
    """

    table: Any
    keys: Any
    nodes: Any
    stats: Any
    edges: Any
    sums: Any
    used: Any


def empty_tree(nodes: int, actions: int) -> Tree:
    """An empty tree; its memory is taken as it is touched."""
    # A visit adds one edge; a node of regret matching adds all of its actions at its second visit.
    edges = EDGES_OF_NODE * nodes + actions
    return Tree(
        table=np.zeros(1 << (2 * nodes).bit_length(), dtype=np.int64),
        keys=np.empty(nodes, dtype=np.int64),
        nodes=np.empty((nodes, 3), dtype=np.int64),
        stats=np.empty((nodes, 2), dtype=np.float64),
        edges=np.empty((edges, 5), dtype=np.int64),
        sums=np.empty((edges, 4), dtype=np.float64),
        used=np.zeros(3, dtype=np.int64),
    )


@driver(allocates=False)
def clear(tree):
    """Make a tree empty; of its hash table only what is taken is touched.

    From the place where a key belongs, entries lie without a gap up to where it is, so that they can go in one sweep.
    """
    mask = len(tree.table) - 1
    for node in range(tree.used[NODES]):
        slot = mix(tree.keys[node], 1) & mask
        while tree.table[slot] != 0:
            tree.table[slot] = 0
            slot = (slot + 1) & mask
    tree.used[:] = 0


@driver(allocates=False)
def find_node(tree, key):
    """Index of the node with this key, or -1 - (its free slot of the table)."""
    mask = len(tree.table) - 1
    slot = mix(key, 1) & mask
    while True:
        entry = tree.table[slot]
        if entry == 0:
            return -1 - slot
        if tree.keys[entry - 1] == key:
            return entry - 1
        slot = (slot + 1) & mask


@driver(allocates=False)
def add_node(tree, key, slot):
    """A new node without edges at a free slot of the table, or -1 if there is no room."""
    node = tree.used[NODES]
    if node >= len(tree.keys):
        return -1
    tree.used[NODES] = node + 1
    tree.table[slot] = node + 1
    tree.keys[node] = key
    tree.nodes[node, FIRST] = -1
    tree.nodes[node, NODE_RM] = 0
    tree.nodes[node, NODE_MANY] = 0
    tree.stats[node, VISITS] = 0.0
    tree.stats[node, NODE_TOTAL] = 0.0
    return node


@driver(allocates=False)
def find_edge(tree, node, action):
    """The edge of a node for an action, or -1."""
    edge = tree.nodes[node, FIRST]
    while edge >= 0 and tree.edges[edge, ACTION] != action:
        edge = tree.edges[edge, NEXT]
    return edge


@driver(allocates=False)
def add_edge(tree, node, action, stamp):
    """A new edge of a node, available once, or -1 if there is no room."""
    edge = tree.used[EDGES]
    if edge >= len(tree.edges):
        return -1
    tree.used[EDGES] = edge + 1
    tree.edges[edge, ACTION] = action
    tree.edges[edge, NEXT] = tree.nodes[node, FIRST]
    tree.edges[edge, COUNT] = 0
    tree.edges[edge, AVAILABLE] = 1
    tree.edges[edge, STAMP] = stamp
    tree.sums[edge, TOTAL] = 0.0
    tree.sums[edge, SQUARES] = 0.0
    tree.sums[edge, REGRET] = 0.0
    tree.sums[edge, STRATEGY] = 0.0
    tree.nodes[node, FIRST] = edge
    return edge


@driver(allocates=False)
def select_ucb(tree, node, left, c, low, high, stamp, rng):
    """An edge by UCB1 with availability counts (Auer et al. 2002; Cowling et al. 2012); -1 - action without an edge.

    `left` int64[W] is the legal set, used up. An action never tried comes first.
    """
    scale = 1.0 / (high - low) if high > low else 0.0
    best, best_score = np.int64(-1), -np.inf
    seen, log_seen = np.int64(0), 0.0
    edge = tree.nodes[node, FIRST]
    while edge >= 0:
        action = tree.edges[edge, ACTION]
        bit = np.int64(1) << (action & 31)
        if left[action >> 5] & bit:
            left[action >> 5] ^= bit
            tree.edges[edge, AVAILABLE] += 1
            available = tree.edges[edge, AVAILABLE]
            if available != seen:
                seen, log_seen = available, np.log(available)
            n = tree.edges[edge, COUNT]
            score = np.inf
            if n > 0:
                score = (tree.sums[edge, TOTAL] / n - low) * scale + c * np.sqrt(log_seen / n)
            if score > best_score:
                best, best_score = edge, score
        edge = tree.edges[edge, NEXT]
    action = random_legal(left, rng)
    if action >= 0:
        edge = add_edge(tree, node, action, stamp)
        return edge if edge >= 0 else -1 - action
    return best


@driver(allocates=False)
def positive_regrets(tree, node, stamp):
    """The sum of the positive regrets of the edges that were legal in the visit `stamp`, and how many these are."""
    total, k = 0.0, 0
    edge = tree.nodes[node, FIRST]
    while edge >= 0:
        if tree.edges[edge, STAMP] == stamp:
            total += max(tree.sums[edge, REGRET], 0.0)
            k += 1
        edge = tree.edges[edge, NEXT]
    return total, k


@driver(allocates=False)
def matched(tree, edge, total, k):
    """The chance of an edge by regret matching, from what `positive_regrets` gave for its node."""
    return max(tree.sums[edge, REGRET], 0.0) / total if total > 0.0 else 1.0 / k


@driver(allocates=False)
def select_rm(tree, node, left, gamma, stamp, rng, prob):
    """An edge by regret matching (Hart and Mas-Colell 2000), `prob` float64[1] its chance; -1 - action without an edge.

    The strategy is added to the average with a weight that grows with the visits (linear averaging).
    """
    tree.nodes[node, NODE_RM] = 1
    edge = tree.nodes[node, FIRST]
    while edge >= 0:
        action = tree.edges[edge, ACTION]
        bit = np.int64(1) << (action & 31)
        if left[action >> 5] & bit:
            left[action >> 5] ^= bit
            tree.edges[edge, STAMP] = stamp
        edge = tree.edges[edge, NEXT]
    for w in range(len(left)):
        while left[w]:
            action = 32 * w + lowest_bit(left[w])
            left[w] &= left[w] - 1
            if add_edge(tree, node, action, stamp) < 0:
                prob[0] = 0.0
                return -1 - action
    total, k = positive_regrets(tree, node, stamp)
    weight = tree.stats[node, VISITS]
    pick = rand_float(rng)
    chosen = np.int64(-1)
    edge = tree.nodes[node, FIRST]
    while edge >= 0:
        if tree.edges[edge, STAMP] == stamp:
            sigma = matched(tree, edge, total, k)
            tree.sums[edge, STRATEGY] += weight * sigma
            chance = (1.0 - gamma) * sigma + gamma / k
            if pick >= 0.0 and chance > 0.0:
                chosen = edge
                prob[0] = chance
            pick -= chance
        edge = tree.edges[edge, NEXT]
    return chosen


@driver(allocates=False)
def update_rm(tree, node, chosen, utility, prob, stamp):
    """Add the sampled regrets of one visit, floored at 0 (regret matching+, Tammelin 2014).

    Only one action was tried, so its value is importance-weighted, with the mean value of each action as the control
    variate (Schmid et al. 2019, Variance Reduction in Monte Carlo Counterfactual Regret Minimization).
    """
    visits = tree.stats[node, VISITS]
    base = tree.stats[node, NODE_TOTAL] / visits if visits > 0.0 else utility
    total, k = positive_regrets(tree, node, stamp)
    expected = 0.0
    for last in range(2):
        edge = tree.nodes[node, FIRST]
        while edge >= 0:
            if tree.edges[edge, STAMP] == stamp:
                n = tree.edges[edge, COUNT]
                value = tree.sums[edge, TOTAL] / n if n > 0 else base
                if edge == chosen:
                    value += (utility - value) / prob
                if last:
                    tree.sums[edge, REGRET] = max(tree.sums[edge, REGRET] + value - expected, 0.0)
                else:
                    expected += matched(tree, edge, total, k) * value
            edge = tree.edges[edge, NEXT]
