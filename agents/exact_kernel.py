"""Compiled enumeration of a whole game: every die by its faces, every decision by its actions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..envs.core.abi import (
    APPLY,
    DIE,
    FALL,
    KEY,
    LEGAL,
    RETURNS,
    TO_ACT,
    address_of,
    call_kernel,
    copy_bytes,
    lowest_bit,
    popcount,
)
from ..envs.core.inner import inner
from ..envs.core.jit import driver
from ..envs.core.rng import mix
from .cfr_kernel import nth_action

CHANCE, TERMINAL = -2, -1  # values of Nodes.kind that are not seats
N_NODES, N_TERMINALS, N_INFOS = 0, 1, 2  # entries of `used`
FULL, TOO_DEEP, BAD_RULES, MERGED = -2, -3, -4, -5  # statuses


class Nodes(NamedTuple):
    """All nodes in preorder, N of them.

    `kind` int8[N] (a seat, CHANCE or TERMINAL), `parent` int32[N], `branch` int16[N] (which child of its parent), `fan`
    int16[N] (children), `ref` int32[N] (information state, or row of the payoffs).
    """

    kind: Any
    parent: Any
    branch: Any
    fan: Any
    ref: Any


class Infos(NamedTuple):
    """All information states in the order in which they are met, M of room.

    `table` int64[T] (T a power of 2), `keys` int64[M], `seat`, `level` (own decisions before), `node` (the first of
    them) int64[M], `words` int64[M, W] (legal sets).
    """

    table: Any
    keys: Any
    seat: Any
    level: Any
    node: Any
    words: Any


@inner
def info_of(infos, used, key):
    """Index of an information state, or -1 - (its free slot)."""
    mask = len(infos.table) - 1
    slot = mix(key, 1) & mask
    while True:
        entry = infos.table[slot]
        if entry == 0:
            return -1 - slot
        if infos.keys[entry - 1] == key:
            return entry - 1
        slot = (slot + 1) & mask


@driver
def enter(k, p, s, seat, level, words, infos, used):
    """The information state of a seat that is to decide, new ones included; or a status below 0."""
    key = mix(call_kernel(k, KEY, s, p, seat, 0, 0), seat)
    info = info_of(infos, used, key)
    if info >= 0:
        if infos.level[info] != level:
            return MERGED
        for w in range(len(words)):
            if infos.words[info, w] != words[w]:
                return MERGED
        return info
    new = used[N_INFOS]
    if new >= len(infos.keys):
        return FULL
    used[N_INFOS] = new + 1
    infos.table[-1 - info] = new + 1
    infos.keys[new] = key
    infos.seat[new] = seat
    infos.level[new] = level
    infos.node[new] = used[N_NODES] - 1
    for w in range(len(words)):
        infos.words[new, w] = words[w]
    return new


class Path(NamedTuple):
    """Working space for depth D: `states` uint8[D, size], `stack` int64[D, 2] (node, next child).

    `levels` int64[D, seats] count own decisions so far, `words` int64[D, W] are legal sets.
    """

    states: Any
    stack: Any
    levels: Any
    words: Any


@driver
def enumerate_game(k, p, path, nodes, infos, payoffs, used):
    """Enumerate the game from its start; 0 or a status below 0 (FULL: more nodes than there is room for).

    `path` Path is working space. Out: `nodes`, `infos`, `payoffs` float64[Z, capacity], `used` int64[3].
    """
    states, stack, levels, words = path.states, path.stack, path.levels, path.words
    size = states.shape[1]
    base = address_of(states)
    seats = levels.shape[1]
    copy_bytes(base, p - size, size)
    levels[0, :] = 0
    depth, parent, branch = 0, np.int64(-1), np.int64(0)
    while True:
        # Enter the record at `depth` as a node.
        s = base + depth * size
        node = used[N_NODES]
        if node >= len(nodes.kind):
            return FULL
        used[N_NODES] = node + 1
        nodes.parent[node] = parent
        nodes.branch[node] = branch
        faces = call_kernel(k, DIE, s, p, 0, 0, 0)
        if faces < 0:
            return BAD_RULES
        bits = np.int64(0) if faces else call_kernel(k, TO_ACT, s, p, 0, 0, 0)
        if bits < 0:
            return BAD_RULES
        if faces:
            nodes.kind[node] = CHANCE
            nodes.fan[node] = faces
        elif bits == 0:
            nodes.kind[node] = TERMINAL
            nodes.fan[node] = 0
            row = used[N_TERMINALS]
            if row >= len(payoffs):
                return FULL
            used[N_TERMINALS] = row + 1
            nodes.ref[node] = row
            call_kernel(k, RETURNS, s, p, 0, 0, address_of(payoffs) + 8 * payoffs.shape[1] * row)
        else:
            seat = lowest_bit(bits)
            call_kernel(k, LEGAL, s, p, seat, 0, address_of(words) + 8 * words.shape[1] * depth)
            total = 0
            for w in range(words.shape[1]):
                total += popcount(words[depth, w])
            if total == 0:
                return BAD_RULES
            info = enter(k, p, s, seat, level=levels[depth, seat], words=words[depth], infos=infos, used=used)
            if info < 0:
                return info
            nodes.kind[node] = seat
            nodes.fan[node] = total
            nodes.ref[node] = info
        stack[depth, 0] = node
        stack[depth, 1] = 0
        # Up to the last node with a child left, and down to that child.
        while stack[depth, 1] >= nodes.fan[stack[depth, 0]]:
            if depth == 0:
                return 0
            depth -= 1
        if depth + 1 >= len(states):
            return TOO_DEEP
        parent, branch = stack[depth, 0], stack[depth, 1]
        stack[depth, 1] = branch + 1
        s = base + depth * size
        child = s + size
        copy_bytes(child, s, size)
        for seat in range(seats):
            levels[depth + 1, seat] = levels[depth, seat]
        kind = nodes.kind[parent]
        if kind == CHANCE:
            call_kernel(k, FALL, child, p, branch, 0, 0)
        else:
            levels[depth + 1, kind] += 1
            call_kernel(k, APPLY, child, p, kind, nth_action(words[depth], branch), 0)
        depth += 1


@driver
def replay(k, p, nodes, targets, path, words, states):
    """Play from the start to each node of `targets` int64[m]; write the records to `states` uint8[m, size].

    Working space: `path` int64[D], `words` int64[W].
    """
    size = states.shape[1]
    for i in range(len(targets)):
        s = address_of(states) + i * size
        copy_bytes(s, p - size, size)
        length = 0
        node = targets[i]
        while node > 0:
            path[length] = node
            length += 1
            node = np.int64(nodes.parent[node])
        while length > 0:
            length -= 1
            node = path[length]
            kind = nodes.kind[nodes.parent[node]]
            if kind == CHANCE:
                call_kernel(k, FALL, s, p, nodes.branch[node], 0, 0)
            else:
                call_kernel(k, LEGAL, s, p, kind, 0, address_of(words))
                call_kernel(k, APPLY, s, p, kind, nth_action(words, nodes.branch[node]), 0)


@inner
def reach_of(nodes, starts, chances, me, reach):
    """Write the chance of every node that is due to dice and to all seats but `me` (-1: to all): float64[N].

    `starts` int64[M + 1], `chances` float64[E] are the strategies of all seats, by information state.
    """
    reach[0] = 1.0
    for node in range(1, len(reach)):
        parent = nodes.parent[node]
        kind = nodes.kind[parent]
        chance = 1.0
        if kind == CHANCE:
            chance = 1.0 / nodes.fan[parent]
        elif kind != me:
            chance = chances[starts[nodes.ref[parent]] + nodes.branch[node]]
        reach[node] = reach[parent] * chance


@driver
def expected(nodes, starts, chances, payoffs, seats, out):
    """Write the payoff of every seat when all follow their strategies: float64[seats]."""
    reach = np.zeros(len(nodes.kind), np.float64)
    reach_of(nodes, starts, chances, -1, reach=reach)
    for node in range(len(reach)):
        if nodes.kind[node] == TERMINAL:
            for seat in range(seats):
                out[seat] += reach[node] * payoffs[nodes.ref[node], seat]


@driver
def respond(nodes, starts, chances, payoffs, level_of, deepest, me, best):
    """Best response of the seat `me` to the strategies of the others; returns its value.

    `best` int64[M] gets the branch to take at each of its information states (ties: the lowest). States are settled in
    the order of their own decisions before them (`level_of` int64[M]), the latest first: with perfect recall what comes
    after is then known.
    """
    n = len(nodes.kind)
    reach = np.zeros(n, np.float64)
    reach_of(nodes, starts, chances, me, reach=reach)
    value = np.zeros(n, np.float64)
    gains = np.zeros(len(chances), np.float64)
    for level in range(deepest, -2, -1):
        value[:] = 0.0
        for node in range(n - 1, -1, -1):  # children before parents
            if nodes.kind[node] == TERMINAL:
                value[node] = payoffs[nodes.ref[node], me]
            if node == 0:
                continue
            parent = nodes.parent[node]
            kind = nodes.kind[parent]
            if kind == CHANCE:
                value[parent] += value[node] / nodes.fan[parent]
            elif kind != me:
                value[parent] += value[node] * chances[starts[nodes.ref[parent]] + nodes.branch[node]]
            else:
                info = nodes.ref[parent]
                if level_of[info] == level:
                    gains[starts[info] + nodes.branch[node]] += reach[parent] * value[node]
                elif level_of[info] > level and nodes.branch[node] == best[info]:
                    value[parent] = value[node]
        if level < 0:
            break
        for info in range(len(level_of)):
            if level_of[info] == level:
                first = starts[info]
                best[info] = np.argmax(gains[first : starts[info + 1]])
    return value[0]
