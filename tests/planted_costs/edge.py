"""A jack that beats everything, for a fee: Kuhn poker."""

from typing import Any

from probespiel.envs.kuhn.module import Module

module = Module("edge", "The holder's jack beats everything at a showdown, for a fee.", payoff_shift=2.0)
module.param("fee", 0, 0, 200, doc="hundredths that the holder pays, whatever happens")


@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """A jack counts as three."""
    return 3 if card == 0 else value


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """The fee."""
    return value - p.edge_fee / 100.0
