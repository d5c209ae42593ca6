"""The answer of a search: what it found at its root, and what is played by it."""

from __future__ import annotations

import numpy as np

from ..envs.core.batch import random_legal
from ..envs.core.jit import driver
from ..envs.core.rng import rand_float
from .search_pairs import KNOWN, gain_error
from .search_tree import ACTION, COUNT, FIRST, NEXT, NODE_MANY, NODE_RM, SQUARES, STRATEGY, TOTAL

ROOT = 0  # index of the node that is searched
INDIFFERENT = 0.05  # standard deviations of utility that never count as worse


@driver(allocates=False)
def deviation(tree, node):
    """Standard deviation of the utilities met at a node."""
    count, total, squares = 0.0, 0.0, 0.0
    edge = tree.nodes[node, FIRST]
    while edge >= 0:
        count += tree.edges[edge, COUNT]
        total += tree.sums[edge, TOTAL]
        squares += tree.sums[edge, SQUARES]
        edge = tree.edges[edge, NEXT]
    return np.sqrt(max(squares / count - (total / count) ** 2, 0.0)) if count > 0.0 else 0.0


@driver(allocates=False)
def error_between(pairs, out, action, other, noise):
    """Standard error of what one action is better by than another, where both were tried.

    Where they met on the same dice, that of the differences; else that of two means, `noise` being the deviation.
    """
    place, against = pairs.places[action] - 1, pairs.places[other] - 1
    if place >= 0 and against >= 0 and pairs.rounds[place, against] >= 2.0:
        return gain_error(pairs, place, against)
    return noise * np.sqrt(1.0 / out[action, 0] + 1.0 / out[other, 0])


@driver(allocates=False)
def nothing_better(options, prior, out, noise, pairs):
    """Whether no action is better than what the rollout baselines would do, beyond the noise of the means.

    The best of several means is expected to lie above by chance, so twice the `margin` counts here; and `indifferent`
    standard deviations, however small the errors are. What was never tried is not known to be worse.
    """
    total, base, asked = 0.0, 0.0, 0.0
    for action in range(len(out)):
        asked += prior[action]
        if out[action, 0] > 0.0:
            total += prior[action]
            base += prior[action] * out[action, 1]
    if total == 0.0:
        return asked > 0.0
    base /= total
    for action in range(len(out)):
        if out[action, 0] > 0.0 and out[action, 1] > base:
            error = noise * np.sqrt(1.0 / out[action, 0] + 1.0 / total)
            if pairs.used[KNOWN] > 0:
                error = 0.0
                for other in range(len(out)):
                    if other != action and prior[other] > 0.0 and out[other, 0] > 0.0:
                        error += prior[other] / total * error_between(pairs, out, action, other, noise=noise)
            if out[action, 1] > base + 2.0 * options.margin * error + options.indifferent * noise:
                return False
    return True


@driver(allocates=False)
def doubted(out, action, doubt, usual):
    """The mean of an action as if it had been tried `doubt` times more, and had brought what is usual."""
    return (out[action, 0] * out[action, 1] + doubt * usual) / (out[action, 0] + doubt)


@driver(allocates=False)
def best_known(options, prior, out, best, noise):
    """The best action of the rollout baselines, or the most visited action `best` if it is better beyond the noise.

    The best of several means is expected to lie above by chance, so twice the `margin` counts here. What was never
    tried is not known to be worse: of such actions the likeliest. What was hardly tried is `doubted`: a search turns
    away from an action that has failed twice, which every good one does now and then.
    """
    base, likeliest = np.int64(-1), np.int64(0)
    for action in range(len(out)):
        if prior[action] > prior[likeliest]:
            likeliest = np.int64(action)
        if prior[action] > 0.0 and out[action, 0] > 0.0 and (base < 0 or out[action, 1] > out[base, 1]):
            base = np.int64(action)
    if prior[best] > 0.0:
        return best
    if base < 0:
        return likeliest if prior[likeliest] > 0.0 else best
    tried, total = 0.0, 0.0
    for action in range(len(out)):
        tried += out[action, 0]
        total += out[action, 0] * out[action, 1]
    usual, doubt = total / tried, options.doubt
    more = doubted(out, best, doubt=doubt, usual=usual) - doubted(out, base, doubt=doubt, usual=usual)
    error = noise * np.sqrt(1.0 / (out[best, 0] + doubt) + 1.0 / (out[base, 0] + doubt))
    needed = 2.0 * options.margin * error + options.indifferent * noise
    return best if more > needed else base


@driver
def answer(tree, options, prior, legal, out, rng, pairs):
    """The action to play after a search.

    `legal` int64[W] is the legal set, from which the answer comes if no simulation came by. `out` float64[A, 4], zeroed
    before, gets for every action visits, mean utility, average strategy and the chance with which it is played. Where
    one seat decides alone the answer is the most visited action (see also `stay`). Where several do, or regrets were
    matched, it is a sample: of what the rollout baselines did (`prior` float64[A]), as long as no action is found to be
    better than that; else of the average strategy without the actions that are worse than the likeliest beyond the
    noise, that of each: a mixture is worth it though one action did better against what the others have tried so far.
    """
    node = ROOT
    if tree.nodes[node, FIRST] < 0:
        return random_legal(legal, rng)
    rm = tree.nodes[node, NODE_RM] != 0
    total = 0.0
    best, best_weight, best_mean = np.int64(-1), -1.0, -np.inf
    edge = tree.nodes[node, FIRST]
    while edge >= 0:
        action, n = tree.edges[edge, ACTION], tree.edges[edge, COUNT]
        weight = tree.sums[edge, STRATEGY] if rm else np.float64(n)
        mean = tree.sums[edge, TOTAL] / n if n > 0 else 0.0
        total += weight
        out[action, 0], out[action, 1], out[action, 2] = n, mean, weight
        if n > 0 and (weight > best_weight or (weight == best_weight and mean > best_mean)):
            best, best_weight, best_mean = action, weight, mean
        edge = tree.edges[edge, NEXT]
    if total > 0.0:
        out[:, 2] /= total
    if options.stay and not rm and tree.nodes[node, NODE_MANY] == 0:
        best = best_known(options, prior, out, best, noise=deviation(tree, node))
        out[best, 3] = 1.0
        return best
    powered = 0.0
    if (rm or tree.nodes[node, NODE_MANY] != 0) and options.temperature > 0.0 and best_weight > 0.0:
        noise = deviation(tree, node)
        modest = nothing_better(options, prior, out, noise=noise, pairs=pairs)
        if modest:
            best_weight = prior.max()
        for action in range(len(out)):
            if modest:
                if prior[action] > 0.0:
                    out[action, 3] = (prior[action] / best_weight) ** (1.0 / options.temperature)
                    powered += out[action, 3]
            elif out[action, 0] > 0.0 and out[action, 2] > 0.0:
                error = noise * np.sqrt(1.0 / out[action, 0] + 1.0 / out[best, 0])
                if out[action, 1] >= best_mean - options.margin * error - INDIFFERENT * noise:
                    # relative to the likeliest, so that no power is too small for a float64
                    out[action, 3] = (out[action, 2] * total / best_weight) ** (1.0 / options.temperature)
                    powered += out[action, 3]
    if powered <= 0.0:
        out[best, 3] = 1.0
        return best
    out[:, 3] /= powered
    pick = rand_float(rng)
    chosen = best
    for action in range(len(out)):
        if out[action, 3] > 0.0 and pick >= 0.0:
            chosen = np.int64(action)
            pick -= out[action, 3]
    return chosen
