"""`probespiel compare A B`: versions of a rule side by side, from their stress reports."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..envs.core.disk import locked
from .common import COMPARISON, Lang, Language


def compare(
    reports: Annotated[
        list[Path], typer.Argument(metavar="REPORT REPORT...", help="folders of stress tests, or their report.json")
    ],
    out: Annotated[Path, typer.Option("--out", help="folder of compare.html and compare.json")] = Path(
        "results/compare"
    ),
    lang: Language = Lang.en,
) -> None:
    """Compare stress reports of versions of a rule: what changed, and whether it is beyond chance.

    Every figure of a later report is held against that of the first one. All differences hold at once at 95 %.
    """
    from ..evaluation.stress.compare import compare as compared
    from ..evaluation.stress.compare import named_reports
    from ..evaluation.stress.compare_report import comparison_lines, write_comparison

    found = compared(named_reports(reports))
    for line in comparison_lines(found, lang.value):
        typer.echo(line)
    with locked(out):
        page = write_comparison(out, found, lang.value)
    typer.echo(COMPARISON[lang.value].format(path=page))
