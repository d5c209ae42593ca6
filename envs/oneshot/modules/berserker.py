"""berserker, a perk: pain makes the figure strike harder. Give it to single figures with `seats`."""

from __future__ import annotations

from typing import Any

from ..module import Module
from ..services import badly_hurt

module = Module("berserker", "A perk: with more wounds than half its limit the figure does more damage.")
module.param("bonus", 2, 1, 4, doc="added to the damage roll; the wound malus stays")


@module.hook
def damage_bonus(s: Any, p: Any, who: int, target: int, weapon: int, value: int) -> int:
    """As long as the figure is badly hurt."""
    return value + p.berserker_bonus if badly_hurt(s, who) else value
