"""Planted edge: the holder's figures hit much harder (OneShot: strong or overpowered)."""

from typing import Any

from probespiel.envs.oneshot.module import Module

module = Module("iron_arm", "Its figures do three more damage.")


@module.hook
def damage_bonus(s: Any, p: Any, who: int, target: int, weapon: int, value: int) -> int:
    """Three more."""
    return value + 3
