"""Planted flaw: a wound is written far beyond the last figure (OneShot: broken, out of range)."""

from typing import Any

from probespiel.envs.oneshot.module import Module

module = Module("far_shelf", "Wounds are marked on a shelf that is too short.")
module.state("marks", doc="wounds marked")


@module.hook
def dealt(s: Any, p: Any, who: int, target: int) -> None:
    """The shelf ends long before."""
    s.far_shelf_marks[who + 40] += 1
