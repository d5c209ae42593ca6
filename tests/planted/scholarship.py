"""Planted edge, known exactly: a forced answer that is right by the number of the seat alone (OneShot, builds)."""

from typing import Any

from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow_bits, ask
from probespiel.envs.oneshot.state import Stage

module = Module(
    "scholarship",
    "A scholarship or a patron: one of them pays a tenth, by the seat; the other costs one.",
    levels=("build",),
    payoff_shift=0.1,
)
ASKED = module.phase("scholarship_asked", en="who pays the studies?", de="wer zahlt das Studium?")
TOWN = module.action("town", en="ask the town (scholarship)", de="die Stadt bitten (scholarship)")
LORD = module.action("lord", en="ask the lord (scholarship)", de="den Herrn bitten (scholarship)")
module.state("got", scope="game", doc="1 paid, -1 fined")


@module.hook
def stage_begins(s: Any, p: Any, who: int, stage: int) -> None:
    """First of all."""
    if stage == Stage.PERKS:
        ask(s, ME, ASKED, who)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of two."""
    allow_bits(words, TOWN, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """The town is good to the first, the lord to the second."""
    s.scholarship_got[seat] = 1 if (action == TOWN) == (seat == 0) else -1


@module.hook
def payoff(s: Any, p: Any, who: int, value: float) -> float:
    """A tenth."""
    return value + 0.1 * s.scholarship_got[who]
