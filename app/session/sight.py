"""A position as one seat knows it, for whoever shows it: screens in the browser, and notes beside actions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.core.texts import number_in, signed
from .numbers import MOST, own_numbers
from .seen import Option, Seen


class Keys:
    """The numbers of a page's choices: who types one takes it.

    They are those that the choices name themselves, if they do, and else given in the order in which they are shown.
    """

    def __init__(self, options: Sequence[Option] = ()) -> None:
        own = own_numbers(options)
        self._given = {} if own is None else {option.id: number for option, number in zip(options, own, strict=True)}

    def of(self, action: int) -> int | None:
        """The number of an action, always the same one; None if all were given to others before."""
        if action not in self._given and len(self._given) < MOST:
            self._given[action] = len(self._given) + 1
        return self._given.get(action)


@dataclass(frozen=True)
class Choice:
    """An action that is possible now: its id, the parts of its code, and the words for it.

    `kind` is what all actions of the verb are called together, where the game has words for it. `keys` are those of the
    page that shows it (None: it has none).
    """

    action: int
    verb: str
    target: str
    detail: str
    text: str
    keys: Keys | None = field(default=None, compare=False, repr=False)
    hinted: bool = False
    kind: str = ""

    @classmethod
    def of(cls, option: Option, keys: Keys | None = None, hinted: bool = False) -> Choice:
        """A possible action of a seat."""
        return cls(option.id, option.verb, option.target, option.detail, option.text, keys, hinted, option.kind)

    @property
    def key(self) -> int | None:
        """The number that chooses it when typed, if it has one; asked for by a page where it shows the choice."""
        return None if self.keys is None else self.keys.of(self.action)

    @property
    def code(self) -> str:
        """The code of the action, its parts joined."""
        return ":".join(part for part in (self.verb, self.target, self.detail) if part)


@dataclass(frozen=True)
class Sight:
    """What a screen is made of: what one seat knows, and nothing else.

    `pieces` are the observation's pieces by name, `told` is the position in words, `asked` the question in words;
    `choices` are empty while nothing is asked of the seat; `events` are all lines that it has been told so far, `over`
    says whether the game is, and `result` what is told of its end. `named`: it is read later, in a recording, where
    nobody is called "you". `facts` are values that the position in words tells and the observation does not.
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
    result: Sequence[str] = ()
    named: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, seen: Seen, choices: Sequence[Choice] = ()) -> Sight:
        """What a seat sees, with the choices as they stand on the page."""
        return cls(
            game, seen.seat, seen.lang, seen.phase_name, seen.pieces, choices, seen.told, seen.phase, seen.events,
            seen.over, seen.result, facts=seen.facts,
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
        return number_in(signed(number), self.lang)

    @property
    def head(self) -> str:
        """The first line of the position, with a dot between its parts."""
        return " · ".join(re.split(r"\s{2,}", self.told.partition("\n")[0].strip()))

    @property
    def you(self) -> str:
        """What the seat is called: "you", or by name where it is read later."""
        return self.names[self.seat] if self.named else self.pick("you", "du")

    @property
    def names(self) -> list[str]:
        """Names of the seats."""
        return [seat.called(self.lang) for seat in self.game.seats]


def number(value: Any, scale: float) -> int:
    """A whole number that an observation holds as a share of `scale`."""
    return round(float(value) * scale)


def hot(values: np.ndarray) -> int:
    """The place that is set in a piece of flags, or -1."""
    found = np.flatnonzero(values > 0.5)
    return int(found[0]) if len(found) else -1


__all__ = ["Choice", "Keys", "Sight", "hot", "number"]
