"""Worked examples of Leduc poker: kind `play` with cards, moves and payoffs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..core.game import Game
from ..core.script import Script
from .system import SYSTEM


class PlayScript(Script):
    """Steps are {"card": number among those left, 0 and up} and {"seat", "move"}."""

    def step(self, step: Mapping[str, Any], where: str) -> None:
        """A card, or a move."""
        if "card" in step:
            self.position.fall(step["card"])
        else:
            self.position.apply(self.seat(step["seat"]), self.game.actions.parse(step["move"]))

    def see_payoff(self, want: Any) -> Any:
        """Payoffs by seat."""
        returns = self.position.returns()
        return self.per_seat(want, lambda seat: float(returns[seat]))

    def see_paid(self, want: Any) -> Any:
        """What is in the pot, by seat."""
        return self.per_seat(want, lambda seat: float(self.position.record.paid[seat]))


def case_runners(compiled: bool) -> dict[str, Callable[[dict[str, Any]], list[str]]]:
    """Kinds of worked examples, each with the function that checks a case."""

    def play(case: dict[str, Any]) -> list[str]:
        setup = case.get("setup") or {}
        spec = SYSTEM.spec("leduc", None, setup.get("options") or {}, setup.get("modules") or {})
        return PlayScript(case, Game(spec, compiled)).run()

    return {"play": play}


__all__ = ["PlayScript", "case_runners"]
