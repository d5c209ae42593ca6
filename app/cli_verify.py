"""`probespiel verify FILE...`: run worked examples against the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..envs.core.errors import ProbespielError
from ..envs.core.verify import CaseRunner, load_cases, verify_file


def extra_runners(system: str) -> dict[str, CaseRunner]:
    """Kinds of worked examples that need more than the rules: exact analysis."""
    if system == "einblatt":
        from ..evaluation import einblatt_exact

        return dict.fromkeys(einblatt_exact.KINDS, einblatt_exact.run_case)
    if system == "konfrontation":
        from ..evaluation import konfrontation_exact

        return dict.fromkeys(konfrontation_exact.KINDS, konfrontation_exact.run_case)
    return {}


def verify(
    files: Annotated[list[Path], typer.Argument(help="files of worked examples (JSON)")],
    case: Annotated[str | None, typer.Option("--case", help="run this case only (its id)")] = None,
    compiled: Annotated[
        bool, typer.Option("--compiled", help="compile every rule set first (slow, exact same rules)")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="print failures only")] = False,
) -> None:
    """Check worked examples; exit code 1 if a case fails, 2 if a file cannot be used."""
    passed = failed = 0
    unusable = 0
    for path in files:
        try:
            system, _ = load_cases(path)
            results = verify_file(path, extra_runners(system), compiled, case)
        except ProbespielError as error:
            typer.echo(f"error: {error}", err=True)
            unusable += 1
            continue
        for result in results:
            if result.problems:
                failed += 1
                typer.echo(f"FAIL {result.id} ({result.kind})")
                for problem in result.problems:
                    typer.echo(f"     {problem}")
            else:
                passed += 1
                if not quiet:
                    typer.echo(f"ok   {result.id} ({result.kind})")
    typer.echo(f"{passed} passed, {failed} failed")
    if unusable:
        raise typer.Exit(2)
    if failed:
        raise typer.Exit(1)
