"""swap_card (R100..R102): after a narrow loss one losing card is exchanged for the top card of the draw pile."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from ..module import ME, Module
from ..services import allow, allow_cards, ask, draw, note, recorded_cards, replace, restrict, supply, take_out
from ..services import task as later
from ..state import Action, DrawFor, Event, Phase, Zone

Who = IntEnum("Who", "PC ALL", start=0)

module = Module(
    "swap_card",
    "After a narrow loss a pc may exchange a losing card for the top card of its draw pile; it costs a restriction.",
    windows=("after_test",),
    base_actions=(Action.SWAP,),
)
module.param("who", "pc", choices=Who, doc="who may swap")
module.param("cost", 2, 0, 10, doc="restriction points that a swap costs")
module.counter("used", 1, "has swapped a card", "hat eine Karte getauscht", doc="swaps in this conflict")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """R100, R102: at exactly -1, once per conflict, with a losing card and something to turn over."""
    allowed = p.pc[seat] or p.swap_card_who == Who.ALL
    if allowed and s.ep[seat] == -1 and not s.swap_card_used[seat] and supply(s, seat) > 0:
        if recorded_cards(s, seat, 1):
            allow(words, Action.SWAP)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """R100, R101: the top card is turned over; the cost is due whatever comes of it."""
    s.swap_card_used[seat] = 1
    restrict(s, seat, p.swap_card_cost)
    if p.swap_card_cost > 0 and (p.pc[seat] or p.npc_restrictions):
        note(s, Event.DUE, seat, p.swap_card_cost, s.tested[seat])
    later(s, ME, 0, seat)
    draw(s, seat, 1, DrawFor.TURN, Zone.LOOKED)


@module.hook
def task(s: Any, p: Any, what: int, seat: int) -> None:
    """The card lies open: which losing card does it replace?"""
    ask(s, ME, Phase.REPLACE, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """R100: one of the losing cards."""
    allow_cards(words, recorded_cards(s, seat, 1))


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """The exchange is mandatory once the card has been seen."""
    card = s.focus
    s.focus = -1
    take_out(s, seat, card)
    replace(s, p, seat, action, card)
