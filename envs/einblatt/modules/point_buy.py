"""point_buy (R12, R14): pcs are bought with points, one for each attribute point."""

from __future__ import annotations

from typing import Any

from .. import creation
from ..module import Module

module = Module(
    "point_buy",
    "Every pc is bought with points: one per attribute point, each attribute from 2 to 10.",
    conflicts=("specialist_buy",),
)
module.param("points", 21, 8, 40, doc="budget")


@module.character
def purchase(seat: dict[str, Any], params: dict[str, Any]) -> list[str]:
    """R12, R14; R220: confidence costs like an attribute. Other attributes need not be listed."""
    bought = {name: entry["attribute"] for name, entry in seat["entries"].items()}
    if seat.get("conf_value"):
        bought["confidence"] = seat["conf_value"]
    return list(creation.check_points(params["points"], bought).errors)
