"""The observation of a seat: named blocks (4.7), and the kernel that writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.abi import lowest_bit, popcount
from ..core.jit import kernel
from ..core.observe import Layout, Piece, parts
from . import hooks
from .module import Module
from .plays import attribute_of, class_of
from .state import ALL_CARDS, CARDS, MELEE, NO_CARD, PH_CUSTOM, Action, Phase

MOD_FLAGS = (
    "swap_card", "open_look", "marked_cards", "after_card", "two_piles", "table_redraw", "sleeve", "full_hand",
    "all_in", "open_cards", "mercy", "experience", "confidence", "incentive", "broad_skills", "point_buy",
    "specialist_buy",
)  # fmt: skip
MOD_BITS = 0  # active modules, bit = index in MOD_FLAGS, further modules from 17; bound by build


def layout(seats: int, modules: Sequence[Module]) -> Layout:
    """The observation layout for a number of seats."""
    S = seats
    seats_of = ", ".join(f"seat {i}" for i in range(12))
    of_a_seat = (
        "is_me, ally, pc, leader, hand / 32, draw / 32, discard / 32, attribute / 32, restriction / 10, "
        f"ep / {3 * S + 2}, carried ep / 3, passed, open, spent, waited, no card, class of round card / 15, "
        "trump suit 0, trump suit 1, trump suit 2, trump suit 3, sleeve, open slots / 3, xp_free / 20, king slot, alive"
    )
    terms = (
        "relation 0, relation 1, relation 2, malus / 5, red forbidden, black forbidden, colours_count, traits / 10, "
        "voluntary, risk, prepared / 5, open / 3, weight / 5, all_in, lethal, restrict"
    )
    clock = "round 0, round 1, round 2, test, conflict, session, decisions"
    return Layout(
        [
            Piece("phase", (32,), 0, 1, "phase in which a decision is due (modules' own phases share the last place)"),
            Piece("clock", (7,), 0, 1, "round one-hot; test, conflict, session, decisions as shares", parts(clock)),
            Piece("me", (12,), 0, 1, "own seat", parts(seats_of)),
            *[Piece(n, (32,), 0, 1, f"own {n} cards") for n in ("hand", "conf", "sleeve", "looked", "aside")],
            Piece("draw_set", (2, 32), 0, 1, "cards that may lie in the draw piles A, B as far as the seat knows"),
            Piece("discard_set", (2, 32), 0, 1, "cards known to lie in the discard piles A, B"),
            Piece("my_class", (32,), 0, 1, "class / 15 of each card for this seat in this test", unit=15),
            Piece("seat", (S, 26), -1, 1, f"per seat: {of_a_seat}", parts(of_a_seat)),
            Piece("table", (S, 33), 0, 1, "revealed round card (32 cards, pass)"),
            Piece("slots_open", (S, 3, 33), 0, 1, "cards laid open for rounds 1..3"),
            Piece("played", (S, 32), 0, 1, "cards seen in this conflict"),
            Piece("seen", (S, 32), 0, 1, "cards seen since that deck's last reshuffle"),
            Piece("net", (S, S), -1, 1, "EP won by row from column in this test / 3", unit=3),
            Piece(
                "focus", (33 + 2 * S,), 0, 1, "card in question (32), attacker (S), ordered target (S), ordered to wait"
            ),
            Piece("terms", (16,), 0, 1, terms, parts(terms)),
            Piece("mods", (20,), 0, 1, "active modules"),
            Piece("wrath", (1,), 0, 1, "number of wrath cards / 32", unit=32),
            *[Piece(f"{m.name}.{p.name}", (p.size,), p.low, p.high, p.doc) for m in modules for p in m.pieces],
        ]
    )


@kernel
def write_cards(out: Any, o: int, cards: int) -> int:
    """32 flags."""
    while cards:
        out[o + lowest_bit(cards)] = 1.0
        cards &= cards - 1
    return o + 32


@kernel
def clip(x: float, low: float, high: float) -> float:
    """x, but not beyond low..high."""
    return min(high, max(low, x))


@kernel
def hidden_discards(s: Any, p: Any, seat: int, deck: int) -> int:
    """Cards on the discard piles of a deck that other seats laid there unseen by `seat`."""
    cards = 0
    for o in range(p.seats):
        if o != seat and s.deck_of[o] == deck:
            cards |= s.unseen[o]
    return cards


@kernel
def unknown_cards(s: Any, p: Any, seat: int, deck: int) -> int:
    """Cards of a deck that may lie in its draw piles as far as `seat` knows, besides those that do."""
    cards = hidden_discards(s, p, seat, deck) & (s.disc[deck, 0] | s.disc[deck, 1])
    for o in range(p.seats):
        if o != seat and s.deck_of[o] == deck:
            cards |= s.hand[o] & ~s.shown[o] | s.conf[o] | s.sleeve[o]
            if p.slots:
                for r in range(p.rounds):
                    if 0 <= s.slot[o, r] < 32 and not s.slot_open[o, r]:
                        cards |= 1 << s.slot[o, r]
    if p.wrath_deck == deck:
        cards |= s.wrath
    return cards


@kernel
def not_alone(s: Any, p: Any, seat: int, deck: int) -> bool:
    """Whether others use a deck as well, or wrath cards come from it."""
    for o in range(p.seats):
        if o != seat and s.deck_of[o] == deck:
            return True
    return p.wrath_deck == deck and s.wrath != 0


@kernel
def write_seat(s: Any, p: Any, me: int, o: int, out: Any, k: int) -> int:
    """The 26 values of one seat."""
    d = s.deck_of[o]
    t = s.tested[o]
    r = s.round_no if s.round_no < 3 else 2
    play = s.slot[o, r]
    known = 15 if o == me else s.known[o]
    out[k] = 1.0 if o == me else 0.0
    out[k + 1] = 1.0 if o != me and p.team[o] == p.team[me] else 0.0
    out[k + 2] = p.pc[o]
    out[k + 3] = 1.0 if p.leader[o] == o else 0.0
    hidden = 0  # sealed commits and cards laid face down still count as hand cards for the others
    if o != me and p.slots:
        for i in range(p.rounds):
            if 0 <= s.slot[o, i] < 32 and not s.slot_open[o, i]:
                hidden += 1
    count = popcount(s.hand[o]) + hidden
    out[k + 4] = (hooks.hand_count(s, p, o, count) if hidden else count) / 32.0
    out[k + 5] = (popcount(s.draw[d, 0]) + popcount(s.draw[d, 1])) / 32.0
    out[k + 6] = (popcount(s.disc[d, 0]) + popcount(s.disc[d, 1])) / 32.0
    out[k + 7] = attribute_of(s, p, o) / 32.0
    out[k + 8] = min(10, s.restr[o, t]) / 10.0
    out[k + 9] = clip(s.ep[o] / (3.0 * p.seats + 2.0), -1.0, 1.0)
    out[k + 10] = clip(s.ep_carried[o] / 3.0, -1.0, 1.0)
    out[k + 11] = s.passed[o]
    out[k + 12] = s.is_open[o]
    out[k + 13] = s.spent[o]
    out[k + 14] = s.waited[o]
    seen = s.slot_open[o, r]
    if seen and play == NO_CARD:
        out[k + 15] = 1.0
    if seen and play >= 0:
        value = s.slot_class[o, r]
        if play < 32 and not known >> (play >> 3) & 1 and value >= 8:
            value -= 8
        out[k + 16] = max(0, value) / 15.0
    for suit in range(4):
        out[k + 17 + suit] = (s.suits[o, t] >> suit & 1) if known >> suit & 1 else 0.5
    out[k + 21] = 1.0 if s.sleeve[o] else 0.0
    slots = 0
    for i in range(3):
        if s.slot_open[o, i] and i >= s.round_no and s.slot[o, i] >= 0:
            slots += 1
    out[k + 22] = slots / 3.0
    out[k + 23] = min(20, s.xp_free[o]) / 20.0
    out[k + 24] = s.king[o]
    out[k + 25] = 0.0 if s.dead[o] else 1.0
    return k + 26


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Write the observation of a seat: float32[layout.size], zeroed before (4.7)."""
    n = p.seats
    c = s.conflict if s.conflict < p.conflicts else p.conflicts - 1
    if s.status == 0 and s.depth > 0:
        out[min(s.ask_phase, PH_CUSTOM)] = 1.0
    o = 32
    if s.round_no < 3:
        out[o + s.round_no] = 1.0
    out[o + 3] = s.test / p.max_tests
    out[o + 4] = c / p.conflicts
    out[o + 5] = min(1.0, s.session / p.sessions)
    out[o + 6] = min(1.0, s.decisions / p.max_decisions)
    o += 7
    out[o + seat] = 1.0
    o += 12
    o = write_cards(out, o, s.hand[seat])
    o = write_cards(out, o, s.conf[seat])
    o = write_cards(out, o, s.sleeve[seat])
    o = write_cards(out, o, s.looked[seat])
    o = write_cards(out, o, s.aside[seat])
    d = s.deck_of[seat]
    unknown = unknown_cards(s, p, seat, d)
    a, b = s.draw[d, 0], s.draw[d, 1]
    if b and not_alone(s, p, seat, d):  # who has not laid all the cards there cannot tell one pile from the other
        unknown |= a | b
    o = write_cards(out, o, a | unknown if a else 0)
    o = write_cards(out, o, b | unknown if b else 0)
    away = hidden_discards(s, p, seat, d)
    o = write_cards(out, o, s.disc[d, 0] & ~away)
    o = write_cards(out, o, s.disc[d, 1] & ~away)
    for card in range(CARDS):
        out[o + card] = max(0, class_of(s, p, seat, card)) / 15.0
    o += CARDS
    for other in range(n):
        o = write_seat(s, p, seat, other, out, o)
    r = s.round_no if s.round_no < 3 else 2
    for other in range(n):
        if s.slot_open[other, r]:
            play = s.slot[other, r]
            if 0 <= play <= Action.PASS:
                out[o + play] = 1.0
        o += 33
    for other in range(n):
        for i in range(3):
            if s.slot_open[other, i]:
                play = s.slot[other, i]
                if 0 <= play <= Action.PASS:
                    out[o + play] = 1.0
            o += 33
    for other in range(n):
        o = write_cards(out, o, s.played[other] & ALL_CARDS)
    for other in range(n):
        o = write_cards(out, o, s.seen[s.deck_of[other]] & ALL_CARDS)
    for i in range(s.n_entries):
        a, b = s.e_a[i], s.e_b[i]
        won = s.e_won[i]
        out[o + a * n + b] = clip(float(out[o + a * n + b]) + won / 3.0, -1.0, 1.0)
        out[o + b * n + a] = clip(float(out[o + b * n + a]) - won / 3.0, -1.0, 1.0)
    o += n * n
    if 0 <= s.focus < 32:
        out[o + s.focus] = 1.0
    o += 32
    if s.attacker >= 0:
        out[o + s.attacker] = 1.0
    o += n
    if MELEE:
        who = seat
        if s.status == 0 and s.depth > 0 and s.f_phase[s.depth - 1] == Phase.COMMAND:
            who = s.f_a[s.depth - 1]  # the leader sees whom the order is for
            out[o - n + who] = 1.0
        if s.order[who] >= Action.ATTACK:
            out[o + s.order[who] - Action.ATTACK] = 1.0
        elif s.order[who] == Action.WAIT:
            out[o + n] = 1.0
    o += n + 1
    out[o + min(2, s.relation[seat])] = 1.0
    out[o + 3] = s.malus[seat] / 5.0
    f = s.forbid[seat, s.tested[seat]]
    out[o + 4] = 1.0 if f == 1 else 0.0
    out[o + 5] = 1.0 if f == 2 else 0.0
    out[o + 6] = p.colours_count
    out[o + 7] = s.traits[seat] / 10.0
    out[o + 8] = s.voluntary[seat]
    out[o + 9] = s.risk[seat]
    out[o + 10] = s.prepared[seat] / 5.0
    out[o + 11] = s.opened[seat] / 3.0
    out[o + 12] = min(1.0, p.weight[c] / 5.0)
    out[o + 13] = p.all_in[c]
    out[o + 14] = p.lethal[c]
    out[o + 15] = p.restrict[c]
    o += 16
    for i in range(20):
        if MOD_BITS >> i & 1:
            out[o + i] = 1.0
    o += 20
    out[o] = popcount(s.wrath) / 32.0
    return hooks.observe_modules(s, p, seat, out, o + 1)
