"""shield_wall: figures that stand shoulder to shoulder protect each other."""

from __future__ import annotations

from typing import Any

from ..module import Module
from ..services import comrades_beside

module = Module("shield_wall", "A comrade at one's side is worth defence.")
module.param("bonus", 1, 1, 3, doc="added to the defence")
module.param("comrades", 1, 1, 3, doc="comrades that must stand beside the figure")


@module.hook
def defence(s: Any, p: Any, target: int, value: int) -> int:
    """Comrades beside the figure itself."""
    return value + p.shield_wall_bonus if comrades_beside(s, target, target) >= p.shield_wall_comrades else value
