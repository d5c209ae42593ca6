"""When `solve_search` does not answer what it solved: where nothing is shown to be better than the rollout baselines.

A leaf is worth what one play from it found, so a small tree is solved for its noise. What an action gains on the
baselines is therefore asked of each position that was dealt: the mean, and how far positions lie apart. Where one alone
was dealt, plays from leaves are the only noise: how many there are, each by the share of it that counts, tells the
error.
"""

from __future__ import annotations

import numpy as np

from ..envs.core.inner import inner
from ..envs.core.jit import driver
from .solve_tree import (
    ACTOR,
    AVERAGE,
    CHANCE,
    CHANCE_OF,
    COUNT,
    DEALT,
    DECISION,
    END,
    ENTRIES,
    FIRST,
    GAIN,
    GUESS,
    INFO,
    KIND,
    LEAF,
    NEXT,
    NODES,
    OFFSET,
    OPEN,
    REACH,
    ROOTS,
    SIZE,
    TRIES,
    VALUE,
    find_info,
    gather,
    spread,
)

MARGIN, INDIFFERENT = 0, 1  # entries of `caution`


@inner(allocates=False)
def deviation(tree, side):
    """Standard deviation of what the leaves are worth to a side: of payoffs, or of what an outlook says."""
    count, total, squares = 0.0, 0.0, 0.0
    for node in range(tree.used[NODES]):
        if tree.nodes[node, KIND] == LEAF or tree.nodes[node, KIND] == END:
            worth = tree.floats[node, GUESS + side]
            count += 1.0
            total += worth
            squares += worth * worth
    return np.sqrt(max(squares / count - (total / count) ** 2, 0.0)) if count > 0.0 else 0.0


@inner
def noise_below(tree):
    """The variance of what each node is worth, float64[nodes], if a play from a leaf has variance 1.

    Settled chances go for certain, ends are; of dice that were sampled each outcome is at least as uncertain as a play.
    """
    nodes, floats = tree.nodes, tree.floats
    noise = np.zeros(tree.used[NODES])
    for node in range(tree.used[NODES] - 1, -1, -1):
        kind = nodes[node, KIND]
        if kind == LEAF:
            noise[node] = 1.0 / max(nodes[node, TRIES], 1)
        child = nodes[node, FIRST]
        entry = np.int64(0)
        if kind == DECISION:
            info = nodes[node, INFO]
            entry = np.int64(
                tree.infos[info, OFFSET] + tree.infos[info, SIZE] - 1
            )  # the last action is the first child
        while child >= 0:
            if kind == DECISION:
                noise[node] += tree.entries[entry, AVERAGE] ** 2 * noise[child]
                entry -= 1
            elif kind == CHANCE:
                noise[node] += floats[child, CHANCE_OF] ** 2 * noise[child]
            else:
                noise[node] += max(noise[child], 1.0) / nodes[node, COUNT] ** 2
            child = nodes[child, NEXT]
    return noise


@inner
def errors_of_plays(tree, side, info, prior, share):
    """Standard errors of what actions gain on `prior`, which sums to `share`, by the noise of plays, float64[size]."""
    begin, size = tree.infos[info, OFFSET], tree.infos[info, SIZE]
    noise, found, total = noise_below(tree), np.zeros(size), 0.0
    for node in range(tree.used[NODES]):
        if tree.nodes[node, KIND] != DECISION or tree.nodes[node, INFO] != info:
            continue
        weight = tree.floats[node, REACH + 1 - side] * tree.floats[node, DEALT]
        total += weight
        child = tree.nodes[node, FIRST]
        for j in range(size - 1, -1, -1):
            found[j] += weight**2 * noise[child]
            child = tree.nodes[child, NEXT]
    base = 0.0
    for j in range(size):
        base += (prior[tree.actions[begin + j]] / share) ** 2 * found[j]
    scale = deviation(tree, side) / total
    for j in range(size):
        part = prior[tree.actions[begin + j]] / share
        found[j] = scale * np.sqrt(max(base + (1.0 - 2.0 * part) * found[j], 0.0))
    return found


@driver
def gains(tree, roots, sides, info, prior):
    """What each action of an information state gains on the mixture `prior` float64[A], against the settled solution.

    Returns float64[size, 2]: the mean over the positions that were dealt, each with its weight, and the standard error
    of that mean (of one position alone that of the plays from its leaves); and how many positions there are (0 where
    all that follows is in the tree: no errors of leaves).
    """
    side = sides[tree.infos[info, ACTOR]]
    begin, size = tree.infos[info, OFFSET], tree.infos[info, SIZE]
    out = np.zeros((size, 2))
    spread(tree, roots, sides, learner=-1, average=True)
    gather(tree, sides, learner=side, average=True)
    for entry in range(tree.used[ENTRIES]):
        tree.entries[entry, GAIN] = 0.0
    many = tree.used[ROOTS]
    root_of = np.full(tree.used[NODES], -1, dtype=np.int64)
    for root in range(many):
        root_of[roots.nodes[root]] = root
    share = 0.0
    for entry in range(begin, begin + size):
        share += prior[tree.actions[entry]]
    weights, found = np.zeros(many), np.zeros((many, size))
    growing = False
    for node in range(tree.used[NODES]):
        child = tree.nodes[node, FIRST]
        mine = tree.nodes[node, KIND] == DECISION and tree.nodes[node, INFO] == info
        base = 0.0
        entry = begin + size - 1  # the last action is the first child
        while child >= 0:
            root_of[child] = root_of[node]
            if mine:
                base += prior[tree.actions[entry]] / share * tree.floats[child, VALUE]
                entry -= 1
            child = tree.nodes[child, NEXT]
        if not mine:
            continue
        growing |= tree.nodes[node, OPEN] != 0
        weight = tree.floats[node, REACH + 1 - side] * tree.floats[node, DEALT]
        weights[root_of[node]] += weight
        child = tree.nodes[node, FIRST]
        for j in range(size - 1, -1, -1):
            found[root_of[node], j] += weight * (tree.floats[child, VALUE] - base)
            child = tree.nodes[child, NEXT]
    total, met = 0.0, 0
    for root in range(many):
        total += weights[root]
        met += weights[root] > 0.0
    if total <= 0.0 or not growing:
        return out, 0
    for j in range(size):
        out[j, 0] = found[:, j].sum() / total
        squares = 0.0
        for root in range(many):
            squares += (found[root, j] - out[j, 0] * weights[root]) ** 2
        if met > 1:
            out[j, 1] = np.sqrt(squares * met / (met - 1)) / total
    if met == 1:
        out[:, 1] = errors_of_plays(tree, side, info, prior, share=share)
    return out, met


@driver
def nothing_better(tree, roots, sides, key, prior, caution):
    """Whether no action gains on what the rollout baselines do, `prior` float64[A], more than error and habit allow.

    `caution` float64[2]: twice so many standard errors, as the best of several means lies above by chance; and so many
    standard deviations of payoffs. False with a margin of 0, or where the baselines were not asked.
    """
    info = find_info(tree, key)
    if info < 0 or caution[MARGIN] <= 0.0 or prior.sum() <= 0.0:
        return False
    out, met = gains(tree, roots, sides, info=info, prior=prior)
    if met < 1:
        return False
    least = caution[INDIFFERENT] * deviation(tree, sides[tree.infos[info, ACTOR]])
    for j in range(len(out)):
        if out[j, 0] > 2.0 * caution[MARGIN] * out[j, 1] + least:
            return False
    return True
