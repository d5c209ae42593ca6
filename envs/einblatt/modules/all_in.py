"""all_in (R180..R183): at -1 a card from the pile replaces a played one; without a better result everything is lost."""

from __future__ import annotations

from typing import Any

from ..module import ME, Module
from ..services import (
    allow,
    allow_cards,
    ask,
    close_window,
    draw,
    recorded_cards,
    replace,
    set_result,
    supply,
    take_out,
)
from ..services import task as later
from ..state import Action, DrawFor, Phase, Zone

module = Module(
    "all_in",
    "After a narrow loss a card from the draw pile replaces a played one; if the result is no better, all is lost.",
    levels=("duel", "campaign"),
    windows=("after_test",),
    base_actions=(Action.ALL_IN,),
)
module.param("reply_on_draw", True, doc="an opponent may reply when the result has become a draw")
module.counter("used", 1, "has gone all in", "hat alles gesetzt", doc="attempts in this conflict")
module.state("success", scope="test", doc="this seat has bettered its result")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """R180, R182, R183: at -1, or at a draw that the opponent owes to his own attempt."""
    if p.melee[s.conflict] or not p.all_in[s.conflict] or s.all_in_used[seat]:
        return
    reply = s.ep[seat] == 0 and s.all_in_success[1 - seat] and p.all_in_reply_on_draw
    if (s.ep[seat] == -1 or reply) and supply(s, seat) > 0 and recorded_cards(s, seat, 0):
        allow(words, Action.ALL_IN)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """R180: the top card of the draw pile is turned over."""
    s.all_in_used[seat] = 1
    later(s, ME, 0, seat)
    draw(s, seat, 1, DrawFor.TURN, Zone.LOOKED)


@module.hook
def task(s: Any, p: Any, what: int, seat: int) -> None:
    """The card lies open: which played card does it replace?"""
    ask(s, ME, Phase.REPLACE, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """R180: one of the cards played."""
    allow_cards(words, recorded_cards(s, seat, 0))


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """R181: better than before, or -3 against +3 for good."""
    before = s.ep[seat]
    card = s.focus
    s.focus = -1
    take_out(s, seat, card)
    replace(s, p, seat, action, card)
    if s.ep[seat] > before:
        s.all_in_success[seat] = 1
    else:
        set_result(s, seat, -3)
        set_result(s, 1 - seat, 3)
        close_window(s)
