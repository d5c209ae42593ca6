"""Worked examples of Goofspiel: kind `play` with point cards, bids, points and payoffs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..core.game import Game
from ..core.script import Script
from .system import SYSTEM


class PlayScript(Script):
    """Steps are {"prize": a point card that is turned up} and {"seat", "bid"}."""

    def step(self, step: Mapping[str, Any], where: str) -> None:
        """A point card, or a bid."""
        if "prize" in step:
            deck = int(self.position.record.deck)
            self.position.fall((deck & ((1 << (step["prize"] - 1)) - 1)).bit_count())
        else:
            self.position.apply(self.seat(step["seat"]), self.game.actions.parse(str(step["bid"])))

    def see_payoff(self, want: Any) -> Any:
        """Payoffs by seat."""
        returns = self.position.returns()
        return self.per_seat(want, lambda seat: float(returns[seat]))

    def see_points(self, want: Any) -> Any:
        """Points won, by seat."""
        return self.per_seat(want, lambda seat: int(self.position.record.points[seat]))


def case_runners(compiled: bool) -> dict[str, Callable[[dict[str, Any]], list[str]]]:
    """Kinds of worked examples, each with the function that checks a case."""

    def play(case: dict[str, Any]) -> list[str]:
        setup = case.get("setup") or {}
        spec = SYSTEM.spec("goofspiel", None, setup.get("options") or {}, setup.get("modules") or {})
        return PlayScript(case, Game(spec, compiled)).run()

    return {"play": play}


__all__ = ["PlayScript", "case_runners"]
