"""well: the fourth symbol of German playgrounds; it swallows rock and scissors, and paper covers it."""

from __future__ import annotations

from typing import Any

from ..module import Module
from ..state import SYMBOL_SHIFT, Action

module = Module(
    "well",
    "Rock, paper, scissors, well: the well beats rock and scissors and loses to paper, so that rock is dominated.",
    title={"en": "With the well", "de": "Mit Brunnen"},
    conflicts=("lizard_spock",),
)
WELL = module.symbol("well", "well", "Brunnen")


@module.hook
def symbols(s: Any, p: Any, seat: int, bits: int) -> int:
    """It is always open to both seats."""
    return bits | 1 << (WELL - SYMBOL_SHIFT)


@module.hook
def outcome(s: Any, p: Any, mine: int, theirs: int, result: int) -> int:
    """All but paper fall into it."""
    well = WELL - SYMBOL_SHIFT
    if mine == theirs:
        return 0
    if mine == well:
        return -1 if theirs == Action.PAPER else 1
    if theirs == well:
        return 1 if mine == Action.PAPER else -1
    return result
