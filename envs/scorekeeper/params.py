"""Scenario parameters: validation with specific errors, defaults (section 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.brief import brief
from ..core.checks import Check, near
from ..core.errors import RulesetError
from ..core.options import Option, filled
from . import state as st
from .armoury import ARMOUR, MELEE_WEAPONS, RANGED_WEAPONS, WEAPONS
from .formulas import capacities

TEAMS = ("a", "b")
MAX_NAME = 40


def refuse(name: str, value: Any, allowed: str) -> RulesetError:
    """The error for a value that is not allowed."""
    return RulesetError(f"{name} = {brief(value)} is not allowed; allowed: {allowed}")


def unknown(what: str, name: Any, value: Any, known: Sequence[str]) -> RulesetError:
    """The error for a name that nobody knows."""
    return RulesetError(
        f"{what} {brief(name)} = {brief(value)} is unknown; known: {', '.join(known)}{near(str(name), known)}"
    )


def whole(low: int, high: int) -> Check:
    """A whole number low..high; neither a bool nor a float."""

    def check(name: str, value: Any) -> int:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
            raise refuse(name, value, f"{low}..{high}")
        return int(value)

    return check


def flag(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise refuse(name, value, "true or false")
    return bool(value)


def one_of(*allowed: Any) -> Check:
    """One of some texts or numbers."""

    def check(name: str, value: Any) -> Any:
        if isinstance(value, (bool, float)) or not isinstance(value, (str, int)) or value not in allowed:
            raise refuse(name, value, " | ".join(map(str, allowed)))
        return value

    return check


def subset(*allowed: str) -> Check:
    """A list of some of the texts."""

    def check(name: str, value: Any) -> list[str]:
        ok = isinstance(value, (list, tuple)) and all(isinstance(v, str) and v in allowed for v in value)
        if not ok:
            raise refuse(name, value, f"a subset of {list(allowed)}")
        return [word for word in allowed if word in value]

    return check


def _int(default: int, low: int, high: int) -> Option:
    return Option(default, whole(low, high), f"{low}..{high}")


def _flag(default: bool) -> Option:
    return Option(default, flag, "true or false")


def _choice(default: Any, *allowed: Any) -> Option:
    return Option(default, one_of(*allowed), " | ".join(map(str, allowed)))


def _subset(default: Sequence[str], *allowed: str) -> Option:
    return Option(list(default), subset(*allowed), f"a subset of {list(allowed)}")


OPTIONS: dict[str, Option] = {
    "field_length": _int(40, 1, 200),
    "max_rounds": _int(30, 1, 200),
    "victory": _choice("incapacitated", *st.VICTORIES),
    "first_blood_class": _choice("KR", *st.CLASS_CODES[1:]),
    "utility": _choice("win", *st.UTILITIES),
    "draw_rule": _choice("zero", "zero", "margin"),
    "tie_break": _choice("random", "random", "base"),
    "surprise_penalty": _int(5, 0, 20),
    "aiming": _flag(True),
    "allow_full_run": _flag(True),
    "allow_forgo": _flag(False),
    "declare_out_of_reach": _flag(False),
    "run_factor": _int(3, 1, 6),
    "full_run_modifier": _int(0, -10, 10),
    "full_run_damage_bonus": _int(0, 0, 10),
    "full_run_forfeits_saves": _flag(True),
    "parry_limit": _int(0, 0, 20),
    "declared_defence_bonus": _int(0, 0, 10),
    "counter_rule": _choice("declared", *st.COUNTER_RULES),
    "counter_modifier": _int(0, -10, 10),
    "counters_per_round": _int(1, 1, 8),
    "range_mod_medium": _int(-2, -20, 0),
    "range_mod_long": _int(-4, -20, 0),
    "fumble_on": _choice(20, 0, 20),
    "ranged_fumble": _choice("jam", *st.FUMBLES),
    "cover_available": _flag(True),
    "armour_by_zone": _flag(True),
    "hard_vs_bonus": _choice("unaffected", *st.HARD_BONUS),
    "capacity_divisor": _int(3, 1, 10),
    "capacity_base": _int(1, 0, 5),
    "kr_capacity_extra": _int(1, 0, 5),
    "shock_on_cumulation": _flag(True),
    "half_shock_rounding": _choice("up", "up", "down"),
    "head_sw_extra_penalty": _int(0, 0, 10),
    "tw_penalty": _int(4, 0, 20),
    "hazard_effect": _choice("lose_action", "lose_action", "unconscious"),
    "hazard_penalty": _int(4, 0, 20),
    "bleeding": _choice("scratch", "off", "scratch"),
    "death_first_penalty": _int(0, 0, 20),
    "death_step": _int(1, 0, 10),
    "death_roll_start": _choice("same_round", "same_round", "next_round"),
    "fate_enabled": _flag(True),
    "fate_scope": _choice("own", "own", "involved"),
    "fate_ask": _choice("key", "key", "always"),
    "fate_reroll_rolls": _subset(st.ROLLS, *st.ROLLS),
    "wound_penalty_rolls": _subset(("attack", "parry", "save", "first_aid"), *st.PENALTY_ROLLS),
}
ENVIRONMENT: dict[str, Option] = {  # beside the rules (end of section 5)
    "control": _choice("fighter", "fighter", "team"),
    "private_sheets": _flag(False),
}

FIGHTER: dict[str, Option] = {
    "kind": _choice("character", *st.KINDS),
    **{name: _int(6, 1, 20) for name in ("wah", "agl", "res", "wil")},
    **{name: _int(5, 0, 20) for name in ("melee_skill", "ranged_skill")},
    "first_aid": _int(6, 0, 30),
    "damage_bonus": _int(0, -5, 20),
    "fate": _int(0, 0, 10),
    "reaction_mod": _int(0, -20, 20),
    "roll_mod": _int(0, -20, 20),
    "tw_capacity": _int(1, 1, 5),
    "surprised": _flag(False),
    "melee": _choice("unarmed", *MELEE_WEAPONS),
}
# fields whose range or default depends on other values
DEPENDENT = ("name", "team", "magic_resistance", "position", "ranged", "armour", "loaded", "wounds", "bleeding")


def check_config(config: Any) -> dict[str, Any]:
    """All options with defaults filled in; raises RulesetError naming option, value and range."""
    config = {} if config is None else config
    if not isinstance(config, Mapping):
        raise refuse("config", config, "a mapping of options")
    known = {**OPTIONS, **ENVIRONMENT}
    for name, value in config.items():
        if name not in known:
            raise unknown("option", name, value, list(known))
    return filled(known, config)


def check_name(value: Any, taken: Sequence[str]) -> str:
    """A name of its own, without the signs that separate the parts of an action."""
    ok = isinstance(value, str) and value.strip() == value and re.fullmatch(rf"[^\x00-\x1f:]{{1,{MAX_NAME}}}", value)
    if not ok:
        raise refuse("name", value, f"a text of 1..{MAX_NAME} characters without ':'")
    if value.casefold() in [name.casefold() for name in taken]:
        raise refuse("name", value, "distinct names")
    return value


def check_armour(value: Any) -> list[str]:
    """A list of armour names; the first bad one is reported."""
    words = " | ".join(ARMOUR)
    if not isinstance(value, (list, tuple)):
        raise refuse("armour", value, f"a list of {words}")
    for piece in value:
        if not isinstance(piece, str) or piece not in ARMOUR:
            raise refuse("armour", piece, words)
    return list(value)


def check_wounds(value: Any, capacity: Mapping[str, int]) -> dict[str, int]:
    """Wounds at the start: below the capacities."""
    value = {} if value is None else value
    if not isinstance(value, Mapping):
        raise refuse("wounds", value, "a mapping with kr, lw, sw")
    for name in value:
        if name not in capacity:
            raise refuse(f"wounds.{name}", value[name], "kr, lw and sw only")
    return {n: whole(0, c - 1)(f"wounds.{n}", value.get(n, 0)) for n, c in capacity.items()}


def check_fighter(given: Any, config: Mapping[str, Any], taken: Sequence[str]) -> dict[str, Any]:
    """A fighter with defaults filled in; raises RulesetError."""
    if not isinstance(given, Mapping):
        raise refuse("fighters", given, "a list of mappings, one a fighter")
    for name in given:
        if name not in FIGHTER and name not in DEPENDENT:
            raise unknown("field", name, given[name], [*FIGHTER, *DEPENDENT])
    out: dict[str, Any] = {"name": check_name(given.get("name"), taken)}
    out["team"] = one_of(*TEAMS)("team", given.get("team"))
    for name, option in FIGHTER.items():
        out[name] = option.check(name, given.get(name, option.default))
    magic = given.get("magic_resistance")
    out["magic_resistance"] = out["wil"] if magic is None else whole(0, 30)("magic_resistance", magic)
    out["position"] = whole(0, config["field_length"])("position", given.get("position", 0))
    ranged = given.get("ranged")
    out["ranged"] = None if ranged is None or ranged == "none" else one_of("none", *RANGED_WEAPONS)("ranged", ranged)
    out["armour"] = check_armour(given.get("armour", []))
    magazine = WEAPONS[out["ranged"]].capacity if out["ranged"] else 0
    loaded = given.get("loaded")
    out["loaded"] = magazine if loaded is None else whole(0, magazine)("loaded", loaded)
    options = (config["capacity_base"], config["capacity_divisor"], config["kr_capacity_extra"])
    out["capacity"] = capacities(out["res"], *options)
    out["wounds"] = check_wounds(given.get("wounds"), out["capacity"])
    out["bleeding"] = whole(0, out["wounds"]["sw"])("bleeding", given.get("bleeding", 0))
    return out


def check_fighters(given: Any, config: Mapping[str, Any], duel: bool) -> list[dict[str, Any]]:
    """All fighters; raises RulesetError."""
    if not isinstance(given, (list, tuple)):
        raise refuse("fighters", given, "a list of mappings, one a fighter")
    out: list[dict[str, Any]] = []
    for fighter in given:
        out.append(check_fighter(fighter, config, [f["name"] for f in out]))
    most = 1 if duel else st.TEAM
    for team in TEAMS:
        size = sum(f["team"] == team for f in out)
        if not 1 <= size <= most:
            raise refuse(f"team size of {team}", size, f"1..{most}")
    return out


def check_events(given: Any, names: Sequence[str]) -> list[dict[str, Any]]:
    """Scripted events (4.5); raises RulesetError."""
    given = [] if given is None else given
    if not isinstance(given, (list, tuple)) or len(given) > st.SCRIPTED:
        count = len(given) if isinstance(given, (list, tuple)) else given
        raise refuse("events", count, f"a list of 0..{st.SCRIPTED} mappings")
    out = []
    fields = ("round", "fighter", "kind", "wound", "zone")
    for event in given:
        if not isinstance(event, Mapping):
            raise refuse("events", event, "a mapping with round, fighter, kind, wound, zone")
        for name in event:
            if name not in fields:
                raise unknown("field", f"events.{name}", event[name], fields)
        kind = one_of(*st.SCRIPT_KINDS)("events.kind", event.get("kind"))
        wound, zone = event.get("wound"), event.get("zone")
        if kind == "wound" or (kind == "fall" and wound is not None and wound != "none"):
            allowed = (*st.CLASS_CODES[1:], "none") if kind == "fall" else st.CLASS_CODES[1:]
            wound = one_of(*allowed)("events.wound", wound)
        else:
            wound = "none"
        if zone is None or zone == "none":
            zone = "any"
        else:
            zone = one_of("none", *st.ZONE_CODES[1:])("events.zone", zone)
        out.append(
            {
                "round": whole(1, 200)("events.round", event.get("round")),
                "fighter": one_of(*names)("events.fighter", event.get("fighter")),
                "kind": kind,
                "wound": wound,
                "zone": zone,
            }
        )
    return out


def check_setup(setup: Any, duel: bool = False) -> dict[str, Any]:
    """A complete setup {config, events, fighters} with all defaults filled in; raises RulesetError."""
    if not isinstance(setup, Mapping):
        raise refuse("setup", setup, "a mapping with config, events, fighters")
    known = ("config", "events", "fighters", "modules")
    for name in setup:
        if name not in known:
            raise unknown("part", name, setup[name], known)
    config = check_config(setup.get("config"))
    fighters = check_fighters(setup.get("fighters"), config, duel)
    events = check_events(setup.get("events"), [f["name"] for f in fighters])
    return {"config": config, "events": events, "fighters": fighters}
