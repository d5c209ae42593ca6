"""A hint and the value bar as a page shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ...envs.core.game import Game
from ...envs.core.texts import number_in
from ..reasons import (
    blind_of,
    does_of,
    end_text,
    few_of,
    first_named,
    guessed_of,
    places_of,
    reason_of,
    share_of,
    untried_of,
    worth_text,
)
from .room import Hint
from .screens import Choice


@dataclass(frozen=True)
class Bar:
    """What a position is worth to a seat, between the least and the most that it may get; unknown while searched."""

    low: float
    high: float
    value: float | None = None
    error: float = 0.0

    @property
    def ends(self) -> tuple[str, str]:
        """The least and the most with their signs; nothing has none."""
        return end_text(self.low), end_text(self.high)

    def told(self, lang: str) -> str:
        """The value with its interval; empty while it is unknown."""
        return "" if self.value is None else worth_text(self.value, self.error, (self.low, self.high), 2, lang)


@dataclass(frozen=True)
class Advised:
    """The actions of a hint, each with value, interval and share in words, one sentence why, and what may follow.

    `exact`: what is left of the game was solved.
    """

    actions: tuple[str, ...] = ()
    reason: str = ""
    reply: str = ""
    exact: bool = False


def bar_of(hint: Hint | None, game: Game, seat: int) -> Bar:
    """The value bar of a seat, from what a search finds the best action to be worth."""
    low, high = game.spec.bounds_of_seats[seat]
    if hint is None or not hint.best:
        return Bar(low, high)
    return Bar(low, high, hint.best[0].value, hint.best[0].error)


def advised(
    hint: Hint | None,
    choices: Sequence[Choice],
    game: Game,
    lang: str,
    notes: Mapping[int, str] = MappingProxyType({}),
    several: bool = False,
) -> Advised:
    """What a hint says, with the note beside its best action; nothing while it is sought or forced.

    `several`: the actions are things of which several may be named.
    """
    texts = {choice.action: choice.text for choice in choices}
    best = [one for one in hint.best if one.action in texts] if hint is not None and hint.simulations else []
    exact = bool(best) and best[0].exact
    places = places_of(best)
    ends = game.spec.bounds_of_seats[0 if hint is None else hint.seat]
    worth = [worth_text(one.value, one.error, ends, places, lang) for one in best]
    shares = [share_of(one, hint is not None and hint.mixed, lang) for one in best]
    lines = (
        f"{texts[one.action]} {value}" + (f", {share}" if share else "")
        for one, value, share in zip(best, worth, shares, strict=True)
    )
    reply = hint.reply.told(game, lang) if hint is not None and hint.reply is not None else ""
    few = few_of(hint.simulations, len(texts), lang) if hint is not None and not exact else ""
    untried = untried_of([a for a in hint.untried if a in texts], texts, lang) if hint is not None else ""
    named = first_named(lang) if several and best else ""
    said = (
        few,
        reason_of(best, texts, ends, lang, hint is not None and hint.mixed),
        "" if hint is not None and hint.foreseen else does_of(best, texts, notes, lang),  # which is another value
        untried,
        named,
        guessed_of(best, hint is not None and hint.mixed, lang),
        blind_of(hint is not None and hint.blind and bool(best), lang),
    )
    return Advised(tuple(lines), " ".join(line for line in said if line), reply, exact)


def digits(text: str, lang: str) -> str:
    """Numbers as they are written in a language."""
    return number_in(text, lang)


__all__ = ["Advised", "Bar", "advised", "bar_of", "digits"]
