"""sleeve (R160..R163): a card is hidden in the sleeve and replaces a revealed one in a later conflict."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from ...core.abi import lowest_bit, popcount
from ..module import ME, Module
from ..services import EVERYBODY, allow, allow_cards, ask, emit, move, open_cards_of, replace
from ..state import Action, Event, Phase, Zone

Stash = IntEnum("Stash", "AFTER_DRAW CONFLICT_END", start=0)

module = Module(
    "sleeve",
    "A seat with more than three cards may hide one in its sleeve; in a later conflict it replaces a revealed card.",
    windows=("after_draw", "after_reveal"),
    base_actions=(Action.SLEEVE_STASH, Action.SLEEVE_USE),
    rank={"conflict_end": 2},
)
module.param("scope", "any_round", choices=("any_round", "current_round"), doc="which revealed cards can be replaced")
module.param("stash", "after_draw", choices=Stash, doc="when a card goes into the sleeve")
module.state("fresh", doc="the card went into the sleeve in this conflict")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """R160: more than three cards and an empty sleeve; R161: a sleeve card of an earlier conflict."""
    if window == Phase.AFTER_DRAW:
        if p.sleeve_stash == 0 and popcount(s.hand[seat]) > 3 and s.sleeve[seat] == 0:
            allow(words, Action.SLEEVE_STASH)
    elif window == Phase.AFTER_REVEAL and s.sleeve[seat] and not s.sleeve_fresh[seat]:
        if open_cards_of(s, p, seat, p.sleeve_scope):
            allow(words, Action.SLEEVE_USE)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Which hand card, or which revealed card?"""
    ask(s, ME, Phase.STASH if action == Action.SLEEVE_STASH else Phase.REPLACE, seat)


@module.hook
def conflict_end(s: Any, p: Any, seat: int) -> None:
    """R160 with `stash` at the end: from the unused cards, if more than three had been drawn."""
    if p.sleeve_stash == Stash.CONFLICT_END and s.drawn[seat] > 3 and s.sleeve[seat] == 0 and s.hand[seat]:
        ask(s, ME, Phase.STASH, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """R160, R161: hand cards; revealed cards in `scope` (in layout slots all of them)."""
    if phase == Phase.REPLACE:
        allow_cards(words, open_cards_of(s, p, seat, p.sleeve_scope))
        return
    allow_cards(words, s.hand[seat])
    if p.sleeve_stash == Stash.CONFLICT_END:
        allow(words, Action.NO)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """R161, R162: the card is hidden, or takes its place openly."""
    if phase == Phase.REPLACE:
        card = lowest_bit(s.sleeve[seat])
        s.sleeve[seat] = 0
        replace(s, p, seat, action, card)
        return
    emit(s, Event.MODULE, seat, action != Action.NO, ME, EVERYBODY)
    if action != Action.NO:
        s.sleeve_fresh[seat] = 1
        move(s, seat, action, Zone.SLEEVE)
