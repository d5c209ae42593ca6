"""What the numbers of an observation are called, for people who read which situations a finding is about.

They stand apart from the kernels that write the numbers, so that a better name compiles nothing anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..core.observe import Part, Piece, parts
from . import state as st
from .character.kit import ITEMS, PERKS, PHYSICAL, SOCIAL
from .parley.observe import talk_pieces


def words(names: Iterable[str]) -> str:
    """Names of the code as people write them, between commas."""
    return ", ".join(name.replace("_", " ") for name in names)


def each(names: Iterable[str], text: str) -> str:
    """A text for every name, between commas."""
    return ", ".join(text.format(name.replace("_", " ")) for name in names)


_VALUES = "body plus 1 / 6, mind plus 1 / 6, charisma plus 1 / 6"
_PERKS = each(PERKS, "perk {}")
_REACTIONS = "reacts to a failure, reacts to a six, reacts to a wound, reacts to a weak spot"
_OUTCOMES = st.OUTCOMES[:5]
PARTS: Mapping[str, tuple[Part, ...]] = {
    "figures": parts(
        "there, oneself, ally, up, unconscious, dead, column / 24, row / 24, columns from oneself / 24, "
        "rows from oneself / 24, footprint / 4, wounds / 8, wound limit / 8, malus / 3, attack / 8, defence / 12, "
        "modifier of attacks on it / 3, initiative / 10, combat initiative / 16, counts until its turn / 16, "
        f"steps of a move / 6, {each(PHYSICAL, '{} / 4')}, base initiative / 4, {_VALUES}, {each(SOCIAL, '{} / 4')}, "
        + ", ".join(
            f"{which} weapon is for melee, {which} weapon's damage / 2, {which} weapon's range / 6, "
            f"{which} weapon's skill / 14"
            for which in ("first", "second")
        )
        + f", lore of races / 14, {each(ITEMS, '{} / 3')}, saga points / 10, luck, {_PERKS}, has moved, has acted, "
        "surprise turn"
    ),
    "global": parts(
        f"count in parts of max_count, turn, {_REACTIONS}, effects wait for the group, pending effects / 8, "
        "last die / 6, last total / 12, threshold / 12, margin / 12"
    ),
    "sheet": parts(f"{_VALUES}, {each(SOCIAL, '{} / 4')}, insight / 14, {_PERKS}, wound malus"),
    "last": parts(f"{words(SOCIAL)}, die / 6, die that confirms / 6, total / 12, {words(_OUTCOMES)}"),
    "counts": parts(words(_OUTCOMES)),
    "claim": parts(
        "probed, sign of a lie, own statement is true, die of the check / 6, die that confirms / 6, "
        "own character is chosen"
    ),
    "rooms": parts(f"{words(st.ROOM_TYPES)}, exit, visited, cleared, way north, way east, way south, way west"),
    "mission_node": parts(words(st.PHASES[:10])),
    "tools": parts(", ".join(f"hero {i}" for i in range(1, 5))),
    "stage": parts(words(phase.removeprefix("build_") for phase in st.PHASES[st.N_BUILD :])),
    "budgets": parts("gear budget left / 20, body plus 1 / 7, mind plus 1 / 7, charisma plus 1 / 7"),
}
UNITS = {"edges": 10.0}  # rounds left


def named(pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces of an observation with the names of their numbers, where the code that writes them has none."""
    return [_named(piece) for piece in pieces]


def _named(piece: Piece) -> Piece:
    if piece.name == "parley":
        return replace(piece, parts=tuple(own.number(i) for own in named(talk_pieces()) for i in range(own.size)))
    return replace(piece, parts=PARTS.get(piece.name, piece.parts), unit=UNITS.get(piece.name, piece.unit))


__all__ = ["PARTS", "named"]
