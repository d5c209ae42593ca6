"""Planted flaw: the number of an answer leads out of a list (ews_rps: broken, out of range)."""

from typing import Any

from probespiel.envs.ews_rps.module import Module

module = Module("short_straw", "A round that is lost is looked up in a list that is too short.")


@module.hook
def outcome(s: Any, p: Any, mine: int, theirs: int, result: int) -> int:
    """The list has two entries, a result may be the third."""
    return s.sealed[2] if result == -1 and mine == 2 else result
