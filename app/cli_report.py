"""`probespiel report FOLDER`: the report of a result made again, from its file alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..envs.core.disk import write_text
from ..envs.core.errors import ProbespielError
from .common import COMPARISON, REPORT, Lang, Language


def report(
    result: Annotated[
        Path | None, typer.Argument(metavar="RESULT", help="a folder of results, or one of their .json files")
    ] = None,
    lang: Language = Lang.en,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="the page (default: beside the file of the result)")
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against", metavar="OLD", help="an older result of the kind: what changed, and is it beyond chance?"
        ),
    ] = None,
    schema: Annotated[
        str | None,
        typer.Option("--schema", metavar="KIND", help="print the JSON Schema of a kind of result, without RESULT"),
    ] = None,
) -> None:
    """Show a result again and write its page, in English or German, from its .json file alone.

    For tournaments, ladders, stress tests, combinations, comparisons, searches for balance, exploits and trainings.
    With --against two of them are held side by side, all but comparisons.
    """
    if schema is not None:
        if any(given is not None for given in (result, out, against)):
            raise ProbespielError("--schema KIND stands alone: it tells what files of that kind may hold")
        from .schemas import schema_text

        typer.echo(schema_text(schema), nl=False)
        return
    if result is None:
        raise ProbespielError("RESULT is missing: give a folder of results, or one of their .json files")
    from .results import opened, refused

    found = opened(result)
    if out is not None and out.is_dir():
        raise ProbespielError(f"--out {out} is a folder: name the page, as in {out / 'report.html'}")
    if out is not None and out.resolve() in {found.path.resolve()}:
        raise ProbespielError(f"--out {out} is the file of the result itself: name another one")
    if out is not None and out.is_file() and not _is_page(out):
        raise ProbespielError(f"--out {out} exists and is no page: choose another name")
    if against is not None:
        from .side_by_side import beside

        comparison = beside(against, found)
        with refused(found.path):
            page, told = comparison.page(lang.value), comparison.lines(lang.value, 100)
        typer.echo(told, nl=False)
        target = out or found.path.with_name(f"against{'' if lang is Lang.en else f'.{lang.value}'}.html")
        write_text(target, page)
        typer.echo(COMPARISON[lang.value].format(path=target))
        return
    page = found.page(lang.value)
    typer.echo(found.lines(lang.value), nl=False)
    target = out or found.page_path(lang.value)
    write_text(target, page)
    typer.echo(REPORT[lang.value].format(path=target))


def _is_page(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(15).lower() == b"<!doctype html>"
