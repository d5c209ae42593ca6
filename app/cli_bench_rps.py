"""`probespiel bench-rps`: predictors against the entrants of the RoShamBo programming competition in OpenSpiel."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..envs.core.errors import ProbespielError
from .common import Lang, Language, cores, split_agents

if TYPE_CHECKING:
    from ..evaluation.ews_rps.roshambo import Score

_TEXT = {
    "en": {
        "start": "{contenders} contenders, {opponents} opponents, {matches} matches of {throws} throws, seed {seed}",
        "matches": "matches",
        "left": "left",
        "head": ("contender", "PR", "WPE", "PR - WPE", "worst opponent", "µs/throw"),
        "note": "PR: mean return of a match over all opponents. WPE: what the worst opponent wins, chosen on one half "
        "of the matches and measured on the other. With 95 % intervals.",
        "against": "{best} - {name}: {difference}",
        "uniform": "{best} against uniform play ({name}): {value}",
        "written": "Written: {path}",
    },
    "de": {
        "start": "{contenders} Teilnehmer, {opponents} Gegner, {matches} Partien zu {throws} Würfen, Startwert {seed}",
        "matches": "Partien",
        "left": "verbleiben",
        "head": ("Teilnehmer", "PR", "WPE", "PR - WPE", "schlimmster Gegner", "µs/Wurf"),
        "note": "PR: mittlerer Ertrag einer Partie über alle Gegner. WPE: was der schlimmste Gegner gewinnt, auf der "
        "einen Hälfte der Partien ausgewählt und auf der anderen gemessen. Mit 95-%-Intervallen.",
        "against": "{best} - {name}: {difference}",
        "uniform": "{best} gegen gleichverteiltes Spiel ({name}): {value}",
        "written": "Geschrieben: {path}",
    },
}


def bench_rps(
    agents: Annotated[
        str | None, typer.Option("--agents", help="our agents between commas; bot:NAME is an entrant")
    ] = None,
    agent: Annotated[list[str] | None, typer.Option("--agent", help="one more agent; repeatable")] = None,
    against: Annotated[str | None, typer.Option("--against", help="entrants between commas (default: all 43)")] = None,
    matches: Annotated[int, typer.Option("--matches", min=4, help="matches of each pair")] = 20,
    throws: Annotated[int, typer.Option("--throws", min=1, max=1000, help="throws of a match that are played")] = 1000,
    references: Annotated[
        bool, typer.Option("--references/--no-references", help="measure greenberg and iocainebot too")
    ] = True,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="decides all chance")] = 1,
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="processes (default: one a core)")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="CSV file with the mean return against every opponent")
    ] = None,
    lang: Language = Lang.en,
) -> None:
    """Measure predictors of repeated rock-paper-scissors against a public population of bots.

    The protocol is that of arXiv 2303.03196; it needs OpenSpiel (pip install 'probespiel[openspiel]'). The same seed
    gives the same returns for any number of processes.
    """
    from ..evaluation.ews_rps import roshambo

    text = _TEXT[lang.value]
    opponents = roshambo.population() if against is None else tuple(name.strip() for name in against.split(","))
    ours = [*(split_agents(agents) if agents is not None else []), *(agent or [])] or list(roshambo.DEFAULT_AGENTS)
    contenders = [*ours, *(name for name in roshambo.REFERENCES if references and name not in ours)]
    if out is not None and out.suffix != ".csv":
        raise ProbespielError(f"--out {str(out)!r}: the file must end in .csv")
    print(
        text["start"].format(
            contenders=len(contenders), opponents=len(opponents), matches=matches, throws=throws, seed=seed
        ),
        file=sys.stderr, flush=True,
    )  # fmt: skip
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        BarColumn(bar_width=None), MofNCompleteColumn(), TextColumn(str(text["matches"])), TimeRemainingColumn(),
        TextColumn(str(text["left"])), console=Console(file=sys.stderr), disable=not sys.stderr.isatty(),
    )  # fmt: skip
    with bar:
        task = bar.add_task("", total=len(contenders) * len(opponents) * matches)
        scores = roshambo.run(
            contenders, opponents, matches, throws, seed, cores() if jobs is None else jobs,
            lambda n: bar.advance(task, n),
        )  # fmt: skip
    show(scores, ours, text)
    if out is not None:
        write(out, scores)
        typer.echo(str(text["written"]).format(path=out))


def show(scores: Sequence[Score], ours: Sequence[str], text: dict) -> None:
    """Print the table, best first, and the comparisons with the references."""
    from rich.console import Console
    from rich.table import Table

    from ..evaluation.ews_rps.roshambo import BOT, UNIFORM

    def shown(estimate: object) -> str:
        value, half = estimate.value, estimate.half_width  # type: ignore[attr-defined]
        return f"{value:+.1f} ± {half:.1f}"

    ranked = sorted(scores, key=lambda s: -s.total.value)
    table = Table(box=None, pad_edge=False)
    for index, head in enumerate(text["head"]):
        table.add_column(head, justify="left" if index in (0, 4) else "right", no_wrap=True)
    for s in ranked:
        table.add_row(
            s.contender, shown(s.population_return), shown(s.exploitability), shown(s.total), ", ".join(s.worst),
            f"{s.micros:.1f}",
        )  # fmt: skip
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    console.print(table)
    console.print(text["note"])
    best = next((s for s in ranked if s.contender in ours), None)
    if best is None:
        return
    for s in ranked:
        if s.contender.startswith(BOT) and s is not best:
            difference = shown(best.total - s.total)
            console.print(text["against"].format(best=best.contender, name=s.contender, difference=difference))
    if UNIFORM in best.by_opponent:
        value = shown(best.by_opponent[UNIFORM])
        console.print(text["uniform"].format(best=best.contender, name=UNIFORM, value=value))


def write(path: Path, scores: Sequence[Score]) -> None:
    """The mean return of every contender against every opponent, with standard errors, as CSV."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["contender", "opponent", "mean_return", "standard_error"])
        for s in scores:
            for opponent, e in s.by_opponent.items():
                lines.writerow([s.contender, opponent, f"{e.value:.6g}", f"{e.error:.6g}"])
