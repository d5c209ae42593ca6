"""What hooks of rule modules may ask about a fight."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from ..core.legal import allow, allow_bits  # noqa: F401 - rule modules find them here
from ..core.modules.asking import (  # noqa: F401
    allow_for,
    answer_of,
    ask,
    ask_all,
    lot,
    task,
    throw_die,
)
from ..core.modules.hooks import amount_of, has, kind_of, target_of  # noqa: F401 - rule modules find them here
from .skirmish.ground import distance
from .state import Status


@kernel
def beside(s: Any, one: int, other: int) -> bool:
    """Whether two figures stand within distance 1 of each other (R142)."""
    return distance(s, one, other) <= 1


@kernel
def comrades_beside(s: Any, who: int, target: int) -> int:
    """Number of comrades of `who`, itself not counted, that are up and stand beside `target`."""
    found = 0
    for i in range(len(s.x)):
        if i != who and s.team[i] == s.team[who] and s.standing[i] == Status.UP and distance(s, i, target) <= 1:
            found += 1
    return found


@kernel
def badly_hurt(s: Any, who: int) -> bool:
    """Whether a figure has more wounds than half its limit (R62), hardened or not."""
    return 2 * s.wounds[who] > s.limit[who]
