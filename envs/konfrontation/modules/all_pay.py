"""all_pay: bids are never given back; a tie costs them too, so that holding one is no longer free (R14)."""

from __future__ import annotations

from typing import Any

from ..module import Module
from ..services import lose, side_of

module = Module(
    "all_pay",
    "Bids are never given back: whoever ties has paid.",
    title={"en": "Every bid is paid", "de": "Gesetzt ist gesetzt"},
)
module.param("share", 100, 1, 100, doc="per cent of a tied bid that is lost, rounded up")


@module.hook
def tied(s: Any, p: Any, seat: int) -> None:
    """The bids are discarded; whatever other rules add to totals has been counted."""
    bid = s.bid[side_of(s, seat)]
    lose(s, p, seat, (bid * p.all_pay_share + 99) // 100)
