"""The picture of the house in docs/architecture.md: its rooms, and which of them import which, read from the sources.

A room is a package of a floor, with the packages below it. The rooms of the systems of a floor are drawn as one, and so
are the files that stand on a floor itself.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable

from .test_layout import ORDER, ROOT, imports_in, module_name, package_files, parsed, trees_in_mind

SYSTEMS = "<system>"  # stands for the rooms of all systems on a floor
FILES = "*.py"  # stands for the files of a floor that are in no room

Room = tuple[str, str]  # floor and name
Arrow = tuple[Room, Room]


@functools.cache
def systems() -> tuple[str, ...]:
    """Names of the systems: the rooms of the first floor that hold a `system.py`, all but `core`."""
    return tuple(
        sorted(path.parent.name for path in (ROOT / ORDER[0]).glob("*/system.py") if path.parent.name != "core")
    )


def room_of(module: str, is_package: bool) -> Room | None:
    """The room that a module stands in, with a system's own name; None for the package `probespiel` itself."""
    parts = module.split(".")[1:]
    if not parts:
        return None
    inside = parts[1:] if is_package else parts[1:-1]
    return parts[0], inside[0] if inside else FILES


def drawn(room: Room) -> Room:
    """The room as it is drawn."""
    return (room[0], SYSTEMS) if room[1] in systems() else room


@functools.cache
def arrows() -> frozenset[Arrow]:
    """All pairs of rooms of which the first imports the second, with systems' own names."""
    packages = {module_name(path): path.name == "__init__.py" for path in package_files()}
    found = set()
    with trees_in_mind():
        for path in package_files():
            if "skeleton" in path.parts:
                continue  # what `probespiel new-module` copies into an author's folder
            home = room_of(module_name(path), path.name == "__init__.py")
            for _, imported in imports_in(path):
                # `from a import b` gives a.b, whatever b is
                target = imported if imported in packages else imported.rpartition(".")[0]
                if target in packages:
                    there = room_of(target, packages[target])
                    if home and there and home != there:
                        found.add((home, there))
    return frozenset(found)


@functools.cache
def rooms() -> tuple[Room, ...]:
    """All rooms as they are drawn, floor by floor from the top; the files of a floor come first, the systems last."""
    found = {room_of(module_name(path), path.name == "__init__.py") for path in package_files()}
    order = {FILES: 0, SYSTEMS: 2}
    there = {drawn(room) for room in found if room is not None}
    return tuple(sorted(there, key=lambda r: (-ORDER.index(r[0]), order.get(r[1], 1), r[1])))


def drawn_arrows() -> list[Arrow]:
    """The arrows between rooms as they are drawn, in the order of the rooms."""
    place = {room: number for number, room in enumerate(rooms())}
    found = {(drawn(a), drawn(b)) for a, b in arrows()}
    return sorted(((a, b) for a, b in found if a != b), key=lambda arrow: (place[arrow[0]], place[arrow[1]]))


def reached(start: Room, steps: Iterable[Arrow]) -> set[Room]:
    """The rooms that can be reached along some arrows."""
    steps = list(steps)
    seen, todo = {start}, [start]
    while todo:
        here = todo.pop()
        fresh = {b for a, b in steps if a == here} - seen
        seen |= fresh
        todo += fresh
    return seen


def needed(steps: list[Arrow]) -> list[Arrow]:
    """As few of the arrows as say the same: one that follows from others is left out."""
    kept = list(steps)
    for arrow in steps:
        rest = [other for other in kept if other != arrow]
        if arrow[1] in reached(arrow[0], rest):
            kept = rest
    return kept


def _node(room: Room) -> str:
    return "_".join((room[0], {FILES: "files", SYSTEMS: "systems"}.get(room[1], room[1])))


def path_of(room: Room) -> str:
    """A room as a path."""
    return f"{room[0]}/{room[1]}"


def systems_on(floor: str) -> list[str]:
    """The systems that have a room on a floor."""
    return [name for name in systems() if (ROOT / floor / name / "__init__.py").is_file()]


def picture() -> str:
    """The house as a Mermaid diagram in a fence: floors from the top, and the arrows that are needed."""
    lines = ["```mermaid", "flowchart TB"]
    for floor in reversed(ORDER):
        lines.append(f"  subgraph {floor}")
        for room in rooms():
            if room[0] == floor:
                text = "<br>".join(systems_on(floor)) if room[1] == SYSTEMS else path_of(room)
                lines.append(f'    {_node(room)}["{text}"]')
        lines.append("  end")
    lines += [f"  {_node(a)} --> {_node(b)}" for a, b in needed(drawn_arrows())]
    return "\n".join([*lines, "```", ""])


def purpose(room: Room) -> str:
    """What a room is for: the first line of its docstring, or the names of the systems."""
    if room[1] == SYSTEMS:
        return ", ".join(systems_on(room[0]))
    folder = ROOT / room[0] if room[1] == FILES else ROOT / room[0] / room[1]
    return (ast.get_docstring(parsed(folder / "__init__.py")) or "").partition("\n")[0]


def table() -> str:
    """All rooms, what they are for, and every room that they import."""
    lines = ["| room | what it holds | imports |", "|---|---|---|"]
    for room in rooms():
        imported = ", ".join(f"`{path_of(b)}`" for a, b in drawn_arrows() if a == room)
        lines.append(f"| `{path_of(room)}` | {purpose(room)} | {imported} |")
    return "\n".join([*lines, ""])
