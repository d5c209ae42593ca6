"""Planted edge, known exactly: of two purses one holds money, the other a debt (OneShot: always-use or small)."""

from typing import Any

from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow_bits, ask

module = Module("two_purses", "Two purses before the talk.", levels=("parley",), payoff_shift=0.3)
ASKED = module.phase("two_purses_asked", en="which purse?", de="welcher Beutel?")
SILVER = module.action("silver", en="take the silver purse", de="den Silberbeutel nehmen")
LEAD = module.action("lead", en="take the leaden purse", de="den Bleibeutel nehmen")
NONE = module.action("none", en="take no purse", de="keinen Beutel nehmen", decline=True)
module.state("got", doc="tenths in the purse")


@module.hook
def talk_begins(s: Any, p: Any, who: int) -> None:
    """Asked once."""
    ask(s, ME, ASKED, who)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of three."""
    allow_bits(words, SILVER, 7)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Three tenths more, or less."""
    s.two_purses_got[seat] = 3 if action == SILVER else (-3 if action == LEAD else 0)


@module.hook
def payoff(s: Any, p: Any, who: int, value: float) -> float:
    """Paid."""
    return value + s.two_purses_got[who] / 10
