"""The positions at which a search tree begins: what agrees with what a seat knows, and how likely it is.

A seat that is to act knows its own information state. The others do not know it, and act as they would against all
that it may be: so the positions which they hold possible belong to the tree, too, and those that are possible in these,
and so on. Each of them counts as often as dice and the solved strategies of both sides bring it.
"""

from __future__ import annotations

import numpy as np

from ..envs.core.abi import (
    APPLY,
    DETERMINIZE,
    DIE,
    KEY,
    LEGAL,
    ROLL,
    TO_ACT,
    address_of,
    call_kernel,
    copy_bytes,
    lowest_bit,
)
from ..envs.core.batch import random_legal
from ..envs.core.inner import inner
from ..envs.core.jit import driver
from ..envs.core.rng import mix, rand_below, rand_float
from .solve_play import forced
from .solve_tree import FULL, OPEN, RANGE, ROOTS, add_node, find_belief

CHAIN = 16  # deals after which a chain of deals begins again with what the seat knows
SINCE, DEALS, HITS, CHAINED = 0, 1, 2, 3  # entries of Scratch.deals
BELIEF_SALT = 0x5EA7
LOOKS = 12  # deals after which a position that was always the same is taken for the only one
FAR = 64  # choices, rolls and forced stretches, behind which nobody else is expected to decide on what was chosen
ONWARD = 0x0B5E  # of the dice and of the own choices up to where somebody else decides


@inner(allocates=False)
def side_key(game, s, side):
    """The name of what a side knows at `s`: all that its seats know."""
    key = np.int64(BELIEF_SALT + side)
    for seat in range(len(game.sides)):
        if game.sides[seat] == side:
            key = mix(key, call_kernel(game.k, KEY, s, game.p, seat, 0, 0))
    return key


@inner(allocates=False)
def hash_record(scratch):
    """A hash of the record in `dealt`."""
    h = np.int64(0)
    for word in scratch.dealt_words:
        h = mix(h, word)
    for i in range(8 * len(scratch.dealt_words), len(scratch.dealt)):
        h = mix(h, scratch.dealt[i])
    return h


@driver(allocates=False)
def range_of(known, game, s, side, floor):
    """The chance with which a side plays so as to know what it knows at `s`, by the solution `known`; -1 if unknown."""
    belief = find_belief(known, side_key(game, s, side))
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


@inner(allocates=False)
def enter(study, mine):
    """Count a position that was dealt (in `dealt`); a new one becomes a root while there is room. Its number, or -1."""
    tree, roots, scratch = study.tree, study.roots, study.scratch
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
        roots.expected[n, side] = range_of(study.known, study.game, s, side=side, floor=study.options.floor)
        expect(roots, n + 1, side)
    return np.int64(n)


@inner(allocates=False)
def deal(study, seeker, rng):
    """Deal a position into `dealt`; whether the seat that searches is in its information state there.

    Every other one agrees with what the seat knows. Between them runs a chain in which again and again some seat keeps
    what it knows and all else is dealt anew: so come the positions that somebody holds possible who is in a position
    that somebody holds possible..., and in the long run each as often as the dice alone bring it (Gibbs sampling).
    """
    game, scratch = study.game, study.scratch
    size = len(scratch.dealt)
    s, link, rng_at = address_of(scratch.dealt), address_of(scratch.link), address_of(rng)
    deals = scratch.deals
    deals[DEALS] += 1
    if deals[DEALS] % 2 == 1 or deals[SINCE] >= CHAIN:
        copy_bytes(s, seeker.world, size)
        call_kernel(game.k, ROLL, s, game.p, 0, 0, rng_at)
        if deals[SINCE] >= CHAIN:
            copy_bytes(link, s, size)
            deals[SINCE] = 0
        return True
    copy_bytes(s, link, size)
    seat = rand_below(rng, len(game.sides))
    call_kernel(game.k, DETERMINIZE, s, game.p, seat, 0, 0)
    call_kernel(game.k, ROLL, s, game.p, 0, 0, rng_at)
    copy_bytes(link, s, size)
    mine = call_kernel(game.k, KEY, s, game.p, seeker.me, 0, 0) == seeker.key
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


@inner(allocates=False)
def choose_root(tree, roots, mine, rng):
    """A root that can still grow, by how often it was dealt; of those in which the seat is (`mine`), or of all."""
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


@inner(allocates=False)
def to_another(game, scratch, seat, rng):
    """Play on in `state` by random choices of a seat alone to where another one decides.

    False where the game ends, or nobody else decides for too long: who plays alone would play whole games here.
    """
    s = address_of(scratch.state)
    for _ in range(FAR):
        forced(game, scratch, s)
        bits = call_kernel(game.k, TO_ACT, s, game.p, 0, 0, 0)
        if bits < 0 or bits & ~(np.int64(1) << seat):
            return bits > 0
        if bits == 0:
            if call_kernel(game.k, DIE, s, game.p, 0, 0, 0) == 0:
                return False
            call_kernel(game.k, ROLL, s, game.p, 0, 0, address_of(rng))
        else:
            call_kernel(game.k, LEGAL, s, game.p, seat, 0, address_of(scratch.words))
            call_kernel(game.k, APPLY, s, game.p, seat, random_legal(scratch.words, rng), 0)
    return False


@driver(allocates=False)
def in_the_open(game, scratch, seeker, rng):
    """Whether nothing is hidden from who decides, and all will see the choice, so that there is nothing to mix.

    One position alone agrees with what the seat knows, nobody else chooses at once, and where the next one decides all
    others tell each choice from each other one (of as many as there is room for). Two that come to the same for the
    seat itself are no secret.
    """
    s, size, seat = address_of(scratch.dealt), len(scratch.dealt), seeker.me
    first = np.int64(0)
    for look in range(LOOKS):
        copy_bytes(s, seeker.world, size)
        call_kernel(game.k, ROLL, s, game.p, 0, 0, address_of(rng))
        name = hash_record(scratch)
        if look > 0 and name != first:
            return False
        first = name
    if call_kernel(game.k, TO_ACT, s, game.p, 0, 0, 0) != np.int64(1) << seat:
        return False
    seats, met = len(game.sides), 0
    for w in range(game.n_words):
        call_kernel(game.k, LEGAL, s, game.p, seat, 0, address_of(scratch.words))
        left = scratch.words[w]
        while left:
            copy_bytes(address_of(scratch.state), s, size)
            call_kernel(game.k, APPLY, address_of(scratch.state), game.p, seat, 32 * w + lowest_bit(left), 0)
            left &= left - 1
            scratch.seed[0] = np.uint64(ONWARD)  # the same dice for all
            if not to_another(game, scratch, seat, rng=scratch.seed) or (met + 1) * seats > len(scratch.path):
                continue
            at = met * seats
            for other in range(seats):
                scratch.path[at + other] = call_kernel(game.k, KEY, address_of(scratch.state), game.p, other, 0, 0)
            for before in range(0, at, seats):
                if scratch.path[before + seat] != scratch.path[at + seat]:
                    for other in range(seats):
                        if other != seat and scratch.path[before + other] == scratch.path[at + other]:
                            return False
            met += 1
    return True
