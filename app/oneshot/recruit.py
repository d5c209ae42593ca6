"""Heroes for a run of OneShot: ready-made ones, or bought point by point in numbered questions (R2-R14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...envs.oneshot.actions import splits
from ...envs.oneshot.character.kit import (
    ATTRIBUTES,
    COMBAT,
    ITEMS,
    MAX_WEAPONS,
    PERKS,
    PHYSICAL,
    SKILLS,
    SOCIAL,
    VALUES,
    Kit,
)
from ...envs.oneshot.character.sheet import derive, normal, price_of, rank_cost, skill_budget
from ...envs.oneshot.text import called
from ...evaluation.oneshot.builds import attribute_choices
from ..session.solo import Host

Char = dict[str, Any]
_GERMAN = {
    "body": "Körper", "mind": "Geist", "charisma": "Charisma", "strength": "Stärke", "stamina": "Kondition",
    "agility": "Geschick", "base_attack": "Grundangriff", "base_defence": "Grundverteidigung",
    "base_initiative": "Grundinitiative", "aggressive": "aggressiv", "cunning": "listig",
    "diplomatic": "diplomatisch", "insight": "Menschenkenntnis", "brawling": "Waffenlos", "blades": "Klingen",
    "blunt": "Stumpfe Waffen", "axes": "Äxte", "thrown": "Wurfwaffen", "slings": "Schleudern", "bows": "Bögen",
    "crossbows": "Armbrüste", "lore_race": "Wissen: Rasse", "lore_place": "Wissen: Ort",
    "lore_architecture": "Wissen: Architektur", "lore_plants": "Wissen: Pflanzen", "lore_animals": "Wissen: Tiere",
    "lore_science": "Wissen: Wissenschaft", "lore_legends": "Wissen: Legenden", "perception": "Sinnesschärfe",
    "sneaking": "Schleichen", "mechanics": "Mechanik", "heal_draught": "Heiltrank", "smelling_salts": "Riechsalz",
    "fire_flask": "Feuerflasche", "rope": "Seil", "lockpicks": "Dietriche", "toolbox": "Werkzeugkasten",
    "precision_kit": "Feinwerkzeug", "skeleton_key": "Nachschlüssel",
}  # fmt: skip

_MANY = {"race": "races", "place": "places"}  # what one knows of is named in the singular


class Menu:
    """Words and questions of a run: the host, the options of its missions and the kit."""

    social = SOCIAL

    def __init__(self, host: Host, options: Mapping[str, Any], kit: Kit) -> None:
        self.host, self.options, self.kit = host, options, kit

    def word(self, name: str) -> str:
        """What a value, a skill or a thing of the kit is called."""
        if self.host.lang == "de":
            return _GERMAN.get(name) or called(name, "de")
        kind, _, of = name.partition("_")
        return f"knowledge of {_MANY.get(of, of)}" if kind == "lore" else name.replace("_", " ")

    def value(self, char: Mapping[str, Any], name: str) -> int:
        """A value, or the rank of a skill."""
        return int(char[name] if name in VALUES else char["skills"].get(name, 0))

    def raisable(self, char: Mapping[str, Any]) -> list[str]:
        """What saga points could raise: values, and skills that a mission uses or that are known."""
        groups = {self.kit.weapons[weapon]["group"] for weapon in char["weapons"]}
        useful = {"insight", "sneaking", "mechanics", "lore_architecture", "lore_race", *groups}
        return [*VALUES, *(skill for skill in SKILLS if skill in useful or char["skills"].get(skill, 0))]

    def one_of(self, question: str, names: Sequence[str]) -> str:
        """Let one of some names be chosen."""
        return names[self.host.pick(question, [self.word(name) for name in names])]

    def told(self, char: Mapping[str, Any]) -> str:
        """A character in one line."""
        sheet = derive(char, self.options, self.kit)
        skills = ", ".join(f"{self.word(name)} {rank}" for name, rank in char["skills"].items() if rank)
        gear = ", ".join(self.word(name) for name in [*char["weapons"], char["armour"], *char["tools"]])
        items = ", ".join(self.word(name) for name, n in char["items"].items() for _ in range(n))
        numbers = "/".join(str(char[name]) for name in ATTRIBUTES)
        words = self.host.text(
            f"attack {sheet['attack']}, defence {sheet['defence']}, initiative {sheet['initiative']}, "
            f"wounds {sheet['wound_limit']}",
            f"Angriff {sheet['attack']}, Verteidigung {sheet['defence']}, Initiative {sheet['initiative']}, "
            f"Wunden {sheet['wound_limit']}",
        )
        perks = ", ".join(self.word(perk) for perk in char["perks"])
        return "; ".join(part for part in (numbers, words, skills, gear, items, perks) if part)


def named(char: Char, others: Sequence[Char]) -> Char:
    """The hero with a name that none of the others has: the second of a kind has a number."""
    taken = [other["name"] for other in others]
    names = [char["name"], *(f"{char['name']}_{number}" for number in range(2, len(taken) + 2))]
    return {**char, "name": next(name for name in names if name not in taken)}


def raised_to(menu: Menu, name: str, value: int, cost: int) -> str:
    """What can be raised, in words: to how much, and for how many points."""
    points = menu.host.text("point" if cost == 1 else "points", "Punkt" if cost == 1 else "Punkte")
    return f"{menu.word(name)} {menu.host.text('to', 'auf')} {value}: {cost} {points}"


def hired(menu: Menu, number: int) -> Char:
    """The hero of that number: a ready-made one, or one that is bought."""
    host, kit = menu.host, menu.kit
    ready = {name: normal(name, kit) for name in kit.heroes}
    names = [f"{menu.word(name)}: {menu.told(char)}" for name, char in ready.items()]
    question = host.text(
        f"Hero {number}? First body/mind/charisma, then what counts in a fight, skills, gear and perks",
        f"Held {number}? Zuerst Körper/Geist/Charisma, dann was im Kampf zählt, Fertigkeiten, Ausrüstung und Spezifika",
    )
    taken = host.pick(question, [*names, host.text("buy one point by point", "Punkt für Punkt selbst kaufen")])
    if taken < len(names):
        name = list(ready)[taken]
        return {**ready[name], "name": name}
    return {**bought(menu), "name": f"hero_{number}"}


def bought(menu: Menu) -> Char:
    """A legal character, bought question by question."""
    host, options, kit = menu.host, menu.options, menu.kit
    perks: list[str] = []
    while len(perks) < options["max_perks"]:
        left = [perk for perk in PERKS if perk not in perks and any(_attributes([*perks, perk], options))]
        enough = host.text("no more perks", "keine Spezifika mehr")
        taken = host.pick(_perk_asked(menu, len(perks)), [enough, *(menu.word(perk) for perk in left)])
        if taken == 0:
            break
        perks.append(left[taken - 1])
    ways = _attributes(perks, options)
    question = host.text(
        "Attributes? Body gives points for combat, mind for skills, charisma for words.",
        "Eigenschaften? Körper gibt Punkte für den Kampf, Geist für Fertigkeiten, Charisma für Worte.",
    )
    texts = [", ".join(f"{menu.word(name)} {value}" for name, value in values.items()) for values, _ in ways]
    values, gift = ways[host.pick(question, texts)]
    char: Char = {**values, "perks": perks, "gift": gift}
    for fields, points in ((PHYSICAL, values["body"]), (COMBAT, values["body"]), (SOCIAL, values["charisma"])):
        shares = splits(max(0, points))
        texts = [", ".join(f"{menu.word(name)} {n}" for name, n in zip(fields, way, strict=True)) for way in shares]
        what = ", ".join(map(menu.word, fields))
        question = host.text(
            f"Distribute {points} point{'s' if points > 1 else ''} among {what}:",
            f"Verteile {points} Punkt{'e' if points > 1 else ''} auf {what}:",
        )
        way = shares[host.pick(question, texts)] if len(shares) > 1 else shares[0]
        char |= dict(zip(fields, way, strict=True))
    char |= {"weapons": _weapons(menu), "armour": "", "items": {}, "tools": [], "skills": {}}
    char["armour"] = kit.default_armour
    armours = [name for name in kit.armours if _money(menu, {**char, "armour": name}) >= 0]
    char["armour"] = menu.one_of(host.text("Armour?", "Rüstung?"), armours)
    _buy(menu, char)
    char = normal(char, kit)
    spent_on_skills(menu, char, skill_budget(char))
    host.tell(menu.told(char))
    return char


def _perk_asked(menu: Menu, taken: int) -> str:
    """The question for a perk: how many there may be."""
    most = menu.options["max_perks"]
    return menu.host.text(
        f"A perk? (chosen: {taken} of at most {most})", f"Ein Spezifikum? (gewählt: {taken} von höchstens {most})"
    )


def _attributes(perks: Sequence[str], options: Mapping[str, Any]) -> list[tuple[dict[str, int], str | None]]:
    """Attributes that go with these perks, skill points not being negative (R134)."""
    cost = 3 * ("armour_training" in perks) + 3 * ("finesse" in perks)
    return [way for way in attribute_choices(perks, options) if 5 + 5 * way[0]["mind"] >= cost]


def _money(menu: Menu, char: Mapping[str, Any]) -> int:
    """What is left of the budget for gear."""
    budget = menu.options["gear_budget"]
    return 1000 if budget is None else int(budget) - price_of(char, menu.kit)


def _weapons(menu: Menu) -> list[str]:
    """One or two weapons."""
    host, kit, taken = menu.host, menu.kit, list[str]()
    base = {"armour": kit.default_armour, "items": {}, "tools": []}
    while len(taken) < MAX_WEAPONS:
        names = [
            name for name in kit.weapons if name not in taken and _money(menu, {**base, "weapons": [*taken, name]}) >= 0
        ]
        texts = [f"{menu.word(name)} ({kit.weapons[name]['price']})" for name in names]
        enough = [] if not taken else [host.text("no other weapon", "keine weitere Waffe")]
        question = host.text("A weapon (its price)?", "Eine Waffe (ihr Preis)?")
        found = host.pick(question, [*enough, *texts]) - len(enough)
        if found < 0:
            break
        taken.append(names[found])
    return taken


def _buy(menu: Menu, char: Char) -> None:
    """Items and tools, as long as there is money."""
    host, kit = menu.host, menu.kit
    while True:
        left = _money(menu, char)
        offers = [(name, kit.items[name]["price"]) for name in ITEMS]
        offers += [(name, tool["price"]) for name, tool in kit.tools.items() if name not in char["tools"]]
        offers = [(name, price) for name, price in offers if price <= left]
        if not offers:
            return
        question = host.text(f"{left} left: buy what (its price)?", f"Noch {left}: was kaufen (Preis)?")
        enough = host.text("nothing more", "nichts mehr")
        taken = host.pick(question, [enough, *(f"{menu.word(name)} ({price})" for name, price in offers)])
        if taken == 0:
            return
        name = offers[taken - 1][0]
        if name in ITEMS:
            char["items"] = {**char["items"], name: char["items"].get(name, 0) + 1}
        else:
            char["tools"] = [*char["tools"], name]


def spent_on_skills(menu: Menu, char: Char, points: int) -> None:
    """R11, R12: raise skills until the points do not suffice, or the person has enough; the rest is lost."""
    host = menu.host
    while True:
        offers = []
        for skill in menu.raisable(char)[len(VALUES) :]:
            rank, how = char["skills"].get(skill, 0), menu.options["skill_surcharge"]
            cost = rank_cost(rank + 1, how) - rank_cost(rank, how)
            if cost <= points:
                offers.append((skill, cost, rank + 1))
        if not offers:
            return
        question = host.text(f"Skill points: {points}. Raise what?", f"Fertigkeitspunkte: {points}. Was steigern?")
        enough = host.text("leave the rest", "den Rest lassen")
        taken = host.pick(question, [enough, *(raised_to(menu, skill, rank, cost) for skill, cost, rank in offers)])
        if taken == 0:
            return
        skill, cost, rank = offers[taken - 1]
        char["skills"][skill] = rank
        points -= cost


__all__ = ["Char", "Menu", "bought", "hired", "named", "raised_to", "spent_on_skills"]
