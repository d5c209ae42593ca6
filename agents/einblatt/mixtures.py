"""The chances by which baselines of einBlatt draw the card of a round."""

from __future__ import annotations

from typing import Any

from ...envs.core.abi import popcount
from ...envs.core.jit import kernel
from ...envs.einblatt.services import free_slots, plays_of
from ...envs.einblatt.state import MELEE, Phase, Purpose
from ..mixtures import Mixtures
from .baselines import BEST_OF_MELEE, nth_best


@kernel
def card_chances(s: Any, p: Any, seat: int, out: Any) -> None:
    """The same for each of the best plays of the rounds that are left (E1), of three at most in a melee."""
    phase = s.f_phase[s.depth - 1]
    if phase != Phase.COMMIT:
        return
    plays = plays_of(s, p, seat, Purpose.COMMIT)
    among = popcount(free_slots(s, p, seat))
    if MELEE and p.melee[s.conflict]:
        among = min(popcount(plays), BEST_OF_MELEE)
    for n in range(among):
        out[nth_best(s, p, seat, plays, n)] += 1.0 / among


MIXTURES = Mixtures(card_chances, ("best3_shuffled", "greedy_rescore"))

__all__ = ["MIXTURES", "card_chances"]
