"""Strength for low bids: konfrontation."""

from typing import Any

from probespiel.envs.konfrontation.module import Module

module = Module("oath", "Whoever swears it is two stronger, but bids no more than it allows.")
module.param("most", 20, 0, 20, doc="the highest bid of the holder")


@module.hook
def total(s: Any, p: Any, seat: int, value: int) -> int:
    """Two more."""
    return value + 2


@module.hook
def bid_limit(s: Any, p: Any, seat: int, limit: int) -> int:
    """No higher bids."""
    return min(limit, p.oath_most)
