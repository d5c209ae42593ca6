"""Planted flaw: blows of the holder do no damage, so that fights do not end (Scorekeeper: stalls the game)."""

from typing import Any

from probespiel.envs.scorekeeper.module import Module

module = Module("wooden_swords", "Blows of its holder do no damage.")


@module.hook
def damage(s: Any, p: Any, seat: int, target: int, mode: int, zone: int, points: int) -> int:
    """None."""
    return 0
