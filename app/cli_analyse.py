"""`probespiel analyse GAME --replay FILE`: what every action of every decision was worth, and what chance did."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from ..envs.core.replay import Choice, Die, ReplayError
from .cli_replay import ANALYSIS, NumberOfGame, analysis_of, chosen_file, head, reader_of, told_after
from .common import GameName, Lang, Language
from .reviewing import Told, told_of
from .session.course import Course, open_course
from .session.review import Review
from .terminal.analysis import details_of, lines_of
from .terminal.screen import tell


def analyse(
    game: GameName,
    replay: Annotated[
        Path,
        typer.Option("--replay", metavar="FILE", help="a replay of the game, a kept game, or a tournament's folder"),
    ],
    number: NumberOfGame = None,
    seat: Annotated[str | None, typer.Option("--seat", help="whose value is told, by name")] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="time of the analysis, about")] = ANALYSIS,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object, for programs")] = False,
    trust: Annotated[
        bool, typer.Option("--trust-files", help="let the replay run the rule modules that it names by their files")
    ] = False,
    lang: Language = Lang.en,
) -> None:
    """Analyse a finished game: the value of every action of every decision, the best line, and what chance did.

    Values of decisions are those of a search that knows what the seat knew, with 95 % intervals; values of moments are
    mean payoffs of playing on between equals, or exact where the whole game can be solved.
    `replay FILE --analysis` gives the summary of it.
    """
    course = open_course(chosen_file(replay, number, trust, lang.value), trust=trust)
    if course.game.name != game:
        raise ReplayError(f"--replay {replay}: a replay of {course.game.name}, not of {game}")
    eye = course.eye(seat)
    made, found = analysis_of(course, lang.value, seconds)
    told = told_of(made, found, reader_of(course, eye), lang.value)
    if as_json:
        typer.echo(json.dumps(document(made, found, told, lang.value, eye), ensure_ascii=False, indent=1))
        return
    head(course, eye, lang.value)
    for line in [*lines_of(told, lang.value), "", *details_of(told), *told_after(made, eye, lang.value)]:
        tell(line)


def document(course: Course, found: Review, told: Told, lang: str, eye: int | None = None) -> dict[str, Any]:
    """The analysis for programs: values float with half the widths of their 95 % intervals, actions by id and words.

    `after` are the tables that the system tells the eye once a game is over, their cells being texts of the language.
    """
    names = [info.name for info in course.game.seats]
    return {
        "game": course.game.name,
        "scenario": course.game.spec.scenario,
        "seats": names,
        "exact": found.exact,
        "games_per_moment": found.games,
        "played_on_by": found.baseline or None,
        "moments": [
            {
                "step": int(found.numbers[place]),
                "moved_by": "chance" if found.movers[place] < 0 else names[found.movers[place]],
                "values": found.values[place].tolist(),
                "errors": found.errors[place].tolist(),
            }
            for place in range(len(found.numbers))
        ],
        "decisions": [
            {
                "step": one.number,
                "seat": names[one.seat],
                "taken": one.action,
                "best": one.best,
                "lost": one.lost,
                "error": one.error,
                "sure": one.sure,
                "actions": [
                    {
                        "action": x.action,
                        "words": course.words(one.number, x.action, lang),
                        "value": x.value,
                        "error": x.error,
                        "share": x.share,
                    }
                    for x in one.options
                ],
            }
            for one in found.judged
        ],
        "chance": {
            "seat": told.seat,
            "total": dict(zip(("value", "error"), found.share(names.index(told.seat), -1), strict=True)),
            "steps": [
                {"step": number, "fell": fell, "value": value, "error": error}
                for (number, fell, _), (_, value, error) in zip(
                    told.chances, found.moves(names.index(told.seat), -1), strict=True
                )
            ],
        },
        "best_line": {
            "from_step": None if found.worst is None else found.worst.number,
            "steps": [_step(step, names) for step in found.line],
            "words": list(told.line),
        },
        "after": [asdict(one) for one in course.insights(len(course), eye, lang)],
    }


def _step(step: Die | Choice, names: list[str]) -> dict[str, Any]:
    if isinstance(step, Die):
        return {"die": step.faces, "fell": step.fell}
    return {"seat": names[step.seat], "action": step.action}
