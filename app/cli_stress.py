"""`probespiel stress GAME --module NAME`: what a rule module does to a game, as a one-page report."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..envs.core.disk import locked, write_text
from ..envs.core.errors import ProbespielError
from .common import (
    COMPARISON,
    REPORT,
    BenchScenario,
    EngineChoice,
    EngineName,
    GameName,
    Jobs,
    Lang,
    Language,
    Options,
    Scheduler,
    bench_of,
    cluster_of,
    command_line,
    cores,
    modules_of,
    note,
    pairs,
)
from .completion import complete_module
from .notes import broken_off, noted

if TYPE_CHECKING:
    from ..envs.core.engine import Engine
    from ..evaluation.stress.conditions import Settings
    from ..evaluation.stress.findings import Findings


class BudgetName(StrEnum):
    """Budgets of a stress test."""

    quick = "quick"
    standard = "standard"
    deep = "deep"


def stress(
    game: GameName,
    module: Annotated[
        str,
        typer.Option(
            "--module", metavar="NAME", help="the rule module, by name or .py file", autocompletion=complete_module
        ),
    ],
    param: Annotated[
        list[str] | None, typer.Option("--param", metavar="KEY=VALUE", help="a parameter of the module; repeatable")
    ] = None,
    budget: Annotated[
        BudgetName, typer.Option("--budget", help="how much is played: minutes, a quarter of an hour, hours")
    ] = BudgetName.standard,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="decides all games")] = 1,
    out: Annotated[
        Path | None, typer.Option("--out", help="folder of report and replays (default: results/stress-GAME-MODULE)")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with the test in the folder")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="drop what is in the folder and begin anew")] = False,
    scenario: BenchScenario = None,
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="NAME[:KEY=VALUE,...]", help="a further module that everybody has; repeatable"),
    ] = None,
    options: Options = None,
    against: Annotated[
        Path | None, typer.Option("--against", help="folder of an older stress test, or its report.json, to compare")
    ] = None,
    combine: Annotated[
        bool, typer.Option("--combine", help="its worth beside every built-in module of the game, not a whole report")
    ] = False,
    every_two: Annotated[
        bool, typer.Option("--pairs", help="with --combine: beside every two built-in modules, too")
    ] = False,
    jobs: Jobs = None,
    engine: EngineChoice = EngineName.local,
    scheduler: Scheduler = None,
    lang: Language = Lang.en,
) -> None:
    """Play a game with and without a rule module, and tell what the module does to it.

    Bots are trained with nobody, one side, and everybody having the module. The report says what having it is worth (in
    payoff, and in the unit in which the system tells advantages), whether and when it is used, whether it makes a
    strategy dominant, what it does to luck, depth and length, whether it breaks the game, and how it is exploited; with
    a verdict. A seed gives the same report again.
    """
    given = modules_of([module])
    (name, params) = next(iter(given.items()))
    params = {**params, **pairs(param or (), f"module {name!r}: parameter")}
    if resume and overwrite:
        raise ProbespielError("--resume goes on with a test, --overwrite drops it: give one of them")
    others = modules_of(also or ())
    if name in others:
        raise ProbespielError(f"module {name!r} is under test; --also names others")
    if every_two and not combine:
        raise ProbespielError("--pairs says what --combine combines: give both")
    if combine and against is not None:
        raise ProbespielError("--against compares reports of whole tests: not with --combine")
    kind = "combine" if combine else "stress"
    folder = out if out is not None else Path("results") / f"{kind}-{game}-{Path(name).stem}"
    before = None if against is None else _older(against, folder)
    where = bench_of(game) if scenario is None else scenario
    note(noted(lang.value, "rules", game=game, where=where, module=module))
    # Libraries for statistics take a second or two to load: not before the line above.
    from ..evaluation.stress.conditions import Settings
    from ..evaluation.stress.progress import watcher
    from ..evaluation.stress.run import StressInterrupted, run_stress

    settings = Settings(game, name, params, scenario, pairs(options or (), "option"), others, budget.value, seed)
    used = {
        "--module": [module], "--param": param, "--budget": [budget.value], "--seed": [str(seed)],
        "--scenario": [scenario], "--also": also, "--set": options,
    }  # fmt: skip
    processes = cores() if jobs is None else jobs
    if combine:
        more = " --combine --pairs" if every_two else " --combine"
        command = command_line("stress", game, used) + more
        with locked(folder), cluster_of(engine, scheduler, processes) as who:
            _combine(settings, folder, every_two, processes, resume, overwrite, command, lang, who)
        return
    try:
        with locked(folder), cluster_of(engine, scheduler, processes) as who:
            findings, page = run_stress(
                settings,
                folder,
                processes,
                resume,
                overwrite,
                watcher(lang.value),
                command_line("stress", game, used),
                who,
            )
    except StressInterrupted as stop:
        note(broken_off(lang.value, stop.stays))
        show(stop.findings, stop.page, lang)
        raise typer.Exit(130) from None
    show(findings, page, lang)
    if before is not None:
        from ..evaluation.stress.compare import compare
        from ..evaluation.stress.compare_report import comparison_lines, write_comparison

        compared = compare([before, (folder.name or str(folder), findings)])
        for line in comparison_lines(compared, lang.value):
            typer.echo(line)
        typer.echo(COMPARISON[lang.value].format(path=write_comparison(folder, compared, lang.value)))


def _combine(
    settings: Settings,
    folder: Path,
    every_two: bool,
    jobs: int,
    resume: bool,
    overwrite: bool,
    command: str,
    lang: Lang,
    engine: Engine | None,
) -> None:
    """Measure a module beside others, and print what was found."""
    from ..evaluation.stress.combine import Combinations, CombineInterrupted, run_combine
    from ..evaluation.stress.combine_report import combination_lines, write_combinations
    from ..evaluation.stress.progress import Watcher, watcher

    def watching(name: str, number: int, every: int) -> Watcher:
        key = "beside" if number else "alone"
        note(noted(lang.value, key, name=name, number=number, every=every))
        return watcher(lang.value)

    def tell(found: Combinations, stays: bool = False) -> None:
        for line in combination_lines(found, lang.value):
            typer.echo(line)
        page = folder / "combinations.html"
        if not (stays and page.is_file()):
            page = write_combinations(folder, found, lang.value)
        typer.echo(REPORT[lang.value].format(path=page))

    try:
        found = run_combine(settings, folder, every_two, jobs, resume, overwrite, watching, command, engine)
    except CombineInterrupted as stop:
        note(broken_off(lang.value, stop.stays))
        tell(stop.found, stop.stays)
        raise typer.Exit(130) from None
    tell(found)


def _older(against: Path, folder: Path) -> tuple[str, Findings]:
    """The report to compare with, read before anything is overwritten; raises ProbespielError if it is none."""
    from ..evaluation.stress.compare import named_reports

    ((name, found),) = named_reports([against])
    same = (against if against.is_dir() else against.parent).resolve() == folder.resolve()
    return (f"{name} before" if same or name == folder.name else name), found


def show(findings: Findings, page: Path, lang: Lang = Lang.en) -> None:
    """Print what a stress test has found, and where its report is; another language than English is written anew."""
    from ..evaluation.report.wording import from_here
    from ..evaluation.stress.report import render
    from ..evaluation.stress.words import summary_lines

    for line in summary_lines(findings, lang.value):
        typer.echo(from_here(line, page.parent))
    if lang is not Lang.en:
        write_text(page, render(findings, lang.value))
    typer.echo(REPORT[lang.value].format(path=page))
