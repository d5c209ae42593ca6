"""Texts that games have in common: the payoffs at the end, and actions whose words depend on the position."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .actions import LANGUAGES, ActionTable

if TYPE_CHECKING:
    from .game import Position


_WITHIN = re.compile(r"(?<=\d)([.,])(?=\d)")  # the point of a fraction, the comma of thousands
_PERCENT = re.compile(r"(?<=\d)\s?%")
_SWAP = {".": ",", ",": "."}


def german_number(text: str) -> str:
    """A text of numbers with a comma for fractions and points for thousands; "%" apart from its number."""
    return _PERCENT.sub("\N{NO-BREAK SPACE}%", _WITHIN.sub(lambda found: _SWAP[found[1]], text))


def payoff_lines(position: Position, lang: str) -> list[str]:
    """The payoff of every seat, a line each."""
    payoffs = (position.returns() + 0.0).tolist()  # no -0
    word = {"en": "payoff", "de": "Auszahlung"}[lang]
    told = [german_number(f"{payoff:+g}") if lang == "de" else f"{payoff:+g}" for payoff in payoffs]
    return [f"  {seat.called(lang)}: {word} {payoff}" for seat, payoff in zip(position.game.seats, told)]


# the seats of a game in which nothing but the order tells them apart: name, and what is read in English and German
IN_ORDER = (("first", ("first", "Erster")), ("second", ("second", "Zweiter")))


class OwnWords:
    """Actions in words that depend on the position; a class with it says them in `words_of`, and perhaps in `code_of`.

    Whatever of this a seat can read, and every code of the action table, `parse` understands.
    """

    actions: ActionTable

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
