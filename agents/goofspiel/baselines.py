"""Baselines of Goofspiel: plans that look at the point card, and one that does not."""

from __future__ import annotations

from typing import Any

from ...envs.core.jit import kernel
from ..declaration import Baseline


@kernel
def nearest(hand: int, card: int, most: int) -> int:
    """The card of a hand that is nearest to one; of two the lower."""
    for away in range(most):
        if card - away >= 0 and hand >> (card - away) & 1:
            return card - away
        if card + away < most and hand >> (card + away) & 1:
            return card + away
    return 0


@kernel
def match_prize(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Bids the point card's own value, or the nearest card left."""
    return nearest(s.hand[seat], s.prize, p.cards)


@kernel
def one_above(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Bids one more than the point card, and its lowest card for the highest one: beats whoever bids the value."""
    hand, card = s.hand[seat], s.prize + 1
    while card < p.cards:
        if hand >> card & 1:
            return card
        card += 1
    return nearest(hand, 0, p.cards)


@kernel
def halves(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Its highest card for the upper half of the point cards, its lowest for the others."""
    return nearest(s.hand[seat], p.cards - 1 if 2 * s.prize >= p.cards else 0, p.cards)


@kernel
def highest_first(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Its highest card, whatever it is for."""
    return nearest(s.hand[seat], p.cards - 1, p.cards)


BASELINES = {
    "match_prize": Baseline(match_prize, "bids the point card's own value, or the nearest card left"),
    "one_above": Baseline(one_above, "bids one more than the point card, its lowest card if it has none"),
    "halves": Baseline(halves, "its highest card for the upper half of the point cards, its lowest for the others"),
    "highest_first": Baseline(highest_first, "its highest card, whatever it is for"),
}
