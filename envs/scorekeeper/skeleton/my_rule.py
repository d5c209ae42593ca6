"""my_rule: once in a fight a fighter may catch his breath instead of another action; scratches are struck off.

A worked example to be changed into your own rule.

play it:                probespiel play scorekeeper-duel --module my_rule.py:scratches=3
check it:               probespiel verify --module my_rule.py
see all hook points:    probespiel hooks scorekeeper
"""

from typing import Any

from probespiel.envs.scorekeeper.module import Module
from probespiel.envs.scorekeeper.services import allow, key_with

# The declaration comes first: name, what it does, and where it has a say.
module = Module("my_rule", "Once in a fight a fighter may catch his breath.", windows=("declare",))

# A parameter, in hooks `p.my_rule_scratches`: default, lowest, highest. `--module my_rule.py:scratches=3` changes it.
module.param("scratches", 2, 1, 5, doc="scratches that are struck off")

# A number that is remembered for each fighter, in hooks `s.my_rule_used[seat]`; 0 again when its scope begins anew.
module.state("used", scope="fight", doc="the fighter has caught his breath")

# An action of its own, with the texts that people read and type; always kept under a global name.
BREATHE = module.action("breathe", en="catch your breath (my_rule)", de="Atem holen (my_rule)")

# What bots and learners see of it: a block of numbers with its size and its range.
module.piece("used", 1, 0, 1, "the fighter has caught his breath")


@module.hook  # a function with the name of a hook point is called there; `s` is the state, `p` the parameters
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Offered once, to fighters who have a scratch; declared like any other action."""
    if not s.my_rule_used[seat] and s.kr[seat] > 0:
        allow(words, BREATHE)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """The fighter's turn: what was declared is carried out."""
    s.my_rule_used[seat] = 1
    s.kr[seat] = max(0, s.kr[seat] - p.my_rule_scratches)


@module.hook
def state_key(s: Any, p: Any, value: int) -> int:
    """Search takes positions for the same whose keys are equal: every field of the module belongs in it."""
    for seat in range(p.fighters):
        value = key_with(value, s.my_rule_used[seat])
    return value


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Writes the pieces in the order of their declaration; only what the seat may know."""
    out[0] = s.my_rule_used[seat]
