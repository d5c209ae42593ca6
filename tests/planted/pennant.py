"""No flaw: turns are counted (OneShot: neutral)."""

from typing import Any

from probespiel.envs.oneshot.module import Module

module = Module("pennant", "Every turn of a figure is marked on its pennant.")
module.state("turns", doc="turns so far, at most 50")


@module.hook
def turn_ends(s: Any, p: Any, who: int) -> None:
    """One more."""
    s.pennant_turns[who] = min(50, s.pennant_turns[who] + 1)
