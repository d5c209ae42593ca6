"""No edge: a tenth is paid for each of the first tests, and got back in the later ones (ews_rps: neutral)."""

from typing import Any

from probespiel.envs.ews_rps.module import Module

module = Module("tribute", "A tenth less from tests of the first half, a tenth more in the second.", payoff_factor=1.1)


@module.hook
def utility(s: Any, p: Any, value: float) -> float:
    """By the half of the match."""
    return value - 0.1 if 2 * s.test < p.n_tests else value + 0.1
