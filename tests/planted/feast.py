"""No edge, but two tenths for everybody while anybody has it (konfrontation: shared, and all are paid more)."""

from typing import Any

from probespiel.envs.konfrontation.module import Module

module = Module(
    "feast", "The host of the feast feeds all: two tenths for everybody.", payoff_shift=0.2, table=("payoff",)
)


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """For all."""
    return value + 0.2
