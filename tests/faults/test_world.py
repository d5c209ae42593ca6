"""Whole tournaments in a simulated world: whatever fails, no finished block is lost and the results are the same."""

from __future__ import annotations

import random
import shutil
import socket
import struct
import tempfile
import time
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as hs
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from probespiel.agents.entrants import entrant_of
from probespiel.agents.pipe import Pipe, Unfit
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.tournament import files, playing
from probespiel.evaluation.tournament.plan import Plan
from probespiel.evaluation.tournament.results import ForeignPart, ResultsError, part_path, read_part, read_results
from probespiel.evaluation.tournament.run import TournamentError, TournamentInterrupted, run_tournament
from probespiel.evaluation.tournament.sequential import Until

from .world import Disk, PowerCut, Told, Workers

FIELD = ("random", "card_only")
LIVES = 60  # a world that has not finished after so many is a hang


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


def play(game: Game, folder: Path, until: bool, **more: object) -> None:
    goal = Until("best", 0.5) if until else None
    run_tournament(game, FIELD, 24, 7, out=folder, resamples=20, until=goal, **more)  # type: ignore[arg-type]


def held(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if not path.name.endswith(".tmp")}


@pytest.fixture(scope="module")
def undisturbed(kuhn: Game, tmp_path_factory: pytest.TempPathFactory) -> dict[bool, dict[str, bytes]]:
    """The files of tournaments to which nothing happened: of fixed length, and until it is known."""
    found = {}
    for until in (False, True):
        out = tmp_path_factory.mktemp("undisturbed")
        play(kuhn, out, until)
        found[until] = held(out)
    return found


def world_of(seed: int, game: Game, folder: Path, expected: dict[bool, dict[str, bytes]], syncs: bool = True) -> int:
    """Let a tournament live through one world; how many lives it took."""
    rng = random.Random(seed)
    until, jobs = rng.random() < 0.4, rng.choice((1, 2, 3))
    disk = Disk(rng, rng.choice((0.0, 0.01, 0.03)), syncs)
    workers, chance = Workers(rng, rng.choice((0.0, 0.1))), rng.choice((0.0, 0.05, 0.15))
    for life in range(1, LIVES):
        told = Told(rng, chance, folder)
        before = {n: d for n, d in held(folder).items() if n.startswith("part-") and expected[until].get(n) == d}
        with pytest.MonkeyPatch.context() as patch:
            disk.planted(patch)
            workers.planted(patch)
            try:
                play(game, folder, until, resume=life > 1, jobs=jobs, progress=told)
                over = True
            except (PowerCut, TournamentInterrupted, TournamentError, ResultsError, OSError):
                over = False
        disk.start_again()
        now = held(folder)
        lost = [n for n, data in before.items() if now.get(n) != data and n not in told.spoilt]
        assert not lost, f"world {seed}, life {life}: finished blocks are lost: {lost}"
        if over:
            assert now == expected[until], f"world {seed}: results differ"
            return life
        if life > LIVES // 2:
            disk.chance = workers.chance = chance = 0.0  # in the end there is peace
    raise AssertionError(f"world {seed} does not come to its end")


@pytest.mark.parametrize("seed", [1, 3])
def test_worlds(kuhn: Game, undisturbed: dict[bool, dict[str, bytes]], seed: int, tmp_path: Path) -> None:
    assert world_of(seed, kuhn, tmp_path, undisturbed) >= 1


@pytest.mark.slow
def test_many_worlds(kuhn: Game, undisturbed: dict[bool, dict[str, bytes]], tmp_path: Path) -> None:
    lives = []
    for seed in range(100, 250):
        folder = tmp_path / str(seed)
        folder.mkdir()
        lives.append(world_of(seed, kuhn, folder, undisturbed))
    print(f"\n{len(lives)} worlds, {sum(lives)} lives")
    assert max(lives) > 3, "nothing happened in these worlds"


@pytest.mark.slow
def test_a_disk_that_is_not_synced_is_noticed(
    kuhn: Game, undisturbed: dict[bool, dict[str, bytes]], tmp_path: Path
) -> None:
    """The checker has teeth: where a sync reaches nothing, power cuts lose blocks that were finished."""
    with pytest.raises(AssertionError, match=r"finished blocks are lost|does not come to its end"):
        for seed in range(20):
            folder = tmp_path / str(seed)
            folder.mkdir()
            world_of(seed, kuhn, folder, undisturbed, syncs=False)


# The folder of results, step by step


GAME = make_game("kuhn", compiled=False)
PLAN = Plan.of(GAME, [entrant_of(name, GAME) for name in FIELD], 12, 7, None)


def test_a_part_of_another_block_does_not_count_for_the_sequential_test(tmp_path: Path) -> None:
    with PLAN.match(GAME) as match:
        for block in (0, 1):
            playing._play_block(PLAN, match, block, playing._Orders([0, 1]), tmp_path)
    part, data = part_path(tmp_path, 0), part_path(tmp_path, 0).read_bytes()
    part.write_bytes(part_path(tmp_path, 1).read_bytes())
    with pytest.raises(ResultsError, match="holds part 1"):
        read_part(tmp_path, 0, fingerprint=PLAN.fingerprint)
    part.write_bytes(data)
    assert read_part(tmp_path, 0, fingerprint=PLAN.fingerprint).num_rows
    with pytest.raises(ForeignPart, match="another tournament"):
        read_part(tmp_path, 0, fingerprint="of another")


class Folder(RuleBasedStateMachine):
    """A tournament's folder under what workers, disks and people do to it; the model is the set of finished blocks."""

    game, plan = GAME, PLAN
    parts: ClassVar[dict[int, bytes]] = {}  # what the blocks are, played once

    @initialize(folder=hs.builds(lambda: Path(tempfile.mkdtemp(prefix="probespiel-folder-"))))
    def begin(self, folder: Path) -> None:
        self.folder, self.match = folder, self.plan.match(self.game)
        files.open_store(folder, self.plan, resume=False, overwrite=False)
        self.done: set[int] = set()  # blocks that are there and whole

    def play_one(self, block: int) -> None:
        playing._play_block(self.plan, self.match, block, playing._Orders([block]), self.folder)
        data = part_path(self.folder, block).read_bytes()
        assert self.parts.setdefault(block, data) == data, "a block is the same whenever it is played"
        self.done.add(block)

    @rule(block=hs.integers(0, 11))
    def finish(self, block: int) -> None:
        if block < self.plan.blocks:
            self.play_one(block)

    @precondition(lambda self: self.done)
    @rule(data=hs.data(), length=hs.floats(0, 0.99))
    def tear(self, data: hs.DataObject, length: float) -> None:
        block = data.draw(hs.sampled_from(sorted(self.done)))
        path = part_path(self.folder, block)
        path.write_bytes(path.read_bytes()[: int(length * path.stat().st_size)])
        self.done.discard(block)

    @precondition(lambda self: self.done)
    @rule(data=hs.data())
    def remove(self, data: hs.DataObject) -> None:
        block = data.draw(hs.sampled_from(sorted(self.done)))
        part_path(self.folder, block).unlink()
        self.done.discard(block)

    @precondition(lambda self: self.done)
    @rule(data=hs.data(), other=hs.integers(0, 11))
    def rename(self, data: hs.DataObject, other: int) -> None:
        block = data.draw(hs.sampled_from(sorted(self.done)))
        if block != other and other < self.plan.blocks:
            part_path(self.folder, block).rename(part_path(self.folder, other))
            self.done -= {block, other}

    @precondition(lambda self: self.done)
    @rule(data=hs.data(), bit=hs.integers(0, 7), where=hs.floats(0.02, 0.3))
    def flip(self, data: hs.DataObject, bit: int, where: float) -> None:
        block = data.draw(hs.sampled_from(sorted(self.done)))
        path = part_path(self.folder, block)
        content = bytearray(path.read_bytes())
        content[int(where * len(content))] ^= 1 << bit
        path.write_bytes(content)
        try:  # a bit that decides nothing may be anything; the rows may not
            same = read_results(path).equals(read_results(self.whole(block)))
        except ResultsError:
            same = False
        if not same:
            self.done.discard(block)

    def whole(self, block: int) -> Path:
        path = self.folder / "whole.parquet"
        path.write_bytes(self.parts[block])
        return path

    @rule(name=hs.sampled_from([".part-00000001.parquet.x.tmp", "part-x.parquet", "notes.txt", "part-1.parquet"]))
    def litter(self, name: str) -> None:
        (self.folder / name).write_bytes(b"litter")

    @rule()
    def resume(self) -> None:
        store = files.open_store(self.folder, self.plan, resume=True, overwrite=False)
        assert store.done == self.done
        assert not list(self.folder.glob(".*.tmp"))

    @precondition(lambda self: self.done)
    @rule()
    def begin_anew(self) -> None:
        try:
            files.open_store(self.folder, self.plan, resume=False, overwrite=False)
        except TournamentError as error:
            assert "--resume" in str(error)
        else:
            raise AssertionError("unfinished work was dropped unasked")

    @rule()
    def overwrite(self) -> None:
        files.open_store(self.folder, self.plan, resume=False, overwrite=True)
        self.done = set()

    @invariant()
    def what_is_there_is_known(self) -> None:
        if hasattr(self, "done"):
            found = files.read_all(self.folder, self.plan)
            assert found.done == self.done
            rows = self.plan.games_of(0) * self.game.n_seats
            assert found.table.num_rows == rows * len(self.done)

    def teardown(self) -> None:
        if hasattr(self, "done"):
            self.match.close()
            shutil.rmtree(self.folder)


_STATEFUL = {"deadline": None, "suppress_health_check": list(HealthCheck), "derandomize": True, "database": None}
TestFolder = Folder.TestCase
TestFolder.settings = settings(max_examples=4, stateful_step_count=10, **_STATEFUL)  # type: ignore[arg-type]


# The pipe, message by message

HEADER = struct.Struct("<QI")
WAIT = 0.03


class Talk(RuleBasedStateMachine):
    """The match's end of the pipe against an end that sends what it likes; the model is the bytes on their way."""

    def __init__(self) -> None:
        super().__init__()
        self.begin()

    def begin(self) -> None:
        ours, self.theirs = socket.socketpair()
        self.pipe = Pipe(ours)
        self.sent = b""  # not read yet
        self.closed = False
        self.alive = True  # nothing wrong was read yet: afterwards the process is ended

    @precondition(lambda self: self.alive and not self.closed)
    @rule(
        number=hs.sampled_from([0, 0, 0, 1, -1, 2**40]),
        body=hs.binary(max_size=40),
        over=hs.sampled_from([0, 0, 0, 1, -1, 70, 2**31]),
    )
    def answer(self, number: int, body: bytes, over: int) -> None:
        header = HEADER.pack((self.pipe.number + number) % 2**64, max(0, len(body) + over))
        self.say(header + body)

    @precondition(lambda self: self.alive and not self.closed)
    @rule(noise=hs.binary(min_size=1, max_size=30))
    def say(self, noise: bytes) -> None:
        self.theirs.sendall(noise)
        self.sent += noise

    @precondition(lambda self: self.alive and not self.closed)
    @rule()
    def close(self) -> None:
        self.theirs.close()
        self.closed = True

    @precondition(lambda self: self.alive)
    @rule(question=hs.binary(max_size=20))
    def ask(self, question: bytes) -> None:
        self.pipe.number += 1
        try:
            self.pipe.send(question, time.monotonic() + WAIT)
        except OSError:
            assert self.closed
            self.alive = False
            return
        if not self.closed:
            number, length = HEADER.unpack(self.theirs.recv(HEADER.size))
            assert (number, self.theirs.recv(length) if length else b"") == (self.pipe.number, question)

    @precondition(lambda self: self.alive)
    @rule(longest=hs.sampled_from([0, 20, 64]))
    def receive(self, longest: int) -> None:
        expected: bytes | type[BaseException]
        missing: type[BaseException] = EOFError if self.closed else TimeoutError
        rest = self.sent[HEADER.size :]
        if len(self.sent) < HEADER.size:
            expected = missing
        else:
            number, length = HEADER.unpack(self.sent[: HEADER.size])
            if number != self.pipe.number or length > longest:
                expected = Unfit
            else:
                expected = rest[:length] if len(rest) >= length else missing
        begun = time.monotonic()
        try:
            got: bytes | type[BaseException] = self.pipe.receive(longest, begun + WAIT)
        except (Unfit, EOFError, TimeoutError, ConnectionError) as error:
            got = EOFError if isinstance(error, ConnectionError) else type(error)
        assert got == expected and time.monotonic() - begun < WAIT + 5.0
        if isinstance(got, bytes):
            self.sent = rest[len(got) :]
        else:
            self.alive = False

    @precondition(lambda self: self.alive)
    @rule()
    def check_silent(self) -> None:
        expected = Unfit if self.sent else EOFError if self.closed else None
        try:
            self.pipe.check_silent()
            got = None
        except (Unfit, EOFError, ConnectionError) as error:
            got = EOFError if isinstance(error, ConnectionError) else type(error)
        assert got == expected

    @precondition(lambda self: not self.alive)
    @rule()
    def start_again(self) -> None:
        self.teardown()
        self.begin()

    def teardown(self) -> None:
        self.pipe.close()
        self.theirs.close()


TestTalk = Talk.TestCase
TestTalk.settings = settings(max_examples=30, stateful_step_count=15, **_STATEFUL)  # type: ignore[arg-type]
