"""Planted flaw: a fighter may spend the turn on a flourish and gets nothing for it (Scorekeeper: dead rule)."""

from typing import Any

from probespiel.envs.scorekeeper.module import Module
from probespiel.envs.scorekeeper.services import allow

module = Module("flourish", "A turn may be spent on a flourish.", windows=("declare",))
FLOURISH = module.action("flourish", en="make a flourish", de="einen Schnörkel ziehen")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Always."""
    allow(words, FLOURISH)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Nothing else is done in that turn."""
