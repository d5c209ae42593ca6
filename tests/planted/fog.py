"""No flaw: all attacks are harder, so that fights last longer (OneShot: shared, longer games)."""

from typing import Any

from probespiel.envs.oneshot.module import Module

module = Module("fog", "In the fog all attacks have two less.", table=True)


@module.hook
def attack_bonus(s: Any, p: Any, who: int, target: int, weapon: int, value: int) -> int:
    """Two less."""
    return value - 2
