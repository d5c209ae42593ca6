"""`probespiel games` and `probespiel agents GAME`: what can be played, and who can play it."""

from __future__ import annotations

from typing import Any

import typer

from ..envs.core.registry import systems
from .common import GameName, Modules, Options, Scenario, bench_of, game_of


def games() -> None:
    """List the games with their scenarios and rule modules."""
    for found in systems():
        for game in found.games:
            first, *more = found.scenarios(game)
            typer.echo(game)
            typer.echo(f"  scenarios: {', '.join([f'{first} (default)', *more])}")
            typer.echo(f"  stress tests: {bench_of(game)} (default)")
        modules = found.modules()
        if modules:
            typer.echo(f"modules of {found.name}: {', '.join(modules)}")


def agents(game: GameName, scenario: Scenario = None, module: Modules = None, options: Options = None) -> None:
    """List the agents that can play a game, with their parameters."""
    from ..agents.registry import list_agents

    # Interpreted: nothing is played, so nothing needs to be compiled.
    for kind in list_agents(game_of(game, scenario, module, options, compiled=False)):
        typer.echo(f"{kind.name}  ({kind.source})")
        if kind.doc:
            typer.echo(f"  {kind.doc}")
        for param in kind.params:
            typer.echo(f"  {param.name}={_shown(param.default)}  {param.doc}; {param.allowed()}")
    typer.echo("path/to/file.py:Class[:key=value,...]  (a bot of your own)")


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)
