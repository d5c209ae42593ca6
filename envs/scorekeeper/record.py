"""From a checked setup to the parameter record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.modules import ModuleSet
from . import state as st
from .armoury import ARMOUR, WEAPONS

# options that are codes or flags in the record; all others stand there under their own name
_CODES: dict[str, tuple[str, tuple[Any, ...]]] = {  # option -> field, values in the order of their numbers
    "victory": ("victory", st.VICTORIES),
    "first_blood_class": ("first_blood_class", st.CLASS_CODES),
    "utility": ("utility", st.UTILITIES),
    "draw_rule": ("draw_by_margin", ("zero", "margin")),
    "tie_break": ("ties_by_base", ("random", "base")),
    "counter_rule": ("counter_rule", st.COUNTER_RULES),
    "ranged_fumble": ("ranged_fumble", st.FUMBLES),
    "hard_vs_bonus": ("hard_vs_bonus", st.HARD_BONUS),
    "half_shock_rounding": ("half_shock_up", ("down", "up")),
    "hazard_effect": ("hazard_faints", ("lose_action", "unconscious")),
    "bleeding": ("bleeds", ("off", "scratch")),
    "death_roll_start": ("death_next_round", ("same_round", "next_round")),
    "fate_scope": ("fate_involved", ("own", "involved")),
    "fate_ask": ("fate_always", ("key", "always")),
    "control": ("by_team", ("fighter", "team")),
}
_ELSEWHERE = ("run_factor", "armour_by_zone", "capacity_divisor", "capacity_base", "kr_capacity_extra")
_SETS = {"fate_reroll_rolls": "fate_rolls", "wound_penalty_rolls": "penalty_rolls"}
_PLAIN = (
    "wah", "agl", "res", "wil", "melee_skill", "ranged_skill", "first_aid", "magic_resistance", "damage_bonus", "fate",
    "position", "reaction_mod", "roll_mod", "tw_capacity", "surprised", "bleeding", "loaded",
)  # fmt: skip


def decision_limit(config: Mapping[str, Any], fighters: int) -> int:
    """A number of decisions that no fight reaches (4.6)."""
    return config["max_rounds"] * fighters * 80 + 100


def fill_fighter(r: Any, i: int, fighter: Mapping[str, Any], config: Mapping[str, Any]) -> None:
    """One fighter: values, sheet, weapons, armour, reach."""
    for name in _PLAIN:
        r[name][i] = fighter[name]
    r.team[i] = fighter["team"] == "b"
    r.character[i] = fighter["kind"] == "character"
    r.shock[i] = fighter["res"] + fighter["wil"]
    for name, capacity in fighter["capacity"].items():
        r[f"cap_{name}"][i] = capacity
        r[name][i] = fighter["wounds"][name]
    run = config["run_factor"] * fighter["agl"] // 3
    r.reach[i] = max(1, fighter["agl"] // 3)
    r.run_reach[i] = max(1, run)
    r.run_distance[i] = run
    melee = WEAPONS[fighter["melee"]]
    r.m_dice[i], r.m_sides[i], r.m_electric[i], r.m_bonus[i] = melee.dice, melee.sides, melee.electric, melee.bonus
    if fighter["ranged"]:
        gun = WEAPONS[fighter["ranged"]]
        r.r_has[i], r.r_dice[i], r.r_sides[i], r.r_electric[i] = 1, gun.dice, gun.sides, gun.electric
        r.r_bonus[i] = gun.bonus or gun.thrown
        r.r_range[i], r.r_capacity[i], r.r_reserve[i], r.r_magic[i] = gun.reach, gun.capacity, gun.reserve, gun.magic
    for piece in fighter["armour"]:
        armour = ARMOUR[piece]
        zones = armour.zones if config["armour_by_zone"] else st.ZONE_CODES[1:]
        for zone in zones:
            z = st.ZONE_CODES.index(zone)
            r.hard[i, z] = max(r.hard[i, z], armour.hard)
            r.soft[i, z] = max(r.soft[i, z], armour.soft)


def fill_slots(r: Any, n: int) -> None:
    """4.7, 4.8: enemy and ally slots, observation blocks, and the seats that decide."""
    r.enemy[:] = r.ally[:] = -1
    for i in range(n):
        mates = [i, *(o for o in range(n) if o != i and r.team[o] == r.team[i])]
        enemies = [o for o in range(n) if r.team[o] != r.team[i]]
        r.ally[i, : len(mates)] = mates
        r.enemy[i, : len(enemies)] = enemies
        for block, other in [*enumerate(mates), *enumerate(enemies, st.TEAM)]:
            r.block[i, other] = block
        r.seat_of[i] = r.team[i] if r.by_team else i


def param_record(checked: Mapping[str, Any], modules: ModuleSet, dtype: np.dtype) -> np.ndarray:
    """The parameter record (one item of `dtype`) of a checked setup."""
    array = np.zeros(1, dtype=dtype)
    r: Any = array.view(np.recarray)[0]
    config, fighters = checked["config"], checked["fighters"]
    r.fighters = len(fighters)
    r.max_decisions = decision_limit(config, len(fighters))
    for option, value in config.items():
        if option in _CODES:
            field, values = _CODES[option]
            r[field] = values.index(value)
        elif option in _SETS:
            r[_SETS[option]] = sum(1 << st.ROLLS.index(word) for word in value)
        elif option not in _ELSEWHERE:
            r[option] = value
    for i, fighter in enumerate(fighters):
        fill_fighter(r, i, fighter, config)
    fill_slots(r, len(fighters))
    events = checked["events"]
    names = [f["name"] for f in fighters]
    r.scripted = len(events)
    for i, event in enumerate(events):
        r.s_round[i] = event["round"]
        r.s_fighter[i] = names.index(event["fighter"])
        r.s_kind[i] = st.SCRIPT_KINDS.index(event["kind"])
        r.s_wound[i] = st.CLASS_CODES.index(event["wound"])
        r.s_zone[i] = st.ZONE_CODES.index(event["zone"])
    modules.fill_params(r, names)
    return array
