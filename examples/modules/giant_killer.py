"""Sample rule module: the least card beats the greatest (how a comparison comes out)."""

from typing import Any

from probespiel.envs.einblatt.module import Module

SEVEN, ACE = 0, 7  # ranks; a card is 8 * suit + rank

module = Module("giant_killer", "A seven beats an ace, whatever the trumps.")
module.param("trumps", True, doc="aces of trump are beaten too")


@module.hook
def comparison(s: Any, p: Any, seat: int, other: int, play: int, others: int, won: int) -> int:
    """Asked for the seat that has the rule: its own seven wins; a trump has a class of 8 or more."""
    if not (0 <= play < 32 and 0 <= others < 32) or play & 7 != SEVEN or others & 7 != ACE:
        return won
    trump = False
    for i in range(s.n_entries):
        mine = s.e_a[i] == seat and s.e_play_a[i] == play and s.e_class_b[i] >= 8
        trump = trump or mine or (s.e_b[i] == seat and s.e_play_b[i] == play and s.e_class_a[i] >= 8)
    return won if trump and not p.giant_killer_trumps else 1
