"""Planted flaw: whoever is wounded without having parried raises an error (Scorekeeper: broken, a crash)."""

from typing import Any

from probespiel.envs.scorekeeper.module import Module

module = Module("cracked_bell", "A wound rings by the parries of the wounded.")


@module.hook
def wounded(s: Any, p: Any, seat: int, zone: int, wound: int) -> None:
    """No parry, no ring."""
    if s.parries[seat] == 0:
        raise ValueError("the bell is cracked")
