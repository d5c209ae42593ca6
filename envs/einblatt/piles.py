"""Cards in piles and zones (R20..R26): draws with their dice, looks, discards, reshuffles."""

from __future__ import annotations

from typing import Any

from ..core.abi import lowest_bit, popcount, select_bit
from ..core.jit import kernel
from ..core.rng import mix, rand_below
from . import hooks
from .frames import EVERYBODY, emit, push, whisper
from .hooks import ASKED, PASS_ON
from .state import MAXS, Die, DrawFor, Event, Frame, Reason, Zone

DRAW_MORE = 6  # purpose of a draw: the draw before goes on


@kernel
def left(s: Any, seat: int) -> int:
    """Cards in the draw piles of a seat."""
    d = s.deck_of[seat]
    return popcount(s.draw[d, 0]) + popcount(s.draw[d, 1])


@kernel
def supply(s: Any, seat: int) -> int:
    """Cards in draw and discard piles together."""
    d = s.deck_of[seat]
    return left(s, seat) + popcount(s.disc[d, 0]) + popcount(s.disc[d, 1])


@kernel
def lying_open(s: Any, deck: int) -> int:
    """Cards of a deck that lie open in the conflict area."""
    cards = 0
    for o in range(MAXS):
        if s.deck_of[o] == deck:
            cards |= s.area[o] | s.shown[o]
    return cards


@kernel
def forget_looked(s: Any, deck: int, cards: int) -> None:
    """Cards have moved: nobody knows their place any more for having looked at them."""
    for o in range(MAXS):
        if s.deck_of[o] == deck:
            s.looked[o] &= ~cards


@kernel
def new_pile(s: Any, deck: int, pile: int, cards: int) -> None:
    """Make a set of cards the shuffled draw pile of a deck."""
    s.draw[deck, pile] = cards
    s.top_n[deck, pile] = 0
    s.epoch[deck, pile] += 1
    s.seen[deck] = lying_open(s, deck)
    forget_looked(s, deck, cards)
    emit(s, Event.RESHUFFLE, -1, deck, pile, EVERYBODY)


@kernel
def forget_unseen(s: Any, deck: int) -> None:
    """The discard piles of a deck were taken up: nobody's unseen discards lie there any more."""
    cards = s.disc[deck, 0] | s.disc[deck, 1]
    for o in range(MAXS):
        if s.deck_of[o] == deck:
            s.unseen[o] &= cards


@kernel
def refill(s: Any, p: Any, deck: int) -> None:
    """R22: replace used-up draw piles by the shuffled discard pile, if it holds any card."""
    if hooks.exhausted(s, p, deck) != PASS_ON:
        forget_unseen(s, deck)
        return
    cards = s.disc[deck, 0] | s.disc[deck, 1]
    if cards:
        s.disc[deck, 0] = 0
        s.disc[deck, 1] = 0
        new_pile(s, deck, 0, cards)
        forget_unseen(s, deck)


@kernel
def shuffle_all(s: Any, deck: int) -> None:
    """R24: shuffle draw and discard piles of a deck together into pile A."""
    cards = s.draw[deck, 0] | s.draw[deck, 1] | s.disc[deck, 0] | s.disc[deck, 1]
    s.draw[deck, 1] = 0
    s.top_n[deck, 1] = 0
    s.disc[deck, 0] = 0
    s.disc[deck, 1] = 0
    new_pile(s, deck, 0, cards)
    forget_unseen(s, deck)


@kernel
def draw(s: Any, seat: int, n: int, purpose: int, zone: int) -> None:
    """Let a seat draw n cards into a zone, card by card (a frame; it runs when the caller has returned)."""
    push(s, Frame.DRAW, -1, seat, 0, n, purpose | zone << 8, 0)


@kernel
def draw_wrath(s: Any, p: Any, n: int) -> None:
    """Draw n cards of the wrath deck, seen by nobody, and set them aside (a frame)."""
    if n > 0:
        push(s, Frame.DRAW, -1, -1, p.wrath_deck, n, DrawFor.WRATH | Zone.WRATH << 8, 0)


@kernel
def shuffle_in(s: Any, deck: int, pile: int, cards: int) -> None:
    """Shuffle cards that lie nowhere into a draw pile."""
    s.draw[deck, pile] |= cards
    s.top_n[deck, pile] = 0
    s.epoch[deck, pile] += 1
    forget_looked(s, deck, s.draw[deck, pile])
    emit(s, Event.RESHUFFLE, -1, deck, pile, EVERYBODY)


@kernel
def pull(s: Any, deck: int, card: int) -> None:
    """Take a card out of whatever pile of a deck holds it; the known order of the others stays."""
    bit = 1 << card
    for pile in range(2):
        s.disc[deck, pile] &= ~bit
        if s.draw[deck, pile] & bit:
            s.draw[deck, pile] &= ~bit
            kept = 0
            for i in range(s.top_n[deck, pile]):
                if s.top[deck, pile, i] != card:
                    s.top[deck, pile, kept] = s.top[deck, pile, i]
                    kept += 1
            s.top_n[deck, pile] = kept
    for o in range(MAXS):
        if s.deck_of[o] == deck:
            s.unseen[o] &= ~bit
            s.looked[o] &= ~bit


@kernel
def renew(s: Any, p: Any, deck: int) -> None:
    """R22: a draw pile that was emptied in another way than by drawing is replaced at once (unless `on_demand`)."""
    if s.draw[deck, 0] == 0 and s.draw[deck, 1] == 0 and not p.on_demand:
        refill(s, p, deck)


@kernel
def peek(s: Any, seat: int, n: int, pile: int) -> None:
    """Let a seat look at the top n cards of one of its draw piles (a frame); they go to `looked` and stay on top."""
    push(s, Frame.PEEK, -1, seat, 0, n, pile, 0)


@kernel
def put_back(s: Any, seat: int, pile: int, n: int, i: int, card: int) -> None:
    """Make a card the i-th (0 = top) of n cards known to lie on top of a draw pile of a seat."""
    d = s.deck_of[seat]
    s.top[d, pile, i] = card
    s.top_n[d, pile] = n


@kernel
def zone_of(s: Any, seat: int, card: int) -> int:
    """Zone in which a card of a seat lies (Zone.HAND, Zone.CONF, ...), -1 if in none."""
    bit = 1 << card
    if s.hand[seat] & bit:
        return Zone.HAND
    if s.conf[seat] & bit:
        return Zone.CONF
    if s.sleeve[seat] & bit:
        return Zone.SLEEVE
    if s.looked[seat] & bit:
        return Zone.LOOKED
    if s.aside[seat] & bit:
        return Zone.ASIDE
    if s.area[seat] & bit:
        return Zone.AREA
    return -1


@kernel
def put(s: Any, seat: int, card: int, zone: int) -> None:
    """Lay a card that lies nowhere into a zone of a seat, or onto a discard pile of its deck."""
    bit = 1 << card
    d = s.deck_of[seat]
    if zone == Zone.HAND:
        s.hand[seat] |= bit
    elif zone == Zone.CONF:
        s.conf[seat] |= bit
    elif zone == Zone.SLEEVE:
        s.sleeve[seat] |= bit
    elif zone == Zone.LOOKED:
        s.looked[seat] |= bit
    elif zone == Zone.ASIDE:
        s.aside[seat] |= bit
    elif zone == Zone.AREA:
        s.area[seat] |= bit
    elif zone == Zone.WRATH:
        s.wrath |= bit
    elif zone == Zone.DISC_A:
        s.disc[d, 0] |= bit
    elif zone == Zone.DISC_B:
        s.disc[d, 1] |= bit


@kernel
def take_out(s: Any, seat: int, card: int) -> None:
    """Take a card out of every zone of a seat."""
    keep = ~(1 << card)
    s.hand[seat] &= keep
    s.conf[seat] &= keep
    s.sleeve[seat] &= keep
    s.looked[seat] &= keep
    s.aside[seat] &= keep
    s.area[seat] &= keep
    s.shown[seat] &= keep


@kernel
def move(s: Any, seat: int, card: int, zone: int) -> None:
    """Move a card of a seat between its zones."""
    take_out(s, seat, card)
    put(s, seat, card, zone)


@kernel
def reveal(s: Any, seat: int, card: int) -> None:
    """Everybody sees a card of a seat."""
    s.played[seat] |= 1 << card
    s.seen[s.deck_of[seat]] |= 1 << card


@kernel
def discard(s: Any, p: Any, seat: int, card: int, reason: int) -> None:
    """Discard a card that lies nowhere (R25): to pile A unless a module says otherwise.

    Unused and exchanged cards stay unseen by the others (A19) unless `discard_visibility` is public.
    """
    zone = hooks.discard(s, p, seat, card, reason)
    if zone == PASS_ON:
        zone = Zone.DISC_A
    put(s, seat, card, zone)
    if not s.seen[s.deck_of[seat]] >> card & 1:
        if reason in (Reason.UNUSED, Reason.EXCHANGED) and p.discard_public == 0:
            if zone in (Zone.DISC_A, Zone.DISC_B):
                s.unseen[seat] |= 1 << card
        else:
            reveal(s, seat, card)
            emit(s, Event.DISCARD, seat, card, reason, EVERYBODY)


@kernel
def discard_openly(s: Any, p: Any, seat: int, card: int, reason: int) -> None:
    """Discard a card that everybody sees."""
    reveal(s, seat, card)
    emit(s, Event.DISCARD, seat, card, reason, EVERYBODY)
    discard(s, p, seat, card, reason)


@kernel
def discard_cards(s: Any, p: Any, seat: int, cards: int, reason: int) -> None:
    """Discard a set of cards that lie nowhere, lowest id first."""
    if reason == Reason.UNUSED and not hooks.discards_change() and p.discard_public == 0:  # the same at one go
        s.disc[s.deck_of[seat], 0] |= cards
        s.unseen[seat] |= cards & ~s.seen[s.deck_of[seat]]
        return
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        discard(s, p, seat, card, reason)


@kernel
def want_card(s: Any, deck: int, pile: int, but: int) -> None:
    """Ask chance for one card of a draw pile, those in `but` excepted."""
    s.die_kind = Die.CARD
    s.die_deck = deck
    s.die_pile = pile
    s.die_faces = popcount(s.draw[deck, pile] & ~but)


@kernel
def nth_card(cards: int, n: int) -> int:
    """The n-th card of a set, ascending."""
    return select_bit(cards, n)


@kernel
def known_top(s: Any, deck: int, pile: int) -> int:
    """Cards whose place on top of a pile is known (bit set)."""
    cards = 0
    for i in range(s.top_n[deck, pile]):
        cards |= 1 << s.top[deck, pile, i]
    return cards


@kernel
def arrive(s: Any, p: Any, deck: int, pile: int, card: int) -> None:
    """A drawn card leaves its pile and reaches the zone of the draw on top of the stack."""
    f = s.depth - 1
    seat = s.f_seat[f]
    purpose, zone = s.f_b[f] & 255, s.f_b[f] >> 8
    s.draw[deck, pile] &= ~(1 << card)
    n = s.top_n[deck, pile]
    if n > 0:
        for i in range(n - 1):
            s.top[deck, pile, i] = s.top[deck, pile, i + 1]
        s.top_n[deck, pile] = n - 1
        forget_looked(s, deck, 1 << card)
    s.f_a[f] -= 1
    s.f_c[f] += 1
    if zone == Zone.WRATH:
        s.wrath |= 1 << card
    else:
        put(s, seat, card, zone)
        if zone == Zone.LOOKED:  # turned over: everybody sees it
            reveal(s, seat, card)
            s.focus = card
            emit(s, Event.LOOK, seat, card, purpose, EVERYBODY)
        else:
            whisper(s, Event.CARD, seat, card, purpose)
    if s.draw[deck, 0] == 0 and s.draw[deck, 1] == 0 and not p.on_demand:
        refill(s, p, deck)


@kernel
def draw_step(s: Any, p: Any) -> None:
    """Go on with the draw on top of the stack until a die is due, a question is asked, or it is done (R22, R23)."""
    f = s.depth - 1
    seat = s.f_seat[f]
    wrath = s.f_b[f] >> 8 == Zone.WRATH
    deck = s.f_bits[f] if wrath else s.deck_of[seat]
    if s.f_c[f] == 0:
        if s.draw[deck, 0] == 0 and s.draw[deck, 1] == 0 and s.f_a[f] > 0:
            refill(s, p, deck)
            if s.depth - 1 != f:
                return
        s.f_c[f] = 1
        if not wrath:
            s.f_a[f] = hooks.draw(s, p, seat, s.f_b[f] & 255, s.f_a[f])
        if s.depth - 1 != f:
            return
    while s.f_a[f] > 0:
        if s.draw[deck, 0] == 0 and s.draw[deck, 1] == 0:
            refill(s, p, deck)
            if s.depth - 1 != f:
                return
            if s.draw[deck, 0] == 0 and s.draw[deck, 1] == 0:
                break
        pile = 0 if s.draw[deck, 0] else 1
        if s.draw[deck, 0] and s.draw[deck, 1] and not wrath:
            told = hooks.draw_pile(s, p, seat, deck)
            if told == ASKED:
                return
            if told != PASS_ON:
                pile = told
        if s.top_n[deck, pile] > 0:
            arrive(s, p, deck, pile, s.top[deck, pile, 0])
            if s.depth - 1 != f:
                return
            continue
        want_card(s, deck, pile, 0)
        return
    emit(s, Event.MODULE if wrath else Event.DRAWS, seat, s.f_c[f] - 1, s.f_b[f] & 255, EVERYBODY)
    s.depth = f


@kernel
def peek_step(s: Any) -> None:
    """Go on with the look at a pile's top cards until a die is due or it is done."""
    f = s.depth - 1
    seat, pile = s.f_seat[f], s.f_b[f]
    deck = s.deck_of[seat]
    known = s.top_n[deck, pile]
    if s.f_c[f] < known and s.f_c[f] < s.f_a[f]:
        card = s.top[deck, pile, s.f_c[f]]
        s.looked[seat] |= 1 << card
        whisper(s, Event.LOOK, seat, card, 0)
        s.f_c[f] += 1
    elif s.f_c[f] < s.f_a[f] and popcount(s.draw[deck, pile]) > known:
        want_card(s, deck, pile, known_top(s, deck, pile))
    else:
        s.depth = f


@kernel
def card_fell(s: Any, p: Any, outcome: int) -> None:
    """The die of `want_card` fell."""
    f = s.depth - 1
    deck, pile = s.die_deck, s.die_pile
    s.die_kind = Die.NONE
    s.die_faces = 0
    if s.f_phase[f] == Frame.PEEK:
        card = nth_card(s.draw[deck, pile] & ~known_top(s, deck, pile), outcome)
        s.top[deck, pile, s.top_n[deck, pile]] = card
        s.top_n[deck, pile] += 1
    else:
        arrive(s, p, deck, pile, nth_card(s.draw[deck, pile], outcome))


@kernel
def deal_run(s: Any, rng: Any) -> int:
    """Throw the dice of a plain draw into a hand in one go, all but the last; return how many.

    Does what `card_fell` does card by card: same dice, same order, same histories.
    """
    f = s.depth - 1
    zone = s.f_b[f] >> 8
    deck, pile = s.die_deck, s.die_pile
    if s.f_phase[f] != Frame.DRAW or zone != Zone.HAND or s.top_n[deck, pile] > 0 or s.draw[deck, 1 - pile]:
        return 0
    seat = s.f_seat[f]
    cards = s.draw[deck, pile]
    size = popcount(cards)
    n = min(s.f_a[f], size) - 1
    if n <= 0:
        return 0
    drawn = 0
    history = s.private[seat]
    code = Event.CARD | (seat + 1) << 8 | ((s.f_b[f] & 255) + 64) << 24
    for i in range(n):
        card = nth_card(cards, rand_below(rng, size - i))
        cards &= ~(1 << card)
        drawn |= 1 << card
        history = mix(history, code | (card + 64) << 16)
    s.private[seat] = history
    s.draw[deck, pile] = cards
    s.hand[seat] |= drawn
    s.f_a[f] -= n
    s.f_c[f] += n
    s.die_faces = size - n
    return n
