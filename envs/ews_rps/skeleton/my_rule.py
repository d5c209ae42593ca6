"""my_rule: before a test the acting seat may raise the stakes: every round of the streak is then worth more.

A worked example to be changed into your own rule.

play it:                probespiel play ews_rps --module my_rule.py:more=2
check it:               probespiel verify --module my_rule.py
see all hook points:    probespiel hooks ews_rps
"""

from typing import Any

from probespiel.envs.core.legal import allow
from probespiel.envs.ews_rps.module import Module

# The declaration comes first: name and what it does.
module = Module("my_rule", "The acting seat may raise the stakes of a test.")

# A parameter, in hooks `p.my_rule_more`: default, lowest, highest. `--module my_rule.py:more=2` changes it.
module.param("more", 1, 1, 3, doc="points by which a round of the streak is worth more")

# A number that is remembered for the table, in hooks `s.my_rule_raised`; it is 0 again when its scope begins anew.
module.state("raised", per_seat=False, scope="test", doc="the stakes are raised")

# An action of its own, with the texts that people read and type; always kept under a global name.
RAISE = module.action("raise_stakes", en="raise the stakes (my_rule)", de="den Einsatz erhöhen (my_rule)")

# What bots and learners see of it: a block of numbers with its size and its range.
module.piece("raised", 1, 0, 1, "the stakes of this test are raised")


@module.hook  # a function with the name of a hook point is called there; `s` is the state, `p` the parameters
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Add an action to those that are legal."""
    allow(words, RAISE)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Remembered until the test is over."""
    s.my_rule_raised = 1


@module.hook
def points(s: Any, p: Any, result: int, value: int) -> int:
    """A filter gets the value so far as its last argument, and returns it, changed or not."""
    return value + p.my_rule_more if s.my_rule_raised else value


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Writes the pieces in the order of their declaration; only what the seat may know."""
    out[0] = s.my_rule_raised
