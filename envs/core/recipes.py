"""What rebuilds a game, as data: in replay files, in other processes, and where a game is pickled."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from typing import Any

from .brief import brief
from .build import ruleset_hash
from .errors import RulesetError
from .game import Game
from .registry import system_of

LONGEST = 60  # characters that are shown of what is no hash


def recipe_of(game: Game) -> dict[str, Any]:
    """What rebuilds a game: name, scenario, options, modules, hash of the rules."""
    options = dict(game.spec.options)
    modules = options.pop("modules", {})
    return {
        "game": game.name,
        "scenario": game.spec.scenario,
        "options": options,
        "modules": modules,
        "ruleset": game.ruleset,
    }


def rebuild(recipe: Mapping[str, Any], compiled: bool = True) -> Game:
    """The game of a recipe; RulesetError if it cannot be built, or if its rules have changed since."""
    name, scenario, options, modules = (recipe[key] for key in ("game", "scenario", "options", "modules"))
    spec = system_of(name).restore(name, scenario, {**options, "modules": modules})
    now = ruleset_hash(spec.sources)
    if now != recipe["ruleset"]:  # before anything is compiled
        given = brief(recipe["ruleset"], LONGEST)
        raise RulesetError(
            f"ruleset {given}: the rules of {name} are now {now}; this was made by another version of them"
        )
    return Game(spec, compiled)


def _reduced(game: Game) -> tuple[Any, tuple[Any, ...]]:
    system_of(game.name)  # a game of no system cannot be rebuilt: say so now
    return rebuild, (recipe_of(game), game.kernel.compiled)


copyreg.pickle(Game, _reduced)  # not a method: games know no systems

__all__ = ["rebuild", "recipe_of"]
