"""No flaw: a bet on one's own victory, at even odds among equals (Scorekeeper: neutral)."""

from typing import Any

from probespiel.envs.scorekeeper.module import ME, Module
from probespiel.envs.scorekeeper.services import allow_bits, ask_module

module = Module("side_bet", "A fighter may bet two tenths on its own victory.", payoff_shift=0.2)
ASKED = module.phase("side_bet_asked", en="a bet on yourself?", de="eine Wette auf dich selbst?")
BET = module.action("bet", en="bet on yourself", de="auf sich selbst wetten")
NO = module.action("no", en="do not bet", de="nicht wetten", decline=True)
module.state("asked", scope="fight", doc="1 asked")
module.state("on", scope="fight", doc="1 has bet")


@module.hook
def round_start(s: Any, p: Any, seat: int) -> None:
    """Asked once."""
    if not s.side_bet_asked[seat]:
        s.side_bet_asked[seat] = 1
        ask_module(s, ME, ASKED, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """Yes or no."""
    allow_bits(words, BET, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Noted."""
    s.side_bet_on[seat] = action == BET


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Won or lost with the fight."""
    if s.side_bet_on[seat]:
        return value + (0.2 if value > 0.0 else (-0.2 if value < 0.0 else 0.0))
    return value
