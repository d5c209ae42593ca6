"""Planted flaw: the first seat draws one card more for every test (seat-favouring)."""

from typing import Any

from probespiel.envs.einblatt.module import Module

module = Module("early_bird", "Who sits first draws one card more.")


@module.hook
def hand_size(s: Any, p: Any, seat: int, n: int) -> int:
    """One more for seat 0."""
    return n + 1 if seat == 0 else n
