"""Loadouts: weapons, armour and a character as parts of a strategy, what they cost, and all that a budget can buy.

A loadout is a text of parts with + between them, such as `killer+magnum+kevlar_clothing+reaction_mod=2`: a character of
the presets, a melee and a ranged weapon, any armour, and values of a fighter; what is not named stays as the scenario
has it, but a loadout that names any equipment replaces all of it. `bare` names nothing and takes all equipment off.
Prices are ours: the source has none (its chapters on equipment are out of scope).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ..core.brief import brief
from ..core.checks import near
from ..core.errors import RulesetError
from .armoury import ARMOUR, MELEE_WEAPONS, RANGED_WEAPONS
from .params import FIGHTER
from .presets import presets

BARE = "bare"
VALUES = tuple(name for name, option in FIGHTER.items() if isinstance(option.default, int) and name != "surprised")
CHARACTER_VALUES = (
    "wah", "agl", "res", "wil", "melee_skill", "ranged_skill", "first_aid", "magic_resistance", "damage_bonus",
)  # fmt: skip
PRICES: dict[str, int] = {
    "unarmed": 0, "club": 1, "knife": 1, "sword": 2, "stun_baton": 1, "throwing_knife": 1, "bow": 2, "shotgun": 3,
    "arcane_bolt": 3, "magnum": 4, "copkiller": 4, "leather_jacket": 1, "steel_helmet": 1, "bristol_vest": 2,
    "kevlar_clothing": 3, "plate_armour": 4,
}  # fmt: skip
SUITS = tuple(name for name in ARMOUR if name != "steel_helmet")  # one of them is worn at a time in `affordable`


def characters() -> dict[str, dict[str, int]]:
    """Values of the characters of the presets, by name; the first one of a name counts."""
    found: dict[str, dict[str, int]] = {}
    for setup in presets().values():
        for fighter in setup["fighters"]:
            values = {name: fighter[name] for name in CHARACTER_VALUES if name in fighter}
            found.setdefault(fighter["name"], values)
    return found


@dataclass(frozen=True)
class Loadout:
    """The parts of a loadout; `equipped` tells that equipment was named, and replaces that of the scenario."""

    character: str | None = None
    melee: str = "unarmed"
    ranged: str | None = None
    armour: tuple[str, ...] = ()
    values: Mapping[str, int] = field(default_factory=dict)
    equipped: bool = False

    @property
    def parts(self) -> list[str]:
        """The parts in words."""
        named = [self.character or "", "" if self.melee == "unarmed" else self.melee, self.ranged or "", *self.armour]
        return [part for part in named if part] + [f"{name}={value}" for name, value in self.values.items()]

    def price(self, prices: Mapping[str, int]) -> int:
        """What it costs; a value costs its number times the price of its name."""
        total = sum(prices.get(part, 0) for part in self.parts if "=" not in part)
        return total + sum(prices.get(name, 0) * value for name, value in self.values.items())

    def put_on(self, fighter: Mapping[str, Any]) -> dict[str, Any]:
        """A fighter of a setup with this loadout; what belongs to the old equipment goes with it."""
        out = dict(fighter)
        if self.character is not None:
            for name in CHARACTER_VALUES:
                out.pop(name, None)
            out.update(characters()[self.character])
        if self.equipped:
            out.update(melee=self.melee, armour=list(self.armour), ranged=self.ranged)
            out.pop("loaded", None)
        out.update(self.values)
        return out


def parse_loadout(text: str) -> Loadout:
    """Take a loadout apart; raises RulesetError naming the part, the loadout and what is known."""
    found: dict[str, Any] = {"armour": [], "values": {}}
    people = characters()

    def take(name: str, part: str, what: str) -> None:
        if name in found:
            raise RulesetError(f"loadout {text!r}: {part!r} is a second {what} beside {found[name]!r}")
        found[name] = part

    for part in (piece.strip() for piece in text.split("+")):
        key, equals, number = part.partition("=")
        if equals:
            if key not in VALUES:
                raise RulesetError(f"loadout {text!r}: value {key!r} is unknown: one of {', '.join(VALUES)}")
            if key in found["values"]:
                raise RulesetError(f"loadout {text!r}: {key!r} is given twice")
            try:
                value = int(number)
            except ValueError:
                raise RulesetError(f"loadout {text!r}: {part!r} needs a whole number") from None
            found["values"][key] = FIGHTER[key].check(key, value)
        elif part in MELEE_WEAPONS:
            take("melee", part, "melee weapon")
        elif part in RANGED_WEAPONS:
            take("ranged", part, "ranged weapon")
        elif part in ARMOUR:
            if part in found["armour"]:
                raise RulesetError(f"loadout {text!r}: {part!r} is worn twice")
            found["armour"].append(part)
        elif part in people:
            take("character", part, "character")
        elif part != BARE or text.strip() != BARE:
            known = [*MELEE_WEAPONS, *RANGED_WEAPONS, *ARMOUR, *people]
            raise RulesetError(
                f"loadout {text!r}: part {part!r} is unknown: {BARE}, or one or more of {', '.join(known)} with + "
                f"between them{near(part, known)}"
            )
    found["armour"] = tuple(found["armour"])
    equipped = text.strip() == BARE or bool(found["armour"]) or "melee" in found or "ranged" in found
    return Loadout(**found, equipped=equipped)


def prices_of(changes: Mapping[str, Any]) -> dict[str, int]:
    """The prices with some changed; raises RulesetError."""
    out = dict(PRICES)
    known = [*PRICES, *characters(), *VALUES]
    for name, value in changes.items():
        if name not in known:
            raise RulesetError(f"price of {name!r}: no part of a loadout is called so{near(name, known)}")
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1000:
            raise RulesetError(f"price of {name!r} = {brief(value)} is not allowed: a whole number 0..1000")
        out[name] = value
    return out


def affordable(budget: int, prices: Mapping[str, int] | None = None, people: Sequence[str] = ()) -> Iterator[str]:
    """All loadouts that a budget can buy and that leave too little for another part: texts, in a fixed order.

    A melee weapon or none, a ranged weapon or none, one suit of armour or none, a helmet or none (plate armour and the
    helmet go together), and one of `people`, if any are named. Raises RulesetError for a bad budget or character.
    """
    if isinstance(budget, bool) or not isinstance(budget, int) or not 0 <= budget <= 1000:
        raise RulesetError(f"budget = {budget!r} is not allowed: a whole number 0..1000")
    known = characters()
    for name in people:
        if name not in known:
            raise RulesetError(f"character {name!r} is unknown: one of {', '.join(known)}{near(name, list(known))}")
    cost = PRICES if prices is None else prices
    slots: list[tuple[str, ...]] = [tuple(people) or ("",), MELEE_WEAPONS, ("", *RANGED_WEAPONS), ("", *SUITS)]
    slots.append(("", "steel_helmet"))
    bought = []
    for choice in product(*slots):
        parts = [part for part in choice if part and part != "unarmed"]
        price = sum(cost.get(part, 0) for part in parts)
        if price <= budget:
            bought.append((frozenset(parts), price, "+".join(parts) or BARE))
    for parts, _, text in bought:
        more = any(parts < other for other, _, _ in bought)
        if not more:
            yield text


__all__ = ["BARE", "PRICES", "Loadout", "affordable", "characters", "parse_loadout", "prices_of"]
