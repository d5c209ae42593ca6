"""Planted edge, known exactly: a bet by a die of which no observation tells (ews_rps: small, not dead)."""

from typing import Any

from probespiel.envs.ews_rps.module import ME, Module
from probespiel.envs.ews_rps.services import allow, throw_die

module = Module(
    "crystal", "A crystal shines gold in one test of two; a wager pays then and costs else.", payoff_shift=0.2
)
LIGHT = module.die("light", sides=2, en="crystal", de="Kristall")
WAGER = module.action("wager", en="wager on the crystal", de="auf den Kristall setzen")
module.state("gold", per_seat=False, scope="test", doc="1 gold")
module.state("net", scope="match", doc="wagers won minus lost")


@module.hook
def test_start(s: Any, p: Any) -> None:
    """The acting side."""
    throw_die(s, ME, LIGHT, s.acting)


@module.hook
def fell(s: Any, p: Any, what: int, seat: int, outcome: int) -> None:
    """Gold or not."""
    s.crystal_gold = outcome


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Always."""
    allow(words, WAGER)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Won or lost."""
    s.crystal_net[seat] += 1 if s.crystal_gold else -1


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """A fifth each."""
    return value + 0.2 * s.crystal_net[seat] / p.n_tests
