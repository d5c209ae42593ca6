"""Systems by name, and the one function that makes a game from names and options."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Protocol

from .errors import RulesetError
from .game import Game, GameSpec

_SYSTEMS = {
    "kuhn": "probespiel.envs.kuhn.system",
    "einblatt": "probespiel.envs.einblatt.system",
    "konfrontation": "probespiel.envs.konfrontation.system",
    "ews_rps": "probespiel.envs.ews_rps.system",
}


class System(Protocol):
    """What a rules system offers to the rest of the project."""

    name: str
    games: tuple[str, ...]

    def scenarios(self, game: str) -> tuple[str, ...]:
        """Names of the presets of a game; the first is the default."""
        ...

    def modules(self) -> tuple[str, ...]:
        """Names of the built-in rule modules."""
        ...

    def spec(self, game: str, scenario: str | None, config: Mapping[str, Any], modules: Mapping[str, Any]) -> GameSpec:
        """Validate everything and declare the game; raises RulesetError."""
        ...


def system(name: str) -> System:
    """The system object of that name; raises RulesetError."""
    if name not in _SYSTEMS:
        raise RulesetError(f"system {name!r} is unknown: one of {', '.join(sorted(_SYSTEMS))}")
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
    import difflib

    near = difflib.get_close_matches(game, game_names(), n=2)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise RulesetError(f"game {game!r} is unknown: one of {', '.join(game_names())}{hint}")


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
