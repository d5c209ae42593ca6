"""What the shell offers when a name is half typed (games, scenarios, rule modules, agents), and how it is set up to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import typer
from typer._completion_shared import Shells, get_completion_script, install

from ..agents.registry import list_agents
from ..envs.core.errors import ProbespielError
from ..envs.core.registry import game_names, system_of

INSTALL, SHOW = "--install-completion", "--show-completion"
PROGRAM = {"prog_name": "probespiel", "complete_var": "_PROBESPIEL_COMPLETE"}
HELP = {
    INSTALL: "let the shell complete names, bash, zsh, fish or powershell as named after it (default: the one in use)",
    SHOW: "print what makes the shell complete names, named likewise, to be installed by hand",
}


def for_shell(given: Sequence[str]) -> str | None:
    """What is printed for `--show-completion SHELL` or `--install-completion SHELL`; None where no shell is named.

    typer goes by the shell that it finds, and drops a name. Raises ProbespielError for a shell that it does not know.
    """
    if given[0] not in HELP or len(given) == 1:
        return None
    if list(given[1:]) not in [[shell.value] for shell in Shells]:
        known = ", ".join(shell.value for shell in Shells)
        raise ProbespielError(f"{given[0]} takes one shell, of {known}: {' '.join(given[1:])}")
    if given[0] == SHOW:
        return get_completion_script(shell=given[1], **PROGRAM)
    shell, path = install(shell=given[1], **PROGRAM)
    return f"{shell} completes from its next start: {path}"


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
