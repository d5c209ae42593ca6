"""Sample rule module: the loser of a round draws a card."""

from typing import Any

from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import draw, outcome_for, supply
from probespiel.envs.einblatt.state import DrawFor, Reason, Zone

module = Module("loser_draws", "The loser of a round draws a card.")


@module.hook
def round_end(s: Any, p: Any, seat: int) -> None:
    """One card for every comparison of this round that the seat has lost."""
    lost = 0
    for i in range(s.n_entries):
        mine = s.e_a[i] == seat or s.e_b[i] == seat
        if mine and s.e_round[i] == s.round_no and outcome_for(s, i, seat) == Reason.LOST:
            lost += 1
    if lost and supply(s, seat):
        draw(s, seat, lost, DrawFor.EXTRA, Zone.HAND)
