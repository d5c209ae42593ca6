"""Plays the blocks of a tournament, in this process, in several, or on a cluster.

What workers import is kept small, since each starts an interpreter of its own: a tournament that is over sooner than
they would be ready (START_SECONDS) is played here. The results are the same. Whoever plays a block gives back the
content of its file; this process writes it.

An outside bot that was not asked any more in each of the first OPENING blocks forfeits all blocks after them, so that a
bot that always hangs does not hold a tournament up for hours.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from ...agents.entrants import AnyMatch
from ...agents.match import Schedule
from ...envs.core.engine import Deviation, Engine, Local, Work, WorkersLost
from ...envs.core.game import Game
from .files import BlockNotes, block_bytes, read_notes, write_notes
from .plan import Plan, TournamentError
from .progress import Reporter
from .results import keep_part, part_path

OPENING = 4
START_SECONDS = 3.0  # about what it takes until workers play: an interpreter, imports and compiled code for each
_TRIAL_SECONDS = 0.02
_LONG_SECONDS = 10.0  # of a first call, loading included, after which it need not be measured
_PROBED = 3  # pairings that play a deal before a worker gets blocks


class Crew:
    """Who plays the blocks of a tournament: this process, or workers."""

    def __init__(self, plan: Plan, match: AnyMatch, game: Game, engine: Engine, folder: Path, told: Reporter) -> None:
        self.plan, self.match, self.game, self.engine, self.folder, self.told = plan, match, game, engine, folder, told
        self._seconds_a_game: float | None = None
        self._players: dict[int, str] = {}  # by block, who has played it

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
        alone = isinstance(self.engine, Local) and min(self.engine.count, len(orders.blocks)) == 1
        if alone or self._seconds(orders.blocks[0]) < START_SECONDS:
            for block in orders.blocks:
                yield _play_block(self.plan, self.match, block, orders, self.folder)
            return
        try:
            with closing(_in_workers(self.plan, orders.blocks, orders, self.engine, self.folder)) as played:
                for block, worker in played:
                    self._players[block] = worker
                    yield block
        except WorkersLost:
            left = sum(not part_path(self.folder, block).is_file() for block in orders.blocks)
            raise TournamentError(
                f"{self.folder}: worker processes were ended by the system twice, often because memory is "
                f"short: go on with --resume and fewer --jobs. What is finished is kept; {left} blocks are not"
            ) from None
        except Deviation as error:
            self._drop(error.workers, racing=orders.playing is not None)
            raise

    def _drop(self, workers: tuple[str, ...], racing: bool) -> None:
        """Remove the blocks of workers that play otherwise, and in a race all that were chosen by what they told."""
        wrong = sorted(block for block, worker in self._players.items() if worker in workers)
        for block in sorted(self._players) if wrong else ():
            if block in wrong or (racing and block > wrong[0]):
                part_path(self.folder, block).unlink(missing_ok=True)
                write_notes(self.folder, block, BlockNotes())

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


@dataclass(frozen=True)
class Order:
    """A block that is to be played: by which pairings (all: None), and who forfeits without being asked."""

    block: int
    playing: tuple[int, ...] | None = None
    absent: tuple[int, ...] = ()


@dataclass(frozen=True)
class Block:
    """A block that was played: what it tells besides its rows, and the content of its file."""

    notes: BlockNotes
    part: bytes


_KEPT: dict[str, AnyMatch] = {}  # what a worker keeps between blocks, by fingerprint


@dataclass(frozen=True)
class BlockWork(Work):
    """The games of a plan; a job is an `Order`, its result a `Block`.

    `shown` are texts that files at other places would bring into messages, and what stands there everywhere.
    """

    plan: Plan
    shown: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> tuple[str, ...]:
        """Bots and rule modules that are given as files."""
        return self.plan.files

    def moved(self, files: Mapping[str, str]) -> BlockWork:
        """The same games, with the same messages."""
        plan = self.plan.moved(files)
        texts = {
            there.agent.here: here.agent.text
            for here, there in zip(self.plan.entrants, plan.entrants)
            if there.agent.here != here.agent.text
        }
        return replace(
            self, plan=plan, shown={**texts, **{new: self.shown.get(old, old) for old, new in files.items()}}
        )

    def match(self) -> AnyMatch:
        """The agents in this process, which makes game and agents for the first block."""
        if self.plan.fingerprint not in _KEPT:
            self.dismiss()
            _KEPT[self.plan.fingerprint] = self.plan.match(self.plan.game())
        return _KEPT[self.plan.fingerprint]

    def dismiss(self) -> None:
        """The agents leave."""
        for match in _KEPT.values():
            match.close()
        _KEPT.clear()

    def do(self, job: Order) -> Block:
        """Play a block."""
        block = _played(self.plan, self.match(), job)
        messages = tuple((game, seat, self._told(text)) for game, seat, text in block.notes.messages)
        return replace(block, notes=replace(block.notes, messages=messages))

    def _told(self, text: str) -> str:
        for there, here in self.shown.items():
            text = text.replace(there, here)
        return text

    def probe(self) -> list[np.ndarray]:
        """The first deal of some pairings of agents that come with this package."""
        schedule, about = self.plan.block(0)
        inside = np.array([not entrant.agent.outside for entrant in self.plan.entrants])
        rows = np.flatnonzero(inside[schedule.seating].all(axis=1) & (about["deal"] == about["deal"][0]))
        rows = rows[np.isin(about["pairing"][rows], np.unique(about["pairing"][rows])[:_PROBED])]
        with _one_thread():
            first = Schedule(schedule.seating[rows], schedule.dice[rows], schedule.tables[rows])
            played = self.plan.play(self.match(), first)
        return [played.payoffs, played.decisions, played.offences]


def shown_by(plan: Plan) -> dict[str, str]:
    """How messages show the files of a plan, which are here."""
    return {path: str(Path(path).resolve()) for path in plan.files}


def _in_workers(
    plan: Plan, blocks: list[int], orders: _Orders, engine: Engine, folder: Path
) -> Generator[tuple[int, str]]:
    """Have blocks played by others, and write them; yields each with who has played it."""
    jobs = [Order(block, orders.playing, orders.absent) for block in blocks]
    with closing(engine.map(BlockWork(plan, shown_by(plan)), jobs)) as finished:
        for done in finished:
            _keep(folder, blocks[done.index], done.answer)
            yield blocks[done.index], done.worker


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


def _play_block(plan: Plan, match: AnyMatch, block: int, orders: _Orders, folder: Path) -> int:
    """Play a block, write its part, and return its number."""
    _keep(folder, block, _played(plan, match, Order(block, orders.playing, orders.absent)))
    return block


def _played(plan: Plan, match: AnyMatch, order: Order) -> Block:
    """Play a block."""
    schedule, about = plan.block(order.block, order.playing)
    with _one_thread():
        outcome = plan.play(match, schedule, order.absent)
    numbers = about["game"]
    messages = tuple((int(numbers[row]), seat, text) for (row, seat), text in sorted(outcome.messages.items()))
    stopped = tuple(sorted({*outcome.stopped, *order.absent}))
    table = plan.table(order.block, schedule, about, outcome)
    return Block(BlockNotes(stopped, messages), block_bytes(order.block, table, plan))


def _keep(folder: Path, block: int, played: Block) -> None:
    """Write what came of a block: notes first, since a block whose part is there is finished."""
    write_notes(folder, block, played.notes)
    keep_part(folder, block, played.part)


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
