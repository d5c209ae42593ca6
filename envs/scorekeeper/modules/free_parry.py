"""free_parry (reading of A7): a parry out of the reaction costs nothing."""

from __future__ import annotations

from typing import Any

from ..module import Module
from ..state import Mode

module = Module("free_parry", "A parry out of the reaction leaves the declared action alone.")
module.param("after_acting", False, doc="a fighter who has acted may still parry")
module.param("limit", 0, 0, 20, doc="parries of a fighter and round that cost nothing; 0: all")


@module.hook
def may_parry(s: Any, p: Any, seat: int, mode: int, ok: int) -> int:
    """R26, changed: having acted is no hindrance with `after_acting`."""
    if ok or not p.free_parry_after_acting or mode == Mode.SHOOT or s.action_lost[seat]:
        return ok
    if p.free_parry_limit > 0 and s.parries[seat] >= p.free_parry_limit:
        return ok
    return 1 if p.parry_limit == 0 or s.parries[seat] < p.parry_limit else ok


@module.hook
def parry_cost(s: Any, p: Any, seat: int, cost: int) -> int:
    """R33, changed: no action is spent; the parry that is asked about is counted already."""
    if s.acted[seat]:
        return 0
    return 0 if p.free_parry_limit == 0 or s.parries[seat] <= p.free_parry_limit else cost
