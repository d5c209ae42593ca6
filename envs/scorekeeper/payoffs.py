"""Payoffs at the end of a fight (4.6)."""

from __future__ import annotations

from typing import Any

from ..core.abi import ENDED
from ..core.jit import kernel
from . import hooks
from .services import able
from .state import MAXF, Result, Utility


@kernel
def margin(s: Any, p: Any) -> float:
    """4.6: score of team a less that of team b; exactly 0 where both have the same."""
    halves_a = 0  # points in halves
    halves_b = 0
    size_a = 0
    for f in range(p.fighters):
        halves = 0 if s.dead[f] else (2 if able(s, f) else 1)
        if p.team[f] == 0:
            halves_a += halves
            size_a += 1
        else:
            halves_b += halves
    size_b = p.fighters - size_a
    return (halves_a * size_b - halves_b * size_a) / (2.0 * size_a * size_b)


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """4.6: payoffs at the end, 0 before."""
    for seat in range(MAXF):
        out[seat] = 0.0
    if s.status != ENDED:
        return
    value = 0.0
    if s.result == Result.DRAWN:
        if p.draw_by_margin:
            m = margin(s, p)
            value = 1.0 if m > 0.0 else (-1.0 if m < 0.0 else 0.0)
    else:
        value = 1.0 if s.result == Result.WON_A else -1.0
    if p.utility == Utility.MARGIN:
        value = margin(s, p)
    for team in range(2):
        mine = value if team == 0 else -value
        if p.utility == Utility.SURVIVAL:
            size = 0
            lost = 0
            for f in range(p.fighters):
                if p.team[f] == team:
                    size += 1
                    lost += s.dead[f]
            mine -= 0.5 * lost / size
        for f in range(p.fighters):
            if p.team[f] == team:
                out[p.seat_of[f]] = mine
    for f in range(p.fighters):
        out[p.seat_of[f]] = hooks.payoff(s, p, f, out[p.seat_of[f]])
