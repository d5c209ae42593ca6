"""Planted edge, known exactly: whoever is behind in the match is paid a fifth more for a test (ews_rps: small)."""

from typing import Any

from probespiel.envs.ews_rps.module import Module

module = Module("underdog", "Who is behind has a fifth of a success more from a test of its own.", payoff_factor=1.2)


@module.hook
def utility(s: Any, p: Any, value: float) -> float:
    """The score is that of seat 0."""
    lead = s.score if s.acting == 0 else -s.score
    return value + 0.2 if lead < -0.01 else value
