"""A simulated world for tournaments: disk, processes and time from one seed, with faults at every step.

The disk is a real folder, but what `envs.core.disk` asks of the operating system goes through `Disk`, which remembers
what has not been synced: after a power cut such a file is torn at some byte, and such a name is the old one again, as
chance will have it. Workers are simulated, too: blocks end in any order, long after one another, or with their worker.
No process is started and no time passes; the same seed gives the same world.
"""

from __future__ import annotations

import errno
import os
import random
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError

from probespiel.envs.core import disk
from probespiel.envs.core.engine import Done, Local, Work
from probespiel.evaluation.tournament import playing
from probespiel.evaluation.tournament.progress import Silent


class PowerCut(BaseException):
    """The machine is off: nothing that runs in this world does anything any more."""


class Disk:
    """What `envs.core.disk` needs of `os`, `tempfile` and `Path`; `cut` is asked before every step."""

    def __init__(self, rng: random.Random, chance: float, syncs: bool = True) -> None:
        self.rng, self.chance, self.syncs = rng, chance, syncs
        self.off = False
        self.steps = 0
        self._unsynced: set[str] = set()  # files whose bytes have not reached the disk
        self._names: dict[str, tuple[bytes | None, str]] = {}  # new names of files: what had the name, and the folder
        self._files: dict[int, str] = {}
        self._folders: dict[int, str] = {}

    def step(self) -> None:
        """The next step is about to happen, or the machine goes off, or the disk refuses."""
        if self.off:
            raise PowerCut
        self.steps += 1
        if self.rng.random() < self.chance:
            if self.rng.random() < 0.6:
                self.off = True
                raise PowerCut
            number = self.rng.choice((errno.ENOSPC, errno.EIO))
            raise OSError(number, os.strerror(number))

    # of `tempfile` and `os`

    def mkstemp(self, **given: Any) -> tuple[int, str]:
        self.step()
        handle, name = tempfile.mkstemp(**given)
        self._files[handle] = name
        self._unsynced.add(name)
        return handle, name

    @contextmanager
    def fdopen(self, handle: int, mode: str) -> Iterator[IO[bytes]]:
        with os.fdopen(handle, mode) as file:
            yield SimpleNamespace(write=lambda data: (self.step(), file.write(data))[1], flush=file.flush,
                                  fileno=file.fileno, tell=file.tell, close=lambda: None, closed=False)  # type: ignore[misc] # fmt: skip

    def fsync(self, handle: int) -> None:
        self.step()
        if not self.syncs:
            return
        if handle in self._folders:
            folder = self._folders[handle]
            self._names = {name: kept for name, kept in self._names.items() if kept[1] != folder}
        else:
            self._unsynced.discard(self._files.get(handle, ""))

    def replace(self, old: str, new: Path) -> None:
        self.step()
        name = str(new)
        self._names.setdefault(name, (new.read_bytes() if new.exists() else None, str(new.parent)))
        os.replace(old, new)
        if old in self._unsynced:
            self._unsynced.discard(old)
            self._unsynced.add(name)

    def open(self, path: Path, flags: int) -> int:
        if self.off:
            raise PowerCut
        handle = os.open(path, flags)
        self._folders[handle] = str(path)
        return handle

    def close(self, handle: int) -> None:
        self._folders.pop(handle, None)
        os.close(handle)

    def unlink(self, path: Path) -> None:
        """What `replacing` removes after an error; a machine that is off removes nothing."""
        if not self.off:
            path.unlink(missing_ok=True)

    def start_again(self) -> None:
        """The power is back: what had not reached the disk is lost, or half of it, or not."""
        for name, (before, _) in self._names.items():
            path = Path(name)
            if self.rng.random() < 0.5 and path.exists():
                path.unlink() if before is None else path.write_bytes(before)
        for name in sorted(self._unsynced):
            path = Path(name)
            if path.exists() and self.rng.random() < 0.7:
                data = path.read_bytes()
                path.write_bytes(data[: self.rng.randrange(len(data) + 1)])
        self._names.clear()
        self._unsynced.clear()
        self.off = False

    def planted(self, patch: pytest.MonkeyPatch) -> None:
        """Take the place of the operating system below `envs.core.disk`."""
        world = self

        class SimulatedPath(type(Path())):
            def unlink(self, missing_ok: bool = False) -> None:
                world.unlink(Path(self))

        names = ("umask", "chmod", "O_RDONLY")
        simulated = {"fdopen": self.fdopen, "fsync": self.fsync, "replace": self.replace, "open": self.open}
        patch.setattr(disk, "os", SimpleNamespace(**{n: getattr(os, n) for n in names}, **simulated, close=self.close))
        patch.setattr(disk, "tempfile", SimpleNamespace(mkstemp=self.mkstemp))
        patch.setattr(disk, "Path", SimulatedPath)


class Workers:
    """Takes the place of joblib's workers: blocks end in any order, are told late, or are lost with their worker."""

    def __init__(self, rng: random.Random, chance: float) -> None:
        self.rng, self.chance = rng, chance

    def beside(self, engine: Local, work: Work, jobs: Sequence[Any], indexes: Sequence[int]) -> Generator[Done]:
        waiting, told = list(indexes), list[Done]()
        while waiting or told:
            happens = self.rng.random()
            if happens < self.chance:
                raise TerminatedWorkerError("killed")
            if waiting and (not told or happens < 0.7):
                running = min(engine.count, len(waiting))
                index = waiting.pop(self.rng.randrange(running))
                told.append(Done(index, work.do(jobs[index]), ""))
            else:
                yield told.pop(self.rng.randrange(len(told)))

    def planted(self, patch: pytest.MonkeyPatch) -> None:
        """Take the place of real workers, whom no tournament is too short for."""
        workers = self
        patch.setattr(Local, "_beside", lambda engine, *args: workers.beside(engine, *args))
        patch.setattr(playing, "START_SECONDS", 0.0)
        patch.setattr(playing, "_seconds_a_game", lambda *_: 1.0)


class Told(Silent):
    """Counts what is told, and is interrupted, or sees a part removed or torn, when chance will have it."""

    def __init__(self, rng: random.Random, chance: float, folder: Path) -> None:
        self.rng, self.chance, self.folder = rng, chance, folder
        self.spoilt: set[str] = set()

    def advance(self, games: int) -> None:
        if self.rng.random() >= self.chance:
            return
        parts = sorted(self.folder.glob("part-*.parquet"))
        happens = self.rng.choice(("interrupt", "remove", "tear"))
        if happens == "interrupt" or not parts:
            raise KeyboardInterrupt
        path = self.rng.choice(parts)
        self.spoilt.add(path.name)
        if happens == "remove":
            path.unlink()
        else:
            path.write_bytes(path.read_bytes()[: self.rng.randrange(60)])


Run = Callable[[Told, bool, int], Any]
"""Plays a tournament: what is told, whether it is resumed, and with how many workers."""

__all__ = ["Disk", "PowerCut", "Run", "Told", "Workers"]
