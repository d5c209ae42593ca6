"""Planted edge: every blow of the holder is far easier to land (Scorekeeper: strong or overpowered)."""

from typing import Any

from probespiel.envs.scorekeeper.module import Module

module = Module("keen_edge", "Attacks of its holder have six more.")


@module.hook
def attack_value(s: Any, p: Any, seat: int, target: int, mode: int, zone: int, value: int) -> int:
    """Six more."""
    return value + 6
