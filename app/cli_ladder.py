"""`probespiel ladder GAME ACTION`: a rating list that lasts."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..envs.core.errors import ProbespielError
from .common import GameName, Modules, Options, Scenario, game_of, note
from .session.journal import data_folder

if TYPE_CHECKING:
    from ..envs.core.game import Game
    from ..evaluation.tournament.ladder_book import Book


class Action(StrEnum):
    """What is done with a ladder."""

    add = "add"
    show = "show"
    update = "update"
    export = "export"


def ladder(
    game: GameName,
    action: Annotated[Action, typer.Argument(help="enter agents, show the list, place who is new, write all results")],
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="[AGENT...]", help="with add: names, or path/to/bot.py:Class")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--ladder", help="the file (default: ladder.duckdb in the user's data folder)")
    ] = None,
    within: Annotated[
        float, typer.Option("--within", min=1.0, help="points to either side with which a place is known")
    ] = 40.0,
    max_games: Annotated[int, typer.Option("--max-games", min=100, help="games of a newcomer at the most")] = 20_000,
    out: Annotated[Path | None, typer.Option("--out", help="with export: a .parquet file")] = None,
    scenario: Scenario = None,
    module: Modules = None,
    options: Options = None,
) -> None:
    """Keep a rating list of agents: `add` enters some and places them, `update` enters changed bots as new versions.

    A newcomer plays batches of 100 games, each against the opponent that tells most about its rating, until that is
    known. Every batch is kept with the seed that repeats it, the versions of both agents and the hash of the rules.
    """
    if agents and action is not Action.add:
        raise ProbespielError(f"agents are named with add, not with {action.value}")
    if not agents and action is Action.add:
        raise ProbespielError("add needs an agent: a name of `probespiel agents GAME`, or path/to/bot.py:Class")
    if (out is None) == (action is Action.export):
        raise ProbespielError("--out FILE.parquet goes with export")
    from ..evaluation.tournament.ladder import book_of

    made = game_of(game, scenario, module, options)
    with book_of(file if file is not None else data_folder() / "ladder.duckdb", made) as book:
        if action is Action.export:
            assert out is not None, "checked above"
            typer.echo(f"{book.export(out)} batches written to {out}")
            return
        if action is not Action.show:
            _place(book, made, agents or [player.agent for player in book.players()], within, max_games)
        _show(book)


def _place(book: Book, game: Game, agents: list[str], within: float, most: int) -> None:
    """Enter agents, and play all current players whose place is not known."""
    from ..evaluation.tournament.ladder import enter, is_current, place

    for player in enter(book, game, agents):
        note(f"entered: {player.agent}, version {player.version}")
    for player in book.players():
        if not is_current(player):
            continue
        for batch in place(book, game, player, within, most):
            names = [book.players()[index].agent for index in (batch.first, batch.second)]
            note(f"batch {batch.number}: {names[0]} {batch.wins}-{batch.draws}-{batch.losses} {names[1]}")


def _show(book: Book) -> None:
    from ..evaluation.tournament.ladder import lines

    found = lines(book)
    if not found:
        typer.echo(f"nobody is entered for {book.game} {book.scenario} in {book.path}")
    for line in found:
        span = "      " if line.half_width is None else f"±{line.half_width:<5.0f}"
        score = f"{line.points / line.games:.0%}" if line.games else "-"
        old = "" if line.current else "  (an earlier version)"
        typer.echo(
            f"{line.rank:>3}  {line.rating:>5.0f} {span} {line.games:>7,} games {score:>5}  "
            f"{line.player.agent} {line.player.version[:8]}{old}"
        )
