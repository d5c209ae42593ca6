"""Many stationary duels of OneShot in one compiled call (section 7.5 of its specification)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.jit import kernel
from ...envs.oneshot.build.duel import duel_between
from ...envs.oneshot.build.rules import derive_figure
from ...envs.oneshot.state import DUELLIST, E_MAX, STAGES, W_MAX


@kernel
def derive_all(s: Any, p: Any, n: int, choices: Any, figures: Any) -> None:
    """What duels need of n characters: int64[n * STAGES] choices to int64[n * DUELLIST] figures."""
    for i in range(n):
        for k in range(STAGES):
            s.choice[0, k] = choices[i * STAGES + k]
        derive_figure(s, p, 0)
        for k in range(DUELLIST):
            figures[i * DUELLIST + k] = s.figure[0, k]


@kernel
def play_all(p: Any, limit: int, n: int, pairs: Any, figures: Any, out: Any) -> None:
    """Win, loss and draw, float64[n * 3], of the first figure of each pair, int64[n * 2]."""
    now, live = np.zeros((W_MAX, W_MAX, E_MAX, E_MAX)), np.zeros((W_MAX, W_MAX))
    calm, hits = np.zeros((5, E_MAX, E_MAX)), np.zeros((5, E_MAX, E_MAX))
    wounds, edges = np.zeros((2, 2)), np.zeros((2, 2, E_MAX))
    two = np.zeros((2, DUELLIST), np.int64)
    for i in range(n):
        for side in range(2):
            for k in range(DUELLIST):
                two[side, k] = figures[pairs[2 * i + side] * DUELLIST + k]
        duel_between(p, two, limit, wounds, edges, now, live, calm, hits, out[3 * i : 3 * i + 3])
