"""Planted edge, known exactly: two tenths more at the end, whatever happened (konfrontation: small)."""

from typing import Any

from probespiel.envs.konfrontation.module import Module

module = Module("stipend", "Two tenths more at the end.", payoff_shift=0.2)


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Always."""
    return value + 0.2
