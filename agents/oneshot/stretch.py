"""For how long a party of a mission keeps to a way to play: until it is on its way again, or a fight begins."""

from __future__ import annotations

from typing import Any

from ...envs.core.jit import kernel
from ...envs.oneshot.state import Mode, Phase


@kernel
def stretch(s: Any, p: Any) -> int:
    """In a fight or at anything else of a room (4.3 to 4.6), two numbers a room; on the way -1: as usual."""
    if s.node == Phase.EXPLORE:
        return -1
    return 2 * s.entered + (s.mode == Mode.FIGHT)
