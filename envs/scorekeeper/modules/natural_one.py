"""natural_one (reading of A15): a natural 1 succeeds, however low the value."""

from __future__ import annotations

from typing import Any

from ..module import Module
from ..state import Roll

module = Module("natural_one", "A natural 1 on a d20 check succeeds, however low the value.")
module.param("rolls", "all", choices=("all", "combat"), doc="all checks, or attacks, saves and parries only")


@module.hook
def check(s: Any, p: Any, seat: int, roll: int, die: int, value: int, ok: int) -> int:
    """A15: the lowest number always succeeds."""
    if die == 1 and (p.natural_one_rolls == 0 or roll in (Roll.ATTACK, Roll.SAVE, Roll.PARRY)):
        return 1
    return ok
