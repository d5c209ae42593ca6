"""Registers every game with PettingZoo's registry: `pettingzoo.make("aec", "probespiel/kuhn-v0", max_cycles=100)`.

Whoever calls that has imported PettingZoo; who has not (a bot's process, most commands) need not wait until it and all
systems are loaded. So the games are registered when both packages have been imported, whichever comes first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

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
    from pettingzoo import aec_registry, parallel_registry, register

    for game in game_names():
        if env_id(game) not in aec_registry:
            register("aec", env_id(game), entry_point=f"{__name__}:make_aec", kwargs={"game": game})
        if env_id(game) not in parallel_registry:
            register("parallel", env_id(game), entry_point=f"{__name__}:make_parallel", kwargs={"game": game})


class _WhenImported(MetaPathFinder):
    """Leaves finding a package to others, and does something once the package has been loaded."""

    def __init__(self, package: str, then: Callable[[], None]) -> None:
        self.package, self.then = package, then

    def find_spec(self, fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != self.package:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is None or spec.loader is None:
            return spec
        loader, load = spec.loader, spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            del loader.exec_module  # what stands in front of the class's own
            load(module)
            self.then()

        loader.exec_module = exec_module
        return spec


def register_when_needed() -> None:
    """Register all games now if PettingZoo has been imported, else as soon as it is."""
    if "pettingzoo" in sys.modules:
        register_all()
    else:
        sys.meta_path.insert(0, _WhenImported("pettingzoo", register_all))
