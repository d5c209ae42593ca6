"""Exact chances of single blows in Scorekeeper: hit, defence, damage classes, stopping; all in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from ...envs.core.checks import fail
from ...envs.scorekeeper import state as st
from ...envs.scorekeeper.armoury import ARMOUR, WEAPONS, Weapon
from ...envs.scorekeeper.formulas import aim_penalty, damage_class, half_target, success_probability

ZERO, ONE = Fraction(0), Fraction(1)
CLASSES = st.CLASS_CODES  # none, KR, LW, SW, TW
ZONES = st.ZONE_CODES[1:]
LIMBS = ("right_leg", "left_leg", "right_arm", "left_arm")
ZONE_CHANCES = {zone: Fraction(st.ZONE_OF_D20.count(st.ZONE_CODES.index(zone)), 20) for zone in ZONES}  # R42


def weapon_of(name: str) -> Weapon:
    """A weapon of the armoury; raises RulesetError."""
    if name not in WEAPONS:
        raise fail("weapon", name, " | ".join(WEAPONS))
    return WEAPONS[name]


def armour_at(pieces: str | Sequence[str] | None, zone: str) -> tuple[int, int]:
    """Hard and soft armour of a zone under some pieces (R47); raises RulesetError."""
    hard = soft = 0
    names = () if pieces in (None, "none") else ((pieces,) if isinstance(pieces, str) else tuple(pieces or ()))
    for name in names:
        if name not in ARMOUR:
            raise fail("armour", name, " | ".join(ARMOUR))
        if zone in ARMOUR[name].zones:
            hard, soft = max(hard, ARMOUR[name].hard), max(soft, ARMOUR[name].soft)
    return hard, soft


@cache
def sum_chances(dice: int, sides: int, hard: int) -> dict[int, Fraction]:
    """Chances of the sum of some dice, each lowered by hard armour, not below 0 (R45)."""
    out = {0: ONE}
    for _ in range(dice):
        after: dict[int, Fraction] = {}
        for total, chance in out.items():
            for face in range(1, sides + 1):
                key = total + max(0, face - hard)
                after[key] = after.get(key, ZERO) + chance / sides
        out = after
    return out


@cache
def class_chances(
    weapon: str, hard: int = 0, soft: int = 0, bonus: int = 0, hard_vs_bonus: str = "unaffected", extra: int = 0
) -> dict[str, Fraction]:
    """R44 to R46: chance of every damage class of one blow that gets through.

    `bonus` is the wielder's damage bonus; it counts for weapons that take one. `extra` counts for all (R20).
    """
    arm = weapon_of(weapon)
    if hard_vs_bonus not in st.HARD_BONUS:
        raise fail("hard_vs_bonus", hard_vs_bonus, " | ".join(st.HARD_BONUS))
    bonus = (bonus if arm.bonus or arm.thrown else 0) + extra
    out: dict[str, Fraction] = dict.fromkeys(CLASSES, ZERO)
    for through, chance in sum_chances(arm.dice, arm.sides, hard).items():
        more = bonus
        if hard_vs_bonus == "needs_die" and through == 0:
            more = 0
        elif hard_vs_bonus == "as_die" and bonus > 0:
            more = max(0, bonus - hard)
        out[damage_class(max(0, through + more - soft))] += chance
    return out


def zone_classes(
    weapon: str, armour: str | Sequence[str] | None, zone: str, bonus: int = 0, hard_vs_bonus: str = "unaffected"
) -> dict[str, Fraction]:
    """The same at a zone of a body under armour; a lethal wound of a limb is severe, elsewhere it is called `dead`."""
    chances = class_chances(weapon, *armour_at(armour, zone), bonus, hard_vs_bonus)
    out = {name: chances[name] for name in CLASSES[:-1]} | {"dead": ZERO}
    out["SW" if zone in LIMBS else "dead"] += chances["TW"]
    return out


def unaimed_classes(
    weapon: str, armour: str | Sequence[str] | None = None, bonus: int = 0, hard_vs_bonus: str = "unaffected"
) -> dict[str, Fraction]:
    """R42, R51: the same for a zone by the dice."""
    out: dict[str, Fraction] = dict.fromkeys((*CLASSES[:-1], "dead"), ZERO)
    for zone, chance in ZONE_CHANCES.items():
        for name, part in zone_classes(weapon, armour, zone, bonus, hard_vs_bonus).items():
            out[name] += chance * part
    return out


def faints(zone: str, wound: str, shock_value: int) -> Fraction:
    """R60: chance that a fresh target faints from a wound of a class at a zone."""
    if wound == "SW":
        return ONE - success_probability(half_target(shock_value) if zone == "head" else shock_value)
    if wound == "LW" and zone == "head":
        return ONE - success_probability(shock_value)
    return ZERO


def stop_of_hit(
    weapon: str, armour: str | Sequence[str] | None, zone: str, shock_value: int, bonus: int = 0
) -> Fraction:
    """Chance that a blow which gets through at a zone (`any`: by the dice) leaves a fresh target dead or fainted."""
    if zone == "any":
        parts = [chance * stop_of_hit(weapon, armour, z, shock_value, bonus) for z, chance in ZONE_CHANCES.items()]
        return sum(parts, ZERO)
    chances = zone_classes(weapon, armour, zone, bonus)
    return chances["dead"] + sum((chances[c] * faints(zone, c, shock_value) for c in ("LW", "SW")), ZERO)


def kill_of_hit(weapon: str, armour: str | Sequence[str] | None, zone: str, bonus: int = 0) -> Fraction:
    """Chance that a blow which gets through at a zone (`any`: by the dice) kills a fresh target at once."""
    if zone == "any":
        return unaimed_classes(weapon, armour, bonus)["dead"]
    return zone_classes(weapon, armour, zone, bonus)["dead"]


def through_chance(attack: int, save: int, zone: str) -> Fraction:
    """Chance that an attack of a value, aimed at a zone word, hits and is not stopped by a save under a value."""
    return success_probability(attack - aim_penalty(zone), 20) * (ONE - success_probability(save))


def per_shot(
    weapon: str, armour: str | Sequence[str] | None, attack: int, save: int, shock_value: int | None
) -> dict[str, Fraction]:
    """7.4: chance, by zone word, that one shot kills at once or (with a shock value) kills or makes faint."""
    out = {}
    for zone in st.ZONE_CODES:
        worth = (
            kill_of_hit(weapon, armour, zone) if shock_value is None else stop_of_hit(weapon, armour, zone, shock_value)
        )
        out[zone] = through_chance(attack, save, zone) * worth
    return out


__all__ = [
    "CLASSES", "ZONES", "ZONE_CHANCES", "armour_at", "class_chances", "faints", "kill_of_hit", "per_shot",
    "stop_of_hit", "through_chance", "unaimed_classes", "weapon_of", "zone_classes",
]  # fmt: skip
