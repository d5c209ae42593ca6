"""diehard, a perk: the first survival roll of a fight is easier. Give it to single figures with `seats`."""

from __future__ import annotations

from typing import Any

from ..module import Module

module = Module("diehard", "A perk: the first survival roll of a fight is easier.")
module.param("bonus", 2, 1, 5, doc="added to the survival roll")
module.counter("used", 1, "diehard is used up", "Zäher Hund ist verbraucht", doc="the figure has fallen in this fight")
module.piece("used", 1, 0, 1, "the figure of the seat has used it up")


@module.hook
def survival_bonus(s: Any, p: Any, who: int, value: int) -> int:
    """Until the first fall."""
    return value if s.diehard_used[who] else value + p.diehard_bonus


@module.hook
def wounded(s: Any, p: Any, who: int) -> None:
    """Called after the survival roll."""
    if s.wounds[who] > s.limit[who]:
        s.diehard_used[who] = 1


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Falls are public."""
    for i in range(len(s.x)):
        if p.seat_of[i] == seat and s.diehard_used[i]:
            out[0] = 1
