"""The hook points of Leduc poker for rule modules, in the order of play: what holds where no module has a say."""

from __future__ import annotations

from typing import Any

from ..core.modules.hooks import (  # noqa: F401 - the rules call some of them here
    forget_fields,
    hook,
    observe_modules,
)


@hook("filter")
def moves(s: Any, p: Any, seat: int, bits: int) -> int:
    """A seat is on turn: moves open to it, bit set of action ids (1 fold, 2 call or check, 4 raise)."""
    return bits


@hook("event")
def moved(s: Any, p: Any, seat: int, move: int) -> None:
    """A seat has folded (move 0), called or checked (1), or raised (2)."""


@hook("filter")
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """Showdown: what a card is worth (0 jack, 1 queen, 2 king, 3 more for a pair); equal ones win nothing."""
    return value


@hook("filter")
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """The showdown or a fold is over: payoff of a seat."""
    return value


@hook("observe")
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Write the module's observation pieces."""
