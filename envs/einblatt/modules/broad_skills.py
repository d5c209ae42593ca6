"""broad_skills (R16): a broad skill takes more slots the smaller its malus; the malus itself is a field of the seat."""

from __future__ import annotations

from typing import Any

from .. import creation
from ..module import Module

module = Module(
    "broad_skills",
    "Skills may be broad: they carry a malus on the number of cards, which further skill slots lower.",
)


@module.character
def slots(seat: dict[str, Any], params: dict[str, Any]) -> list[str]:
    """R10, R16: listed skills take exactly as many slots as the attribute has points."""
    out = []
    for name, entry in seat["entries"].items():
        listed = entry.get("skills")
        if isinstance(listed, (list, tuple)):
            taken = sum(creation.skill_slots(skill) for skill in listed)
            if taken != entry["attribute"]:
                out.append(f"skills of {name} take {taken} slots: exactly {entry['attribute']} are due")
    return out
