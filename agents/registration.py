"""Importing this registers every game with gymnasium: `gymnasium.make("probespiel/kuhn-v0", opponent="honest")`."""

from __future__ import annotations

import gymnasium

from ..envs.core.registry import game_names
from ..envs.registration import env_id

ENVS = f"{__package__}.learner_env"  # loaded when somebody plays, not on import


def register_all() -> None:
    """Register all games with gymnasium; those that are registered already stay as they are."""
    for game in game_names():
        if env_id(game) not in gymnasium.registry:
            gymnasium.register(
                env_id(game),
                entry_point=f"{ENVS}:ProbespielEnv",
                vector_entry_point=f"{ENVS}:ProbespielVectorEnv",
                kwargs={"game": game},
            )


register_all()

__all__ = ["register_all"]
