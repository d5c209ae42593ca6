"""Screens: how a system shows its positions in the browser, made of what a seat knows; the generic page needs none.

A system's screen stands in its room, `app/<system>/screen.py`, as the record `SCREEN`, with its template `screen.html`
and, if it has one, its style sheet `screen.css` beside it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.core.rooms import folder_of, load, room_of, system_names
from ...envs.core.texts import number_in
from ..session.seen import Option, Seen

FLOOR = "app"


@dataclass(frozen=True)
class Choice:
    """An action that is possible now: its id, the parts of its code, the words for it, and the key that chooses it."""

    action: int
    verb: str
    target: str
    detail: str
    text: str
    key: int = 0  # 1 to 9, or 0 for none
    hinted: bool = False

    @classmethod
    def of(cls, option: Option, key: int = 0, hinted: bool = False) -> Choice:
        """A possible action of a seat."""
        return cls(option.id, option.verb, option.target, option.detail, option.text, key, hinted)

    @property
    def code(self) -> str:
        """The code of the action, its parts joined."""
        return ":".join(part for part in (self.verb, self.target, self.detail) if part)


@dataclass(frozen=True)
class Sight:
    """What a screen is made of: what one seat knows, and nothing else.

    `pieces` are the observation's pieces by name, `told` is the position in words, `asked` the question in words;
    `choices` are empty while nothing is asked of the seat; `events` are all lines that it has been told so far, and
    `over` says whether the game is.
    """

    game: Game
    seat: int
    lang: str
    phase: str
    pieces: Mapping[str, np.ndarray]
    choices: Sequence[Choice] = ()
    told: str = ""
    asked: str = ""
    events: Sequence[str] = ()
    over: bool = False

    @classmethod
    def of(cls, game: Game, seen: Seen, choices: Sequence[Choice] = ()) -> Sight:
        """What a seat sees, with the choices as they stand on the page."""
        return cls(
            game, seen.seat, seen.lang, seen.phase_name, seen.pieces, choices, seen.told, seen.phase, seen.events,
            seen.over,
        )  # fmt: skip

    def choice(self, code: str) -> Choice | None:
        """The choice of a code, if it is possible now."""
        return next((choice for choice in self.choices if choice.code == code), None)

    def by_action(self) -> dict[int, Choice]:
        """The choices by their ids."""
        return {choice.action: choice for choice in self.choices}

    def start(self, block: str) -> int:
        """The first action id of a block."""
        return self.game.actions.starts[block]

    def of_verb(self, *verbs: str) -> list[Choice]:
        """The choices of some verbs."""
        return [choice for choice in self.choices if choice.verb in verbs]

    def pick(self, english: str, german: str) -> str:
        """The text of the seat's language."""
        return german if self.lang == "de" else english

    def signed(self, number: int) -> str:
        """A whole number with its sign, as the seat's language writes it."""
        return number_in(f"{number:+d}", self.lang)

    @property
    def names(self) -> list[str]:
        """Names of the seats."""
        return [seat.called(self.lang) for seat in self.game.seats]


@dataclass(frozen=True)
class Drawn:
    """The screen for one sight: values for the template, and the actions that the template offers itself.

    `notes` are short texts beside other actions, such as the chance that an attack hits.
    """

    values: Mapping[str, Any]
    placed: frozenset[int] = frozenset()
    notes: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, values: Mapping[str, Any], placed: Iterable[Choice | None] = (), notes: Mapping[int, str] | None = None
    ) -> Drawn:
        """The screen with these choices placed on it; the others are listed below it."""
        return cls(values, frozenset(choice.action for choice in placed if choice is not None), dict(notes or {}))


@dataclass(frozen=True)
class Screen:
    """How a system is shown: `draw` makes the values of its template, or None where the generic page is the better one.

    `games`: those that it can show (empty: all of the system). `keyless`: verbs of choices that need no key, because
    they are places to click on.
    """

    draw: Callable[[Sight], Drawn | None]
    games: tuple[str, ...] = ()
    keyless: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def screen_of(system: str) -> Screen | None:
    """The screen of a system, or None if it has none; raises RulesetError for one that is wrong."""
    room = room_of(system, FLOOR)
    if room is None or importlib.util.find_spec(f"{room}.screen") is None:
        return None
    return load(system, FLOOR, "screen", "SCREEN", Screen)


def screen_folders() -> dict[str, Path]:
    """The folders of all systems that have a room on this floor."""
    found = {name: folder_of(name, FLOOR) for name in system_names()}
    return {name: folder for name, folder in found.items() if folder is not None}


def number(value: Any, scale: float) -> int:
    """A whole number that an observation holds as a share of `scale`."""
    return round(float(value) * scale)


def hot(values: np.ndarray) -> int:
    """The place that is set in a piece of flags, or -1."""
    found = np.flatnonzero(values > 0.5)
    return int(found[0]) if len(found) else -1


__all__ = ["Choice", "Drawn", "Screen", "Sight", "hot", "number", "screen_folders", "screen_of"]
