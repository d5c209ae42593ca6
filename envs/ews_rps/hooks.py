"""The closed list of hook points, in the order of play: what the core does where no module has a say."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from ..core.modules.hooks import (  # noqa: F401 - the rules call some of them here
    forget_fields,
    has_window,
    hook,
    observe_modules,
    reset_fields,
)
from .state import Kind


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


@hook("owner")
def legal_of(s: Any, p: Any, owner: int, phase: int, seat: int, words: Any) -> None:
    """A question of this module (services `ask`, `ask_all`): allow(words, action)."""


@hook("owner")
def answered(s: Any, p: Any, owner: int, phase: int, seat: int, action: int) -> None:
    """A question of this module was answered; a sealed one when all have answered, one seat after the other."""


@hook("owner")
def task(s: Any, p: Any, owner: int, what: int, seat: int) -> None:
    """A task of this module (service `task`) has come up."""


@hook("owner")
def fell(s: Any, p: Any, owner: int, what: int, seat: int, outcome: int) -> None:
    """A die of this module fell (services `throw_die`, `lot`): outcome 0 .. faces - 1."""


@hook("filter")
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """The match is over: payoff of a seat, the mean utility over the tests."""
    return value


@hook("observe")
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Write the module's observation pieces."""


@kernel
def acting_seat(s: Any, p: Any) -> int:
    """The acting seat."""
    return 1 << s.acting


@kernel
def showing_seats(s: Any, p: Any, mine: int, theirs: int) -> int:
    """The acting seat, and the other one where it shows a symbol of a module."""
    return 3 if theirs >= 3 else 1 << s.acting


@kernel
def scoring_seat(s: Any, p: Any, result: int) -> int:
    """The seat whose points they are: the acting one of a simple test, in a contest the winner of the round."""
    return 1 << (s.acting if s.kind == Kind.SIMPLE or result > 0 else 1 - s.acting)
