"""open_look (R110..R114): whoever lays a card open may exchange hand cards."""

from __future__ import annotations

from typing import Any

from ...core.abi import lowest_bit
from ..module import ME, Module
from ..services import allow, allow_cards, ask, discard, draw, free_slots, lay_open, left, plays_of, take_out
from ..state import Action, DrawFor, Phase, Purpose, Reason, Zone

module = Module(
    "open_look",
    "Before a round a seat may lay a card open into its next free slot and then exchange hand cards.",
    windows=("before_commit",),
    base_actions=(Action.OPEN_PLAY,),
)
module.state("exchanged", doc="cards thrown off in the exchange that is going on")
module.state("limit", doc="cards of the draw pile when it began")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """R110, R111: a draw pile, a free slot and a playable hand card are needed."""
    if left(s, seat) > 0 and free_slots(s, p, seat) and plays_of(s, p, seat, Purpose.LOOK) & s.hand[seat]:
        allow(words, Action.OPEN_PLAY)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """R110: which card?"""
    ask(s, ME, Phase.OPEN_CARD, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """R110: a playable hand card; then hand cards, at most as many as the draw pile holds."""
    if phase == Phase.OPEN_CARD:
        allow_cards(words, plays_of(s, p, seat, Purpose.LOOK) & s.hand[seat])
        return
    if s.open_look_exchanged[seat] < s.open_look_limit[seat]:
        allow_cards(words, s.hand[seat])
    allow(words, Action.DONE)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """R110..R114: lay the card open, throw cards off, then draw as many."""
    if phase == Phase.OPEN_CARD:
        lay_open(s, p, seat, action, lowest_bit(free_slots(s, p, seat)))
        s.open_look_exchanged[seat] = 0
        s.open_look_limit[seat] = left(s, seat)
        ask(s, ME, Phase.EXCHANGE, seat)
    elif action == Action.DONE:
        draw(s, seat, s.open_look_exchanged[seat], DrawFor.EXCHANGE, Zone.HAND)
    else:
        s.open_look_exchanged[seat] += 1
        ask(s, ME, Phase.EXCHANGE, seat)
        take_out(s, seat, action)
        discard(s, p, seat, action, Reason.EXCHANGED)
