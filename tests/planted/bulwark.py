"""Planted flaw: nobody can be hurt any more, so that fights do not end (OneShot: stalls the game)."""

from typing import Any

from probespiel.envs.oneshot.module import Module

module = Module("bulwark", "Its figures cannot be hurt.")


@module.hook
def defence(s: Any, p: Any, target: int, value: int) -> int:
    """More than anything that can be rolled."""
    return value + 500
