"""No flaw: nobody may raise, so that the cards alone decide (Leduc poker)."""

from typing import Any

from probespiel.envs.leduc.module import Module

module = Module("quiet_table", "Nobody may raise.", table=True)


@module.hook
def moves(s: Any, p: Any, seat: int, bits: int) -> int:
    """No raise."""
    return bits & 3
