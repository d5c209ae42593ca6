"""Compiled information-set Monte Carlo tree search over any rule set.

Every simulation deals what the searching seat cannot know (a determinization; Cowling, Powley and Whitehouse 2012,
Information Set Monte Carlo Tree Search) and descends one tree per seat at the same time. A node is an information
state; nodes lie in a hash table, their edges (actions) in linked lists in preallocated arrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..envs.core.abi import (
    APPLY,
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
from ..envs.core.inner import inner
from ..envs.core.jit import driver
from ..envs.core.rng import mix, rand_below, rand_float
from .search_answer import ROOT, answer, deviation
from .search_pairs import (
    GIVEN_UP,
    PLAYED,
    QUEUED,
    begin_round,
    enter,
    forget,
    next_action,
    settle,
    throw,
    worth_it,
)
from .search_tree import (
    ACTION,
    COUNT,
    FIRST,
    NEXT,
    NODE_MANY,
    NODE_RM,
    NODE_TOTAL,
    SIMULATIONS,
    SQUARES,
    STRATEGY,
    TOTAL,
    VISITS,
    add_edge,
    add_node,
    clear,
    find_edge,
    find_node,
    select_rm,
    select_ucb,
    update_rm,
)

SELECT_AUTO, SELECT_UCB, SELECT_RM = 0, 1, 2
MULTI, SINGLE = 0, 1
ADVICE = 32  # simulations between two questions to the advisers
CLOCK, ESTIMATE = 0, 1  # what an outlook is asked for
BAD_POLICY, BAD_RULES = -2, -3  # statuses: an illegal answer of the rollout policy; no legal action or a broken rule


class Options(NamedTuple):
    """How to search; see `probespiel.agents.search` for the meaning."""

    select: int
    observer: int
    c: float
    gamma: float
    policy: int  # address of the compiled baselines, 0: rollouts are random
    which: Any  # int64[k]: the baselines of which every side draws one in every simulation; -1: random
    advisers: Any  # int64[.]: baselines that play no rollout, but whose choice at the root is tried though it is bulky
    epsilon: float
    trust: int
    depth: int
    scale_seen: bool
    low: float
    high: float
    temperature: float
    margin: float
    indifferent: float  # standard deviations of utility that never count as better than what the prior does
    doubt: float  # simulations of no difference that are added before an action counts as better than those
    stay: bool  # a seat that decides alone follows the policy, or else the best rollout baseline, unless something is
    # better by twice the `margin`
    outlook: int  # address of the compiled outlook, 0: there is none
    memory: int  # what the outlook is called with
    horizon: int  # ticks of its clock after which it values a position; 0: never
    ticks: bool  # the outlook has no clock: the horizon counts decisions beyond the tree
    paired: bool  # where regrets are matched at the root, actions are compared on the same dice
    bulky: Any  # int64[W]: actions that are searched at the root only where one of those baselines would take them


class Table(NamedTuple):
    """The game under search: entry point, parameters, sizes.

    `sides` int64[seats]: seats of one number want the same; `teams` int64[seats]: seats of one number play alike in
    rollouts, and the number is the first of them.
    """

    k: int
    p: int
    n_words: int
    sides: Any
    teams: Any


class Scratch(NamedTuple):
    """Working space of one simulation.

    `state` uint8[size]; `words`, `left` int64[W]; `seats`, `actions` int64[64]; `which` int64[capacity] (baseline of
    each seat in this simulation), `followed` int64[1] (what a trained policy does at the root, -1 without one),
    `forced` int64[1] (what simulations begin with, -1: what is selected), `prior` float64[A] (how often it, or else the
    baselines, chose each action there), `taken` int64[W] (the set of what all of them and the advisers chose); `path`
    int64[P, 3] (seat, node, edge), `probs` float64[P] (of edges chosen by regret matching, else 0); `payoff`, `utility`
    float64[capacity]; `bounds` float64[capacity, 2] (utilities seen).
    """

    state: Any
    words: Any
    left: Any
    seats: Any
    actions: Any
    which: Any
    followed: Any
    forced: Any
    prior: Any
    taken: Any
    path: Any
    probs: Any
    payoff: Any
    utility: Any
    bounds: Any
    pairs: Any  # search_pairs.Pairs


class Rows(NamedTuple):
    """m searches: `worlds` uint8[m, size], `seats`, `keys`, `actions` (written) int64[m], `legal` int64[m, W].

    `followed` int64[m] as in `plant`; `seeds` uint64[m]; `rngs` uint64[m] is working space.
    """

    worlds: Any
    seats: Any
    keys: Any
    legal: Any
    followed: Any
    seeds: Any
    rngs: Any
    actions: Any


@inner(allocates=False)
def roll_out(game, options, which, s, seat, words, rng):
    """An action outside of the tree: uniform, or of a compiled baseline; BAD_POLICY if that one is not legal."""
    if which < 0 or (options.epsilon > 0.0 and rand_float(rng) < options.epsilon):
        return random_legal(words, rng)
    action = call_kernel(options.policy, which, s, game.p, seat, game.k, address_of(rng))
    if action < 0 or action >= 32 * len(words) or not (words[action >> 5] >> (action & 31)) & 1:
        return BAD_POLICY
    return action


class Turn(NamedTuple):
    """A decision in a simulation: of `seat` in the record at address `s`, at the node `key`, as entry `at` of the path.

    `many`: other seats decide at the same time.
    """

    s: int
    seat: int
    key: int
    many: bool
    at: int


@inner(allocates=False)
def choose(tree, game, options, scratch, turn, in_tree, rng):
    """The action of one seat in a simulation: (action, whether it is in the path, in_tree).

    `in_tree` is the bit set of seats that have met only nodes known before; a seat leaves it with its first new node.
    """
    s, seat, key, many, at = turn.s, turn.seat, turn.key, turn.many, turn.at
    words, left = scratch.words, scratch.left
    stamp = tree.used[SIMULATIONS]
    node = find_node(tree, key)
    fresh = node < 0
    if fresh:
        node = add_node(tree, key, -1 - node)
        in_tree &= ~(np.int64(1) << seat)
    if node < 0:
        return roll_out(game, options, scratch.which[seat], s, seat=seat, words=words, rng=rng), False, in_tree
    rm = options.select == SELECT_RM or (options.select == SELECT_AUTO and many)
    scratch.probs[at] = 0.0
    tree.nodes[node, NODE_MANY] = many
    forced = scratch.forced[0] if node == ROOT else np.int64(-1)
    if forced >= 0 or fresh or (node != ROOT and tree.stats[node, VISITS] < options.trust):
        action = forced
        if forced < 0:
            action = roll_out(game, options, scratch.which[seat], s, seat=seat, words=words, rng=rng)
        if action < 0:
            return action, False, in_tree
        edge = find_edge(tree, node, action)
        if edge < 0:
            edge = add_edge(tree, node, action, stamp)
    else:
        for w in range(len(words)):
            left[w] = words[w]
        if rm:
            edge = select_rm(tree, node, left, options.gamma, stamp=stamp, rng=rng, prob=scratch.probs[at : at + 1])
        elif options.scale_seen:
            low, high = scratch.bounds[seat, 0], scratch.bounds[seat, 1]
            edge = select_ucb(tree, node, left, options.c, low=low, high=high, stamp=stamp, rng=rng)
        else:
            edge = select_ucb(tree, node, left, options.c, low=options.low, high=options.high, stamp=stamp, rng=rng)
        action = tree.edges[edge, ACTION] if edge >= 0 else -1 - edge
    if edge < 0:
        return action, False, in_tree
    scratch.path[at, 0] = seat
    scratch.path[at, 1] = node
    scratch.path[at, 2] = edge
    return action, True, in_tree


@driver(allocates=False)
def back_up(tree, scratch, length, only):
    """Enter the utilities of a finished simulation at every node of its path, or those of the seat `only` (-1: all)."""
    stamp = tree.used[SIMULATIONS]
    for i in range(length):
        seat, node, edge = scratch.path[i, 0], scratch.path[i, 1], scratch.path[i, 2]
        if only >= 0 and seat != only:
            continue
        utility = scratch.utility[seat]
        if scratch.probs[i] > 0.0:
            update_rm(tree, node, edge, utility, prob=scratch.probs[i], stamp=stamp)
        tree.stats[node, VISITS] += 1.0
        tree.stats[node, NODE_TOTAL] += utility
        tree.edges[edge, COUNT] += 1
        tree.sums[edge, TOTAL] += utility
        tree.sums[edge, SQUARES] += utility * utility


@inner(allocates=False)
def score(game, options, scratch, s, valued):
    """Utilities of all seats: payoffs so far, or as `valued` by the outlook, summed over sides; and the range seen."""
    if valued:
        call_kernel(options.outlook, ESTIMATE, s, game.p, options.memory, 0, address_of(scratch.payoff))
    else:
        call_kernel(game.k, RETURNS, s, game.p, 0, 0, address_of(scratch.payoff))
    n = len(game.sides)
    for seat in range(n):
        total = 0.0
        for other in range(n):
            if game.sides[other] == game.sides[seat]:
                total += scratch.payoff[other]
        scratch.utility[seat] = total
        if total < scratch.bounds[seat, 0]:
            scratch.bounds[seat, 0] = total
        if total > scratch.bounds[seat, 1]:
            scratch.bounds[seat, 1] = total


@inner(allocates=False)
def cast(game, options, scratch, rng):
    """Draw for every side the baseline that its seats follow in rollouts of this simulation."""
    n = len(options.which)
    for seat in range(len(game.teams)):
        if game.teams[seat] == seat:
            scratch.which[seat] = options.which[rand_below(rng, n) if n > 1 else 0]
        else:
            scratch.which[seat] = scratch.which[game.teams[seat]]


@inner(allocates=False)
def simulate(tree, game, options, scratch, world, me, rng, paired):
    """One simulation for the seat `me` from the forgotten record at address `world`; 0 or a status below 0.

    `paired`: it is one of a round on the same dice (`search_pairs`).
    """
    s = address_of(scratch.state)
    words_at = address_of(scratch.words)
    rng_at = address_of(rng)
    copy_bytes(s, world, len(scratch.state))
    call_kernel(game.k, ROLL, s, game.p, 0, 0, rng_at)
    cast(game, options, scratch, rng)
    in_tree = np.int64(-1)
    shadow = False  # what the others met here is not what they learn from
    length, decisions = 0, 0
    until = np.int64(0)
    clocked = options.horizon > 0 and not options.ticks
    if clocked:
        until = call_kernel(options.outlook, CLOCK, s, game.p, options.memory, 0, 0) + options.horizon
    valued, beyond = False, 0
    pairs = scratch.pairs
    advice = pairs.asked if paired else rng
    followed = scratch.followed[0]
    if followed >= 0:
        scratch.prior[followed] += 1.0
        scratch.taken[followed >> 5] |= np.int64(1) << np.int64(followed & 31)
    # in a round on the same dice whoever is asked for advice is asked once, with dice of its own
    begins = not paired or pairs.used[QUEUED] == 0
    if options.policy != 0 and begins:
        call_kernel(game.k, LEGAL, s, game.p, me, 0, words_at)
        action = roll_out(game, options, scratch.which[me], s, seat=me, words=scratch.words, rng=advice)
        if action < 0:
            return BAD_POLICY
        if followed < 0:
            scratch.prior[action] += 1.0
        scratch.taken[action >> 5] |= np.int64(1) << np.int64(action & 31)
        if len(options.advisers) > 0 and tree.used[SIMULATIONS] % ADVICE == 1:
            for i in range(len(options.advisers)):
                action = roll_out(game, options, options.advisers[i], s, seat=me, words=scratch.words, rng=advice)
                if action < 0:
                    return BAD_POLICY
                scratch.taken[action >> 5] |= np.int64(1) << np.int64(action & 31)
    while True:
        bits = call_kernel(game.k, TO_ACT, s, game.p, 0, 0, 0)
        if bits < 0:
            return BAD_RULES
        if bits == 0 or (options.depth > 0 and decisions >= options.depth):
            break
        if clocked:
            valued = call_kernel(options.outlook, CLOCK, s, game.p, options.memory, 0, 0) >= until
        elif options.horizon > 0:
            # somebody has met a node that was new, or the tree is left
            beyond += in_tree != -1 or length >= len(scratch.path)
            valued = beyond >= options.horizon
        if valued:
            break
        many = bits & (bits - 1) != 0
        shared = np.int64(0)
        if options.observer == SINGLE:
            shared = call_kernel(game.k, KEY, s, game.p, me, 0, 0)
        chosen = 0
        while bits:
            # Everybody chooses before anybody's choice is applied: a policy may look at the record.
            seat = lowest_bit(bits)
            bits &= bits - 1
            call_kernel(game.k, LEGAL, s, game.p, seat, 0, words_at)
            if decisions == 0 and seat == me and options.policy != 0:
                for w in range(game.n_words):
                    scratch.words[w] &= ~options.bulky[w] | scratch.taken[w]
            if decisions == 0 and seat == me and paired:
                if pairs.used[QUEUED] == 0 and worth_it(pairs, deviation(tree, ROOT)):
                    for w in range(game.n_words):
                        scratch.left[w] = scratch.words[w]
                    stamp, gamma = tree.used[SIMULATIONS], options.gamma
                    begin_round(pairs, tree, ROOT, words=scratch.left, gamma=gamma, stamp=stamp, rng=pairs.asked)
                if pairs.used[QUEUED] > 0:
                    shadow = pairs.used[PLAYED] > 0
                    scratch.forced[0] = next_action(pairs)
            total = 0
            for w in range(game.n_words):
                total += popcount(scratch.words[w])
            if total == 0:
                return BAD_RULES
            # what is left alone at the root is entered, too: without it nothing would be known of the decision
            if total == 1 and (decisions > 0 or seat != me):
                action = random_legal(scratch.words, rng)
            elif (in_tree >> seat) & 1 and length < len(scratch.path):
                known = shared if options.observer == SINGLE else call_kernel(game.k, KEY, s, game.p, seat, 0, 0)
                turn = Turn(s=s, seat=seat, key=mix(known, seat), many=many, at=length)
                action, entered, in_tree = choose(tree, game, options, scratch, turn=turn, in_tree=in_tree, rng=rng)
                length += entered
            else:
                action = roll_out(game, options, scratch.which[seat], s, seat=seat, words=scratch.words, rng=rng)
            if action < 0:
                return BAD_POLICY
            scratch.seats[chosen] = seat
            scratch.actions[chosen] = action
            chosen += 1
        for i in range(chosen):
            call_kernel(game.k, APPLY, s, game.p, scratch.seats[i], scratch.actions[i], 0)
        decisions += chosen
        call_kernel(game.k, ROLL, s, game.p, 0, 0, rng_at)
    score(game, options, scratch, s, valued=valued)
    back_up(tree, scratch, length, only=me if shadow else np.int64(-1))
    return 0


@driver
def plant(tree, scratch, key, me, followed):
    """Forget the last search and begin one for the seat `me` with the key of its information state.

    `followed` is the action of the trained policy that it follows where nothing is found to be better, -1 for none.
    """
    scratch.followed[0] = followed
    scratch.forced[0] = -1
    clear(tree)
    forget(scratch.pairs)
    key = mix(key, me)
    add_node(tree, key, -1 - find_node(tree, key))
    scratch.bounds[:, 0] = np.inf
    scratch.bounds[:, 1] = -np.inf
    scratch.prior[:] = 0.0
    scratch.taken[:] = 0


@driver(allocates=False, nogil=True)
def search(tree, game, options, scratch, world, me, sims, rng):
    """Add `sims` simulations to a search; 0 or a status below 0. `rng` uint64[1] is advanced.

    It lets go of the interpreter, so that several trees can be searched at once.
    """
    pairs = scratch.pairs
    for _ in range(sims):
        tree.used[SIMULATIONS] += 1
        # the first simulation tells whether regrets are matched at the root
        if options.paired and tree.nodes[ROOT, NODE_RM] != 0 and pairs.used[GIVEN_UP] == 0:
            throw(pairs, rng)
            status = simulate(tree, game, options, scratch, world=world, me=me, rng=pairs.thrown, paired=True)
            if scratch.forced[0] >= 0 and status == 0:
                enter(pairs, scratch.forced[0], scratch.utility[me])
                if pairs.used[QUEUED] == 0:
                    settle(pairs, tree, ROOT)
            scratch.forced[0] = -1
        else:
            status = simulate(tree, game, options, scratch, world=world, me=me, rng=rng, paired=False)
        if status < 0:
            return status
    return 0


@driver(allocates=False)
def merge(into, tree):
    """Add what a tree has found at its root to the root of another one, which has room for an edge of every action."""
    into.nodes[ROOT, NODE_RM] |= tree.nodes[ROOT, NODE_RM]
    into.nodes[ROOT, NODE_MANY] |= tree.nodes[ROOT, NODE_MANY]
    into.used[SIMULATIONS] += tree.used[SIMULATIONS]
    edge = tree.nodes[ROOT, FIRST]
    while edge >= 0:
        action = tree.edges[edge, ACTION]
        here = find_edge(into, ROOT, action)
        if here < 0:
            here = add_edge(into, ROOT, action, 0)
        into.edges[here, COUNT] += tree.edges[edge, COUNT]
        into.sums[here, TOTAL] += tree.sums[edge, TOTAL]
        into.sums[here, SQUARES] += tree.sums[edge, SQUARES]
        into.sums[here, STRATEGY] += tree.sums[edge, STRATEGY]
        edge = tree.edges[edge, NEXT]


@driver
def search_rows(tree, game, options, scratch, rows, sims, out):
    """Search all of `rows` (Rows); `out` float64[A, 4] as in `answer`, of the last row. 0 or a status below 0."""
    worlds, seats, keys, legal = rows.worlds, rows.seats, rows.keys, rows.legal
    followed, seeds, rngs, actions = rows.followed, rows.seeds, rows.rngs, rows.actions
    size = worlds.shape[1]
    for i in range(len(worlds)):
        rng = rngs[i : i + 1]
        rng[0] = seeds[i]
        total = 0
        for w in range(legal.shape[1]):
            total += popcount(legal[i, w])
        out[:] = 0.0
        if total == 1:
            actions[i] = random_legal(legal[i], rng)
            out[actions[i], 2:] = 1.0
            continue
        plant(tree, scratch, keys[i], seats[i], followed=followed[i])
        world = address_of(worlds) + i * size
        status = search(tree, game, options, scratch, world=world, me=seats[i], sims=sims, rng=rng)
        if status < 0:
            return status
        actions[i] = answer(tree, options, scratch.prior, legal[i], out=out, rng=rng, pairs=scratch.pairs)
    return 0
