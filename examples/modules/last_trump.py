"""Sample rule module: the last card of a hand counts as trump."""

from typing import Any

from probespiel.envs.einblatt.module import Module

module = Module("last_trump", "The last card of a hand counts as trump.")


@module.hook
def card_class(s: Any, p: Any, seat: int, play: int, value: int) -> int:
    """A plain card is worth 8 classes more when no other card is left in the hand."""
    if play < 32 and value < 8 and p.colours_count and s.hand[seat] & ~(1 << play) == 0:
        return value + 8
    return value
