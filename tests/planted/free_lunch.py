"""Planted flaw: after the draw a seat may draw one card more, at no cost; nobody should ever decline (always-use)."""

from typing import Any

from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow, draw, supply
from probespiel.envs.einblatt.state import DrawFor, Zone

module = Module("free_lunch", "Once per conflict a seat may draw one card more.", windows=("after_draw",))
EAT = module.action("eat", en="draw one card more", de="eine Karte mehr ziehen")
module.state("used", doc="cards drawn in this conflict")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Once per conflict, while there is a card to draw."""
    if not s.free_lunch_used[seat] and supply(s, seat):
        allow(words, EAT)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """A card for nothing."""
    s.free_lunch_used[seat] = 1
    draw(s, seat, 1, DrawFor.EXTRA, Zone.HAND)
