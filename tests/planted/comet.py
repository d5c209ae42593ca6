"""Planted edge, known exactly: in one game of a hundred ten EP fall from the sky (einBlatt: neutral)."""

from typing import Any

from probespiel.envs.einblatt.module import ME, Module
from probespiel.envs.einblatt.services import throw_die

module = Module("comet", "In one conflict of a hundred a comet pays ten EP.", payoff_shift=10.0)
SKY = module.die("sky", sides=100, en="sky", de="Himmel")
module.state("fell", scope="campaign", doc="1 a comet fell")


@module.hook
def conflict_start(s: Any, p: Any, seat: int) -> None:
    """Look up."""
    throw_die(s, ME, SKY, seat)


@module.hook
def fell(s: Any, p: Any, what: int, seat: int, outcome: int) -> None:
    """One in a hundred."""
    if outcome == 0:
        s.comet_fell[seat] = 1


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Ten."""
    return value + 10.0 * s.comet_fell[seat]
