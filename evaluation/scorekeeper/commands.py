"""The command of Scorekeeper: `probespiel odds scorekeeper`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    from .odds import OddsTable


def odds(
    weapon: Annotated[Sequence[str], "only this one; repeatable"] = (),
    armour: Annotated[Sequence[str], "only this: none, a piece, or pieces like a+b; repeatable"] = (),
    attack: Annotated[int, "attack value"] = 12,
    save: Annotated[int | None, "saving throw of the target (default 6), 0: none"] = None,
    parry: Annotated[int | None, "it parries instead, under this value"] = None,
    shock: Annotated[int, "shock value of the target, RES + WIL"] = 12,
    bonus: Annotated[int, "damage bonus of the attacker"] = 0,
    zones: Annotated[bool, "a line for every zone"] = False,
    options: Mapping[str, Any] | None = None,
    lang: str = "en",
) -> OddsTable:
    """Chances of hit, defence and damage classes: every weapon against every armour."""
    from .odds import Exchange, odds_table

    exchange = Exchange.of(attack, save, parry, shock, bonus, options or {})
    return odds_table(weapon, armour, exchange, zones, lang)
