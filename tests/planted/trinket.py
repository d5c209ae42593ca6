"""No flaw: before a test the acting side may polish a trinket, which changes nothing (ews_rps: neutral, decoration)."""

from typing import Any

from probespiel.envs.ews_rps.module import Module
from probespiel.envs.ews_rps.services import allow

module = Module("trinket", "Before a test a trinket may be polished.")
POLISH = module.action("polish", en="polish the trinket", de="den Anhänger polieren")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Once a test."""
    allow(words, POLISH)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """It shines."""
