"""Compiled growth of the tree that `solve_search` solves, over any rule set.

A simulation deals a position that agrees with what the seat knows, follows the strategies of now to a leaf, and makes
the leaf a node whose children are valued by play that goes on from there. The solver (`solve_tree.py`) runs in between.
"""

from __future__ import annotations

import numpy as np

from ..envs.core.abi import (
    APPLY,
    DIE,
    FALL,
    KEY,
    LEGAL,
    TO_ACT,
    address_of,
    call_kernel,
    copy_bytes,
    lowest_bit,
)
from ..envs.core.inner import inner
from ..envs.core.jit import driver
from ..envs.core.rng import mix, next_u64, rand_float
from ..envs.core.rows import count_legal
from .search_kernel import BAD_POLICY, BAD_RULES, CLOCK, cast, roll_out
from .solve_deal import CHAIN, SINCE, choose_root, deal, enter, side_key, weigh
from .solve_play import forced, play_out, rethrow, throw
from .solve_tree import (
    AVERAGE,
    BELIEF,
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
    KIND,
    LEAF,
    NEXT,
    NODES,
    NOW,
    OFFSET,
    OPEN,
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
    clear,
    find_info,
    iterate,
)

MOST_OUTCOMES = 36  # of dice thrown at once, up to which all of them become children; beyond, they are sampled
MOST_DICE = 64  # thrown at once, of which outcomes are counted up
ALIKE = 64  # deals of one and the same position after which no other is expected


@inner(allocates=False)
def judge(study, node, s, until, rng):
    """Value a leaf by one more play from `s` (kept as it is); a node at which the game is over becomes an end."""
    tree, game, scratch = study.tree, study.game, study.scratch
    play = address_of(scratch.play)
    copy_bytes(play, s, len(scratch.play))
    ended = call_kernel(game.k, TO_ACT, s, game.p, 0, 0, 0) == 0 and call_kernel(game.k, DIE, s, game.p, 0, 0, 0) == 0
    status = play_out(game, study.options, scratch, play, until=until, rng=rng)
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


@inner(allocates=False)
def know(tree, game, node, s):
    """Note what each side knows at a node."""
    for side in range(2):
        tree.nodes[node, BELIEF + side] = add_belief(tree, side_key(game, s, side))


@inner(allocates=False)
def grow_decision(study, node, s, seat, until, rng):
    """Give a leaf, at which a seat is to act, a child for every action; 0 or a status below 0."""
    tree, game, scratch = study.tree, study.game, study.scratch
    n = count_legal(scratch.words)
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
        status = judge(study, child, state, until=until, rng=rng)
        if status < 0:
            return status
    return 0


@inner(allocates=False)
def grow_chance(study, node, s, until, rng):
    """Give a leaf, at which dice are due, a child for every outcome of all of them: 1; 0 if there are too many."""
    tree, game, scratch = study.tree, study.game, study.scratch
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
                status = judge(study, child, state, until=until, rng=rng)
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


@inner(allocates=False)
def grow(study, node, s, until, rng):
    """Make a leaf a node with children; 0 or a status below 0."""
    game = study.game
    bits = call_kernel(game.k, TO_ACT, s, game.p, 0, 0, 0)
    if bits < 0:
        return BAD_RULES
    if bits:
        seat = lowest_bit(bits)
        call_kernel(game.k, LEGAL, s, game.p, seat, 0, address_of(study.scratch.words))
        return grow_decision(study, node, s, seat=seat, until=until, rng=rng)
    status = grow_chance(study, node, s, until=until, rng=rng)
    if status != 0:
        return min(status, 0)
    study.tree.nodes[node, KIND] = SAMPLED
    return grow_sampled(study, node, s, until=until, rng=rng)


@inner(allocates=False)
def grow_sampled(study, node, s, until, rng):
    """Throw the dice that are due once more and add what comes as a child; 0 or a status below 0."""
    tree, game, scratch = study.tree, study.game, study.scratch
    child = add_node(tree, node)
    if child < 0:
        tree.used[FULL] = 1
        return 0
    tree.codes[child] = np.int64(next_u64(rng) >> np.uint64(1))
    state = address_of(scratch.state)
    copy_bytes(state, s, len(scratch.state))
    rethrow(game, scratch, state, tree.codes[child])
    forced(game, scratch, state)
    return judge(study, child, state, until=until, rng=rng)


@inner(allocates=False)
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


@inner(allocates=False)
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


@inner(allocates=False)
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


@inner(allocates=False)
def descend(study, node, explorer, until, rng):
    """From a root, whose position is in `dealt` (modified), to a leaf, which grows; 0 or a status below 0.

    Who explores does so in half of all simulations: the tree grows where one side deviates and the other plays well.
    """
    tree, game, options, scratch = study.tree, study.game, study.options, study.scratch
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
                return judge(study, node, s, until=until, rng=rng)
            status = grow(study, node, s, until=until, rng=rng)
            break
        if kind == DECISION:
            child = pick(tree, options, node, explores=game.sides[row[SEAT]] == explorer, rng=rng)
            if child < 0:
                break
            call_kernel(game.k, APPLY, s, game.p, row[SEAT], tree.codes[child], 0)
        elif kind == SAMPLED:
            if np.int64(row[COUNT]) * row[COUNT] <= row[VISITS]:
                status = grow_sampled(study, node, s, until=until, rng=rng)
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
def plant_start(tree, game, roots, scratch):
    """Begin a tree at the start of the game."""
    size = len(scratch.dealt)
    clear(tree)
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
    clear(tree)
    scratch.prior[:] = 0.0
    scratch.asked[0] = 0
    scratch.deals[:] = 0
    scratch.deals[SINCE] = CHAIN  # the chain begins with what the seat knows


@inner(allocates=False)
def ask(study, seat):
    """Count what a rollout baseline would do at the position that was dealt, with dice of its own; 0 or BAD_POLICY."""
    game, options, scratch = study.game, study.options, study.scratch
    s = address_of(scratch.dealt)
    cast(game, options, scratch, scratch.asked)
    call_kernel(game.k, LEGAL, s, game.p, seat, 0, address_of(scratch.words))
    action = roll_out(game, options, scratch.which[seat], s, seat=seat, words=scratch.words, rng=scratch.asked)
    if action < 0:
        return BAD_POLICY
    scratch.prior[action] += 1.0
    return 0


@inner(allocates=False)
def simulate(study, seeker, rng):
    """One simulation; 0 or a status below 0."""
    tree, options, roots, scratch = study.tree, study.options, study.roots, study.scratch
    tree.used[SIMULATIONS] += 1
    size = len(scratch.dealt)
    number = tree.used[SIMULATIONS]
    if seeker.world != 0 and (tree.used[ROOTS] != 1 or number <= ALIKE):
        mine = deal(study, seeker, rng)
        enter(study, mine)
        if mine and options.policy != 0:
            status = ask(study, seeker.me)
            if status < 0:
                return status
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
        until = np.int64(options.horizon)
        if not options.ticks:
            until += call_kernel(options.outlook, CLOCK, s, study.game.p, options.memory, 0, 0)
    return descend(study, roots.nodes[root], number & 1, until=until, rng=rng)


@driver(allocates=False)
def search(study, seeker, sims, rng):
    """Add `sims` simulations, and passes of the solver in between; 0 or a status below 0.

    The solver may visit `effort` nodes a simulation, and makes at most one pass in each.
    """
    tree, roots = study.tree, study.roots
    for _ in range(sims):
        status = simulate(study, seeker, rng)
        if status < 0:
            return status
        tree.used[EFFORT] += study.options.effort
        if tree.used[EFFORT] >= 2 * tree.used[NODES]:
            if seeker.world != 0:
                weigh(tree, roots, study.scratch.deals)
            tree.used[EFFORT] -= iterate(tree, roots, study.game.sides)
            tree.used[EFFORT] = min(tree.used[EFFORT], 2 * tree.used[NODES])
    return 0


@driver(allocates=False)
def read(tree, key, words, out):
    """The solved strategy of an information state (its key mixed with the seat) into `out` float64[A], zeroed before.

    `words` int64[W] are the legal actions, of which there must be as many; False if it is not in the tree.
    """
    info = find_info(tree, key)
    if info < 0 or tree.infos[info, SIZE] != count_legal(words):
        return False
    begin = tree.infos[info, OFFSET]
    for entry in range(begin, begin + tree.infos[info, SIZE]):
        out[tree.actions[entry]] = tree.entries[entry, AVERAGE]
    return True
