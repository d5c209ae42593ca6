"""Planted flaw: very late wounds at the head lead out of a list (Scorekeeper: broken, in a game of ten thousand)."""

from typing import Any

from probespiel.envs.scorekeeper.module import Module

module = Module("late_bell", "The bell tower counts heads that were struck, by rounds.")
module.state("rung", doc="how often it has rung in a round")


@module.hook
def wounded(s: Any, p: Any, seat: int, zone: int, wound: int) -> None:
    """Rounds are counted up to two, from the twentieth on."""
    if zone == 7 and wound >= 3 and s.round_no >= 21 and s.parries[seat] > 0:
        s.late_bell_rung[s.round_no - 19] += 1
