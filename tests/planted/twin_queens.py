"""Planted edge, known exactly: the holder's queen is as good as a king (Kuhn poker)."""

from typing import Any

from probespiel.envs.kuhn.module import Module

module = Module("twin_queens", "The holder's queen is as good as a king at a showdown.")


@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """A queen counts as two."""
    return 2 if card == 1 else value
