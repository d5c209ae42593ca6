"""double_stakes: the acting side may double what a test is worth, for both sides, before its first round."""

from __future__ import annotations

from typing import Any

from ..module import Module

module = Module(
    "double_stakes",
    "Before a test the acting side may double what it is worth.",
    title={"en": "Double or nothing", "de": "Doppelter Einsatz"},
    payoff_factor=2.0,
)
module.param("longest_odds", 99, -99, 99, doc="largest difference at which the stakes may be doubled")
module.counter(
    "on", 1, "the stakes are doubled", "der Einsatz ist verdoppelt", per_seat=False, scope="test",
    doc="1: the stakes of this test are doubled",
)  # fmt: skip
module.piece("stakes", 1, 0, 1, "the stakes of the running test are doubled")
DOUBLE = module.action("double", "double the stakes", "den Einsatz verdoppeln")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Once a test, by the acting side."""
    if s.gap <= p.double_stakes_longest_odds:
        words[0] |= 1 << DOUBLE


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """The stakes are doubled; attempting is still to be said."""
    s.double_stakes_on = 1


@module.hook
def utility(s: Any, p: Any, value: float) -> float:
    """What the test is worth."""
    return 2.0 * value if s.double_stakes_on else value


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Whether the running test's stakes are doubled."""
    out[0] = s.double_stakes_on
