"""The hook points of liar's dice for rule modules, in the order of play: what holds where no module has a say."""

from __future__ import annotations

from typing import Any

from ..core.modules.hooks import (  # noqa: F401 - the rules call some of them here
    forget_fields,
    hook,
    observe_modules,
)


@hook("event")
def bid_made(s: Any, p: Any, seat: int, quantity: int, face: int) -> None:
    """A seat has bid that at least `quantity` of all dice show `face`."""


@hook("filter")
def matches(s: Any, p: Any, seat: int, face: int, value: int) -> int:
    """A bid is doubted: how many dice of a seat count for its face."""
    return value


@hook("filter")
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """A bid has been doubted: payoff of a seat."""
    return value


@hook("observe")
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Write the module's observation pieces."""
