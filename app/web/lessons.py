"""Lessons in the browser: the tutorial of a system, a page for each decision of the pupil.

A lesson goes on as it is taught whatever is chosen, so that a page is made of its address alone, and nothing is kept.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ...agents.human import Speech
from ...envs.core.game import Game
from ...envs.core.registry import system_of
from ...envs.core.rulebook import Tutorial, tutorial_of
from ..session.groups import Group, grouped
from ..session.lesson import Moment, moments
from ..session.notes import legends_on, notes_on
from ..session.seen import Seen, seen_of
from .fields import number_of
from .guard import Refused
from .pages import Pages
from .rulepages import terms_on
from .screens import Choice, Sight


@lru_cache(maxsize=32)
def course_of(system: str, lang: str) -> tuple[Tutorial, tuple[Moment, ...]] | None:
    """The tutorial of a system and all its moments, played by interpreted rules; None where there is none."""
    found = tutorial_of(system, lang)
    return None if found is None else (found, tuple(moments(found, Game(found.spec, compiled=False), lang)))


class Lessons:
    """The handlers; `pages` has the templates."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    async def show(self, request: Request) -> Response:
        """A moment of a lesson: `step` is its number, `action` what was chosen in the one before."""
        return await run_in_threadpool(self._show, request)

    def _show(self, request: Request) -> Response:
        game, lang = request.path_params["game"], self.pages.lang(request)
        found = course_of(system_of(game).name, lang)
        if found is None:
            raise Refused(404, "not_found")
        tutorial, course = found
        number = number_of(request.query_params.get("step", "0"))
        if number >= len(course):
            raise Refused(404, "not_found")
        here = replace(course[number], position=course[number].position.clone())  # others may look at the same one
        seen = seen_of(here.position, tutorial.seat, lang)
        choices = [Choice.of(option) for option in seen.choices] if here.step is not None else []
        sight = Sight.of(here.position.game, seen, choices)
        notes = notes_on(sight)
        values: dict[str, Any] = {
            "game": game,
            "playing": tutorial.spec.name,
            "title_of": tutorial.title,
            "tutorial": tutorial,
            "number": number,
            "last": len(course) - 1,
            "step": here.step,
            "news": here.news,
            "seen": seen,
            "answer": _answer(course[number - 1], tutorial.seat, request, lang) if number else None,
            "menu": [(entry, isinstance(entry, Group)) for entry in grouped(seen.choices)] if choices else [],
            "notes": notes,
            "legends": legends_on(sight, seen.choices),
            "taught": here.action,
            "told": seen.told,
            "screens": [screen] if (screen := self._screen(here, seen, sight)) is not None else [],
            "result": [] if here.step is not None else here.position.game.spec.result(here.position, lang),
        }
        texts = [seen.told, seen.phase, *here.news, *(option.text for option in seen.choices), *notes.values()]
        texts += [here.step.comment] if here.step is not None else []
        return self.pages.page(request, "lesson.html", terms=terms_on(texts, tutorial.spec, lang), **values)

    def _screen(self, here: Moment, seen: Seen, sight: Sight) -> dict[str, Any] | None:
        """The system's screen, without choices: they stand below it with what is taught."""
        screen = self.pages.screen(here.position.game)
        shown = replace(Sight.of(here.position.game, seen), named=False)
        drawn = None if screen is None else self.pages.drawn(screen, shown)
        if drawn is None:
            return None
        return {"name": here.position.game.spec.system, "sight": shown, "screen": drawn.values}


def _answer(before: Moment, seat: int, request: Request, lang: str) -> dict[str, str] | None:
    """What is said to what was chosen before; None where an address names nothing that was possible."""
    given = request.query_params.get("action", "")
    assert before.step is not None
    if not given or number_of(given) not in before.position.legal(seat):
        return None
    speech = Speech(before.position.game, before.position, seat)
    taught, chosen = speech.text(before.action, lang), speech.text(int(given), lang)
    return {"taught": taught, "chosen": chosen, "why": "" if int(given) == before.action else before.step.why}


__all__ = ["Lessons", "course_of"]
