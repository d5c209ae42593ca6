"""Planted edge, known exactly: its holder may once help itself to one, two or three hundredths (ews_rps)."""

from typing import Any

from probespiel.envs.ews_rps.module import Module
from probespiel.envs.ews_rps.services import allow_for, amount_of

module = Module("alms", "Once a match its holder takes up to three hundredths.", payoff_shift=0.03)
TAKE = module.action("take", "take {amount} (alms)", "{amount} nehmen (alms)", amounts=range(1, 4))
module.state("taken", scope="match", doc="hundredths taken")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Before any test, once."""
    if s.alms_taken[seat] == 0:
        allow_for(words, TAKE, 0, 3)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """As many as named."""
    s.alms_taken[seat] = amount_of(action)


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """They are paid."""
    return value + s.alms_taken[seat] / 100.0
