"""No flaw: a limit beyond all bids (konfrontation: neutral)."""

from typing import Any

from probespiel.envs.konfrontation.module import Module

module = Module("motto", "Nobody bids more than there is: a rule that says what is so anyway.")


@module.hook
def bid_limit(s: Any, p: Any, seat: int, limit: int) -> int:
    """Never less than before."""
    return max(limit, 0)
