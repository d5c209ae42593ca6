"""How games, sessions, conflicts and tests begin: records filled, decks shuffled, hands drawn (R20..R33, R90)."""

from __future__ import annotations

from typing import Any

from ..core.abi import lowest_bit, popcount
from ..core.jit import kernel
from . import hooks
from .frames import note, push, whisper
from .piles import discard_cards, draw, pull, renew, shuffle_all
from .plays import hand_size_of
from .state import (
    ALL_CARDS,
    ATTRIBUTES,
    MAXS,
    ContinuationDraw,
    DrawFor,
    Event,
    Frame,
    Moment,
    Reason,
    Reshuffle,
    Station,
    Zone,
)
from .windows import run_event


@kernel
def begin_game(s: Any, p: Any) -> None:
    """R20, R21: seats, piles and zones as the parameters give them."""
    n = p.seats
    s.attacker = -1
    s.target = -1
    s.focus = -1
    for seat in range(MAXS):
        s.sealed[seat] = -1
        s.order[seat] = -1
        for r in range(3):
            s.slot[seat, r] = -2
        s.deck_of[seat] = p.deck_of[seat] if seat < n else MAXS
        if seat >= n:
            continue
        for a in range(p.attributes[seat]):
            s.attr[seat, a] = p.attr[seat, a]
            s.skills[seat, a] = p.skills[seat, a]
            s.suits[seat, a] = p.suits[seat, a]
            s.forbid[seat, a] = p.forbid[seat, a]
        s.restr[seat, 0] = p.restr[seat]
        s.perm[seat, 0] = p.perm[seat]
        s.sleeve[seat] = p.sleeve[seat]
        s.conf[seat] = p.conf[seat]
        s.aside[seat] = p.aside[seat]
        s.xp[seat] = p.xp[seat]
        s.xp_free[seat] = p.xp_free[seat]
        s.known[seat] = 0 if p.trump_hidden and not p.pc[seat] else 15
    s.wrath = p.wrath
    for seat in range(n):
        d = s.deck_of[seat]
        s.cards[d] = ALL_CARDS
    s.cards[MAXS] = ALL_CARDS
    for d in range(MAXS + 1):
        if s.cards[d]:
            zones = 0
            for seat in range(n):
                if s.deck_of[seat] == d:
                    zones |= s.sleeve[seat] | s.conf[seat] | s.aside[seat]
                    hand = p.c_hand[0, seat]
                    zones |= hand if hand >= 0 else 0
            if d == p.wrath_deck:
                zones |= s.wrath
            for pile in range(2):
                s.disc[d, pile] = p.disc[d, pile]
                zones |= p.disc[d, pile]
            if p.draw[d, 0] >= 0:
                s.draw[d, 0] = p.draw[d, 0]
                s.draw[d, 1] = p.draw[d, 1]
            else:
                s.draw[d, 0] = ALL_CARDS & ~zones
            if p.draw[d, 0] >= 0:
                s.cards[d] = zones | s.draw[d, 0] | s.draw[d, 1]
            s.seen[d] = s.disc[d, 0] | s.disc[d, 1]
            if d < MAXS:
                hooks.build_deck(s, p, d)
    s.pc = Station.CONFLICT
    push(s, Frame.MAIN, -1, 0, 0, 0, 0, 0)


@kernel
def begin_conflict(s: Any, p: Any) -> None:
    """R30, R90: the fields that the coming conflict sets; -1 leaves a field as it is."""
    c = s.conflict
    for seat in range(p.seats):
        if p.c_tested[c, seat] >= 0:
            s.tested[seat] = p.c_tested[c, seat]
        t = s.tested[seat]
        if p.c_attr[c, seat] >= 0:
            s.attr[seat, t] = p.c_attr[c, seat]
        if p.c_suits[c, seat] >= 0:
            s.suits[seat, t] = p.c_suits[c, seat]
            if p.trump_hidden and not p.pc[seat]:
                s.known[seat] = 0
        if p.c_forbid[c, seat] >= 0:
            s.forbid[seat, t] = p.c_forbid[c, seat]
        if p.c_skills[c, seat] >= 0:
            s.skills[seat, t] = p.c_skills[c, seat]
        if p.c_cards[c, seat] >= 0:
            s.npc_cards[seat] = p.c_cards[c, seat]
        if p.c_relation[c, seat] >= 0:
            s.relation[seat] = p.c_relation[c, seat]
        if p.c_malus[c, seat] >= 0:
            s.malus[seat] = p.c_malus[c, seat]
        if p.c_open[c, seat] >= 0:
            s.opened[seat] = p.c_open[c, seat]
        if p.c_prepared[c, seat] >= 0:
            s.prepared[seat] = p.c_prepared[c, seat]
        if p.c_traits[c, seat] >= 0:
            s.traits[seat] = p.c_traits[c, seat]
        if p.c_voluntary[c, seat] >= 0:
            s.voluntary[seat] = p.c_voluntary[c, seat]
        if p.c_risk[c, seat] >= 0:
            s.risk[seat] = p.c_risk[c, seat]
        if p.c_conf_value[c, seat] >= 0:
            s.conf_value[seat] = p.c_conf_value[c, seat]
        s.played[seat] = 0
        s.ep[seat] = 0
        s.ep_carried[seat] = 0
        s.ep_set[seat] = 0
        s.extra_restr[seat] = 0
        for r in range(3):
            s.slot[seat, r] = -2
            s.slot_open[seat, r] = 0
    s.n_entries = 0
    s.round_no = 0
    s.test = 0
    s.tests_played = 0
    s.scored = 0
    hooks.reset_fields(s, p, 1)


@kernel
def heal(s: Any, p: Any, seat: int, points: int) -> None:
    """R75: every attribute of a seat heals; permanent points stay."""
    if points == 0:
        return
    for a in range(ATTRIBUTES):
        left = max(min(s.restr[seat, a], s.perm[seat, a]), s.restr[seat, a] - points)
        if left < s.restr[seat, a]:
            note(s, Event.HEAL, seat, s.restr[seat, a] - left, a)
        s.restr[seat, a] = left


@kernel
def begin_session(s: Any, p: Any) -> None:
    """R90: heal and shuffle (R24), neither at the first, whose piles are as they were set up; then the modules."""
    hooks.reset_fields(s, p, 2)
    s.session += 1
    anew = p.reshuffle == Reshuffle.ON_SESSION and s.session > 1
    note(s, Event.SESSION, -1, s.session, anew)
    for seat in range(p.seats):
        if s.session > 1:
            heal(s, p, seat, p.heal_per_session)
    if anew:
        for d in range(MAXS):
            if s.cards[d]:
                shuffle_all(s, d)
    run_event(s, Moment.SESSION_START)


@kernel
def begin_test(s: Any, p: Any) -> None:
    """R33, R24: old hands go, decks may be shuffled, the record is cleared."""
    s.n_entries = 0
    s.round_no = 0
    s.cut = 0
    hooks.reset_fields(s, p, 0)
    keep = s.test > 0 and p.continuation_draw != ContinuationDraw.REDRAW
    for seat in range(p.seats):
        s.ep_set[seat] = 0
        s.ep_carried[seat] = 0 if p.fresh else s.ep[seat]
        s.ep[seat] = s.ep_carried[seat]
        s.king[seat] = 0
        s.drawn[seat] = 0
        s.further[seat] = 0
        for r in range(3):
            s.slot[seat, r] = -2
            s.slot_open[seat, r] = 0
        if not keep:
            cards = s.hand[seat]
            s.hand[seat] = 0
            s.shown[seat] = 0
            discard_cards(s, p, seat, cards, Reason.UNUSED)
    s.at = 0
    note(s, Event.TEST, -1, s.test, 0)


@kernel
def fix_hand(s: Any, p: Any, seat: int, cards: int) -> None:
    """A hand given by the scenario leaves whatever piles and zones of its deck hold it."""
    d = s.deck_of[seat]
    left = cards
    while left:
        card = lowest_bit(left)
        left &= left - 1
        pull(s, d, card)
        whisper(s, Event.CHOICE, seat, card, 0)
    for o in range(MAXS):
        if s.deck_of[o] == d:
            s.conf[o] &= ~cards
            s.sleeve[o] &= ~cards
            s.aside[o] &= ~cards
    if p.wrath_deck == d:
        s.wrath &= ~cards
    s.hand[seat] = cards
    renew(s, p, d)


@kernel
def draw_hand(s: Any, p: Any) -> None:
    """R31..R33: the next seat draws its hand."""
    seat = s.at
    if seat >= p.seats:
        s.pc = Station.DRAWN
        return
    s.at = seat + 1
    fixed = p.c_hand[s.conflict, seat]
    if s.test == 0 and fixed >= 0:
        fix_hand(s, p, seat, fixed)
        return
    if s.test > 0 and p.continuation_draw == ContinuationDraw.KEEP:
        return
    if p.reshuffle == Reshuffle.EACH_TEST:
        shuffle_all(s, s.deck_of[seat])
    n = hand_size_of(s, p, seat)
    if s.test > 0 and p.continuation_draw == ContinuationDraw.TOP_UP:
        n -= popcount(s.hand[seat])
    if n > 0:
        draw(s, seat, n, DrawFor.HAND, Zone.HAND)
