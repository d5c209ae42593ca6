"""The best actions of a moment as a search sees them, within a time limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...agents.base import Agent, AgentError, View
from ...agents.registry import make_agent
from ..session.seen import Option
from ..session.table import Table
from .messages import say

BEST = 3
_NORMAL = 1.96  # standard errors to either side of a 95 % interval


class Found(Protocol):
    """What a search tells of one decision; see `SearchResult`."""

    action: int
    simulations: int
    visits: np.ndarray
    values: np.ndarray
    errors: np.ndarray
    strategy: np.ndarray


@dataclass(frozen=True)
class Advice:
    """One action, what it is expected to pay, half the width of the interval, and how often a search would play it."""

    option: Option
    value: float
    error: float
    share: float


class Adviser:
    """A search that answers what it would do in the place of a seat; made when it is first asked."""

    def __init__(self, seconds: float) -> None:
        self.name = f"search:seconds={seconds:g}"
        self._agent: Agent | None = None

    def best(self, table: Table, seat: int, lang: str) -> tuple[int, list[Advice]]:
        """Simulations, and up to `BEST` actions, the first of them what would be played; raises AgentError."""
        view: View = table.view(seat, self.name)
        found = self._analyse(table, view)
        options = {option.id: option for option in table.seen(seat, lang).choices}
        tried = [a for a in view.legal if found.visits[a] > 0] or [found.action]
        # where the answer is mixed the likeliest comes first, else the most visited one, which is the answer
        tried.sort(key=lambda a: (-found.strategy[a], -found.values[a]))
        advice = [
            Advice(options[a], float(found.values[a]), _NORMAL * float(found.errors[a]), float(found.strategy[a]))
            for a in tried[:BEST]
        ]
        return found.simulations, advice

    def _analyse(self, table: Table, view: View) -> Found:
        if self._agent is None:
            self._agent = make_agent(self.name)
            self._agent.prepare(table.game)
        analyse = getattr(self._agent, "analyse", None)
        if analyse is None:
            raise AgentError(f"{self.name} tells no values")
        return analyse(view)

    def close(self) -> None:
        """Release the search."""
        if self._agent is not None:
            self._agent.close()


def lines_of(simulations: int, advice: list[Advice], lang: str) -> list[str]:
    """The advice in words."""
    if simulations == 0:
        return [say(lang, "hint_forced", action=advice[0].option.text)]
    lines = [say(lang, "hint", n=f"{simulations:,}".replace(",", "." if lang == "de" else ","))]
    for number, one in enumerate(advice, 1):
        value = {"number": number, "value": f"{one.value:+.2f}", "error": f"{one.error:.2f}"}
        share = say(lang, "share", share=round(100 * one.share))
        lines.append(say(lang, "hint_line", action=one.option.text, **value) + share)
    return lines


__all__ = ["Advice", "Adviser", "lines_of"]
