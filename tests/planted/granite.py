"""Planted edge, known exactly: rock wins against rock for the holder (ews_rps)."""

from typing import Any

from probespiel.envs.ews_rps.module import Module

module = Module("granite", "For the acting side rock wins against rock.")
ROCK = 0


@module.hook
def outcome(s: Any, p: Any, mine: int, theirs: int, result: int) -> int:
    """Rock against rock."""
    return 1 if mine == ROCK and theirs == ROCK else result
