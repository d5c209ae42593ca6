"""Sample rule module: before a round a seven may be discarded for a new card."""

from typing import Any

from probespiel.envs.core.abi import lowest_bit
from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow, discard_openly, draw, supply, take_out
from probespiel.envs.einblatt.state import DrawFor, Reason, Zone

SEVENS = 0x01010101  # the sevens of the four suits, as a card set

module = Module("seven_swap", "Before a round a seven may be discarded for a new card.", windows=("before_commit",))
SWAP = module.action("swap_seven", en="discard a seven for a new card", de="eine Sieben gegen eine neue Karte abwerfen")
module.param("limit", 2, 1, 4, doc="swaps per seat and conflict")
module.state("used", doc="swaps made in this conflict")
module.piece("left", 1, 0, 1, "share of the swaps that are left")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Offered while the seat holds a seven and there is a card to draw."""
    if s.hand[seat] & SEVENS and s.seven_swap_used[seat] < p.seven_swap_limit and supply(s, seat):
        allow(words, SWAP)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """The seven goes openly, a card is drawn for it."""
    s.seven_swap_used[seat] += 1
    card = lowest_bit(s.hand[seat] & SEVENS)
    draw(s, seat, 1, DrawFor.EXCHANGE, Zone.HAND)
    take_out(s, seat, card)
    discard_openly(s, p, seat, card, Reason.EXCHANGED)


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """How many swaps are left."""
    out[0] = 1.0 - s.seven_swap_used[seat] / p.seven_swap_limit
