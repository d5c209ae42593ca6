"""What a system declares about learning: settings of its trainings, and the policies that ship.

`training/<system>/declaration.py` holds the record `TRAINING`; `envs/core/rooms.py` says how rooms are found. Policies
that ship lie in the folder `policies` of the room.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ..envs.core.game import Game
from ..envs.core.rooms import declaration

Settings = Mapping[str, Mapping[str, Any]]
Chances = Callable[[np.ndarray, np.ndarray], np.ndarray]  # observations, masks -> float64[m, A]


class Distance(Protocol):
    """How far a policy is from a value that is known."""

    def told(self, seats: Sequence[str], lang: str) -> str:
        """In words, with the names of the seats."""
        ...


@dataclass(frozen=True)
class Training:
    """How a system is learnt.

    `defaults`: settings by game that differ from those of `TrainConfig`; `shipped`: what the policies that ship were
    trained with on top of them, by the name of the policy: the game's, or `GAME--SCENARIO` for one of a scenario.
    `gap(game, chances, deals, seed)`: how far a policy is from a value that is known; raises ProbespielError for games
    whose value is not.
    """

    defaults: Settings = field(default_factory=dict)
    shipped: Settings = field(default_factory=dict)
    gap: Callable[[Game, Chances, int, int], Distance] | None = None


_NOTHING = Training()


def training_of(system: str) -> Training:
    """What a system declares on this floor; raises RulesetError."""
    return declaration(system, "training", "TRAINING", Training) or _NOTHING


__all__ = ["Chances", "Distance", "Settings", "Training", "training_of"]
