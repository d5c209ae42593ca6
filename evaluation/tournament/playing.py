"""Plays the blocks of a tournament, in this process or in several.

What workers import is kept small, since each starts an interpreter of its own: a tournament that is over sooner than
they would be ready (START_SECONDS) is played here. The results are the same.

An outside bot that was not asked any more in each of the first OPENING blocks forfeits all blocks after them, so that a
bot that always hangs does not hold a tournament up for hours.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from ...agents.entrants import AnyMatch
from ...agents.match import Schedule
from ...envs.core.game import Game
from .files import BlockNotes, drop_leftovers, read_notes, write_notes
from .plan import Plan, TournamentError
from .progress import Reporter
from .results import ResultsError, part_path, read_results, write_part
from .sequential import Watch

OPENING = 4
START_SECONDS = 3.0  # about what it takes until workers play: an interpreter, imports and compiled code for each
_TRIAL_SECONDS = 0.02
_LONG_SECONDS = 10.0  # of a first call, loading included, after which it need not be measured
_WATCH_SECONDS = 1.0


def play_missing(
    plan: Plan,
    match: AnyMatch,
    game: Game,
    todo: list[int],
    jobs: int,
    folder: Path,
    told: Reporter,
    enough: Callable[[], bool] | None = None,
) -> Iterator[int]:
    """Play the blocks of `todo`, and once more what somebody has removed meanwhile; yield the games of each.

    Ends early when the blocks are `enough`, which is asked after each.
    """
    with closing(_play_all(plan, match, game, todo, jobs, folder)) as played:
        for block in played:
            yield plan.games_of(block)
            if enough is not None and enough():
                return
    gone = [block for block in range(plan.blocks) if not part_path(folder, block).is_file()]
    for block in gone:
        told.say(f"{part_path(folder, block)} was removed while the tournament was played; the block is played again")
    for _ in _play_all(plan, match, game, gone, jobs, folder):
        pass


def watched(watch: Watch, plan: Plan, folder: Path) -> Callable[[], bool]:
    """Shows a watch the finished blocks of a folder, each once and in their order; answers whether they are enough."""
    found = False

    def enough() -> bool:
        nonlocal found
        while not found and watch.blocks < plan.blocks and part_path(folder, watch.blocks).is_file():
            try:
                block = read_results(part_path(folder, watch.blocks), len(plan.agents))
            except ResultsError:  # damaged while nobody played; it is played again, and that was told
                return False
            found = watch.add(block)
        return found

    return enough


def drop_after(folder: Path, blocks: int) -> None:
    """Remove the parts that workers have played beyond the blocks that count."""
    drop_leftovers(folder)
    for path in folder.glob("part-*"):
        number = path.name.removeprefix("part-").partition(".")[0]
        if number.isdecimal() and int(number) >= blocks:
            path.unlink(missing_ok=True)


def _play_all(plan: Plan, match: AnyMatch, game: Game, todo: list[int], jobs: int, folder: Path) -> Generator[int]:
    """Play all blocks of `todo`, the opening first, in this process or in several; yield them as they are finished."""
    opening = list(range(min(OPENING, plan.blocks))) if plan.outside else []
    first = [block for block in todo if block in opening]
    rest = [block for block in todo if block not in opening]
    yield from _play_some(plan, match, game, first, (), jobs, folder)
    absent = _given_up(folder, opening)
    yield from _play_some(plan, match, game, rest, absent, jobs, folder)


def _given_up(folder: Path, opening: list[int]) -> tuple[int, ...]:
    """Agents that were not asked any more in each block of the opening."""
    stopped = [set(read_notes(folder, block).stopped) for block in opening]
    return tuple(sorted(set.intersection(*stopped))) if stopped else ()


def _play_some(
    plan: Plan,
    match: AnyMatch,
    game: Game,
    blocks: list[int],
    absent: tuple[int, ...],
    jobs: int,
    folder: Path,
) -> Generator[int]:
    if not blocks:
        return
    if min(jobs, len(blocks)) == 1 or _seconds(plan, match, game, blocks) < START_SECONDS:
        for block in blocks:
            yield _play_block(plan, match, block, absent, folder)
        return
    left = set(blocks)
    for again in (False, True):
        try:
            with closing(_in_workers(plan, sorted(left), absent, jobs, folder)) as played:
                for block in played:
                    left.discard(block)
                    yield block
            return
        except TerminatedWorkerError:
            drop_leftovers(folder)
            if again:
                raise TournamentError(
                    f"{folder}: worker processes were ended by the system twice, often because memory is short: go on "
                    f"with --resume and fewer --jobs. What is finished is kept; {len(left)} blocks are not"
                ) from None


def _in_workers(plan: Plan, blocks: list[int], absent: tuple[int, ...], jobs: int, folder: Path) -> Generator[int]:
    # One block at a time to each worker: blocks are large enough, and none waits behind others.
    options: dict[str, Any] = {"backend": "loky", "batch_size": 1, "return_as": "generator_unordered"}
    workers = Parallel(n_jobs=min(jobs, len(blocks)), **options)
    with _without_interrupts():
        played: Any = workers(delayed(_work)(plan, block, absent, folder) for block in blocks)
    try:
        for block in played:  # noqa: UP028 - `yield from` would close it before the warning is expected
            yield block
    finally:
        with warnings.catch_warnings():  # joblib ends the workers if this is left early, and warns that it was
            warnings.filterwarnings("ignore", category=UserWarning, module="joblib")
            played.close()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C for the moment in which processes start: they inherit that, and leave it to their parent."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _seconds(plan: Plan, match: AnyMatch, game: Game, blocks: list[int]) -> float:
    """About how long some blocks take in this process, by a few games; infinite where bots from outside play.

    With that everything is compiled once, and workers find it in the cache.
    """
    inside = [i for i, entrant in enumerate(plan.entrants) if not entrant.agent.outside]
    turn = np.array(plan.seating[0])
    seating = np.array([np.where(turn == 0, a, b) for a, b in pairwise(inside)])
    if not len(seating):
        return np.inf
    begun = time.perf_counter()
    match.play(Schedule.of(plan.seed, np.zeros(len(seating)), seating))
    if len(inside) < len(plan.entrants) or time.perf_counter() - begun > _LONG_SECONDS:
        return np.inf
    games, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < _TRIAL_SECONDS:  # larger batches take less for each game
        trial = np.repeat(seating, max(1, games // len(seating)), axis=0)
        match.play(Schedule.of(plan.seed, np.arange(len(trial)), trial))
        games += len(trial)
    return spent / games * sum(plan.games_of(block) for block in blocks)


_WORKER: dict[str, tuple[Game, AnyMatch]] = {}  # what a worker keeps between blocks


def _leave_with(parent: int) -> None:
    """End this worker soon after its parent was killed; loky's workers would wait for minutes."""
    while os.getppid() == parent:
        time.sleep(_WATCH_SECONDS)
    os._exit(1)  # bots' processes see their pipes close


def _work(plan: Plan, block: int, absent: tuple[int, ...], folder: Path) -> int:
    """Play a block in a worker, which makes game and agents at its first block."""
    if plan.fingerprint not in _WORKER:
        if not _WORKER:
            threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()
        for _, match in _WORKER.values():
            match.close()
        _WORKER.clear()
        game = plan.game()
        _WORKER[plan.fingerprint] = (game, plan.match(game))
    return _play_block(plan, _WORKER[plan.fingerprint][1], block, absent, folder)


def _play_block(plan: Plan, match: AnyMatch, block: int, absent: tuple[int, ...], folder: Path) -> int:
    """Play a block, write its part, and return its number."""
    schedule, about = plan.block(block)
    with _one_thread():
        outcome = match.play(schedule, absent)
    numbers = about["game"]
    messages = tuple((int(numbers[row]), seat, text) for (row, seat), text in sorted(outcome.messages.items()))
    stopped = tuple(sorted({*outcome.stopped, *absent}))
    write_notes(folder, block, BlockNotes(stopped, messages))
    write_part(folder, block, plan.table(block, schedule, about, outcome), fingerprint=plan.fingerprint)
    return block


@contextmanager
def _one_thread() -> Iterator[None]:
    """Keep torch, where an agent uses it, to one thread: sums then have one order, whatever the number of cores."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
