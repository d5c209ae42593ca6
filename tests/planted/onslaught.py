"""Planted edge, known exactly: who attacks is one stronger, and a clash has one who does (konfrontation)."""

from typing import Any

from probespiel.envs.konfrontation.module import Module

module = Module("onslaught", "Its holder is one stronger when it attacks.")


@module.hook
def total(s: Any, p: Any, seat: int, value: int) -> int:
    """The attacker's alone."""
    return value + 1 if seat == s.attacker else value
