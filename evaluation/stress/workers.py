"""Processes in which the stress lab works: rules under test may crash or never return, and only their process is lost.

A job is the name of a function of `jobs.py` and plain arguments. The parent waits for answers with a time limit for
every job; a worker that overruns it, or dies, is replaced by a fresh one and the job is reported as failed.
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from ...envs.core.build import Kernel
from ...envs.core.errors import ProbespielError
from ...envs.core.nursery import Child, leave_with_nursery, nursery

WATCH_SECONDS = 1.0
GRACE_SECONDS = 5.0
HOST = f"{__package__}.jobs"  # a worker begins there: jobs are steps of the lab, which know of workers


@dataclass(frozen=True)
class Job:
    """Something to do: a function of `jobs.py` and its arguments.

    It may take `seconds`; if `live` names a file of int64, so long may pass in which the file's first numbers stay as
    they are, counted from when the third is no longer 0 (see `probe_kernel.probe`).
    """

    kind: str
    args: dict[str, Any]
    seconds: float = 7200.0
    live: Path | None = None


@dataclass(frozen=True)
class Failed:
    """A job without an answer: what kind of failure, and what happened in words.

    `refused`: the settings make no game; `raised`: the rules raised an error; `failed`: the lab did; `died`, `hung`:
    the process ended, or gave no answer in time.
    """

    kind: str
    text: str


@dataclass
class _Worker:
    process: Child
    pipe: Connection
    job: Job | None = None
    index: int = -1
    deadline: float = 0.0
    seen: bytes = b""  # of the job's live file


@dataclass
class Workers:
    """Some worker processes with the same settings; use it as a context manager.

    `first` is what every worker gets before its first job (any picklable value, see `prepare` of `jobs.py`); `facts`
    goes with every job.
    """

    count: int
    first: Any
    facts: Any = None
    _idle: list[_Worker] = field(default_factory=list)
    _busy: list[_Worker] = field(default_factory=list)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> _Worker:
        ours, theirs = Pipe()
        with theirs:
            process = nursery(HOST).start(f"{HOST}:host", files=[theirs.fileno()])
        ours.send_bytes(pickle.dumps(self.first, protocol=5))
        return _Worker(process, ours)

    def run(self, jobs: Sequence[Job], idle: Callable[[], None] = lambda: None) -> Iterator[tuple[int, Any]]:
        """Yield (index of the job, answer or `Failed`) as they come in; `idle` is called about once a second."""
        todo = deque(enumerate(jobs))
        try:
            while todo or self._busy:
                while todo and len(self._busy) < self.count:
                    self._give(*todo.popleft())
                ready = wait([w.pipe for w in self._busy], timeout=WATCH_SECONDS)
                idle()
                now = time.monotonic()
                for worker in list(self._busy):
                    if worker.pipe in ready or (worker.deadline < now and not _goes_on(worker)):
                        yield worker.index, self._receive(worker, worker.pipe in ready)
        finally:
            for worker in self._busy:
                _end(worker)
            self._busy.clear()

    def _give(self, index: int, job: Job) -> None:
        worker = self._idle.pop() if self._idle else self._start()
        worker.job, worker.index, worker.seen = job, index, b""
        if job.live is not None:
            job.live.unlink(missing_ok=True)
        worker.deadline = time.monotonic() + job.seconds
        try:
            worker.pipe.send_bytes(pickle.dumps((job.kind, job.args, self.facts), protocol=5))
        except OSError:
            pass  # it has died; that shows when its answer is awaited
        self._busy.append(worker)

    def _receive(self, worker: _Worker, ready: bool) -> Any:
        self._busy.remove(worker)
        assert worker.job is not None
        if not ready:
            _end(worker)
            return Failed("hung", f"{worker.job.kind}: no answer for {worker.job.seconds:g} s")
        try:
            kind, answer = pickle.loads(worker.pipe.recv_bytes())
        except (EOFError, OSError, pickle.UnpicklingError):
            text = _last_words(worker.process)
            _end(worker)
            return Failed("died", f"{worker.job.kind}: its process {text}")
        self._idle.append(worker)
        return Failed(kind, answer) if kind else answer

    def close(self) -> None:
        """End all workers."""
        for worker in [*self._idle, *self._busy]:
            _end(worker)
        self._idle.clear()
        self._busy.clear()


def _goes_on(worker: _Worker) -> bool:
    """Whether the live file of a worker's job tells that something has happened since it was last asked."""
    job = worker.job
    if job is None or job.live is None:
        return False
    try:
        with job.live.open("rb") as file:
            now = file.read(24)
    except OSError:
        now = b""
    if len(now) < 24 or now[16:] == bytes(8):  # it has not begun: its process starts, or compiles
        now = b""
    elif now == worker.seen:
        return False
    worker.seen = now
    worker.deadline = time.monotonic() + job.seconds
    return True


def _last_words(process: Child) -> str:
    try:
        code = process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        return "broke the connection"
    if code >= 0:
        return f"ended with exit code {code}"
    known = {s.value: s.name for s in signal.Signals}
    return f"was ended by {known.get(-code, f'signal {-code}')}"


def _end(worker: _Worker) -> None:
    worker.process.kill()
    worker.process.wait()
    worker.pipe.close()


def origin_of(error: Exception, lab: Any) -> str:
    """The kind of failure (see `Failed`) that an error of a job means; `lab` is None before there is one.

    Errors of rules come out of their kernel, or lead through the file of a rule module.
    """
    files = (
        set() if lab is None else {str(m.__file__) for m in lab.bench.spec(lab.bench.everybody()).sources.extensions}
    )
    known: BaseException | None = error
    while known is not None:
        for frame, _ in traceback.walk_tb(known.__traceback__):
            if frame.f_code is Kernel.raise_pending.__code__ or frame.f_code.co_filename in files:
                return "raised"
        known = known.__cause__
    return "refused" if isinstance(error, ProbespielError) else "failed"


def pending_in(lab: Any) -> Exception | None:
    """The first error of rules that waits to be raised, or None: whatever failed after it may have failed by it.

    Rules that have failed answer nothing of sense, by which the loops that play them may divide or index. None waits
    any longer: it would be told of the next job, which plays other games.
    """
    first: Exception | None = None
    for game in () if lab is None else lab.bench.made:
        waits = True
        while waits:
            try:
                game.kernel.raise_pending()
                waits = False
            except Exception as error:
                first = first or error
    return first


def text_of(error: Exception) -> str:
    """An error in words; one that was not made for readers with the place where it was raised."""
    if isinstance(error, ProbespielError):
        return str(error)
    where = "".join(traceback.format_tb(error.__traceback__)[-2:])
    return f"{type(error).__name__}: {error}\n{where}"


def serve(descriptor: int, prepare: Callable[[Any], Any], jobs: Mapping[str, Callable[..., Any]]) -> None:
    """A worker's whole life: settings for `prepare`, then job after job, until the pipe closes."""
    leave_with_nursery()
    pipe = Connection(descriptor)
    first = pickle.loads(pipe.recv_bytes())
    lab: Any = None
    while True:
        try:
            kind, args, facts = pickle.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            return
        try:
            if lab is None:
                lab = prepare(first)
            lab.facts = facts
            answer: tuple[str, Any] = ("", jobs[kind](lab, **args))
        except Exception as error:  # rules under test may raise anything; the parent decides what that means
            error = pending_in(lab) or error
            answer = (origin_of(error, lab), text_of(error))
        try:
            pipe.send_bytes(pickle.dumps(answer, protocol=5))
        except OSError:
            return


__all__ = ["HOST", "Failed", "Job", "Workers", "pending_in", "serve"]
