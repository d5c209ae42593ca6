"""Screens: how a system shows its positions in the browser, made of what a seat knows; the generic page needs none.

A system's screen stands in its room, `app/<system>/screen.py`, as the record `SCREEN`, with its template `screen.html`
and, if it has them, `after.html` (below the other choices), `below.html` (in a card of its own) and its style sheet
`screen.css` beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...envs.core.rooms import declared, folder_of, system_names
from ..session.sight import Choice, Keys, Sight, hot, number

FLOOR = "app"


@dataclass(frozen=True)
class Drawn:
    """The screen for one sight: values for the template, and the actions that the template offers itself.

    `result`: the lines about the end that the template leaves to the page.
    """

    values: Mapping[str, Any]
    placed: frozenset[int] = frozenset()
    result: tuple[str, ...] | None = None  # all of them

    @classmethod
    def of(
        cls,
        values: Mapping[str, Any],
        placed: Iterable[Choice | None] = (),
        result: Iterable[str] | None = None,
    ) -> Drawn:
        """The screen with these choices placed on it; the others are listed below it."""
        left = None if result is None else tuple(result)
        return cls(values, frozenset(choice.action for choice in placed if choice is not None), left)


@dataclass(frozen=True)
class Screen:
    """How a system is shown: `draw` makes the values of its template, or None where the generic page is the better one.

    `games`: those that it can show (empty: all of the system). `keyless`: verbs of choices that need no key, because
    they are places to click on.
    """

    draw: Callable[[Sight], Drawn | None]
    games: tuple[str, ...] = ()
    keyless: tuple[str, ...] = ()


def screen_of(system: str) -> Screen | None:
    """The screen of a system, or None if it has none; raises RulesetError for one that is wrong."""
    return declared(system, FLOOR, "screen", "SCREEN", Screen)


def screen_folders() -> dict[str, Path]:
    """The folders of all systems that have a room on this floor."""
    found = {name: folder_of(name, FLOOR) for name in system_names()}
    return {name: folder for name, folder in found.items() if folder is not None}


__all__ = ["Choice", "Drawn", "Keys", "Screen", "Sight", "hot", "number", "screen_folders", "screen_of"]
