"""What a system tells once a game is over, besides result and analysis: tables that only make sense then.

A system says it in the file `afterwards.py` of its room. While a game is under way nothing of it is made, so that
nobody learns during a game what an opponent thinks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...envs.core.game import Position
from ...envs.core.rooms import declared
from .mishap import reason_of

FLOOR = "app"
_logger = logging.getLogger(__name__)
_MISSING = {
    "en": ("More about this game", "What is told after such games cannot be told of this one ({reason})."),
    "de": ("Mehr über dieses Spiel", "Was nach solchen Spielen erzählt wird, fehlt bei diesem ({reason})."),
}


@dataclass(frozen=True)
class Insight:
    """A table: what it tells, in a title and a few sentences, the heads of its columns, and rows of as many texts.

    `foot` is a sentence below it. Without heads there is no table.
    """

    title: str
    about: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    foot: str = ""

    @property
    def lines(self) -> list[str]:
        """The table in lines, for a terminal; columns stand two spaces apart."""
        table = (self.heads, *self.rows)
        wide = [max(len(row[at]) for row in table) for at in range(len(self.heads))]
        told = ["  ".join(text.ljust(wide[at]) for at, text in enumerate(row)).rstrip() for row in table if row]
        return [
            self.title,
            *([self.about] if self.about else []),
            *(f"  {line}" for line in told),
            *([self.foot] if self.foot else []),
        ]


@dataclass(frozen=True)
class Afterwards:
    """`of` makes the tables for the reader of a seat from the last position: position, seat, language, who played.

    The seat is None for a reader who sat nowhere. Who played is told by seat, as names of agents (`human`: a person).
    """

    of: Callable[[Position, int | None, str, Mapping[int, str]], Sequence[Insight]]


def _afterwards_of(system: str) -> Afterwards | None:
    """What a system declares as `AFTERWARDS`, or None; raises RulesetError for one that is wrong."""
    return declared(system, FLOOR, "afterwards", "AFTERWARDS", Afterwards)


def tells_after(system: str) -> bool:
    """Whether a system tells anything after its games."""
    return _afterwards_of(system) is not None


def insights_on(position: Position, seat: int | None, lang: str, cast: Mapping[int, str]) -> tuple[Insight, ...]:
    """What is told after the end to the reader of a seat, or to one who sat nowhere; nothing before the end.

    Nothing, too, where a system has nothing to tell; a sentence without a table where it cannot tell it.
    """
    if not position.over:
        return ()
    found = _afterwards_of(position.game.spec.system)
    if found is None:
        return ()
    try:
        return tuple(found.of(position, seat, lang, cast))
    except Exception as error:  # it may meet rules that it does not know; the result is told without it
        _logger.exception("what %s tells after a game cannot be told of this one", position.game.spec.system)
        title, about = _MISSING[lang]
        return (Insight(title, about.format(reason=reason_of(error)), (), ()),)


__all__ = ["Afterwards", "Insight", "insights_on", "tells_after"]
