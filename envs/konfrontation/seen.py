"""What the numbers of an observation are called, for people who read which situations a finding is about.

They stand apart from the kernels that write the numbers, so that a better name compiles nothing anew.
"""

from __future__ import annotations

from dataclasses import replace

from ..core.observe import Layout, parts
from .observe import FACTIONS
from .state import CHARACTERS, NATURES, RESOURCES, SUPPORTS


def _unit(who: str, more: str = "") -> str:
    natures = ", ".join(f"{who} is {nature}" for nature in NATURES)
    return f"{who} is there, {natures}, {more}{who} is committed, {who} is the target"


def _all(count: int, text: str) -> str:
    return ", ".join(text.format(i) for i in range(1, count + 1))


_WHO = ("oneself", *(f"number {i} after oneself" for i in range(1, FACTIONS)))
PARTS = {
    "faction": parts(
        "there, power / 20, control points / 48, special goals / 20, strength points / 32, "
        + ", ".join(_unit(f"character {i}") for i in range(1, CHARACTERS + 1))
        + ", "
        + ", ".join(_unit(f"support {i}", f"value of support {i} / 6, ") for i in range(1, SUPPORTS + 1))
        + ", "
        + _all(RESOURCES, "size of resource {0} / 3, resource {0} is the target")
        + ", builds a resource, builds a support, "
        + ", ".join(f"builds a {nature} support" for nature in NATURES)
        + ", size or extra turns of what is built / 3, turns until it is built / 5"
    ),
    "history": parts(
        ", ".join(f"{role} was {who}" for role in ("attacker", "defender") for who in _WHO)
        + ", strength of the attacker / 40, strength of the defender / 40, bid of the attacker / 20, "
        "bid of the defender / 20, attacker won, defender won, tie, draw"
    ),
}


def named(layout: Layout) -> Layout:
    """The observation with the names of its numbers, where the code that writes them has none."""
    return Layout([replace(piece, parts=PARTS.get(piece.name, piece.parts)) for piece in layout.pieces])


__all__ = ["PARTS", "named"]
