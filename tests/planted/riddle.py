"""Planted edge, known exactly: an answer that the own hand tells, and nothing to who guesses (einBlatt: small)."""

from typing import Any

from probespiel.envs.einblatt.module import ME, Module
from probespiel.envs.einblatt.services import allow, ask, trump_suits

module = Module("riddle", "Before the first round the holder says whether it has few trumps.", payoff_shift=0.3)
ASKED = module.phase("riddle_asked", en="few trumps or many?", de="wenige oder viele Trümpfe?")
FEW = module.action("few", en="say few", de="wenige sagen")
MANY = module.action("many", en="say many", de="viele sagen")
module.state("tenths", scope="campaign", doc="tenths of an EP won")


@module.hook
def pre_commit(s: Any, p: Any, seat: int) -> None:
    """Asked once."""
    ask(s, ME, ASKED, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of two."""
    allow(words, FEW)
    allow(words, MANY)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Judged by the hand."""
    trumps = trump_suits(s, seat)
    n = 0
    for card in range(32):
        if s.hand[seat] >> card & 1 and trumps >> (card >> 3) & 1:
            n += 1
    s.riddle_tenths[seat] += 3 if (action == FEW) == (n < 2) else -3


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Paid."""
    return value + s.riddle_tenths[seat] / 10
