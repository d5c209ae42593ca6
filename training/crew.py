"""Threads that do a list of jobs together: compiled work that lets go of Python's lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor


class Crew:
    """This thread and `threads` - 1 others."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def do(self, jobs: Sequence[Callable[[int], object]]) -> None:
        """Have every `job(worker)` done, each once and by whoever is free; raises what the first that failed raised.

        `worker` is 0 for this thread and below `threads`; two jobs of the same worker never run side by side. Waking
        another thread takes about as long as a small job, so that nobody is waited for who has not begun.
        """
        todo = iter(jobs)

        def work(worker: int) -> None:
            for job in todo:
                job(worker)

        others = []
        if self.pool is not None:
            others = [self.pool.submit(work, worker) for worker in range(1, min(self.threads, len(jobs)))]
        try:
            work(0)
        finally:
            for other in others:
                if not other.cancel():
                    other.result()


__all__ = ["Crew"]
