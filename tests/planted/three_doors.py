"""Planted edge, known exactly: a forced answer of which two are equally right, and one costs (OneShot: no guess)."""

from typing import Any

from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow_bits, ask

module = Module("three_doors", "Three doors before the talk.", levels=("parley",), payoff_shift=0.2)
ASKED = module.phase("three_doors_asked", en="which door?", de="welche Tür?")
RED = module.action("red", en="the red door", de="die rote Tür")
BLUE = module.action("blue", en="the blue door", de="die blaue Tür")
GREY = module.action("grey", en="the grey door", de="die graue Tür")
module.state("got", doc="tenths behind the door")


@module.hook
def talk_begins(s: Any, p: Any, who: int) -> None:
    """Asked once."""
    ask(s, ME, ASKED, who)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of three."""
    allow_bits(words, RED, 7)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Red and blue pay."""
    s.three_doors_got[seat] = -2 if action == GREY else 2


@module.hook
def payoff(s: Any, p: Any, who: int, value: float) -> float:
    """Paid."""
    return value + s.three_doors_got[who] / 10
