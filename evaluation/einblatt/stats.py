"""Exact odds of einBlatt over random deals: single cards, duels, chains of tests, a session, wrath cards, purchases.

All results are fractions. Hands come from full decks of their own (R20); a deck with k trump suits holds 4-k cards of
each plain class and k of each trump class (R5). `a` and `b` are hand sizes in 0..32, `ka` and `kb` numbers of trump
suits in 0..4, EP are those of seat a.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise, permutations, product
from math import comb, lcm
from typing import NamedTuple

import numpy as np

from ...envs.einblatt.creation import (
    ATTRIBUTE_RANGE,
    OTHER_COST,
    SPECIALIST_BUDGET,
    STRONG_COST,
    check_int,
    hand_size,
)

CLASSES = 16
DECK = 32
ROUNDS = 3
PERFECT = 3
"""EP at which a result is perfect and a conflict ends (R73)."""
RESTRICTIONS: Mapping[int, int] = {-1: 1, -2: 3, -3: 4}
"""Restriction points by EP of the test; other results cost nothing (R70, A11)."""

Distribution = tuple[Fraction, ...]
Plays = Mapping[tuple[int, ...], Fraction]


def class_counts(suits: int) -> tuple[int, ...]:
    """Cards of each class 0..15 in a full deck with `suits` trump suits in 0..4 (R5)."""
    check_int("suits", suits, 0, 4)
    return (4 - suits,) * 8 + (suits,) * 8


def single_card(ka: int, kb: int) -> Distribution:
    """P(win, tie, loss) of one random card against another (E3)."""
    ours, theirs = class_counts(ka), class_counts(kb)
    tally = [0, 0, 0]
    for x, y in product(range(CLASSES), repeat=2):
        tally[0 if x > y else 1 if x == y else 2] += ours[x] * theirs[y]
    return tuple(Fraction(count, DECK * DECK) for count in tally)


# --- hands and their best cards --------------------------------------------------------------------------------------


@cache
def expected_best(cards: int, suits: int, rounds: int = ROUNDS) -> Distribution:
    """Mean number of cards of each class 0..15 among the best `rounds` plays of a random hand, passes included (E1).

    Shape (16,), sum `rounds`. The count of best plays of class x or more is min(rounds, such cards in hand), and the
    latter is hypergeometric.
    """
    check_int("cards", cards, 0, DECK)
    counts = class_counts(suits)
    at_least = [Fraction(rounds)]
    for x in range(1, CLASSES):
        good = sum(counts[x:])
        ways = sum(min(rounds, j) * comb(good, j) * comb(DECK - good, cards - j) for j in range(min(good, cards) + 1))
        at_least.append(Fraction(ways, comb(DECK, cards)))
    at_least.append(Fraction(0))
    return tuple(high - low for high, low in pairwise(at_least))


def duel_value(a: int, b: int, ka: int, kb: int, rounds: int = ROUNDS) -> Fraction:
    """Value in EP of a duel of `rounds` in 1..3 rounds before the deal (E1, E4).

    The value of known hands is the mean sign over all pairs of best plays, times the rounds; so expectations suffice.
    """
    check_int("rounds", rounds, 1, ROUNDS)
    ours, theirs = expected_best(a, ka, rounds), expected_best(b, kb, rounds)
    below = above = Fraction(0)
    total = sum(theirs, Fraction(0))
    for x in range(CLASSES):
        above += ours[x] * below
        below += theirs[x]
        above -= ours[x] * (total - below)
    return above / rounds


@cache
def best_distribution(cards: int, suits: int, rounds: int = ROUNDS) -> Plays:
    """Distribution of the best `rounds` plays of a random hand: classes in descending order -> probability.

    A hand smaller than `rounds` is filled up with passes (class 0).
    """
    check_int("cards", cards, 0, DECK)
    counts = class_counts(suits)
    real = min(cards, rounds)
    deals = comb(DECK, cards)
    found: dict[tuple[int, ...], Fraction] = {}
    for best in combinations_with_replacement(range(CLASSES - 1, -1, -1), real):
        if not real:
            found[(0,) * rounds] = Fraction(1)
            break
        lowest = best[-1]
        ways = 1
        for x in set(best) - {lowest}:
            ways *= comb(counts[x], best.count(x))
        # The rest of the hand is of the lowest class, beyond those counted, or below it.
        needed, below = best.count(lowest), sum(counts[:lowest])
        ways *= sum(
            comb(counts[lowest], j) * comb(below, cards - real + needed - j)
            for j in range(needed, min(counts[lowest], cards - real + needed) + 1)
        )
        if ways:
            found[best + (0,) * (rounds - real)] = Fraction(ways, deals)
    return found


def _in_random_order(best: Plays) -> Plays:
    """Spread each multiset of plays over its orders."""
    found: dict[tuple[int, ...], Fraction] = {}
    for plays, p in best.items():
        orders = set(permutations(plays))
        for order in orders:
            found[order] = p / len(orders)
    return found


@cache
def uniform_plays(cards: int, suits: int, rounds: int = ROUNDS) -> Plays:
    """Distribution of the classes played in order by a seat that picks uniformly among its hand cards and the pass."""
    check_int("cards", cards, 0, DECK)
    found: dict[tuple[int, ...], Fraction] = {}

    def play(done: tuple[int, ...], left: tuple[int, ...], in_hand: int, p: Fraction) -> None:
        if len(done) == rounds:
            found[done] = found.get(done, Fraction(0)) + p
            return
        each = p / (in_hand + 1)
        play((*done, 0), left, in_hand, each)
        if not in_hand:
            return
        # A random card of a random hand is a random card of the deck, less what was played.
        deck = sum(left)
        for x, count in enumerate(left):
            if count:
                rest = (*left[:x], count - 1, *left[x + 1 :])
                play((*done, x), rest, in_hand - 1, each * in_hand * Fraction(count, deck))

    play((), class_counts(suits), cards, Fraction(1))
    return found


def ep_distribution(ours: Plays, theirs: Plays, rounds: int = ROUNDS) -> Distribution:
    """P(EP = -rounds..rounds) of two independent ordered plays (classes round by round -> probability).

    The generating function sum of P(EP = e) * z**(e + rounds) factors over the rounds. It is evaluated at one power of
    two so large that the coefficients, whole numbers over the common denominators, stand side by side as digits.
    """
    left, scale_a = _tensor(ours, rounds)
    right, scale_b = _tensor(theirs, rounds)
    bits = (scale_a * scale_b).bit_length() + 1
    powers = np.array(
        [[1 << (bits * (1 + (x > y) - (x < y))) for y in range(CLASSES)] for x in range(CLASSES)], dtype=object
    )
    for _ in range(rounds):
        # One axis is transformed and rolled to the end; after all rounds the axes stand in order again.
        right = np.tensordot(right, powers, axes=([0], [1]))
    packed = int(np.sum(left * right))
    mask = (1 << bits) - 1
    return tuple(Fraction((packed >> (bits * i)) & mask, scale_a * scale_b) for i in range(2 * rounds + 1))


def _tensor(plays: Plays, rounds: int) -> tuple[np.ndarray, int]:
    """Weights of ordered plays as Python ints, shape (16,) * rounds, and their common denominator."""
    scale = lcm(*(p.denominator for p in plays.values()))
    weights = np.zeros((CLASSES,) * rounds, dtype=object)
    for order, p in plays.items():
        weights[order] += p.numerator * (scale // p.denominator)
    return weights, scale


@cache
def ep_random_order(a: int, b: int, ka: int, kb: int) -> Distribution:
    """P(EP = -3..3) when both play their best three, at least one of them in random order (E5)."""
    return ep_distribution(_in_random_order(best_distribution(a, ka)), best_distribution(b, kb))


@cache
def ep_descending(a: int, b: int, ka: int, kb: int) -> Distribution:
    """P(EP = -3..3) when both play their best three from the highest down (E5)."""
    return ep_distribution(best_distribution(a, ka), best_distribution(b, kb))


@cache
def ep_uniform_legal(a: int, b: int, ka: int, kb: int) -> Distribution:
    """P(EP = -3..3) when both choose uniformly among hand cards and the pass in every round (E5)."""
    return ep_distribution(uniform_plays(a, ka), uniform_plays(b, kb))


# --- several tests ---------------------------------------------------------------------------------------------------


class Chain(NamedTuple):
    """End of a conflict continued until |EP| >= 3: P(up), P(down), mean number of tests (E9)."""

    up: Fraction
    down: Fraction
    tests: Fraction


def chain(a: int, b: int, ka: int, kb: int) -> Chain:
    """Continue without limit, new hands from reshuffled decks and the best three shuffled in every test (R72, E9).

    Raises ValueError if no test can change the EP, so that the conflict would never end.
    """
    return absorb(ep_random_order(a, b, ka, kb))


def absorb(steps: Sequence[Fraction]) -> Chain:
    """Chain for the distribution `steps` of the EP of one test over -3..3, shape (7,)."""
    if steps[PERFECT] == 1:
        raise ValueError(f"steps = {[str(p) for p in steps]}: allowed are distributions that give some EP but 0")
    inner = range(-PERFECT + 1, PERFECT)
    # One linear system for three right-hand sides: f(s) - sum P(e) f(s + e) = P(out at the top), P(out below), 1.
    system: list[list[Fraction]] = []
    for s in inner:
        chance = {t: steps[t - s + PERFECT] if abs(t - s) <= PERFECT else Fraction(0) for t in inner}
        row = [Fraction(s == t) - chance[t] for t in inner]
        up = sum((p for e, p in enumerate(steps, -PERFECT) if s + e >= PERFECT), Fraction(0))
        down = sum((p for e, p in enumerate(steps, -PERFECT) if s + e <= -PERFECT), Fraction(0))
        system.append([*row, up, down, Fraction(1)])
    solved = _eliminate(system)
    return Chain(*solved[inner.index(0)])


def _eliminate(system: list[list[Fraction]]) -> list[list[Fraction]]:
    """Solve a regular linear system by elimination; returns the right-hand sides, one row an unknown."""
    size = len(system)
    for i in range(size):
        pivot = next(k for k in range(i, size) if system[k][i])
        system[i], system[pivot] = system[pivot], system[i]
        head = system[i][i]
        system[i] = [entry / head for entry in system[i]]
        for k in range(size):
            if k != i and system[k][i]:
                factor = system[k][i]
                system[k] = [entry - factor * other for entry, other in zip(system[k], system[i])]
    return [row[size:] for row in system]


class SessionTest(NamedTuple):
    """One conflict of a session: the attribute tested, the relation of the skill, the obstacle's cards and suits."""

    attribute: str
    relation: str
    cards: int
    suits: int


SESSION_ATTRIBUTES: Mapping[str, int] = {"dexterity": 8, "charisma": 7}
"""Values of the attributes that the preset session tests; each has one suit."""
SESSION_TESTS = (
    SessionTest("dexterity", "own", 4, 0),
    SessionTest("dexterity", "own", 6, 1),
    SessionTest("dexterity", "own", 12, 1),
    SessionTest("dexterity", "none", 3, 1),
    SessionTest("dexterity", "none", 7, 1),
    SessionTest("dexterity", "other", 7, 2),
    SessionTest("charisma", "own", 12, 1),
)
"""The preset `table32_session`: the seven obstacles of the difficulty table in order (R17)."""


def session(restrict: bool = True) -> Fraction:
    """Expected EP total of `table32_session` with `reshuffle=each_test` under best play (E2, E10).

    By E2 the best three in random order are optimal in every test, whatever the later tests make of the result.
    `restrict=False` waives the restrictions (R74).
    """

    @cache
    def rest(index: int, restrictions: tuple[int, ...]) -> Fraction:
        if index == len(SESSION_TESTS):
            return Fraction(0)
        test = SESSION_TESTS[index]
        place = names.index(test.attribute)
        value = max(0, SESSION_ATTRIBUTES[test.attribute] - restrictions[place])
        total = Fraction(0)
        odds = ep_random_order(hand_size(value, test.relation), test.cards, 1, test.suits)
        for ep, p in enumerate(odds, -ROUNDS):
            lost = RESTRICTIONS.get(ep, 0) if restrict else 0
            after = (*restrictions[:place], restrictions[place] + lost, *restrictions[place + 1 :])
            total += p * (ep + rest(index + 1, after))
        return total

    names = tuple(SESSION_ATTRIBUTES)
    return rest(0, (0,) * len(names))


# --- wrath cards and purchases ---------------------------------------------------------------------------------------


def wrath(w: int) -> Distribution:
    """P(0, 1, 2 or more matches) of three mercy cards with `w` wrath cards, 0..32, on the first request (R202, E8)."""
    check_int("w", w, 0, DECK)
    none = Fraction(comb(DECK - w, 3), comb(DECK, 3))
    one = Fraction(w * comb(DECK - w, 2), comb(DECK, 3))
    return none, one, 1 - none - one


def specialist_exact(budget: int = SPECIALIST_BUDGET, attributes: int = 4) -> tuple[int, ...]:
    """Values of the strong attribute with which a specialist can spend the budget exactly (R13, E12)."""
    return tuple(s for s, others in _purchases(attributes) if _price(s, others) == budget)


def specialist_best(budget: int = SPECIALIST_BUDGET, attributes: int = 4) -> tuple[int, tuple[int, ...]]:
    """Largest sum of attributes that a specialist can buy, and the values of the strong attribute that reach it (E12).

    Raises ValueError if the budget does not buy the least values.
    """
    sums: dict[int, set[int]] = {}
    for strong, others in _purchases(attributes):
        if _price(strong, others) <= budget:
            sums.setdefault(strong + others, set()).add(strong)
    if not sums:
        raise ValueError(f"budget = {budget}: allowed are budgets that buy {attributes} attributes of 2")
    best = max(sums)
    return best, tuple(sorted(sums[best]))


def _purchases(attributes: int) -> Iterable[tuple[int, int]]:
    """All pairs of a strong attribute and the sum of the others."""
    low, high = ATTRIBUTE_RANGE
    weak = check_int("attributes", attributes, 1, 6) - 1
    return product(range(low, high + 1), range(low * weak, high * weak + 1))


def _price(strong: int, others: int) -> int:
    return STRONG_COST * strong + OTHER_COST * others
