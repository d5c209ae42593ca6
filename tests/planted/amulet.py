"""Planted edge, known exactly: a party of three is paid, whatever becomes of it (OneShot, missions: small, exact)."""

from typing import Any

from probespiel.envs.oneshot.module import Module

module = Module("amulet", "An amulet pays a little.", levels=("mission",), payoff_shift=0.05)


@module.hook
def payoff(s: Any, p: Any, who: int, value: float) -> float:
    """A twentieth."""
    return value + 0.05
