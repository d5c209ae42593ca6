"""Planted edge, known exactly: a die falls before every test of its holder, and a six is paid (ews_rps)."""

from typing import Any

from probespiel.envs.ews_rps.module import ME, Module
from probespiel.envs.ews_rps.services import throw_die

module = Module("lucky_star", "A six before a test pays its holder three tenths of a success.", payoff_shift=0.3)
STAR = module.die("star", sides=6, en="lucky star", de="Glücksstern")
module.state("sixes", scope="match", doc="sixes of the holder")


@module.hook
def test_start(s: Any, p: Any) -> None:
    """Told of the acting side."""
    throw_die(s, ME, STAR, s.acting)


@module.hook
def fell(s: Any, p: Any, what: int, seat: int, outcome: int) -> None:
    """Only a six counts."""
    s.lucky_star_sixes[seat] += outcome == 5


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """On average three tenths of a sixth, in every other test."""
    return value + 0.3 * s.lucky_star_sixes[seat] / p.n_tests
