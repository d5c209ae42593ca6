"""after_card (R130..R133): a drawn duel goes on with one further card each, played openly."""

from __future__ import annotations

from typing import Any

from ...core.abi import lowest_bit
from ...core.jit import kernel
from ..module import ME, Module
from ..services import allow, allow_cards, ask, class_of, compare, play_openly, plays_of
from ..state import ALL_CARDS, NO_CARD, Action, Phase, Purpose

module = Module(
    "after_card",
    "After a draw each side may challenge once with a further card, which the other must match or lose narrowly.",
    levels=("duel", "campaign"),
    windows=("after_test",),
    base_actions=(Action.AFTER_CARD,),
)
module.counter("used", 1, "has challenged", "hat nachgekartet", doc="challenges in this conflict")
module.state("card", per_seat=False, doc="card of the challenge that waits for its answer")
module.state("strength", per_seat=False, doc="its class")


@kernel
def cards_for(s: Any, p: Any, seat: int, purpose: int) -> int:
    """Cards that a seat may play now (bit set)."""
    return plays_of(s, p, seat, purpose) & ALL_CARDS


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """R130: at a draw, once per conflict, with a card to play."""
    if not p.melee[s.conflict] and s.ep[seat] == 0 and not s.after_card_used[seat]:
        if cards_for(s, p, seat, Purpose.CHALLENGE):
            allow(words, Action.AFTER_CARD)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """R130: the challenge."""
    s.after_card_used[seat] = 1
    ask(s, ME, Phase.AFTER_CARD, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """R130, R131: a further card; the answer needs at least the class of the challenge."""
    if phase == Phase.AFTER_CARD:
        allow_cards(words, cards_for(s, p, seat, Purpose.CHALLENGE))
        return
    cards = cards_for(s, p, seat, Purpose.ANSWER)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if class_of(s, p, seat, card) >= s.after_card_strength:
            allow(words, card)
    allow(words, Action.NO)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """R131..R133: matched, the draw stands; otherwise the challenge enters the record against no card."""
    if phase == Phase.AFTER_CARD:
        play_openly(s, p, seat, action)
        s.after_card_card = action
        s.after_card_strength = class_of(s, p, seat, action)
        s.focus = action
        ask(s, ME, Phase.ANSWER, 1 - seat)
        return
    s.focus = -1
    if action == Action.NO:
        compare(s, p, 1 - seat, s.after_card_card, s.after_card_strength, seat, NO_CARD, -1)
    else:
        play_openly(s, p, seat, action)
