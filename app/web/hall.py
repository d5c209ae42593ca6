"""All games of a server: who holds them, where they are kept, and the workers that let agents decide.

Beside each journal (see `session/journal.py`) a note says which browsers hold its seats; after a restart a game is
taken up again when somebody looks at it. Quick agents decide in threads; one that takes longer is asked in a process of
its own from then on, so that its search takes no page's time.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import threading
import time
from collections import OrderedDict
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ...agents.faults import told
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game
from ...envs.core.leaving import leave_with
from ...envs.core.registry import game_from, system_of
from ..lines import one_line
from ..session.advice import Adviser
from ..session.afterwards import Insight, tells_after
from ..session.course import Course, open_course
from ..session.folders import data_folder
from ..session.journal import InUse, games_folder
from ..session.review import Review, review_text
from ..session.table import Gone, Table, answer
from .guard import Refused
from .room import BROKEN, NOBODY, OVER, PLAYING, PREPARING, Hint, Order, Room, Stale

HINT_SECONDS = 1.0
ANALYSIS_SECONDS = 10.0
QUICK = 0.05  # seconds that an agent may take in a thread
MAX_OF_ONE, MAX_ALIVE = 64, 256  # games of a browser; games in memory
MAX_COURSES = 8  # finished games that are kept in memory to be looked at
_AGAIN = 2  # seconds after which a game is tried again that was in use
IDLE = 3600.0  # seconds after which a game that nobody looks at leaves the memory
_ID = re.compile(r"[0-9a-f]{16}")
_OWNER = re.compile(r"[0-9a-f]{64}")


class Hall:
    """The games of one server, in `folder` (default: the user's data folder)."""

    def __init__(self, folder: Path | None = None, workers: int = 0) -> None:
        self.base = data_folder() if folder is None else folder
        self.games = games_folder() if folder is None else self.base / "games"
        self.notes = self.base / "browser"
        self.notes.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.key = self._key(self.notes / "key")
        self._rooms: dict[str, Room] = {}
        self._lock = threading.RLock()
        count = workers or max(1, os.cpu_count() or 1)
        self._threads = ThreadPoolExecutor(count + 2, thread_name_prefix="table")
        self._workers = count
        self._pool: ProcessPoolExecutor | None = None
        self._built: dict[str, Game] = {}
        self.watched: dict[str, Course] = {}  # recordings that this server shows, by the secret of their addresses
        self._courses: OrderedDict[str, Course] = OrderedDict()  # finished games that were looked at lately
        self._analyses: OrderedDict[str, Future[Review]] = OrderedDict()  # of recordings, by the name of their course
        self._analyst: ProcessPoolExecutor | None = None  # one alone, so that no agent waits for analyses
        self._closed = False
        for path in sorted(self.notes.glob("*.json")):
            room = _read_note(path)
            if room is not None:
                self._rooms[room.id] = room

    @staticmethod
    def _key(path: Path) -> bytes:
        """The secret behind the tokens of forms, kept so that open pages outlive a restart."""
        try:
            found = path.read_bytes()
            if len(found) == 32:
                return found
        except FileNotFoundError:
            pass
        key = secrets.token_bytes(32)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(key)
        return key

    # --- finding games ------------------------------------------------------------------------------------------------

    def rooms_of(self, owner: str) -> list[Room]:
        """The games in which a browser holds a seat, the newest first."""
        with self._lock:
            found = [room for room in self._rooms.values() if owner in room.owners.values()]
        return sorted(found, key=lambda room: room.made, reverse=True)

    def room(self, id: str, owner: str) -> Room:
        """A game of a browser; raises Refused for one that is not there or not its own."""
        room = self._rooms.get(id)
        if room is None or owner not in room.owners.values():
            raise Refused(404, "not_found")
        room.used = time.monotonic()
        # what was in use may be free by now; the page that says so is shown before it is tried again
        again = room.state == BROKEN and room.in_use and room.preparing_for() >= _AGAIN
        if room.table is None and (room.state == PLAYING or again):
            self._wake(room)
        return room

    def rooms_named(self, name: str) -> list[Room]:
        """The games whose file has this name, without its ending."""
        with self._lock:
            return [room for room in self._rooms.values() if room.file is not None and room.file.stem == name]

    def invited(self, secret: str) -> Room:
        """The game of an invitation; raises Refused."""
        with self._lock:
            for room in self._rooms.values():
                if secret in room.invites:
                    return room
        raise Refused(404, "not_found")

    # --- beginning and ending -----------------------------------------------------------------------------------------

    def begin(self, order: Order, owner: str | None, kept: Path | None = None) -> Room:
        """A new game for a browser, or (None) for whoever comes with the invitation; raises Refused.

        With the journal of a game that is `kept`, that one goes on.
        """
        if owner is not None and len(self.rooms_of(owner)) >= MAX_OF_ONE:
            raise Refused(409, "too_many")
        holder = owner or NOBODY
        people = [seat for seat, name in order.cast.items() if name == "human"]
        room = Room(
            id=secrets.token_hex(8),
            game=order.game,
            scenario=order.scenario,
            seats=order.seats,
            cast=dict(order.cast),
            owners=dict.fromkeys(people, holder),
            lang=order.lang,
            run=order.run,
            file=kept,
        )
        with self._lock:
            self._make_space()
            self._rooms[room.id] = room
        if kept is not None:
            self.note(room)
            self._threads.submit(self._resume, room)
        else:
            self._threads.submit(self._prepare, room, order)
        return room

    def forget(self, room: Room, owner: str) -> None:
        """A browser leaves a game; one that nobody holds any more is let go (its file stays)."""
        with self._lock:
            room.owners = {seat: who for seat, who in room.owners.items() if who != owner}
            if not room.owners:
                self._rooms.pop(room.id, None)
                (self.notes / f"{room.id}.json").unlink(missing_ok=True)
                room.close()
                return
        self.note(room)

    def close(self, wait: bool = False) -> None:
        """Let go of everything; decisions are on the disk. Workers end their last one, threads do so if we `wait`."""
        self._closed = True
        self._threads.shutdown(wait=wait, cancel_futures=True)
        for pool in (self._pool, self._analyst):
            if pool is not None:
                pool.shutdown(wait=True, cancel_futures=True)
        for room in list(self._rooms.values()):
            room.close()

    def _make_space(self) -> None:
        """Let games sleep that nobody has looked at for long; raises Refused if all are in use."""
        alive = [room for room in self._rooms.values() if room.table is not None or room.state == PREPARING]
        if len(alive) < MAX_ALIVE:
            return
        idle = sorted((room for room in alive if room.table is not None and not room.busy), key=lambda room: room.used)
        for room in idle[: max(1, len(alive) // 8)]:
            if room.state == OVER or time.monotonic() - room.used > IDLE:
                room.close()
        if sum(room.table is not None for room in self._rooms.values()) >= MAX_ALIVE:
            raise Refused(503, "too_many")

    def _prepare(self, room: Room, order: Order) -> None:
        try:
            game = self._game(order)
            how = {"lang": order.lang, "rated": order.rated, "own_seed": order.own_seed, "keep": self.games}
            table = Table(game, order.cast, order.seed, **how, entries=order.entries)
            table.prepare()
            if order.begun is not None and table.path is not None:
                order.begun(table.path.stem)
            room.file = table.path
            self.note(room)  # before anybody can decide anything
            self._open(room, table)
        except Exception as error:  # rules and agents of others may fail in any way: the page says so
            room.fail(_why(error))

    def _open(self, room: Room, table: Table) -> None:
        if self._closed or room.id not in self._rooms:  # the server ends, or the browser has left
            table.close()
            return
        room.start(table)
        self.work(room)

    def _game(self, order: Order) -> Game:
        """The compiled game of an order; equal orders share one."""
        system = system_of(order.game)
        if order.spec is not None:  # that of no other game
            return Game(order.spec)
        if order.recorded:
            spec = system.restore(order.game, order.scenario, {**order.options, "modules": order.modules})
        else:
            spec = system.spec(order.game, order.scenario, order.options, order.modules)
        key = repr((order.game, order.scenario, sorted(spec.options.items(), key=lambda item: item[0])))
        with self._lock:
            found = self._built.get(key)
        if found is None:
            found = game_from(spec)
            with self._lock:
                self._built[key] = found
        return found

    def _wake(self, room: Room) -> None:
        """Take up a game again that lies on the disk."""
        with room.lock:
            if room.table is not None or room.state not in (PLAYING, BROKEN) or room.file is None:
                return
            room.state, room.in_use, room.begun = PREPARING, False, time.monotonic()
            room.changed()
        self._threads.submit(self._resume, room)

    def _resume(self, room: Room) -> None:
        assert room.file is not None
        replay = room.file.with_suffix(".json")
        try:
            if not room.file.exists() and replay.exists():  # it ended just before the server did
                room.file, room.state = replay, OVER
                room.changed()
                self.note(room)
                return
            table = Table.resume(room.file, trust=True, cast=room.cast)  # it was written here
            table.prepare()
            self._open(room, table)
        except InUse:  # played at a terminal, or by another server
            room.fail("", in_use=True)
        except Exception as error:  # a damaged file, rules that have changed
            room.fail(_why(error))

    # --- recordings ---------------------------------------------------------------------------------------------------

    def watch(self, course: Course) -> str:
        """Show a recording to whoever has its address; the secret of that."""
        secret = secrets.token_urlsafe(18)
        self.watched[secret] = course
        return secret

    def course(self, room: Room) -> Course:
        """A finished game as it can be looked at; raises Refused before its end and for a file that is gone."""
        if room.state != OVER or room.file is None or not room.file.exists():
            raise Refused(409, "not_over")
        with self._lock:
            found = self._courses.get(room.id)
        if found is None:
            table = room.table
            # it was written here, so that the modules that it names are trusted
            found = Course(table.replay()) if table is not None else open_course(room.file, trust=True)
            with self._lock:
                self._courses[room.id] = found
                while len(self._courses) > MAX_COURSES:
                    self._courses.popitem(last=False)
        return found

    def insights(self, room: Room, owner: str, lang: str) -> tuple[Insight, ...]:
        """What is told after a game whose table was put away to the browser that holds a seat; nothing without a file.

        Read from the recording, once for each reader.
        """
        seats = room.seats_of(owner)
        if not seats or not tells_after(system_of(room.game).name):
            return ()
        shown = room.shown.get(owner)
        seat = shown if shown in seats else seats[0]
        if (seat, lang) not in room.insights:
            try:
                course = self.course(room)
                room.insights[seat, lang] = course.insights(len(course), seat, lang, player=True)
            except (Refused, ProbespielError, OSError):  # the result stands in the note; the replay says what is wrong
                return ()
        return room.insights[seat, lang]

    def analysis(self, name: str) -> Future[Review] | None:
        """The analysis of a recording, if somebody has asked for it."""
        return self._analyses.get(name)

    def analyse(self, name: str, course: Course) -> None:
        """Let a recording be analysed; its pages show it when that is done."""
        with self._lock:
            found = self._analyses.get(name)
            if found is not None and not (found.done() and found.exception() is not None):
                return
            waiting = sum(not other.done() for other in self._analyses.values())
            if self._closed or waiting >= MAX_COURSES:
                raise Refused(503, "too_many")
            if self._analyst is None:
                self._analyst = _begun(1)
            try:
                self._analyses[name] = self._analyst.submit(review_text, course.replay.to_json(), ANALYSIS_SECONDS)
            except BrokenProcessPool:  # somebody ended the process; the next request begins another one
                self._analyst = None
                raise Refused(503, "too_many") from None
            while len(self._analyses) > 4 * MAX_COURSES:
                self._analyses.popitem(last=False)

    # --- agents -------------------------------------------------------------------------------------------------------

    def work(self, room: Room) -> None:
        """Let the agents of a game decide, one decision after the other, until people owe theirs."""
        with room.lock:
            table = room.table
            if room.busy or table is None or room.state != PLAYING or not table.thinking() or self._closed:
                return
            room.busy = True
        try:
            self._threads.submit(self._step, room)
        except RuntimeError:  # the server is closing; the game goes on when it is taken up again
            room.busy = False

    def _step(self, room: Room) -> None:
        try:
            self._decide(room)
        except Stale:  # taken back meanwhile, or asleep
            pass
        except Exception as error:  # a full disk, say: the game stays as it is kept
            room.fail(_why(error))
        finally:
            room.busy = False
            self.work(room)

    def _decide(self, room: Room) -> None:
        """Let one agent decide."""
        with room.lock:
            table = room.table
            thinking = table.thinking() if table is not None and room.state == PLAYING else []
            if table is None or not thinking:
                return
            seat, version = thinking[0], table.version
            question = table.question(seat) if room.slow else None
        try:
            if question is None:
                began = time.perf_counter()
                action = table.decide(seat)
                room.slow = time.perf_counter() - began > QUICK
            else:
                action = self._ask(question).result()
        except BrokenProcessPool:  # somebody ended the worker: the next answer comes from a thread
            self._pool, room.slow = None, False
            return
        except Gone as gone:
            with room.lock:
                if table.version == version:  # else it was asked about what is no more
                    room.fail(f"{room.cast[gone.seat]} ({room.seats[gone.seat]}): {gone}")
            return
        room.answer(version, seat, action)
        if room.state == OVER:
            self.note(room)

    def _ask(self, question: Any) -> Future[int]:
        with self._lock:
            if self._pool is None:
                self._pool = _begun(self._workers)
            return self._pool.submit(answer, question)

    def hint(self, room: Room, seat: int, stamp: str, quiet: bool = False) -> None:
        """Look for a hint at a seat's decision; it is shown when it is there. Raises Stale, Refused (a rated game).

        A `quiet` one is for the value bar; it does not hide one that is there.
        """
        with room.lock:
            table = room.table
            if table is None or seat not in table.waiting() or stamp != room.stamp(seat):
                raise Stale
            if table.rated:
                raise Refused(409, "hint_rated")
            if room.hint is not None and room.hint.stamp == stamp and (quiet or not room.hint.reason):
                if room.hint.quiet and not quiet:
                    room.hint = replace(room.hint, quiet=False)
                    room.changed()
                return
            try:
                table.practise()
            except OSError as error:  # a full disk: that it is practice could not be written down
                raise Refused(507, "bad_value", reason=told(error)) from error
            adviser = Adviser(HINT_SECONDS)
            view = table.view(seat, adviser.name_in(table.game))
            room.hint = Hint(seat, stamp, quiet=quiet)
            room.changed()

        def look() -> None:
            try:
                counsel = adviser.best(table.game, view)
                reply = None if quiet else adviser.reply(table.game, view, counsel.best[0].action)
                found = Hint(
                    seat, stamp, counsel.simulations, counsel.best, counsel.untried, reply=reply, mixed=counsel.mixed,
                    blind=counsel.blind, foreseen=counsel.foreseen,
                )  # fmt: skip
            except Exception as error:  # any agent may fail; the game goes on without a hint
                found = Hint(seat, stamp, reason=told(error))
            finally:
                adviser.close()
            with room.lock:
                if room.hint is not None and room.hint.stamp == stamp:
                    room.hint = replace(found, quiet=room.hint.quiet)
                    room.changed()

        self._threads.submit(look)

    # --- keeping ------------------------------------------------------------------------------------------------------

    def note(self, room: Room) -> None:
        """Write down who holds a game, at once or not at all, unless nobody does any more; raises OSError."""
        if room.id not in self._rooms:
            return
        content = {
            "id": room.id,
            "game": room.game,
            "scenario": room.scenario,
            "seats": list(room.seats),
            "cast": {str(seat): name for seat, name in room.cast.items()},
            "owners": {str(seat): who for seat, who in room.owners.items()},
            "lang": room.lang,
            "made": room.made,
            "state": OVER if room.state == OVER else PLAYING,
            "file": None if room.file is None else str(room.file),
            "result": room.result,
            "run": room.run,
        }
        write_note(self.notes / f"{room.id}.json", content)


def _why(error: Exception) -> str:
    """Why a game cannot go on; of what is no error of ours with its kind and place."""
    return one_line(error) if isinstance(error, ProbespielError) else told(error)


def write_note(path: Path, content: dict[str, Any]) -> None:
    """Write a note down, at once or not at all; raises OSError."""
    draft = path.with_suffix(".draft")
    with draft.open("w", encoding="utf-8") as file:
        json.dump(content, file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


def _begun(count: int) -> ProcessPoolExecutor:
    """Workers of this server. They are not forked: a process with threads must not be."""
    return ProcessPoolExecutor(count, get_context("spawn"), initializer=_begin_worker, initargs=(os.getpid(),))


def _begin_worker(server: int) -> None:
    """In a worker: Ctrl-C is the server's business, which lets its workers go; they go themselves if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leave_with(server)


def _read_note(path: Path) -> Room | None:
    """The game of a note, asleep; None for a note that is damaged or of no use."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        room = Room(
            id=content["id"],
            game=content["game"],
            scenario=content["scenario"],
            seats=tuple(content["seats"]),
            cast={int(seat): str(name) for seat, name in content["cast"].items()},
            owners={int(seat): str(who) for seat, who in content["owners"].items()},
            lang=content["lang"],
            made=float(content["made"]),
            state=content["state"],
            file=None if content["file"] is None else Path(content["file"]),
            result=content["result"],
            run=str(content.get("run", "")),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    known = _ID.fullmatch(room.id) and path.stem == room.id and room.state in (PLAYING, OVER)
    owners = all(_OWNER.fullmatch(who) for who in room.owners.values())
    return room if known and owners and room.file is not None else None


__all__ = ["Hall", "write_note"]
