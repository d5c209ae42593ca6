"""Planted edge, known exactly: the holder's jack beats everything (Kuhn poker)."""

from typing import Any

from probespiel.envs.kuhn.module import Module

module = Module("jacks", "The holder's jack beats everything at a showdown.")


@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """A jack counts as three."""
    return 3 if card == 0 else value
