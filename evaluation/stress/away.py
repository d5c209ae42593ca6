"""Jobs of the stress lab on a cluster.

On a worker a job is done as on one machine: in a process of its own, which the worker watches (`workers.py`), with a
folder that is the worker's own. Files that jobs leave there come back with the answer; networks of earlier jobs travel
with those that name them.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...envs.core.build import ruleset_hash
from ...envs.core.disk import replacing
from ...envs.core.engine import Engine, Work
from ...envs.core.engine.remote import scratch
from ...envs.core.errors import RulesetError
from ...envs.core.jit import digest
from ...envs.core.setups import moved_modules
from .conditions import Bench, Settings
from .lab import NETS
from .workers import Failed, Job, Workers

TIMED = ("build", "pace")  # jobs whose answers tell how long something took


@dataclass(frozen=True)
class Order:
    """A job as it travels: facts, and the files of the test that it reads, by their names in its folder."""

    job: Job
    facts: Any
    files: Mapping[str, bytes]


@dataclass(frozen=True)
class Answered:
    """An answer, or why there is none, and the files that the job has left, by their names in the folder."""

    answer: Any
    files: Mapping[str, bytes]


_CREWS: dict[str, tuple[Workers, Path]] = {}  # what a worker of the cluster keeps between jobs


@dataclass(frozen=True)
class LabWork(Work):
    """The jobs of a stress test; `shown` are paths of this worker, and what stands there everywhere."""

    settings: Mapping[str, Any]
    ruleset: str
    shown: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> tuple[str, ...]:
        """Rule modules that are given as files."""
        names = [self.settings["module"], *self.settings["modules"]]
        return tuple(dict.fromkeys(name for name in names if name.endswith(".py")))

    def moved(self, files: Mapping[str, str]) -> LabWork:
        """The same test where the files lie elsewhere."""
        settings = dict(self.settings)
        settings["module"] = files.get(settings["module"], settings["module"])
        settings["modules"] = moved_modules(settings["modules"], files)
        return replace(self, settings=settings, shown={new: self.shown.get(old, old) for old, new in files.items()})

    def probe(self) -> str:
        """The rules: raises RulesetError if they are others here."""
        bench = Bench(Settings(**self.settings))
        found = ruleset_hash(bench.spec(bench.everybody()).sources)
        if found != self.ruleset:
            raise RulesetError(f"the rules of {self.settings['game']} are {found} here, not {self.ruleset}")
        return found

    def same(self, answer: tuple[str, Answered]) -> Any:
        """Answers and files, but not how long something took, nor the words about a process that ended."""
        kind, answered = answer
        if kind in TIMED:
            return None
        if isinstance(answered.answer, Failed):
            return answered.answer.kind
        return [answered.answer, {name: data for name, data in answered.files.items() if name.startswith(NETS)}]

    def _crew(self) -> tuple[Workers, Path]:
        name = digest([repr(sorted(self.settings.items())), self.ruleset])
        if name not in _CREWS:
            self.dismiss()
            folder = scratch() / f"stress-{name}"
            (folder / NETS).mkdir(parents=True, exist_ok=True)
            _CREWS[name] = (Workers(1, {"settings": dict(self.settings), "folder": str(folder)}), folder)
        return _CREWS[name]

    def dismiss(self) -> None:
        """The processes of earlier tests end."""
        for workers, _ in _CREWS.values():
            workers.close()
        _CREWS.clear()

    def do(self, job: Order) -> tuple[str, Answered]:
        """Do a job; its kind with what came of it."""
        workers, folder = self._crew()
        for name, data in job.files.items():
            _write(folder / name, data)
        before = _held(folder)
        live = None if job.job.live is None else folder / job.job.live
        workers.facts = job.facts
        ((_, answer),) = workers.run([replace(job.job, live=live)])
        shown = {str(folder): "", **self.shown}
        left = {
            name: _as_kept(name, (folder / name).read_bytes(), shown)
            for name, seen in _held(folder).items()
            if before.get(name) != seen
        }
        return job.job.kind, Answered(_as_shown(answer, shown), left)


def _held(folder: Path) -> dict[str, tuple[int, int]]:
    """Time and size of all files below a folder."""
    stats = {str(path.relative_to(folder)): path.stat() for path in folder.rglob("*") if path.is_file()}
    return {name: (stat.st_mtime_ns, stat.st_size) for name, stat in stats.items()}


def _write(path: Path, data: bytes) -> None:
    if not path.is_file() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path, sync=False) as file:
            file.write(data)


def _as_kept(name: str, data: bytes, shown: Mapping[str, str]) -> bytes:
    """A file in which paths of this worker stand as everywhere: replays name the files of rule modules."""
    if not name.endswith(".json"):
        return data
    for there, here in shown.items():
        old, new = (json.dumps(path, ensure_ascii=False)[1:-1].encode() for path in (there, here))
        data = data.replace(old, new)
    return data


def _as_shown(value: Any, shown: Mapping[str, str]) -> Any:
    """A plain answer in which paths of this worker are shown as they are everywhere."""
    if isinstance(value, str):
        for there, here in shown.items():
            value = value.replace(there, here)
        return value
    if isinstance(value, Failed):
        return replace(value, text=_as_shown(value.text, shown))
    if isinstance(value, Mapping):
        return {key: _as_shown(one, shown) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_as_shown(one, shown) for one in value)
    return value


class Away:
    """Takes the place of `Workers`: the same jobs, done by an engine; files come to `folder`."""

    def __init__(self, engine: Engine, settings: Settings, ruleset: str, folder: Path) -> None:
        given = settings.as_dict()
        shown = {name: str(Path(name).expanduser().resolve()) for name in LabWork(given, ruleset).files}
        self.engine, self.work, self.folder = engine, LabWork(given, ruleset, shown), folder
        self.count = engine.count
        self.facts: Any = None

    def __enter__(self) -> Away:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, jobs: Sequence[Job], idle: Callable[[], None] = lambda: None) -> Iterator[tuple[int, Any]]:
        """Yield (index of the job, answer or `Failed`) as they come in, as `Workers.run` does."""
        orders = [self._order(job) for job in jobs]
        for done in self.engine.map(self.work, orders, idle):
            answered: Answered = done.answer[1]
            for name, data in answered.files.items():
                _write(self.folder / name, data)
            yield done.index, answered.answer

    def _order(self, job: Job) -> Order:
        text = pickle.dumps(job.args)
        nets = [path for path in (self.folder / NETS).glob("*") if path.name.encode() in text]
        files = {str(path.relative_to(self.folder)): path.read_bytes() for path in nets}
        live = None if job.live is None else job.live.relative_to(self.folder)
        return Order(replace(job, live=live), self.facts, files)

    def close(self) -> None:
        """The engine stays its owner's; processes of this machine that did jobs for comparison end."""
        self.work.dismiss()


def workers_of(settings: Settings, ruleset: str, folder: Path, jobs: int, engine: Engine | None) -> Workers | Away:
    """Who does the jobs of a test: so many processes of this machine, or an engine, which its owner closes."""
    if engine is None:
        return Workers(jobs, {"settings": settings.as_dict(), "folder": str(folder)})
    return Away(engine, settings, ruleset, folder)


__all__ = ["Away", "LabWork", "workers_of"]
