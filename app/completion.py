"""What the shell offers when a name is half typed: games, scenarios, rule modules, agents."""

from __future__ import annotations

from collections.abc import Iterable

import typer

from ..agents.registry import list_agents
from ..envs.core.registry import game_names, system_of


def complete_game(incomplete: str) -> list[str]:
    """Names of games that begin so."""
    return _beginning(game_names(), incomplete)


def complete_scenario(context: typer.Context, incomplete: str) -> list[str]:
    """Presets of the game in the command line that begin so; none where no game is named yet."""
    game = _game(context)
    return [] if game is None else _beginning(system_of(game).scenarios(game), incomplete)


def complete_module(context: typer.Context, incomplete: str) -> list[str]:
    """Built-in rule modules for the game in the command line that begin so; none where no game is named yet."""
    game = _game(context)
    return [] if game is None else _beginning(system_of(game).modules(), incomplete)


def complete_agent(incomplete: str) -> list[str]:
    """Names of agents that begin so."""
    return _beginning((kind.name for kind in list_agents()), incomplete)


def complete_agents(incomplete: str) -> list[str]:
    """Names between commas, the last of which may be completed."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in complete_agent(last)]


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _game(context: typer.Context) -> str | None:
    # An option whose value is still missing keeps the words of the line from becoming parameters.
    words = (context.params.get("game"), *context.args)
    return next((word for word in words if word in game_names()), None)
