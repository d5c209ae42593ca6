"""`probespiel builds SYSTEM`: which characters a player should build."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from ..envs.core.errors import ProbespielError
from .common import Lang, Language, Options, Scenario, pairs

app = typer.Typer(
    help="Search the legal builds of a system for dominant ones.", add_completion=False,
    pretty_exceptions_enable=False, rich_markup_mode=None,
)  # fmt: skip


class Progress:
    """A line on stderr, rewritten in a terminal, else one every few seconds."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._last = 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show how far it is."""
        now = time.monotonic()
        if done < total and now - self._last < (0.1 if self._live else 5.0):
            return
        self._last = now
        text = f"{what}: {done} / {total}"
        if self._live:
            print(f"\r\x1b[K{text}", end="\n" if done == total else "", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise ProbespielError(f"saga = {text!r} is not allowed: whole numbers with commas between, e.g. 5,10") from None


def oneshot(
    weapon: Annotated[
        str, typer.Option("--weapon", help="a weapon class (axes, blades, bows...) or a weapon")
    ] = "axes",
    perks: Annotated[str, typer.Option("--perks", help="none, all, or sets of perks: luck+patient,finesse")] = "none",
    tactics: Annotated[str, typer.Option("--tactics", help="attack, diplomat, or both")] = "attack,diplomat",
    saga: Annotated[str, typer.Option("--saga", help="saga points to spend on each build, e.g. 5,10")] = "",
    grid: Annotated[int, typer.Option("--grid", help="skirmishes between each two of the best builds; 0: none")] = 0,
    scenario: Scenario = None,
    options: Options = None,
    jobs: Annotated[int, typer.Option("--jobs", help="threads; 0: one for each core")] = 0,
    seed: Annotated[int, typer.Option("--seed", help="of the skirmishes")] = 0,
    out: Annotated[Path | None, typer.Option("--out", help="folder for the text, the matrix and a plot")] = None,
    lang: Language = Lang.en,
) -> None:
    """The equilibrium over all legal builds of a weapon class, dominated builds, and what saga points change."""
    from ..evaluation.oneshot import builds_report as report
    from ..evaluation.oneshot.builds import search_builds

    found = search_builds(
        weapon, scenario, pairs(options or (), "option"), perks,
        [name.strip() for name in tactics.split(",") if name.strip()], _numbers(saga), grid,
        jobs or os.cpu_count() or 1, seed, Progress(),
    )  # fmt: skip
    for path in report.write(found, out, lang.value) if out is not None else ():
        typer.echo(str(path), err=True)
    typer.echo(report.text_of(found, lang.value), nl=False)


BUILDS = {"oneshot": oneshot}
for _system, _command in BUILDS.items():
    app.command(_system)(_command)


@app.callback(invoke_without_command=True)
def builds(context: typer.Context) -> None:
    """Search the legal builds of a system for dominant ones."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
