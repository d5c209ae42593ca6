"""Jobs on a cluster: the workers of a Dask scheduler, on this machine or on many.

Before a worker gets jobs it is examined: it must have the same versions and the same code, find the same rules, and
give the known result of a short probe; who does not is refused by name. Workers may come, go and die: Dask gives the
jobs of a lost one to others. One of every hundred jobs, chosen by a seed, is done twice on different workers; if the
results differ it is done here, too, which tells who is wrong, and the run ends (`Deviation`).

Only so many jobs as keep all workers busy are with the scheduler at a time. They name no workers as long as all are
admitted; a job that comes to one that is not fails there and is given out again.
"""

from __future__ import annotations

import logging
import pickle
import queue
import random
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import remote
from .local import without_interrupts
from .remote import Call, Exam, NotAdmitted, Parcel, Reply
from .work import Deviation, Done, EngineError, Work, digest_of

EVERY = 100  # jobs of which one is done twice
AHEAD = (
    3  # jobs with the scheduler for each worker: with more than two Dask itself keeps those that wait, and evens out
)
SECOND_CHOICES = 8  # workers among whom Dask chooses for the second time
MOST_FAILURES = 50  # of a job; one for which Dask gives up after several dead workers counts half of that
_CONNECT_SECONDS = 10.0
_LOOK_SECONDS = 1.0  # between two looks at who is there
_WAIT_SECONDS = 0.25
# Dask's profiler looks at each worker a hundred times a second, its other watches nearly as often: a tenth of the time.
_QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "60s",
    "distributed.admin.tick.interval": "500ms",
}
_INSTALL = "Dask is not installed: pip install 'probespiel[cluster]'"


@dataclass
class _Task:
    """A job that is to be done: for the first time, or again after `first`."""

    index: int
    first: Reply | None = None
    failures: int = 0
    where: frozenset[str] = frozenset()  # workers who may do it; empty: all


@dataclass
class _Run:
    """Some work as the workers know it: who has it, who is asked, who was refused."""

    work: Work
    name: str
    parcel: bytes
    admitted: dict[str, str] = field(default_factory=dict)  # hosts by address
    asked: dict[str, Any] = field(default_factory=dict)  # futures by address
    refused: dict[str, str] = field(default_factory=dict)  # reasons by address


class Cluster:
    """Has jobs done by the workers of a scheduler, or by `workers` processes on this machine without an address.

    `tell` hears of workers that are refused and of waiting. Raises EngineError if Dask is missing, or if nobody answers
    at the address.
    """

    def __init__(
        self, address: str | None = None, workers: int = 2, tell: Callable[[str], None] = lambda line: None,
        seed: int = 0,
    ) -> None:  # fmt: skip
        try:
            import dask
            import distributed
        except ImportError:
            raise EngineError(_INSTALL) from None
        self._tell, self._choice = tell, random.Random(seed)
        self._own: Any = None
        self._runs: dict[str, _Run] = {}
        self._given = self._twice = 0
        logging.getLogger("distributed").setLevel(logging.ERROR)  # it says of every worker that it came and went
        if address is None:
            with without_interrupts(), dask.config.set(_QUIET):
                self._own = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
        target = self._own if address is None else address
        try:
            self._client: Any = distributed.Client(target, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise EngineError(
                f"no scheduler answers at {address!r} ({why}): start one with `dask scheduler` and give its address, "
                "like tcp://192.168.0.10:8786, or leave --scheduler out for workers on this machine"
            ) from None
        self.address = str(self._client.scheduler.address)
        self._alive: frozenset[str] = frozenset()
        self._looked = -_LOOK_SECONDS
        self._look()
        self.count = max(1, len(self._alive), workers if address is None else 1)

    # --- who is there -------------------------------------------------------------------------------------------------

    def _look(self) -> bool:
        """See who is there, not too often: whether it was time; raises EngineError if the scheduler is gone."""
        if time.monotonic() - self._looked < _LOOK_SECONDS:
            return False
        try:
            self._alive = frozenset(self._client.nthreads())
        except (OSError, TimeoutError, ValueError) as error:
            raise self._gone(error) from None
        self._looked = time.monotonic()
        return True

    def _gone(self, error: object) -> EngineError:
        return EngineError(
            f"the scheduler at {self.address} is gone ({error}); start it again, and go on with --resume"
        )

    def _run_of(self, work: Work) -> _Run:
        """The work as a parcel; its probe is done here first."""
        with nullcontext() if work.together else remote.ALONE:
            probe = remote.probe_of(work)
        files = {}
        for path in work.files:
            try:
                files[path] = Path(path).expanduser().read_bytes()
            except OSError as error:
                raise EngineError(f"{path} cannot be sent to the workers: {error.strerror}") from None
        parcel = Parcel(pickle.dumps(work, protocol=5), files, probe)
        if parcel.name not in self._runs:
            self._runs[parcel.name] = _Run(work, parcel.name, pickle.dumps(parcel, protocol=5))
        return self._runs[parcel.name]

    def _admit(self, run: _Run, landed: queue.SimpleQueue[Any]) -> None:
        """Examine who is new, and take note of who has gone."""
        run.admitted = {address: host for address, host in run.admitted.items() if address in self._alive}
        for address in [address for address in run.asked if address not in self._alive]:
            self._client.cancel([run.asked.pop(address)])
        for address in self._alive - run.admitted.keys() - run.asked.keys() - run.refused.keys():
            call = Call(remote.examine, remote.identity(), run.name, run.parcel)
            future = self._client.submit(
                pickle.loads, call.as_bytes(), workers=[address], pure=False, key=_key("examination"), priority=10
            )
            run.asked[address] = future
            future.add_done_callback(landed.put)
        for address, future in list(run.asked.items()):
            if future.done():
                del run.asked[address]
                self._examined(run, address, future)
        if run.refused and not run.admitted and not run.asked and not self._alive - run.refused.keys():
            raise EngineError(
                f"all workers at {self.address} are refused. "
                + "; ".join(f"{address}: {why}" for address, why in sorted(run.refused.items())[:3])
            )

    def _examined(self, run: _Run, address: str, future: Any) -> None:
        if future.status == "finished":
            exam: Exam = future.result()
            if not exam.fault:
                run.admitted[address] = exam.host
                return
            fault = f"({exam.host}) {exam.fault}"
        elif future.status == "error":
            error = future.exception()
            fault = f"it has no probespiel like this one: {type(error).__name__}: {error}"
            if type(error).__name__ in ("KilledWorker", "FutureCancelledError"):
                return  # it died; if it comes back it is examined again
        else:
            return
        run.refused[address] = fault
        self._tell(f"worker {address} is refused: {fault}")

    # --- jobs ---------------------------------------------------------------------------------------------------------

    def map(
        self, work: Work, jobs: Sequence[Any], idle: Callable[[], None] = lambda: None
    ) -> Generator[Done, None, None]:
        """Yield results as they finish; see `Engine.map`.

        Raises EngineError if all workers are refused, the scheduler is gone, or no worker brings a job to an end;
        Deviation if a job that was done twice has two results.
        """
        if not jobs:
            return
        run = self._run_of(work)
        twice = self._chosen(len(jobs)) if work.checked else set()
        todo = deque(_Task(index) for index in range(len(jobs)))
        flying: dict[Any, _Task] = {}
        landed: queue.SimpleQueue[Any] = queue.SimpleQueue()
        told = ticked = time.monotonic()
        stale = True
        try:
            while todo or flying:
                if self._look() or stale:
                    self._admit(run, landed)
                    self._call_back(flying, todo)
                while todo and len(flying) < AHEAD * len(run.admitted):
                    self._launch(run, todo.popleft(), jobs, flying, landed)
                try:
                    future = landed.get(timeout=_WAIT_SECONDS)
                except queue.Empty:
                    future = None
                now = time.monotonic()
                if now - ticked >= _LOOK_SECONDS:
                    ticked = now
                    idle()
                if run.admitted or run.asked:
                    told = max(told, now)
                elif now - told > _LOOK_SECONDS:
                    told = now + 60.0
                    self._tell(f"waiting for workers: start some with `dask worker {self.address} --nthreads 1`")
                task = flying.pop(future, None)
                stale = task is None and future is not None  # an examination
                if task is None:
                    continue
                reply = self._reply(run, future, task, todo)
                if reply is None:
                    continue
                if reply.error is not None:
                    raise reply.error
                if task.first is None and task.index in twice and (others := run.admitted.keys() - {reply.worker}):
                    chosen = self._choice.sample(sorted(others), min(SECOND_CHOICES, len(others)))
                    todo.appendleft(_Task(task.index, reply, where=frozenset(chosen)))
                    continue
                if task.first is not None and task.first.digest != reply.digest:
                    raise self._deviation(run, jobs[task.index], task, reply)
                first = reply if task.first is None else task.first
                yield Done(task.index, first.answer, first.worker)
        finally:
            if flying:
                self._client.cancel(list(flying), force=True)

    def _chosen(self, count: int) -> set[int]:
        """Which of the next jobs are done twice: one of every hundred, counted over all that this engine was given."""
        chosen = set()
        for index in range(count):
            if self._given % EVERY == 0:
                self._twice = self._choice.randrange(EVERY)
            if self._given % EVERY == self._twice:
                chosen.add(index)
            self._given += 1
        return chosen

    def _launch(
        self, run: _Run, task: _Task, jobs: Sequence[Any], flying: dict[Any, _Task], landed: queue.SimpleQueue[Any]
    ) -> None:
        if task.first is not None and not task.where & run.admitted.keys():  # whom it was meant for has gone
            task.where = frozenset(run.admitted.keys() - {task.first.worker})
        where = task.where
        if not where and (run.refused or run.asked or task.first is not None):
            where = frozenset(run.admitted)
        task.where = where
        call = Call(remote.perform, run.name, pickle.dumps(jobs[task.index], protocol=5))
        future = self._client.submit(
            pickle.loads, call.as_bytes(), workers=sorted(where) or None, pure=False, key=_key("job")
        )
        flying[future] = task
        future.add_done_callback(landed.put)

    def _call_back(self, flying: dict[Any, _Task], todo: deque[_Task]) -> None:
        """Take jobs back that only workers could do who have gone."""
        for future, task in list(flying.items()):
            if task.where and not task.where & self._alive and not future.done():
                del flying[future]
                self._client.cancel([future])
                task.where = frozenset()
                todo.appendleft(task)

    def _reply(self, run: _Run, future: Any, task: _Task, todo: deque[_Task]) -> Reply | None:
        """What came of a job; None if nothing did, and it is given out again."""
        if future.status == "finished":
            return pickle.loads(future.result())
        task.where = frozenset()
        todo.appendleft(task)
        if future.status != "error":  # lost with the connection
            if self._client.status not in ("running", "connecting"):
                raise self._gone(self._client.status)
            return None
        error = future.exception()
        if isinstance(error, NotAdmitted):
            run.admitted.pop(str(error), None)
        killed = type(error).__name__ == "KilledWorker"
        task.failures += MOST_FAILURES // 2 if killed else 1
        if task.failures >= MOST_FAILURES:
            raise EngineError(
                f"no worker brings a block to an end{', often because memory is short' if killed else ''}: "
                f"{type(error).__name__}: {error}. What is finished is kept; go on with --resume"
            )
        self._looked = -_LOOK_SECONDS  # perhaps from somebody who has just come, and was not examined yet
        return None

    def _deviation(self, run: _Run, job: Any, task: _Task, second: Reply) -> Deviation:
        """Who is wrong: the block is played here, too."""
        first = task.first
        assert first is not None
        with nullcontext() if run.work.together else remote.ALONE:
            here = digest_of(run.work.same(run.work.do(job)))
        wrong = [reply.worker for reply in (first, second) if reply.digest != here]
        named = " and ".join(f"{worker} ({run.admitted.get(worker, 'gone')})" for worker in wrong)
        right = "both differ from this machine" if len(wrong) == 2 else "the other agrees with this machine"
        return Deviation(
            f"a block that was played twice has two results: {named} played it otherwise ({right}). Nothing of that is "
            "kept; leave the machine out, and go on with --resume",
            wrong,
        )

    def close(self) -> None:
        """Let workers forget the work, and end those that are ours."""
        if self._own is None and self._client.status == "running":
            calls = [(address, run.name) for run in self._runs.values() for address in run.admitted]
            futures = [
                self._client.submit(pickle.loads, Call(remote.dismiss, name).as_bytes(), workers=[address], pure=False)
                for address, name in calls
            ]
            deadline = time.monotonic() + 2.0  # workers that are busy keep it until they end
            while not all(future.done() for future in futures) and time.monotonic() < deadline:
                time.sleep(0.02)
        self._client.close(timeout=2.0)
        if self._own is not None:
            self._own.close(timeout=5.0)


_counter = iter(range(1 << 62))


def _key(what: str) -> str:
    """A name for a task; those with the same beginning are of one kind to the scheduler."""
    return f"{what}-{next(_counter)}-{time.time_ns():x}"


__all__ = ["EVERY", "Cluster"]
