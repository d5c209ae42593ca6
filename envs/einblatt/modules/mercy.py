"""mercy (R200..R209): a loser may beg for three new cards; if one of them is among the wrath cards, all is lost."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from ...core.abi import popcount
from ...core.jit import kernel
from ..hooks import PASS_ON
from ..module import ME, Module
from ..services import (
    DRAW_MORE,
    EVERYBODY,
    allow,
    allow_cards,
    ask,
    close_window,
    discard,
    draw,
    draw_wrath,
    emit,
    end_test,
    note,
    put,
    recorded_cards,
    replace,
    set_result,
    shuffle_in,
    supply,
    take_out,
)
from ..services import task as later
from ..state import Action, DrawFor, Event, Phase, Reason, Zone

CARD, ASSIGN = 0, 1  # tasks
Who = IntEnum("Who", "PC ALL", start=0)
Timing = IntEnum("Timing", "AFTER_TEST AFTER_DRAW", start=0)
SmallRedraw = IntEnum("SmallRedraw", "RESET KEEP_PLUS_ONE ONE_ONLY", start=0)
ReshuffleDraw = IntEnum("ReshuffleDraw", "HALF MINUS_ONE", start=0)

module = Module(
    "mercy",
    "A loser may ask for mercy: three cards to replace played ones, at the risk of meeting the set-aside wrath cards.",
    windows=("after_draw", "after_test"),
    base_actions=(Action.MERCY,),
    table=("session_start", "conflict_start"),  # the wrath cards are everybody's
)
module.param("who", "pc", choices=Who, doc="who may ask")
module.param("timing", "after_test", choices=Timing, doc="when; after_draw replaces hand cards")
module.param("start", 2, 0, 29, doc="wrath cards at the start of a session and after a wrath")
module.param("small_redraw", "reset", choices=SmallRedraw, doc="wrath cards after a single match")
module.param("reshuffle_draw", "half", choices=ReshuffleDraw, doc="wrath cards after a reshuffle of the deck")
module.param("deck", "separate", choices=("separate", "npc"), doc="deck that the wrath cards come from")
module.param("per_conflict", 1, 1, 10, doc="requests per seat and conflict")
module.state("asked", doc="requests in this conflict")
module.state("cards", per_seat=False, doc="mercy cards in the order drawn, six bits each, 1 + card", bits=True)
module.state("count", per_seat=False, doc="how many were drawn")
module.state("at", per_seat=False, doc="the one that is being assigned")
module.state("placed", per_seat=False, doc="set of those that replaced a card", bits=True)
module.state("hits", per_seat=False, doc="matches of the last request")


@kernel
def card_at(s: Any, i: int) -> int:
    """The i-th mercy card."""
    return (s.mercy_cards >> 6 * i & 63) - 1


@kernel
def replaceable(s: Any, p: Any, seat: int) -> int:
    """R201, R208: played cards, or hand cards; none twice (bit set)."""
    cards = s.hand[seat] if p.mercy_timing == Timing.AFTER_DRAW else recorded_cards(s, seat, 0)
    return cards & ~s.mercy_placed


@module.hook
def session_start(s: Any, p: Any, seat: int) -> None:
    """R200: later on the wrath cards go back and new ones are drawn; those given for the first session stay."""
    if seat == 0 and not (s.session == 1 and s.wrath):
        if s.session > 1:
            gather(s, p)
        draw_wrath(s, p, p.mercy_start)


@module.hook
def conflict_start(s: Any, p: Any, seat: int) -> None:
    """A single conflict has no session start: wrath cards that the scenario does not give are drawn here."""
    if seat == 0 and not p.campaign and p.wrath == 0 and p.draw[p.wrath_deck, 0] < 0:
        draw_wrath(s, p, p.mercy_start)


@kernel
def gather(s: Any, p: Any) -> None:
    """All wrath cards are shuffled into the draw pile that they came from."""
    shuffle_in(s, p.wrath_deck, 0, s.wrath)
    s.wrath = 0


@module.hook
def exhausted(s: Any, p: Any, deck: int) -> int:
    """R207: the wrath cards are shuffled in with the discards, and some are drawn anew before the draw goes on."""
    if deck == p.wrath_deck and s.wrath and s.disc[deck, 0] | s.disc[deck, 1]:
        n = popcount(s.wrath)
        s.disc[deck, 0] |= s.wrath
        s.wrath = 0
        draw_wrath(s, p, (n + 1) // 2 if p.mercy_reshuffle_draw == ReshuffleDraw.HALF else n - 1)
    return PASS_ON


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """R201: a loser with a played card (R208: anybody with a hand after the draw), and three cards to draw."""
    if (not p.pc[seat] and p.mercy_who == Who.PC) or s.mercy_asked[seat] >= p.mercy_per_conflict or supply(s, seat) < 3:
        return
    if p.mercy_timing == Timing.AFTER_DRAW:
        if window == Phase.AFTER_DRAW and s.hand[seat]:
            allow(words, Action.MERCY)
    elif window == Phase.AFTER_TEST and s.ep[seat] < 0 and recorded_cards(s, seat, 0):
        allow(words, Action.MERCY)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """R201: three cards are turned over, one after the other."""
    s.mercy_asked[seat] += 1
    s.mercy_cards = 0
    s.mercy_count = 0
    s.mercy_at = 0
    s.mercy_placed = 0
    s.mercy_hits = 0
    s.focus = -1
    later(s, ME, CARD, seat)
    draw(s, seat, 1, DrawFor.TURN, Zone.LOOKED)


@module.hook
def task(s: Any, p: Any, what: int, seat: int) -> None:
    """A mercy card came, or the next one is to be assigned."""
    if what == CARD:
        came = s.focus >= 0
        if came:
            s.mercy_cards |= (s.focus + 1) << 6 * s.mercy_count
            s.mercy_count += 1
            s.focus = -1
        if came and s.mercy_count < 3:
            later(s, ME, CARD, seat)
            draw(s, seat, 1, DRAW_MORE, Zone.LOOKED)
            return
    if s.mercy_at < s.mercy_count:
        s.focus = card_at(s, s.mercy_at)
        ask(s, ME, Phase.MERCY_ASSIGN, seat)
    else:
        s.focus = -1
        judge(s, p, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """R201: which card does this mercy card replace, if any?"""
    allow_cards(words, replaceable(s, p, seat))
    allow(words, Action.NO)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """R201, R208: replaced, or the mercy card is discarded unused."""
    card = s.focus
    s.mercy_at += 1
    emit(s, Event.MODULE, seat, card, action != Action.NO, EVERYBODY)
    later(s, ME, ASSIGN, seat)
    take_out(s, seat, card)
    if action == Action.NO:
        discard(s, p, seat, card, Reason.UNUSED)
        return
    s.mercy_placed |= 1 << card
    if p.mercy_timing == Timing.AFTER_DRAW:
        put(s, seat, card, Zone.HAND)
        s.shown[seat] |= 1 << card
        take_out(s, seat, action)
        discard(s, p, seat, action, Reason.EXCHANGED)
    else:
        replace(s, p, seat, action, card)


@kernel
def judge(s: Any, p: Any, seat: int) -> None:
    """R202..R206: compare with the wrath cards."""
    cards = 0
    for i in range(s.mercy_count):
        cards |= 1 << card_at(s, i)
    hits = popcount(cards & s.wrath)
    s.mercy_hits = hits
    note(s, Event.WRATH, seat, hits, 0)
    if hits == 0:
        draw_wrath(s, p, 1)
        return
    duel = not p.melee[s.conflict]
    for o in range(p.seats):
        if o == seat or (hits > 1 and p.pc[o] == p.pc[seat]):
            set_result(s, o, -3)
        elif duel:
            set_result(s, o, 3)
    if hits == 1 and p.mercy_small_redraw == SmallRedraw.KEEP_PLUS_ONE:
        draw_wrath(s, p, 1)
    else:
        gather(s, p)
        draw_wrath(s, p, 1 if hits == 1 and p.mercy_small_redraw == SmallRedraw.ONE_ONLY else p.mercy_start)
    close_window(s)
    if p.mercy_timing == Timing.AFTER_DRAW:
        end_test(s)
