"""Planted flaw: who builds a character may wear an heirloom, which costs two tenths (OneShot: dead rule)."""

from typing import Any

from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow_bits, ask
from probespiel.envs.oneshot.state import Stage

module = Module(
    "heirloom", "An heirloom is worn with pride, and costs two tenths.", levels=("build",), payoff_shift=0.2
)
ASKED = module.phase("heirloom_asked", en="wear the heirloom?", de="das Erbstück tragen?")
WEAR = module.action("wear", en="wear it (heirloom)", de="es tragen (heirloom)")
NOT = module.action("not", en="leave it at home (heirloom)", de="es zu Hause lassen (heirloom)", decline=True)
module.state("worn", scope="game", doc="1 worn")


@module.hook
def stage_begins(s: Any, p: Any, who: int, stage: int) -> None:
    """Before the perks."""
    if stage == Stage.PERKS:
        ask(s, ME, ASKED, who)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """Yes or no."""
    allow_bits(words, WEAR, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Noted."""
    s.heirloom_worn[seat] = action == WEAR


@module.hook
def payoff(s: Any, p: Any, who: int, value: float) -> float:
    """Two tenths."""
    return value - 0.2 * s.heirloom_worn[who]
