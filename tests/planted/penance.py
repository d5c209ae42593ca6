"""Planted flaw: before a round a seat may do penance, which costs it half an EP (einBlatt: dead rule)."""

from typing import Any

from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow

module = Module("penance", "Penance costs half an EP.", windows=("before_commit",), payoff_shift=8.0)
DO = module.action("do", en="do penance", de="Buße tun")
module.state("done", scope="test", doc="in this test")
module.state("sum", scope="campaign", doc="times")
module.piece("sum", 1, 0, 16, "times that the seat has done penance")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Once a test."""
    if not s.penance_done[seat] and s.penance_sum[seat] < 16:
        allow(words, DO)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Noted."""
    s.penance_done[seat] = 1
    s.penance_sum[seat] += 1


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Half an EP each."""
    return value - 0.5 * s.penance_sum[seat]


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Own."""
    out[0] = s.penance_sum[seat]
