"""Commands that systems declare: `probespiel odds SYSTEM`, `probespiel builds SYSTEM`, and commands of their own.

A declared command is a function of plain values (`evaluation/declaration.py`); here its parameters become options.
"""

from __future__ import annotations

import inspect
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import typer

from ..envs.core.disk import check_place
from ..envs.core.errors import RulesetError
from ..envs.core.rooms import outside_systems, system_names
from ..evaluation.declaration import Command, analysis_of
from .common import (
    MOST_JOBS,
    EngineChoice,
    EngineName,
    Lang,
    Language,
    Options,
    Scenario,
    Scheduler,
    cores,
    engine_of,
    pairs,
)
from .trial import try_agents

TOPICS = {  # commands that several systems have, each its own
    "odds": "Exact odds of a system's rules, in fractions.",
    "builds": "Search the legal builds of a system for dominant ones.",
}
_Jobs = Annotated[
    int | None, typer.Option("--jobs", min=0, max=MOST_JOBS, help="at the same time (default, and 0: one a core)")
]


class Progress:
    """A line on stderr, rewritten in a terminal, else one every few seconds."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._start = self._last = time.monotonic()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show how far it is, and how long it may still take."""
        now = time.monotonic()
        if done < total and now - self._last < (0.1 if self._live else 5.0):
            return
        self._last = now
        text = f"{what}: {done} / {total}"
        if 0 < done < total:
            text += f", about {(now - self._start) * (total - done) / done:.0f} s left"
        if self._live:
            print(f"\r\x1b[K{text}", end="\n" if done == total else "", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)


# parameters that mean the same in every command
_SHARED: dict[str, Any] = {"options": Options, "scenario": Scenario, "lang": Language, "jobs": _Jobs}

# options for the parameter `engine`
_ENGINE = [
    inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
    for name, annotation, default in (
        ("engine", EngineChoice, EngineName.local), ("scheduler", Scheduler, None), ("jobs", _Jobs, None)
    )
]  # fmt: skip


def _option(name: str, kind: Any, default: Any) -> tuple[Any, Any]:
    """Annotation and default of an option for a parameter of a declared command."""
    help_text, low, high = "", None, None
    if get_origin(kind) is Annotated:
        kind, help_text, *span = get_args(kind)
        low, high = span[0] if span else (None, None)
    flag = f"--{name.replace('_', '-')}"
    if kind is bool and default:
        flag = f"{flag}/--no-{flag[2:]}"
    if get_origin(kind) is Sequence:
        return Annotated[list[str], typer.Option(flag, help=help_text)], list(default)
    return Annotated[kind, typer.Option(flag, help=help_text, min=low, max=high)], default


def command_of(declared: Command) -> Callable[..., None]:
    """A declared command as typer takes it: a function whose signature has an option for each parameter."""
    run = declared.run
    parameters = []
    for parameter in inspect.signature(run).parameters.values():
        name = parameter.name
        if name == "tell":
            continue
        if name == "engine":
            parameters += _ENGINE
            continue
        if name in _SHARED:
            annotation, default = _SHARED[name], Lang.en if name == "lang" else None
        else:
            annotation = parameter.annotation  # a text where the module imports what it returns for type checkers only
            kind = eval(annotation, run.__globals__) if isinstance(annotation, str) else annotation
            annotation, default = _option(name, kind, parameter.default)
        parameters.append(
            parameter.replace(annotation=annotation, default=default, kind=inspect.Parameter.KEYWORD_ONLY)
        )
    paths = list[Path] | None if declared.several else Path | None
    out = Annotated[paths, typer.Option("--out", help=declared.out)]
    parameters.append(inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, annotation=out, default=None))

    def command(**given: Any) -> None:
        wanted = given.pop("out")
        files: list[Path] = wanted or [] if declared.several else [wanted] if wanted is not None else []
        for path in files:
            declared.check_out(path)
            check_place(path, declared.folder)
        values = {name: _value(name, value) for name, value in given.items()}
        if "tell" in inspect.signature(run).parameters:
            values["tell"] = Progress()
        try_agents(declared.agents(values))
        if _ENGINE[0].name in given:
            name, scheduler, jobs = (values.pop(option.name) for option in _ENGINE)
            with engine_of(name, scheduler, jobs) as engine:
                answer = run(**values, engine=engine)
        else:
            answer = run(**values)
        for path in files:
            written = answer.write(path)
            for file in written if isinstance(written, list) else [path]:
                typer.echo(str(file), err=True)
        typer.echo(answer.text(), nl=False)

    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__doc__ = run.__doc__
    return command


def _value(name: str, value: Any) -> Any:
    if name == "options":
        return pairs(value or (), "option")
    if name == "jobs":
        return value or cores()
    if isinstance(value, Lang):
        return value.value
    return value


def add_to(app: typer.Typer) -> None:
    """Add all declared commands to a command line: those of TOPICS as groups with a command for each system."""
    groups = {
        topic: typer.Typer(
            help=text, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None,
            invoke_without_command=True,
        )
        for topic, text in TOPICS.items()
    }  # fmt: skip
    for topic, group in groups.items():
        group.callback(help=TOPICS[topic])(_shown_alone)
        app.add_typer(group, name=topic)
    for system in system_names():
        try:
            for name, declared in analysis_of(system).commands.items():
                if declared.alone:
                    app.command(name)(command_of(declared))
                elif name in groups:
                    groups[name].command(system)(command_of(declared))
                else:
                    known = ", ".join(TOPICS)
                    raise RulesetError(f"system {system!r} declares the command {name!r}: {known}, or alone=True")
        except Exception as error:  # foreign code may raise anything; all other commands stay usable
            if system not in outside_systems():
                raise
            warnings.warn(f"{error}; commands of {system} are left out", RuntimeWarning, stacklevel=1)


def _shown_alone(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
