"""Planted edge, known exactly: a claim that pays in one hand of seventeen and costs in the others (einBlatt: small)."""

from typing import Any

from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow, trump_suits

module = Module(
    "beggars",
    "A beggar's hand pays four EP, a false one costs three tenths.",
    windows=("after_draw",),
    payoff_shift=4.0,
)
SHOW = module.action("show", en="claim a beggar's hand", de="Bettlerhand ansagen")
module.state("said", doc="1 claimed")
module.state("tenths", scope="campaign", doc="tenths of an EP won")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Once a conflict."""
    if not s.beggars_said[seat]:
        allow(words, SHOW)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Judged at once."""
    s.beggars_said[seat] = 1
    trumps = trump_suits(s, seat)
    poor = True
    for card in range(32):
        if s.hand[seat] >> card & 1 and (card & 7 == 7 or trumps >> (card >> 3) & 1):
            poor = False
    s.beggars_tenths[seat] += 40 if poor else -3


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Paid."""
    return value + s.beggars_tenths[seat] / 10
