"""`probespiel match GAME A B`: two agents, for as many games as it takes to know."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .cli_tournament import Asked, play_and_show
from .common import (
    EngineChoice,
    EngineName,
    GameName,
    Jobs,
    Lang,
    Language,
    Modules,
    Options,
    Scenario,
    Scheduler,
    game_of,
)


def match(
    game: GameName,
    first: Annotated[str, typer.Argument(metavar="A", help="an agent")],
    second: Annotated[str, typer.Argument(metavar="B", help="another one")],
    sprt: Annotated[
        tuple[float, float],
        typer.Option("--sprt", metavar="LOW HIGH", help="stop when A is known to win more than LOW, or less than HIGH"),
    ] = (0.0, 0.02),
    max_games: Annotated[
        int | None, typer.Option("--max-games", min=1, help="games at the most (default: by what they cost)")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=2**128 - 1, help="decides all games (default: by chance)")
    ] = None,
    scenario: Scenario = None,
    module: Modules = None,
    options: Options = None,
    jobs: Jobs = None,
    out: Annotated[Path | None, typer.Option("--out", help="folder (default: a free one, results/GAME-match)")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with the match in the folder")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="drop what is in the folder and begin anew")] = False,
    engine: EngineChoice = EngineName.local,
    scheduler: Scheduler = None,
    lang: Language = Lang.en,
) -> None:
    """Play two agents against each other until it is known whether A wins more than LOW or less than HIGH a game.

    The answer holds with 95 % certainty, however often one looked: a sequential test, by confidence sequences of what A
    wins from B. The same seed gives the same answer for any number of processes.
    """
    from ..evaluation.tournament.sequential import Until

    until = Until("sprt", low=sprt[0], high=sprt[1])
    made = game_of(game, scenario, module, options, lang=lang.value)
    asked = Asked(
        names=[first, second],
        games=max_games,
        seed=seed,
        scenario=scenario,
        modules=module or (),
        options=options or (),
        jobs=jobs,
        out=out,
        resume=resume,
        overwrite=overwrite,
        until=until,
        lang=lang,
        engine=engine,
        scheduler=scheduler,
    )
    bounds = [f"{bound:g}" for bound in sprt]
    beginning = ["match", game, first, second, "--sprt", *bounds]
    play_and_show(made, asked, beginning, [], "--max-games", [], usual=f"{made.name}-match")
