"""The rules that are plain functions: chances, zones, damage, capacities, healing; for tables, checks and odds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..core.checks import fail
from . import state as st

HEALING_DAYS = {"KR": 1, "LW": 7, "SW": 30}  # R74


def clamp(value: int, low: int, high: int) -> int:
    """The value, but not beyond low..high."""
    return max(low, min(high, value))


def success_probability(target: int, fumble_on: int = 0) -> Fraction:
    """Chance that a d20 falls strictly below `target` and is no fumble (7.1)."""
    return Fraction(clamp(target - 1, 0, 20 if fumble_on == 0 else min(20, fumble_on - 1)), 20)


def hit_zone(d20: int) -> str:
    """R42: the zone of a d20 (1..20)."""
    if not 1 <= d20 <= 20:
        raise fail("d20", d20, "a whole number 1..20")
    return st.ZONE_CODES[st.ZONE_OF_D20[d20]]


def zone_number(zone: str) -> int:
    """Number of a zone word, `any` included; raises RulesetError."""
    if zone not in st.ZONE_CODES:
        raise fail("zone", zone, " | ".join(st.ZONE_CODES))
    return st.ZONE_CODES.index(zone)


def aim_penalty(zone: str) -> int:
    """R23: what aiming at a zone subtracts."""
    return st.AIM[zone_number(zone)]


def damage_class(points: int) -> str:
    """R44: the class of points of damage."""
    for limit, name in ((0, "none"), (6, "KR"), (11, "LW"), (15, "SW")):
        if points <= limit:
            return name
    return "TW"


def damage_points(
    dice: Sequence[int], bonus: int = 0, hard: int = 0, soft: int = 0, hard_vs_bonus: str = "unaffected"
) -> int:
    """R45, R46: points of some dice behind armour."""
    if hard_vs_bonus not in st.HARD_BONUS:
        raise fail("hard_vs_bonus", hard_vs_bonus, " | ".join(st.HARD_BONUS))
    through = sum(max(0, die - hard) for die in dice)
    if hard_vs_bonus == "needs_die" and through == 0:
        bonus = 0
    elif hard_vs_bonus == "as_die" and bonus > 0:
        bonus = max(0, bonus - hard)
    return max(0, through + bonus - soft)


def damage(
    dice: Sequence[int], bonus: int = 0, hard: int = 0, soft: int = 0, hard_vs_bonus: str = "unaffected"
) -> dict[str, Any]:
    """R44 to R46: points and class of some dice behind armour."""
    points = damage_points(dice, bonus, hard, soft, hard_vs_bonus)
    return {"points": points, "class": damage_class(points)}


def capacities(res: int, base: int = 1, divisor: int = 3, kr_extra: int = 1) -> dict[str, int]:
    """R55: how many equal wounds merge into one of the next class."""
    each = max(1, base + res // divisor)
    return {"kr": each + kr_extra, "lw": each, "sw": each}


def half_target(value: int, rounding: str = "up") -> int:
    """R60: the target that stands for half of a value."""
    if rounding not in ("up", "down"):
        raise fail("rounding", rounding, "up | down")
    return (value + 1) // 2 if rounding == "up" else value // 2


def death_survival(shock_value: int, rolls: int, first: int = 0, step: int = 1) -> Fraction:
    """R63, 7.7: chance to pass so many death rolls."""
    chance = Fraction(1)
    for k in range(rolls):
        chance *= success_probability(shock_value - first - step * k)
    return chance


def heal(wounds: Sequence[Sequence[Any]], days: int, care: bool = True) -> list[list[Any]]:
    """R74: wounds [class, age in days] that are left after some days; an untended LW does not go."""
    left = []
    for name, age in wounds:
        if name not in st.CLASS_CODES[1:]:
            raise fail("wounds", name, " | ".join(st.CLASS_CODES[1:]))
        needed = HEALING_DAYS.get(name)
        heals = needed is not None and (care or name != "LW") and age + days >= needed
        if not heals:
            left.append([name, age + days])
    return left


def infection(wound_class: str, res: int, d20: int) -> str:
    """R74: an untended LW or SW grows one class unless the d20 is below RES."""
    if wound_class not in st.CLASS_CODES[1:]:
        raise fail("wound_class", wound_class, " | ".join(st.CLASS_CODES[1:]))
    if wound_class in ("LW", "SW") and d20 >= res:
        return st.CLASS_CODES[st.CLASS_CODES.index(wound_class) + 1]
    return wound_class


def within_action_radius(agl: int, distance: int) -> bool:
    """R13, R15: AGL/3 metres, but always one."""
    return distance <= 1 or 3 * distance <= agl
