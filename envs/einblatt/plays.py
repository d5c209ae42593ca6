"""What a seat may play and what it is worth: attributes, hand sizes, classes (R5, R15, R31, R32), laying a play."""

from __future__ import annotations

from typing import Any

from ..core.abi import lowest_bit
from ..core.jit import kernel
from . import hooks
from .frames import EVERYBODY, emit
from .piles import reveal, take_out, zone_of
from .state import ALL_CARDS, NO_CARD, Action, Event, Relation


@kernel
def attribute_of(s: Any, p: Any, seat: int) -> int:
    """Current value of the tested attribute (R74); npc: its card count, or the value given (A9)."""
    if p.pc[seat]:
        t = s.tested[seat]
        value = max(0, s.attr[seat, t] - s.restr[seat, t])
    elif p.npc_attribute[seat] >= 0:
        value = p.npc_attribute[seat]
    else:
        value = max(0, s.npc_cards[seat] - s.restr[seat, 0]) if p.npc_restrictions else s.npc_cards[seat]
    return hooks.attribute(s, p, seat, value)


@kernel
def base_attribute(s: Any, p: Any, seat: int) -> int:
    """Value of the tested attribute without restrictions."""
    if p.pc[seat]:
        return s.attr[seat, s.tested[seat]]
    return p.npc_attribute[seat] if p.npc_attribute[seat] >= 0 else s.npc_cards[seat]


@kernel
def hand_size_of(s: Any, p: Any, seat: int) -> int:
    """R31, R32: cards that a seat draws for a test."""
    if not p.pc[seat]:
        n = s.npc_cards[seat]
        if p.npc_restrictions:
            n = max(0, n - s.restr[seat, 0])
        return min(32, hooks.hand_size(s, p, seat, n))
    a = attribute_of(s, p, seat)
    if a <= 0:
        return 0
    n = a
    if s.relation[seat] == Relation.OTHER:
        n = a - 2
    elif s.relation[seat] == Relation.NONE:
        n = a // 2
    elif s.relation[seat] == Relation.OWN:
        n = a
    n = hooks.hand_size(s, p, seat, n - s.malus[seat])
    return min(32, max(1, n))


@kernel
def trump_suits(s: Any, seat: int) -> int:
    """Trump suits of a seat in this test (bit set of suits)."""
    return s.suits[seat, s.tested[seat]]


@kernel
def class_of(s: Any, p: Any, seat: int, play: int) -> int:
    """R5: class of a play: -1 no card, 0 pass, else rank + 8 * trump."""
    if play == NO_CARD:
        return -1
    value = 0
    if play < 32:
        value = play & 7
        if p.colours_count and trump_suits(s, seat) >> (play >> 3) & 1:
            value += 8
    return hooks.card_class(s, p, seat, play, value)


@kernel
def plays_of(s: Any, p: Any, seat: int, purpose: int) -> int:
    """Cards (and pseudo cards) that a seat may play: bit set of action ids, without pass (R15, R42)."""
    cards = s.hand[seat]
    f = s.forbid[seat, s.tested[seat]]
    if f == 1:  # red: no hearts, diamonds
        cards &= 0x0000FFFF
    elif f == 2:
        cards &= 0xFFFF0000
    return hooks.playable(s, p, seat, purpose, cards)


@kernel
def allowed_colour(s: Any, seat: int, cards: int) -> int:
    """The cards of a set that R15 lets a seat play in this test."""
    f = s.forbid[seat, s.tested[seat]]
    if f == 1:
        return cards & 0x0000FFFF
    return cards & 0xFFFF0000 if f == 2 else cards


@kernel
def allow_plays(words: Any, plays: int) -> None:
    """Add a bit set of action ids 0..62 to a legal-action set."""
    words[0] |= plays & ALL_CARDS
    words[1] |= plays >> 32


@kernel
def take_play(s: Any, p: Any, seat: int, play: int) -> None:
    """A play was chosen: it leaves its zone (nothing leaves for a pass)."""
    if play < 32:
        zone = zone_of(s, seat, play)
        take_out(s, seat, play)
        hooks.take(s, p, seat, play, zone)
    elif play == Action.KING_SLOT:
        hooks.take(s, p, seat, play, -1)


@kernel
def free_slots(s: Any, p: Any, seat: int) -> int:
    """Rounds from the current one on for which a seat has laid nothing (bit set of rounds)."""
    bits = 0
    for r in range(s.round_no, p.rounds):
        if s.slot[seat, r] == -2:
            bits |= 1 << r
    return bits


@kernel
def lay(s: Any, p: Any, seat: int, play: int, slot: int, openly: int) -> None:
    """Lay a play (already taken) into the slot of a round; `openly`: everybody sees it."""
    s.slot[seat, slot] = play
    s.slot_class[seat, slot] = class_of(s, p, seat, play)
    s.slot_open[seat, slot] = openly
    if play < 32:
        s.area[seat] |= 1 << play
        if openly:
            reveal(s, seat, play)


@kernel
def lay_open(s: Any, p: Any, seat: int, play: int, slot: int) -> None:
    """Take a play from where it lies and lay it openly into the slot of a round: that round's play."""
    take_play(s, p, seat, play)
    lay(s, p, seat, play, slot, 1)
    emit(s, Event.REVEAL, seat, play, slot, EVERYBODY)
    if p.melee[s.conflict]:
        show_trump(s, p, seat, play)


@kernel
def play_openly(s: Any, p: Any, seat: int, card: int) -> None:
    """Play a further card into the conflict area for everybody to see."""
    take_play(s, p, seat, card)
    s.area[seat] |= 1 << card
    s.further[seat] = (s.further[seat] & (1 << 54) - 1) << 6 | card + 1
    reveal(s, seat, card)
    emit(s, Event.REVEAL, seat, card, s.round_no, EVERYBODY)
    show_trump(s, p, seat, card)


@kernel
def next_played(s: Any, p: Any, seat: int, cards: int) -> int:
    """Of a set of cards the one that its seat played first in this test; those never played come last, by id."""
    for r in range(p.rounds):
        play = s.slot[seat, r]
        if 0 <= play < 32 and cards >> play & 1:
            return play
    first = -1
    left = s.further[seat]
    while left:  # the last one stands lowest
        card = (left & 63) - 1
        left >>= 6
        if cards >> card & 1:
            first = card
    return first if first >= 0 else lowest_bit(cards)


@kernel
def know_trump(s: Any, seat: int, suit: int) -> None:
    """Everybody learns whether a suit is trump for a seat (A18)."""
    if not s.known[seat] >> suit & 1:
        s.known[seat] |= 1 << suit
        emit(s, Event.TRUMP, seat, suit, trump_suits(s, seat) >> suit & 1, EVERYBODY)


@kernel
def show_trump(s: Any, p: Any, seat: int, play: int) -> None:
    """A18: a card revealed where the order of all plays is public tells whether its suit is trump."""
    if 0 <= play < 32 and p.colours_count:
        know_trump(s, seat, play >> 3)
