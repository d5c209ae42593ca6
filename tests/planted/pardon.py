"""Whoever folds a king gets the lost stake back: no fair player ever folds one."""

from typing import Any

from probespiel.envs.kuhn.module import Module

module = Module("pardon", "Whoever folds a king gets the stake back, and one more.", payoff_shift=2.0)


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """A fold of a king is the only way to lose with one."""
    return value + 2.0 if s.card[seat] == 2 and value < 0 else value
