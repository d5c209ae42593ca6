"""specialist_buy (R13): a strong attribute costs 2 a point, all others 3."""

from __future__ import annotations

from typing import Any

from .. import creation
from ..module import Module

module = Module(
    "specialist_buy",
    "Every pc is bought with points: 2 per point of one strong attribute, 3 per point of the others.",
    conflicts=("point_buy",),
)
module.param("points", 61, 20, 120, doc="budget")


@module.character
def purchase(seat: dict[str, Any], params: dict[str, Any]) -> list[str]:
    """R13: the strong attribute is the one that makes the character cheapest."""
    bought = {name: entry["attribute"] for name, entry in seat["entries"].items()}
    strong = max(bought, key=lambda name: bought[name])
    if seat.get("conf_value"):
        bought["confidence"] = seat["conf_value"]
    return list(creation.check_specialist(params["points"], strong, bought).errors)
