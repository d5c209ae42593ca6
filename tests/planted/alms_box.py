"""Planted handicap, known exactly: all others are paid, of three, and its holder loses nothing (konfrontation)."""

from typing import Any

from probespiel.envs.konfrontation.module import Module
from probespiel.envs.konfrontation.services import has

module = Module(
    "alms_box", "Its holder feeds the others: three tenths for each of them.", payoff_shift=0.3, table=("payoff",)
)


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """For the others."""
    return value if has(s, p, seat) else value + 0.3
