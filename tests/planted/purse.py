"""Planted edge, known exactly: of two purses one holds three tenths, the other nothing (einBlatt: always-use)."""

from typing import Any

from probespiel.envs.einblatt.module import ME, Module
from probespiel.envs.einblatt.services import allow, ask

module = Module("purse", "Before the first round the holder picks one of two purses.", payoff_shift=0.3)
ASKED = module.phase("purse_asked", en="which purse?", de="welcher Beutel?")
RED = module.action("red", en="take the red purse", de="roten Beutel nehmen")
BLUE = module.action("blue", en="take the blue purse", de="blauen Beutel nehmen")
module.state("tenths", scope="campaign", doc="tenths of an EP won")
module.state("asked", scope="campaign", doc="1 once it has picked one")


@module.hook
def pre_commit(s: Any, p: Any, seat: int) -> None:
    """Asked once; who takes the blue one might as well not have been."""
    ask(s, ME, ASKED, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of two."""
    allow(words, RED)
    allow(words, BLUE)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """That it was asked is noted in either case."""
    s.purse_asked[seat] = 1
    if action == RED:
        s.purse_tenths[seat] = 3


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Paid."""
    return value + s.purse_tenths[seat] / 10
