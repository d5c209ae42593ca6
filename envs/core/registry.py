"""Systems by name, and the one function that makes a game from names and options."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from .checks import near
from .contract import try_contract
from .errors import RulesetError
from .game import Game, GameSpec
from .modules import declaration_of
from .rooms import load, outside_systems, system_names
from .setups import whole_names
from .system import System


@cache
def system(name: str) -> System:
    """The system object of that name; raises RulesetError."""
    known = system_names()
    if name not in known:
        raise RulesetError(f"system {name!r} is unknown: one of {', '.join(known)}{near(name, known)}")
    found = load(name, "envs", "system", "SYSTEM", System)
    if found.name != name:
        raise RulesetError(f"system {name!r}: its SYSTEM is called {found.name!r}; both must be the same")
    wrong = [game for game in found.games if game != name and not game.startswith(f"{name}-")]
    if wrong:
        raise RulesetError(
            f"system {name!r}: the game {wrong[0]!r} must be called {name!r} or begin with {name + '-'!r}"
        )
    return found


def systems() -> Iterator[System]:
    """All systems; one from outside that cannot be loaded is left out after a warning that says why."""
    for name in system_names():
        try:
            yield system(name)
        except RulesetError as error:
            if name not in outside_systems():
                raise
            warnings.warn(f"{error}; its games are left out", RuntimeWarning, stacklevel=2)


def game_names() -> tuple[str, ...]:
    """Names of all games of all systems, such as `kuhn`."""
    return tuple(game for found in systems() for game in found.games)


def system_of(game: str) -> System:
    """The system that a game belongs to; raises RulesetError with the games that exist."""
    for name in system_names():
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
    owners = [found.name for found in systems() if name in found.modules()]
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
    """A game ready to play, e.g. `make_game("kuhn")`.

    `scenario` names a preset (None: the game's first), `modules` maps rule modules (names or paths) to their
    parameters, `config` overrides options of the scenario. Files are kept by their whole paths. Raises RulesetError
    naming what is wrong and what is allowed.
    """
    return game_from(system_of(game).spec(game, scenario, config, whole_names(modules or {})), compiled)


def game_from(spec: GameSpec, compiled: bool = True) -> Game:
    """The game that a spec describes; of a system from outside only if its rules keep what a game promises.

    Raises RulesetError where a first try of them shows that they do not (`contract.try_contract`): compiled rules that
    go on for ever could not be stopped.
    """
    if compiled and spec.system in outside_systems():
        try_contract(spec)
    return Game(spec, compiled)
