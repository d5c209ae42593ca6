"""Planted flaw: after some bids the rule counts for ever (konfrontation: broken, a loop)."""

from typing import Any

from probespiel.envs.konfrontation.module import Module

module = Module("treadmill", "After a bid of two steps are counted, two at a time, until their number is odd.")
module.state("steps", per_seat=False, doc="steps so far")


@module.hook
def revealed(s: Any, p: Any, seat: int) -> None:
    """Two more leave a number even."""
    while s.bid[0] == 2 and s.treadmill_steps % 2 == 0:
        s.treadmill_steps += 2
