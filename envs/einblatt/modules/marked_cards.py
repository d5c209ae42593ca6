"""marked_cards (R120): a prepared seat looks at its top cards before the draw, throws some off and keeps the order."""

from __future__ import annotations

from typing import Any

from ...core.abi import lowest_bit, popcount
from ...core.jit import kernel
from ..module import ME, Module
from ..services import EVERYBODY, allow, allow_cards, ask, discard, emit, peek, pull, renew
from ..services import task as later
from ..state import Action, Event, Phase, Reason

MARK, RENEW = 0, 1

module = Module(
    "marked_cards",
    "A prepared seat looks at the top cards of its draw pile before the draw, throws some off and puts the rest back.",
    rank={"conflict_start": 1},
    bench={"prepared": 3},
)
module.param("reorder", False, doc="the rest is put back in an order of its choice")
module.state("off", private=True, doc="looked-at cards that are thrown off", bits=True)
module.state("kept", doc="looked-at cards that are put back", bits=True)
module.state("placed", private=True, doc="how many of them have their place")


@kernel
def pile_of(s: Any, seat: int) -> int:
    """Pile A, or B if A is empty."""
    return 0 if s.draw[s.deck_of[seat], 0] else 1


@kernel
def top_cards(s: Any, seat: int, first: int, last: int) -> int:
    """Looked-at cards at the places first..last-1 from the top (bit set)."""
    d = s.deck_of[seat]
    pile = pile_of(s, seat)
    cards = 0
    for i in range(first, min(last, s.top_n[d, pile])):
        cards |= 1 << s.top[d, pile, i]
    return cards


@module.hook
def conflict_start(s: Any, p: Any, seat: int) -> None:
    """R120: look at the top cards, fewer if there are fewer."""
    if s.prepared[seat] > 0 and s.draw[s.deck_of[seat], pile_of(s, seat)]:
        later(s, ME, MARK, seat)
        peek(s, seat, s.prepared[seat], pile_of(s, seat))


@module.hook
def task(s: Any, p: Any, what: int, seat: int) -> None:
    """After the look: which go? After the throwing off: a pile that is used up is renewed (R22)."""
    if what == MARK:
        ask(s, ME, Phase.MARK, seat)
    else:
        renew(s, p, s.deck_of[seat])


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """R120: the looked-at cards, or done: the rest stays as it is."""
    if phase == Phase.MARK:
        allow_cards(words, top_cards(s, seat, 0, s.prepared[seat]) & ~s.marked_cards_off[seat])
    else:
        allow_cards(words, top_cards(s, seat, s.marked_cards_placed[seat], s.marked_cards_kept[seat]))
    allow(words, Action.DONE)


@kernel
def throw_off(s: Any, p: Any, seat: int) -> None:
    """The chosen cards go to the discard pile; others see how many."""
    cards = s.marked_cards_off[seat]
    looked = popcount(top_cards(s, seat, 0, s.prepared[seat]))
    s.marked_cards_off[seat] = 0
    s.marked_cards_placed[seat] = 0
    s.marked_cards_kept[seat] = looked - popcount(cards)
    emit(s, Event.MODULE, seat, popcount(cards), ME, EVERYBODY)
    later(s, ME, RENEW, seat)
    if p.marked_cards_reorder and s.marked_cards_kept[seat] > 1:
        ask(s, ME, Phase.REORDER, seat)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        pull(s, s.deck_of[seat], card)
        discard(s, p, seat, card, Reason.EXCHANGED)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """R120: thrown off one by one; put back top first."""
    if phase == Phase.MARK:
        if action == Action.DONE:
            throw_off(s, p, seat)
        else:
            s.marked_cards_off[seat] |= 1 << action
            ask(s, ME, Phase.MARK, seat)
    elif action != Action.DONE:
        d = s.deck_of[seat]
        pile = pile_of(s, seat)
        place = s.marked_cards_placed[seat]
        i = place
        while s.top[d, pile, i] != action:
            i += 1
        while i > place:
            s.top[d, pile, i] = s.top[d, pile, i - 1]
            i -= 1
        s.top[d, pile, place] = action
        s.marked_cards_placed[seat] = place + 1
        if place + 2 < s.marked_cards_kept[seat]:
            ask(s, ME, Phase.REORDER, seat)
