"""`probespiel replay FILE`: a recorded game, step by step at the terminal or in the browser, or as one HTML file."""

from __future__ import annotations

import secrets
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game
from ..envs.core.recipes import rebuild, recipe_of
from ..envs.core.rulebook import modules_of
from .cli_play import begin
from .common import Lang, Language
from .naming import agent_with_code
from .opponents import opponent_for
from .preparing import preparing
from .reviewing import told_of
from .session.course import Branch, Course, open_course
from .session.review import Review, review
from .session.table import Table
from .terminal.analysis import lines_of
from .terminal.play import THINK, Session
from .terminal.screen import tell
from .terminal.viewer import Viewer

SETTINGS = "tournament.json"  # in the folder of a tournament
ANALYSIS = 10.0  # seconds of an analysis
_TEXT = {
    "en": {
        "title": "{game}, scenario {scenario}, {steps} steps, {status}",
        "status_running": "running",
        "status_ended": "ended",
        "status_stopped": "stopped",
        "modules": "rule modules: {names}",
        "player": "  {seat}: {agent}",
        "left": "The game stops here; it was not finished.",
        "closed": "It is not over: shown is what {seat} sees.",
        "again": "Game {number} of {folder} is played again.",
        "same": "It came out as it is kept: payoffs and decisions of every seat are the same. Replay: {path}",
        "changed": "Changed since the tournament: {change}. Moves may differ, though the result does not.",
        "forfeit": "{seat} forfeited it: {why}. The replay ends at that decision.",
    },
    "de": {
        "title": "{game}, Szenario {scenario}, {steps} Schritte, {status}",
        "status_running": "noch nicht zu Ende",
        "status_ended": "zu Ende gespielt",
        "status_stopped": "abgebrochen",
        "modules": "Regelmodule: {names}",
        "player": "  {seat}: {agent}",
        "left": "Das Spiel bleibt hier stehen; es war nicht zu Ende.",
        "closed": "Es ist nicht zu Ende: gezeigt wird, was {seat} sieht.",
        "again": "Spiel {number} aus {folder} wird noch einmal gespielt.",
        "same": "Es ging aus wie aufbewahrt: Auszahlungen und Entscheidungen jedes Platzes sind gleich. Replay: {path}",
        "changed": "Seit dem Turnier geändert: {change}. Züge können anders sein, auch wenn das Ergebnis gleich ist.",
        "forfeit": "{seat} gab es kampflos ab: {why}. Das Replay endet bei dieser Entscheidung.",
    },
}

NumberOfGame = Annotated[
    int | None, typer.Option("--game", min=0, help="of a tournament's folder: the game of this number")
]


def replay(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="a replay, as `play` and the stress lab write it, or a tournament's folder"
        ),
    ],
    game: NumberOfGame = None,
    first: Annotated[int | None, typer.Option("--from", min=1, help="first step to show (default: 1)")] = None,
    last: Annotated[int | None, typer.Option("--to", min=1, help="last step to show (default: all)")] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", help="show what this seat saw of it, by name (default: everything)")
    ] = None,
    web: Annotated[bool, typer.Option("--web", help="look through it in the browser")] = False,
    analysis: Annotated[
        bool, typer.Option("--analysis", help="the course of its value, what every decision lost, luck and skill")
    ] = False,
    export: Annotated[
        Path | None, typer.Option("--export", help="write one HTML file that plays the game back in any browser")
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust-files", help="let the replay run the rule modules that it names by their files")
    ] = False,
    lang: Language = Lang.en,
) -> None:
    """Show a recorded game: every die, every decision, what came of it, and the end.

    At a terminal it is shown step by step, back and forth, and you can play on from any step; --from, --to or a pipe
    list it. The replay is played again by the rules that it names, and refused if they have changed since. A game that
    is not over shows nobody the hands of others.

    Of a tournament in a folder, --game plays the game of that number again from the seed, compares it with the result
    that is kept, and writes it to the folder.
    """
    course = open_course(chosen_file(file, game, trust, lang.value), trust=trust)
    eye = course.eye(seat)
    if export is not None:
        from .web.export import write_export

        write_export(course, export, lang.value)
        typer.echo(str(export))
    elif analysis:
        head(course, eye, lang.value)
        for line in analysed(course, eye, lang.value):
            tell(line)
    elif web:
        _in_browser(course)
    elif first is None and last is None and sys.stdin.isatty() and sys.stdout.isatty():
        head(course, eye, lang.value)
        _step_through(course, eye, lang.value)
    else:
        head(course, eye, lang.value)
        _list(course, eye, first or 1, last or len(course), lang.value)


def chosen_file(file: Path, number: int | None, trust: bool, lang: str) -> Path:
    """The replay that is meant: the file, or of a tournament in a folder the game of that number.

    Raises ProbespielError for a tournament without a number, and a number without a tournament.
    """
    if number is not None:
        return kept_game(file, number, trust, lang)
    if file.is_dir() and (file / SETTINGS).is_file():
        raise ProbespielError(
            f"{file} is a tournament: say which game of it, as in --game 0 (its report names some that show something)"
        )
    return file


def kept_game(folder: Path, number: int, trust: bool, lang: str) -> Path:
    """Play a game of a tournament again and keep it as a file, whose path is returned; raises ProbespielError."""
    from ..evaluation.tournament.watching import replay_path, watched

    typer.echo(_TEXT[lang]["again"].format(number=number, folder=folder), err=True)
    found = watched(folder, number, trust=trust)
    for change in found.changed:
        typer.echo(_TEXT[lang]["changed"].format(change=change), err=True)
    for seat, why in found.forfeits.items():
        typer.echo(_TEXT[lang]["forfeit"].format(seat=seat, why=why), err=True)
    path = replay_path(folder, number)
    path.parent.mkdir(exist_ok=True)
    found.replay.save(path)
    typer.echo(_TEXT[lang]["same"].format(path=path), err=True)
    return path


def head(course: Course, eye: int | None, lang: str) -> None:
    """Which game it is, and who played."""
    game, found, text = course.game, course.replay, _TEXT[lang]
    typer.echo(
        text["title"].format(
            game=game.name, scenario=game.spec.scenario, steps=len(course), status=text[f"status_{found.status}"]
        )
    )
    if modules := modules_of(game, lang):
        tell(text["modules"].format(names=", ".join(modules)))
    called = {seat.name: seat.called(lang) for seat in game.seats}
    for name, agent in (found.agents or {}).items():
        words = agent_with_code(agent, game.name, lang)
        tell(text["player"].format(seat=called.get(name, name), agent=words))
    if eye is not None and None not in course.eyes:
        typer.echo(text["closed"].format(seat=game.seats[eye].called(lang)))


def _list(course: Course, eye: int | None, first: int, last: int, lang: str) -> None:
    """All steps in words, a line and more each, and the last position."""
    for number in range(first, min(last, len(course)) + 1):
        for index, line in enumerate(course.lines(number, eye, lang)):
            typer.echo(f"{number:>5}  {line}" if index == 0 else f"       {line}")
    typer.echo("")
    for line in course.positions[-1].told(eye, lang).splitlines():
        typer.echo(line)
    for line in [*course.result(lang, eye), *([] if course.over else [_TEXT[lang]["left"]])]:
        typer.echo(line)
    for line in told_after(course, eye, lang):
        tell(line)


def _step_through(course: Course, eye: int | None, lang: str) -> None:
    from .web.export import write_export

    viewer = Viewer(
        course,
        lang,
        eye=eye,
        analyse=analysed,
        export=lambda shown, path: write_export(shown, path, lang),
        opponent=lambda: opponent_for(course.game, THINK),
    )
    branch = viewer.run()
    if branch is not None:
        play_on(course.game, branch, lang)


def analysed(course: Course, eye: int | None, lang: str) -> list[str]:
    """The analysis in lines, for the eye, else the first person, else the first seat; compiled if need be."""
    made, found = analysis_of(course, lang)
    reader = reader_of(course, eye)
    return [*lines_of(told_of(made, found, reader, lang), lang), *told_after(made, reader, lang)]


def told_after(course: Course, eye: int | None, lang: str) -> list[str]:
    """What is told besides once a game is over, in lines, an empty one before each table."""
    return [line for found in course.insights(len(course), eye, lang) for line in ("", *found.lines)]


def analysis_of(course: Course, lang: str, seconds: float = ANALYSIS) -> tuple[Course, Review]:
    """The course by compiled rules, and its analysis within about so many seconds; raises ProbespielError."""
    with preparing(course.game.name, lang):
        made = Course(replace(course.replay, game=rebuild(recipe_of(course.game))))
        return made, review(made, seconds)


def reader_of(course: Course, eye: int | None) -> int:
    """For which seat an analysis is told: the eye, else the first person, else the first seat."""
    return eye if eye is not None else (course.people[0] if course.people else 0)


def play_on(game: Game, branch: Branch, lang: str) -> None:
    """Play a practice game from the middle of a recorded one; it is kept like any other."""
    with preparing(game.name, lang):
        made = rebuild(recipe_of(game))
        # a seed of its own: the dice of the recording are known
        table = Table(made, branch.cast, secrets.randbits(63), lang=lang, entries=branch.entries)
        table.prepare()
    begin(Session(table, lang=lang))


def _in_browser(course: Course) -> None:
    """Serve the recording, and open a browser at it."""
    from .web.hall import Hall
    from .web.server import serve

    hall = Hall()
    serve(hall, port=0, path=f"/watch/{hall.watch(course)}", open_browser=True, tell=typer.echo)
