"""The chances by which baselines of ews_rps show a symbol, where they draw among all."""

from __future__ import annotations

from typing import Any

from ...envs.core.jit import kernel
from ...envs.ews_rps.rules import symbols_of
from ...envs.ews_rps.state import SYMBOLS, Phase
from ..mixtures import Mixtures
from .rounds import action_of


@kernel
def symbol_chances(s: Any, p: Any, seat: int, out: Any) -> None:
    """The same for every symbol that the seat may show in a round."""
    if s.ask_phase != Phase.ROUND:
        return
    bits = symbols_of(s, p, seat)
    count = 0
    for symbol in range(SYMBOLS):
        count += bits >> symbol & 1
    for symbol in range(SYMBOLS):
        if bits >> symbol & 1:
            out[action_of(symbol)] = 1.0 / count


MIXTURES = Mixtures(symbol_chances, ("uniform", "decliner"))

__all__ = ["MIXTURES", "symbol_chances"]
