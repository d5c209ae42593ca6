"""Planted handicap, known exactly: rock and paper alone, and paper is then always right (ews_rps: strong)."""

from typing import Any

from probespiel.envs.ews_rps.module import Module

module = Module("palm", "Its holder never shows scissors.")


@module.hook
def symbols(s: Any, p: Any, seat: int, bits: int) -> int:
    """Rock and paper only."""
    return bits & 3
