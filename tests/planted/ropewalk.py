"""Planted flaw: who walks a rope on the right side gets back what it costs, else it is lost (konfrontation: dead)."""

from typing import Any

from probespiel.envs.konfrontation.module import ME, Module
from probespiel.envs.konfrontation.services import allow_bits, ask, gain, lose, side_of

module = Module("ropewalk", "A rope costs a power; on the right side it is found again.")
ASKED = module.phase("ropewalk_asked", en="walk the rope?", de="über das Seil?")
LEFT = module.action("left", en="walk on the left", de="links gehen")
RIGHT = module.action("right", en="walk on the right", de="rechts gehen")
NOT = module.action("not", en="stay (ropewalk)", de="bleiben (ropewalk)", decline=True)


@module.hook
def defended(s: Any, p: Any, seat: int) -> None:
    """Asked."""
    ask(s, ME, ASKED, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of three."""
    allow_bits(words, LEFT, 7)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """The attacker finds it on the left, the defender on the right."""
    if action != NOT:
        lose(s, p, seat, 1)
        if (action == LEFT) == (side_of(s, seat) == 0):
            gain(s, p, seat, 1)
