"""my_rule: once in a game a faction may levy power instead of another action.

A worked example to be changed into your own rule.

play it:                probespiel play konfrontation-clash --module my_rule.py:amount=3
check it:               probespiel verify --module my_rule.py
see all hook points:    probespiel hooks konfrontation
"""

from typing import Any

from probespiel.envs.konfrontation.module import Module
from probespiel.envs.konfrontation.services import allow, gain

# The declaration comes first: name, what it does, and where it has a say.
module = Module("my_rule", "Once in a game a faction may levy power instead of another action.", windows=("action",))

# A parameter, in hooks `p.my_rule_amount`: default, lowest, highest. `--module my_rule.py:amount=3` changes it.
module.param("amount", 2, 1, 5, doc="power that a levy brings")

# A number that is remembered for each seat, in hooks `s.my_rule_used[seat]`; it is 0 again when its scope begins anew.
module.state("used", scope="game", doc="the faction has levied")

# An action of its own, with the texts that people read and type; always kept under a global name.
LEVY = module.action("levy", en="levy power (my_rule)", de="Macht ausheben (my_rule)")

# What bots and learners see of it: a block of numbers with its size and its range.
module.piece("used", 1, 0, 1, "the faction has levied")


@module.hook  # a function with the name of a hook point is called there; `s` is the state, `p` the parameters
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Offered once."""
    if not s.my_rule_used[seat]:
        allow(words, LEVY)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """The power comes from the bank."""
    s.my_rule_used[seat] = 1  # without this the option would be offered for ever
    gain(s, p, seat, p.my_rule_amount)


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Writes the pieces in the order of their declaration; only what the seat may know."""
    out[0] = s.my_rule_used[seat]
