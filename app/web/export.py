"""A recorded game as one HTML file that plays back in any browser: no server, no other file, no request."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ...envs.core.actions import LANGUAGES
from ...envs.core.disk import write_text
from ...envs.core.errors import ProbespielError
from ..naming import agent_called, scene_in, title_of
from ..session.course import Course
from .render import Renderer
from .words import say

HERE = Path(__file__).resolve().parent
_KEYS = (
    "view_language", "view_eye", "view_all", "view_step", "view_of", "view_first", "view_back", "view_next",
    "view_last", "view_start", "view_steps", "view_keys", "position", "over", "unfinished", "view_run", "view_pause",
)  # fmt: skip


def exported(course: Course, lang: str = "en") -> str:
    """The file's text; it opens in `lang` and holds all languages, and what the course lets be seen and no more."""
    script, style = ((HERE / "static" / name).read_text(encoding="utf-8") for name in ("playback.js", "playback.css"))
    data = Markup(json.dumps(_content(course, lang), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))
    return Renderer().render(
        "playback.html",
        {
            "lang": lang,
            "game": title_of(course.game.name, lang),
            "data": data,
            "script": Markup(script),
            "style": Markup(style),
            "policy": f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:",
        },
    )


def write_export(course: Course, path: Path, lang: str = "en") -> None:
    """Write the file; raises ProbespielError if another kind of file is there, OSError."""
    if path.exists() and not _ours(path):
        raise ProbespielError(f"{path}: this file exists and is no exported game; choose another name")
    write_text(path, exported(course, lang))


def _ours(path: Path) -> bool:
    with path.open("rb") as file:
        return b'name="generator" content="probespiel"' in file.read(1000)


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _insights(course: Course, eye: int | None, lang: str) -> list[dict[str, Any]]:
    """What is told besides once the game is over; nothing of one that is not."""
    return [asdict(one) for one in course.insights(len(course), eye, lang)]


def _content(course: Course, lang: str) -> dict[str, Any]:
    """All that is shown: `lines[language][eye][number]` are places in `texts`, `told[..]` lists of such in `boards`.

    From one step to the next most lines of a position stay as they were, so that each of them stands there once.
    """
    texts: dict[str, int] = {}
    boards: dict[tuple[int, ...], int] = {}

    def place(text: str) -> int:
        return texts.setdefault(text, len(texts))

    def board(text: str) -> int:
        return boards.setdefault(tuple(map(place, text.split("\n"))), len(boards))

    numbers = range(len(course) + 1)
    told = {at: [[board(course.told(n, eye, at)) for n in numbers] for eye in course.eyes] for at in LANGUAGES}
    lines = {
        at: [[[place(line) for line in course.lines(n, eye, at)] if n else [] for n in numbers] for eye in course.eyes]
        for at in LANGUAGES
    }
    titles = {
        at: [[place(course.title(n, eye, at)) if n else 0 for n in numbers] for eye in course.eyes] for at in LANGUAGES
    }

    def played(seats: list[int], agent: str, at: str) -> str:
        """Who played some seats, in words; the seats alone where nobody noted it."""
        names = ", ".join(course.game.seats[seat].called(at) for seat in seats)
        return f"{names}: {agent_called(agent, course.game.name, at)}" if agent else names

    return {
        "lang": lang,
        "game": {at: title_of(course.game.name, at) for at in LANGUAGES},
        "scenario": {at: scene_in(course.game.name, course.game.spec.scenario, at).name for at in LANGUAGES},
        "seats": [seat.name for seat in course.game.seats],
        "players": {at: [played(seats, agent, at) for seats, agent in course.players()] for at in LANGUAGES},
        "eyes": [None if eye is None else course.game.seats[eye].name for eye in course.eyes],
        "called": {at: [seat.called(at) for seat in course.game.seats] for at in LANGUAGES},
        "over": course.over,
        "result": {at: [line.strip() for line in course.result(at)] for at in LANGUAGES},
        "insights": {at: [_insights(course, eye, at) for eye in course.eyes] for at in LANGUAGES},
        "words": {at: {key: say(at, key) for key in _KEYS} for at in LANGUAGES},
        "told": told,
        "titles": titles,
        "lines": lines,
        "texts": list(texts),
        "boards": list(boards),
    }


__all__ = ["exported", "write_export"]
