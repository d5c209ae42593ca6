"""einBlatt for the solver: cards are known by their place among the three best of the hand, not by their faces.

Abstract actions of a commit: 0, 1, 2 the best, second and third best card of the hand dealt (as far as they are still
held), 3 the lowest other card, 32 a pass. The information state is what the seat has laid so far and how it fared. In
every other phase the game is left as it is.
"""

from __future__ import annotations

from typing import Any

from ...envs.core.abi import lowest_bit
from ...envs.core.jit import kernel
from ...envs.core.rng import mix
from ...envs.einblatt.rules import key, legal
from ...envs.einblatt.services import allow, class_of, outcome_for, plays_of
from ...envs.einblatt.state import Action, Phase, Purpose

OTHER = 3


@kernel
def in_commit(s: Any) -> bool:
    """Whether round cards are being chosen."""
    return s.depth > 0 and s.f_phase[s.depth - 1] == Phase.COMMIT


@kernel
def dealt_cards(s: Any, p: Any, seat: int) -> int:
    """Playable cards of the hand as it was dealt: those held and those laid in this test (bit set)."""
    cards = plays_of(s, p, seat, Purpose.COMMIT) & 0xFFFFFFFF
    for r in range(p.rounds):
        if 0 <= s.slot[seat, r] < 32:
            cards |= 1 << s.slot[seat, r]
    return cards


@kernel
def nth_best(s: Any, p: Any, seat: int, cards: int, n: int) -> int:
    """The n-th best card of a set (equal classes: lowest id first), -1 if there are fewer."""
    best = -1
    for _ in range(n + 1):
        best = -1
        value = -1
        left = cards
        while left:
            card = lowest_bit(left)
            left &= left - 1
            c = class_of(s, p, seat, card)
            if c > value:
                value = c
                best = card
        if best < 0:
            return -1
        cards &= ~(1 << best)
    return best


@kernel
def slot_of(s: Any, p: Any, seat: int, card: int) -> int:
    """Abstract action for a card of the dealt hand."""
    cards = dealt_cards(s, p, seat)
    for n in range(3):
        if nth_best(s, p, seat, cards, n) == card:
            return n
    return OTHER


@kernel
def lowest_other(s: Any, p: Any, seat: int) -> int:
    """The lowest card held that is none of the three best, -1 if there is none."""
    held = plays_of(s, p, seat, Purpose.COMMIT) & 0xFFFFFFFF
    cards = dealt_cards(s, p, seat)
    for n in range(3):
        best = nth_best(s, p, seat, cards, n)
        if best >= 0:
            held &= ~(1 << best)
    lowest = -1
    value = 100
    while held:
        card = lowest_bit(held)
        held &= held - 1
        c = class_of(s, p, seat, card)
        if c < value:
            value = c
            lowest = card
    return lowest


@kernel
def abstract_key(s: Any, p: Any, seat: int) -> int:
    """What the seat laid in the rounds before, and what came of it."""
    if not in_commit(s):
        return key(s, p, seat)
    h = mix(s.test + 1, s.ep[seat] + 100)
    for r in range(s.round_no):
        play = s.slot[seat, r]
        h = mix(h, slot_of(s, p, seat, play) if 0 <= play < 32 else Action.PASS)
    for i in range(s.n_entries):
        h = mix(h, outcome_for(s, i, seat) + 1)
    return h


@kernel
def abstract_legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """The three best cards still held, the lowest other one, and a pass."""
    if not in_commit(s):
        legal(s, p, seat, words)
        return
    held = plays_of(s, p, seat, Purpose.COMMIT) & 0xFFFFFFFF
    cards = dealt_cards(s, p, seat)
    for n in range(3):
        best = nth_best(s, p, seat, cards, n)
        if best >= 0 and held >> best & 1:
            allow(words, n)
    if lowest_other(s, p, seat) >= 0:
        allow(words, OTHER)
    allow(words, Action.PASS)


@kernel
def abstract_action(s: Any, p: Any, seat: int, slot: int) -> int:
    """The card that an abstract action stands for."""
    if not in_commit(s) or slot == Action.PASS:
        return slot
    if slot == OTHER:
        return lowest_other(s, p, seat)
    return nth_best(s, p, seat, dealt_cards(s, p, seat), slot)
