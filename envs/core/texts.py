"""Texts that games have in common: the payoffs at the end, and actions whose words depend on the position."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from .actions import LANGUAGES, ActionTable

if TYPE_CHECKING:
    from .game import Position


_BY_NAME: ContextVar[bool] = ContextVar("by_name", default=False)
_WITHIN = re.compile(r"(?<=\d)([.,])(?=\d)")  # the point of a fraction, the comma of thousands
_PERCENT = re.compile(r"(?<=\d)\s?%")
_HYPHEN = re.compile(r"(?<![\w.,)\]-])-(?=[\d\N{INFINITY}])")  # before a number, and neither a range nor a name
_EQUAL = 1e-9  # mean payoffs that differ by less are the same
_SWAP = {".": ",", ",": "."}


@contextmanager
def by_name() -> Iterator[None]:
    """While it lasts, whoever reads is called by name and not "you": so a recording says later who did what."""
    token = _BY_NAME.set(True)
    try:
        yield
    finally:
        _BY_NAME.reset(token)


def reader(seat: int | None) -> int | None:
    """The seat that a text may call "you": whoever reads it, but nobody in a recording (see `by_name`)."""
    return None if _BY_NAME.get() else seat


def german_number(text: str) -> str:
    """A text of numbers with a comma for fractions and points for thousands; "%" apart from its number."""
    return _PERCENT.sub("\N{NO-BREAK SPACE}%", _WITHIN.sub(lambda found: _SWAP[found[1]], text))


def minus_signs(text: str, lang: str) -> str:
    """A text whose negative numbers have the minus sign in German; hyphens in words and ranges stay."""
    return _HYPHEN.sub("\N{MINUS SIGN}", text) if lang == "de" else text


def number_in(text: str, lang: str) -> str:
    """A text of numbers as a reader of the language writes them: in German with a comma and a minus sign."""
    return minus_signs(german_number(text), lang) if lang == "de" else text


def signed(number: float) -> str:
    """A number with its sign; nothing has none."""
    return f"{number:+g}" if number else "0"


def payoff_lines(position: Position, lang: str) -> list[str]:
    """The payoff of every seat, to three places, a line each."""
    word = {"en": "payoff", "de": "Auszahlung"}[lang]
    told = [number_in(signed(round(payoff, 3)), lang) for payoff in _payoffs(position)]
    return [f"  {seat.called(lang)}: {word} {payoff}" for seat, payoff in zip(position.game.seats, told)]


def first_sides(position: Position) -> list[str]:
    """The sides whose mean payoff is the highest; empty where there is but one side."""
    payoffs = _payoffs(position)
    means = {side: sum(payoffs[seat] for seat in seats) / len(seats) for side, seats in position.game.sides}
    most = max(means.values())
    return [side for side, mean in means.items() if mean > most - _EQUAL] if len(means) > 1 else []


def won(position: Position, lang: str) -> str:
    """Which side has won by the payoffs, or which share the first place, in words; empty where there is but one.

    A side stands behind a colon: its name may be one or many, and in German it has an article or none.
    """
    called = {seat.side: seat.side_called(lang) for seat in position.game.seats}
    first = [called[side] for side in first_sides(position)]
    if not first:
        return ""
    if len(first) == len(called):
        return {"en": "a draw", "de": "unentschieden"}[lang]
    if len(first) == 1:
        return won_by(first[0], lang)
    both, together = {"en": ("and", "share the first place"), "de": ("und", "teilen sich den ersten Platz")}[lang]
    return f"{', '.join(first[:-1])} {both} {first[-1]} {together}"


def won_by(name: str, lang: str) -> str:
    """That somebody has won, in words that fit every name: "orcs wins" and "Angreifer gewinnt" do not."""
    return f"{'Sieg' if lang == 'de' else 'winner'}: {name}"


def drawn_before(names: Sequence[str], first: int, lang: str) -> str:
    """That of several whose turn is the same one was drawn to be before the others; `first` counts from 0."""
    drawn, before, joined = (
        ("Gleichstand, ausgelost", "vor", "und") if lang == "de" else ("tie, drawn", "before", "and")
    )
    left = [name for number, name in enumerate(names) if number != first]
    return f"{drawn}: {names[first]} {before} {f' {joined} '.join(left)}"


def leader_first(position: Position) -> tuple[int, int]:
    """The two seats of a game of two, the one with the higher payoff first."""
    first, second = _payoffs(position)
    return (1, 0) if second > first else (0, 1)


def ending_lines(position: Position, lang: str, reason: str = "") -> list[str]:
    """Who has won and by what, then the payoffs, a line each; without a reason the payoffs are the reason."""
    told = list(dict.fromkeys(text for text in (won(position, lang), reason) if text))  # a draw is said once
    return [*([f"  {'; '.join(told)}"] if told else []), *payoff_lines(position, lang)]


def _payoffs(position: Position) -> list[float]:
    return (position.returns() + 0.0).tolist()  # no -0


# the seats of a game in which nothing but the order tells them apart: name, and what is read in English and German
IN_ORDER = (("first", ("first", "Erster")), ("second", ("second", "Zweiter")))


class OwnWords:
    """Actions in words that depend on the position; a class with it says them in `words_of`, and perhaps in `code_of`.

    Whatever of this a seat can read, and every code of the action table, `parse` understands. `kinds` may name what all
    actions of a verb are together, in English and German.
    """

    actions: ActionTable
    kinds: Mapping[str, tuple[str, str]] = {}

    def words_of(self, position: Position, seat: int, action: int, lang: str) -> str:
        """A legal action in words; empty where the action table says it well enough."""
        raise NotImplementedError

    def code_of(self, position: Position, seat: int, action: int) -> str:
        """The code of a legal action with names in it; empty where that of the action table says it well enough."""
        return ""

    def action(self, position: Position, seat: int, action: int, lang: str) -> str:
        """An action of the seat in words."""
        own = self.words_of(position, seat, action, lang) if action in position.legal(seat) else ""
        return own or self.actions.describe(action, lang)

    def code(self, position: Position, seat: int, action: int) -> str:
        """The code of an action as the seat reads it."""
        own = self.code_of(position, seat, action) if action in position.legal(seat) else ""
        return own or self.actions.codes[action]

    def parse(self, position: Position, seat: int, text: str) -> int:
        """The id of an action that the seat names by code or in words; raises UnparsableAction."""
        said = " ".join(text.split()).casefold()
        for action in position.legal(seat) if said else ():
            known = [self.words_of(position, seat, action, lang) for lang in LANGUAGES]
            if said in (own.casefold() for own in [*known, self.code_of(position, seat, action)]):
                return action
        return self.actions.parse(text, position.game.spec.aliases)
