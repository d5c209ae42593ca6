"""`probespiel stats`: what a person has reached in which game against whom, with ratings."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated

import typer

from ..envs.core.registry import system_of
from ..envs.core.texts import number_in
from .common import Lang, Language
from .naming import opponents_called
from .session.journal import games_folder
from .session.record import ABOUT_RATINGS, TOGETHER, Rating, Standing, points, ratings, record, standings
from .session.solo import Ended, ended
from .terminal.screen import tell

_TEXT: dict[str, tuple[str, str]] = {
    "none": (
        "No finished game yet: `probespiel play GAME` begins one.",
        "Noch kein beendetes Spiel: `probespiel play SPIEL` beginnt eines.",
    ),
    "row": (
        "  {who}: {counted}, mean payoff {payoff}; rated {rated}: {won} won, {drawn} drawn, {lost} lost",
        "  {who}: {counted}, mittlere Auszahlung {payoff}; gewertet {rated}: {won} gewonnen, {drawn} "
        "unentschieden, {lost} verloren",
    ),
    "row_together": (
        "  {who}: {counted}, mean payoff {payoff}; not rated",
        "  {who}: {counted}, mittlere Auszahlung {payoff}; nicht gewertet",
    ),
    "games": ("{n} games", "{n} Spiele"),
    "game": ("1 game", "1 Spiel"),
    "rating": (
        "    rating against it {rating} (95 % interval {low} to {high})",
        "    Wertung gegen ihn {rating} (95-%-Intervall {low} bis {high})",
    ),
    "scale": (
        "  rating {rating} on the scale of the levels (95 % interval {low} to {high}; rated games: {n}): {level}",
        "  Wertung {rating} auf der Skala der Stufen (95-%-Intervall {low} bis {high}; gewertete Spiele: {n}): {level}",
    ),
    "at_level": ("level {level}", "Stufe {level}"),
    "below_levels": ("below level 1", "unter Stufe 1"),
    "runs": (
        "Runs of {system}: {n}, best {best}, last {last} points",
        "Läufe von {system}: {n}, bester {best}, letzter {last} Punkte",
    ),
    "foot": ABOUT_RATINGS,
    "together": TOGETHER,
}


def stats(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="only this game (default: all)")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object a line, for programs")] = False,
    lang: Language = Lang.en,
) -> None:
    """Show your finished games against agents: counts, mean payoffs, and ratings with intervals."""
    games = record(games_folder())
    found = [one for one in standings(games) if game is None or one.game.split(" ")[0] == game]
    if game is not None and not found:
        system_of(game)  # raises if there is none
    scale = {one.game: one for one in ratings(games)}
    if as_json:
        for one in found:
            typer.echo(json.dumps({k: v if _plain(v) else None for k, v in asdict(one).items()}, ensure_ascii=False))
        return
    for line in [*lines_of(found, lang.value, scale), *run_lines(ended(), lang.value, game)]:
        tell(line)


def lines_of(found: list[Standing], lang: str, scale: Mapping[str, Rating] | None = None) -> list[str]:
    """The statistics in lines; `scale` holds the ratings on the scale of the levels by game."""

    def say(key: str, **values: object) -> str:
        return _TEXT[key][lang == "de"].format(**values)

    def signed(value: float) -> str:
        return number_in(points(value), lang)

    if not found:
        return [say("none")]
    lines: list[str] = []
    last = None
    for one in found:
        if one.game != last:
            lines.append(one.game)
            last = one.game
            overall = (scale or {}).get(one.game)
            if overall is not None:
                values = {"rating": signed(overall.rating), "low": signed(overall.low), "high": signed(overall.high)}
                level = say("at_level", level=overall.level) if overall.level else say("below_levels")
                lines.append(say("scale", n=overall.games, level=level, **values))
        who = opponents_called(one.opponent, one.game, lang)
        values = {**asdict(one), "payoff": number_in(f"{one.payoff:+.2f}", lang)}
        counted = say("game") if one.games == 1 else say("games", n=one.games)
        lines.append(say("row_together" if one.together else "row", who=who, counted=counted, **values))
        if one.rating is not None and one.low is not None and one.high is not None:
            lines.append(say("rating", rating=signed(one.rating), low=signed(one.low), high=signed(one.high)))
    return [*lines, "", say("foot"), *([say("together")] if any(one.together for one in found) else ())]


def run_lines(runs: list[Ended], lang: str, game: str | None = None) -> list[str]:
    """The scores of runs, a line a system (those that the name of a game begins with, if one is given)."""
    lines = []
    for system in sorted({one.system for one in runs}):
        scores = [one.points for one in runs if one.system == system]
        if game is None or game.startswith(system):
            values = {"system": system, "n": len(scores), "best": number_in(f"{max(scores):g}", lang)}
            values["last"] = number_in(f"{scores[-1]:g}", lang)
            lines.append(_TEXT["runs"][lang == "de"].format(**values))
    return ["", *lines] if lines else []


def _plain(value: object) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


__all__ = ["lines_of", "run_lines", "stats"]
