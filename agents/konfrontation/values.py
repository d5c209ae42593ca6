"""What a confrontation is worth: matrix games over bids with net-worth payoffs (section 7 of the specification).

All values are differences of net worth, the attacker's gain less the defender's, with the weights of the scenario.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.abi import lowest_bit
from ...envs.core.jit import kernel
from ...envs.konfrontation import hooks
from ...envs.konfrontation.services import exposed, free_unit, removable
from ...envs.konfrontation.state import CHARACTERS, MAX_BID, T_OTHER, T_POWER, T_RESOURCE

SIZE = MAX_BID + 1
LEVELS = 10  # ties that are looked ahead
TINY = 1e-12


@kernel
def number(n: int) -> int:
    """The number itself: numba compiles a callee anew for every literal that it is called with, and this is none."""
    return n + 0  # a sum is no literal


# --- matrix games -----------------------------------------------------------------------------------------------------


@kernel
def mixed(m: Any, rows: int, columns: int, x: Any, y: Any) -> float:
    """Solve the zero-sum game m[:rows, :columns] float64: its value; x[:rows], y[:columns] get optimal mixtures.

    A saddle point, or the simplex method on the column player's program (as in agents/matrix_game.py, but compiled).
    """
    floor, ceiling = -np.inf, np.inf
    row, column = 0, 0
    low = np.inf
    for i in range(rows):
        x[i] = 0.0
        least = np.inf
        for j in range(columns):
            least = min(least, m[i, j])
        low = min(low, least)
        if least > floor:
            floor, row = least, i
    for j in range(columns):
        y[j] = 0.0
        most = -np.inf
        for i in range(rows):
            most = max(most, m[i, j])
        if most < ceiling:
            ceiling, column = most, j
    if floor >= ceiling:
        x[row] = 1.0
        y[column] = 1.0
        return floor
    return simplex(m, rows, columns, low - 1.0, x, y)


@kernel
def simplex(m: Any, rows: int, columns: int, shift: float, x: Any, y: Any) -> float:
    """Maximise sum(y) subject to (m - shift) y <= 1: the optimum is 1 / (value - shift), the multipliers are x."""
    width = columns + rows + 1
    t = np.zeros((rows + 1, width))
    basis = np.zeros(rows, np.int64)
    for i in range(rows):
        basis[i] = columns + i
        for j in range(columns):
            t[i, j] = m[i, j] - shift
        t[i, columns + i] = 1.0
        t[i, width - 1] = 1.0
    for j in range(columns):
        t[rows, j] = -1.0
    for step in range(1000):
        entering = -1
        least = -TINY
        for j in range(width - 1):
            if t[rows, j] < least:
                entering = j
                if step >= 200:  # Bland's rule from here on: it cannot cycle
                    break
                least = t[rows, j]
        if entering < 0:
            break
        leaving = -1
        ratio = np.inf
        for i in range(rows):
            if t[i, entering] > TINY:
                one = t[i, width - 1] / t[i, entering]
                if one < ratio - TINY or (one < ratio + TINY and (leaving < 0 or basis[i] < basis[leaving])):
                    ratio, leaving = one, i
        if leaving < 0:
            break
        basis[leaving] = entering
        head = t[leaving, entering]
        for j in range(width):
            t[leaving, j] /= head
        for i in range(rows + 1):
            factor = t[i, entering]
            if i != leaving and factor != 0.0:
                for j in range(width):
                    t[i, j] -= factor * t[leaving, j]
    total = t[rows, width - 1]
    for i in range(rows):
        if basis[i] < columns:
            y[basis[i]] = max(0.0, t[i, width - 1] / total)
        x[i] = max(0.0, t[rows, columns + i] / total)
    return 1.0 / total + shift


# --- prizes -----------------------------------------------------------------------------------------------------------


@kernel
def fate_cost(s: Any, p: Any, owner: int, other: int, unit: int, kind: int) -> float:
    """What the fate of a unit costs its owner, who chooses: removed, or handed over (R16, R20c, R27, R33)."""
    value = p.w_unit * s.value[owner, unit]
    if removable(s, owner, 1 << unit, kind):
        return value  # never dearer than to hand it over: no weight is negative
    return 2.0 * value if free_unit(s, other, unit >= CHARACTERS) >= 0 else value


@kernel
def resource_cost(s: Any, p: Any, owner: int, slot: int) -> float:
    """What the loss of a resource costs its owner, who chooses (R17, A5): handed over it is never cheaper."""
    value = p.w_cp * s.extent[owner, slot]
    return 2.0 * value if p.destroyed_resource_pays else value


@kernel
def cheapest(s: Any, p: Any, owner: int, other: int, units: int, kind: int) -> int:
    """The unit of a set whose fate costs its owner least (the lowest of equal ones); -1 for an empty set."""
    best = -1
    least = np.inf
    while units:
        unit = lowest_bit(units)
        units &= units - 1
        cost = fate_cost(s, p, owner, other, unit, kind)
        if cost < least:
            best, least = unit, cost
    return best


@kernel
def dearest(s: Any, p: Any, owner: int, other: int, units: int, kind: int) -> int:
    """The unit of a set whose fate costs its owner most (the lowest of equal ones); -1 for an empty set."""
    best = -1
    most = -np.inf
    while units:
        unit = lowest_bit(units)
        units &= units - 1
        cost = fate_cost(s, p, owner, other, unit, kind)
        if cost > most:
            best, most = unit, cost
    return best


@kernel
def prize_of_attack(s: Any, p: Any, attacker: int, defender: int, target: int, kind: int, defence: int) -> float:
    """What winning brings the attacker beyond power (R16, R17, R19), against the units `defence`."""
    if target == T_POWER:
        return 0.0
    if target == T_OTHER:
        return p.w_other * (p.other_points + p.other_cost)
    if target >= T_RESOURCE:
        return resource_cost(s, p, defender, target - T_RESOURCE)
    if defence >> target & 1:
        return fate_cost(s, p, defender, attacker, target, kind)
    if defence == 0:
        return fate_cost(s, p, defender, attacker, target, kind) if p.undefended_goes else 0.0
    victim = cheapest(s, p, defender, attacker, exposed(s, p, defender, defence, kind), kind)
    return fate_cost(s, p, defender, attacker, victim, kind) if victim >= 0 else 0.0


@kernel
def prize_of_defence(s: Any, p: Any, attacker: int, defender: int, kind: int, party: int) -> float:
    """The best unit that winning brings the defender (R20a, R20c) against the units `party`."""
    best = 0.0
    pool = exposed(s, p, attacker, s.units[attacker] if p.demand_any else party, kind)
    unit = dearest(s, p, attacker, defender, pool, kind)
    if unit >= 0:
        best = fate_cost(s, p, attacker, defender, unit, kind)
    units = removable(s, attacker, party, kind)
    while units:
        unit = lowest_bit(units)
        units &= units - 1
        value = p.w_unit * s.value[attacker, unit]
        if p.loser_chooses:
            left = units
            while left:
                value = min(value, p.w_unit * s.value[attacker, lowest_bit(left)])
                left &= left - 1
            return max(best, value)
        best = max(best, value)
    return best


# --- bids -------------------------------------------------------------------------------------------------------------


@kernel
def gained(p: Any, stock: int, amount: int) -> int:
    """What a gain of power comes to (R33)."""
    return min(p.power_cap, stock + amount) - stock


@kernel
def power_moved(p: Any, winner: int, loser: int) -> float:
    """R18, R20b: the worth of taking power, with these stocks after bids and loot."""
    return p.w_power * (gained(p, winner, p.power_spoils) + min(p.power_spoils, loser))


@kernel
def decided_value(
    s: Any, p: Any, attacker: int, defender: int, a: int, b: int, first: int, second: int, won: int, prizes: Any
) -> float:
    """Worth of a decided pair of bids a, b with the stocks `first`, `second`.

    `won` is 1 if the attacker wins; `prizes` float64[3]: of attack, of defence, and 1 if power is the target.
    """
    winner, loser = (attacker, defender) if won else (defender, attacker)
    x = first - hooks.bid_paid(s, p, attacker, won, a)
    y = second - hooks.bid_paid(s, p, defender, 1 - won, b)
    loot = hooks.loot(s, p, winner, loser, max(p.min_loot, b if won else a))
    if won:
        x += gained(p, x, loot)
        value = p.w_power * ((x - first) - (y - second)) + prizes[0]
        return value + power_moved(p, x, y) if prizes[2] > 0.0 else value
    y += gained(p, y, loot)
    value = p.w_power * ((x - first) - (y - second))
    return value - max(prizes[1], power_moved(p, y, x))


@kernel
def value_of_bids(
    s: Any, p: Any, attacker: int, defender: int, first: int, second: int, lead: int, ties: int, prizes: Any,
    enough: float, work: Any,
) -> float:  # fmt: skip
    """Value of the bids to the attacker, with stocks `first`, `second`, `lead` in strength and `ties` ties to go.

    `work` float64[SIZE + 2, SIZE] is overwritten: its last two rows are the mixtures of attacker and defender. Where
    the value is seen to be at most `enough`, it is not found: something between the two is returned.
    """
    rows, columns = min(first, MAX_BID) + 1, min(second, MAX_BID) + 1
    tied = False
    for a in range(rows):
        for b in range(columns):
            difference = lead + a - b
            if difference == 0:
                tied = True
            else:
                won = 1 if difference > 0 else 0
                work[a, b] = decided_value(s, p, attacker, defender, a, b, first, second, won, prizes)
    if enough > -np.inf:
        ceiling = ceiling_of(work, rows, columns, lead)
        if ceiling <= enough:
            return ceiling
    x, y = work[SIZE], work[SIZE + 1]
    levels = 1 if not tied or (first == 0 and second == 0) else min(ties, LEVELS)
    again = 0.0
    value = 0.0
    for _ in range(levels):
        for a in range(rows):
            if 0 <= lead + a < columns:
                work[a, lead + a] = again
        value = mixed(work, rows, columns, x, y)
        if abs(value - again) < 1e-9:
            break
        again = value
    return value


@kernel
def ceiling_of(work: Any, rows: int, columns: int, lead: int) -> float:
    """The least that the defender's bids, one by one, leave to the attacker: the value is no more.

    Ties count nothing: the defender may bid the same after each, and the last one is worth nothing.
    """
    ceiling = np.inf
    for b in range(columns):
        best = -np.inf
        for a in range(rows):
            best = max(best, 0.0 if lead + a == b else work[a, b])
        ceiling = min(ceiling, best)
    return ceiling


@kernel
def running_value(s: Any, p: Any, work: Any) -> float:
    """Value of the running confrontation, whose bids are due, to the attacker; mixtures in `work` as above."""
    prizes = np.zeros(3)
    prizes[0] = prize_of_attack(s, p, s.attacker, s.defender, s.target, s.kind, s.commit[1])
    prizes[1] = prize_of_defence(s, p, s.attacker, s.defender, s.kind, s.commit[0])
    prizes[2] = 1.0 if s.target == T_POWER else 0.0
    lead = s.strength[0] - s.strength[1]
    first, second = s.power[s.attacker], s.power[s.defender]
    return value_of_bids(s, p, s.attacker, s.defender, first, second, lead, p.max_ties - s.ties, prizes, -np.inf, work)
