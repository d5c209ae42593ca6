"""The hook points of Kuhn poker for rule modules: what holds where no module has a say."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel

HOOKS: dict[str, tuple[str, ...]] = {
    "moves": ("filter", "a seat is on turn: moves open to it, bit set of action ids (1 pass, 2 bet, 3 both)"),
    "moved": ("event", "a seat has passed (move 0) or bet (move 1)"),
    "strength": ("filter", "showdown: what a card is worth (0 jack, 1 queen, 2 king); equal ones win nothing"),
    "observe": ("observe", "write the module's observation pieces"),
}


@kernel
def moves(s: Any, p: Any, seat: int, bits: int) -> int:
    """Filter; see HOOKS."""
    return bits


@kernel
def moved(s: Any, p: Any, seat: int, move: int) -> None:
    """Event; see HOOKS."""


@kernel
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def forget_fields(s: Any, seat: int) -> None:
    """Zero what modules remember for other seats alone (search)."""


@kernel
def observe_modules(s: Any, p: Any, seat: int, out: Any, offset: int) -> int:
    """Write the observation pieces of all modules; return the offset behind them."""
    return offset
