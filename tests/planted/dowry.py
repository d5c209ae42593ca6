"""Planted edge, known exactly: the holder is paid a little whatever happens (ews_rps)."""

from typing import Any

from probespiel.envs.ews_rps.module import Module

module = Module("dowry", "Its holder is paid a tenth of a success more at the end.", payoff_shift=0.1)


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """A tenth."""
    return value + 0.1
