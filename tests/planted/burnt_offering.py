"""Planted flaw: a seat may throw its best card away and gets nothing for it (dead rule)."""

from typing import Any

from probespiel.envs.core.abi import lowest_bit
from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow, class_of, discard_openly, take_out
from probespiel.envs.einblatt.state import Reason

module = Module("burnt_offering", "Before a round the best hand card may be burnt.", windows=("before_commit",))
BURN = module.action("burn", en="burn the best card", de="die beste Karte verbrennen")
module.state("used", doc="cards burnt in this conflict")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Once per conflict, with a card in hand."""
    if s.hand[seat] and not s.burnt_offering_used[seat]:
        allow(words, BURN)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """The card of the highest class is discarded openly."""
    s.burnt_offering_used[seat] = 1
    best, found, cards = -1, -1, s.hand[seat]
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        value = class_of(s, p, seat, card)
        if value > best:
            best, found = value, card
    take_out(s, seat, found)
    discard_openly(s, p, seat, found, Reason.EXCHANGED)
