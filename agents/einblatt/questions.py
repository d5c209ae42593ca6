"""What the baselines of einBlatt answer when a module asks.

To make the question of another module known, add its phase to `proposal`; others are answered by the general rule of
`answer_module`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.abi import lowest_bit
from ...envs.core.jit import kernel
from ...envs.einblatt.services import class_of, next_played
from ...envs.einblatt.state import Action, Phase
from .values import CLASSES, NOBODY, field_of, hand_worth, number, open_window, own_pool, prospects
from .windows import (
    MOST_PLAYED,
    best_assignment,
    places,
    replaced,
    stash_card,
    strike_target,
    strongest,
    to_lay,
    weakest,
)


@kernel
def mean_class(s: Any, p: Any, seat: int, cards: int) -> float:
    """Mean class of a set of cards, 0 for an empty one."""
    total = 0
    n = 0
    while cards:
        total += class_of(s, p, seat, lowest_bit(cards))
        cards &= cards - 1
        n += 1
    return total / n if n else 0.0


@kernel
def mark(s: Any, p: Any, seat: int, cards: int) -> int:
    """R120: cards below the mean of what else may come are thrown off, lowest first; then DONE."""
    if cards == 0:
        return Action.DONE
    card = weakest(s, p, seat, cards)
    rest = own_pool(s, p, seat, number(1)) & ~s.looked[seat]
    if rest and class_of(s, p, seat, card) < mean_class(s, p, seat, rest):
        return card
    return Action.DONE


@kernel
def mercy_card(s: Any, i: int) -> int:
    """The i-th mercy card, which everybody sees."""
    return (field_of(s, "mercy_cards", 0) >> 6 * i & 63) - 1


@kernel
def assign(s: Any, p: Any, seat: int, cards: int) -> int:
    """R201: where the mercy card in question does best together with those still to come, or NO."""
    at = field_of(s, "mercy_at", 0)
    coming = field_of(s, "mercy_count", 0) - at - 1
    if cards == 0 or coming < 0:
        return Action.NO
    value = class_of(s, p, seat, mercy_card(s, at))
    others = np.full(2, -1, np.int64)
    for i in range(min(2, coming)):
        others[i] = class_of(s, p, seat, mercy_card(s, at + 1 + i))
    window = open_window(s)
    if window == Phase.AFTER_DRAW:  # hand cards: the i-th best of the mercy cards left for the i-th lowest card
        for i in range(2):
            if others[i] > value and cards:
                cards &= ~(1 << weakest(s, p, seat, cards))
        low = weakest(s, p, seat, cards) if cards else -1
        return low if low >= 0 and class_of(s, p, seat, low) < value else Action.NO
    gains = np.zeros((CLASSES, MOST_PLAYED), np.int64)
    n = places(s, p, seat, cards, window, gains)
    best = best_assignment(gains, n, number(0), others[0], others[1], number(-1))
    found = Action.NO
    for i in range(n):
        play = lowest_bit(cards)
        cards &= cards - 1
        total = gains[value, i] + best_assignment(gains, n, 1 << i, others[0], others[1], number(-1))
        if total > best:
            best = total
            found = play
    return found


@kernel
def pile(s: Any, p: Any, seat: int) -> int:
    """R142: the draw pile of the higher mean class; pile A where other cards of the deck are hidden from the seat."""
    d = s.deck_of[seat]
    if p.wrath_deck == d:
        return Action.PILE_A
    for o in range(p.seats):
        if o != seat and s.deck_of[o] == d:
            return Action.PILE_A
    return (
        Action.PILE_B if mean_class(s, p, seat, s.draw[d, 1]) > mean_class(s, p, seat, s.draw[d, 0]) else Action.PILE_A
    )


@kernel
def advance(s: Any, p: Any, seat: int, words: Any) -> int:
    """R213: learn the next test's skill, else raise the attribute that is tested, if it is offered."""
    if words[Action.XP_LEARN >> 5] >> (Action.XP_LEARN & 31) & 1:
        return Action.XP_LEARN
    raised = Action.XP_RAISE + s.tested[seat]
    return raised if words[raised >> 5] >> (raised & 31) & 1 else Action.DONE


@kernel
def sorted_onto(s: Any, p: Any, seat: int) -> int:
    """R140: cards of the upper half of the ranks onto pile A, so that the owner can draw from the better pile."""
    pending = field_of(s, "two_piles_pending", NOBODY)[seat]
    return (
        Action.PILE_A if pending == 0 or class_of(s, p, seat, next_played(s, p, seat, pending)) >= 4 else Action.PILE_B
    )


@kernel
def proposal(s: Any, p: Any, seat: int, phase: int, words: Any, greedy: bool) -> int:
    """What the seat would answer to a question of a module, -1 if there is no rule for it."""
    cards = words[0]
    if phase == Phase.REPLACE:
        window = open_window(s)  # the card from the sleeve, else the one turned over
        new = lowest_bit(s.sleeve[seat]) if window == Phase.AFTER_REVEAL and s.sleeve[seat] else s.focus
        if not cards or new < 0:
            return -1
        value = class_of(s, p, seat, new)
        return replaced(s, p, seat, cards, value, window)
    if phase == Phase.MERCY_ASSIGN:
        return assign(s, p, seat, cards)
    if phase in (Phase.AFTER_CARD, Phase.REORDER, Phase.GAIN_CONFIDENCE, Phase.REWARD):
        if phase == Phase.REWARD and words[Action.YES >> 5] >> (Action.YES & 31) & 1:
            return Action.YES
        return strongest(s, p, seat, cards)
    if phase in (Phase.ANSWER, Phase.DROP_CONFIDENCE, Phase.TRIM_CONFIDENCE, Phase.SEVEN):
        return weakest(s, p, seat, cards) if cards else -1
    if phase == Phase.OPEN_CARD:
        return to_lay(s, p, seat, cards)
    if phase == Phase.EXCHANGE:
        if greedy and cards:
            edge = np.empty(CLASSES, np.float64)
            prospects(s, p, seat, edge)
            card = weakest(s, p, seat, cards)
            thrown = field_of(s, "open_look_exchanged", NOBODY)[seat]
            kept = s.hand[seat] & ~(1 << card)
            if hand_worth(s, p, seat, kept, thrown + 1, edge) > hand_worth(s, p, seat, s.hand[seat], thrown, edge):
                return card
        return Action.DONE
    if phase == Phase.STASH:
        if greedy and cards:
            return stash_card(s, p, seat, cards, open_window(s))
        return -1
    if phase == Phase.STRIKE_TARGET:
        targets = words[1] >> (Action.ATTACK & 31)
        o = strike_target(s, p, seat, targets)
        return Action.ATTACK + o if o >= 0 else -1
    if phase == Phase.MARK:
        return mark(s, p, seat, cards)
    if phase == Phase.PICK_PILE:
        return pile(s, p, seat)
    if phase == Phase.SORT:
        return sorted_onto(s, p, seat)
    if phase == Phase.ADVANCE:
        return advance(s, p, seat, words) if greedy else Action.DONE
    if phase == Phase.PREPARE:
        t = s.tested[seat]
        return Action.XP_IGNORE if greedy and s.restr[seat, t] >= 2 else Action.DONE
    if phase == Phase.SURVIVE:
        return Action.XP_SURVIVE
    return -1


@kernel
def answer_module(s: Any, p: Any, seat: int, phase: int, words: Any, greedy: bool) -> int:
    """A legal answer to any question: by rule, else `done`, `no` or `pass`, else the lowest card, else the first."""
    action = proposal(s, p, seat, phase, words, greedy)
    if action >= 0 and words[action >> 5] >> (action & 31) & 1:
        return action
    for action in (Action.DONE, Action.NO, Action.PASS):
        if words[action >> 5] >> (action & 31) & 1:
            return action
    if words[0]:
        return weakest(s, p, seat, words[0])
    for w in range(len(words)):
        if words[w]:
            return 32 * w + lowest_bit(words[w])
    return -1
