"""Sample rule module: a hoard counts for the victory (by what factions are compared at the end)."""

from typing import Any

from probespiel.envs.konfrontation.module import Module

module = Module("treasury", "Every so much power counts as a control point at the end.", levels=("campaign",))
module.param("each", 4, 1, 20, doc="power that counts as a control point")


@module.hook
def standing(s: Any, p: Any, seat: int, place: int, value: float) -> float:
    """In what is compared first; ties are settled as before."""
    return value + s.power[seat] // p.treasury_each if place == 0 else value
