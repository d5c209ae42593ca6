"""`probespiel verify`: worked examples against the rules, and rule modules against the promises of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ..envs.core.errors import ProbespielError
from ..envs.core.registry import system_of_module
from ..envs.core.soundness import check_modules
from ..envs.core.verify import load_cases, verify_file
from ..evaluation.declaration import analysis_of
from .common import Modules, modules_of, one_line


def verify(
    files: Annotated[
        list[Path] | None, typer.Argument(help="files of worked examples (JSON); none: the modules are checked")
    ] = None,
    case: Annotated[str | None, typer.Option("--case", help="run this case only (its id)")] = None,
    module: Modules = None,
    compiled: Annotated[
        bool, typer.Option("--compiled", help="compile every rule set first (slow, exact same rules)")
    ] = False,
    games: Annotated[
        int, typer.Option("--games", min=1, max=100_000, help="random games of each kind, to check modules")
    ] = 3,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**31, help="decides the random games")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="print failures only")] = False,
) -> None:
    """Check worked examples, or rule modules; exit code 1 if something fails, 2 if a file cannot be used.

    With files, the modules of --module are added to every example that is played. Without files they are played at
    random in every game of their system, and every promise of the rules is checked: nothing is lost, nothing hidden
    is seen, values are in their ranges, every game ends.
    """
    chosen = modules_of(module or ())
    if not files and not chosen:
        raise typer.BadParameter("give files of worked examples, or modules with --module")
    results = _Results(quiet)
    if not files:
        name = system_of_module(next(iter(chosen)))
        for played in check_modules(name, chosen, games, seed, compiled):
            results.add(f"{played.game} ({played.games} games, {played.decisions} decisions)", played.problems)
    for path in files or ():
        try:
            system, _ = load_cases(path)
            for result in verify_file(path, analysis_of(system).examples(), compiled, case, chosen):
                results.add(f"{result.id} ({result.kind})", result.problems)
        except ProbespielError as error:
            typer.echo(f"error: {one_line(error)}", err=True)
            results.unusable += 1
    results.close()


class _Results:
    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.passed = self.failed = self.unusable = 0

    def add(self, what: str, problems: Sequence[str]) -> None:
        if problems:
            self.failed += 1
            typer.echo(f"FAIL {what}")
            for problem in problems:
                typer.echo(f"     {problem}")
            return
        self.passed += 1
        if not self.quiet:
            typer.echo(f"ok   {what}")

    def close(self) -> None:
        typer.echo(f"{self.passed} passed, {self.failed} failed")
        if self.unusable:
            raise typer.Exit(2)
        if self.failed:
            raise typer.Exit(1)
