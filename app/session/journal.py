"""Every decision of a game on the disk as soon as it is taken: an appended file that a killed process leaves whole.

The first line tells the game as a replay file does (and its people, language and whether it is rated); each further one
is a die (`{"die": faces, "fell": outcome}`), a decision (`{"seat": name, "action": code}`, simultaneous ones in the
order in which they were taken) or `{"back": n}`: all but the first n of these were taken back (where those are all, the
game only counts for no rating from there on). A last line that was not written to its end does not count. Journals lie
in the user's data folder; a finished game is a replay file there.
"""

from __future__ import annotations

import itertools
import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any, Self

from ...envs.core.errors import ProbespielError, ReplayError
from ...envs.core.game import Game
from ...envs.core.recipes import recipe_of
from ...envs.core.replay import FIELDS, MAX_BYTES, MAX_NAME, Choice, Die, Replay, parse_object
from .folders import data_folder

try:
    import fcntl
except ImportError:  # Windows: two programs that go on with one game are not kept apart there
    fcntl = None

FORMAT, VERSION = "probespiel-journal", 1
SUFFIX = ".journal"
_HEAD = {name: FIELDS[name] for name in ("game", "scenario", "options", "modules", "ruleset", "seed", "agents")}


class JournalError(ProbespielError):
    """A journal that cannot be had; its text says what to do."""


class InUse(JournalError):
    """A journal that another program is writing."""


def games_folder() -> Path:
    """Where games are kept that nobody has named a place for; not made yet, perhaps."""
    return data_folder() / "games"


@dataclass(frozen=True)
class Head:
    """What a journal says of its game: what rebuilds it, who plays, and how."""

    recipe: Mapping[str, Any]
    seed: int
    agents: Mapping[str, str]  # seat to who plays it
    lang: str
    rated: bool

    @classmethod
    def of(cls, game: Game, seed: int, agents: Mapping[str, str], lang: str, rated: bool) -> Self:
        """The head of the journal of a new game."""
        return cls(recipe_of(game), seed, dict(agents), lang, rated)

    def line(self) -> str:
        """The first line of the file; raises JournalError if the options cannot be written as JSON."""
        try:
            return _line(
                {
                    "format": FORMAT,
                    "version": VERSION,
                    **self.recipe,
                    "seed": self.seed,
                    "agents": dict(self.agents),
                    "lang": self.lang,
                    "rated": self.rated,
                }
            )
        except (TypeError, ValueError) as error:
            raise JournalError(f"game {self.recipe['game']}: it cannot be written as JSON: {error}") from error


@dataclass(frozen=True)
class Kept:
    """A journal as it was found: its head, its entries that were not taken back, as JSON objects, and its age."""

    path: Path
    head: Head
    entries: tuple[Mapping[str, Any], ...]
    changed: float  # seconds since the epoch
    whole: int  # bytes up to the end of the last whole line
    taken_back: bool = False  # whether something was, or it counts for no rating for another reason

    @property
    def decisions(self) -> int:
        """How many decisions it holds."""
        return sum("action" in entry for entry in self.entries)


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


class Journal:
    """An open journal, held by this program alone; made by `create` or `reopen`."""

    def __init__(self, path: Path, file: FileIO, game: Game) -> None:
        self.path = path
        self._file = file
        self._codes = game.actions.codes
        self._seats = [seat.name for seat in game.seats]

    @classmethod
    def create(cls, folder: Path, head: Head, game: Game, entries: Iterable[Die | Choice] = ()) -> Self:
        """A new journal in a folder (made if need be), named after game and time; raises OSError, JournalError."""
        text = head.line()
        folder.mkdir(parents=True, exist_ok=True)
        stem = f"{game.name}-{time.strftime('%Y%m%d-%H%M%S')}"
        for number in itertools.count(1):
            path = folder / f"{stem}{'' if number == 1 else f'-{number}'}{SUFFIX}"
            if path.with_suffix(".json").exists():
                continue
            try:
                file = FileIO(path, "xb")
            except FileExistsError:
                continue
            journal = cls(path, held(file, path), game)
            journal._write(text)
            journal.add(*entries)
            _settle(folder)
            return journal
        raise AssertionError

    @classmethod
    def reopen(cls, kept: Kept, game: Game) -> Self:
        """Go on with a journal; a torn last line is cut off. Raises InUse if another program is at it, OSError."""
        file = held(FileIO(kept.path, "r+b"), kept.path)
        file.truncate(kept.whole)
        file.seek(0, os.SEEK_END)
        return cls(kept.path, file, game)

    def add(self, *entries: Die | Choice) -> None:
        """Append decisions and dice; they are on the disk when this returns. Raises OSError."""
        self._write("".join(self._entry(entry) for entry in entries))

    def take_back(self, keep: int) -> None:
        """Only the first `keep` entries count from now on."""
        self._write(_line({"back": keep}))

    def finish(self, replay: Replay) -> Path:
        """Keep the finished game as a replay file beside the journal, and the journal no more; raises OSError."""
        path = self.path.with_suffix(".json")
        replay.save(path)
        self.close()
        self.path.unlink(missing_ok=True)
        return path

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _entry(self, entry: Die | Choice) -> str:
        if isinstance(entry, Die):
            return _line({"die": entry.faces, "fell": entry.fell})
        return _line({"seat": self._seats[entry.seat], "action": self._codes[entry.action]})

    def _write(self, text: str) -> None:
        data = text.encode()
        if not data:
            return
        end = self._file.tell()
        try:
            while data:
                data = data[self._file.write(data) or 0 :]
            os.fsync(self._file.fileno())
        except OSError:  # half a line must not stand before the next one
            self._file.truncate(end)
            self._file.seek(end)
            raise


def held(file: FileIO, path: Path) -> FileIO:
    """The open file, locked against other programs where the system can do that; raises InUse."""
    if fcntl is not None:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise InUse(f"{path}: this game is being played in another window; close that first") from None
        except OSError:  # a file system without locks
            return file
    return file


def _settle(folder: Path) -> None:
    """Bring the name of a new file to the disk, too, where that is possible."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def is_journal(path: Path) -> bool:
    """Whether a file says that it is a journal; OSError if it cannot be read."""
    with path.open("rb") as file:
        return f'"{FORMAT}"'.encode() in file.read(200)


def read_journal(path: Path) -> Kept:
    """What a journal holds; ReplayError says what is wrong with it. Nothing is built or run."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
            changed = os.fstat(file.fileno()).st_mtime
    except OSError as error:
        raise ReplayError(f"{path}: it cannot be read: {error.strerror or error}") from error
    if len(data) > MAX_BYTES:
        raise ReplayError(f"{path}: larger than {MAX_BYTES} bytes")
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    if not lines:
        raise ReplayError(f"{path}: no journal: it has not one whole line")
    try:
        head = _head(parse_object(lines[0]))
        entries: list[Mapping[str, Any]] = []
        taken_back = False
        for number, line in enumerate(lines[1:], 2):
            entry = parse_object(line)
            if entry.keys() == {"back"}:
                keep = entry["back"]
                if not isinstance(keep, int) or isinstance(keep, bool) or not 0 <= keep <= len(entries):
                    raise ReplayError(f"line {number}: back {keep!r}: 0..{len(entries)} entries can be kept")
                del entries[keep:]
                taken_back = True
            else:
                entries.append(entry)
    except ReplayError as error:
        raise ReplayError(f"{path}: {error}") from error.__cause__
    return Kept(path, head, tuple(entries), changed, whole, taken_back)


def _head(content: Mapping[str, Any]) -> Head:
    if content.get("format") != FORMAT:
        raise ReplayError(f"no journal ({FORMAT!r})")
    if content.get("version") != VERSION:
        raise ReplayError(f"version {content.get('version')!r}: this version of probespiel reads {VERSION}")
    for name, kind in {**_HEAD, "lang": str, "rated": bool}.items():
        value = content.get(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise ReplayError(f"{name}: {str(value)[:80]!r} is no {kind.__name__}")
        if isinstance(value, str) and len(value) > MAX_NAME:
            raise ReplayError(f"{name}: longer than {MAX_NAME} characters")
    agents = content["agents"]
    if not all(isinstance(text, str) for text in agents.values()):
        raise ReplayError("agents: the values are texts")
    recipe = {name: content[name] for name in ("game", "scenario", "options", "modules", "ruleset")}
    return Head(recipe, content["seed"], agents, content["lang"], content["rated"])


def journals(folder: Path | None = None) -> list[Kept]:
    """The games under way in a folder (default: `games_folder()`), the last one first; what cannot be read is left out.

    Raises nothing for a folder that is not there.
    """
    found: list[Kept] = []
    for path in sorted((folder or games_folder()).glob(f"*{SUFFIX}")):
        try:
            found.append(read_journal(path))
        except ReplayError:  # somebody else's file, or one that was never begun: it stays where it is
            continue
    return sorted(found, key=lambda kept: (kept.changed, kept.path.name), reverse=True)


__all__ = [
    "SUFFIX",
    "Head",
    "InUse",
    "Journal",
    "JournalError",
    "Kept",
    "games_folder",
    "held",
    "is_journal",
    "journals",
    "read_journal",
]
