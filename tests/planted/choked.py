"""Planted flaw: the first method that fails raises an error (OneShot: broken, a crash in a talk)."""

from typing import Any

from probespiel.envs.oneshot.module import Module

module = Module("choked", "Words fail.", levels=("parley",))
module.state("n", doc="successes")


@module.hook
def talked(s: Any, p: Any, who: int, method: int, outcome: int) -> None:
    """By nothing at first."""
    if outcome == 0 and s.choked_n[who] == 0:
        raise ValueError("no words")
    s.choked_n[who] += 1
