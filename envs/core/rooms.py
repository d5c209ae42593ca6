"""The rooms of a system: one folder of its name on each floor, with a declaration in it; and systems from outside.

A system of this package has its rooms at `envs/<system>`, `agents/<system>`, `training/<system>`, `evaluation/<system>`
and `app/<system>`. One from outside is an installed package with the folders `envs`, `agents`, `training`, `evaluation`
and `app`; an entry point of the group `probespiel.systems` gives the name of the system and of the package. Only
`envs` must be there, with `SYSTEM` in `envs/system.py`. What the other floors need to know of a system stands in the
file `declaration.py` of its room, under the name that the floor asks for.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from functools import cache, lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from .errors import RulesetError

GROUP = "probespiel.systems"
FLOORS = ("envs", "agents", "training", "evaluation", "app")
_PACKAGE = __name__.rpartition(".envs.")[0]
_ENVS = Path(__file__).resolve().parent.parent


@cache
def built_in_systems() -> tuple[str, ...]:
    """Systems of this package: the folders of `envs` that have a `system.py`."""
    core = Path(__file__).resolve().parent
    return tuple(sorted(file.parent.name for file in _ENVS.glob("*/system.py") if file.parent != core))


def outside_systems() -> dict[str, str]:
    """Systems of installed packages: the name of each, and its package; raises RulesetError where two share a name."""
    return _outside(tuple(sys.path))


@lru_cache(maxsize=8)
def _outside(path: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for point in entry_points(group=GROUP):
        if point.name in built_in_systems() or found.get(point.name, point.value) != point.value:
            other = "built in" if point.name in built_in_systems() else f"declared by {found[point.name]}"
            raise RulesetError(f"system {point.name!r} of the entry point {point.value} is {other} already")
        found[point.name] = point.value
    return found


def system_names() -> tuple[str, ...]:
    """Names of all systems."""
    return tuple(sorted({*built_in_systems(), *outside_systems()}))


def room_of(system: str, floor: str) -> str | None:
    """The package of a system's room on one of FLOORS, or None where it has none; raises RulesetError."""
    outside = outside_systems().get(system)
    name = f"{_PACKAGE}.{floor}.{system}" if outside is None else f"{outside}.{floor}"
    try:
        found = importlib.util.find_spec(name) is not None
    except ModuleNotFoundError as error:
        if outside is None:
            return None
        raise RulesetError(f"system {system!r}: package {outside!r} cannot be loaded: {error}") from None
    except Exception as error:  # foreign code may raise anything
        reason = f"{type(error).__name__}: {error}"
        raise RulesetError(f"system {system!r}: package {outside!r} cannot be loaded: {reason}") from None
    return name if found else None


def folder_of(system: str, floor: str) -> Path | None:
    """The folder of that room, or None."""
    room = room_of(system, floor)
    return None if room is None else Path(str(importlib.import_module(room).__file__)).parent


def load(system: str, floor: str, file: str, name: str, kind: type) -> Any:
    """What a room says of its system: `name` in its `file`, a `kind`; raises RulesetError if it is missing or wrong."""
    where = f"{room_of(system, floor)}.{file}"
    try:
        found = getattr(importlib.import_module(where), name, None)
    except RulesetError:
        raise
    except Exception as error:
        if system in built_in_systems():
            raise
        reason = f"{type(error).__name__}: {error}"
        raise RulesetError(f"system {system!r}: {where} cannot be loaded: {reason}") from error
    if not isinstance(found, kind):
        raise RulesetError(f"system {system!r}: {where}.{name} must be a {kind.__name__}, it is {found!r}")
    return found


def has(system: str, floor: str, file: str) -> bool:
    """Whether a system has a room on a floor, and this file in it."""
    room = room_of(system, floor)
    return room is not None and importlib.util.find_spec(f"{room}.{file}") is not None


@lru_cache(maxsize=256)
def declared(system: str, floor: str, file: str, name: str, kind: type) -> Any:
    """As `load`, and None where there is no such room, or no such file in it."""
    return load(system, floor, file, name, kind) if has(system, floor, file) else None


def declaration(system: str, floor: str, name: str, kind: type) -> Any:
    """The declaration of a room (a `kind` called `name`), or None where there is no room; raises RulesetError.

    Looked for in `declaration.py`; a room without that file declares nothing.
    """
    return declared(system, floor, "declaration", name, kind)


__all__ = [
    "FLOORS",
    "GROUP",
    "declaration",
    "declared",
    "folder_of",
    "has",
    "load",
    "outside_systems",
    "room_of",
    "system_names",
]
