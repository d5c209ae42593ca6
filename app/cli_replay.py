"""`probespiel replay FILE`: a recorded game step by step, with all that happened laid open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game, Position
from ..envs.core.replay import Choice, Die, load
from .common import Lang, Language

_TEXT = {
    "en": {
        "title": "{game}, scenario {scenario}, {steps} steps, {status}",
        "modules": "rule modules: {names}",
        "player": "  {seat}: {agent}",
        "die": "a die with {faces} faces: {fell}",
        "choice": "{seat} ({phase}): {action}",
        "left": "The game stops here; it was not finished.",
    },
    "de": {
        "title": "{game}, Szenario {scenario}, {steps} Schritte, {status}",
        "modules": "Regelmodule: {names}",
        "player": "  {seat}: {agent}",
        "die": "ein Würfel mit {faces} Seiten: {fell}",
        "choice": "{seat} ({phase}): {action}",
        "left": "Das Spiel bleibt hier stehen; es war nicht zu Ende.",
    },
}


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a replay, as `play` and the stress lab write it")],
    first: Annotated[int, typer.Option("--from", min=1, help="first step to show")] = 1,
    last: Annotated[int | None, typer.Option("--to", min=1, help="last step to show (default: all)")] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", help="show what this seat saw of it, by name (default: everything)")
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust-files", help="let the replay run the rule modules that it names by their files")
    ] = False,
    lang: Language = Lang.en,
) -> None:
    """Show a recorded game: every die, every decision, what came of it, and the end.

    The replay is played again by the rules that it names, and refused if they have changed since.
    """
    found = load(file, compiled=False, trust=trust)
    game, text = found.game, _TEXT[lang.value]
    eye = None if seat is None else _seat(game, seat)
    typer.echo(
        text["title"].format(game=game.name, scenario=game.spec.scenario, steps=len(found.steps), status=found.status)
    )
    if modules := game.spec.options.get("modules"):
        typer.echo(text["modules"].format(names=", ".join(modules)))
    for name, agent in (found.agents or {}).items():
        typer.echo(text["player"].format(seat=name, agent=agent))
    position = game.position()
    for number, step in enumerate(found.steps, start=1):
        lines, before = list(_told(position, step, eye, lang.value)), position.tallies(eye, lang.value)
        if isinstance(step, Die):
            position.fall(step.fell)
        else:
            position.apply(step.seat, step.action)
        if first <= number <= (last or number):
            lines += _events(position, eye, lang.value)
            now = position.tallies(eye, lang.value)
            lines += [f"{name}: {before[name]} → {value}" for name, value in now.items() if value != before[name]]
            for index, line in enumerate(lines):
                typer.echo(f"{number:>5}  {line}" if index == 0 else f"       {line}")
    typer.echo("")
    for line in position.told(eye, lang.value).splitlines():
        typer.echo(line)
    if not position.over:
        typer.echo(text["left"])
        return
    for line in game.spec.result(position, lang.value):
        typer.echo(line)


def _seat(game: Game, name: str) -> int:
    names = [info.name for info in game.seats]
    if name not in names:
        raise ProbespielError(f"--seat {name!r} is not allowed: one of {', '.join(names)}")
    return names.index(name)


def _told(position: Position, step: Die | Choice, eye: int | None, lang: str) -> Iterator[str]:
    """A step in words, before it is taken; a seat that looks on sees its own decisions alone."""
    text = _TEXT[lang]
    if isinstance(step, Die):
        if eye is None:
            yield text["die"].format(faces=step.faces, fell=step.fell + 1)
    elif eye in (None, step.seat):
        game = position.game
        yield text["choice"].format(
            seat=game.seats[step.seat].name,
            phase=game.spec.texts.phase(position, lang),
            action=game.actions.describe(step.action, lang),
        )


def _events(position: Position, eye: int | None, lang: str) -> list[str]:
    """Events of the last step as the seat reads them, or as any seat does, each text once."""
    texts = position.game.spec.texts
    eyes = range(position.game.n_seats) if eye is None else (eye,)
    found = [texts.event(event, seat, lang) for event in position.events() for seat in eyes]
    return list(dict.fromkeys(line for line in found if line))
