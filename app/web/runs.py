"""Runs in the browser: whose they are, where they stand, and the games that they are made of.

A run is a file (see `session/solo.py`); a note beside the games' says which browser holds it and, in the end, its
score. Every request reads the file anew, so that nothing is lost whenever the server ends.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from ...envs.core.game import Game, Position
from ...envs.core.replay import load as load_replay
from ..session.journal import SUFFIX
from ..session.solo import RUNS, Notes, Score, run_of, systems_with_runs
from ..session.standing import Due, Pick, Standing, standing
from .guard import Refused
from .hall import Hall, write_note
from .room import OVER, PLAYING, PREPARING, Order, Room, Stale

MAX_OPEN = 16  # runs of a browser that are not over
_ID, _OWNER = re.compile(r"[0-9a-f]{16}"), re.compile(r"[0-9a-f]{64}")
_FILE = re.compile(r"[\w.-]+")


@dataclass
class Run:
    """A run of a browser: its file, and the score once it is over (then the words of both languages are kept)."""

    id: str
    owner: str
    system: str
    file: str
    made: float = field(default_factory=time.time)
    points: float | None = None
    words: dict[str, str] = field(default_factory=dict)


class Runs:
    """All runs of one server, by the side of its games."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.notes = hall.notes / "runs"
        self.folder = hall.base / RUNS
        self._locks: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()
        self._runs = {run.id: run for path in sorted(self.notes.glob("*.json")) if (run := _read(path)) is not None}

    def of(self, owner: str) -> list[Run]:
        """The runs of a browser, the newest first."""
        found = [run for run in list(self._runs.values()) if run.owner == owner]
        return sorted(found, key=lambda run: run.made, reverse=True)

    def run(self, id: str, owner: str) -> Run:
        """A run of a browser; raises Refused for one that is not there or not its own."""
        found = self._runs.get(id)
        if found is None or found.owner != owner:
            raise Refused(404, "not_found")
        return found

    def begin(self, system: str, settings: Mapping[str, str], owner: str, lang: str) -> Run:
        """A new run; raises Refused, RunError for a setting that is not allowed, OSError."""
        if sum(run.points is None for run in self.of(owner)) >= MAX_OPEN:
            raise Refused(409, "too_many")
        notes = Notes.begin(system, run_of(system).checked(settings), secrets.randbits(63), lang, self.folder)
        notes.close()
        run = Run(secrets.token_hex(8), owner, system, notes.path.name)
        self._note(run)
        self._runs[run.id] = run
        return run

    def forget(self, run: Run) -> None:
        """A browser leaves a run and its games; their files stay."""
        with self._lock(run):
            self._runs.pop(run.id, None)
            (self.notes / f"{run.id}.json").unlink(missing_ok=True)
            for room in self.hall.rooms_of(run.owner):
                if room.run == run.id:
                    self.hall.forget(room, run.owner)

    def standing(self, run: Run, lang: str) -> Standing:
        """How a run stands; a game that has ended since counts now. Raises ProbespielError, OSError."""
        with self._lock(run):
            return self._standing(run, lang)

    def answer(self, run: Run, at: int, place: int, lang: str) -> None:
        """Answer the choice that is due, `at` being how many answers there are; raises Stale, Refused, OSError."""
        with self._lock(run):
            found = self._standing(run, lang)
            if found.answers != at or not isinstance(found.next, Pick):
                raise Stale
            if not 0 <= place < len(found.next.options):
                raise Refused(400, "bad_form")
            self._add(run, "pick", place)

    def take_back(self, run: Run, at: int, lang: str) -> None:
        """Take the last choice back; raises Stale, RunError, OSError."""
        with self._lock(run):
            if self._standing(run, lang).answers != at:
                raise Stale
            notes = Notes.go_on(self.folder / run.file)
            try:
                notes.take_back()
            finally:
                notes.close()

    def play(self, run: Run, lang: str) -> Room:
        """The game that is due or under way; raises Stale if there is none, Refused."""
        with self._lock(run):
            found = self._standing(run, lang)
            if not isinstance(found.next, Due):
                raise Stale
            due, open_ = found.next, self._room(run)
            if open_ is not None and (open_.file is None or open_.file.stem == due.name):
                return open_  # it is being prepared, or under way
            game = Game(due.make(), compiled=False)  # interpreted: nothing is played yet
            order = Order(
                game=game.name,
                scenario=game.spec.scenario,
                options=game.spec.options,
                modules={},
                cast=dict(due.cast(game)),
                seats=tuple(seat.name for seat in game.seats),
                seed=due.seed,
                lang=lang,
                run=run.id,
                spec=game.spec,
                begun=self._begun(run),
            )
            kept = None if due.name is None else self.hall.games / f"{due.name}{SUFFIX}"
            return self.hall.begin(order, run.owner, kept if kept is not None and kept.is_file() else None)

    def _begun(self, run: Run) -> Callable[[str], None]:
        def begun(name: str) -> None:
            with self._lock(run):
                self._add(run, "game", name)

        return begun

    def _room(self, run: Run) -> Room | None:
        """The game of a run that is not over."""
        rooms = (room for room in self.hall.rooms_of(run.owner) if room.run == run.id)
        return next((room for room in rooms if room.state in (PREPARING, PLAYING)), None)

    def _standing(self, run: Run, lang: str) -> Standing:
        while True:
            if run.points is not None:
                words = run.words.get(lang, "")
                return Standing((), (), Score(run.points, words), 0)
            path, course = self.folder / run.file, run_of(run.system)
            found = standing(path, course, lang)
            if isinstance(found.next, Due) and found.next.name is not None:
                position = self._ended(found.next.name)
                if position is not None:
                    self._add(run, "outcome", found.next.outcome(position))
                    continue
            if isinstance(found.next, Score):
                both = {at: standing(path, course, at).next for at in ("en", "de")}
                run.words = {at: one.words for at, one in both.items() if isinstance(one, Score)}
                run.points = found.next.points
                self._note(run)  # first: the file of the run goes
                Notes.go_on(path).end(found.next)
            return found

    def _ended(self, name: str) -> Position | None:
        """The last position of a game, if it is over."""
        for room in self.hall.rooms_named(name):
            if room.table is not None:
                return room.table.position if room.state == OVER else None
        path = self.hall.games / f"{name}.json"
        if not path.is_file():
            return None
        return deque(load_replay(path, trust=True).positions(), maxlen=1)[0][1].clone()

    def _add(self, run: Run, kind: str, value: object) -> None:
        notes = Notes.go_on(self.folder / run.file)
        try:
            notes.add(kind, value)
        finally:
            notes.close()

    def _lock(self, run: Run) -> threading.Lock:
        with self._guard:
            return self._locks.setdefault(run.id, threading.Lock())

    def _note(self, run: Run) -> None:
        self.notes.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_note(self.notes / f"{run.id}.json", asdict(run))


def _read(path: Path) -> Run | None:
    """The run of a note; None for a note that is damaged or of no use."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        run = Run(**content)
        sound = _ID.fullmatch(run.id) and run.id == path.stem and _OWNER.fullmatch(run.owner)
        sound = sound and _FILE.fullmatch(run.file) and isinstance(run.words, dict)
        return replace(run, made=float(run.made)) if sound and run.system in systems_with_runs() else None
    except (OSError, ValueError, TypeError):
        return None


__all__ = ["Run", "Runs"]
