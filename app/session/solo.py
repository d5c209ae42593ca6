"""A run: a chain of games with choices between them, kept so that it goes on where it stopped, and its score.

A system says how its run goes (`SoloRun`, in its room `app/<system>/solo.py`) as a plain function that asks a `Host`
for choices and games. Every answer is a line in a file before it counts. Who goes on with a run begins the function
anew: the host gives the answers of the file, until there are no more.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any, Self

from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game, GameSpec, Position
from ...envs.core.replay import MAX_BYTES, parse_object
from ...envs.core.rooms import has, load, system_names
from .folders import data_folder
from .journal import held

FORMAT, VERSION = "probespiel-run", 1
RUNS, SUFFIX, ENDED = "runs", ".run", "ended.jsonl"


class RunError(ProbespielError):
    """A run that cannot begin or go on; the text says why."""


@dataclass(frozen=True)
class Score:
    """What a run has come to: its points, more are better, and the same in words."""

    points: float
    words: str


class Host:
    """What a run asks for. A face of it shows things and asks a person; answers of a run that goes on are known.

    `settings` are those of the run, `lang` its language, `seed` decides dice (derive others from it), `think` is how
    many seconds the opponents of a game that begins may take.
    """

    think: float = 2.0

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.lang, self.seed, self.settings = notes.lang, notes.seed, notes.settings

    def text(self, english: str, german: str) -> str:
        """The text of the run's language."""
        return german if self.lang == "de" else english

    def tell(self, text: str) -> None:
        """Tell something, unless it was told before."""
        if not self.notes.known:
            self.show(text)

    def pick(self, question: str, options: Sequence[str]) -> int:
        """Let the person choose one of several options; its place. Raises RunError for a file that answers others."""
        if len(options) == 1:
            return 0
        found = self.notes.take("pick")
        if found is None:
            found = self.ask(question, options)
            self.notes.add("pick", found)
        if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found < len(options):
            raise RunError(f"{self.notes.path}: answer {found!r} to {question!r}: 0..{len(options) - 1} are possible")
        return found

    def game(
        self,
        make: Callable[[], GameSpec],
        cast: Callable[[Game], Mapping[int, str]],
        seed: int,
        outcome: Callable[[Position], dict[str, Any]],
    ) -> dict[str, Any]:
        """Have a game, declared by `make`, played to its end; what `outcome` makes of it, plain values."""
        name, found = self.known_game()
        if found is None:
            position = self.play(make, cast, seed, name, lambda begun: self.notes.add("game", begun))
            found = outcome(position)
            self.notes.add("outcome", found)
        return found

    def known_game(self) -> tuple[str | None, dict[str, Any] | None]:
        """The name of the next game, if it was begun, and its outcome, if it is over; raises RunError."""
        name = None
        while (begun := self.notes.take("game")) is not None:  # the last one: the files of those before it were lost
            name = begun
        found = self.notes.take("outcome")
        if found is not None and not isinstance(found, dict):
            raise RunError(f"{self.notes.path}: outcome {found!r} is no object")
        return name, found

    # --- what a face does ---------------------------------------------------------------------------------------------

    def show(self, text: str) -> None:
        """Show a text."""
        raise NotImplementedError

    def ask(self, question: str, options: Sequence[str]) -> int:
        """Ask the person; the place of the option that was chosen."""
        raise NotImplementedError

    def play(
        self,
        make: Callable[[], GameSpec],
        cast: Callable[[Game], Mapping[int, str]],
        seed: int,
        name: str | None,
        begun: Callable[[str], None],
    ) -> Position:
        """Play a game, or go on with that of a `name`; the last position. `begun` is told the name of a new one."""
        raise NotImplementedError


@dataclass(frozen=True)
class Setting:
    """A setting of a run: what it decides, and its values with what each means, in English and German.

    The first value is the default.
    """

    about: tuple[str, str]
    values: Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class SoloRun:
    """How a system is played alone as a run.

    `about` is a line in English and German; `course` plays it, from the first choice to the score. `guide` tells who
    has not read the rules what it is about: what the aim is, what stays from game to game, how to read the screen; a
    term and a sentence or two each, in English and German.
    """

    about: tuple[str, str]
    course: Callable[[Host], Score]
    settings: Mapping[str, Setting] = field(default_factory=dict)
    guide: tuple[tuple[tuple[str, str], tuple[str, str]], ...] = ()

    def guide_in(self, lang: str) -> list[tuple[str, str]]:
        """The guide in a language: a term and what there is to say of it."""
        de = lang == "de"
        return [(term[de], text[de]) for term, text in self.guide]

    def checked(self, given: Mapping[str, Any]) -> dict[str, str]:
        """All settings; raises RunError naming what is not allowed."""
        for name, value in given.items():
            if name not in self.settings:
                raise RunError(f"setting {name!r} is unknown: {', '.join(self.settings) or 'there are none'}")
            if value not in self.settings[name].values:
                raise RunError(f"{name} = {value!r} is not allowed: {', '.join(self.settings[name].values)}")
        return {name: str(given.get(name, next(iter(one.values)))) for name, one in self.settings.items()}


def run_of(system: str) -> SoloRun:
    """How a system is played as a run; raises RunError if it says nothing of it."""
    having = systems_with_runs()
    if system not in having:
        raise RunError(f"system {system!r} has no run: {', '.join(having)}")
    return load(system, "app", "solo", "RUN", SoloRun)


def systems_with_runs() -> list[str]:
    """The systems that can be played as a run."""
    return [name for name in system_names() if has(name, "app", "solo")]


class Notes:
    """The file of a run: a head, then a line an answer; held by this program alone. Made by `begin` or `go_on`."""

    def __init__(self, path: Path, head: Mapping[str, Any], known: list[dict[str, Any]], file: FileIO) -> None:
        self.path, self.known = path, known
        self.system, self.seed, self.lang = str(head["system"]), int(head["seed"]), str(head["lang"])
        self.own_seed = head.get("own_seed") is True  # a person has named it, see `Table`
        self.settings = {str(name): str(value) for name, value in head["settings"].items()}
        self.answers = len(known)  # that are in the file
        self._last = next(iter(known[-1])) if known else ""
        self._file = file

    @classmethod
    def begin(
        cls,
        system: str,
        settings: Mapping[str, str],
        seed: int,
        lang: str,
        folder: Path | None = None,
        own_seed: bool = False,
    ) -> Self:
        """A new run, in a folder (None: that of the user's runs); raises OSError. `own_seed`: see `Table`."""
        folder = folder or runs_folder()
        folder.mkdir(parents=True, exist_ok=True)
        head = {"format": FORMAT, "version": VERSION, "system": system, "seed": seed, "lang": lang}
        head |= {"settings": dict(settings)} | ({"own_seed": True} if own_seed else {})
        stem, number = f"{system}-{time.strftime('%Y%m%d-%H%M%S')}", 1
        while True:
            path = folder / f"{stem}{'' if number == 1 else f'-{number}'}{SUFFIX}"
            try:
                file = FileIO(path, "xb")
                break
            except FileExistsError:
                number += 1
        notes = cls(path, head, [], held(file, path))
        notes._write(head)
        return notes

    @classmethod
    def go_on(cls, path: Path) -> Self:
        """A run that was left; a torn last line does not count. Raises RunError, InUse, OSError."""
        head, entries, whole = _read(path)
        file = held(FileIO(path, "r+b"), path)
        file.truncate(whole)
        file.seek(0, os.SEEK_END)
        return cls(path, head, entries, file)

    def take(self, kind: str) -> Any:
        """The next known answer, if it is of that kind; None if there is none. Raises RunError for another kind."""
        if not self.known:
            return None
        if kind not in self.known[0]:
            if kind == "game":  # nothing was begun
                return None
            if kind == "outcome":
                raise RunError(f"{self.path}: {self.known[0]} stands where the outcome of a game must stand")
            raise RunError(f"{self.path}: {self.known[0]} is no answer to the question; the run is of another version")
        return self.known.pop(0)[kind]

    def add(self, kind: str, value: Any) -> None:
        """Keep an answer; it is on the disk when this returns. Raises OSError."""
        self._write({kind: value})
        self.answers, self._last = self.answers + 1, kind

    @property
    def can_take_back(self) -> bool:
        """Whether the last answer was a choice, and not a game that was played."""
        return self._last == "pick"

    def take_back(self) -> None:
        """Forget the last answer, a choice; the run is begun anew then. Raises RunError, OSError."""
        if not self.can_take_back:
            raise RunError(f"{self.path}: only a choice can be taken back, and the last answer is none")
        data = self.path.read_bytes()
        self._file.truncate(data.rstrip(b"\n").rfind(b"\n") + 1)
        os.fsync(self._file.fileno())
        self.close()

    def end(self, score: Score) -> None:
        """Note the score among those of all runs, and keep the file no more; raises OSError."""
        ended = Ended(round(time.time(), 1), self.system, score.points, score.words, self.settings)
        line = json.dumps(asdict(ended), ensure_ascii=False) + "\n"
        with (self.path.parent / ENDED).open("ab") as file:
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())
        self.close()
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _write(self, value: Mapping[str, Any]) -> None:
        data = (json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n").encode()
        while data:
            data = data[self._file.write(data) or 0 :]
        os.fsync(self._file.fileno())


@dataclass(frozen=True)
class Ended:
    """A run that is over: when (seconds since the epoch), of which system, its score and settings."""

    when: float
    system: str
    points: float
    words: str
    settings: Mapping[str, str]


def runs_folder() -> Path:
    """Where runs are kept; not made yet, perhaps."""
    return data_folder() / RUNS


def left(system: str) -> list[Path]:
    """The files of the runs of a system that can go on, the newest first."""
    found = []
    for path in runs_folder().glob(f"*{SUFFIX}"):
        try:
            if _read(path)[0]["system"] == system:
                found.append(path)
        except (ProbespielError, OSError):  # somebody else's file
            continue
    return sorted(found, key=lambda path: (path.stat().st_mtime, path.name), reverse=True)


def ended(folder: Path | None = None) -> list[Ended]:
    """All runs that are over, the first one first; lines that are damaged are left out."""
    path = (folder or runs_folder()) / ENDED
    if not path.exists():
        return []
    found = []
    for line in path.read_bytes()[:MAX_BYTES].splitlines():
        try:
            one = Ended(**json.loads(line))
            found.append(Ended(float(one.when), str(one.system), float(one.points), str(one.words), dict(one.settings)))
        except (ValueError, TypeError):
            continue
    return found


def _read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]], int]:
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    if len(data) > MAX_BYTES or not lines:
        raise RunError(f"{path}: no run: it has not one whole line, or more than {MAX_BYTES} bytes")
    head, *entries = (dict(parse_object(line)) for line in lines)
    if head.get("format") != FORMAT or head.get("version") != VERSION:
        raise RunError(f"{path}: no run of this version of probespiel")
    kinds = {"system": str, "seed": int, "lang": str, "settings": dict}
    for name, kind in kinds.items():
        if not isinstance(head.get(name), kind):
            raise RunError(f"{path}: {name}: {str(head.get(name))[:80]!r} is no {kind.__name__}")
    return head, entries, whole


__all__ = [
    "RUNS", "Ended", "Host", "Notes", "RunError", "Score", "Setting", "SoloRun", "ended", "left", "run_of",
    "runs_folder", "systems_with_runs",
]  # fmt: skip
