"""Planted edge, known exactly: a bet that pays after a six alone, in a sixth of the chances (ews_rps)."""

from typing import Any

from probespiel.envs.ews_rps.module import ME, Module
from probespiel.envs.ews_rps.services import allow, throw_die

module = Module("hot_hand", "A bet that is right after a six.", payoff_shift=0.3)
HOT = module.die("hot", sides=6, en="hot hand", de="heiße Hand")
BET = module.action("bet", en="bet (hot_hand)", de="wetten (hot_hand)")
module.state("six", per_seat=False, scope="test", doc="1 a six has fallen")
module.state("net", scope="match", doc="bets won minus bets lost")
module.piece("six", 1, 0, 1, "a six has fallen")
module.piece("net", 1, -8, 8, "own bets")


@module.hook
def test_start(s: Any, p: Any) -> None:
    """The acting side."""
    throw_die(s, ME, HOT, s.acting)


@module.hook
def fell(s: Any, p: Any, what: int, seat: int, outcome: int) -> None:
    """A six counts."""
    s.hot_hand_six = outcome == 5


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Always."""
    allow(words, BET)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Won or lost."""
    s.hot_hand_net[seat] += 1 if s.hot_hand_six else -1


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """A tenth each."""
    return value + 0.3 * s.hot_hand_net[seat] / p.n_tests


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """What has fallen."""
    out[0] = s.hot_hand_six
    out[1] = max(-8, min(8, s.hot_hand_net[seat]))
