"""What the shell offers when a name is half typed (games, scenarios, rule modules, agents), and how it is set up to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import typer
from typer._completion_shared import Shells, _get_shell_name, get_completion_script, install

from ..agents.registry import list_agents
from ..envs.core.disk import write_text
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game
from ..envs.core.registry import game_names, system_of

INSTALL, SHOW = "--install-completion", "--show-completion"
PROGRAM = {"prog_name": "probespiel", "complete_var": "_PROBESPIEL_COMPLETE"}
HELP = {
    INSTALL: "let the shell complete names, bash, zsh, fish or powershell as named after it (default: the one in use)",
    SHOW: "print what makes the shell complete names, named likewise, to be installed by hand",
}


# What `compinit` loads is run at the first Tab: it completes by then, not from the second one on as typer's does.
ZSH = """
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _probespiel_completion "$@"
else
  compdef _probespiel_completion probespiel
fi"""


def for_shell(given: Sequence[str]) -> str | None:
    """What is printed for `--show-completion [SHELL]` or `--install-completion [SHELL]`; None for other command lines.

    typer goes by the shell that it finds, and drops a name. Raises ProbespielError for a shell that it does not know.
    """
    if given[0] not in HELP:
        return None
    named = list(given[1:]) or [_get_shell_name() or "none was found"]
    if named not in [[shell.value] for shell in Shells]:
        known = ", ".join(shell.value for shell in Shells)
        raise ProbespielError(f"{given[0]} takes one shell, of {known}: {' '.join(named)}")
    script = get_completion_script(shell=named[0], **PROGRAM)
    if named == ["zsh"]:
        script = script.removesuffix("compdef _probespiel_completion probespiel").rstrip() + "\n" + ZSH
    if given[0] == SHOW:
        return script
    shell, path = install(shell=named[0], **PROGRAM)
    if shell == "zsh":
        write_text(path, script)
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


def complete_agent(context: typer.Context, incomplete: str) -> list[str]:
    """Names of agents that begin so: those that play the game in the command line, all where none is named yet."""
    game = _game(context)
    playing = None if game is None else Game(system_of(game).spec(game, None, {}, {}), compiled=False)
    return _beginning((kind.name for kind in list_agents(playing)), incomplete)


def complete_agents(context: typer.Context, incomplete: str) -> list[str]:
    """Names between commas, the last of which may be completed."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in complete_agent(context, last)]


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _game(context: typer.Context) -> str | None:
    # An option whose value is still missing keeps the words of the line from becoming parameters.
    words = (context.params.get("game"), *context.args)
    return next((word for word in words if word in game_names()), None)
