"""The genre kit: weapons, armours, tools, consumables, archetypes and ready-made heroes as data that a user replaces.

All names of skills, attributes and perks are fixed by the rules; everything else is the kit's. `kit_file.py` reads and
checks kits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ATTRIBUTES = ("body", "mind", "charisma")
PHYSICAL = ("strength", "stamina", "agility")
COMBAT = ("base_attack", "base_defence", "base_initiative")
SOCIAL = ("aggressive", "cunning", "diplomatic")
VALUES = (*ATTRIBUTES, *PHYSICAL, *COMBAT, *SOCIAL)
WEAPON_GROUPS = ("brawling", "blades", "blunt", "axes", "thrown", "slings", "bows", "crossbows")
LORE = ("race", "place", "architecture", "plants", "animals", "science", "legends")
SKILLS = ("insight", *WEAPON_GROUPS, *[f"lore_{name}" for name in LORE], "perception", "sneaking", "mechanics")
PERKS = (
    "hardened", "special_gift", "armour_training", "finesse", "weak_spot", "luck", "will_to_live", "patient",
)  # fmt: skip
ITEMS = ("heal_draught", "smelling_salts", "fire_flask")
EVENTS = ("confrontation", "trap", "puzzle", "talk")
MAX_WEAPONS = 2  # carried by one figure (A56)
MAX_TOOLS = 8  # kinds of tools of a kit


@dataclass(frozen=True)
class Kit:
    """A checked genre kit; the mappings keep the order of the file."""

    name: str
    weapons: Mapping[str, Mapping[str, Any]]
    armours: Mapping[str, Mapping[str, Any]]
    tools: Mapping[str, Mapping[str, Any]]
    items: Mapping[str, Mapping[str, Any]]
    archetypes: tuple[Mapping[str, Any], ...]
    heroes: Mapping[str, Mapping[str, Any]]
    environments: tuple[str, ...]
    events: tuple[str, ...]
    default_weapon: str
    default_armour: str
