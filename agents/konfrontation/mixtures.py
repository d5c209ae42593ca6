"""The chances by which baselines of konfrontation bid, where they draw."""

from __future__ import annotations

from typing import Any

from ...envs.core.jit import kernel
from ...envs.konfrontation.state import Action, Phase
from ..mixtures import Mixtures
from .baselines import highest_bid
from .plans import workspace
from .values import SIZE, running_value


@kernel
def bid_chances(s: Any, p: Any, seat: int, out: Any) -> None:
    """The mixture of `baselines.bid`, which gives the last bid what rounding leaves."""
    if s.depth or s.phase != Phase.BID:
        return
    work = workspace()
    running_value(s, p, work)
    side = 0 if seat == s.attacker else 1
    mixture = work[SIZE + side]
    left, last = 1.0, -1
    for b in range(highest_bid(s, p, seat) + 1):
        if mixture[b] > 0.0:
            out[Action.BID + b] = min(mixture[b], left)
            left -= out[Action.BID + b]
            last = b
    if last >= 0:
        out[Action.BID + last] += left


MIXTURES = Mixtures(bid_chances, ("matrix", "lookahead", "rush", "raider", "support_rush"))

__all__ = ["MIXTURES", "bid_chances"]
