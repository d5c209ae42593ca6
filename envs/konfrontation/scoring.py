"""Ranking and payoffs (R32; section 4, Clash and Campaign)."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from . import hooks
from .services import (
    control_points,
    net_worth,
    strength_points,
)
from .state import Utility, Victory


@kernel
def rank(s: Any, p: Any, seat: int, place: int) -> float:
    """R32: the place-th number by which factions are compared."""
    if p.victory == Victory.CONTROL_POINTS:
        order = 0x012
    elif p.victory == Victory.POWER:
        order = 0x102
    else:
        order = 0x301
    what = order >> 8 - 4 * place & 15
    if what == 0:
        value = float(control_points(s, seat))
    elif what == 1:
        value = float(s.power[seat])
    else:
        value = float(strength_points(s, seat)) if what == 2 else net_worth(s, p, seat)
    return hooks.standing(s, p, seat, place, value)


@kernel
def ranked(s: Any, p: Any, a: int, b: int) -> int:
    """1 if faction a stands before b, -1 if behind, 0 if equal."""
    for place in range(3):
        x, y = rank(s, p, a, place), rank(s, p, b, place)
        if x != y:
            return 1 if x > y else -1
    return 0


@kernel
def write_payoffs(s: Any, p: Any, out: Any) -> None:
    """The payoffs of a game that has ended, as the rules alone have them: float64[capacity], 0 before."""
    n = p.factions
    if p.clash:
        for f in range(n):
            out[f] = (net_worth(s, p, f) - s.worth[f]) - (net_worth(s, p, 1 - f) - s.worth[1 - f])
        return
    if p.utility == Utility.MARGIN:
        sum_ = 0.0
        for f in range(n):
            sum_ += rank(s, p, f, 0)
        for f in range(n):
            own = rank(s, p, f, 0)
            out[f] = own - (sum_ - own) / (n - 1)
        return
    best = 0
    for f in range(1, n):
        if ranked(s, p, f, best) > 0:
            best = f
    equal = 0
    for f in range(n):
        equal += ranked(s, p, f, best) == 0
    if equal == n:
        return
    for f in range(n):
        first = ranked(s, p, f, best) == 0
        out[f] = (n / equal - 1.0) / (n - 1.0) if first else -1.0 / (n - 1.0)


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """Write the payoffs: float64[capacity]; 0 until the game has ended (section 4)."""
    for f in range(len(out)):
        out[f] = 0.0
    if s.status == 0:
        return
    write_payoffs(s, p, out)
    for f in range(p.factions):
        out[f] = hooks.payoff(s, p, f, out[f])
