"""No flaw: a ribbon is counted (Scorekeeper: neutral)."""

from typing import Any

from probespiel.envs.scorekeeper.module import Module

module = Module("ribbon", "Whoever has parried ties a ribbon to the blade.")
module.counter("ribbons", 99, en="ribbons", de="Bänder")


@module.hook
def parried(s: Any, p: Any, seat: int, attacker: int) -> None:
    """One more."""
    s.ribbon_ribbons[seat] = min(99, s.ribbon_ribbons[seat] + 1)
