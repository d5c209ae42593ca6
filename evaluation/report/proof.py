"""Links from a claim of a page to the numbers that it rests on, and to games that show it.

An anchor is the id of an element of the same page: a row or a section of numbers, or what names the command that opens
a game. `tests/test_proofs.py` reads the claims of every kind of page and follows their links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

_WORDS = {"en": ("numbers", "a game", "game {}"), "de": ("Zahlen", "ein Spiel", "Spiel {}")}
_GAME = re.compile(r"game-(\d+)")
_LINK = Markup(' <a class="numbers" href="#{}">{}</a>')


def links(numbers: str | Iterable[str], games: str | Iterable[str] = (), lang: str = "en") -> Markup:
    """Links to anchors of numbers and of games, each once, in `en` or `de`; that of game n of a tournament is `game-n`.

    Anchors that are empty are left out.
    """
    to_numbers, to_game, to_numbered = _WORDS[lang]
    out = [_LINK.format(anchor, to_numbers) for anchor in _each(numbers)]
    for anchor in _each(games):
        numbered = _GAME.fullmatch(anchor)
        out.append(_LINK.format(anchor, to_game if numbered is None else to_numbered.format(numbered[1])))
    return Markup("").join(out)


def _each(anchors: str | Iterable[str]) -> list[str]:
    return [anchor for anchor in dict.fromkeys([anchors] if isinstance(anchors, str) else anchors) if anchor]


@pass_context
def proof(context: Context, numbers: str | Iterable[str], games: str | Iterable[str] = ()) -> Any:
    """`links` in the language of the page that is made."""
    return links(numbers, games, context["lang"])


__all__ = ["links", "proof"]
