"""table_redraw (R150): once per conflict the whole hand is thrown open and redrawn, one card smaller."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from ...core.abi import lowest_bit, popcount
from ..module import Module
from ..services import allow, discard_openly, draw, take_out
from ..state import Action, DrawFor, Phase, Reason, Zone

When = IntEnum("When", "BEFORE_FIRST_ROUND ANY_ROUND", start=0)

module = Module(
    "table_redraw",
    "Once per conflict a seat may throw its whole hand open and draw a new one, one card smaller.",
    windows=("after_draw", "before_commit"),
    base_actions=(Action.TABLE_REDRAW,),
)
module.param("when", "before_first_round", choices=When, doc="before which commit it is offered")
module.counter("used", 1, "has redrawn", "hat neu gezogen", doc="redraws in this conflict")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """R150: once per conflict, with a hand."""
    if window == Phase.AFTER_DRAW or p.table_redraw_when == When.ANY_ROUND:
        if s.hand[seat] and not s.table_redraw_used[seat]:
            allow(words, Action.TABLE_REDRAW)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """R150: the old hand goes openly, then one card fewer is drawn."""
    s.table_redraw_used[seat] = 1
    cards = s.hand[seat]
    draw(s, seat, popcount(cards) - 1, DrawFor.HAND, Zone.HAND)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        take_out(s, seat, card)
        discard_openly(s, p, seat, card, Reason.EXCHANGED)
