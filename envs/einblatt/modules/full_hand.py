"""full_hand (R170..R173): a draw pile too short for the hand is not refilled, but one free slot counts as a king."""

from __future__ import annotations

from typing import Any

from ..hooks import PASS_ON
from ..module import Module
from ..services import left, trump_suits
from ..state import Action, DrawFor, Purpose, Reshuffle

module = Module(
    "full_hand",
    "Whoever has fewer cards left than it may draw draws only those; one free slot then counts as the trump king.",
)
module.state("used", scope="test", doc="the free slot of this test has been used")


@module.hook
def draw(s: Any, p: Any, seat: int, purpose: int, n: int) -> int:
    """R170, R173: a short draw for a hand; both piles count. Void where every test is drawn from a full deck."""
    if purpose != DrawFor.HAND or p.reshuffle == Reshuffle.EACH_TEST:
        return n
    have = left(s, seat)
    if have >= n:
        return n
    if not s.full_hand_used[seat]:
        s.king[seat] = 1
    return have


@module.hook
def playable(s: Any, p: Any, seat: int, purpose: int, plays: int) -> int:
    """R171: the free slot, once in the test."""
    if purpose in (Purpose.COMMIT, Purpose.OPEN) and s.king[seat] and not s.full_hand_used[seat]:
        return plays | 1 << Action.KING_SLOT
    return plays


@module.hook
def take(s: Any, p: Any, seat: int, play: int, zone: int) -> None:
    """R171: used up. A slot left face down must not show before the reveal."""
    if play == Action.KING_SLOT:
        s.full_hand_used[seat] = 1
        if not p.slots:
            s.king[seat] = 0


@module.hook
def untake(s: Any, p: Any, seat: int, play: int) -> int:
    """Search: the free slot was not used yet."""
    if play == Action.KING_SLOT:
        s.full_hand_used[seat] = 0
    return PASS_ON


@module.hook
def card_class(s: Any, p: Any, seat: int, play: int, value: int) -> int:
    """R171: the king of a trump suit, or a plain king without trump."""
    if play == Action.KING_SLOT:
        return 14 if p.colours_count and trump_suits(s, seat) else 6
    return value
