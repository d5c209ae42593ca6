"""What the fit of the outlook of Scorekeeper sees of a fight: compiled with the rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...agents.scorekeeper.outlook import FEATURES, features
from ...envs.core.jit import kernel


@kernel
def seen(s: Any, p: Any, seat: int, out: Any) -> None:
    """Features of both sides, float32[FEATURES], zeroed before; nothing where a side has nobody able to fight."""
    one = np.zeros(FEATURES)
    able_now = features(s, p, one)
    if able_now & 15 and able_now >> 4:
        for i in range(FEATURES):
            out[i] = one[i]
