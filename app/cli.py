"""The command line `probespiel`: a table of commands, and the one place where errors become a line and an exit code.

Exit codes: 0 done; 1 the answer is no (`verify`); 2 wrong input; 128 and the number of a signal that ended it: 130
interrupted at the keyboard, 143 told to end (SIGTERM), 129 its window closed (SIGHUP), 141 whoever read the output has
left (SIGPIPE).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperOption

from probespiel import __version__

from ..envs.core.brief import brief
from ..envs.core.errors import ProbespielError
from ..envs.core.interrupts import CODE, INTERRUPTED, code_of, ended_like_interrupted
from .common import fail, told
from .completion import HELP, for_shell
from .lines import show_warnings_in_a_line
from .session.mishap import keep_log
from .terminal.ending import write_no_more
from .terminal.plain import write_plainly

# Command: the file in this room and the function of it. Only the file of the command that is run is loaded: all of
# them take as long as the rest of the start.
COMMANDS: dict[str, tuple[str, str]] = {
    "tournament": ("cli_tournament", "tournament"),
    "match": ("cli_match", "match"),
    "ladder": ("cli_ladder", "ladder"),
    "agents": ("cli_lists", "agents"),
    "games": ("cli_lists", "games"),
    "play": ("cli_play", "play"),
    "resume": ("cli_play", "resume"),
    "rules": ("cli_rules", "rules"),
    "explain": ("cli_rules", "explain"),
    "tutorial": ("cli_rules", "tutorial"),
    "replay": ("cli_replay", "replay"),
    "analyse": ("cli_analyse", "analyse"),
    "stats": ("cli_stats", "stats"),
    "serve": ("cli_serve", "serve"),
    "solve": ("cli_solve", "solve"),
    "train": ("cli_train", "train"),
    "evaluate-policy": ("cli_train", "evaluate_policy"),
    "outlook": ("cli_outlook", "outlook"),
    "stress": ("cli_stress", "stress"),
    "balance": ("cli_balance", "balance"),
    "exploit": ("cli_exploit", "exploit"),
    "compare": ("cli_compare", "compare"),
    "report": ("cli_report", "report"),
    "verify": ("cli_verify", "verify"),
    "new-module": ("cli_modules", "new_module"),
    "hooks": ("cli_modules", "hooks"),
    "fields": ("cli_modules", "fields"),
}

# Commands that wait for a person: they take their leave of signals themselves, or are just gone.
_AT_A_TERMINAL = ("play", "resume", "replay", "tutorial", "serve", "solo")

_UNREAD = CODE + 13  # SIGPIPE, which not every system has

# The base of all errors about the command line; typer keeps it in other places from version to version.
_CommandLineError: Any = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


def _complaint(error: Any) -> str:
    """What is wrong with the command line; of what is missing also what it is."""
    text = str(getattr(error, "format_message", error.__str__)()).replace(": Value error, ", ": ", 1)
    checked = getattr(error.__context__, "errors", None)  # of pydantic, which names no value
    if checked is not None:
        text = text.replace(": Input should ", f": {brief(checked()[0]['input'])} should ", 1)
    meant = getattr(getattr(error, "param", None), "help", None)
    return f"{text.rstrip('.')}: {meant}" if meant and text.startswith("Missing ") else text


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"probespiel {__version__}")
        raise typer.Exit()


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version and leave")
    ] = False,
) -> None:
    """Tabletop rules as fast environments: agents, tournaments and stress reports for rules designers."""


def command_line(names: Iterable[str] | None = None) -> typer.Typer:
    """The commands of some names, or all there are, those that systems declare included, as one typer application."""
    app = typer.Typer(
        help="Tabletop rules as fast environments: agents, tournaments and stress reports for rules designers.",
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_options)
    for name in COMMANDS if names is None else names:
        room, function = COMMANDS[name]
        app.command(name)(getattr(import_module(f".{room}", __package__), function))
    if names is None:
        from . import cli_solo, cli_systems

        cli_systems.add_to(app)
        app.add_typer(cli_solo.solo, name="solo")
    return app


class _Unread(Exception):
    """Nobody reads what is written any more."""


def _telling_of_ctrl_c(step: Callable[..., Any]) -> Any:
    """A step of typer's such that Ctrl-C in it is told, and that nobody reads; of these typer makes codes by itself."""

    def told(*args: Any, **named: Any) -> Any:
        try:
            return step(*args, **named)
        except KeyboardInterrupt:
            raise typer.Abort from None
        except BrokenPipeError:
            raise _Unread from None

    return told


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line (default: that of the process) and return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if given[0] in _AT_A_TERMINAL:
        return _run(given)
    with ended_like_interrupted():
        return code_of(_run(given))


def _run(given: list[str]) -> int:
    show_warnings_in_a_line()
    keep_log()
    write_plainly()  # texts, and names of files and agents, may hold what the terminal cannot show
    for argument in given:
        if any("\ud800" <= character <= "\udfff" for character in argument):
            fail(f"argument {brief(argument)} is no UTF-8: files of results cannot hold such a name")
            return 2
    try:
        if (script := for_shell(given)) is not None:
            typer.echo(script)
            return 0
        app = command_line(given[:1] if given[0] in COMMANDS else None)
        command = typer.main.get_command(app)
        for parameter in command.params:
            if isinstance(parameter, TyperOption):
                parameter.help = HELP.get(parameter.opts[0], parameter.help)
        command.make_context = _telling_of_ctrl_c(command.make_context)  # reads the arguments
        command.invoke = _telling_of_ctrl_c(command.invoke)
        code = command.main(args=given, prog_name="probespiel", standalone_mode=False)
    except typer.Abort:  # Ctrl-C, where a command does not see to it itself
        fail("interrupted")
        return INTERRUPTED
    except _CommandLineError as error:
        fail(_complaint(error))
        return 2
    except (BrokenPipeError, _Unread):  # whoever read our output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _UNREAD
    except (ProbespielError, OSError) as error:
        try:
            fail(told(error))
        except OSError:  # nobody is there any more who could read it
            write_no_more()
        return 2
    return code if isinstance(code, int) else 0
