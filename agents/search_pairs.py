"""Simultaneous choices of a search compared on the same dice (common random numbers; Glasserman and Yao 1992).

Where regrets are matched at the root of a search, its simulations come in rounds. In a round every action is simulated
once, from the same deal and with the same dice, so that what two actions differ by is not drowned by what both met by
chance, and the regrets of all of them are known at once instead of one that was drawn. What is kept of every two is the
sum of the differences, and of their squares. The others learn from the action alone that was drawn from the strategy:
from all of them they would learn to answer a mixture that nobody plays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..envs.core.abi import lowest_bit
from ..envs.core.jit import driver
from ..envs.core.rng import next_u64
from .search_tree import ACTION, REGRET, find_edge, matched, positive_regrets, select_rm

FEWEST = 8  # rounds before it is asked whether they are worth it
KNOWN, ROUNDS, QUEUED, PLAYED, STAMPED, GIVEN_UP = 0, 1, 2, 3, 4, 5  # entries of Pairs.used


class Pairs(NamedTuple):
    """Working space of the comparisons of one decision.

    `places` int64[A] (place + 1 of each action, 0: none yet), `actions` int64[A] (of each place), `queue` int64[A]
    (places that are still to be simulated in this round, last first), `played` int64[A] and `found` float64[A] (places
    that were, and what they came to), `used` int64[6], `dice`, `thrown`, `asked` uint64[1] (with which the round began;
    those of now, and those for advice and for what is drawn), `rounds`, `gains`, `squares` float64[A, A] (rounds of
    both places; sums of what the first gained on the second, and of its squares).
    """

    places: Any
    actions: Any
    queue: Any
    played: Any
    found: Any
    used: Any
    dice: Any
    thrown: Any
    asked: Any
    rounds: Any
    gains: Any
    squares: Any


def no_pairs(actions: int) -> Pairs:
    """Working space for so many actions."""
    return Pairs(
        places=np.zeros(actions, dtype=np.int64),
        actions=np.zeros(actions, dtype=np.int64),
        queue=np.zeros(actions, dtype=np.int64),
        played=np.zeros(actions, dtype=np.int64),
        found=np.zeros(actions, dtype=np.float64),
        used=np.zeros(6, dtype=np.int64),
        dice=np.zeros(1, dtype=np.uint64),
        thrown=np.zeros(1, dtype=np.uint64),
        asked=np.zeros(1, dtype=np.uint64),
        rounds=np.zeros((actions, actions), dtype=np.float64),
        gains=np.zeros((actions, actions), dtype=np.float64),
        squares=np.zeros((actions, actions), dtype=np.float64),
    )


@driver(allocates=False)
def forget(pairs):
    """Begin anew; only what was used is touched."""
    known = pairs.used[KNOWN]
    for place in range(known):
        pairs.places[pairs.actions[place]] = 0
        for other in range(known):
            pairs.rounds[place, other] = 0.0
            pairs.gains[place, other] = 0.0
            pairs.squares[place, other] = 0.0
    pairs.used[:] = 0


@driver(allocates=False)
def throw(pairs, rng):
    """Dice for the next simulation: those of its round, or new ones from `rng` where a round begins."""
    if pairs.used[QUEUED] == 0:
        pairs.dice[0] = next_u64(rng)
    pairs.thrown[0] = pairs.dice[0]
    pairs.asked[0] = ~pairs.dice[0]


@driver(allocates=False)
def place_of(pairs, action):
    """The place of an action, a new one if it has none."""
    if pairs.places[action] == 0:
        pairs.actions[pairs.used[KNOWN]] = action
        pairs.used[KNOWN] += 1
        pairs.places[action] = pairs.used[KNOWN]
    return pairs.places[action] - 1


@driver(allocates=False)
def join(into, pairs):
    """Add what was found in other rounds."""
    for place in range(pairs.used[KNOWN]):
        place_of(into, pairs.actions[place])
    for place in range(pairs.used[KNOWN]):
        here = into.places[pairs.actions[place]] - 1
        for other in range(pairs.used[KNOWN]):
            there = into.places[pairs.actions[other]] - 1
            into.rounds[here, there] += pairs.rounds[place, other]
            into.gains[here, there] += pairs.gains[place, other]
            into.squares[here, there] += pairs.squares[place, other]
    into.used[ROUNDS] += pairs.used[ROUNDS]


@driver(allocates=False)
def mean_gain(pairs, place, other):
    """What one place has gained on another in the mean of their rounds, 0 without any."""
    n = pairs.rounds[place, other]
    return pairs.gains[place, other] / n if n > 0.0 else 0.0


@driver(allocates=False)
def gain_error(pairs, place, other):
    """Standard error of that mean; infinite below two rounds."""
    n = pairs.rounds[place, other]
    if n < 2.0:
        return np.inf
    mean = pairs.gains[place, other] / n
    return np.sqrt(max(pairs.squares[place, other] / n - mean * mean, 0.0) / (n - 1.0))


@driver(allocates=False)
def worth_it(pairs, deviation):
    """Whether rounds on the same dice still take place; after the first few of them that is asked once.

    They do not where two actions differ by more in the mean of squares than what each comes to, with that `deviation`
    (a correlation below 1/2): there the dice decide little, and to select what is tried is the better way.
    """
    if pairs.used[ROUNDS] == FEWEST and pairs.used[GIVEN_UP] == 0:
        met, squares = 0.0, 0.0
        for place in range(pairs.used[KNOWN]):
            for other in range(place):
                met += pairs.rounds[place, other]
                squares += pairs.squares[place, other]
        if squares > met * deviation * deviation:
            forget(pairs)
            pairs.used[GIVEN_UP] = 1
    return pairs.used[GIVEN_UP] == 0


@driver(allocates=False)
def begin_round(pairs, tree, node, words, gamma, stamp, rng):
    """Fill the queue with all of the actions `words` int64[W] (used up), first one drawn by regret matching.

    False, and nothing is queued, if the tree has no room for all of them. `rng` draws.
    """
    queued = 0
    for w in range(len(words)):
        left = words[w]
        while left:
            pairs.queue[queued] = place_of(pairs, 32 * w + lowest_bit(left))
            left &= left - 1
            queued += 1
    pairs.used[PLAYED] = 0
    edge = select_rm(tree, node, words, gamma, stamp=stamp, rng=rng, prob=pairs.found[:1])
    if edge < 0:
        return False
    drawn = pairs.places[tree.edges[edge, ACTION]] - 1
    for i in range(queued):
        if pairs.queue[i] == drawn:
            pairs.queue[i] = pairs.queue[queued - 1]
    pairs.queue[queued - 1] = drawn
    pairs.used[QUEUED] = queued
    pairs.used[ROUNDS] += 1
    pairs.used[STAMPED] = stamp
    return True


@driver(allocates=False)
def settle(pairs, tree, node):
    """Add the regrets of a round that is over, of all actions at once, floored at 0 (regret matching+)."""
    total, k = positive_regrets(tree, node, pairs.used[STAMPED])
    expected = 0.0
    for i in range(pairs.used[PLAYED]):
        edge = find_edge(tree, node, pairs.actions[pairs.played[i]])
        expected += pairs.found[i] * matched(tree, edge, total, k)
    for i in range(pairs.used[PLAYED]):
        edge = find_edge(tree, node, pairs.actions[pairs.played[i]])
        tree.sums[edge, REGRET] = max(tree.sums[edge, REGRET] + pairs.found[i] - expected, 0.0)


@driver(allocates=False)
def next_action(pairs):
    """The next action of the round, which must not be over."""
    pairs.used[QUEUED] -= 1
    return pairs.actions[pairs.queue[pairs.used[QUEUED]]]


@driver(allocates=False)
def enter(pairs, action, utility):
    """Enter what an action of this round came to beside those before it."""
    place = pairs.places[action] - 1
    for i in range(pairs.used[PLAYED]):
        other = pairs.played[i]
        gain = utility - pairs.found[i]
        pairs.rounds[place, other] += 1.0
        pairs.rounds[other, place] += 1.0
        pairs.gains[place, other] += gain
        pairs.gains[other, place] -= gain
        pairs.squares[place, other] += gain * gain
        pairs.squares[other, place] += gain * gain
    pairs.played[pairs.used[PLAYED]] = place
    pairs.found[pairs.used[PLAYED]] = utility
    pairs.used[PLAYED] += 1
