"""Pages of runs: how one stands, its next choice or game, and its score. What a run asks is a list of buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ..common import told
from ..session.solo import Score, SoloRun, run_of, systems_with_runs
from ..session.standing import Due, Pick
from .fields import number_of
from .guard import Refused
from .pages import Pages
from .room import Stale
from .rulepages import terms_on
from .runs import Run
from .words import say

_SETTING = "setting:"  # what the fields of settings begin with
_SHORT = 40  # characters of an option that stands beside others


@dataclass(frozen=True)
class Offered:
    """A system that can be played as a run."""

    system: str
    run: SoloRun


def offered() -> list[Offered]:
    """All systems that can be played as a run."""
    return [Offered(name, run_of(name)) for name in systems_with_runs()]


class RunPages:
    """The handlers; `pages` has the games, the runs and the templates."""

    def __init__(self, pages: Pages) -> None:
        self.pages, self.runs = pages, pages.runs

    async def setup(self, request: Request) -> Response:
        """The form for a new run."""
        system = request.path_params["system"]
        if system not in systems_with_runs():
            raise Refused(404, "not_found")
        offer = Offered(system, run_of(system))
        return self.pages.page(
            request, "run_setup.html", offer=offer, guide=offer.run.guide_in(self.pages.lang(request))
        )

    async def create(self, request: Request) -> Response:
        """Begin a run."""
        fields = await self.pages.form(request)
        visitor = request.state.visitor
        if not self.pages.new_games.take(visitor.name):
            raise Refused(429, "too_fast")
        system = fields.get("system", [""])[0]
        given = {name.removeprefix(_SETTING): texts[0] for name, texts in fields.items() if name.startswith(_SETTING)}
        lang = self.pages.lang(request)
        run = await run_in_threadpool(self.runs.begin, system, given, visitor.owner, lang)
        return RedirectResponse(f"/run/{run.id}", 303)

    async def show(self, request: Request) -> Response:
        """How a run stands."""
        if request.state.visitor.fresh and request.headers.get("sec-fetch-site") == "cross-site":
            return self.pages.arrival(request)
        return await run_in_threadpool(self._show, request, self._run(request))

    async def answer(self, request: Request) -> Response:
        """Answer the choice that is due, once."""
        fields = await self.pages.form(request)
        run, lang = self._run(request), self.pages.lang(request)
        at, place = (number_of(fields.get(name, [""])[0]) for name in ("at", "place"))
        return await self._after(request, run, lambda: self.runs.answer(run, at, place, lang))

    async def back(self, request: Request) -> Response:
        """Take the last choice back."""
        fields = await self.pages.form(request)
        run, lang = self._run(request), self.pages.lang(request)
        at = number_of(fields.get("at", [""])[0])
        return await self._after(request, run, lambda: self.runs.take_back(run, at, lang))

    async def play(self, request: Request) -> Response:
        """Go to the game that is due."""
        await self.pages.form(request)
        run, lang = self._run(request), self.pages.lang(request)
        try:
            room = await run_in_threadpool(self.runs.play, run, lang)
        except Stale:
            return await run_in_threadpool(self._show, request, run, "stale")
        return RedirectResponse(f"/game/{room.id}", 303)

    async def forget(self, request: Request) -> Response:
        """Take a run off the list."""
        await self.pages.form(request)
        await run_in_threadpool(self.runs.forget, self._run(request))
        return RedirectResponse("/", 303)

    def _run(self, request: Request) -> Run:
        return self.runs.run(request.path_params["id"], request.state.visitor.owner)

    async def _after(self, request: Request, run: Run, act: Callable[[], None]) -> Response:
        """Do something; for htmx the new page, else a way to it."""
        note = ""
        try:
            await run_in_threadpool(act)
        except Stale:
            note = "stale"
        except OSError as error:
            raise Refused(507, "not_kept", reason=told(error)) from error
        if request.headers.get("hx-request") == "true" or note:
            return await run_in_threadpool(self._show, request, run, note)
        return RedirectResponse(f"/run/{run.id}", 303)

    def _show(self, request: Request, run: Run, note: str = "") -> Response:
        lang = self.pages.lang(request)
        found = self.runs.standing(run, lang)
        pick = found.next if isinstance(found.next, Pick) else None
        return self.pages.page(
            request,
            "run.html",
            run=run,
            about=run_of(run.system).about[lang == "de"],
            guide=run_of(run.system).guide_in(lang),
            note=say(lang, note) if note else "",
            standing=found,
            since=_lines(found.since),
            before=_lines(found.before),
            pick=pick,
            long=pick is not None and max(map(len, pick.options)) > _SHORT,
            terms=[] if pick is None else terms_on([*found.since, pick.question, *pick.options], run.system, lang),
            due=found.next if isinstance(found.next, Due) else None,
            score=found.next if isinstance(found.next, Score) else None,
        )


def _lines(texts: Sequence[str]) -> list[str]:
    """The lines of what was told, empty ones left out."""
    return [line for text in texts for line in text.split("\n") if line.strip()]


__all__ = ["Offered", "RunPages", "offered"]
