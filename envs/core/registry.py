"""Systems by name, and the one function that makes a game from names and options."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from .checks import near
from .errors import RulesetError
from .game import Game
from .modules import declaration_of
from .system import System

_SYSTEMS = {
    "kuhn": "probespiel.envs.kuhn.system",
    "einblatt": "probespiel.envs.einblatt.system",
    "konfrontation": "probespiel.envs.konfrontation.system",
    "ews_rps": "probespiel.envs.ews_rps.system",
    "scorekeeper": "probespiel.envs.scorekeeper.system",
    "oneshot": "probespiel.envs.oneshot.system",
}


def system(name: str) -> System:
    """The system object of that name; raises RulesetError."""
    if name not in _SYSTEMS:
        known = sorted(_SYSTEMS)
        raise RulesetError(f"system {name!r} is unknown: one of {', '.join(known)}{near(name, known)}")
    return importlib.import_module(_SYSTEMS[name]).SYSTEM


def system_names() -> tuple[str, ...]:
    """Names of all systems."""
    return tuple(sorted(_SYSTEMS))


def game_names() -> tuple[str, ...]:
    """Names of all games of all systems, e.g. `einblatt-duel`."""
    return tuple(game for name in system_names() for game in system(name).games)


def system_of(game: str) -> System:
    """The system that a game belongs to; raises RulesetError with the games that exist."""
    for name in _SYSTEMS:
        if game == name or game.startswith(f"{name}-"):
            found = system(name)
            if game in found.games:
                return found
    names = game_names()
    raise RulesetError(f"game {game!r} is unknown: one of {', '.join(names)}{near(game, names)}")


def package_of(name: str) -> str:
    """The package of a system; raises RulesetError."""
    return type(system(name)).__module__.rpartition(".")[0]


def system_of_module(name: str) -> str:
    """The system that a rule module, by path or name, is made for; raises RulesetError."""
    owners = [s for s in system_names() if name in system(s).modules()]
    if len(owners) == 1:
        return owners[0]
    if not owners:
        return declaration_of(name).interface.system
    raise RulesetError(f"module {name!r} belongs to several systems: {', '.join(owners)}; name a game")


def make_game(
    game: str,
    scenario: str | None = None,
    modules: Mapping[str, Any] | None = None,
    *,
    compiled: bool = True,
    **config: Any,
) -> Game:
    """A game ready to play, e.g. `make_game("einblatt-duel", "billy_tree", rounds=2)`.

    `scenario` names a preset (None: the game's first), `modules` maps rule modules (names or paths) to their
    parameters, `config` overrides options of the scenario. Raises RulesetError naming what is wrong and what is
    allowed.
    """
    return Game(system_of(game).spec(game, scenario, config, modules or {}), compiled)
