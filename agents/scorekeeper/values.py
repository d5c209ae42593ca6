"""What blows are worth in Scorekeeper: chances of damage classes, of stopping somebody, and material."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.jit import kernel
from ...envs.scorekeeper.services import (
    able,
    attack_value_of,
    damage_class,
    damage_points,
    parry_value_of,
    save_value_of,
    shock_value_of,
)
from ...envs.scorekeeper.state import ZONES, Mode, Purpose, Victory, Wound, Zone

ZONE_WEIGHTS = (0, 4, 4, 2, 4, 2, 2, 2)  # of a d20 (R42)
SUMS = 64  # sums of damage dice are smaller


# --- chances ----------------------------------------------------------------------------------------------------------


@kernel
def chance_below(value: int) -> float:
    """Chance of a check (7.1)."""
    return min(max(value - 1, 0), 20) / 20.0


@kernel
def hit_chance(s: Any, p: Any, attacker: int, target: int, mode: int, zone: int) -> float:
    """Chance that an attack hits, fumbles out."""
    value = attack_value_of(s, p, attacker, target, mode, zone)
    most = 19 if p.fumble_on > 0 else 20
    return min(max(value - 1, 0), most) / 20.0


@kernel
def has_save(s: Any, p: Any, fighter: int, attacker: int, mode: int) -> bool:
    """Whether a fighter would have a saving throw against an attacker (R20, R25, R39, R50)."""
    if s.saves_lost[fighter] or not able(s, fighter):
        return False
    if mode == Mode.SHOOT and p.r_magic[attacker] == 0:
        return p.cover_available != 0 and (p.surprised[fighter] == 0 or s.round_no > 1)
    return True


@kernel
def save_chance(s: Any, p: Any, fighter: int, attacker: int, mode: int) -> float:
    """Chance of a saving throw, 0 without one."""
    if not has_save(s, p, fighter, attacker, mode):
        return 0.0
    return chance_below(save_value_of(s, p, fighter, attacker, mode))


@kernel
def parry_chance(s: Any, p: Any, fighter: int, announced: bool) -> float:
    """Chance of a parry."""
    return chance_below(parry_value_of(s, p, fighter, announced))


@kernel
def sum_chances(dice: int, sides: int, hard: int, out: Any) -> int:
    """Chances of the sums of some dice behind hard armour, float64[SUMS]; returns the largest sum."""
    now = np.zeros(SUMS)
    now[0] = 1.0
    top = 0
    for _ in range(dice):
        after = np.zeros(SUMS)
        for i in range(top + 1):
            if now[i] > 0.0:
                for face in range(1, sides + 1):
                    after[i + max(0, face - hard)] += now[i] / sides
        top += max(0, sides - hard)
        now = after
    for i in range(top + 1):
        out[i] = now[i]
    return top


@kernel
def class_chances(s: Any, p: Any, attacker: int, target: int, mode: int, out: Any) -> None:
    """Chances of the five damage classes at every zone (rows 1..7), float64[ZONES, 5], zeroed before."""
    if mode == Mode.SHOOT:
        dice, sides = p.r_dice[attacker], p.r_sides[attacker]
    else:
        dice, sides = p.m_dice[attacker], p.m_sides[attacker]
    sums = np.zeros(SUMS)
    top = 0
    known = -1  # hard armour of `sums`
    for z in range(1, ZONES):
        same = 0
        for before in range(1, z):
            if p.hard[target, before] == p.hard[target, z] and p.soft[target, before] == p.soft[target, z]:
                same = before
        if same:
            for c in range(5):
                out[z, c] = out[same, c]
            continue
        if known != p.hard[target, z]:
            known = p.hard[target, z]
            top = sum_chances(dice, sides, known, sums)
        for i in range(top + 1):
            out[z, damage_class(damage_points(s, p, attacker, target, mode, z, i))] += sums[i]


# --- what a wound does ------------------------------------------------------------------------------------------------


@kernel
def after_limb(zone: int, wound: int) -> int:
    """R51: a lethal wound of arm or leg is severe."""
    if wound == Wound.TW and (0 < zone < 3 or zone in (Zone.RIGHT_ARM, Zone.LEFT_ARM)):
        return Wound.SW
    return wound


@kernel
def top_class(s: Any, p: Any, fighter: int, wound: int) -> int:
    """R54: the highest class that a wound makes, cumulation included; 5 for severe wounds that merge."""
    if wound == Wound.KR:
        if s.kr[fighter] + 1 < p.cap_kr[fighter]:
            return Wound.KR
        wound = Wound.LW
    if wound == Wound.LW:
        if s.lw[fighter] + 1 < p.cap_lw[fighter]:
            return Wound.LW
        wound = Wound.SW
    if wound == Wound.SW:
        return Wound.SW if s.sw[fighter] + 1 < p.cap_sw[fighter] else 5
    return wound


@kernel
def faint_chance(s: Any, p: Any, fighter: int, zone: int, wound: int, top: int) -> float:
    """R60: chance to faint of a wound of a class that leaves the fighter able."""
    if p.character[fighter] == 0:
        return 0.0
    value = p.shock[fighter]
    if wound == Wound.SW:
        if zone == Zone.HEAD:
            value = (value + p.half_shock_up) // 2
    elif not ((top >= Wound.SW and p.shock_on_cumulation) or (wound == Wound.LW and zone == Zone.HEAD)):
        return 0.0
    return 1.0 - chance_below(shock_value_of(s, p, fighter, value, Purpose.CHECK))


@kernel
def bleeds_first(p: Any, top: int) -> bool:
    """R75: a wound whose highest class is `top` loses the fight at once."""
    return p.victory == Victory.FIRST_BLOOD and top >= p.first_blood_class


@kernel
def stop_chance(s: Any, p: Any, fighter: int, zone: int, wound: int) -> float:
    """Chance that a wound of a class at a zone ends the fight for an able fighter (7.4).

    He is dead, dying or unconscious, or the first to bleed where that is what counts (R75).
    """
    if wound == 0:
        return 0.0
    wound = after_limb(zone, wound)
    top = top_class(s, p, fighter, wound)
    if bleeds_first(p, top):
        return 1.0
    if top >= Wound.TW and s.tw[fighter] + 1 >= p.tw_capacity[fighter]:
        return 1.0
    return faint_chance(s, p, fighter, zone, wound, top)


@kernel
def stop_by_zone(s: Any, p: Any, attacker: int, target: int, mode: int, out: Any) -> None:
    """Chance that a blow which gets through stops the target, by aimed zone (0: not aimed), float64[ZONES]."""
    chances = np.zeros((ZONES, 5))
    class_chances(s, p, attacker, target, mode, chances)
    out[0] = 0.0
    for z in range(1, ZONES):
        total = 0.0
        for c in range(1, 5):
            if chances[z, c] > 0.0:
                total += chances[z, c] * stop_chance(s, p, target, z, c)
        out[z] = total
        out[0] += total * ZONE_WEIGHTS[z] / 20.0


@kernel
def best_zone(s: Any, p: Any, attacker: int, target: int, mode: int) -> int:
    """7.4: the zone with the best chance to stop the target; without any, the one that hits best."""
    if p.aiming == 0:
        return 0
    stops = np.zeros(ZONES)
    stop_by_zone(s, p, attacker, target, mode, stops)
    best = 0
    value = hit_chance(s, p, attacker, target, mode, 0) * (stops[0] + 1e-6)
    for z in range(1, ZONES):
        now = hit_chance(s, p, attacker, target, mode, z) * (stops[z] + 1e-6)
        if now > value + 1e-12:
            best = z
            value = now
    return best


@kernel
def stop_per_attack(s: Any, p: Any, attacker: int, target: int, mode: int, zone: int) -> float:
    """Chance that an attack which nobody defends against stops the target."""
    stops = np.zeros(ZONES)
    stop_by_zone(s, p, attacker, target, mode, stops)
    return hit_chance(s, p, attacker, target, mode, zone) * stops[zone]


# --- material ---------------------------------------------------------------------------------------------------------


@kernel
def potential(p: Any, fighter: int, kr: int, lw: int, sw: int) -> float:
    """Wound potential (7.6) as a share of what merges into a lethal wound."""
    c1, c2, c3 = p.cap_kr[fighter], p.cap_lw[fighter], p.cap_sw[fighter]
    return (kr + c1 * lw + c1 * c2 * sw) / (c1 * c2 * c3)


@kernel
def material_of(p: Any, fighter: int, share: float) -> float:
    """What an able fighter with a share of his wound potential is worth, 1 unhurt."""
    return 1.0 - 0.5 * min(1.0, share)


DEAD_VALUE, DYING_VALUE, OUT_VALUE = 0.0, 0.08, 0.2  # of fighters who are dead, in death struggle, unconscious


@kernel
def material(s: Any, p: Any, fighter: int) -> float:
    """What a fighter is worth to his side, 0..1."""
    if s.dead[fighter]:
        return DEAD_VALUE
    if s.struggle[fighter]:
        return DYING_VALUE * (2.0 if s.stable[fighter] else 1.0)
    if not able(s, fighter):
        return OUT_VALUE
    share = potential(p, fighter, s.kr[fighter], s.lw[fighter], s.sw[fighter])
    return material_of(p, fighter, share + 0.05 * s.bleeding[fighter])


@kernel
def material_after(s: Any, p: Any, fighter: int, zone: int, wound: int) -> float:
    """Expected material of a fighter after a wound of a class at a zone."""
    if wound == 0:
        return material(s, p, fighter)
    wound = after_limb(zone, wound)
    top = top_class(s, p, fighter, wound)
    if bleeds_first(p, top):
        return DEAD_VALUE
    if top >= Wound.TW and s.tw[fighter] + 1 >= p.tw_capacity[fighter]:
        return DYING_VALUE if top == 5 and p.character[fighter] and s.struggle[fighter] == 0 else DEAD_VALUE
    if not able(s, fighter):
        return 0.9 * material(s, p, fighter)
    c1, c2, c3 = p.cap_kr[fighter], p.cap_lw[fighter], p.cap_sw[fighter]
    gain = 1 if wound == Wound.KR else (c1 if wound == Wound.LW else c1 * c2)
    share = potential(p, fighter, s.kr[fighter], s.lw[fighter], s.sw[fighter]) + gain / (c1 * c2 * c3)
    faint = faint_chance(s, p, fighter, zone, wound, top)
    stays = material_of(p, fighter, share + 0.05 * (s.bleeding[fighter] + (wound == Wound.SW)))
    return (1.0 - faint) * stays + faint * OUT_VALUE


@kernel
def loss_by_zone(s: Any, p: Any, attacker: int, target: int, mode: int, out: Any) -> None:
    """Expected loss of material of a blow that gets through, by aimed zone (0: not aimed), float64[ZONES]."""
    chances = np.zeros((ZONES, 5))
    class_chances(s, p, attacker, target, mode, chances)
    before = material(s, p, target)
    out[0] = 0.0
    for z in range(1, ZONES):
        total = 0.0
        for c in range(1, 5):
            if chances[z, c] > 0.0:
                total += chances[z, c] * (before - material_after(s, p, target, z, c))
        out[z] = total
        out[0] += total * ZONE_WEIGHTS[z] / 20.0
