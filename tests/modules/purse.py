"""For tests: before a talk everybody is asked whether to take a purse, which is paid (OneShot)."""

from typing import Any

from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow, ask

module = Module("purse", "Before a talk a purse may be taken.", levels=("parley",), payoff_shift=0.25)
OFFERED = module.phase("purse_offered", en="take the purse?", de="den Beutel nehmen?")
TAKE = module.action("take", en="take the purse", de="den Beutel nehmen")
LEAVE = module.action("leave", en="leave the purse", de="den Beutel liegen lassen", decline=True)
module.state("taken", doc="it was taken")


@module.hook
def talk_begins(s: Any, p: Any, who: int) -> None:
    """Once a talk."""
    ask(s, ME, OFFERED, who)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """Yes or no."""
    allow(words, TAKE)
    allow(words, LEAVE)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Kept in mind."""
    s.purse_taken[seat] = action == TAKE


@module.hook
def payoff(s: Any, p: Any, who: int, value: float) -> float:
    """A quarter."""
    return value + 0.25 * s.purse_taken[who]
