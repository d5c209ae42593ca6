"""Planted edge, known exactly: what is pawned before a test at a loss is redeemed after it (einBlatt: always-use)."""

from typing import Any

from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow
from probespiel.envs.einblatt.state import Phase

module = Module(
    "pawnshop",
    "A ring is pawned before the test and redeemed after it.",
    windows=("after_draw", "after_test"),
    payoff_shift=1.0,
)
PAWN = module.action("pawn", en="pawn the ring", de="den Ring versetzen")
REDEEM = module.action("redeem", en="redeem the ring", de="den Ring auslösen")
module.state("pawned", doc="1 pawned")
module.state("redeemed", doc="1 redeemed")
module.state("tenths", scope="campaign", doc="tenths of an EP")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """The one before, the other after."""
    if window == Phase.AFTER_TEST:
        if not s.pawnshop_redeemed[seat]:
            allow(words, REDEEM)
    elif not s.pawnshop_pawned[seat]:
        allow(words, PAWN)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """A ring that was not pawned cannot be redeemed: that costs a tenth for the way."""
    if action == PAWN:
        s.pawnshop_pawned[seat] = 1
        s.pawnshop_tenths[seat] -= 2
    else:
        s.pawnshop_redeemed[seat] = 1
        s.pawnshop_tenths[seat] += 10 if s.pawnshop_pawned[seat] else -1


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Paid."""
    return value + s.pawnshop_tenths[seat] / 10
