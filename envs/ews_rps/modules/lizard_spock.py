"""lizard_spock: two more symbols, so that draws become rarer; each symbol beats two others and loses to two."""

from __future__ import annotations

from typing import Any

from ..module import Module
from ..state import SYMBOL_SHIFT

module = Module(
    "lizard_spock",
    "Rock, paper, scissors, lizard, Spock: five symbols, of which each beats two and loses to two.",
    title={"en": "Rock, paper, scissors, lizard, Spock", "de": "Stein, Papier, Schere, Echse, Spock"},
)
SPOCK = module.symbol("spock", "Spock")
LIZARD = module.symbol("lizard", "lizard", "Echse")


@module.hook
def symbols(s: Any, p: Any, seat: int, bits: int) -> int:
    """Both are always open to both seats."""
    return bits | 1 << (SPOCK - SYMBOL_SHIFT) | 1 << (LIZARD - SYMBOL_SHIFT)


@module.hook
def outcome(s: Any, p: Any, mine: int, theirs: int, result: int) -> int:
    """In the circle rock, paper, scissors, Spock, lizard a symbol beats those one and three places before it."""
    ahead = (mine - theirs + 5) % 5
    return 0 if ahead == 0 else (1 if ahead % 2 == 1 else -1)
