"""No bluffs, known exactly: a small handicap, too little to count, and a poorer game (Kuhn poker)."""

from typing import Any

from probespiel.envs.kuhn.module import Module

module = Module("honest_jack", "Its holder never bets or calls with a jack.")


@module.hook
def moves(s: Any, p: Any, seat: int, bits: int) -> int:
    """With a jack it passes."""
    return 1 if s.card[seat] == 0 else bits
