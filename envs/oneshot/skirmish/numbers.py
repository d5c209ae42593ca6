"""Values of a figure in a fight: maluses, modifiers, current defence, edges on it (R42-R44, R62, R74, R85)."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from .. import hooks
from ..state import AGILITY, MELEE, P_FINESSE, RANGED, STRENGTH, Status, Talk
from .ground import covered, distance


@kernel
def hurt_malus(s: Any, i: int) -> int:
    """R62: 1 for a figure with more wounds than half its limit."""
    return 1 if s.hardened[i] == 0 and 2 * s.wounds[i] > s.limit[i] else 0


@kernel
def malus(s: Any, i: int) -> int:
    """All that is taken off every die but initiative."""
    return hurt_malus(s, i) + s.burden[i]


@kernel
def edges_on(s: Any, p: Any, method: int, target: int) -> int:
    """R85, R87: strength of the aggressive or cunning edges on a figure."""
    if s.edges == 0:
        return 0
    found = 0
    for performer in range(len(s.x)):
        if s.edge[method, performer, target] > 0:
            found += 1
    return found if p.edge_stacking else min(found, 1)


@kernel
def barred(s: Any, who: int, target: int) -> bool:
    """R85: `target` holds a diplomatic edge over `who`."""
    return s.edge[Talk.DIPLOMATIC, target, who] > 0


@kernel
def range_steps(s: Any, who: int, weapon: int, target: int) -> int:
    """R101-R104: range steps of an attack, or -1 if the weapon cannot reach or is ineffective there."""
    kind = s.w_kind[who, weapon]
    far = distance(s, who, target)
    if kind == MELEE:
        return 0 if far <= 1 else -1
    if kind != RANGED:
        return -1
    steps = (far - 1) // s.w_range[who, weapon] if far > 0 else 0
    if steps >= 1 and s.w_damage[who, weapon] - steps <= 0:
        return -1
    return steps


@kernel
def attack_modifier(s: Any, p: Any, who: int, weapon: int, target: int, steps: int) -> int:
    """R42: everything that is added to the attack die."""
    total = s.w_rank[who, weapon] + s.target_mod[target] - s.armour_malus[who] - malus(s, who) - steps
    total += s.surprise - edges_on(s, p, Talk.AGGRESSIVE, who)
    if s.w_kind[who, weapon] == RANGED and covered(s, p, target):
        total += p.cover_modifier
    return hooks.attack_bonus(s, p, who, target, weapon, total)


@kernel
def damage_modifier(s: Any, p: Any, who: int, weapon: int, target: int, steps: int) -> int:
    """R43, R133: everything that is added to the damage die, but for `weak_spot`."""
    power = STRENGTH if s.w_kind[who, weapon] == MELEE and not s.perks[who] & P_FINESSE else AGILITY
    total = s.w_damage[who, weapon] + s.physical[who, power] - malus(s, who) - steps + s.surprise
    return hooks.damage_bonus(s, p, who, target, weapon, total)


@kernel
def defence_now(s: Any, p: Any, i: int) -> int:
    """R44: current defence."""
    return hooks.defence(s, p, i, s.defence[i] - edges_on(s, p, Talk.CUNNING, i))


@kernel
def wound_mood(wounds: int, limit: int) -> int:
    """R74: mood for the aggressive method by the counterpart's wounds."""
    if wounds == 0:
        return -2
    if wounds >= limit:
        return 2
    return 1 if 2 * wounds > limit else -1


@kernel
def edge_modifier(s: Any, p: Any, who: int, target: int, method: int) -> int:
    """R84, A35: everything that is added to the die of an edge check."""
    total = s.social[who, method] - malus(s, who)
    if p.edge_uses_mood:
        total += wound_mood(s.wounds[target], s.limit[target]) if method == Talk.AGGRESSIVE else -2
    return hooks.edge_bonus(s, p, who, target, method, total)


@kernel
def chance_at_least(n: int) -> float:
    """P(d6 >= n)."""
    return min(6, max(0, 7 - n)) / 6.0


@kernel
def expected_wounds(s: Any, p: Any, who: int, weapon: int, target: int, steps: int) -> float:
    """7.2: expected wounds of an attack, weak spot and luck unused."""
    hit = chance_at_least(s.attack[who] - attack_modifier(s, p, who, weapon, target, steps))
    return hit * chance_at_least(defence_now(s, p, target) - damage_modifier(s, p, who, weapon, target, steps))


@kernel
def team_up(s: Any, team: int) -> int:
    """Number of figures of a team that are up; the object of `protect` (team 2) is no figure."""
    n = 0
    for i in range(len(s.x)):
        if s.team[i] == team and s.standing[i] == Status.UP:
            n += 1
    return n
