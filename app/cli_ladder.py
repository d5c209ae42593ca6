"""`probespiel ladder GAME ACTION`: a rating list that lasts."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..envs.core.errors import ProbespielError
from .common import (
    MOST_JOBS,
    REPORT,
    EngineChoice,
    EngineName,
    GameName,
    Lang,
    Language,
    Modules,
    Options,
    Scenario,
    Scheduler,
    engine_of,
    game_of,
    note,
    options_of,
)
from .session.folders import data_folder
from .session.journal import games_folder
from .session.record import Played, record

if TYPE_CHECKING:
    from ..envs.core.engine import Engine
    from ..envs.core.game import Game
    from ..envs.core.replay import Replay
    from ..evaluation.tournament.ladder_book import Book


_TEXT = {
    "en": {
        "exported": ("{n} batch written to {file}", "{n} batches written to {file}"),
        "taken": ("{n} batch taken from {file}", "{n} batches taken from {file}"),
        "known": (", {n} was there already", ", {n} were there already"),
        "again": ("{file} is enough to make it again: probespiel report {file} --lang de",) * 2,
        "forfeit": ("it ends with a forfeit: {why}",) * 2,
        "entered": ("entered: {name}, version {version}",) * 2,
        "rated": ("entered: {n} rated game of {name}", "entered: {n} rated games of {name}"),
        "waiting": (
            "rated games against {name} wait until it is entered: probespiel ladder {game} add {name}",
        ) * 2,
        "batch": ("batch {n}: {first} {score} {second}",) * 2,
        "forfeits": tuple(
            f"  {{n}} of {{games}} games {verb} forfeited by {{name}}: {{command}} says why" for verb in ("was", "were")
        ),
        "alone": (
            "nobody plays with {name}: probespiel ladder {game} add NAME enters another agent, one that was imported "
            "too",
        ) * 2,
    },
    "de": {
        "exported": ("{n} Satz nach {file} geschrieben", "{n} Sätze nach {file} geschrieben"),
        "taken": ("{n} Satz aus {file} eingelesen", "{n} Sätze aus {file} eingelesen"),
        "known": (", {n} war schon da", ", {n} waren schon da"),
        "again": ("{file} genügt, um sie noch einmal zu machen: probespiel report {file}",) * 2,
        "forfeit": ("es endet mit Aufgabe: {why}",) * 2,
        "entered": ("eingetragen: {name}, Fassung {version}",) * 2,
        "rated": ("eingetragen: {n} gewertetes Spiel von {name}", "eingetragen: {n} gewertete Spiele von {name}"),
        "waiting": (
            "Gewertete Spiele gegen {name} warten, bis es eingetragen ist: probespiel ladder {game} add {name}",
        ) * 2,
        "batch": ("Satz {n}: {first} {score} {second}",) * 2,
        "forfeits": tuple(
            f"  {{n}} von {{games}} Spielen {verb} {{name}} verwirkt: {{command}} zeigt, wodurch"
            for verb in ("hat", "hat")
        ),
        "alone": (
            "niemand spielt mit {name}: probespiel ladder {game} add NAME trägt einen anderen ein, auch einen "
            "eingelesenen",
        ) * 2,
    },
}  # fmt: skip


def _say(key: str, lang: Lang, n: int = 0, **parts: object) -> str:
    """A message in a language, for one or for several."""
    return _TEXT[lang.value][key][n != 1].format(n=n, **parts)


class Action(StrEnum):
    """What is done with a ladder."""

    add = "add"
    show = "show"
    update = "update"
    export = "export"
    take_in = "import"
    page = "page"
    replay = "replay"


def ladder(
    game: GameName,
    action: Annotated[
        Action,
        typer.Argument(
            help="enter agents, show the list, place who is new, write or read results, write a page, show a game"
        ),
    ],
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT...]",
            help="with add: names, or path/to/bot.py:Class; with import: a file; with replay: a batch's number",
        ),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--ladder", help="the file (default: ladder.duckdb in the user's data folder)")
    ] = None,
    within: Annotated[
        float, typer.Option("--within", min=1.0, help="points to either side with which a place is known")
    ] = 40.0,
    max_games: Annotated[int, typer.Option("--max-games", min=100, help="games of a newcomer at the most")] = 20_000,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="with export: a .parquet or .txt file; with page: an .html file; with replay: a .json file",
        ),
    ] = None,
    lang: Language = Lang.en,
    scenario: Scenario = None,
    module: Modules = None,
    options: Options = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=MOST_JOBS, help="processes")] = 1,
    engine: EngineChoice = EngineName.local,
    scheduler: Scheduler = None,
) -> None:
    """Keep a rating list: `add` enters agents and places them, `update` enters changed bots as new versions.

    A newcomer plays batches of 100 games, each against the opponent that tells most about its rating, until that is
    known. Every batch is kept with the seed that repeats it, the versions of both agents and the hash of the rules.
    Your rated games (`probespiel play GAME --rated`) stand in the same list as soon as their opponents do.
    """
    _check(action, agents or [], out)
    if file is not None and action not in (Action.add, Action.take_in) and not file.exists():
        raise ProbespielError(f"--ladder {file}: there is no such file; `ladder GAME add AGENT` makes one")
    from ..evaluation.tournament.ladder import book_of, enter, shown
    from ..evaluation.tournament.ladder_page import standing_lines, standing_of, write_reports

    made = game_of(game, scenario, module, options, lang=lang.value)
    given = {"--ladder": [None if file is None else str(file)], "--scenario": [scenario or str(made.spec.scenario)],
             "--module": module, "--set": options}  # fmt: skip
    where = options_of(given)
    with book_of(file if file is not None else data_folder() / "ladder.duckdb", made) as book:
        if action is Action.export:
            assert out is not None, "checked above"
            typer.echo(_say("exported", lang, book.export(out), file=out))
            return
        if action is Action.page:
            assert out is not None, "checked above"
            numbers = write_reports(out, standing_of(book, where), lang.value)
            typer.echo(REPORT[lang.value].format(path=out))
            note(_say("again", lang, file=numbers))
            return
        if action is Action.replay:
            assert agents, "checked above"
            number, target = _batch(agents[0]), out or Path(f"{game}-batch-{agents[0]}.json")
            person = _persons_game(book, number)
            if person is not None:
                person.save(target)
            else:
                found = shown(book, made, number)
                found.replay.save(target)
                for fault in found.faults.values():
                    note(_say("forfeit", lang, why=fault.message))
            typer.echo(f"probespiel replay {target}")
            return
        if action is Action.take_in:
            assert agents, "checked above"
            new, known = book.take_in(Path(agents[0]), datetime.now(UTC).isoformat(timespec="seconds"))
            told = _say("taken", lang, new, file=agents[0])
            typer.echo(told + (_say("known", lang, known) if known else ""))
        if action in (Action.add, Action.update):
            mine = [player.agent for player in book.players() if not (player.person or player.imported)]
            for player in enter(book, made, agents or mine):
                note(_say("entered", lang, name=player.agent, version=player.version))
            _enter_person(book, made, lang)
            with engine_of(engine, scheduler, jobs) as who:
                _place(book, made, where, within, max_games, who, lang)
        for line in standing_lines(standing_of(book, where), lang.value):
            typer.echo(line)


def _batch(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise ProbespielError(f"replay: {text!r} is no number of a batch: 0, 1, 2, ...")
    return int(text)


def _check(action: Action, agents: list[str], out: Path | None) -> None:
    """Whether what goes with an action is there, and nothing else. Raises ProbespielError."""
    if action is Action.replay and len(agents) != 1:
        raise ProbespielError("replay needs the number of one batch, as `ladder GAME show` and the page name them")
    if agents and action not in (Action.add, Action.take_in, Action.replay):
        raise ProbespielError(f"agents are named with add, not with {action.value}")
    if not agents and action is Action.add:
        raise ProbespielError("add needs an agent: a name of `probespiel agents GAME`, or path/to/bot.py:Class")
    if len(agents) != 1 and action is Action.take_in:
        raise ProbespielError("import needs one file that `probespiel ladder GAME export` has written")
    if out is None and action in (Action.export, Action.page):
        raise ProbespielError("--out FILE goes with export (.parquet, or text) and page (.html): give one")
    if out is not None and action not in (Action.export, Action.page, Action.replay):
        raise ProbespielError("--out FILE goes with export (.parquet, or text), page (.html) and replay (.json)")
    if action is Action.page and out is not None and out.suffix == ".json":
        raise ProbespielError(f"--out {out}: the page is an .html file; its numbers go to a .json file beside it")


def _enter_person(book: Book, game: Game, lang: Lang) -> None:
    """Enter the user's rated games by these rules that are not in the ladder yet."""
    from ..evaluation.tournament.ladder import PersonsGame, enter_games

    games = [
        PersonsGame(one.opponent, one.score, one.payoff if one.margin is None else one.margin, _ended(one))
        for one in record(games_folder())
        if one.rated and not one.practice and one.score is not None
        if (one.game, one.scenario, one.ruleset) == (game.name, game.spec.scenario, game.ruleset)
    ]
    if not games:
        return
    count, missing = enter_games(book, getpass.getuser(), games)
    if count:
        note(_say("rated", lang, count, name=getpass.getuser()))
    for opponent in missing:
        note(_say("waiting", lang, name=opponent, game=game.name))


def _ended(game: Played) -> str:
    """When a game of the user's record ended, as it stands in the ladder."""
    return datetime.fromtimestamp(game.when, UTC).isoformat(timespec="milliseconds")


def _persons_game(book: Book, number: int) -> Replay | None:
    """The game of a person that is batch `number`, as it was kept here; None for batches of agents.

    Raises ProbespielError where it is not in the user's record, or its file is gone.
    """
    from ..envs.core.replay import load

    batches, players = book.batches(), book.players()
    if not 0 <= number < len(batches) or not players[batches[number].first].person:
        return None
    batch, person = batches[number], players[batches[number].first].agent
    folder = games_folder()
    kept = next((one for one in record(folder) if one.game == book.game and _ended(one) == batch.played), None)
    if kept is None:
        raise ProbespielError(
            f"batch {number} is a game of {person}, a person: it is kept where it was played, and {folder} has none of "
            f"{batch.played}"
        )
    path = folder / kept.file
    if not path.is_file():
        raise ProbespielError(f"batch {number} is a game of {person}, a person: its file {path} is gone")
    return load(path)


def _place(book: Book, game: Game, where: Sequence[str], within: float, most: int, engine: Engine, lang: Lang) -> None:
    """Play all current players whose place is not known; `where` are the options that name this ladder."""
    from ..envs.core.engine import Local
    from ..evaluation.tournament.ladder import ALONE, is_current, place
    from ..evaluation.tournament.ladder_page import replay_command

    alone = isinstance(engine, Local) and engine.count == 1
    present = [player for player in book.players() if is_current(player)]
    if len(present) == 1:
        note(_say("alone", lang, name=present[0].agent, game=book.game))
    for player in present:
        for batch in place(book, game, player, within, most, engine=ALONE if alone else engine):
            names = [book.players()[index].agent for index in (batch.first, batch.second)]
            score = f"{batch.wins}-{batch.draws}-{batch.losses}"
            note(_say("batch", lang, batch.number, first=names[0], score=score, second=names[1]))
            for name, lost in zip(names, batch.forfeits, strict=True):
                if lost:
                    command = replay_command(book.game, batch.number, where)
                    note(_say("forfeits", lang, lost, name=name, games=batch.games, command=command))
