"""The closed list of hook points, in the order of play: what the core does where no module has a say."""

from __future__ import annotations

from typing import Any

from ..core.modules.hooks import (  # noqa: F401 - the rules call some of them here
    forget_fields,
    has_window,
    hook,
    observe_modules,
    reset_fields,
)


@hook("event")
def test_start(s: Any, p: Any) -> None:
    """A test starts, before its first choice or round."""


@hook("options")
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Before a test: actions of the module for the acting seat, each at most once a test."""


@hook("choice")
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """The acting seat took an action of this module before a test."""


@hook("filter")
def symbols(s: Any, p: Any, seat: int, bits: int) -> int:
    """Symbols that a seat may show in this round, bit set: 0 rock, 1 paper, 2 scissors, 3.. modules."""
    return bits


@hook("filter")
def outcome(s: Any, p: Any, mine: int, theirs: int, result: int) -> int:
    """A round is revealed: 1, 0, -1 for the acting side, whose symbol is `mine`."""
    return result


@hook("filter")
def points(s: Any, p: Any, result: int, value: int) -> int:
    """Points that a won or lost round of the streak is worth."""
    return value


@hook("filter")
def goes_on(s: Any, p: Any, result: int, on: int) -> int:
    """Whether the test goes on after this round (1 or 0), before max_rounds and early_stop."""
    return on


@hook("event")
def round_end(s: Any, p: Any) -> None:
    """A round is in the history."""


@hook("filter")
def verdict(s: Any, p: Any, value: int) -> int:
    """Verdict of the test: SUCCESS, FAILURE, EQUAL or DECLINED."""
    return value


@hook("filter")
def utility(s: Any, p: Any, value: float) -> float:
    """Utility of the acting side (a float) for the test."""
    return value


@hook("event")
def test_end(s: Any, p: Any) -> None:
    """The test is in the record as the last one."""


@hook("observe")
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Write the module's observation pieces."""
