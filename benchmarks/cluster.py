"""Blocks on a cluster: what it costs to give them out, and how far one scheduler reaches.

`python -m benchmarks --only cluster` measures on this machine: blocks that wait for two seconds on four worker
processes, the processor time beyond that of blocks that calculate for two seconds, and fifty workers that only wait.
`python -m benchmarks.cluster [--overhead SECONDS]` measures nothing: it plays the schedule on paper up to 10,000
workers, with the given processor time that a block costs scheduler and client, who do one thing at a time.
"""

from __future__ import annotations

import argparse
import bisect
import heapq
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from probespiel.envs.core.engine import Local, Work
from probespiel.envs.core.engine.cluster import AHEAD, Cluster

from .measure import Row

OVERHEAD = 0.005  # seconds of client, scheduler and worker a block, as measured with all of them in one process
ROUND_TRIP = 0.010  # seconds from the end of a block until the scheduler knows, and from there to a worker
WORKERS = (2, 10, 50, 100, 500, 1000, 2000, 5000, 10_000)
LENGTHS = (1.0, 2.0, 5.0, 10.0)
BLOCKS = 20  # of each worker on paper


@dataclass(frozen=True)
class Waiting(Work):
    """Blocks that only wait so many seconds, and tell from when to when by the clock of the machine.

    None is done twice: what one of a hundred costs twice is known, and would count as idle here.
    """

    together = True
    checked = False

    def do(self, job: float) -> tuple[float, float]:
        """Wait."""
        begun = time.monotonic()
        time.sleep(job)
        return begun, time.monotonic()


@dataclass(frozen=True)
class Busy(Work):
    """Blocks that take so many seconds of processor time, however loaded the machine is."""

    def do(self, job: float) -> float:
        """Calculate."""
        begun = time.thread_time()
        while time.thread_time() - begun < job:
            pass
        return job


def busy_share(engine: Any, workers: int, seconds: float, each: int) -> tuple[float, float]:
    """The share of the time that waiting workers are busy, and processor seconds of this process a block.

    The time goes from when all have their first block until so many have ended that each could have done `each`. Then
    there still are blocks to give out: how the last ones fall together is another matter. What is not busy is idle time
    between the blocks of a worker. (How many blocks ended by a moment would tell less: when workers do equal blocks in
    step, a delay of milliseconds at that moment counts as a whole block.)
    """
    list(engine.map(Waiting(), [0.0] * workers))  # everybody is examined
    before = time.process_time()
    spans = [done.answer for done in engine.map(Waiting(), [seconds] * (workers * (each + AHEAD)))]
    spent = (time.process_time() - before) / len(spans)
    return share_of(spans, workers, workers * each), spent


def share_of(spans: Sequence[tuple[float, float]], workers: int, ended: int) -> float:
    """The part of the time of all workers in blocks, given as (begin, end), until so many blocks have ended.

    From when the block began that is first to make as many at a time as there are workers. 0 if there is no such one.
    """
    begins, ends = (sorted(times) for times in zip(*spans, strict=True))
    # The k-th to begin makes k minus those that ended before: all workers have one when that is their number.
    full = (at for k, at in enumerate(begins, 1) if k - bisect.bisect_right(ends, at) >= workers)
    first, last = next(full, None), ends[ended - 1]
    if first is None or last <= first:
        return 0.0
    busy = sum(max(0.0, min(end, last) - max(begin, first)) for begin, end in spans)
    return busy / (workers * (last - first))


def processor_seconds() -> float:
    """Processor seconds of this process and of all its descendants, living or ended, each counted once.

    What has ended stands with the parent that waited for it, what lives with itself. Where the system does not tell of
    ended children (macOS), theirs are missing: measure while the workers live.
    """
    import psutil  # comes with Dask, which only this group needs

    me = psutil.Process()
    total = 0.0
    for process in [me, *me.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):  # ended meanwhile, and then counted with its parent
            used = process.cpu_times()
            total += used.user + used.system + used.children_user + used.children_system
    return total


def processor_overhead(engine: Any, workers: int, blocks: int, seconds: float) -> float:
    """Processor time beyond that of the blocks themselves, as a share of it, with workers that have started.

    The engine stays open, so that its workers are alive when they are asked. What starting them costs does not grow
    with the blocks and is left out.
    """
    list(engine.map(Busy(), [0.05] * (2 * workers)))  # everybody has imported the code and is examined
    before = processor_seconds()
    list(engine.map(Busy(), [seconds] * blocks))
    return (processor_seconds() - before) / (blocks * seconds) - 1


def simulated(workers: int, seconds: float, overhead: float, round_trip: float = ROUND_TRIP) -> float:
    """The share of the time that workers are busy on paper.

    Scheduler and client are one desk that takes `overhead` for a block, first come, first served; each worker has
    `AHEAD` blocks at the most, one that it does and others that wait beside it.
    """
    desk = 0.0
    todo = workers * BLOCKS
    free = [0.0] * workers  # when each worker is done with all that it has been given
    asks = [(0.0, worker) for _ in range(AHEAD) for worker in range(workers)]
    heapq.heapify(asks)
    while todo:
        asked, worker = heapq.heappop(asks)
        todo -= 1
        desk = max(desk, asked) + overhead
        free[worker] = max(free[worker], desk + round_trip) + seconds
        heapq.heappush(asks, (free[worker] + round_trip, worker))
    return workers * BLOCKS * seconds / (max(free) * workers)


def rows(t: float) -> list[Row]:
    """Rows of the table: busy shares and overheads; `t` shortens the rounds."""
    import dask
    import distributed

    LocalCluster: Any = distributed.LocalCluster  # whose stubs tell of its asynchronous form

    each = 10 if t >= 1 else 4
    if hasattr(os, "sched_setaffinity"):  # the other benchmarks are pinned to one core
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    with LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50) as made:
        engine = Cluster(made.scheduler_address)
        four, cost = busy_share(engine, 4, 2.0, each)
        engine.close()
    # Fifty workers in one process would profile each other all the time; and each would take the memory of the process
    # for its own, find that above a fiftieth of the machine's, pause, and collect garbage without end.
    quiet = {"distributed.worker.profile.enabled": False, "distributed.admin.system-monitor.interval": "60s"}
    with (
        dask.config.set(quiet),
        LocalCluster(
            n_workers=50, threads_per_worker=1, processes=False, memory_limit=0, dashboard_address="127.0.0.1:0"
        ) as made,
    ):
        engine = Cluster(made.scheduler_address)
        fifty, all_of_it = busy_share(engine, 50, 2.0, each)
        engine.close()
    count = 4 * each
    engine = Cluster(workers=4)
    away = processor_overhead(engine, 4, count, 2.0)
    engine.close()
    here = processor_overhead(Local(4), 4, count, 2.0)
    return [
        Row("4 processes, blocks of 2 s that wait: busy", "share", four),
        Row("client and scheduler: processor time a block (4 workers)", "ms", 1e3 * cost),
        Row("50 waiting workers, blocks of 2 s: busy", "share", fifty),
        Row("client, scheduler and 50 workers: processor time a block", "ms", 1e3 * all_of_it),
        Row(
            "processor time beyond the blocks, 4 started workers",
            "share",
            away,
            "processes of this machine",
            here,
        ),
    ]


GROUPS = {"cluster": rows}


def main() -> None:
    """Print the schedule on paper."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__)
    parser.add_argument("--overhead", type=float, default=OVERHEAD, help="seconds a block at scheduler and client")
    overhead = parser.parse_args().overhead
    print(f"share of the time that workers are busy; {1e3 * overhead:g} ms a block, {BLOCKS} blocks a worker")
    print("| workers | " + " | ".join(f"{seconds:g} s" for seconds in LENGTHS) + " |")
    print("|---:|" + "---:|" * len(LENGTHS))
    for workers in WORKERS:
        shares = [simulated(workers, seconds, overhead) for seconds in LENGTHS]
        print(f"| {workers:,} | " + " | ".join(f"{share:.0%}" for share in shares) + " |", flush=True)


if __name__ == "__main__":
    main()
