"""The pages: what each address answers. Everything is made on the server; htmx only replaces the part that changed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.types import Scope

from ...envs.core.actions import LANGUAGES
from ...envs.core.errors import IllegalAction, ProbespielError
from ...envs.core.game import Game, GameSpec
from ...envs.core.registry import system_of
from ...envs.core.rulebook import aim_of, modules_offered, modules_told, tutorial_of
from ..common import told
from ..naming import names_in
from ..session.notes import legend_of, missing_of, notes_on
from ..session.picks import picks_of
from ..session.record import points, ratings, record, standings
from ..session.solo import run_of, systems_with_runs
from . import lobby
from .advised import advised, bar_of, digits
from .fields import action_of, number_of
from .groups import grouped
from .guard import Limiter, Refused, Visitor, form_of, token_for
from .hall import Hall
from .render import Renderer
from .room import BROKEN, OVER, PLAYING, PREPARING, Room, Stale
from .rulepages import rules_page, terms_on
from .runs import Runs
from .screens import Choice, Drawn, Keys, Screen, Sight, screen_of
from .setform import named_together
from .words import say

LANGUAGE = "language"  # the cookie
PATIENCE = 0.4  # seconds that an answer waits for quick agents
LONG = 20.0  # seconds that a question for news stays open
WAKING = 10.0  # seconds that a decision waits for a game that is taken up again
_LOOK = 0.04
_logger = logging.getLogger("probespiel.web")


class Pages:
    """All handlers; `hall` keeps the games."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.runs = hall, Runs(hall)
        self.renderer = Renderer()
        self.new_games = Limiter(rate=0.5, burst=30)

    # --- what all pages share -----------------------------------------------------------------------------------------

    def lang(self, request: Request) -> str:
        """The language of a browser: the chosen one, else what it prefers."""
        chosen = request.cookies.get(LANGUAGE)
        if chosen in LANGUAGES:
            return chosen
        wanted = request.headers.get("accept-language", "").split(",")[0].strip().lower()
        return "de" if wanted.startswith("de") else "en"

    def page(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        """A page from a template; for htmx only its main part."""
        lang = self.lang(request)
        visitor: Visitor = request.state.visitor
        shared = {
            "lang": lang,
            "t": lambda key, **more: say(lang, key, **more),
            "digits": lambda text: digits(text, lang),
            **names_in(lang),
            "aim": lambda game, scenario: aim_of(system_of(game).spec(game, scenario, {}, {}), lang),
            "taught": lambda game: tutorial_of(system_of(game).name, lang) is not None,
            "modules": lambda game: modules_offered(system_of(game).name, lang),
            "token": token_for(self.hall.key, visitor.name),
            "path": request.url.path,
            "address": _path_of(request),
            "partial": request.headers.get("hx-request") == "true",
        }
        return Response(
            self.renderer.render(name, {**shared, **values}), status, media_type="text/html", headers={"vary": "cookie"}
        )

    def refuse(self, scope: Scope, wrong: Refused) -> Response:
        """The answer to a request that is not allowed."""
        return self.refused(Request(scope), wrong)

    def refused(self, request: Request, wrong: Refused) -> Response:
        """A page that says what was wrong."""
        lang = self.lang(request)
        text = say(lang, wrong.key, **wrong.values)
        return self.page(request, "sorry.html", wrong.status, message=text, key=wrong.key)

    async def form(self, request: Request) -> dict[str, list[str]]:
        """The fields of a form of ours; raises Refused."""
        return await form_of(request, self.hall.key)

    def guarded(self, handler: Callable[[Request], Any]) -> Callable[[Request], Any]:
        """A handler whose errors become pages."""

        async def answer(request: Request) -> Response:
            try:
                return await handler(request)
            except Refused as wrong:
                return self.refused(request, wrong)
            except ProbespielError as error:
                return self.refused(request, Refused(400, "bad_value", reason=told(error)))
            except Exception:  # a person sees a page, the log has the rest
                _logger.exception("%s %s", request.method, request.url.path)
                return self.refused(request, Refused(500, "inside"))

        return answer

    # --- lobby --------------------------------------------------------------------------------------------------------

    async def home(self, request: Request) -> Response:
        """Games under way and finished ones, and all that can be begun."""
        visitor: Visitor = request.state.visitor
        if visitor.fresh and request.headers.get("sec-fetch-site") == "cross-site":
            return self.arrival(request)
        rooms = [room for room in self.hall.rooms_of(visitor.owner) if not room.run]  # those stand with their runs
        return await run_in_threadpool(
            lambda: self.page(
                request,
                "lobby.html",
                open=[room for room in rooms if room.state in (PREPARING, PLAYING, BROKEN)],
                finished=[room for room in rooms if room.state == OVER],
                systems=lobby.games_by_system(),
                having_runs={name: run_of(name).about for name in systems_with_runs()},
                runs=self.runs.of(visitor.owner),
            )
        )

    async def stats(self, request: Request) -> Response:
        """What this browser's games against agents came to."""
        rooms = self.hall.rooms_of(request.state.visitor.owner)
        files = {room.file.name for room in rooms if room.state == OVER and room.file is not None}

        def answer() -> Response:
            games = [played for played in record(self.hall.games) if played.file in files]
            found, scale = standings(games), ratings(games)
            ended = [run for run in self.runs.of(request.state.visitor.owner) if run.points is not None]
            return self.page(request, "stats.html", standings=found, ratings=scale, points=points, runs=ended)

        return await run_in_threadpool(answer)

    def arrival(self, request: Request) -> Response:
        """For somebody who followed a link from elsewhere, without cookies: the page asks again by itself."""
        request.scope["state"]["keep"] = False
        return self.page(request, "arrival.html")

    async def setup(self, request: Request) -> Response:
        """The form for a new game."""
        game = request.path_params["game"]
        scenario = request.query_params.get("scenario")
        found = await run_in_threadpool(lobby.offer, game, scenario)
        return await run_in_threadpool(lambda: self.page(request, "setup.html", offer=found, values={}))

    async def rules(self, request: Request) -> Response:
        """The rules of a game in a scenario."""
        game, scenario = request.path_params["game"], request.query_params.get("scenario")
        found = await run_in_threadpool(lobby.offer, game, scenario)  # refuses what is not there
        spec = system_of(game).spec(game, found.scenario, {}, {})
        return await run_in_threadpool(self._rules, request, spec, f"/new/{game}?scenario={quote(found.scenario)}")

    async def room_rules(self, request: Request) -> Response:
        """The rules of a game that is played here, its options and modules included."""
        room = self.room(request)
        table = room.table
        if table is None:  # not prepared yet, or over and put away
            raise Refused(404, "not_found")
        return await run_in_threadpool(self._rules, request, table.game.spec, f"/game/{room.id}")

    def _rules(self, request: Request, spec: GameSpec, back: str) -> Response:
        return self.page(request, "rules.html", text=rules_page(spec, self.lang(request)), game=spec.name, back=back)

    async def create(self, request: Request) -> Response:
        """Begin a new game."""
        fields = await self.form(request)
        visitor: Visitor = request.state.visitor
        if not self.new_games.take(visitor.name):
            raise Refused(429, "too_fast")

        def begin() -> Room:
            return self.hall.begin(lobby.order_of(fields, self.lang(request)), visitor.owner)

        try:
            room = await run_in_threadpool(begin)
        except ProbespielError as error:
            wrong = told(error)
        except Refused as refused:
            if refused.key != "bad_value":
                raise
            wrong = str(refused.values["reason"])
        else:
            return RedirectResponse(f"/game/{room.id}", 303)
        found = await run_in_threadpool(lobby.offered_again, fields)
        values = {name: texts if name == "module" else texts[0] for name, texts in fields.items()}
        return self.page(request, "setup.html", 422, offer=found, values=values, wrong=wrong)

    async def language(self, request: Request) -> Response:
        """Choose the language of all pages."""
        to, back = request.query_params.get("to", ""), request.query_params.get("back", "/")
        if to not in LANGUAGES:
            raise Refused(400, "bad_form")
        # a path of our own and nothing that a browser could take for an address elsewhere
        safe = quote(back, safe="/-_?&=%") if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"
        answer = RedirectResponse(safe, 303)
        answer.set_cookie(LANGUAGE, to, max_age=365 * 86_400, samesite="strict", httponly=True)
        return answer

    # --- a game -------------------------------------------------------------------------------------------------------

    def room(self, request: Request) -> Room:
        """The game of an address; raises Refused."""
        return self.hall.room(request.path_params["id"], request.state.visitor.owner)

    async def awake(self, request: Request) -> Room:
        """The game of a form; after a restart it is taken up again first, so that no click is lost by that."""
        room, end = self.room(request), time.monotonic() + WAKING
        while room.state == PREPARING and time.monotonic() < end:
            await asyncio.sleep(_LOOK)
        return room

    async def game(self, request: Request) -> Response:
        """The page of a game; with `have` it waits until there is something newer, and answers 204 if nothing comes."""
        if request.state.visitor.fresh and request.headers.get("sec-fetch-site") == "cross-site":
            return self.arrival(request)
        room = self.room(request)
        have = request.query_params.get("have")
        if have is not None:
            end = time.monotonic() + (1.0 if room.state == PREPARING else LONG)
            while str(room.version) == have and time.monotonic() < end:
                await asyncio.sleep(_LOOK)
                if await request.is_disconnected():
                    break
            if str(room.version) == have and room.state != PREPARING:  # that page tells how long it has taken
                return Response(status_code=204)
        return await self.show(request, room)

    async def show(self, request: Request, room: Room, note: str = "") -> Response:
        """The page of a game as it stands."""
        return await run_in_threadpool(self._show, request, room, note)

    async def after(self, request: Request, room: Room, note: str = "") -> Response:
        """The answer to a form: for htmx the new page, else a way to it. Quick agents have decided by then."""
        end = time.monotonic() + PATIENCE
        while room.state == PLAYING and room.busy and time.monotonic() < end:
            await asyncio.sleep(0.01)
        if request.headers.get("hx-request") == "true" or note:
            return await self.show(request, room, note)
        return RedirectResponse(f"/game/{room.id}", 303)

    async def act(self, request: Request) -> Response:
        """Take a decision, once: a second click or an old page does nothing but show how things stand."""
        fields = await self.form(request)
        room = await self.awake(request)
        try:
            seat, stamp = self._asked(request, room, fields)
            if "things" in fields:
                named = [number_of(text) for text in fields.get("thing", [])]
                await run_in_threadpool(room.choose_set_of, seat, stamp, named, self.lang(request))
            elif "set" in fields:
                picked = [number_of(text) for text in fields.get("pick", [])]
                await run_in_threadpool(room.choose_several, seat, stamp, picked)
            else:
                await run_in_threadpool(room.choose, seat, stamp, action_of(fields))
        except Stale:
            return await self.after(request, room, "stale")
        except IllegalAction as error:
            if "set" in fields or "things" in fields:  # too few or too many of them: a person's slip, not a wrong form
                return await self.after(request, room, "wrong_set")
            raise Refused(409, "not_possible") from error
        except OSError as error:
            raise Refused(507, "not_kept", reason=told(error)) from error
        self.hall.work(room)
        if room.state == OVER:
            await run_in_threadpool(self.hall.note, room)
        return await self.after(request, room)

    async def undo(self, request: Request) -> Response:
        """Take the last decision back."""
        fields = await self.form(request)
        room = await self.awake(request)
        try:
            seat, stamp = self._asked(request, room, fields)
            done = await run_in_threadpool(room.take_back, request.state.visitor.owner, seat, stamp)
        except Stale:
            return await self.after(request, room, "stale")
        self.hall.work(room)
        return await self.after(request, room, "undone" if done else "no_undo")

    async def hint(self, request: Request) -> Response:
        """Ask for a hint; it is on the page when it has been found."""
        fields = await self.form(request)
        room = await self.awake(request)
        try:
            seat, stamp = self._asked(request, room, fields)
            await run_in_threadpool(self.hall.hint, room, seat, stamp)
        except Stale:
            return await self.after(request, room, "stale")
        return await self.after(request, room)

    async def bar(self, request: Request) -> Response:
        """Switch the value bar of this browser on or off as its form says; rated games have none."""
        on = (await self.form(request)).get("on") == ["1"]  # said, not turned over: a second click changes nothing
        room, owner = self.room(request), request.state.visitor.owner
        with room.lock:
            room.bars = room.bars | {owner} if on else room.bars - {owner}
            room.changed()
        return await self.after(request, room)

    async def uncover(self, request: Request) -> Response:
        """Somebody else looks at the screen now."""
        fields = await self.form(request)
        room = self.room(request)
        seat = self._seat(request, room, fields)
        room.shown[request.state.visitor.owner] = seat
        return await self.after(request, room)

    async def forget(self, request: Request) -> Response:
        """Take a game off the list."""
        await self.form(request)
        room = self.room(request)
        await run_in_threadpool(self.hall.forget, room, request.state.visitor.owner)
        return RedirectResponse("/", 303)

    async def replay(self, request: Request) -> Response:
        """The replay file of a finished game."""
        room = self.room(request)
        if room.state != OVER or room.file is None or not room.file.exists():
            raise Refused(409, "not_over")
        return FileResponse(room.file, media_type="application/json", filename=room.file.name)

    async def invite(self, request: Request) -> Response:
        """Make the address by which another browser takes a seat."""
        fields = await self.form(request)
        room = self.room(request)
        seat = self._seat(request, room, fields)
        room.invite(seat)
        room.changed()
        return await self.after(request, room)

    async def door(self, request: Request) -> Response:
        """Where an invitation leads."""
        if request.state.visitor.fresh and request.headers.get("sec-fetch-site") == "cross-site":
            return self.arrival(request)
        room = self.hall.invited(request.path_params["secret"])
        seat = room.invites[request.path_params["secret"]]
        return self.page(request, "door.html", room=room, seat=room.called(seat, self.lang(request)))

    async def join(self, request: Request) -> Response:
        """Take the seat of an invitation."""
        await self.form(request)
        secret = request.path_params["secret"]
        room = self.hall.invited(secret)
        if room.take(secret, request.state.visitor.owner) is None:
            raise Refused(404, "not_found")
        if room.file is not None:
            await run_in_threadpool(self.hall.note, room)
        return RedirectResponse(f"/game/{room.id}", 303)

    def _seat(self, request: Request, room: Room, fields: dict[str, list[str]]) -> int:
        seat = number_of(fields.get("seat", [""])[0])
        if seat not in room.seats_of(request.state.visitor.owner):
            raise Refused(403, "not_found")
        return seat

    def _asked(self, request: Request, room: Room, fields: dict[str, list[str]]) -> tuple[int, str]:
        """Seat and stamp of a form about a game; raises Refused, Stale."""
        seat = self._seat(request, room, fields)
        if room.state != PLAYING or room.place(request.state.visitor.owner)[0] != seat:
            raise Stale
        return seat, fields.get("stamp", [""])[0]

    def _show(self, request: Request, room: Room, note: str) -> Response:
        with room.lock:
            return self._shown(request, room, note)

    def _shown(self, request: Request, room: Room, note: str) -> Response:
        owner, lang = request.state.visitor.owner, self.lang(request)
        values: dict[str, Any] = {
            "room": room,
            "note": say(lang, "waking" if note == "stale" and room.state == PREPARING else note) if note else "",
            "mine": room.seats_of(owner),
            "base": f"{request.url.scheme}://{request.headers.get('host', '')}",
        }
        if room.state == BROKEN:
            return self.page(request, "broken.html", **values)
        if room.table is None:
            if room.state == OVER:
                insights = self.hall.insights(room, owner, lang)
                return self.page(request, "ended.html", lines=room.result.get(lang, []), insights=insights, **values)
            return self.page(request, "preparing.html", **values)
        seat, handed = room.place(owner)
        table = room.table
        names = table.game.seats
        others = [s for s in table.waiting() if s != seat]
        values |= {
            "thinking": ", ".join(names[s].called(lang) for s in table.thinking()),
            "waiting": ", ".join(names[s].called(lang) for s in others),
            "due": {*table.waiting(), *table.thinking()},
            "sides": [s.side_called(lang) for s in names],
        }
        if seat in table.waiting() and owner in room.bars and not table.rated:
            self.hall.hint(room, seat, room.stamp(seat), quiet=True)
        if seat is None:
            return self.page(request, "curtain.html", seat=handed, public=handed is None, **values)
        return self.page(request, "game.html", **values, **self.seat_values(room, owner, seat, lang))

    def seat_values(self, room: Room, owner: str, seat: int, lang: str) -> dict[str, Any]:
        """All that the page of one seat shows."""
        table = room.table
        assert table is not None
        seen, news = room.seen(seat, lang)
        stamp = room.stamp(seat)
        hint = room.hint if room.hint is not None and room.hint.stamp == stamp and room.hint.seat == seat else None
        bar = None if table.rated or table.over or owner not in room.bars else bar_of(hint, table.game, seat)
        if hint is not None and hint.quiet:
            hint = None
        hinted = None if hint is None else hint.action
        screen = self.screen(table.game)
        keyless = screen.keyless if screen is not None else ()
        keys = Keys([option for option in seen.choices if option.verb not in keyless])
        choices = [
            Choice.of(option, None if option.verb in keyless else keys, option.id == hinted) for option in seen.choices
        ]
        sight = Sight.of(table.game, seen, choices)
        drawn = None if screen is None else self.drawn(screen, sight)
        placed = drawn.placed if drawn is not None else frozenset()
        left = [choice for choice in choices if choice.action not in placed]
        trouble: list[str] = []
        notes, insights = notes_on(sight, trouble.append), room.insights_for(seat, lang)
        picks = picks_of(table, seat, lang) if seen.choices else None
        return {
            "seat": seat,
            "seen": seen,
            "news": news,
            "stamp": stamp,
            "hint": hint,
            "bar": bar,
            "may_ask": not table.rated and not table.over,
            "advice": advised(hint, choices, table.game, lang, notes, picks is not None),
            "hinted": next((choice for choice in choices if choice.hinted), None),
            "sight": sight,
            "rules_added": modules_told(table.game.spec, lang),
            "counters": seen.counters,
            "screen": None if drawn is None else drawn.values,
            "result": seen.result if drawn is None or drawn.result is None else drawn.result,
            "screen_name": table.game.spec.system,
            "insights": insights,
            "notes": notes,
            "legends": [*(legend_of(sight).splitlines() if drawn is None and seen.choices else ()), missing_of(sight)],
            "trouble": trouble,
            "groups": grouped(left),
            "can_undo": room.may_undo(owner, seat),
            "picks": picks,
            "sets": named_together(seen, notes, table.game.spec) if len(left) == len(choices) else None,
            "about": aim_of(table.game.spec, lang),
            "begun": table.can_undo(seat),
            "terms": terms_on(
                [seen.told, seen.phase, *news, *(choice.text for choice in choices)]
                + [line for insight in insights for line in insight.lines],
                table.game.spec,
                lang,
            ),
        }

    @staticmethod
    def screen(game: Game) -> Screen | None:
        """The screen of a game's system that can show it, or None: then the generic page serves."""
        screen = screen_of(game.spec.system)
        return screen if screen is not None and (not screen.games or game.name in screen.games) else None

    @staticmethod
    def drawn(screen: Screen, sight: Sight) -> Drawn | None:
        """What a screen makes of a sight; None where the generic page must serve."""
        try:
            return screen.draw(sight)
        except Exception:  # a screen may meet rules that it does not know; the generic page shows them
            _logger.exception("the screen of %s cannot show this position", sight.game.spec.system)
            return None


def _path_of(request: Request) -> str:
    """Where a page is found, with its query; the answer to a form has no address, so that it is the form's own page."""
    if request.method != "POST":
        return request.url.path + (f"?{request.url.query}" if request.url.query else "")
    came = urlsplit(request.headers.get("referer", ""))
    if not came.path or came.netloc != request.headers.get("host"):
        return "/"
    return came.path + (f"?{came.query}" if came.query else "")


__all__ = ["Pages"]
