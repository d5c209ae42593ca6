"""The closed list of hook points: what the core does where no module has a say.

`HOOKS` gives for each name its kind (see `core.modules.declare.KINDS`), the moment at which it is called, and the
function below that the kernel calls where that has another name; the order is the order of play.
"""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel

HOOKS: dict[str, tuple[str, ...]] = {
    "test_start": ("event", "a test starts, before its first choice or round"),
    "options": ("options", "before a test: actions of the module for the acting seat, each at most once a test"),
    "choose": ("choice", "the acting seat took an action of this module before a test"),
    "symbols": (
        "filter",
        "symbols that a seat may show in this round, bit set: 0 rock, 1 paper, 2 scissors, 3.. modules",
    ),
    "outcome": ("filter", "a round is revealed: 1, 0, -1 for the acting side, whose symbol is `mine`"),
    "points": ("filter", "points that a won or lost round of the streak is worth"),
    "goes_on": ("filter", "whether the test goes on after this round (1 or 0), before max_rounds and early_stop"),
    "round_end": ("event", "a round is in the history"),
    "verdict": ("filter", "verdict of the test: SUCCESS, FAILURE, EQUAL or DECLINED"),
    "utility": ("filter", "utility of the acting side (a float) for the test"),
    "test_end": ("event", "the test is in the record as the last one"),
    "observe": ("observe", "write the module's observation pieces"),
}


@kernel
def test_start(s: Any, p: Any) -> None:
    """Event; see HOOKS."""


@kernel
def symbols(s: Any, p: Any, seat: int, bits: int) -> int:
    """Filter; see HOOKS."""
    return bits


@kernel
def outcome(s: Any, p: Any, mine: int, theirs: int, result: int) -> int:
    """Filter; see HOOKS."""
    return result


@kernel
def points(s: Any, p: Any, result: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def goes_on(s: Any, p: Any, result: int, on: int) -> int:
    """Filter; see HOOKS."""
    return on


@kernel
def round_end(s: Any, p: Any) -> None:
    """Event; see HOOKS."""


@kernel
def verdict(s: Any, p: Any, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def utility(s: Any, p: Any, value: float) -> float:
    """Filter; see HOOKS."""
    return value


@kernel
def test_end(s: Any, p: Any) -> None:
    """Event; see HOOKS."""


# Written for the modules of a rule set (`core.modules.bind`); here what holds without modules.


@kernel
def has_window(window: int) -> bool:
    """Whether any module has options in a window."""
    return False


@kernel
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Options of all modules."""


@kernel
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Tell the module to which an option belongs that it was taken."""


@kernel
def reset_fields(s: Any, p: Any, scope: int) -> None:
    """Zero the fields of modules whose scope begins anew: 0 test."""


@kernel
def forget_fields(s: Any, seat: int) -> None:
    """Zero what modules remember for other seats alone (search)."""


@kernel
def observe_modules(s: Any, p: Any, seat: int, out: Any, offset: int) -> int:
    """Write the observation pieces of all modules; return the offset behind them."""
    return offset
