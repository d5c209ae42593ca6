"""flanking: who attacks hand to hand while comrades stand at the target too attacks better."""

from __future__ import annotations

from typing import Any

from ..module import Module
from ..services import comrades_beside
from ..state import MELEE

module = Module("flanking", "Comrades beside the target make attacks in melee easier.")
module.param("bonus", 1, 1, 3, doc="added to the attack roll")
module.param("comrades", 1, 1, 3, doc="comrades that must stand beside the target")


@module.hook
def attack_bonus(s: Any, p: Any, who: int, target: int, weapon: int, value: int) -> int:
    """Melee alone: archers do not flank."""
    if s.w_kind[who, weapon] == MELEE and comrades_beside(s, who, target) >= p.flanking_comrades:
        return value + p.flanking_bonus
    return value
