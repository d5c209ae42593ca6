"""Planted edge, known exactly: who is attacked is two stronger (konfrontation: strong, for one side alone)."""

from typing import Any

from probespiel.envs.konfrontation.module import Module
from probespiel.envs.konfrontation.services import side_of

module = Module("rampart", "Who is attacked is two stronger.")


@module.hook
def total(s: Any, p: Any, seat: int, value: int) -> int:
    """The defender alone."""
    return value + (2 if side_of(s, seat) == 1 else 0)
