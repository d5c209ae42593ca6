"""my_rule: whoever bets with a jack and is called wins against a king.

A worked example to be changed into your own rule.

play it:                probespiel play kuhn --module my_rule.py:cards=1
check it:               probespiel verify --module my_rule.py
see all hook points:    probespiel hooks kuhn
"""

from typing import Any

from probespiel.envs.kuhn.module import Module

# The declaration comes first: name and what it does.
module = Module("my_rule", "A jack that was bet on beats a king.")

# A parameter, in hooks `p.my_rule_cards`: default, lowest, highest. `--module my_rule.py:cards=2` changes it.
module.param("cards", 1, 1, 2, doc="ranks that may do it: 1 jacks, 2 jacks and queens")

# A number that is remembered for each seat, in hooks `s.my_rule_bold[seat]`.
module.state("bold", doc="the seat has bet")

# What bots and learners see of it: a block of numbers with its size and its range.
module.piece("bold", 2, 0, 1, "which seats have bet")


@module.hook  # a function with the name of a hook point is called there; `s` is the state, `p` the parameters
def moved(s: Any, p: Any, seat: int, move: int) -> None:
    """Remembered for the showdown."""
    if move == 1:
        s.my_rule_bold[seat] = 1


@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """A filter gets the value so far as its last argument, and returns it, changed or not."""
    if card < p.my_rule_cards and s.my_rule_bold[seat]:
        return value + 3
    return value


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Writes the pieces in the order of their declaration; only what the seat may know."""
    out[0] = s.my_rule_bold[0]
    out[1] = s.my_rule_bold[1]
