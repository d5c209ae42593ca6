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
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from ...agents.entrants import AnyMatch
from ...agents.match import Schedule
from ...envs.core.game import Game
from .files import BlockNotes, drop_leftovers, read_notes, write_block, write_notes
from .plan import Plan, TournamentError
from .progress import Reporter
from .results import part_path

OPENING = 4
START_SECONDS = 3.0  # about what it takes until workers play: an interpreter, imports and compiled code for each
_TRIAL_SECONDS = 0.02
_LONG_SECONDS = 10.0  # of a first call, loading included, after which it need not be measured
_WATCH_SECONDS = 1.0


class Crew:
    """Who plays the blocks of a tournament: this process, or workers."""

    def __init__(self, plan: Plan, match: AnyMatch, game: Game, jobs: int, folder: Path, told: Reporter) -> None:
        self.plan, self.match, self.game, self.jobs, self.folder, self.told = plan, match, game, jobs, folder, told
        self._seconds_a_game: float | None = None

    def play(self, blocks: range, todo: list[int], playing: tuple[int, ...] | None = None) -> Iterator[int]:
        """Play the blocks of `todo`, and once more what somebody has removed of `blocks`; yield the games of each.

        Only the pairings with the indexes `playing` play, all without.
        """
        with closing(self._play_all(todo, playing)) as played:
            for block in played:
                yield self.plan.games_of(block, playing)
        gone = [block for block in blocks if not part_path(self.folder, block).is_file()]
        for block in gone:
            path = part_path(self.folder, block)
            self.told.say(f"{path} was removed while the tournament was played; the block is played again")
        for _ in self._play_all(gone, playing):
            pass

    def _play_all(self, todo: list[int], playing: tuple[int, ...] | None) -> Generator[int]:
        """Play all blocks of `todo`, the opening first, in this process or in several; yield them when finished."""
        opening = list(range(min(OPENING, self.plan.blocks))) if self.plan.outside else []
        yield from self._play_some(_Orders([block for block in todo if block in opening], playing))
        rest = [block for block in todo if block not in opening]
        if rest:
            yield from self._play_some(_Orders(rest, playing, _given_up(self.folder, opening)))

    def _play_some(self, orders: _Orders) -> Generator[int]:
        if not orders.blocks:
            return
        if min(self.jobs, len(orders.blocks)) == 1 or self._seconds(orders.blocks[0]) < START_SECONDS:
            for block in orders.blocks:
                yield _play_block(self.plan, self.match, block, orders, self.folder)
            return
        left = set(orders.blocks)
        for again in (False, True):
            try:
                with closing(_in_workers(self.plan, sorted(left), orders, self.jobs, self.folder)) as played:
                    for block in played:
                        left.discard(block)
                        yield block
                return
            except TerminatedWorkerError:
                drop_leftovers(self.folder)
                if again:
                    raise TournamentError(
                        f"{self.folder}: worker processes were ended by the system twice, often because memory is "
                        "short: go on with --resume and fewer --jobs. What is finished is kept; "
                        f"{len(left)} blocks are not"
                    ) from None

    def _seconds(self, first: int) -> float:
        """About how long the blocks from `first` on take in this process at most."""
        if self._seconds_a_game is None:
            self._seconds_a_game = _seconds_a_game(self.plan, self.match)
        return self._seconds_a_game * sum(self.plan.games_of(block) for block in range(first, self.plan.blocks))


@dataclass(frozen=True)
class _Orders:
    """Blocks to be played, by which pairings (all: None), and the agents that forfeit without being asked."""

    blocks: list[int]
    playing: tuple[int, ...] | None = None
    absent: tuple[int, ...] = ()


def _given_up(folder: Path, opening: list[int]) -> tuple[int, ...]:
    """Agents that were not asked any more in each block of the opening."""
    stopped = [set(read_notes(folder, block).stopped) for block in opening]
    return tuple(sorted(set.intersection(*stopped))) if stopped else ()


def _in_workers(plan: Plan, blocks: list[int], orders: _Orders, jobs: int, folder: Path) -> Generator[int]:
    # One block at a time to each worker: blocks are large enough, and none waits behind others.
    options: dict[str, Any] = {"backend": "loky", "batch_size": 1, "return_as": "generator_unordered"}
    workers = Parallel(n_jobs=min(jobs, len(blocks)), **options)
    with _without_interrupts():
        played: Any = workers(delayed(_work)(plan, block, orders, folder) for block in blocks)
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


def _seconds_a_game(plan: Plan, match: AnyMatch) -> float:
    """About how long a game takes in this process, by a few; infinite where bots from outside play.

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
    return spent / games


_WORKER: dict[str, tuple[Game, AnyMatch]] = {}  # what a worker keeps between blocks


def _leave_with(parent: int) -> None:
    """End this worker soon after its parent was killed; loky's workers would wait for minutes."""
    while os.getppid() == parent:
        time.sleep(_WATCH_SECONDS)
    os._exit(1)  # bots' processes see their pipes close


def _work(plan: Plan, block: int, orders: _Orders, folder: Path) -> int:
    """Play a block in a worker, which makes game and agents at its first block."""
    if plan.fingerprint not in _WORKER:
        if not _WORKER:
            threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()
        for _, match in _WORKER.values():
            match.close()
        _WORKER.clear()
        game = plan.game()
        _WORKER[plan.fingerprint] = (game, plan.match(game))
    return _play_block(plan, _WORKER[plan.fingerprint][1], block, orders, folder)


def _play_block(plan: Plan, match: AnyMatch, block: int, orders: _Orders, folder: Path) -> int:
    """Play a block, write its part, and return its number."""
    schedule, about = plan.block(block, orders.playing)
    with _one_thread():
        outcome = match.play(schedule, orders.absent)
    numbers = about["game"]
    messages = tuple((int(numbers[row]), seat, text) for (row, seat), text in sorted(outcome.messages.items()))
    stopped = tuple(sorted({*outcome.stopped, *orders.absent}))
    write_notes(folder, block, BlockNotes(stopped, messages))
    write_block(folder, block, plan.table(block, schedule, about, outcome), plan)
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
