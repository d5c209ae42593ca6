"""Characters: sheets, derived values, legality, advancement and generated enemies (R2-R15, R120-R138, R172)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.checks import choice, fail, integer
from ...core.errors import RulesetError
from .kit import ATTRIBUTES, COMBAT, ITEMS, MAX_WEAPONS, PERKS, PHYSICAL, SKILLS, SOCIAL, VALUES, Kit

GRANTS = {"body": {"physical": 1, "combat": 1}, "mind": {"skill": 5}, "charisma": {"social": 1}}  # R123, by budget

SHEET_FIELDS = (*VALUES, "skills", "weapons", "armour", "items", "tools", "perks", "gift", "name")
LEVEL = integer(-10, 30)


def normal(given: Any, kit: Kit, label: str = "char", perks: bool = True) -> dict[str, Any]:
    """A complete sheet from a hero's name, from `{"hero": name, ...overrides}` or from single fields.

    With `perks` unknown perks are refused; otherwise they are kept for `derive` to report. Raises RulesetError.
    """
    if isinstance(given, str):
        given = {"hero": given}
    if not isinstance(given, Mapping):
        raise fail(label, given, "the name of a hero, or an object with fields of the sheet")
    fields = dict(given)
    if "hero" in fields:
        hero = fields.pop("hero")
        fields = {**kit.heroes[choice(*kit.heroes)(f"{label}: hero", hero)], **fields}
    for key in fields:
        if key not in SHEET_FIELDS:
            raise fail(f"{label}: field", key, "one of hero, " + ", ".join(SHEET_FIELDS))
    out: dict[str, Any] = {name: LEVEL(f"{label}: {name}", fields.get(name, 0)) for name in VALUES}
    skills = fields.get("skills", {})
    if not isinstance(skills, Mapping):
        raise fail(f"{label}: skills", skills, "an object skill -> rank")
    out["skills"] = {
        choice(*SKILLS)(f"{label}: skills", k): LEVEL(f"{label}: skills: {k}", rank) for k, rank in skills.items()
    }
    weapons = fields.get("weapons", [kit.default_weapon])
    if not isinstance(weapons, (list, tuple)) or len(weapons) > MAX_WEAPONS:
        raise fail(f"{label}: weapons", weapons, f"a list of at most {MAX_WEAPONS} of {', '.join(kit.weapons)}")
    out["weapons"] = [choice(*kit.weapons)(f"{label}: weapons", w) for w in weapons] or [kit.default_weapon]
    if len(set(out["weapons"])) < len(out["weapons"]):
        raise fail(f"{label}: weapons", list(weapons), "different weapons")
    out["armour"] = choice(*kit.armours)(f"{label}: armour", fields.get("armour", kit.default_armour))
    items = fields.get("items", {})
    if not isinstance(items, Mapping):
        raise fail(f"{label}: items", items, "an object item -> number")
    out["items"] = {
        choice(*ITEMS)(f"{label}: items", k): integer(0, 9)(f"{label}: items: {k}", n) for k, n in items.items()
    }
    tools = fields.get("tools", [])
    if not isinstance(tools, (list, tuple)):
        raise fail(f"{label}: tools", tools, "a list of " + ", ".join(kit.tools))
    out["tools"] = [choice(*kit.tools)(f"{label}: tools", t) for t in tools]
    if len(set(out["tools"])) < len(out["tools"]):
        raise fail(f"{label}: tools", list(tools), "different tools")
    given_perks = fields.get("perks", [])
    if not isinstance(given_perks, (list, tuple)) or not all(isinstance(x, str) for x in given_perks):
        raise fail(f"{label}: perks", given_perks, "a list of " + ", ".join(PERKS))
    out["perks"] = [choice(*PERKS)(f"{label}: perks", x) if perks else x for x in given_perks]
    gift = fields.get("gift")
    if gift is not None:
        gift = choice(*ATTRIBUTES)(f"{label}: gift", gift)
    out["gift"] = gift
    return out


def rank_cost(rank: int, surcharge: str) -> int:
    """R12, A1: skill points for a rank."""
    above = max(0, rank - 3)
    return rank + (above if surcharge == "linear" else above * (above + 1) // 2)


def skill_budget(char: Mapping[str, Any]) -> int:
    """R11, R132, R133: skill points; negative ones make the character illegal (R134)."""
    perks = char["perks"]
    return 5 + 5 * char["mind"] - 3 * ("armour_training" in perks) - 3 * ("finesse" in perks)


def price_of(char: Mapping[str, Any], kit: Kit) -> int:
    """Sum of the prices of all gear."""
    total = sum(kit.weapons[w]["price"] for w in char["weapons"]) + kit.armours[char["armour"]]["price"]
    total += sum(kit.items[i]["price"] * n for i, n in char["items"].items())
    return total + sum(kit.tools[t]["price"] for t in char["tools"])


def base_attributes(char: Mapping[str, Any]) -> dict[str, int]:
    """Attributes before `special_gift` (R131)."""
    values = {a: char[a] for a in ATTRIBUTES}
    if "special_gift" in char["perks"] and char["gift"] is not None:
        values = {a: v - 1 if a == char["gift"] else v + 1 for a, v in values.items()}
    return values


def problems_of(char: Mapping[str, Any], options: Mapping[str, Any], kit: Kit) -> list[str]:
    """Reasons why a character is illegal, sorted (R2-R14, R130-R138, gear budget)."""
    found = set()
    perks = char["perks"]
    base = base_attributes(char)
    exact = options["spend_all_points"]

    def spent(sum_of: int, points: int) -> bool:
        return sum_of == points if exact else sum_of <= points

    if "special_gift" in perks:
        if char["gift"] is None:
            found.add("gift_missing")
        elif base[char["gift"]] != 3:
            found.add("gift_needs_three")
    if any(v > options["attribute_cap"] for v in base.values()):
        found.add("attribute_cap")
    if not spent(sum(base.values()), max(0, options["attribute_points"] - ("luck" in perks))):
        found.add("attribute_points")
    for name, fields, attribute in (
        ("physical_points", PHYSICAL, "body"), ("combat_points", COMBAT, "body"), ("social_points", SOCIAL, "charisma"),
    ):  # fmt: skip
        if not spent(sum(char[f] for f in fields), max(0, char[attribute])):
            found.add(name)
    secondary = [char[f] for f in (*PHYSICAL, *COMBAT, *SOCIAL)]
    if min([*base.values(), *secondary, *char["skills"].values()]) < 0:
        found.add("negative_value")
    cost = sum(rank_cost(r, options["skill_surcharge"]) for r in char["skills"].values())
    if cost > skill_budget(char) or skill_budget(char) < 0:
        found.add("skill_points")
    if options["gear_budget"] is not None and price_of(char, kit) > options["gear_budget"]:
        found.add("gear_budget")
    if len(perks) > options["max_perks"]:
        found.add("perk_count")
    if len(set(perks)) < len(perks):
        found.add("perk_duplicate")
    if not set(perks) <= set(PERKS):
        found.add("perk_unknown")
    if "will_to_live" in perks and not options["allow_will_to_live"]:
        found.add("one_shot_perk")
    return sorted(found)


def derive(char: Mapping[str, Any], options: Mapping[str, Any], kit: Kit) -> dict[str, Any]:
    """Derived values of a sheet (R7-R13, R63, R105, R130-R138) and its legality."""
    perks = char["perks"]
    armour = kit.armours[char["armour"]]
    patient = "patient" in perks
    better = 1 if options["patient_attack"] == "improves" else -1
    limit = 2 + char["body"] - ("hardened" in perks) + ("will_to_live" in perks)
    malus = max(0, armour["malus"] - ("armour_training" in perks))
    problems = problems_of(char, options, kit)
    return {
        "attack": 6 - char["base_attack"] - (better if patient else 0),
        "defence": 3 + char["base_defence"] + armour["bonus"] + patient,
        "initiative": (10 if patient else 6) - char["base_initiative"],
        "wound_limit": limit,
        "malus_from": None if "hardened" in perks else max(0, limit // 2 + 1),
        "armour_malus": malus,
        "move_range": max(1, 6 - malus),
        "skill_budget": skill_budget(char),
        "skill_cost": sum(rank_cost(r, options["skill_surcharge"]) for r in char["skills"].values()),
        "patience": max(1, 4 - char["charisma"]),
        "untrained": char["mind"] - 1,
        "price": price_of(char, kit),
        "legal": not problems,
        "problems": problems,
    }


def facts_of(char: Mapping[str, Any], options: Mapping[str, Any], kit: Kit) -> dict[str, str]:
    """What has been spent and what is allowed, by the names of the problems that it can be."""
    perks = char["perks"]
    base = base_attributes(char)
    out = {
        "attribute_cap": f"highest {max(base.values())}, allowed {options['attribute_cap']}",
        "attribute_points": f"{sum(base.values())} of {max(0, options['attribute_points'] - ('luck' in perks))}",
        "perk_count": f"{len(perks)} of {options['max_perks']}",
        "gear_budget": f"{price_of(char, kit)} of {options['gear_budget']}",
        "one_shot_perk": "will_to_live needs allow_will_to_live",
    }
    cost = sum(rank_cost(r, options["skill_surcharge"]) for r in char["skills"].values())
    out["skill_points"] = f"{cost} of {skill_budget(char)}"
    for name, fields, attribute in (
        ("physical_points", PHYSICAL, "body"), ("combat_points", COMBAT, "body"), ("social_points", SOCIAL, "charisma"),
    ):  # fmt: skip
        out[name] = f"{sum(char[f] for f in fields)} of {max(0, char[attribute])}"
    return out


def require_legal(char: Mapping[str, Any], options: Mapping[str, Any], kit: Kit, label: str) -> None:
    """Raise RulesetError naming the reasons if a character is illegal."""
    problems = problems_of(char, options, kit)
    if problems:
        shown = {k: v for k, v in char.items() if v and k != "name"}
        numbers = facts_of(char, options, kit)
        told = [f"{name} ({numbers[name]})" if name in numbers else name for name in problems]
        raise RulesetError(f"{label} = {shown!r} is no legal character: {', '.join(told)}")


def skill_value(rank: int, mind: int, options: Mapping[str, Any]) -> int:
    """R22, A4: what a fitting skill, or the lack of one, adds."""
    if rank >= 1:
        return max(rank, mind - 1) if options["untrained_rule"] == "best" else rank
    return mind - 1


def modifier_of(
    char: Mapping[str, Any],
    options: Mapping[str, Any],
    kit: Kit,
    physical: str | None = None,
    skill: str | None = None,
    marked: bool = False,
    difficulty: int = 0,
    wounds: int = 0,
) -> int:
    """R20-R22, R62, R106: everything that is added to the die of a skill test."""
    derived = derive(char, options, kit)
    total = difficulty + skill_value(char["skills"].get(skill, 0) if skill else 0, char["mind"], options)
    if physical:
        total += char[physical]
    if physical or marked:
        total -= derived["armour_malus"]
    if derived["malus_from"] is not None and 2 * wounds > derived["wound_limit"]:
        total -= 1
    return total


def advance(char: dict[str, Any], name: str, saga: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """R121-R126: raise one value of `char` (modified in place); cost, grants, points left, or the reason of refusal."""
    gift = char["gift"] if "special_gift" in char["perks"] else None
    if name in ATTRIBUTES:
        cap = options["advancement_cap"] if gift is None else (5 if name == gift else 3)
        current, extra = char[name], 4
        if current + 1 > cap:
            return {"rejected": "attribute_cap"}
        if sum(char[a] for a in ATTRIBUTES) + 1 > options["advancement_sum"]:
            return {"rejected": "attribute_sum"}
    elif name in VALUES:
        current, extra = char[name], 2
        if options["secondary_cap"] is not None and current + 1 > options["secondary_cap"]:
            return {"rejected": "secondary_cap"}
    elif name in SKILLS:
        current = char["skills"].get(name, 0)
        extra = 1 if options["saga_skill_surcharge"] and current + 1 > 3 else 0
    else:
        raise fail("raise", name, "one of " + ", ".join((*VALUES, *SKILLS)))
    cost = max(0, current + 1 if options["advancement_basis"] == "target" else current) + extra
    if cost > saga:
        return {"rejected": "saga_points"}
    grants: dict[str, int] = {}
    if name in SKILLS:
        char["skills"][name] = current + 1
    else:
        char[name] = current + 1
        if name in GRANTS and current >= 0:  # A42: from below 0 to 0 nothing is granted
            grants = dict(GRANTS[name])
    return {"cost": cost, "grants": grants, "left": saga - cost}


def successor_points(saga: int, sacrificed: bool, options: Mapping[str, Any]) -> int:
    """R129b: saga points with which the successor of a dead character starts."""
    if sacrificed:
        return 2
    return saga // 2 if options["successor_saga"] == "half" else 0


def carried_wounds(char: Mapping[str, Any], wounds: int, options: Mapping[str, Any]) -> int:
    """R61, R137, A45: wounds with which a character goes into the next adventure."""
    if "will_to_live" not in char["perks"]:
        return 0
    return 1 if wounds > 0 or options["will_to_live_wound"] == "always" else 0


def distribute(points: int, sequence: Any, known: tuple[str, ...], cap: int) -> dict[str, int]:
    """Points one at a time along a repeating sequence, skipping full values; then the rest in glossary order."""
    out = dict.fromkeys(known, 0)
    for order in (sequence, known):
        while points > 0 and any(out[name] < cap for name in order):
            for name in order:
                if points > 0 and out[name] < cap:
                    out[name] += 1
                    points -= 1
    return out


def greedy_skills(order: Any, points: int, surcharge: str, rest: str | None = None) -> dict[str, int]:
    """Each skill of `order` to rank 3, then `rest` (default: the first) as far as affordable; leftovers are lost."""
    ranks: dict[str, int] = {}
    for skill, top in [*((name, 3) for name in order), (rest or order[0], 10**6)]:
        while ranks.get(skill, 0) < top:
            rank = ranks.get(skill, 0)
            step = rank_cost(rank + 1, surcharge) - rank_cost(rank, surcharge)
            if step > points:
                break
            points -= step
            ranks[skill] = rank + 1
    return ranks


def generate(points: int, archetype: Mapping[str, Any], options: Mapping[str, Any], kit: Kit) -> dict[str, Any]:
    """R172: the sheet of an enemy with so many attribute points."""
    cap = options["enemy_attribute_cap"]
    char: dict[str, Any] = distribute(points, archetype["attributes"], ATTRIBUTES, cap)
    char |= distribute(char["body"], archetype["physical"], PHYSICAL, cap)
    char |= distribute(char["body"], archetype["combat"], COMBAT, cap)
    char |= distribute(char["charisma"], archetype["social"], SOCIAL, cap)
    skills = greedy_skills(archetype["skills"], 5 + 5 * char["mind"], options["skill_surcharge"])
    gear = {"skills": skills, "weapons": list(archetype["weapons"]), "armour": archetype["armour"]}
    return normal({**char, **gear, "items": dict(archetype["items"])}, kit, f"archetype {archetype['name']}")
