"""Exact values of einBlatt duels with known hands: the base game, the slot layout and three modules (E1, E11).

A test is a simultaneous game of up to three rounds. It is solved by backward induction, every stage as a matrix game
in rationals. Hands are given as classes (R5): a sequence of numbers 0..15, one a playable card; passing is always
possible and needs no entry. Values are those of seat a for a *utility*: seven weights for the final EP -3..3,
non-decreasing.

**Reduction to the best cards.** With r rounds to go, a hand of at least r cards only counts with its r best, and
neither passing nor another card is better than playing the r-th best one. Induction over r: whatever is played, a
hand of which at least r - 1 cards are left then only counts with its r - 1 best, and these are the same after any
card outside the r - 1 best, and after a pass; of these plays the r-th best card wins most now, and a higher score
never hurts later. A sleeve card keeps this true: the result of a play that it replaces does not depend on that play.
With `after_card` two more cards can matter, one to challenge and one to answer, so that the r + 2 best count.
`prune=False` switches the reduction off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from types import MappingProxyType
from typing import Literal

from ...agents.rational_matrix import Number, solve_matrix
from ...envs.einblatt.creation import check_int

ROUNDS = 3
TOP_CLASS = 15
Hand = tuple[int, ...]
Weights = tuple[Number, ...]
Module = Literal["open_cards", "sleeve", "after_card"]

UTILITIES: Mapping[str, Weights] = MappingProxyType(
    {"ep": (-3, -2, -1, 0, 1, 2, 3), "win": (-1, -1, -1, 0, 1, 1, 1), "class": (-4, -3, -1, 0, 1, 3, 4)}
)
"""Weights of the final EP -3..3 by utility; those of `class` are the default `class_weights`."""


def sign(difference: int) -> int:
    """-1, 0 or 1: the EP of a comparison from the difference of the classes (R41)."""
    return (difference > 0) - (difference < 0)


def check_weights(name: str, weights: Sequence[object]) -> Weights:
    """Return seven non-decreasing numbers as exact weights, else raise ValueError naming the parameter."""
    exact: list[Number] = []
    for weight in weights:
        if isinstance(weight, bool) or not isinstance(weight, int | float | Fraction) or weight != weight:
            raise ValueError(f"{name} = {list(weights)!r}: allowed are 7 non-decreasing numbers")
        exact.append(weight if isinstance(weight, int) else Fraction(weight))
    if len(exact) != 7 or exact != sorted(exact):
        raise ValueError(f"{name} = {list(weights)!r}: allowed are 7 non-decreasing numbers")
    return tuple(exact)


def check_hand(name: str, hand: Sequence[int]) -> Hand:
    """Return a hand of classes 0..15 in descending order, else raise ValueError naming the parameter."""
    return tuple(sorted((check_int(name, x, 0, TOP_CLASS) for x in hand), reverse=True))


def best_plays(hand: Sequence[int], rounds: int = ROUNDS) -> Hand:
    """The best `rounds` plays of a hand in descending order, missing cards filled with passes (E1)."""
    return tuple(sorted([*hand, *(0,) * rounds], reverse=True)[:rounds])


def closed_value(
    a: Sequence[int], b: Sequence[int], utility: Weights = UTILITIES["ep"], rounds: int = ROUNDS, score: int = 0
) -> Fraction:
    """Value by the closed formula: mean utility over the matchings of the best plays of both (E1).

    `score` is the EP that seat a has already; |score| + rounds must not exceed 3.
    """
    ours, theirs = best_plays(a, rounds), best_plays(b, rounds)
    orders = list(permutations(theirs))
    total: Number = 0
    for order in orders:
        total += utility[3 + score + sum(sign(x - y) for x, y in zip(ours, order))]
    return Fraction(total) / len(orders)


# --- backward induction ----------------------------------------------------------------------------------------------


class DuelSolver:
    """Solves tests with everything known to both seats, for one utility and at most one module; keeps what it solved.

    `sleeve` is the class of a card in seat a's sleeve, used after the last reveal (R161); `after_card` adds the
    challenges after a draw, seat a asked first (R130-R132). `prune=False` keeps all cards (see the module's text).
    """

    def __init__(
        self,
        utility: Weights = UTILITIES["ep"],
        *,
        sleeve: int | None = None,
        after_card: bool = False,
        prune: bool = True,
    ) -> None:
        if sleeve is not None:
            check_int("sleeve", sleeve, 0, TOP_CLASS)
            if after_card:
                raise ValueError(f"after_card = True with sleeve = {sleeve}: allowed is one module at a time")
        self.utility = check_weights("utility", utility)
        self.sleeve = sleeve
        self.after_card = after_card
        self.prune = prune
        # Only these modules tell a class-0 card from a pass: it can be replaced, or challenge and answer.
        self._cards_matter = after_card or sleeve is not None
        self._memo: dict[tuple[Hand, Hand, int, int, int, int], Number] = {}

    def value(self, a: Sequence[int], b: Sequence[int], rounds: int = ROUNDS, score: int = 0) -> Fraction:
        """Value to seat a of `rounds` rounds, 0..3, from the EP `score`; |score| + rounds at most 3."""
        check_int("rounds", rounds, 0, ROUNDS)
        check_int("score", score, rounds - ROUNDS, ROUNDS - rounds)
        sleeve = -1 if self.sleeve is None else self.sleeve
        return Fraction(self._value(check_hand("a", a), check_hand("b", b), rounds, score, 0, sleeve))

    def _value(self, a: Hand, b: Hand, rounds: int, score: int, gain: int, sleeve: int) -> Number:
        """Value of a state; `gain` is what the sleeve card would add to the score by now, at best."""
        if not rounds:
            if self.after_card and not score:
                score = challenge_result(a, b)
            return self.utility[3 + score + gain]
        if self.prune:
            depth = rounds + 2 * self.after_card
            a, b = a[:depth], b[:depth]
        a, b, sleeve = _compress(a, b, sleeve)
        key = a, b, rounds, score, gain, sleeve
        known = self._memo.get(key)
        if known is None:
            rows, columns = self._choices(a, rounds), self._choices(b, rounds)
            matrix = [[self._after(row, column, rounds, score, gain, sleeve) for column in columns] for row in rows]
            known = self._memo[key] = solve_matrix(matrix).value
        return known

    def _choices(self, hand: Hand, rounds: int) -> list[tuple[int, Hand, bool]]:
        """Distinct plays as (class, hand afterwards, is a card)."""
        if not self._cards_matter:
            hand = tuple(x for x in hand if x)
        plays = [(x, hand[:i] + hand[i + 1 :], True) for i, x in enumerate(hand) if x not in hand[:i]]
        if self.prune and len(hand) >= rounds + 2 * self.after_card:
            return plays
        return [*plays, (0, hand, False)]

    def _after(
        self,
        row: tuple[int, Hand, bool],
        column: tuple[int, Hand, bool],
        rounds: int,
        score: int,
        gain: int,
        sleeve: int,
    ) -> Number:
        ours, theirs = row[0], column[0]
        won = sign(ours - theirs)
        if sleeve >= 0 and row[2]:
            gain = max(gain, sign(sleeve - theirs) - won)
        return self._value(row[1], column[1], rounds - 1, score + won, gain, sleeve)


def _compress(a: Hand, b: Hand, sleeve: int = -1) -> tuple[Hand, Hand, int]:
    """Rename classes to 0, 1, 2 ... in their order, 0 staying 0: only comparisons count, and states meet again."""
    names = {x: i for i, x in enumerate(sorted({0, max(sleeve, 0), *a, *b}))}
    return tuple(names[x] for x in a), tuple(names[x] for x in b), names[sleeve] if sleeve >= 0 else -1


@lru_cache(maxsize=1 << 16)
def _challenges(a: Hand, b: Hand, free_a: bool, free_b: bool, turn: int, taken: bool) -> int:
    """Final EP of seat a, -1..1, in the window after a draw; `turn` 0 or 1 is asked, `taken`: the pass had a challenge.

    `free_a` and `free_b` say who may still challenge.
    """
    if turn == 2:
        return _challenges(a, b, free_a, free_b, 0, False) if taken else 0
    own, other, free = (a, b, free_a) if turn == 0 else (b, a, free_b)
    gain = 1 if turn == 0 else -1
    results = [_challenges(a, b, free_a, free_b, turn + 1, taken)]
    for i, card in enumerate(own):
        if not free or card in own[:i]:
            continue
        left = own[:i] + own[i + 1 :]
        answers = [gain]  # refused
        for j, answer in enumerate(other):
            if answer >= card and answer not in other[:j]:
                rest = other[:j] + other[j + 1 :]
                if turn == 0:
                    answers.append(_challenges(left, rest, False, free_b, 1, True))
                else:
                    answers.append(_challenges(rest, left, free_a, False, 2, True))
        results.append(gain * min(gain * result for result in answers))
    return gain * max(gain * result for result in results)


def challenge_result(a: Sequence[int], b: Sequence[int]) -> int:
    """EP of seat a, -1..1, after the challenges that follow a draw, both playing best; hands are the cards left (R130).

    Seat a is asked first. Everything is open, so minimax over pure moves is exact.
    """
    left, right, _ = _compress(check_hand("a", a), check_hand("b", b))
    return _challenges(left, right, True, True, 0, False)


# --- slots -----------------------------------------------------------------------------------------------------------


def slots_value(
    a: Sequence[int],
    b: Sequence[int],
    utility: Weights = UTILITIES["ep"],
    rounds: int = ROUNDS,
    *,
    symmetric: bool = True,
) -> Fraction:
    """Value of the slot layout (R43) as one normal-form game: each seat lays its plays for all rounds at once.

    Renaming the slots changes nothing, so some optimal strategy lays each selection of plays in a uniformly random
    order: with `symmetric` the rows and columns are selections and the entries means over the matchings. Without it
    they are all orders, a far larger game of the same value.
    """
    check_int("rounds", rounds, 1, ROUNDS)
    weights = check_weights("utility", utility)
    rows, columns = _selections(check_hand("a", a), rounds), _selections(check_hand("b", b), rounds)
    if not symmetric:
        orders = [[order for plays in side for order in sorted(set(permutations(plays)))] for side in (rows, columns)]
        full = [[weights[3 + _ep(row, column)] for column in orders[1]] for row in orders[0]]
        return solve_matrix(full).value
    laid = {plays: list(permutations(plays)) for plays in columns}
    # Sums over the matchings, divided by their number at the end.
    matrix = [[sum(weights[3 + _ep(row, order)] for order in laid[column]) for column in columns] for row in rows]
    return solve_matrix(matrix).value / len(laid[columns[0]])


def _ep(ours: Hand, theirs: Hand) -> int:
    return sum((x > y) - (x < y) for x, y in zip(ours, theirs))


def _selections(hand: Hand, rounds: int) -> list[Hand]:
    """All multisets of `rounds` plays from a hand in descending order; a pass is a 0."""
    return sorted(set(combinations((*hand, *(0,) * rounds), rounds)), reverse=True)


# --- modules ---------------------------------------------------------------------------------------------------------


def open_cards_value(
    a: Sequence[int],
    b: Sequence[int],
    n: int,
    utility: Weights = UTILITIES["ep"],
    rounds: int = ROUNDS,
    *,
    prune: bool = True,
) -> Fraction:
    """Value to seat a, which lays its first `n` plays (0..3, at most `rounds`) open before the opponent commits (R190).

    Nothing is hidden in these rounds: seat a selects, seat b answers in the best order. The rounds after them are
    played as usual.
    """
    check_int("n", n, 0, ROUNDS)
    check_int("rounds", rounds, 1, ROUNDS)
    laid = min(n, rounds)
    solver = DuelSolver(utility, prune=prune)
    ours, theirs, _ = _compress(check_hand("a", a), check_hand("b", b))
    # A card of class 0 is as good as a pass here. Both sides' cards beyond the best are of no use (module's text).
    ours, theirs = (tuple(x for x in hand if x) for hand in (ours, theirs))
    if prune:
        ours, theirs = ours[:rounds], theirs[:rounds]
    answers = [(_without(theirs, plays), plays) for plays in _selections(theirs, laid)]
    best: Fraction | None = None
    for selection in _selections(ours, laid):
        left = _without(ours, selection)
        worst: Fraction | None = None
        for rest, plays in answers:
            for score in {_ep(selection, order) for order in permutations(plays)}:
                value = solver.value(left, rest, rounds - laid, score)
                worst = value if worst is None else min(worst, value)
        assert worst is not None  # one selection there always is, even of passes alone
        best = worst if best is None else max(best, worst)
    assert best is not None
    return best


def _without(hand: Hand, plays: Hand) -> Hand:
    """The hand without the cards played; passes (0) take none."""
    left = list(hand)
    for play in plays:
        if play:
            left.remove(play)
    return tuple(left)


def sleeve_value(
    a: Sequence[int],
    b: Sequence[int],
    card: int,
    utility: Weights = UTILITIES["ep"],
    rounds: int = ROUNDS,
    *,
    prune: bool = True,
) -> Fraction:
    """Value to seat a with a card of class `card` in the sleeve, which may replace a played card at the end (R161)."""
    return DuelSolver(utility, sleeve=card, prune=prune).value(a, b, check_int("rounds", rounds, 1, ROUNDS))


def after_card_value(
    a: Sequence[int],
    b: Sequence[int],
    utility: Weights = UTILITIES["ep"],
    rounds: int = ROUNDS,
    *,
    prune: bool = True,
) -> Fraction:
    """Value to seat a when a draw may be followed by challenges, seat a being asked first (R130-R132)."""
    return DuelSolver(utility, after_card=True, prune=prune).value(a, b, check_int("rounds", rounds, 1, ROUNDS))
