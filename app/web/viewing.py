"""Pages of recorded games: step by step, through any eyes, as a file to take along, and playing on from the middle.

A game that was played here can be looked at once it is over, by the browsers that held its seats; a recording that the
server was started with, by whoever has its address.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ...envs.core.errors import ProbespielError
from ...envs.core.recipes import recipe_of
from ..common import told
from ..opponents import opponent_for
from ..reviewing import told_of
from ..session.course import Course
from .export import exported
from .graph import graph_of
from .guard import Refused
from .lobby import DEFAULT_SECONDS
from .pages import Pages
from .room import Order
from .screens import Sight

_WORST = 12  # decisions that lost most
_AROUND = 400  # steps that are listed to either side of the one that is shown
_MARKS = re.compile(r"^[-=]+ ")
_NAME = re.compile(r"[^A-Za-z0-9_-]+")


class Viewing:
    """The handlers; `pages` has the games and the templates."""

    def __init__(self, pages: Pages) -> None:
        self.pages, self.hall = pages, pages.hall

    async def show(self, request: Request) -> Response:
        """A step of a recording: `step` is its number, `seat` whose eyes (none: the first that are allowed)."""
        return await run_in_threadpool(self._show, request)

    async def export(self, request: Request) -> Response:
        """The recording as one HTML file."""

        def answer() -> Response:
            course, _ = self._course(request)
            name = _NAME.sub("-", course.game.name)
            headers = {"content-disposition": f'attachment; filename="{name}.html"'}
            return Response(exported(course, self.pages.lang(request)), media_type="text/html", headers=headers)

        return await run_in_threadpool(answer)

    async def branch(self, request: Request) -> Response:
        """Begin a practice game from a step."""
        fields = await self.pages.form(request)
        if not self.pages.new_games.take(request.state.visitor.name):
            raise Refused(429, "too_fast")

        def begin() -> str:
            course, _ = self._course(request)
            number = _number(fields.get("step", [""])[0], course)
            seat = course.game.seat_index(fields.get("seat", [""])[0])
            found = course.branch(number, opponent_for(course.game, DEFAULT_SECONDS), seat)
            recipe = recipe_of(course.game)
            order = Order(
                game=course.game.name,
                scenario=recipe["scenario"],
                options=recipe["options"],
                modules=recipe["modules"],
                cast=found.cast,
                seats=tuple(info.name for info in course.game.seats),
                seed=secrets.randbits(63),  # not that of the recording, whose dice everybody has seen
                lang=self.pages.lang(request),
                entries=found.entries,
                recorded=True,
            )
            return self.hall.begin(order, request.state.visitor.owner).id

        return RedirectResponse(f"/game/{await run_in_threadpool(begin)}", 303)

    async def analyse(self, request: Request) -> Response:
        """Let the recording be analysed."""
        await self.pages.form(request)

        def begin() -> str:
            course, base = self._course(request)
            if not course.over:
                raise Refused(409, "not_over")
            self.hall.analyse(base, course)
            return base

        base = await run_in_threadpool(begin)
        back = request.query_params.get("step", "0")
        return RedirectResponse(f"{base}?step={back if back.isdecimal() else 0}#analysis", 303)

    def _course(self, request: Request) -> tuple[Course, str]:
        """The recording of an address and that address; raises Refused."""
        secret = request.path_params.get("secret")
        if secret is None:
            room = self.pages.room(request)
            return self.hall.course(room), f"/game/{room.id}/view"
        course = self.hall.watched.get(secret)
        if course is None:
            raise Refused(404, "not_found")
        return course, f"/watch/{secret}"

    def _show(self, request: Request) -> Response:
        if request.state.visitor.fresh and request.headers.get("sec-fetch-site") == "cross-site":
            return self.pages.arrival(request)
        course, base = self._course(request)
        lang = self.pages.lang(request)
        number = _number(request.query_params.get("step", "0"), course)
        try:
            eye = course.eye(request.query_params.get("seat") or None)
        except ProbespielError as error:
            raise Refused(403, "bad_value", reason=str(error)) from error
        values = self.values(course, number, eye, lang) | self._analysed(course, base, number, eye, lang)
        return self.pages.page(request, "view.html", base=base, **values)

    def _analysed(self, course: Course, base: str, number: int, eye: int | None, lang: str) -> dict[str, Any]:
        """The analysis as far as it is there, its values being those of the eye, of a person, or of the first seat."""
        found = self.hall.analysis(base)
        values: dict[str, Any] = {
            "analysing": found is not None and not found.done(),
            "told_of": None,
            "no_analysis": "",
        }
        if found is None or not found.done():
            return values
        failed = found.exception()
        if failed is not None:
            return values | {"no_analysis": told(failed)}
        seat = eye if eye is not None else (course.people[0] if course.people else 0)
        shown = told_of(course, found.result(), seat, lang)
        worst = sorted((loss for loss in shown.losses if loss.sure), key=lambda loss: -loss.lost)
        return values | {"told_of": shown, "graph": graph_of(shown, number), "worst": worst[:_WORST]}

    def values(self, course: Course, number: int, eye: int | None, lang: str) -> dict[str, Any]:
        """All that the page of a step shows."""
        names = [seat.name for seat in course.game.seats]
        last = len(course)
        listed = range(max(1, number - _AROUND), min(last, number + _AROUND) + 1)
        whose = [eye] if eye is not None else (list(range(len(names))) if len(names) <= 2 else [])
        screens = [found for seat in whose if (found := self._screen(course, number, seat, lang)) is not None]
        steps = course.listed(eye, lang, listed)
        return {
            "course": course,
            "number": number,
            "last": last,
            "eye": "" if eye is None else names[eye],
            "eyes": [("" if one is None else names[one]) for one in course.eyes],
            "players": [
                (", ".join(course.game.seats[seat].called(lang) for seat in seats), agent)
                for seats, agent in course.players()
            ],
            "called": {seat.name: seat.called(lang) for seat in course.game.seats},
            "title": _unmarked(course.title(number, eye, lang)) if number else "",
            "lines": [_unmarked(line) for line in course.lines(number, eye, lang)] if number else [],
            "told": course.told(number, eye, lang),
            "insights": course.insights(number, eye, lang),
            "steps": [(n, _unmarked(line)) for n, line in steps],
            "result": _told_at_end(course.result(lang, eye), screens) if number == last else [],
            "decision": course.decision_after(number),
            "decision_back": course.decision_after(number, forward=False),
            "screens": screens,
            "may_branch": course.over and not course.positions[number].over,
            "sits": names[self._sits(course, number, eye)],
        }

    def _sits(self, course: Course, number: int, eye: int | None) -> int:
        """Who plays on, unless another seat is chosen."""
        if eye is not None:
            return eye
        return course.people[0] if course.people else next(iter(course.positions[number].to_act()), 0)

    def _screen(self, course: Course, number: int, seat: int, lang: str) -> dict[str, Any] | None:
        """The system's screen of a seat, without choices; None if there is none."""
        screen = self.pages.screen(course.game)
        if screen is None:
            return None
        seen = course.seen(number, seat, lang)
        sight = replace(Sight.of(course.game, seen), named=True)
        drawn = self.pages.drawn(screen, sight)
        if drawn is None:
            return None
        name = course.game.spec.system
        return {"seat": seen.name, "name": name, "sight": sight, "screen": drawn.values, "result": drawn.result}


def _unmarked(line: str) -> str:
    """A line without the dashes or equals signs by which a terminal sets the beginning of a part apart."""
    return _MARKS.sub("", line)


def _told_at_end(result: Sequence[str], screens: Sequence[Mapping[str, Any]]) -> Sequence[str]:
    """The lines about the end that no screen shows by itself."""
    return next((one["result"] for one in screens if one["result"] is not None), result)


def _number(text: str, course: Course) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 7 or int(text) > len(course):
        raise Refused(400, "bad_value", reason=f"step = {text[:20]!r}: 0..{len(course)}")
    return int(text)


__all__ = ["Viewing"]
