"""Attacks and defences that baselines of konfrontation weigh: whom, what, in which type, with which units."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.abi import lowest_bit
from ...envs.core.jit import kernel
from ...envs.konfrontation import hooks
from ...envs.konfrontation.services import strength_of, targets_at
from ...envs.konfrontation.state import (
    ALL_CHARACTERS,
    ALL_RESOURCES,
    ALL_SUPPORTS,
    CHARACTERS,
    T_OTHER,
    T_POWER,
    T_RESOURCE,
    UNITS,
)
from .values import SIZE, fate_cost, power_moved, prize_of_attack, prize_of_defence, resource_cost, value_of_bids

# how attacks are compared
BY_VALUE, BY_PRIZE = 0, 1
# whom, or what, an attack may be aimed at
ANYBODY, EMPTY_STOCK, BEATEN, A_RESOURCE = 0, 1, 2, 3
# who takes part
EVERYBODY, ONE_ESCORT = 0, 1
NOT_FIXED = -1


@kernel
def may_run(s: Any, p: Any, defender: int, target: int) -> bool:
    """R8, A3: whether the defender can run home from an attack on this target."""
    if target >= UNITS or (target >= CHARACTERS and not p.supports_run):
        return False
    return s.power[defender] >= hooks.run_cost(s, p, defender, p.run_home_cost)


@kernel
def standing_value(
    s: Any, p: Any, attacker: int, defender: int, target: int, kind: int, party: int, more: int, rich: int,
    enough: float, work: Any,
) -> float:  # fmt: skip
    """Value to the attacker if the defender stands and sends those who serve it best.

    `more` strength and `rich` power are added to the attacker's (for plans). Defences looked at: everybody; for a unit
    also everybody but the target, and nobody. A value of at most `enough` is not found exactly (see `value_of_bids`).
    """
    best = np.inf
    for choice in range(3 if target < UNITS else 1):
        defence = defence_of(s, defender, target, choice)
        value = value_against(s, p, attacker, defender, target, kind, party, defence, more, rich, enough, work)
        best = min(best, value)
        if best <= enough:
            break
    return best


@kernel
def defence_of(s: Any, defender: int, target: int, choice: int) -> int:
    """The choice-th defence that is looked at: everybody; everybody but the target; nobody (bit set)."""
    if choice == 2:
        return 0
    units = s.units[defender]
    if choice == 1:
        units &= ~(1 << target)
    return units if units & ALL_CHARACTERS else 0


@kernel
def value_against(
    s: Any,
    p: Any,
    attacker: int,
    defender: int,
    target: int,
    kind: int,
    party: int,
    defence: int,
    more: int,
    rich: int,
    enough: float,
    work: Any,
) -> float:
    """Value of bidding, to the attacker, with these units on both sides; see `value_of_bids` for `enough`."""
    prizes = np.zeros(3)
    prizes[0] = prize_of_attack(s, p, attacker, defender, target, kind, defence)
    prizes[1] = prize_of_defence(s, p, attacker, defender, kind, party)
    prizes[2] = 1.0 if target == T_POWER else 0.0
    lead = more + strength_of(s, p, attacker, party, kind) - strength_of(s, p, defender, defence, kind)
    first = min(p.power_cap, s.power[attacker] + rich)
    return value_of_bids(s, p, attacker, defender, first, s.power[defender], lead, p.max_ties, prizes, enough, work)


@kernel
def attack_value(
    s: Any, p: Any, attacker: int, defender: int, target: int, kind: int, party: int, more: int, rich: int,
    enough: float, work: Any,
) -> float:  # fmt: skip
    """Value of an attack to the attacker when the defender reacts best, running home included.

    A value of at most `enough` is not found exactly (see `value_of_bids`).
    """
    most = np.inf
    if may_run(s, p, defender, target):
        most = p.w_power * hooks.run_cost(s, p, defender, p.run_home_cost)
        if most <= enough:
            return most
    return min(most, standing_value(s, p, attacker, defender, target, kind, party, more, rich, enough, work))


@kernel
def party_of(s: Any, seat: int, kind: int, who: int) -> int:
    """The units that are sent: everybody, or the best support with one character (bit set)."""
    units = s.units[seat]
    if not units & ALL_CHARACTERS:
        return 0
    if who == EVERYBODY:
        return units
    escort = -1
    left = units & ALL_CHARACTERS
    while left:
        unit = lowest_bit(left)
        left &= left - 1
        if escort < 0 or (s.nature[seat, unit] == kind and s.nature[seat, escort] != kind):
            escort = unit
    best = -1
    most = 0
    left = units & ALL_SUPPORTS
    while left:
        unit = lowest_bit(left)
        left &= left - 1
        value = s.value[seat, unit] * (2 if s.nature[seat, unit] == kind else 1)
        if value > most:
            best, most = unit, value
    return 1 << escort | (1 << best if best >= 0 else 0)


@kernel
def best_type(s: Any, p: Any, attacker: int, defender: int, who: int, nature: int) -> int:
    """The permitted type in which the attacker's lead is greatest; `nature` if it is given and permitted."""
    if nature >= 0 and p.allowed_types >> nature & 1:
        return nature
    best = -1
    most = 0
    for kind in range(4):
        if p.allowed_types >> kind & 1:
            lead = strength_of(s, p, attacker, party_of(s, attacker, kind, who), kind)
            lead -= strength_of(s, p, defender, s.units[defender], kind)
            if best < 0 or lead > most:
                best, most = kind, lead
    return best


@kernel
def prize(s: Any, p: Any, attacker: int, defender: int, target: int, kind: int) -> float:
    """What a target is worth, whatever the chances."""
    if target == T_POWER:
        return power_moved(p, s.power[attacker], s.power[defender])
    if target == T_OTHER:
        return p.w_other * (p.other_points + p.other_cost)
    if target >= T_RESOURCE:
        return resource_cost(s, p, defender, target - T_RESOURCE)
    return fate_cost(s, p, defender, attacker, target, kind)


@kernel
def worthwhile(s: Any, p: Any, attacker: int, defender: int, targets: int, kind: int) -> int:
    """Of some targets those worth weighing: power, other, the largest resource, the dearest unit (bit set)."""
    out = targets & (1 << T_POWER | 1 << T_OTHER)
    for first, end in ((0, UNITS), (T_RESOURCE, T_POWER)):
        best = -1
        most = -1.0
        for target in range(first, end):
            if not targets >> target & 1:
                continue
            if p.protected and CHARACTERS <= target < UNITS and s.nature[defender, target] != kind:
                continue
            value = prize(s, p, attacker, defender, target, kind)
            if value > most:
                best, most = target, value
        if best >= 0:
            out |= 1 << best
    return out


@kernel
def eligible(s: Any, p: Any, attacker: int, defender: int, kind: int, party: int, aim: int) -> bool:
    """Whether somebody is a victim for this kind of attacker: with an empty stock, or beaten by strength alone."""
    lead = strength_of(s, p, attacker, party, kind) - strength_of(s, p, defender, s.units[defender], kind)
    if aim == EMPTY_STOCK:
        return s.power[defender] == 0 and lead + s.power[attacker] > 0
    if aim == BEATEN:
        return lead > s.power[defender]
    return True


@kernel
def best_attack(
    s: Any,
    p: Any,
    seat: int,
    measure: int,
    aim: int,
    who: int,
    nature: int,
    fixed: Any,
    more: int,
    rich: int,
    enough: float,
    work: Any,
) -> tuple[float, int]:
    """The best attack worth more than `enough`: value and defender | target << 4 | type << 12; else (-inf, -1).

    `fixed` int64[3] holds defender, target and type where they are declared already, else NOT_FIXED; what is declared
    is taken, whoever it is aimed at. `nature` is the type that is preferred, or -1.
    """
    best, plan = -np.inf, -1
    for away in range(1, p.factions):
        defender = (seat + away) % p.factions
        if fixed[0] != NOT_FIXED and defender != fixed[0]:
            continue
        targets = targets_at(s, p, seat, defender)
        if aim == A_RESOURCE:
            targets &= ALL_RESOURCES << T_RESOURCE
        kind = fixed[2] if fixed[2] != NOT_FIXED else best_type(s, p, seat, defender, who, nature)
        if fixed[1] != NOT_FIXED:
            targets = 1 << fixed[1]
            if p.protected and CHARACTERS <= fixed[1] < UNITS:
                kind = s.nature[defender, fixed[1]]
        elif targets:
            targets = worthwhile(s, p, seat, defender, targets, kind)
        party = party_of(s, seat, kind, who)
        if party == 0 or (fixed[0] == NOT_FIXED and not eligible(s, p, seat, defender, kind, party, aim)):
            continue
        while targets:
            target = lowest_bit(targets)
            targets &= targets - 1
            if measure == BY_PRIZE:
                value = prize(s, p, seat, defender, target, kind)
            else:
                value = attack_value(s, p, seat, defender, target, kind, party, more, rich, max(enough, best), work)
            if value > max(enough, best):
                best, plan = value, defender | target << 4 | kind << 12
    return best, plan


@kernel
def declared_so_far(s: Any) -> Any:
    """What is declared of the running attack, int64[3]: defender, target, type, each or NOT_FIXED."""
    fixed = np.full(3, NOT_FIXED, np.int64)
    if s.active:
        fixed[0], fixed[1], fixed[2] = s.defender, s.target, s.kind
    return fixed


@kernel
def workspace() -> Any:
    """Working space for matrix games, float64[SIZE + 2, SIZE]."""
    return np.zeros((SIZE + 2, SIZE))
