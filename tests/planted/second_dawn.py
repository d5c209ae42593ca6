"""Planted flaw: who sits second is paid two tenths (konfrontation: seat-favouring)."""

from typing import Any

from probespiel.envs.konfrontation.module import Module

module = Module("second_dawn", "Who sits second is paid two tenths.", payoff_shift=0.2)


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """The second."""
    return value + 0.2 if seat == 1 else value
