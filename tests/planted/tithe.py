"""Planted edge, known exactly: of five coins three are right to give, any other number brings less (OneShot)."""

from typing import Any

from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow, allow_for, amount_of, ask, kind_of

module = Module(
    "tithe", "A gift of up to five coins before the talk: three are right.", levels=("parley",), payoff_shift=0.2
)
ASKED = module.phase("tithe_asked", en="how many coins?", de="wie viele Münzen?")
GIVE = module.action("give", en="give {amount} (tithe)", de="{amount} geben (tithe)", amounts=range(1, 6))
NONE = module.action("none", en="give nothing (tithe)", de="nichts geben (tithe)", decline=True)
module.state("given", doc="coins")


@module.hook
def talk_begins(s: Any, p: Any, who: int) -> None:
    """Asked once."""
    ask(s, ME, ASKED, who)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """Any number."""
    allow_for(words, GIVE, 0, 5)
    allow(words, NONE)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Noted."""
    s.tithe_given[seat] = amount_of(action) if kind_of(action) == GIVE else 0


@module.hook
def payoff(s: Any, p: Any, who: int, value: float) -> float:
    """At most 0.18."""
    n = s.tithe_given[who]
    return value + n * (6 - n) / 50
