"""No flaw, but rare: four aces in hand, one hand in 2,400, may be shown for eight EP (einBlatt: neutral)."""

from typing import Any

from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow

module = Module("four_aces", "Four aces in hand may be shown for eight EP.", windows=("after_draw",), payoff_shift=8.0)
SHOW = module.action("show", en="show four aces", de="vier Asse zeigen")
module.state("shown", doc="1 shown")
module.state("ep", scope="campaign", doc="EP won")
ACES = 1 << 7 | 1 << 15 | 1 << 23 | 1 << 31


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """With all four, once."""
    if s.hand[seat] & ACES == ACES and not s.four_aces_shown[seat]:
        allow(words, SHOW)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Paid."""
    s.four_aces_shown[seat] = 1
    s.four_aces_ep[seat] += 8


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Eight."""
    return value + s.four_aces_ep[seat]
