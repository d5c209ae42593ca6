"""Registers every game with PettingZoo's registry: `pettingzoo.make("aec", "probespiel/kuhn-v0", max_cycles=100)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pettingzoo import aec_registry, parallel_registry, register

from .core.registry import game_names

if TYPE_CHECKING:
    from .core.aec import ProbespielAEC
    from .core.parallel import ProbespielParallel

NAMESPACE = "probespiel"


def make_aec(game: str, **options: Any) -> ProbespielAEC:
    """The AEC form of a game given by name; options as in `ProbespielAEC`."""
    from .core.aec import ProbespielAEC  # compiled code is loaded when somebody plays, not on import

    return ProbespielAEC(game, **options)


def make_parallel(game: str, **options: Any) -> ProbespielParallel:
    """The parallel form of a game given by name; options as in `ProbespielParallel`."""
    from .core.parallel import ProbespielParallel

    return ProbespielParallel(game, **options)


def env_id(game: str) -> str:
    """The id of a game in PettingZoo's registry."""
    return f"{NAMESPACE}/{game}-v0"


def register_all() -> None:
    """Register all games, in both forms; those that are registered already stay as they are."""
    for game in game_names():
        if env_id(game) not in aec_registry:
            register("aec", env_id(game), entry_point=f"{__name__}:make_aec", kwargs={"game": game})
        if env_id(game) not in parallel_registry:
            register("parallel", env_id(game), entry_point=f"{__name__}:make_parallel", kwargs={"game": game})
