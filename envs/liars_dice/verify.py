"""Worked examples of liar's dice: kind `play` with dice, bids and payoffs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..core.game import Game
from ..core.script import Script
from .system import SYSTEM


class PlayScript(Script):
    """Steps are {"die": face, 1 and up} and {"seat", "bid": such as 2x6, or liar}."""

    def step(self, step: Mapping[str, Any], where: str) -> None:
        """A throw, or a bid."""
        if "die" in step:
            self.position.fall(step["die"] - 1)
        else:
            self.position.apply(self.seat(step["seat"]), self.game.actions.parse(step["bid"]))

    def see_payoff(self, want: Any) -> Any:
        """Payoffs by seat."""
        returns = self.position.returns()
        return self.per_seat(want, lambda seat: float(returns[seat]))


def case_runners(compiled: bool) -> dict[str, Callable[[dict[str, Any]], list[str]]]:
    """Kinds of worked examples, each with the function that checks a case."""

    def play(case: dict[str, Any]) -> list[str]:
        setup = case.get("setup") or {}
        spec = SYSTEM.spec("liars_dice", None, setup.get("options") or {}, setup.get("modules") or {})
        return PlayScript(case, Game(spec, compiled)).run()

    return {"play": play}


__all__ = ["PlayScript", "case_runners"]
