"""What the engine offers to rules and modules: cards, piles, questions, the record. Calls no flow, only hooks.

Public names here are the services of 4.9; `docs/rule-modules.md` lists them.
"""

from __future__ import annotations

from typing import Any

from ..core.abi import lowest_bit, popcount, select_bit
from ..core.jit import kernel
from ..core.rng import mix, rand_below
from . import hooks
from .hooks import ASKED, PASS_ON
from .state import (
    ALL_CARDS,
    DIE_CARD,
    DIE_NONE,
    DRAW_WRATH,
    E_CARD,
    E_COMPARE,
    E_DISCARD,
    E_DRAWS,
    E_EP,
    E_LOOK,
    E_MODULE,
    E_REPLACE,
    E_RESHUFFLE,
    E_REVEAL,
    E_TRUMP,
    EVENTS,
    EXCHANGED,
    FR_DRAW,
    FR_PEEK,
    FR_TASK,
    KING_SLOT,
    LOST,
    MAXS,
    NO_CARD,
    NONE,
    OTHER,
    OWN,
    PLAYED,
    STACK,
    TIED,
    UNUSED,
    WON,
    Z_AREA,
    Z_ASIDE,
    Z_CONF,
    Z_DISC_A,
    Z_DISC_B,
    Z_HAND,
    Z_LOOKED,
    Z_SLEEVE,
    Z_WRATH,
)

EVERYBODY = -1
FR_LOT = 1007  # frame: a die of a module falls
DRAW_MORE = 6  # purpose of a draw: the draw before goes on


@kernel
def emit(s: Any, kind: int, seat: int, a: int, b: int, who: int) -> None:
    """Note an event for the seats in the bit set `who` (EVERYBODY: all): in the event list and in their histories."""
    code = kind | (seat + 1) << 8 | (a + 64) << 16 | (b + 64) << 24
    if who == EVERYBODY:
        s.public = mix(s.public, code)
    else:
        for o in range(MAXS):
            if who >> o & 1:
                s.private[o] = mix(s.private[o], code)
    if s.n_events < EVENTS:
        s.events[s.n_events] = code | (who & 0xFFFF) << 40
        s.n_events += 1


@kernel
def whisper(s: Any, kind: int, seat: int, a: int, b: int) -> None:
    """Note an event that its seat alone sees."""
    code = kind | (seat + 1) << 8 | (a + 64) << 16 | (b + 64) << 24
    s.private[seat] = mix(s.private[seat], code)
    if s.n_events < EVENTS:
        s.events[s.n_events] = code | 1 << seat + 40
        s.n_events += 1


@kernel
def note(s: Any, kind: int, seat: int, a: int, b: int) -> None:
    """Note a public event that tells nothing new: for the reader's log, not for the histories."""
    if s.n_events < EVENTS:
        s.events[s.n_events] = kind | (seat + 1) << 8 | (a + 64) << 16 | (b + 64) << 24 | 0xFFFF << 40
        s.n_events += 1


@kernel
def sign(x: int) -> int:
    """-1, 0 or 1."""
    if x > 0:
        return 1
    return -1 if x < 0 else 0


@kernel
def allow(words: Any, action: int) -> None:
    """Add an action to a legal-action set."""
    words[action >> 5] |= 1 << (action & 31)


@kernel
def allow_cards(words: Any, cards: int) -> None:
    """Add `card:` actions for a set of cards."""
    words[0] |= cards & ALL_CARDS


# --- frames -------------------------------------------------------------------------------------------------------


@kernel
def push(s: Any, phase: int, owner: int, seat: int, bits: int, a: int, b: int, c: int) -> None:
    """Put a frame on the stack; it is dealt with before everything below it."""
    d = s.depth
    if d >= STACK:  # an endless window or recursion of a module: stop the game instead of corrupting it
        s.status = 2
        return
    s.f_phase[d] = phase
    s.f_owner[d] = owner
    s.f_seat[d] = seat
    s.f_bits[d] = bits
    s.f_a[d] = a
    s.f_b[d] = b
    s.f_c[d] = c
    s.depth = d + 1


@kernel
def ask(s: Any, owner: int, phase: int, seat: int) -> None:
    """Ask a seat: the module `owner` (write ME) then gets `legal_of` and `answered`."""
    push(s, phase, owner, seat, 1 << seat, 0, 0, 0)


@kernel
def task(s: Any, owner: int, what: int, seat: int) -> None:
    """Let the module's hook `task` run when all that was asked or drawn after this call is done."""
    push(s, FR_TASK, owner, seat, 0, what, 0, 0)


@kernel
def lot(s: Any, owner: int, what: int, seat: int, faces: int) -> None:
    """Throw a die of `faces` faces (a frame); the module's hook `fell` gets the outcome, 0 .. faces - 1."""
    push(s, FR_LOT, owner, seat, 0, what, faces, 0)


# --- cards and piles ----------------------------------------------------------------------------------------------


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
    emit(s, E_RESHUFFLE, -1, deck, pile, EVERYBODY)


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
    push(s, FR_DRAW, -1, seat, 0, n, purpose | zone << 8, 0)


@kernel
def draw_wrath(s: Any, p: Any, n: int) -> None:
    """Draw n cards of the wrath deck, seen by nobody, and set them aside (a frame)."""
    if n > 0:
        push(s, FR_DRAW, -1, -1, p.wrath_deck, n, DRAW_WRATH | Z_WRATH << 8, 0)


@kernel
def shuffle_in(s: Any, deck: int, pile: int, cards: int) -> None:
    """Shuffle cards that lie nowhere into a draw pile."""
    s.draw[deck, pile] |= cards
    s.top_n[deck, pile] = 0
    s.epoch[deck, pile] += 1
    forget_looked(s, deck, s.draw[deck, pile])
    emit(s, E_RESHUFFLE, -1, deck, pile, EVERYBODY)


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
    push(s, FR_PEEK, -1, seat, 0, n, pile, 0)


@kernel
def put_back(s: Any, seat: int, pile: int, n: int, i: int, card: int) -> None:
    """Make a card the i-th (0 = top) of n cards known to lie on top of a draw pile of a seat."""
    d = s.deck_of[seat]
    s.top[d, pile, i] = card
    s.top_n[d, pile] = n


@kernel
def zone_of(s: Any, seat: int, card: int) -> int:
    """Zone in which a card of a seat lies (Z_HAND, Z_CONF, ...), -1 if in none."""
    bit = 1 << card
    if s.hand[seat] & bit:
        return Z_HAND
    if s.conf[seat] & bit:
        return Z_CONF
    if s.sleeve[seat] & bit:
        return Z_SLEEVE
    if s.looked[seat] & bit:
        return Z_LOOKED
    if s.aside[seat] & bit:
        return Z_ASIDE
    if s.area[seat] & bit:
        return Z_AREA
    return -1


@kernel
def put(s: Any, seat: int, card: int, zone: int) -> None:
    """Lay a card that lies nowhere into a zone of a seat, or onto a discard pile of its deck."""
    bit = 1 << card
    d = s.deck_of[seat]
    if zone == Z_HAND:
        s.hand[seat] |= bit
    elif zone == Z_CONF:
        s.conf[seat] |= bit
    elif zone == Z_SLEEVE:
        s.sleeve[seat] |= bit
    elif zone == Z_LOOKED:
        s.looked[seat] |= bit
    elif zone == Z_ASIDE:
        s.aside[seat] |= bit
    elif zone == Z_AREA:
        s.area[seat] |= bit
    elif zone == Z_WRATH:
        s.wrath |= bit
    elif zone == Z_DISC_A:
        s.disc[d, 0] |= bit
    elif zone == Z_DISC_B:
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
        zone = Z_DISC_A
    put(s, seat, card, zone)
    if not s.seen[s.deck_of[seat]] >> card & 1:
        if reason in (UNUSED, EXCHANGED) and p.discard_public == 0:
            if zone in (Z_DISC_A, Z_DISC_B):
                s.unseen[seat] |= 1 << card
        else:
            reveal(s, seat, card)
            emit(s, E_DISCARD, seat, card, reason, EVERYBODY)


@kernel
def discard_openly(s: Any, p: Any, seat: int, card: int, reason: int) -> None:
    """Discard a card that everybody sees."""
    reveal(s, seat, card)
    emit(s, E_DISCARD, seat, card, reason, EVERYBODY)
    discard(s, p, seat, card, reason)


@kernel
def discard_cards(s: Any, p: Any, seat: int, cards: int, reason: int) -> None:
    """Discard a set of cards that lie nowhere, lowest id first."""
    if reason == UNUSED and not hooks.discards_change() and p.discard_public == 0:  # the same at one go
        s.disc[s.deck_of[seat], 0] |= cards
        s.unseen[seat] |= cards & ~s.seen[s.deck_of[seat]]
        return
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        discard(s, p, seat, card, reason)


# --- values -------------------------------------------------------------------------------------------------------


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
    if s.relation[seat] == OTHER:
        n = a - 2
    elif s.relation[seat] == NONE:
        n = a // 2
    elif s.relation[seat] == OWN:
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
    elif play == KING_SLOT:
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
    emit(s, E_REVEAL, seat, play, slot, EVERYBODY)
    if p.melee[s.conflict]:
        show_trump(s, p, seat, play)


@kernel
def play_openly(s: Any, p: Any, seat: int, card: int) -> None:
    """Play a further card into the conflict area for everybody to see."""
    take_play(s, p, seat, card)
    s.area[seat] |= 1 << card
    reveal(s, seat, card)
    emit(s, E_REVEAL, seat, card, s.round_no, EVERYBODY)
    show_trump(s, p, seat, card)


# --- the record ---------------------------------------------------------------------------------------------------


@kernel
def know_trump(s: Any, seat: int, suit: int) -> None:
    """Everybody learns whether a suit is trump for a seat (A18)."""
    if not s.known[seat] >> suit & 1:
        s.known[seat] |= 1 << suit
        emit(s, E_TRUMP, seat, suit, trump_suits(s, seat) >> suit & 1, EVERYBODY)


@kernel
def betrays(s: Any, p: Any, seat: int, play: int, own: int, other: int) -> None:
    """A18: a comparison that would come out otherwise if the suit's trump state were different gives it away."""
    if 0 <= play < 32 and p.colours_count:
        suit = play >> 3
        if not s.known[seat] >> suit & 1:
            twin = own - 8 if own >= 8 else own + 8
            now = sign(own - other)
            if now != sign(twin - other):
                know_trump(s, seat, suit)


@kernel
def score(s: Any, p: Any) -> None:
    """Compute the EP of all seats from the record, the carried EP and the results that modules have set."""
    for seat in range(p.seats):
        if not s.ep_set[seat]:
            s.ep[seat] = s.ep_carried[seat]
    for i in range(s.n_entries):
        d = sign(s.e_class_a[i] - s.e_class_b[i])
        a, b = s.e_a[i], s.e_b[i]
        if not s.ep_set[a]:
            s.ep[a] += d
        if not s.ep_set[b]:
            s.ep[b] -= d


@kernel
def compare(s: Any, p: Any, a: int, play_a: int, class_a: int, b: int, play_b: int, class_b: int) -> None:
    """R41, R56: compare two plays and add the comparison to the record."""
    i = s.n_entries
    if i >= len(s.e_a):
        s.status = 2
        return
    s.e_a[i] = a
    s.e_b[i] = b
    s.e_play_a[i] = play_a
    s.e_play_b[i] = play_b
    s.e_class_a[i] = class_a
    s.e_class_b[i] = class_b
    s.e_round[i] = s.round_no
    s.n_entries = i + 1
    d = sign(class_a - class_b)
    if not s.ep_set[a]:
        s.ep[a] += d
    if not s.ep_set[b]:
        s.ep[b] -= d
    betrays(s, p, a, play_a, class_a, class_b)
    betrays(s, p, b, play_b, class_b, class_a)
    emit(s, E_COMPARE, a, b, d, EVERYBODY)


@kernel
def outcome_for(s: Any, i: int, seat: int) -> int:
    """Reason code (WON, LOST, TIED) of entry i for a seat that took part in it."""
    d = s.e_class_a[i] - s.e_class_b[i]
    if d == 0:
        return TIED
    return WON if (d > 0) == (s.e_a[i] == seat) else LOST


@kernel
def recorded_cards(s: Any, seat: int, losing_only: int) -> int:
    """Cards of a seat in this test's record, all or only those that lost a comparison (bit set)."""
    cards = 0
    for i in range(s.n_entries):
        if s.e_a[i] == seat and 0 <= s.e_play_a[i] < 32 and not (losing_only and outcome_for(s, i, seat) != LOST):
            cards |= 1 << s.e_play_a[i]
        if s.e_b[i] == seat and 0 <= s.e_play_b[i] < 32 and not (losing_only and outcome_for(s, i, seat) != LOST):
            cards |= 1 << s.e_play_b[i]
    return cards


@kernel
def open_cards_of(s: Any, p: Any, seat: int, this_round: int) -> int:
    """Revealed round cards of a seat and its cards in the record, or only this round's card (bit set)."""
    cards = 0 if this_round else recorded_cards(s, seat, 0)
    for r in range(p.rounds):
        if 0 <= s.slot[seat, r] < 32 and s.slot_open[seat, r] and s.area[seat] >> s.slot[seat, r] & 1:
            if p.slots or r == s.round_no:
                cards |= 1 << s.slot[seat, r]
    return cards


@kernel
def show_trump(s: Any, p: Any, seat: int, play: int) -> None:
    """A18: a card revealed where the order of all plays is public tells whether its suit is trump."""
    if 0 <= play < 32 and p.colours_count:
        know_trump(s, seat, play >> 3)


@kernel
def replace(s: Any, p: Any, seat: int, old: int, new: int) -> None:
    """Put a card (lying nowhere) in the place of a played card, rescore, and discard the old one (frame of 2.9).

    Of two equal played cards the earlier one is meant. The new card goes where the old one lay: the conflict area, or
    in a melee the discard pile.
    """
    value = class_of(s, p, seat, new)
    reveal(s, seat, new)
    emit(s, E_REPLACE, seat, old, new, EVERYBODY)
    r = -1
    reason = PLAYED
    for i in range(s.n_entries):
        mine = (s.e_a[i] == seat and s.e_play_a[i] == old) or (s.e_b[i] == seat and s.e_play_b[i] == old)
        if mine and (r < 0 or s.e_round[i] == r):
            r = s.e_round[i]
            if s.e_a[i] == seat:
                s.e_play_a[i] = new
                s.e_class_a[i] = value
                betrays(s, p, seat, new, value, s.e_class_b[i])
            else:
                s.e_play_b[i] = new
                s.e_class_b[i] = value
                betrays(s, p, seat, new, value, s.e_class_a[i])
            other = s.e_b[i] if s.e_a[i] == seat else s.e_a[i]
            if other == s.e_a[i]:
                betrays(s, p, other, s.e_play_a[i], s.e_class_a[i], value)
            else:
                betrays(s, p, other, s.e_play_b[i], s.e_class_b[i], value)
            reason = outcome_for(s, i, seat)
    for k in range(p.rounds):
        if s.slot[seat, k] == old and (r < 0 or k == r):
            s.slot[seat, k] = new
            s.slot_class[seat, k] = value
    melee = p.melee[s.conflict]
    if melee:
        show_trump(s, p, seat, new)
    if r < 0 or not melee:
        s.area[seat] = s.area[seat] & ~(1 << old) | 1 << new
        discard(s, p, seat, old, LOST)
    else:  # it lies on the discard pile already; the new card follows it there
        discard(s, p, seat, new, reason)
    score(s, p)


@kernel
def set_result(s: Any, seat: int, ep: int) -> None:
    """Set the result of a seat for this test; the record no longer counts for it."""
    s.ep[seat] = ep
    s.ep_set[seat] = 1
    emit(s, E_EP, seat, ep, 1, EVERYBODY)


@kernel
def end_test(s: Any) -> None:
    """End the running test at once: what is not recorded yet does not count."""
    s.cut = 1
    s.close = 1


@kernel
def close_window(s: Any) -> None:
    """Close the window that is open: nobody is asked further."""
    s.close = 1


@kernel
def restrict(s: Any, seat: int, points: int) -> None:
    """Restriction points due at the end of the conflict on top of R70 (not waived by `restrict`)."""
    s.extra_restr[seat] += points


# --- the dice of a draw -------------------------------------------------------------------------------------------


@kernel
def want_card(s: Any, deck: int, pile: int, but: int) -> None:
    """Ask chance for one card of a draw pile, those in `but` excepted."""
    s.die_kind = DIE_CARD
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
    if zone == Z_WRATH:
        s.wrath |= 1 << card
    else:
        put(s, seat, card, zone)
        if zone == Z_LOOKED:  # turned over: everybody sees it
            reveal(s, seat, card)
            s.focus = card
            emit(s, E_LOOK, seat, card, purpose, EVERYBODY)
        else:
            whisper(s, E_CARD, seat, card, purpose)
    if s.draw[deck, 0] == 0 and s.draw[deck, 1] == 0 and not p.on_demand:
        refill(s, p, deck)


@kernel
def draw_step(s: Any, p: Any) -> None:
    """Go on with the draw on top of the stack until a die is due, a question is asked, or it is done (R22, R23)."""
    f = s.depth - 1
    seat = s.f_seat[f]
    wrath = s.f_b[f] >> 8 == Z_WRATH
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
    emit(s, E_MODULE if wrath else E_DRAWS, seat, s.f_c[f] - 1, s.f_b[f] & 255, EVERYBODY)
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
        whisper(s, E_LOOK, seat, card, 0)
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
    s.die_kind = DIE_NONE
    s.die_faces = 0
    if s.f_phase[f] == FR_PEEK:
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
    if s.f_phase[f] != FR_DRAW or zone != Z_HAND or s.top_n[deck, pile] > 0 or s.draw[deck, 1 - pile]:
        return 0
    seat = s.f_seat[f]
    cards = s.draw[deck, pile]
    size = popcount(cards)
    n = min(s.f_a[f], size) - 1
    if n <= 0:
        return 0
    drawn = 0
    history = s.private[seat]
    code = E_CARD | (seat + 1) << 8 | ((s.f_b[f] & 255) + 64) << 24
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
