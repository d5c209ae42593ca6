"""The built-in armoury (R49): weapons and armour by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Weapon:
    """A weapon: `dice` x `sides`; a ranged one has a range in metres, a magazine and a reserve."""

    dice: int
    sides: int
    bonus: bool = False  # the damage bonus counts
    ranged: bool = False
    electric: bool = False
    thrown: bool = False
    magic: bool = False
    reach: int = 0  # range in metres
    capacity: int = 0
    reserve: int = 0

    @property
    def notation(self) -> str:
        """The dice as players write them, e.g. `4d6`."""
        return f"{self.dice}d{self.sides}"

    def told(self, lang: str) -> str:
        """The dice as the language writes them: 4d6 is 4W6 in German."""
        return self.notation.replace("d", "W" if lang == "de" else "d")


@dataclass(frozen=True)
class Armour:
    """A piece of armour: subtracted from every die (hard) or from the total (soft) at the zones that it covers."""

    hard: int
    soft: int
    zones: tuple[str, ...]


WEAPONS: dict[str, Weapon] = {
    "unarmed": Weapon(2, 4, bonus=True),
    "club": Weapon(2, 6, bonus=True),
    "knife": Weapon(1, 12, bonus=True),
    "sword": Weapon(2, 8, bonus=True),
    "stun_baton": Weapon(1, 4, bonus=True, electric=True),
    "shotgun": Weapon(5, 4, ranged=True, reach=30, capacity=2, reserve=6),
    "magnum": Weapon(4, 6, ranged=True, reach=60, capacity=6, reserve=12),
    "copkiller": Weapon(1, 20, ranged=True, reach=60, capacity=8, reserve=8),
    "bow": Weapon(1, 12, bonus=True, ranged=True, reach=60, capacity=1, reserve=11),
    "throwing_knife": Weapon(1, 8, bonus=True, ranged=True, thrown=True, reach=9, capacity=3, reserve=0),
    "arcane_bolt": Weapon(3, 6, ranged=True, magic=True, reach=30, capacity=20, reserve=0),
}
MELEE_WEAPONS = tuple(name for name, weapon in WEAPONS.items() if not weapon.ranged)
RANGED_WEAPONS = tuple(name for name, weapon in WEAPONS.items() if weapon.ranged)

_TORSO = ("abdomen", "chest")
_ARMS = ("right_arm", "left_arm")
_ALL_BUT_HEAD = ("right_leg", "left_leg", *_TORSO, *_ARMS)
ARMOUR: dict[str, Armour] = {
    "bristol_vest": Armour(3, 0, _TORSO),
    "kevlar_clothing": Armour(0, 4, _ALL_BUT_HEAD),
    "leather_jacket": Armour(0, 2, (*_TORSO, *_ARMS)),
    "steel_helmet": Armour(2, 0, ("head",)),
    "plate_armour": Armour(4, 0, _ALL_BUT_HEAD),
}
