"""What all commands share: texts of the command line into games, agents and values; errors into one clear line."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated, Any

import typer

from ..envs.core.brief import brief
from ..envs.core.engine import Engine, Local
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game
from ..envs.core.registry import game_from, system_of
from ..envs.core.setups import whole_name
from .completion import complete_game, complete_module, complete_scenario
from .lines import one_line
from .preparing import telling
from .trial import try_rules

_CONTINUED = re.compile(r"\s*[A-Za-z_]\w*\s*=")


class Lang(StrEnum):
    """Languages of messages."""

    en = "en"
    de = "de"


GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="a game, as listed by `probespiel games`", autocompletion=complete_game),
]
NamedGame = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        help="a game, as listed by `probespiel games`; a file that is loaded knows its own",
        autocompletion=complete_game,
    ),
]
Scenario = Annotated[
    str | None,
    typer.Option(
        "--scenario",
        help="a preset, or a .json file (default: the first that `probespiel games` lists)",
        autocompletion=complete_scenario,
    ),
]
BenchScenario = Annotated[
    str | None,
    typer.Option(
        "--scenario",
        help="a preset, or a .json file (default: that of stress tests that `probespiel games` lists)",
        autocompletion=complete_scenario,
    ),
]
Modules = Annotated[
    list[str] | None,
    typer.Option(
        "--module",
        metavar="NAME[:KEY=VALUE,...]",
        help="a rule module, by name or .py file; repeatable",
        autocompletion=complete_module,
    ),
]
Options = Annotated[
    list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="an option of the rules; repeatable")
]
Language = Annotated[Lang, typer.Option("--lang", help="language of the messages")]
MOST_JOBS = 1024  # processes, of any command
Jobs = Annotated[int | None, typer.Option("--jobs", min=1, max=MOST_JOBS, help="processes (default: one a core)")]
REPORT = {"en": "Report: {path}", "de": "Bericht: {path}"}  # where a report is, at the end of a command
COMPARISON = {"en": "Comparison: {path}", "de": "Vergleich: {path}"}


class EngineName(StrEnum):
    """Who plays."""

    local = "local"
    dask = "dask"


EngineChoice = Annotated[
    EngineName,
    typer.Option("--engine", help="who plays: processes of this machine, or Dask workers, here or elsewhere"),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="ADDRESS", help="with --engine dask: of a cluster (default: workers on this machine)"
    ),
]


@contextmanager
def engine_of(name: EngineName, scheduler: str | None, jobs: int) -> Iterator[Engine]:
    """The engine that the options of a command line mean, while it is needed; raises EngineError, ProbespielError."""
    if name is EngineName.local:
        if scheduler is not None:
            raise ProbespielError("--scheduler goes with --engine dask")
        yield Local(jobs)
        return
    from ..envs.core.engine.cluster import Cluster

    engine = Cluster(scheduler, jobs, tell=note)
    try:
        yield engine
    finally:
        engine.close()


@contextmanager
def cluster_of(name: EngineName, scheduler: str | None, jobs: int) -> Iterator[Engine | None]:
    """The same for who keeps processes of its own on this machine: None for `local`."""
    with engine_of(name, scheduler, jobs) as who:
        yield None if name is EngineName.local else who


def told(error: BaseException) -> str:
    """An error in one line; one of the operating system with the file that it is about."""
    if isinstance(error, OSError) and error.strerror:
        return one_line(f"{error.filename}: {error.strerror}" if error.filename else error.strerror)
    return one_line(error)


def fail(text: object) -> None:
    """Print an error line to stderr."""
    print(f"error: {one_line(text)}", file=sys.stderr, flush=True)


def value_of(text: str) -> Any:
    """A value of the command line: JSON, or true, false, none in any case, else the text itself.

    Raises ProbespielError for brackets within brackets without end.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ProbespielError(f"value {brief(text)} is nested too deeply") from None
    except ValueError:
        return {"true": True, "false": False, "none": None, "null": None}.get(text.lower(), text)


def pairs(texts: Sequence[str], what: str) -> dict[str, Any]:
    """Texts of the form key=value as a dict; raises ProbespielError naming the one that is not, or is given twice."""
    found: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        key = key.strip()
        if not equals or not key:
            raise ProbespielError(f"{what} {text!r} is not of the form key=value")
        if key in found:
            raise ProbespielError(f"{what} {key!r} is given twice")
        found[key] = value_of(value.strip())
    return found


def modules_of(texts: Sequence[str], trial: bool = True) -> dict[str, dict[str, Any]]:
    """Rule modules with their parameters, from `name` or `name:key=value,...`, files by their whole path.

    Raises ProbespielError for a module that is given twice, and for parameters of another form.
    Files of others are imported by another process first, unless somebody else does a `trial`: see `trial.py`.
    """
    found: dict[str, dict[str, Any]] = {}
    for text in texts:
        name, colon, rest = text.partition(":")
        name = whole_name(name)
        if name in found:
            raise ProbespielError(f"module {name!r} is given twice")
        found[name] = pairs(_split(rest), f"module {name!r}: parameter") if colon else {}
    if trial:
        try_rules(found)
    return found


def _split(text: str) -> list[str]:
    """Pieces between commas; a piece without a key belongs to the value before it."""
    pieces: list[str] = []
    for piece in text.split(","):
        if pieces and not _CONTINUED.match(piece):
            pieces[-1] += "," + piece
        else:
            pieces.append(piece)
    return pieces


def game_of(
    game: str,
    scenario: str | None = None,
    modules: Sequence[str] | None = None,
    options: Sequence[str] | None = None,
    compiled: bool = True,
    lang: str = "en",
) -> Game:
    """The game that the options of a command line mean; raises RulesetError or ProbespielError.

    That it is compiled is said in a language, if it is. Interpreted rules compile a few small helpers in every process,
    in which nobody waits: nothing is said of these.
    """
    config = pairs(options or (), "option")
    with telling(game, lang) if compiled else contextlib.nullcontext():
        return game_from(system_of(game).spec(game, scenario, config, modules_of(modules or ())), compiled)


def bench_of(game: str) -> str:
    """In which scenario and with which options a rule is put to the test by default."""
    found = system_of(game)
    options = [f"{name}={value}" for name, value in found.bench_options(game).items()]
    return " ".join([found.bench_scenario(game), *(["with", *options] if options else [])])


def command_line(command: str, game: str, flags: Mapping[str, Sequence[str | None] | None]) -> str:
    """The command line that a report names: every value of a flag that is given, in the order of the flags."""
    return shlex.join(["probespiel", command, game, *options_of(flags)])


def options_of(flags: Mapping[str, Sequence[str | None] | None]) -> list[str]:
    """The words of a command line that give flags their values, without those that have none."""
    return [
        word for flag, values in flags.items() for value in values or () if value is not None for word in (flag, value)
    ]


def note(line: str) -> None:
    """Tell something beside the answer, on stderr."""
    print(line, file=sys.stderr, flush=True)


def cores() -> int:
    """How many processor cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
