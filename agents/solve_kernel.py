"""Compiled growth of the tree that `solve_search` solves, over any rule set.

A simulation deals a position that agrees with what the seat knows, follows the strategies of now to a leaf, and makes
the leaf a node whose children are valued by play that goes on from there. The solver (`solve_tree.py`) runs in between.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..envs.core.abi import (
    APPLY,
    DETERMINIZE,
    DIE,
    FALL,
    KEY,
    LEGAL,
    RETURNS,
    ROLL,
    TO_ACT,
    address_of,
    call_kernel,
    copy_bytes,
    lowest_bit,
    popcount,
)
from ..envs.core.batch import random_legal
from ..envs.core.jit import driver
from ..envs.core.rng import mix, next_u64, rand_below, rand_float
from .search_kernel import BAD_POLICY, BAD_RULES, CLOCK, ESTIMATE, cast, roll_out
from .solve_tree import (
    AVERAGE,
    BELIEF,
    BELIEFS,
    CF,
    CHANCE,
    CHANCE_OF,
    COUNT,
    DECISION,
    EFFORT,
    END,
    FIRST,
    FULL,
    GUESS,
    INFO,
    INFOS,
    KIND,
    LEAF,
    NEXT,
    NODES,
    NOW,
    OFFSET,
    OPEN,
    RANGE,
    ROOTS,
    SAMPLED,
    SEAT,
    SIMULATIONS,
    SIZE,
    TRIES,
    VISITS,
    add_belief,
    add_info,
    add_node,
    find_belief,
    find_info,
    iterate,
)

MOST_OUTCOMES = 36  # of dice thrown at once, up to which all of them become children; beyond, they are sampled
MOST_DICE = 64  # thrown at once, of which outcomes are counted up
CHAIN = 16  # deals after which a chain of deals begins again with what the seat knows
ALIKE = 64  # deals of one and the same position after which no other is expected
LINK, SINCE, DEALS, HITS, CHAINED, FIRSTS = 0, 1, 2, 3, 4, 5  # entries of Scratch.deals
BELIEF_SALT = 0x5EA7


class Options(NamedTuple):
    """How to search; see `probespiel.agents.solve_search` for the meaning."""

    policy: int
    which: Any  # int64[k], as in `search_kernel.Options`
    epsilon: float
    outlook: int
    horizon: int
    effort: int
    explore: float
    ripe: int
    floor: float


class Table(NamedTuple):
    """The game: entry point, parameters, words of a legal set; `sides`, `teams` int64[seats] (see `search_kernel`)."""

    k: int
    p: int
    n_words: int
    sides: Any
    teams: Any


class Scratch(NamedTuple):
    """Working space: records `state`, `play`, `dealt` uint8[size] (`dealt_words` int64[size // 8] is a view), sets `words` int64[W], `path` int64[P].

    `which` int64[capacity], `payoff` float64[capacity], `found` float64[2] (utility of each side), `digits`, `faces`
    int64[64], `chosen` int64[64], `deals` int64[6]; `link` uint8[size] (end of the chain of deals), `seed` uint64[1].
    """

    state: Any
    play: Any
    dealt: Any
    dealt_words: Any
    words: Any
    path: Any
    which: Any
    payoff: Any
    found: Any
    digits: Any
    faces: Any
    chosen: Any
    deals: Any
    link: Any
    seed: Any


@driver(allocates=False)
def hash_record(scratch):
    """A hash of the record in `dealt`."""
    h = np.int64(0)
    for word in scratch.dealt_words:
        h = mix(h, word)
    for i in range(8 * len(scratch.dealt_words), len(scratch.dealt)):
        h = mix(h, scratch.dealt[i])
    return h


@driver(allocates=False)
def count_bits(words):
    """Number of actions in a legal set."""
    total = 0
    for w in range(len(words)):
        total += popcount(words[w])
    return total


@driver(allocates=False)
def score(game, options, scratch, s, valued):
    """Utilities of both sides at `s` into `found`: payoffs, or what the outlook says."""
    if valued:
        call_kernel(options.outlook, ESTIMATE, s, game.p, 0, 0, address_of(scratch.payoff))
    else:
        call_kernel(game.k, RETURNS, s, game.p, 0, 0, address_of(scratch.payoff))
    scratch.found[0] = 0.0
    scratch.found[1] = 0.0
    for seat in range(len(game.sides)):
        scratch.found[game.sides[seat]] += scratch.payoff[seat]


@driver(allocates=False)
def play_out(game, options, scratch, s, until, rng):
    """Play from `s` (modified) to the end, or to the horizon; utilities into `found`; 0 or a status below 0."""
    words_at = address_of(scratch.words)
    call_kernel(game.k, ROLL, s, game.p, 0, 0, address_of(rng))
    cast(game, options, scratch, rng)
    while True:
        bits = call_kernel(game.k, TO_ACT, s, game.p, 0, 0, 0)
        if bits < 0:
            return BAD_RULES
        if bits == 0:
            score(game, options, scratch, s, valued=False)
            return 0
        if options.horizon > 0 and call_kernel(options.outlook, CLOCK, s, game.p, 0, 0, 0) >= until:
            score(game, options, scratch, s, valued=True)
            return 0
        todo = bits
        while todo:
            # Everybody chooses before anybody's choice is applied: a policy may look at the record.
            seat = lowest_bit(todo)
            todo &= todo - 1
            call_kernel(game.k, LEGAL, s, game.p, seat, 0, words_at)
            n = count_bits(scratch.words)
            if n == 0:
                return BAD_RULES
            if n == 1:
                action = random_legal(scratch.words, rng)
            else:
                action = roll_out(game, options, scratch.which[seat], s, seat=seat, words=scratch.words, rng=rng)
            if action < 0:
                return BAD_POLICY
            scratch.chosen[seat] = action
        while bits:
            seat = lowest_bit(bits)
            bits &= bits - 1
            call_kernel(game.k, APPLY, s, game.p, seat, scratch.chosen[seat], 0)
        call_kernel(game.k, ROLL, s, game.p, 0, 0, address_of(rng))


@driver(allocates=False)
def forced(game, scratch, s):
    """Take all decisions at `s` in which there is nothing to choose, up to the next die."""
    while True:
        bits = call_kernel(game.k, TO_ACT, s, game.p, 0, 0, 0)
        if bits <= 0:
            return
        seat = lowest_bit(bits)
        call_kernel(game.k, LEGAL, s, game.p, seat, 0, address_of(scratch.words))
        if count_bits(scratch.words) != 1:
            return
        for w in range(game.n_words):
            if scratch.words[w]:
                call_kernel(game.k, APPLY, s, game.p, seat, 32 * w + lowest_bit(scratch.words[w]), 0)


@driver(allocates=False)
def throw(game, s, code):
    """Throw the dice that are due so that the outcomes are those of a code."""
    while True:
        faces = call_kernel(game.k, DIE, s, game.p, 0, 0, 0)
        if faces == 0:
            return
        call_kernel(game.k, FALL, s, game.p, code % faces, 0, 0)
        code //= faces


@driver(allocates=False)
def judge(tree, game, options, scratch, node, s, until, rng):
    """Value a leaf by one more play from `s` (kept as it is); a node at which the game is over becomes an end."""
    play = address_of(scratch.play)
    copy_bytes(play, s, len(scratch.play))
    ended = (
        call_kernel(game.k, TO_ACT, s, game.p, 0, 0, 0) == 0 and call_kernel(game.k, DIE, s, game.p, 0, 0, 0) == 0
    )
    status = play_out(game, options, scratch, play, until=until, rng=rng)
    if status < 0:
        return status
    row = tree.nodes[node]
    if ended:
        row[KIND] = END
        row[OPEN] = 0
    row[TRIES] += 1
    for side in range(2):
        tree.floats[node, GUESS + side] += (scratch.found[side] - tree.floats[node, GUESS + side]) / row[TRIES]
    return 0


@driver(allocates=False)
def know(tree, game, node, s):
    """Note what each side knows at a node."""
    for side in range(2):
        key = np.int64(BELIEF_SALT + side)
        for seat in range(len(game.sides)):
            if game.sides[seat] == side:
                key = mix(key, call_kernel(game.k, KEY, s, game.p, seat, 0, 0))
        tree.nodes[node, BELIEF + side] = add_belief(tree, key)


@driver(allocates=False)
def grow_decision(tree, game, options, scratch, node, s, seat, until, rng):
    """Give a leaf, at which a seat is to act, a child for every action; 0 or a status below 0."""
    n = count_bits(scratch.words)
    if n == 0:
        return BAD_RULES
    if tree.used[NODES] + n > len(tree.nodes):
        tree.used[FULL] = 1
        return 0
    info = add_info(tree, mix(call_kernel(game.k, KEY, s, game.p, seat, 0, 0), seat), seat, size=n)
    if info < 0:
        tree.used[FULL] = 1
        return 0
    know(tree, game, node, s)
    tree.nodes[node, KIND] = DECISION
    tree.nodes[node, SEAT] = seat
    tree.nodes[node, INFO] = info
    begin, at = tree.used[NODES], tree.infos[info, OFFSET]
    for w in range(game.n_words):
        left = scratch.words[w]
        while left:
            child = add_node(tree, node)
            tree.codes[child] = 32 * w + lowest_bit(left)
            tree.actions[at] = tree.codes[child]
            at += 1
            left &= left - 1
    state = address_of(scratch.state)
    for child in range(begin, begin + n):
        copy_bytes(state, s, len(scratch.state))
        call_kernel(game.k, APPLY, state, game.p, seat, tree.codes[child], 0)
        forced(game, scratch, state)
        status = judge(tree, game, options, scratch, child, state, until=until, rng=rng)
        if status < 0:
            return status
    return 0


@driver(allocates=False)
def grow_chance(tree, game, options, scratch, node, s, until, rng):
    """Give a leaf, at which dice are due, a child for every outcome of all of them: 1; 0 if there are too many."""
    state = address_of(scratch.state)
    digits, faces = scratch.digits, scratch.faces
    for adding in range(2):
        count, known = 0, 0  # `known`: dice whose outcomes are set
        while True:
            copy_bytes(state, s, len(scratch.state))
            depth, code, base, chance = np.int64(0), np.int64(0), np.int64(1), 1.0
            while True:
                k = call_kernel(game.k, DIE, state, game.p, 0, 0, 0)
                if k == 0:
                    break
                if depth >= MOST_DICE:
                    return 0
                if depth >= known:
                    digits[depth] = 0
                    faces[depth] = k
                code += digits[depth] * base
                if base > (1 << 40):
                    return 0
                base *= k
                chance /= k
                call_kernel(game.k, FALL, state, game.p, digits[depth], 0, 0)
                depth += 1
            count += 1
            if adding:
                child = add_node(tree, node)
                if child < 0:
                    tree.used[FULL] = 1
                    return 1
                tree.codes[child] = code
                tree.floats[child, CHANCE_OF] = chance
                forced(game, scratch, state)
                status = judge(tree, game, options, scratch, child, state, until=until, rng=rng)
                if status < 0:
                    return status
            elif count > MOST_OUTCOMES:
                return 0
            while depth > 0 and digits[depth - 1] == faces[depth - 1] - 1:
                depth -= 1
            if depth == 0:
                break
            digits[depth - 1] += 1
            known = depth
        if not adding:
            if tree.used[NODES] + count > len(tree.nodes):
                tree.used[FULL] = 1
                return 1
            tree.nodes[node, KIND] = CHANCE
    return 1


@driver(allocates=False)
def grow(tree, game, options, scratch, node, s, until, rng):
    """Make a leaf a node with children; 0 or a status below 0."""
    bits = call_kernel(game.k, TO_ACT, s, game.p, 0, 0, 0)
    if bits < 0:
        return BAD_RULES
    if bits:
        seat = lowest_bit(bits)
        call_kernel(game.k, LEGAL, s, game.p, seat, 0, address_of(scratch.words))
        return grow_decision(tree, game, options, scratch, node, s, seat=seat, until=until, rng=rng)
    status = grow_chance(tree, game, options, scratch, node, s, until=until, rng=rng)
    if status != 0:
        return min(status, 0)
    tree.nodes[node, KIND] = SAMPLED
    return grow_sampled(tree, game, options, scratch, node, s, until=until, rng=rng)


@driver(allocates=False)
def grow_sampled(tree, game, options, scratch, node, s, until, rng):
    """Throw the dice that are due once more and add what comes as a child; 0 or a status below 0."""
    child = add_node(tree, node)
    if child < 0:
        tree.used[FULL] = 1
        return 0
    tree.codes[child] = np.int64(next_u64(rng) >> np.uint64(1))
    state = address_of(scratch.state)
    copy_bytes(state, s, len(scratch.state))
    rethrow(game, scratch, state, tree.codes[child])
    forced(game, scratch, state)
    return judge(tree, game, options, scratch, child, state, until=until, rng=rng)


@driver(allocates=False)
def rethrow(game, scratch, s, code):
    """Throw the dice that are due as a generator that begins with `code` throws them."""
    scratch.seed[0] = np.uint64(code)
    call_kernel(game.k, ROLL, s, game.p, 0, 0, address_of(scratch.seed))


@driver(allocates=False)
def pick(tree, options, node, explores, rng):
    """A child of a decision that can still grow: by the strategy of now, or in part at random for who explores."""
    info = tree.nodes[node, INFO]
    last = tree.infos[info, OFFSET] + tree.infos[info, SIZE] - 1
    total, free = 0.0, 0
    entry, child = last, tree.nodes[node, FIRST]
    while child >= 0:
        if tree.nodes[child, OPEN]:
            total += tree.entries[entry, NOW]
            free += 1
        child = tree.nodes[child, NEXT]
        entry -= 1
    uniform = total <= 0.0 or (explores and rand_float(rng) < options.explore)
    left = rand_float(rng) * (free if uniform else total)
    chosen = np.int64(-1)
    entry, child = last, tree.nodes[node, FIRST]
    while child >= 0 and left >= 0.0:
        if tree.nodes[child, OPEN]:
            share = 1.0 if uniform else tree.entries[entry, NOW]
            if share > 0.0:
                chosen = np.int64(child)
            left -= share
        child = tree.nodes[child, NEXT]
        entry -= 1
    return chosen


@driver(allocates=False)
def pick_outcome(tree, node, rng):
    """A child of a node of dice that can still grow, by its chance."""
    exact = tree.nodes[node, KIND] == CHANCE
    total = 0.0
    child = tree.nodes[node, FIRST]
    while child >= 0:
        if tree.nodes[child, OPEN]:
            total += tree.floats[child, CHANCE_OF] if exact else 1.0
        child = tree.nodes[child, NEXT]
    left = rand_float(rng) * total
    chosen = np.int64(-1)
    child = tree.nodes[node, FIRST]
    while child >= 0 and left >= 0.0:
        if tree.nodes[child, OPEN]:
            chosen = np.int64(child)
            left -= tree.floats[child, CHANCE_OF] if exact else 1.0
        child = tree.nodes[child, NEXT]
    return chosen


@driver(allocates=False)
def close(tree, scratch, length):
    """Note on the way back which nodes cannot grow any more: ends, and nodes all of whose children cannot."""
    for i in range(length - 1, -1, -1):
        row = tree.nodes[scratch.path[i]]
        if row[KIND] == LEAF or row[KIND] == SAMPLED:
            return
        child = row[FIRST]
        while child >= 0:
            if tree.nodes[child, OPEN]:
                return
            child = tree.nodes[child, NEXT]
        row[OPEN] = 0


@driver(allocates=False)
def descend(tree, game, options, scratch, node, explorer, until, rng):
    """From a root, whose position is in `dealt` (modified), to a leaf, which grows; 0 or a status below 0.

    Who explores does so in half of all simulations: the tree grows where one side deviates and the other plays well.
    """
    s = address_of(scratch.dealt)
    status, length = np.int64(0), 0
    while length < len(scratch.path):
        scratch.path[length] = node
        length += 1
        row = tree.nodes[node]
        row[VISITS] += 1
        kind = row[KIND]
        if kind == LEAF:
            if row[TRIES] < options.ripe:
                return judge(tree, game, options, scratch, node, s, until=until, rng=rng)
            status = grow(tree, game, options, scratch, node, s, until=until, rng=rng)
            break
        if kind == DECISION:
            child = pick(tree, options, node, game.sides[row[SEAT]] == explorer, rng=rng)
            if child < 0:
                break
            call_kernel(game.k, APPLY, s, game.p, row[SEAT], tree.codes[child], 0)
        elif kind == SAMPLED:
            if np.int64(row[COUNT]) * row[COUNT] <= row[VISITS]:
                status = grow_sampled(tree, game, options, scratch, node, s, until=until, rng=rng)
                break
            child = pick_outcome(tree, node, rng=rng)
            if child < 0:
                break
            rethrow(game, scratch, s, tree.codes[child])
        else:
            child = pick_outcome(tree, node, rng=rng)
            if child < 0:
                break
            throw(game, s, tree.codes[child])
        forced(game, scratch, s)
        node = child
    if status < 0:
        return status
    close(tree, scratch, length)
    return 0


@driver(allocates=False)
def range_of(known, game, s, side, floor):
    """The chance with which a side plays so as to know what it knows at `s`, by the solution `known`; -1 if unknown."""
    key = np.int64(BELIEF_SALT + side)
    for seat in range(len(game.sides)):
        if game.sides[seat] == side:
            key = mix(key, call_kernel(game.k, KEY, s, game.p, seat, 0, 0))
    belief = find_belief(known, key)
    return floor + (1.0 - floor) * known.beliefs[belief, RANGE] if belief >= 0 else -1.0


@driver(allocates=False)
def expect(roots, n, side):
    """Give roots of which nothing is known the mean range of the others, or 1 where nothing is known of any."""
    total, count = 0.0, 0.0
    for root in range(n):
        if roots.expected[root, side] >= 0.0:
            total += roots.expected[root, side]
            count += 1.0
    for root in range(n):
        known = roots.expected[root, side]
        roots.ranges[root, side] = known if known >= 0.0 else (total / count if count > 0.0 else 1.0)


@driver(allocates=False)
def enter(tree, known, game, options, roots, scratch, mine, until, rng):
    """Count a position that was dealt (in `dealt`); a new one becomes a root while there is room. Its number, or -1."""
    s, size = address_of(scratch.dealt), len(scratch.dealt)
    name = hash_record(scratch)
    n = tree.used[ROOTS]
    for root in range(n):
        if roots.hashes[root] == name:
            roots.counts[root] += 1.0
            return np.int64(root)
    if n >= len(roots.hashes):
        return np.int64(-1)
    node = add_node(tree, -1)
    if node < 0:
        tree.used[FULL] = 1
        return np.int64(-1)
    tree.used[ROOTS] = n + 1
    copy_bytes(address_of(roots.states) + n * size, s, size)
    roots.hashes[n] = name
    roots.nodes[n] = node
    roots.mine[n] = mine
    roots.counts[n] = 1.0
    for side in range(2):
        roots.expected[n, side] = range_of(known, game, s, side, options.floor)
        expect(roots, n + 1, side)
    return np.int64(n)


@driver(allocates=False)
def deal(game, scratch, world, me, key, rng):
    """Deal a position into `dealt`; whether the seat `me` is in its information state `key` there.

    Every other one agrees with what the seat knows. Between them runs a chain in which again and again some seat keeps
    what it knows and all else is dealt anew: so come the positions that somebody holds possible who is in a position
    that somebody holds possible..., and in the long run each as often as the dice alone bring it (Gibbs sampling).
    """
    size = len(scratch.dealt)
    s, link, rng_at = address_of(scratch.dealt), address_of(scratch.link), address_of(rng)
    deals = scratch.deals
    deals[DEALS] += 1
    if deals[DEALS] % 2 == 1 or deals[SINCE] >= CHAIN:
        copy_bytes(s, world, size)
        call_kernel(game.k, ROLL, s, game.p, 0, 0, rng_at)
        deals[FIRSTS] += 1
        if deals[SINCE] >= CHAIN:
            copy_bytes(link, s, size)
            deals[SINCE] = 0
        return True
    copy_bytes(s, link, size)
    seat = rand_below(rng, len(game.sides))
    call_kernel(game.k, DETERMINIZE, s, game.p, seat, 0, 0)
    call_kernel(game.k, ROLL, s, game.p, 0, 0, rng_at)
    copy_bytes(link, s, size)
    mine = call_kernel(game.k, KEY, s, game.p, me, 0, 0) == key
    deals[CHAINED] += 1
    deals[HITS] += mine
    deals[SINCE] = 0 if mine else deals[SINCE] + 1
    return mine


@driver(allocates=False)
def weigh(tree, roots, deals):
    """Weights of the roots: what the seat knows has the share of it in the chain, at least one deal."""
    firsts, others = 0.0, 0.0
    for root in range(tree.used[ROOTS]):
        if roots.mine[root]:
            firsts += roots.counts[root]
        else:
            others += roots.counts[root]
    share = max(np.float64(deals[HITS]), 1.0) / max(np.float64(deals[CHAINED]), 1.0) if others > 0.0 else 1.0
    for root in range(tree.used[ROOTS]):
        if roots.mine[root]:
            roots.weights[root] = share * roots.counts[root] / firsts
        else:
            roots.weights[root] = (1.0 - share) * roots.counts[root] / others


@driver(allocates=False)
def choose_root(tree, roots, mine, rng):
    """A root that can still grow, by how often it was dealt; of those that agree with what the seat knows, or of all."""
    total = 0.0
    for root in range(tree.used[ROOTS]):
        if tree.nodes[roots.nodes[root], OPEN] and (roots.mine[root] or not mine):
            total += roots.counts[root]
    left = rand_float(rng) * total
    chosen = np.int64(-1)
    for root in range(tree.used[ROOTS]):
        if left >= 0.0 and tree.nodes[roots.nodes[root], OPEN] and (roots.mine[root] or not mine):
            chosen = np.int64(root)
            left -= roots.counts[root]
    return chosen


@driver(allocates=False)
def plant_start(tree, game, roots, scratch):
    """Begin a tree at the start of the game."""
    size = len(scratch.dealt)
    tree.table[:] = 0
    tree.used[:] = 0
    node = add_node(tree, -1)
    tree.used[ROOTS] = 1
    copy_bytes(address_of(roots.states), game.p - size, size)
    roots.nodes[0] = node
    roots.mine[0] = 1
    roots.counts[0] = 1.0
    roots.weights[0] = 1.0
    roots.ranges[0, 0] = 1.0
    roots.ranges[0, 1] = 1.0


@driver(allocates=False)
def plant(tree, scratch):
    """Forget the last tree; positions are dealt by `simulate`."""
    tree.table[:] = 0
    tree.used[:] = 0
    scratch.deals[:] = 0
    scratch.deals[SINCE] = CHAIN  # the chain begins with what the seat knows


@driver(allocates=False)
def simulate(tree, known, game, options, roots, scratch, world, me, key, rng):
    """One simulation; `world` is the forgotten record, 0 for a tree that begins at the start. 0 or a status below 0."""
    tree.used[SIMULATIONS] += 1
    size = len(scratch.dealt)
    number = tree.used[SIMULATIONS]
    if world != 0 and (tree.used[ROOTS] != 1 or number <= ALIKE):
        until = np.int64(0)
        mine = deal(game, scratch, world, me, key, rng=rng)
        enter(tree, known, game, options, roots, scratch, mine, until, rng=rng)
    if tree.used[FULL]:
        return 0
    root = choose_root(tree, roots, number % 4 < 2, rng=rng)
    if root < 0:
        root = choose_root(tree, roots, False, rng=rng)
    if root < 0:
        return 0
    s = address_of(scratch.dealt)
    copy_bytes(s, address_of(roots.states) + root * size, size)
    until = np.int64(0)
    if options.horizon > 0:
        until = call_kernel(options.outlook, CLOCK, s, game.p, 0, 0, 0) + options.horizon
    return descend(tree, game, options, scratch, roots.nodes[root], number & 1, until, rng=rng)


@driver(allocates=False)
def search(tree, known, game, options, roots, scratch, world, me, key, sims, rng):
    """Add `sims` simulations, and passes of the solver in between; 0 or a status below 0.

    The solver may visit `effort` nodes a simulation, and makes at most one pass in each.
    """
    for _ in range(sims):
        status = simulate(tree, known, game, options, roots, scratch, world, me, key, rng=rng)
        if status < 0:
            return status
        tree.used[EFFORT] += options.effort
        if tree.used[EFFORT] >= 2 * tree.used[NODES]:
            if world != 0:
                weigh(tree, roots, scratch.deals)
            tree.used[EFFORT] -= iterate(tree, roots, game.sides)
            tree.used[EFFORT] = min(tree.used[EFFORT], 2 * tree.used[NODES])
    return 0


@driver(allocates=False)
def grown(tree, roots):
    """Whether a tree holds all that can follow its roots."""
    for root in range(tree.used[ROOTS]):
        if tree.nodes[roots.nodes[root], OPEN]:
            return False
    return True


@driver(allocates=False)
def read(tree, key, words, out):
    """The solved strategy of an information state (its key mixed with the seat) into `out` float64[A], zeroed before.

    `words` int64[W] are the legal actions, of which there must be as many; False if it is not in the tree.
    """
    info = find_info(tree, key)
    if info < 0 or tree.infos[info, SIZE] != count_bits(words):
        return False
    begin = tree.infos[info, OFFSET]
    for entry in range(begin, begin + tree.infos[info, SIZE]):
        out[tree.actions[entry]] = tree.entries[entry, AVERAGE]
    return True
