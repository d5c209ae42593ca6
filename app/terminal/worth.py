"""The value bar at the terminal: what a position is worth to whoever decides, from the least to the most it pays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...agents.base import AgentError
from ...envs.core.texts import number_in
from ..preparing import telling
from ..reasons import end_text, places_of, worth_text
from ..session.advice import Adviser, Counsel
from ..session.table import Table
from .messages import say
from .screen import Screen, Styled

SECONDS = 1.0  # that an estimate may take; less where hints get less
_CELLS = 40  # signs of a bar, where the screen is wide enough
_FULL, _EMPTY = "#", "-"  # every terminal has them


def bar_of(value: float, ends: tuple[float, float], lang: str, width: int) -> list[Styled]:
    """A bar of at most so many columns, from what a game pays at least to what it pays at most; pieces with styles."""
    low, high = (number_in(end_text(end), lang) for end in ends)
    cells = max(1, min(_CELLS, width - len(f"  {low} [] {high}")))
    part = (value - ends[0]) / max(ends[1] - ends[0], 1e-9)
    full = round(cells * min(max(part, 0.0), 1.0))
    return [(f"  {low} [", ""), (_FULL * full, "green"), (_EMPTY * (cells - full), "dim"), (f"] {high}", "")]


class Worth:
    """The value bars of a session at the terminal: switched on and off by seat, and shown before its decisions."""

    def __init__(self, table: Table, screen: Screen, lang: str, think: float) -> None:
        self._table, self._screen, self._lang = table, screen, lang
        self._seconds = min(SECONDS, think)
        self._adviser = Adviser(self._seconds)
        self._seats: set[int] = set()  # that have it on

    def switch(self, seat: int) -> None:
        """On, and shown at once, or off; a rated game has none."""
        if self._table.rated:
            self._say("bar_rated")
            return
        self._seats ^= {seat}
        self._say("bar_on" if seat in self._seats else "bar_off")
        self.show(seat)

    def show(self, seat: int) -> None:
        """What the position is worth to the seat that decides, where it wants to see that; Ctrl-C switches it off."""
        if seat not in self._seats:
            return
        game = self._table.game
        with self._broken_off(seat), telling(game.name, self._lang):
            counsel = self._adviser.best(game, self._table.view(seat, self._adviser.name_in(game)))
            self._table.practise()
            self._told(counsel, seat)

    def _told(self, counsel: Counsel, seat: int) -> None:
        best, ends = counsel.best[0], self._table.game.spec.bounds_of_seats[seat]
        self._say("bar", value=worth_text(best.value, best.error, ends, places_of(counsel.best), self._lang))
        self._screen.pieces(*bar_of(best.value, ends, self._lang, self._screen.width))

    @contextmanager
    def _broken_off(self, seat: int) -> Iterator[None]:
        try:
            yield
        except (AgentError, OSError) as error:
            self._seats.discard(seat)
            self._say("bar_none", reason=error)
        except KeyboardInterrupt:
            self.close()
            self._adviser = Adviser(self._seconds)
            self._seats.discard(seat)
            self._say("bar_broken")

    def _say(self, key: str, **values: object) -> None:
        self._screen.line(say(self._lang, key, **values))

    def close(self) -> None:
        """Release the search."""
        self._adviser.close()


__all__ = ["Worth", "bar_of"]
