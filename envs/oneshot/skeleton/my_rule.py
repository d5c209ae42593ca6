"""my_rule: a figure that was wounded strikes back harder, until it has dealt a wound itself.

A worked example to be changed into your own rule.

play it:                probespiel play oneshot-skirmish --module my_rule.py:more=2
check it:               probespiel verify --module my_rule.py
see all hook points:    probespiel hooks oneshot
"""

from typing import Any

from probespiel.envs.oneshot.module import Module

# The declaration comes first: name and what it does.
module = Module("my_rule", "Who was wounded strikes back harder.")

# A parameter, in hooks `p.my_rule_more`: default, lowest, highest. `--module my_rule.py:more=2` changes it.
module.param("more", 1, 1, 3, doc="added to the damage roll")

# A number that is remembered for every figure, in hooks `s.my_rule_angry[who]`; it is 0 again when a fight begins.
module.state("angry", scope="fight", doc="the figure was wounded and has not struck back")

# What bots and learners see of it: a block of numbers with its size and its range.
module.piece("angry", 1, 0, 1, "a figure of the seat is angry")


@module.hook  # a function with the name of a hook point is called there; `s` is the state, `p` the parameters
def damage_bonus(s: Any, p: Any, who: int, target: int, weapon: int, value: int) -> int:
    """A filter gets the value so far as its last argument, and returns it, changed or not."""
    return value + p.my_rule_more if s.my_rule_angry[who] else value


@module.hook
def dealt(s: Any, p: Any, who: int, target: int) -> None:
    """That was it."""
    s.my_rule_angry[who] = 0


@module.hook
def wounded(s: Any, p: Any, who: int) -> None:
    """Remembered until it has struck back."""
    s.my_rule_angry[who] = 1


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Writes the pieces in the order of their declaration; only what the seat may know."""
    for i in range(len(s.x)):
        if p.seat_of[i] == seat and s.my_rule_angry[i]:
            out[0] = 1
