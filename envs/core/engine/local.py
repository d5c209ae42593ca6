"""Jobs on this machine: in this process, or in several beside it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..leaving import leave_with
from .work import Done, Work, WorkersLost

SHARED_MEMORY, LEAST_SHARED = "/dev/shm", 2_000_000_000  # bytes that must be free there, as joblib has it


class Local:
    """Has jobs done by `count` processes, by this one if that is 1.

    Jobs whose worker was ended by the system are done again, once. Raises WorkersLost if it happens twice.
    """

    def __init__(self, count: int = 1) -> None:
        self.count = count

    def map(
        self, work: Work, jobs: Sequence[Any], idle: Callable[[], None] = lambda: None
    ) -> Generator[Done, None, None]:
        """Yield results as they finish, in their order if this process does them."""
        if min(self.count, len(jobs)) <= 1:
            for index, job in enumerate(jobs):
                yield Done(index, work.do(job), "")
                idle()
            return
        # To import joblib takes half a second, which nobody needs to wait who plays a few games.
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        left = set(range(len(jobs)))
        for again in (False, True):
            try:
                for done in self._beside(work, jobs, sorted(left)):
                    left.discard(done.index)
                    yield done
                    idle()
                return
            except TerminatedWorkerError:
                if again:
                    raise WorkersLost(
                        f"worker processes were ended by the system twice, often because memory is short; {len(left)} "
                        "jobs are not done"
                    ) from None

    def _beside(self, work: Work, jobs: Sequence[Any], indexes: Sequence[int]) -> Generator[Done, None, None]:
        from joblib import Parallel, delayed

        # One job at a time to each worker: jobs are large enough, and none waits behind others.
        options: dict[str, Any] = {"backend": "loky", "batch_size": 1, "return_as": "generator_unordered"}
        # loky's own would wait for minutes after this process was killed, and go on for ever in rules that never return
        main = threading.current_thread() is threading.main_thread()
        options |= {"initializer": leave_with, "initargs": (os.getpid(), main), "temp_folder": _shared_memory()}
        workers = Parallel(n_jobs=min(self.count, len(indexes)), **options)
        with without_interrupts():
            _clean_up_quietly()
            finished: Any = workers(delayed(_do)(work, index, jobs[index]) for index in indexes)
        try:
            for index, answer in finished:
                yield Done(index, answer, "")
        finally:
            with warnings.catch_warnings():  # joblib ends the workers if this is left early, and warns that it was
                warnings.filterwarnings("ignore", category=UserWarning, module="joblib")
                finished.close()

    def close(self) -> None:
        """Nothing: the workers end by themselves when they have nothing to do."""


def _shared_memory() -> str | None:
    """The folder in memory where joblib shares large arrays; None: it looks for one on the disk.

    It is the one that joblib would choose. Unless it is named, joblib makes a folder there for every run, large arrays
    or not, and after an end in the middle (Ctrl-C, a lost worker) may try twice to delete it, and complain.
    """
    if "JOBLIB_TEMP_FOLDER" in os.environ or not os.access(SHARED_MEMORY, os.W_OK | os.X_OK):
        return None
    found = os.statvfs(SHARED_MEMORY)
    return SHARED_MEMORY if found.f_bsize * found.f_bavail > LEAST_SHARED else None


def _clean_up_quietly() -> None:
    """Start the process that removes what joblib's workers share, so that it says nothing if this one is killed.

    It would list on this terminal what it has removed, as leaks, after the shell's prompt is back.
    """
    from joblib.externals.loky.backend import resource_tracker

    before = list(sys.warnoptions)
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")  # a process that is started takes them over
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions[:] = before


def _do(work: Work, index: int, job: Any) -> tuple[int, Any]:
    """Do a job in a worker."""
    return index, work.do(job)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C and a closed window while processes start: they inherit that, and leave both to their parent."""
    main = threading.current_thread() is threading.main_thread()
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if main and hasattr(signal, name)]
    before = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


__all__ = ["Local", "without_interrupts"]
