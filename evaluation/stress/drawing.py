"""Random bits for games that Python plays, the same as a kernel draws from the same generator."""

from __future__ import annotations

from ...envs.core.jit import driver
from ...envs.core.rng import next_u64


@driver(allocates=False)
def drawn(rng):
    """Advance `rng` (uint64[1], modified in place) and return 64 random bits, as `next_u64` does.

    That one is compiled into whoever calls it; called by Python it would be compiled anew in every process.
    """
    return next_u64(rng)
