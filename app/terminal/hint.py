"""A hint in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..session.advice import Advice
from .messages import say


def lines_of(simulations: int, advice: Sequence[Advice], texts: Mapping[int, str], lang: str) -> list[str]:
    """The advice of a search after so many simulations; `texts` are those of the actions."""
    if simulations == 0:
        return [say(lang, "hint_forced", action=texts[advice[0].action])]
    lines = [say(lang, "hint", n=f"{simulations:,}")]
    for number, one in enumerate(advice, 1):
        value = {"number": number, "value": f"{one.value:+.2f}", "error": f"{one.error:.2f}"}
        share = say(lang, "share", share=round(100 * one.share))
        lines.append(say(lang, "hint_line", action=texts[one.action], **value) + share)
    return lines


__all__ = ["lines_of"]
