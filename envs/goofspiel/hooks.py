"""The hook points of Goofspiel for rule modules, in the order of play: what holds where no module has a say."""

from __future__ import annotations

from typing import Any

from ..core.modules.hooks import (  # noqa: F401 - the rules call some of them here
    forget_fields,
    hook,
    observe_modules,
)


@hook("filter")
def bid_value(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """Both have bid: what the card of a seat (1 and up) is worth; equal ones win nothing."""
    return value


@hook("event")
def bid_shown(s: Any, p: Any, seat: int, card: int) -> None:
    """Both have bid: a seat's card. With hidden bids a module must not show it to the other seat."""


@hook("filter")
def prize(s: Any, p: Any, seat: int, value: int) -> int:
    """A seat wins a point card: the points that it gets."""
    return value


@hook("filter")
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """The game is over: payoff of a seat."""
    return value


@hook("observe")
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Write the module's observation pieces."""
