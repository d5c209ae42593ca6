"""`probespiel outlook GAME`: fit what positions of a game are worth, for searches to ask instead of playing on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..envs.core.disk import check_place
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game
from ..envs.core.texts import number_in
from .common import GameName, Lang, Language, Modules, Options, game_of, note

_SUFFIX = ".safetensors"
_TEXT = {
    "en": {
        "start": "Fitting to {game} ({scenarios}), played by {agents}.",
        "result": "Explains {explained:.1%} of the variance of payoffs in {held_out:,} positions of games held out, of "
        "{positions:,} in {games:,} games.",
        "file": "Outlook: {path}   (a search asks it as search:outlook={path})",
    },
    "de": {
        "start": "Anpassung an {game} ({scenarios}), gespielt von {agents}.",
        "result": "Erklärt {explained:.1%} der Streuung der Auszahlungen in {held_out:,} Stellungen zurückgehaltener "
        "Spiele, von {positions:,} in {games:,} Spielen.",
        "file": "Ausblick: {path}   (eine Suche fragt ihn als search:outlook={path})",
    },
}


def outlook(
    game: GameName,
    out: Annotated[Path, typer.Option("--out", help=f"file to write ({_SUFFIX})")],
    scenario: Annotated[
        list[str] | None,
        typer.Option("--scenario", help="a preset (default: the first); repeatable, if they show the same"),
    ] = None,
    module: Modules = None,
    options: Options = None,
    each: Annotated[
        list[str] | None,
        typer.Option(
            "--each", metavar="OPTION=VALUE", help="every preset with each of these options in turn; repeatable"
        ),
    ] = None,
    positions: Annotated[int, typer.Option("--positions", min=1000, max=20_000_000, help="learnt from")] = 200_000,
    agents: Annotated[
        str,
        typer.Option(
            "--agents",
            help="who plays: baselines, policy (the trained one) or files of policies, joined by +; auto: the rollouts "
            "of a search, random",
        ),
    ] = "auto",
    hidden: Annotated[int, typer.Option("--hidden", min=1, max=1024, help="units of the network")] = 32,
    epochs: Annotated[int, typer.Option("--epochs", min=1, max=1000, help="rounds over the positions")] = 12,
    stray: Annotated[
        float, typer.Option("--stray", min=0.0, max=1.0, help="chance of a random decision, in every second game")
    ] = 0.1,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="decides everything")] = 1,
    lang: Language = Lang.en,
) -> None:
    """Fit an outlook: a small network that says what a position is worth to whoever sees it.

    It learns from games of the game's baselines, and takes seconds to minutes. Searches ask it in place of the rest of
    a game: search:outlook=FILE.
    """
    from ..training.outlook import Fit, fitted_to, players

    if out.suffix != _SUFFIX:
        raise ProbespielError(f"--out {str(out)!r}: the file must end in {_SUFFIX}")
    text = _TEXT[lang.value]
    turns = [[*(options or ()), *more] for more in ([one] for one in each or ())] or [options]
    made: list[Game] = [
        game_of(game, name, module, more, lang=lang.value) for name in scenario or [None] for more in turns
    ]
    fit = Fit(positions, hidden, epochs, stray, seed, agents)
    check_place(out)
    scenarios = ", ".join(dict.fromkeys(one.spec.scenario for one in made))
    note(text["start"].format(game=game, scenarios=scenarios, agents=players(made[0], agents)))
    found = fitted_to(made, fit, note)
    found.save(out)
    typer.echo(number_in(text["result"].format(**found.quality), lang.value))
    typer.echo(text["file"].format(path=out))
