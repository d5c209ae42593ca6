"""A restriction that costs nothing, known exactly: who plays best may always bet with a king (Kuhn poker: neutral)."""

from typing import Any

from probespiel.envs.kuhn.module import Module

module = Module("proud_king", "Its holder never passes with a king.")


@module.hook
def moves(s: Any, p: Any, seat: int, bits: int) -> int:
    """With a king it bets."""
    return 2 if s.card[seat] == 2 else bits
