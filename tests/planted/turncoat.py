"""Planted flaw: whoever has lost a conflict may swap the results, so that a loss becomes a win (overpowered)."""

from typing import Any

from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow, set_result

module = Module("turncoat", "Once per conflict the loser may exchange the results.", windows=("after_test",))
TURN = module.action("turn", en="exchange the results", de="die Ergebnisse tauschen")
module.state("used", doc="exchanges in this conflict")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Offered to a loser who has not used it."""
    if s.ep[seat] < 0 and not s.turncoat_used[seat]:
        allow(words, TURN)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """The seat gets what the others have, and they get what it had."""
    s.turncoat_used[seat] = 1
    lost = s.ep[seat]
    for other in range(p.seats):
        if p.team[other] != p.team[seat] and s.ep[other] > 0:
            set_result(s, other, lost)
    set_result(s, seat, -lost)
