"""Planted flaw: who kneels before the bids is weaker, and gets nothing for it (konfrontation: dead rule)."""

from typing import Any

from probespiel.envs.konfrontation.module import ME, Module
from probespiel.envs.konfrontation.services import allow_bits, ask

module = Module("kneel", "Before the bids its holder may kneel.")
ASKED = module.phase("kneel_asked", en="kneel or stand?", de="knien oder stehen?")
KNEEL = module.action("kneel", en="kneel (kneel)", de="knien (kneel)")
STAND = module.action("stand", en="stand (kneel)", de="stehen (kneel)", decline=True)
module.state("down", scope="confrontation", doc="1 kneels")


@module.hook
def defended(s: Any, p: Any, seat: int) -> None:
    """Asked."""
    ask(s, ME, ASKED, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of two."""
    allow_bits(words, KNEEL, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Noted."""
    s.kneel_down[seat] = action == KNEEL


@module.hook
def total(s: Any, p: Any, seat: int, value: int) -> int:
    """Three weaker."""
    return value - 3 * s.kneel_down[seat]
