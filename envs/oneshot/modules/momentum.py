"""momentum: a figure that has wounded an enemy attacks better until the end of its next turn."""

from __future__ import annotations

from typing import Any

from ..module import Module

module = Module("momentum", "Who has wounded an enemy attacks better until the end of its next turn.")
module.param("bonus", 1, 1, 3, doc="added to the attack roll")
module.counter(
    "turns", 2, "turns with momentum", "Züge mit Schwung",
    doc="turns of the figure, the running one included, at whose end it is over",
)  # fmt: skip
module.piece("on", 1, 0, 1, "a figure of the seat is in the swing")


@module.hook
def dealt(s: Any, p: Any, who: int, target: int) -> None:
    """Comrades that were hit by the own flask do not count."""
    if s.team[target] != s.team[who]:
        s.momentum_turns[who] = 2


@module.hook
def attack_bonus(s: Any, p: Any, who: int, target: int, weapon: int, value: int) -> int:
    """As long as it lasts."""
    return value + p.momentum_bonus if s.momentum_turns[who] else value


@module.hook
def turn_ends(s: Any, p: Any, who: int) -> None:
    """One turn less."""
    if s.momentum_turns[who]:
        s.momentum_turns[who] -= 1


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Wounds are public."""
    for i in range(len(s.x)):
        if p.seat_of[i] == seat and s.momentum_turns[i]:
            out[0] = 1
