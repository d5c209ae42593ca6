"""A hint in words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ...envs.core.texts import number_in
from ..reasons import (
    blind_of,
    does_of,
    few_of,
    guessed_of,
    places_of,
    reason_of,
    share_of,
    untried_of,
    worth_text,
)
from ..session.advice import Counsel
from .messages import say


def lines_of(
    counsel: Counsel,
    texts: Mapping[int, str],
    lang: str,
    ends: tuple[float, float],
    notes: Mapping[int, str] = MappingProxyType({}),
) -> list[str]:
    """The advice of a search: why, what the best action does, what was not tried, and what the values leave out.

    `texts` are those of the actions, `notes` what stands beside them, `ends` what the seat may get, least and most.
    """
    simulations, advice = counsel.simulations, counsel.best
    if simulations == 0:
        return [say(lang, "hint_forced", action=texts[advice[0].action])]

    exact, places = advice[0].exact, places_of(advice)
    heading = say(lang, "hint_mixed" if counsel.mixed else "hint", n=number_in(f"{simulations:,}", lang))
    if exact:
        heading = say(lang, "hint_foreseen" if counsel.foreseen else "hint_drawn" if counsel.mixed else "hint_exact")
    lines = heading.splitlines()
    for number, one in enumerate(advice, 1):
        value = worth_text(one.value, one.error, ends, places, lang)
        share = share_of(one, counsel.mixed, lang)
        line = say(lang, "hint_line", number=number, action=texts[one.action], value=value)
        lines.append(f"{line}, {share}" if share else line)
    few, untried = "" if exact else few_of(simulations, len(texts), lang), untried_of(counsel.untried, texts, lang)
    left_out = guessed_of(advice, counsel.mixed, lang), blind_of(counsel.blind, lang)
    does = "" if counsel.foreseen else does_of(advice, texts, notes, lang)  # what stands beside it is another value
    said = (few, reason_of(advice, texts, ends, lang, counsel.mixed), does, untried, *left_out)
    return [*lines, *(line for line in said if line)]


__all__ = ["lines_of"]
