"""Prediction of the other's next symbol, compiled once for all games: context models, experts, and their weights.

Everything is a function of the history. What has been learnt from it lies in a *slot* of a memory (`memory.py`), is
kept up to date round by round, and is learnt again from the start where it is missing, with the same result bit for
bit.

A history is read as several sequences (`VIEWS`): both symbols, one side's symbols, results, steps from symbol to
symbol, situations. For each of them the rounds that followed the same context of 0 to `DEPTHS` - 1 places or more are
counted, all with one weight and once more with the newest counting most. Match lengths hold how far the context before
a past round agrees with the present one, so that one pass over the history gives the counts of all depths.

Experts for the mixture (`EXPERTS` a view and depth): the two distributions as they are, and what used to follow when
the most frequent successor was x: the distribution of the difference between the symbol shown and x. The latter are
kept for x as a guess of the other's symbol and as a guess of the own one, which covers all levels of second-guessing:
whoever beats our guess, or beats what beats it, leaves the same trace. Experts are weighed by their likelihood at three
speeds of forgetting; each of these mixtures is watched for what its best reply would have won.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...envs.core.abi import array_view, float64_at, int64_at
from ...envs.core.jit import driver

VIEWS = 8
DEPTHS = 8
SPEEDS = 2  # counts with one weight, and counts with the newest weighing most
EXPERTS = 3 * SPEEDS
MIXTURES = 3
ROUNDS = 1024  # rounds looked back upon, a power of two
NEAR = 256  # rounds for the counts with the newest weighing most
NONE = 255  # no guess

# how fast the three mixtures learn and forget
LEARN = (1.0, 1.0, 0.5)
KEEP = (0.99, 0.9, 1.0)
PRIOR = 0.4  # added to every count
SHADE = 0.5  # added to every count of differences
NEWEST = 0.95  # weight of a round against the one after it, where the newest weighs most
WARY = 0.25  # squared worth added to what was won or lost so far, before little of it is trusted
OTHER_KIND = 0.25  # weight of rounds in which nothing was at stake, when something is, and the other way round

# what guessers know (`advance_guesses`): views and depths of their predictors
GUESS_VIEWS = 3
GUESS_DEPTHS = 5  # contexts of 1 to so many places
GUESSES = 2 * GUESS_VIEWS * GUESS_DEPTHS  # each from both sides

# slots: integers, bytes and numbers of one of them
HEAD = 8
H_KEY, H_STAMP, H_COUNT, H_RUN = range(4)  # hash of the history, last use, rounds learnt, length of the own streak
ROWS = 2 * VIEWS + 4  # rows of ROUNDS bytes: sequences, match lengths, three kinds of successors, what was at stake
R_VIEW, R_MATCH, R_NEXT, R_STAKE = 0, VIEWS, 2 * VIEWS, 2 * VIEWS + 3

# memory: a table of int64
MEMORY = 10
M_SLOTS, M_ACTIVE, M_CLOCK, M_HEADS, M_BYTES, M_NUMBERS, M_BYTES_EACH, M_NUMBERS_EACH, M_HINT, M_SYMBOLS = range(MEMORY)
COSTLY = 16  # learning so many rounds again means that slots are missing

uint8_at = array_view("u1")


def bytes_each(symbols: int) -> int:
    """Bytes of a slot."""
    return ROWS * ROUNDS + 2 * SPEEDS * VIEWS * DEPTHS


@driver
def numbers_each(symbols):
    """Numbers (float64) of a slot."""
    guesses = 2 * SPEEDS * VIEWS * DEPTHS
    experts = EXPERTS * VIEWS * DEPTHS
    return guesses * symbols + experts * symbols + MIXTURES * experts + MIXTURES * symbols + 2 * MIXTURES


# --- slots ------------------------------------------------------------------------------------------------------------


@driver
def find_slot(memory, key, before):
    """The slot that has learnt a history (hash `key`), or all of it but the last round (`before`); -1 if none has."""
    m = int64_at(memory, MEMORY)
    heads = int64_at(m[M_HEADS], m[M_SLOTS] * HEAD)
    active = m[M_ACTIVE]
    for i in range(active):  # tables are mostly asked in turns, so that the next slot is the likeliest
        slot = m[M_HINT] + i
        if slot >= active:
            slot -= active
        known = heads[slot * HEAD + H_KEY]
        if heads[slot * HEAD + H_STAMP] > 0 and (known in (key, before)):
            m[M_HINT] = slot + 1
            return slot
    return -1


@driver
def free_slot(memory, rounds):
    """A cleared slot for a history of so many rounds: the one not used for longest; more come into use if needed."""
    m = int64_at(memory, MEMORY)
    heads = int64_at(m[M_HEADS], m[M_SLOTS] * HEAD)
    best = 0
    for slot in range(m[M_ACTIVE]):
        if heads[slot * HEAD + H_STAMP] < heads[best * HEAD + H_STAMP]:
            best = slot
    if heads[best * HEAD + H_STAMP] > 0 and rounds >= COSTLY and m[M_ACTIVE] < m[M_SLOTS]:
        best = m[M_ACTIVE]
        m[M_ACTIVE] = min(m[M_SLOTS], 2 * m[M_ACTIVE])
    for i in range(HEAD):
        heads[best * HEAD + i] = 0
    seen = bytes_of(memory, best)
    for i in range(ROWS * ROUNDS, len(seen)):
        seen[i] = NONE
    numbers = numbers_of(memory, best)
    for i in range(len(numbers)):
        numbers[i] = 0.0
    m[M_HINT] = best + 1
    return best


@driver
def head_of(memory, slot):
    """Integers of a slot, int64[HEAD]."""
    m = int64_at(memory, MEMORY)
    return int64_at(m[M_HEADS] + 8 * HEAD * slot, HEAD)


@driver
def bytes_of(memory, slot):
    """Bytes of a slot, uint8[bytes_each]."""
    m = int64_at(memory, MEMORY)
    return uint8_at(m[M_BYTES] + m[M_BYTES_EACH] * slot, m[M_BYTES_EACH])


@driver
def numbers_of(memory, slot):
    """Numbers of a slot, float64[numbers_each]."""
    m = int64_at(memory, MEMORY)
    return float64_at(m[M_NUMBERS] + 8 * m[M_NUMBERS_EACH] * slot, m[M_NUMBERS_EACH])


@driver
def stamp(memory, slot, key):
    """Note that a slot was used, and what it knows."""
    m = int64_at(memory, MEMORY)
    m[M_CLOCK] += 1
    head = head_of(memory, slot)
    head[H_STAMP] = m[M_CLOCK]
    head[H_KEY] = key


# --- counting what followed the present context -----------------------------------------------------------------------


@driver
def difference(a, b, symbols):
    """a - b among symbols in a circle."""
    return a - b if a >= b else a - b + symbols


@driver
def append(symbols, n, seen, own, other, situation, stake):
    """Write round number `n` into the rows of a slot; `situation` and `stake` are those of the round that comes next.

    `stake` is 1 if that round can change something.
    """
    at = n & (ROUNDS - 1)
    last = (n - 1) & (ROUNDS - 1)
    joint = own * symbols + other
    result = difference(other, own, symbols)
    seen[R_VIEW * ROUNDS + at] = joint
    seen[(R_VIEW + 1) * ROUNDS + at] = other
    seen[(R_VIEW + 2) * ROUNDS + at] = own
    seen[(R_VIEW + 3) * ROUNDS + at] = result
    seen[(R_VIEW + 7) * ROUNDS + at] = situation
    seen[R_NEXT * ROUNDS + at] = joint
    if n > 0:
        before = seen[R_VIEW * ROUNDS + last]
        own_before = before // symbols
        other_before = before - own_before * symbols
        step = difference(other, other_before, symbols)
        own_step = difference(own, own_before, symbols)
        seen[(R_VIEW + 4) * ROUNDS + at] = step
        seen[(R_VIEW + 5) * ROUNDS + at] = own_step
        seen[(R_VIEW + 6) * ROUNDS + at] = result * symbols + step
        seen[(R_NEXT + 1) * ROUNDS + at] = own_step * symbols + difference(other, own_before, symbols)
        seen[(R_NEXT + 2) * ROUNDS + at] = own_step * symbols + step
    else:
        for row in (R_VIEW + 4, R_VIEW + 5, R_VIEW + 6, R_NEXT + 1, R_NEXT + 2):
            seen[row * ROUNDS + at] = NONE  # no step led here
    seen[R_STAKE * ROUNDS + ((n + 1) & (ROUNDS - 1))] = stake


@driver
def count_followers(view, symbols, n, seen, evenly, newest):
    """Count what followed in the last rounds, by the length of the context that they share with the present.

    `n` rounds are known. Out, zeroed here: `evenly`, `newest` float64[DEPTHS, symbols * symbols] by (own, other) symbol
    in the frame of the view; those of a longer context count for all shorter ones. Updates the match lengths.
    """
    pairs = symbols * symbols
    for depth in range(DEPTHS):
        for c in range(pairs):
            evenly[depth, c] = 0.0
            newest[depth, c] = 0.0
    mask = ROUNDS - 1
    codes = seen[(R_VIEW + view) * ROUNDS : (R_VIEW + view + 1) * ROUNDS]
    match = seen[(R_MATCH + view) * ROUNDS : (R_MATCH + view + 1) * ROUNDS]
    frame = 1 if view == 3 else (2 if 4 <= view <= 6 else 0)
    followers = seen[(R_NEXT + frame) * ROUNDS : (R_NEXT + frame + 1) * ROUNDS]
    stakes = seen[R_STAKE * ROUNDS : (R_STAKE + 1) * ROUNDS]
    now = stakes[n & mask]
    code = codes[(n - 1) & mask]
    oldest = max(0, n - ROUNDS + 1)
    weight = 1.0
    for i in range(n - 2, oldest - 1, -1):
        at = i & mask
        length = 0
        if codes[at] == code:
            length = 1 + (match[(i - 1) & mask] if i > oldest else 0)
            if length > NONE:
                length = NONE
        match[at] = length
        depth = min(length, DEPTHS - 1)
        following = (i + 1) & mask
        pair = followers[following]
        share = 1.0 if stakes[following] == now else OTHER_KIND
        evenly[depth, pair] += share
        if n - i <= NEAR:
            weight *= NEWEST
            newest[depth, pair] += weight * share
    match[(n - 1) & mask] = 0
    for depth in range(DEPTHS - 2, -1, -1):
        for c in range(pairs):
            evenly[depth, c] += evenly[depth + 1, c]
            newest[depth, c] += newest[depth + 1, c]


@driver
def marginals(view, symbols, n, seen, counts, theirs, mine):
    """Counts of the other's and the own next symbol, float64[symbols] each, from those of a view in its frame."""
    at = (n - 1) & (ROUNDS - 1)
    joint = seen[R_VIEW * ROUNDS + at]
    own = joint // symbols
    other = joint - own * symbols
    to_theirs = 0 if view < 3 or view == 7 else (own if view == 3 else other)
    to_mine = 0 if view < 3 or view == 7 else own
    for c in range(symbols):
        theirs[c] = 0.0
        mine[c] = 0.0
    for a in range(symbols):
        for b in range(symbols):
            k = counts[a * symbols + b]
            theirs[(b + to_theirs) % symbols] += k
            mine[(a + to_mine) % symbols] += k


@driver
def most_frequent(counts):
    """The symbol with the highest count, the lowest of several; NONE if all are equal."""
    best = 0
    for c in range(1, len(counts)):
        if counts[c] > counts[best]:
            best = c
    for c in range(len(counts)):
        if counts[c] != counts[best]:
            return best
    return NONE


# --- the mixture ------------------------------------------------------------------------------------------------------


class Learnt(NamedTuple):
    """A round that is learnt: the symbols, the `situation` before the next one, and what was at stake.

    `scored`: 1 if something was at stake in this round; `stake`: the same of the next one.
    """

    own: int
    other: int
    situation: int
    scored: int
    stake: int


@driver
def advance_mixture(symbols, n, seen, numbers, outcomes, worth, values, learnt):
    """Learn round number `n` and predict the next one.

    `outcomes` float64[symbols, symbols]: 1, 0 or -1 for own symbol against the other's; `worth` float64[3]: what a
    loss, a draw and a win were worth in this round; `values` float64[.]: forgetting of differences, of wins, and the
    floor of a probability; `learnt` Learnt is the round.
    """
    own, other, situation, scored, stake = learnt.own, learnt.other, learnt.situation, learnt.scored, learnt.stake
    guesses = 2 * SPEEDS * VIEWS * DEPTHS
    experts = EXPERTS * VIEWS * DEPTHS
    turned = numbers[: guesses * symbols]
    start = guesses * symbols
    chances = numbers[start : start + experts * symbols]
    start += experts * symbols
    weights = numbers[start : start + MIXTURES * experts]
    start += MIXTURES * experts
    mixed = numbers[start : start + MIXTURES * symbols]
    won = numbers[start + MIXTURES * symbols :]
    guess = seen[ROWS * ROUNDS :]
    if n > 0 and scored:
        score_experts(symbols, chances, weights, other)
        for m in range(MIXTURES):
            reply = best_reply(symbols, mixed[m * symbols : (m + 1) * symbols], outcomes, worth)
            pay = worth[int(outcomes[reply, other]) + 1]
            won[2 * m] = values[1] * won[2 * m] + pay
            won[2 * m + 1] = values[1] * won[2 * m + 1] + pay * pay
        for g in range(guesses):
            if guess[g] != NONE:
                for c in range(symbols):
                    turned[g * symbols + c] *= values[0]
                turned[g * symbols + difference(other, guess[g], symbols)] += 1.0
    append(symbols, n, seen, own, other=other, situation=situation, stake=stake)
    predict(symbols, n + 1, seen, turned, guess=guess, chances=chances, floor=values[2])
    mix_experts(symbols, chances, weights, mixed)


@driver
def score_experts(symbols, chances, weights, other):
    """Add the likelihood of the other's symbol to the weights (logarithms) of all experts."""
    experts = len(chances) // symbols
    for e in range(experts):
        likelihood = math.log(chances[e * symbols + other])
        for m in range(MIXTURES):
            weights[m * experts + e] = KEEP[m] * weights[m * experts + e] + LEARN[m] * likelihood


@driver
def predict(symbols, n, seen, turned, guess, chances, floor):
    """Write the distributions of all experts for the next symbol, `chances` float64[experts * symbols]."""
    evenly = np.zeros((DEPTHS, symbols * symbols))
    newest = np.zeros((DEPTHS, symbols * symbols))
    theirs = np.zeros(symbols)
    mine = np.zeros(symbols)
    e = 0
    g = 0
    for view in range(VIEWS):
        count_followers(view, symbols, n, seen, evenly=evenly, newest=newest)
        for depth in range(DEPTHS):
            for speed in range(SPEEDS):
                counts = evenly[depth] if speed == 0 else newest[depth]
                marginals(view, symbols, n, seen, counts=counts, theirs=theirs, mine=mine)
                total = 0.0
                for c in range(symbols):
                    total += theirs[c]
                for c in range(symbols):
                    share = (theirs[c] + PRIOR) / (total + symbols * PRIOR)
                    chances[e * symbols + c] = (1.0 - floor) * share + floor / symbols
                e += 1
                for side in range(2):
                    x = most_frequent(theirs if side == 0 else mine)
                    guess[g] = x
                    total = 0.0
                    for c in range(symbols):
                        total += turned[g * symbols + c]
                    for c in range(symbols):
                        share = 1.0 / symbols
                        at = c
                        if x != NONE:
                            share = (turned[g * symbols + c] + SHADE) / (total + symbols * SHADE)
                            at = (x + c) % symbols
                        chances[e * symbols + at] = (1.0 - floor) * share + floor / symbols
                    e += 1
                    g += 1


@driver
def mix_experts(symbols, chances, weights, mixed):
    """The three mixtures of the experts' distributions, float64[MIXTURES * symbols]."""
    experts = len(chances) // symbols
    for m in range(MIXTURES):
        row = weights[m * experts : (m + 1) * experts]
        top = row[0]
        for e in range(experts):
            if row[e] > top:
                top = row[e]
        total = 0.0
        for c in range(symbols):
            mixed[m * symbols + c] = 0.0
        for e in range(experts):
            behind = row[e] - top
            if behind > -40.0:  # beyond, it does not count
                weight = math.exp(behind)
                total += weight
                for c in range(symbols):
                    mixed[m * symbols + c] += weight * chances[e * symbols + c]
        for c in range(symbols):
            mixed[m * symbols + c] /= total


@driver
def best_reply(symbols, chances, outcomes, worth):
    """The symbol with the highest expected worth against a distribution; the lowest of several."""
    best = 0
    top = -1e300
    for a in range(symbols):
        value = 0.0
        for b in range(symbols):
            value += chances[b] * worth[int(outcomes[a, b]) + 1]
        if value > top + 1e-12:
            top = value
            best = a
    return best


@driver
def choose_mixture(symbols, numbers, gate):
    """The mixture whose replies have won most of late; -1 unless that is `gate` standard deviations above nothing."""
    start = len(numbers) - 2 * MIXTURES
    best = 0
    for m in range(1, MIXTURES):
        if numbers[start + 2 * m] > numbers[start + 2 * best]:
            best = m
    if numbers[start + 2 * best] < gate * math.sqrt(numbers[start + 2 * best + 1] + WARY):
        return -1
    return best


@driver
def mixture_chances(symbols, numbers, m):
    """What mixture `m` says of the next symbol, float64[symbols]."""
    start = len(numbers) - 2 * MIXTURES - (MIXTURES - m) * symbols
    return numbers[start : start + symbols]


# --- guessers ---------------------------------------------------------------------------------------------------------


@driver
def advance_guesses(symbols, n, seen, numbers, outcomes, worth, values, learnt):
    """Learn round number `n` and guess the next symbol by every predictor; arguments as in `advance_mixture`.

    `values[0]`: forgetting of the scores. A variant is a guess and a shift of it; `numbers[guess * symbols + shift]` is
    what the best reply to it has won.
    """
    own, other, situation, scored, stake = learnt.own, learnt.other, learnt.situation, learnt.scored, learnt.stake
    guess = seen[ROWS * ROUNDS :]
    if n > 0 and scored:
        sure = np.zeros(symbols)
        pays = np.zeros(symbols)
        for x in range(symbols):
            sure[x] = 1.0
            pays[x] = worth[int(outcomes[best_reply(symbols, sure, outcomes, worth), other]) + 1]
            sure[x] = 0.0
        for g in range(GUESSES):
            for shift in range(symbols):
                pay = 0.0 if guess[g] == NONE else pays[(guess[g] + shift) % symbols]
                numbers[g * symbols + shift] = values[0] * numbers[g * symbols + shift] + pay
    append(symbols, n, seen, own, other=other, situation=situation, stake=stake)
    evenly = np.zeros((DEPTHS, symbols * symbols))
    newest = np.zeros((DEPTHS, symbols * symbols))
    theirs = np.zeros(symbols)
    mine = np.zeros(symbols)
    g = 0
    for view in range(GUESS_VIEWS):
        count_followers(view, symbols, n + 1, seen, evenly=evenly, newest=newest)
        for depth in range(1, GUESS_DEPTHS + 1):
            marginals(view, symbols, n + 1, seen, counts=evenly[depth], theirs=theirs, mine=mine)
            guess[g] = most_frequent(theirs)
            guess[g + 1] = most_frequent(mine)
            g += 2
