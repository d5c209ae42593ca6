"""`probespiel balance GAME --module NAME --param cost=1..5`: parameter values of a rule module that meet targets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ..envs.core.disk import locked, write_text
from ..envs.core.errors import ProbespielError
from .cli_stress import BudgetName, show
from .common import (
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


def balance(
    game: GameName,
    module: Annotated[
        str,
        typer.Option(
            "--module", metavar="NAME", help="the rule module, by name or .py file", autocompletion=complete_module
        ),
    ],
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param", metavar="NAME=LOW..HIGH",
            help="values of a parameter: NAME=LOW..HIGH, NAME=VALUE,VALUE,... or NAME=VALUE; repeatable",
        ),
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target", metavar="NAME=LOW..HIGH",
            help="what is wanted of worth, length, use, draws, luck, seat or dominant: NAME=LOW..HIGH, LOW.., ..HIGH "
            "or one value; use alone is use=20..80, dominant alone dominant=0..95; repeatable (default: worth=0)",
        ),
    ] = None,
    budget: Annotated[
        BudgetName, typer.Option("--budget", help="how much is played at every point: that of a stress test")
    ] = BudgetName.quick,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="decides all games")] = 1,
    out: Annotated[
        Path | None, typer.Option("--out", help="folder of the report (default: results/balance-GAME-MODULE)")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with the search in the folder")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="drop what is in the folder and begin anew")] = False,
    report: Annotated[
        bool, typer.Option("--report", help="also run the stress test of what is suggested, in the folder stress below")
    ] = False,
    scenario: BenchScenario = None,
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="NAME[:KEY=VALUE,...]", help="a further module that everybody has; repeatable"),
    ] = None,
    options: Options = None,
    jobs: Jobs = None,
    engine: EngineChoice = EngineName.local,
    scheduler: Scheduler = None,
    lang: Language = Lang.en,
) -> None:  # fmt: skip
    """Find the values of a rule module's parameters at which it does what its designer wants.

    A coarse grid of values is measured with few games, the better half and values between with more, the suggestion and
    its neighbours with all; where games can be solved, what having the module is worth is exact. The report tells the
    value at which a target is hit, with an interval, where all targets are met, and what one step more or less does.
    """
    if resume and overwrite:
        raise ProbespielError("--resume goes on with a search, --overwrite drops it: give one of them")
    given = modules_of([module])
    name, params = next(iter(given.items()))
    if params:
        raise ProbespielError(f"--module {module!r}: parameters are given as --param NAME=VALUE")
    others = modules_of(also or ())
    if name in others:
        raise ProbespielError(f"module {name!r} is under test; --also names others")
    where = bench_of(game) if scenario is None else scenario
    note(noted(lang.value, "rules", game=game, where=where, module=module))
    # Libraries for statistics take a second or two to load: not before the line above.
    from ..evaluation.balance.report import render
    from ..evaluation.balance.run import BalanceInterrupted, run_balance
    from ..evaluation.balance.words import summary_lines
    from ..evaluation.stress.conditions import Settings
    from ..evaluation.stress.progress import watcher
    from ..evaluation.stress.run import StressInterrupted, run_stress

    settings = Settings(game, name, {}, scenario, pairs(options or (), "option"), others, budget.value, seed)
    folder = out if out is not None else Path("results") / f"balance-{game}-{Path(name).stem}"
    processes = cores() if jobs is None else jobs
    command = command_line("balance", game, {
        "--module": [module], "--param": param, "--target": target, "--budget": [budget.value], "--seed": [str(seed)],
        "--scenario": [scenario], "--also": also, "--set": options,
    })  # fmt: skip
    interrupted = False
    try:
        with locked(folder), cluster_of(engine, scheduler, processes) as who:
            found, page = run_balance(
                settings,
                param or (),
                target or (),
                folder,
                processes,
                resume,
                overwrite,
                watcher(lang.value),
                command,
                who,
            )
    except BalanceInterrupted as stop:
        note(broken_off(lang.value, stop.stays))
        found, page, interrupted = stop.found, stop.page, True
    for line in summary_lines(found, lang.value):
        typer.echo(line)
    if lang is not Lang.en:
        write_text(page, render(found, lang.value))
    typer.echo(REPORT[lang.value].format(path=page))
    if interrupted:
        raise typer.Exit(130)
    if report and found.suggestion is not None:
        note(noted(lang.value, "suggested"))
        suggested = replace(settings, params={**found.fixed, **found.suggestion.params})
        below = folder / "stress"
        try:
            with locked(below), cluster_of(engine, scheduler, processes) as who:
                findings, page = run_stress(
                    suggested, below, processes, resume, overwrite, watcher(lang.value), found.stress_command, who
                )
        except StressInterrupted as stop:
            note(broken_off(lang.value, stop.stays))
            show(stop.findings, stop.page, lang)
            raise typer.Exit(130) from None
        show(findings, page, lang)
