"""Kits from files: `kit.json`, or another file of the same shape that the option `kit` names; everything is checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ...core.checks import Check, choice, fail, integer
from ...core.errors import RulesetError
from .kit import (
    ATTRIBUTES,
    COMBAT,
    EVENTS,
    ITEMS,
    MAX_TOOLS,
    MAX_WEAPONS,
    PHYSICAL,
    SKILLS,
    SOCIAL,
    WEAPON_GROUPS,
    Kit,
)
from .sheet import normal

DIE = 6

WEAPON: dict[str, Check] = {
    "kind": choice("melee", "ranged"),
    "damage_mod": integer(-2, 2),
    "range": integer(0, 40),
    "group": choice(*WEAPON_GROUPS),
    "price": integer(0, 20),
}
ARMOUR: dict[str, Check] = {"bonus": integer(0, 3), "malus": integer(0, 5), "price": integer(0, 20)}
TOOL: dict[str, Check] = {
    "kind": choice("plain", "limited", "automatic"),
    "bonus": integer(0, 12),
    "durability": integer(0, 99),
    "price": integer(0, 20),
}
ITEM: dict[str, dict[str, Check]] = {
    "heal_draught": {"amount": integer(1, 10), "reach": integer(0, 40), "price": integer(0, 20)},
    "smelling_salts": {"reach": integer(0, 40), "price": integer(0, 20)},
    "fire_flask": {
        "damage_mod": integer(-6, 6), "reach": integer(1, 40), "area": integer(0, 10), "price": integer(0, 20),
    },
}  # fmt: skip
ARCHETYPE = ("name", "attributes", "physical", "combat", "social", "skills", "weapons", "armour", "items")


def _mapping(name: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not value or not all(isinstance(k, str) and k.strip() for k in value):
        raise fail(name, value, "an object name -> entry, at least one")
    return value


def _fields(name: str, value: Any, checks: Mapping[str, Check]) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise fail(name, value, "an object with the fields " + ", ".join(checks))
    for key in value:
        if key not in checks:
            raise fail(f"{name}: field", key, "one of " + ", ".join(checks))
    for key in checks:
        if key not in value:
            raise RulesetError(f"{name}: the field {key!r} is missing; needed: {', '.join(checks)}")
    return {key: check(f"{name}: {key}", value[key]) for key, check in checks.items()}


def _names(name: str, value: Any, known: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)):
        raise fail(name, value, "a list of " + ", ".join(known))
    return tuple(choice(*known)(name, item) for item in value)


def _items(name: str, value: Any) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise fail(name, value, "an object item -> number")
    return {choice(*ITEMS)(f"{name}: item", k): integer(0, 9)(f"{name}: {k}", n) for k, n in value.items()}


def _six(name: str, value: Any) -> tuple[str, ...]:
    texts = isinstance(value, (list, tuple)) and all(isinstance(v, str) and v.strip() for v in value)
    if not texts or len(value) != DIE:
        raise fail(name, value, f"a list of {DIE} texts, one for each face")
    return tuple(value)


def _archetype(name: str, value: Any, weapons: Any, armours: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise fail(name, value, "an object with the fields " + ", ".join(ARCHETYPE))
    if sorted(value) != sorted(ARCHETYPE):
        raise fail(f"{name}: fields", sorted(value), ", ".join(ARCHETYPE))
    if not isinstance(value["name"], str) or not value["name"].isidentifier():
        raise fail(f"{name}: name", value["name"], "a word")
    label = f"{name} {value['name']!r}"
    out: dict[str, Any] = {"name": value["name"]}
    for field, known in (
        ("attributes", ATTRIBUTES), ("physical", PHYSICAL), ("combat", COMBAT), ("social", SOCIAL), ("skills", SKILLS),
        ("weapons", weapons),
    ):  # fmt: skip
        out[field] = _names(f"{label}: {field}", value[field], known)
        if not out[field]:
            raise fail(f"{label}: {field}", value[field], "at least one of " + ", ".join(known))
    if len(out["weapons"]) > MAX_WEAPONS:
        raise fail(f"{label}: weapons", list(out["weapons"]), f"at most {MAX_WEAPONS}")
    out["armour"] = choice(*armours)(f"{label}: armour", value["armour"])
    out["items"] = _items(f"{label}: items", value["items"])
    return out


def check_kit(data: Any, name: str) -> Kit:
    """A kit from plain data; raises RulesetError naming the entry, the value and what is allowed."""
    label = f"kit {name!r}"
    needed = (
        "weapons", "armours", "tools", "items", "archetypes", "heroes", "environments", "events", "default_weapon",
        "default_armour",
    )  # fmt: skip
    if not isinstance(data, Mapping):
        raise fail(label, type(data).__name__, "an object with " + ", ".join(needed))
    for key in needed:
        if key not in data:
            raise RulesetError(f"{label}: {key!r} is missing; needed: {', '.join(needed)}")
    for key in data:
        if key not in (*needed, "title"):
            raise fail(f"{label}: field", key, "one of title, " + ", ".join(needed))
    weapons = {
        k: _fields(f"{label}: weapon {k!r}", v, WEAPON)
        for k, v in _mapping(f"{label}: weapons", data["weapons"]).items()
    }
    if len(weapons) > 40:
        raise fail(f"{label}: weapons", len(weapons), "at most 40")
    for k, weapon in weapons.items():
        if weapon["kind"] == "ranged" and weapon["range"] < 1:
            raise fail(f"{label}: weapon {k!r}: range", weapon["range"], "1..40 for a ranged weapon")
    armours = {
        k: _fields(f"{label}: armour {k!r}", v, ARMOUR)
        for k, v in _mapping(f"{label}: armours", data["armours"]).items()
    }
    if len(armours) > 40:
        raise fail(f"{label}: armours", len(armours), "at most 40")
    tools = {k: _fields(f"{label}: tool {k!r}", v, TOOL) for k, v in _mapping(f"{label}: tools", data["tools"]).items()}
    if len(tools) > MAX_TOOLS:
        raise fail(f"{label}: tools", len(tools), f"at most {MAX_TOOLS}")
    for k, tool in tools.items():
        low, high = {"plain": (1, 3), "limited": (4, 12), "automatic": (0, 12)}[tool["kind"]]
        integer(low, high)(f"{label}: tool {k!r}: bonus", tool["bonus"])
        if tool["kind"] != "plain":
            integer(1, 99)(f"{label}: tool {k!r}: durability", tool["durability"])
    items = _mapping(f"{label}: items", data["items"])
    if sorted(items) != sorted(ITEMS):
        raise fail(f"{label}: items", sorted(items), ", ".join(ITEMS))
    checked_items = {k: _fields(f"{label}: item {k!r}", items[k], ITEM[k]) for k in ITEMS}
    archetypes = data["archetypes"]
    if not isinstance(archetypes, (list, tuple)) or len(archetypes) != DIE:
        count = len(archetypes) if isinstance(archetypes, (list, tuple)) else type(archetypes).__name__
        raise fail(f"{label}: archetypes", count, f"a list of {DIE}, one for each face")
    found = tuple(_archetype(f"{label}: archetype {i + 1}", a, weapons, armours) for i, a in enumerate(archetypes))
    if len({a["name"] for a in found}) != DIE:
        raise fail(f"{label}: archetypes", [a["name"] for a in found], f"{DIE} different names")
    heroes = _mapping(f"{label}: heroes", data["heroes"])
    events = _six(f"{label}: events", data["events"])
    for event in events:
        choice(*EVENTS)(f"{label}: events", event)
    kit = Kit(
        name=name,
        weapons=weapons,
        armours=armours,
        tools=tools,
        items=checked_items,
        archetypes=found,
        heroes=heroes,
        environments=_six(f"{label}: environments", data["environments"]),
        events=events,
        default_weapon=choice(*weapons)(f"{label}: default_weapon", data["default_weapon"]),
        default_armour=choice(*armours)(f"{label}: default_armour", data["default_armour"]),
    )
    # the heroes are written in terms of this kit
    for hero, sheet in heroes.items():
        if isinstance(sheet, Mapping) and "hero" in sheet:
            raise fail(f"{label}: hero {hero!r}", dict(sheet), "a sheet of its own")
        normal(sheet, kit, f"{label}: hero {hero!r}")
    return kit


@cache
def built_in_kit() -> Kit:
    """The kit of `kit.json`."""
    path = Path(__file__).with_name("kit.json")
    return check_kit(json.loads(path.read_text(encoding="utf-8")), "built-in")


def load_kit(given: Any) -> Kit:
    """The kit for the option `kit`: None (built in), a path of a JSON file, or plain data; raises RulesetError."""
    if given is None:
        return built_in_kit()
    if isinstance(given, Kit):
        return given
    if isinstance(given, Mapping):
        return check_kit(given, str(given.get("title", "given")))
    if not isinstance(given, str):
        raise fail("kit", given, "None, the path of a JSON file, or an object")
    try:
        data = json.loads(Path(given).read_text(encoding="utf-8"))
    except OSError as error:
        raise RulesetError(f"kit = {given!r} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise RulesetError(f"kit = {given!r} is not JSON: {error}") from None
    return check_kit(data, given)
