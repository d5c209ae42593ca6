"""Planted flaw: embers are worth something if they are kept, and may be burnt for nothing (OneShot: dead rule)."""

from typing import Any

from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow, allow_for, amount_of, ask, kind_of

module = Module("embers", "Five embers, each worth something if it is kept.", levels=("parley",), payoff_shift=0.2)
ASKED = module.phase("embers_asked", en="how many embers do you burn?", de="wie viele Gluten verbrennst du?")
BURN = module.action("burn", en="burn {amount} embers", de="{amount} Gluten verbrennen", amounts=range(1, 6))
KEEP = module.action("keep", en="keep all embers", de="alle Gluten behalten", decline=True)
module.counter("left", 5, en="embers", de="Gluten", scope="game", doc="embers left")


@module.hook
def talk_begins(s: Any, p: Any, who: int) -> None:
    """Five."""
    s.embers_left[who] = 5
    ask(s, ME, ASKED, who)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One to five, or none."""
    allow_for(words, BURN, -1, 5)
    allow(words, KEEP)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Gone."""
    if kind_of(action) == BURN:
        s.embers_left[seat] -= amount_of(action)


@module.hook
def payoff(s: Any, p: Any, who: int, value: float) -> float:
    """Four hundredths for each that is left."""
    return value + 0.04 * s.embers_left[who]
