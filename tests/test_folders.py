"""Folders of results: two writers, blocks that vanish, killed workers, files that are whole or not there."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.cfr import SavedStrategy
from probespiel.app.cli import run
from probespiel.envs.core import disk
from probespiel.envs.core.disk import check_place, locked, replacing, write_text
from probespiel.envs.core.engine import Local
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game
from probespiel.envs.core.modules.document import write_files
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.tournament import playing
from probespiel.evaluation.tournament.progress import Silent
from probespiel.evaluation.tournament.run import TournamentError, run_tournament

FIELD = ("random", "card_only", "search:sims=10")


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


@pytest.fixture(scope="module")
def reference(kuhn: Game, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a tournament that nothing has disturbed."""
    out = tmp_path_factory.mktemp("reference")
    play(kuhn, out)
    return files(out)


def play(game: Game, out: Path, **more: Any) -> None:
    run_tournament(game, FIELD, 40, 7, out=out, resamples=20, **more)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


class Acts(Silent):
    """Does something when a block is finished; keeps what is said."""

    def __init__(self, act: Callable[[int], None]) -> None:
        self.act, self.blocks, self.said = act, 0, []

    def advance(self, games: int) -> None:
        self.blocks += 1
        self.act(self.blocks)

    def say(self, line: str) -> None:
        self.said.append(line)


# Two writers


def test_one_process_at_a_time_writes_a_folder(kuhn: Game, reference: dict[str, bytes], tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from probespiel.envs.core.disk import locked\n"
        "with locked(pathlib.Path(sys.argv[1])): print('locked', flush=True); sys.stdin.read()"
    )
    folder = tmp_path / "out"
    command = [sys.executable, "-c", code, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "locked\n"
        for more in ({}, {"resume": True}, {"overwrite": True}):
            with pytest.raises(
                ProbespielError, match=r"another process is writing into .*out: wait until it has ended"
            ):
                play(kuhn, folder, **more)
        assert files(folder) == {}
        os.kill(other.pid, signal.SIGKILL)
        other.communicate()
    play(kuhn, folder)
    assert files(folder) == reference, "the lock ended with the process that had it, and leaves no file"


def test_where_there_are_no_locks_nothing_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(number: int) -> Callable[..., None]:
        def flock(*_: object) -> None:
            raise OSError(number, "no")

        return flock

    monkeypatch.setattr(disk.fcntl, "flock", refuse(errno.ENOLCK))
    with locked(tmp_path), locked(tmp_path):
        pass
    monkeypatch.setattr(disk.fcntl, "flock", refuse(errno.EIO))
    with pytest.raises(OSError, match="no"), locked(tmp_path):
        pass


# Blocks that vanish


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_block_that_is_removed_meanwhile_is_played_again(
    kuhn: Game, reference: dict[str, bytes], tmp_path: Path, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "START_SECONDS", 0.0)

    def remove(blocks: int) -> None:
        if blocks == 10:
            min(tmp_path.glob("part-*.parquet")).unlink()

    told = Acts(remove)
    play(kuhn, tmp_path, progress=told, jobs=jobs)
    assert files(tmp_path) == reference
    assert [line.partition(" was removed while")[1] for line in told.said] == [" was removed while"]
    assert told.blocks == 20, "what is played again does not count twice"


def test_blocks_that_are_missing_at_the_end_are_no_finished_tournament(
    kuhn: Game, reference: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = playing._play_block
    with monkeypatch.context() as patch:
        patch.setattr(playing, "_play_block", lambda *args: args[2] if args[2] == 3 else block(*args))
        with pytest.raises(TournamentError, match=r"1 of 20 blocks are missing or damaged, the first is part-00000003"):
            play(kuhn, tmp_path)
    assert not json.loads((tmp_path / "tournament.json").read_text())["finished"]
    assert not (tmp_path / "report.html").exists()
    play(kuhn, tmp_path, resume=True)
    assert files(tmp_path) == reference


# Workers that the system kills


def kill_workers() -> None:
    """Kill this process's worker processes, as a system without memory does; those of before may be gone already."""
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid() and b"popen_loky" in (path / "cmdline").read_bytes():
                os.kill(int(path.name), signal.SIGKILL)
        except (OSError, ValueError):
            continue


LATE = 6  # times that workers may have played all of their blocks before they are killed


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the workers through /proc")
def test_a_killed_worker_is_replaced_once(
    kuhn: Game,
    reference: dict[str, bytes],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds: list[int] = []
    beside = Local._beside
    monkeypatch.setattr(playing, "START_SECONDS", 0.0)
    monkeypatch.setattr(Local, "_beside", lambda *args: rounds.append(len(args[3])) or beside(*args))
    for attempt in range(LATE):
        first = tmp_path / f"once-{attempt}"
        rounds.clear()
        play(kuhn, first, jobs=2, progress=Acts(lambda blocks: kill_workers() if blocks == 2 else None))
        assert files(first) == reference
        if len(rounds) > 1:
            break
    assert len(rounds) == 2 and rounds[0] == 20 and 1 <= rounds[1] < 20, "only what was missing is given out again"

    found, second = None, tmp_path
    for attempt in range(LATE):
        second = tmp_path / f"twice-{attempt}"
        try:
            play(kuhn, second, jobs=2, progress=Acts(lambda blocks: kill_workers()))
        except TournamentError as error:
            found = error
            break
        assert files(second) == reference
    assert "worker processes were ended by the system twice" in str(found) and "--resume" in str(found)
    assert found is not None and found.__suppress_context__, "no traceback of the library"
    assert "Traceback" not in capfd.readouterr().err
    done = len(list(second.glob("part-*.parquet")))
    assert 1 <= done < 20 and not list(second.glob(".*.tmp"))
    play(kuhn, second, resume=True)
    assert files(second) == reference


# Files


def test_files_are_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bool] = []
    fsync = os.fsync

    def noted(number: int) -> None:
        synced.append(os.path.isdir(f"/proc/self/fd/{number}"))
        fsync(number)

    monkeypatch.setattr(os, "fsync", noted)
    path = tmp_path / "file"
    before = os.umask(0o027)
    try:
        write_text(path, "one \ud800")
    finally:
        os.umask(before)
    assert path.read_bytes() == b"one ?" and path.stat().st_mode & 0o777 == 0o640
    assert synced == [False, True], "the file, then the folder with its new name"
    with pytest.raises(RuntimeError), replacing(path) as file:
        file.write(b"half")
        raise RuntimeError
    assert path.read_bytes() == b"one ?" and list(tmp_path.iterdir()) == [path]
    with pytest.raises(FileNotFoundError):
        write_text(tmp_path / "nowhere" / "file", "x")


def test_a_folder_that_stays_empty_is_not_left_behind(tmp_path: Path) -> None:
    with locked(tmp_path / "new" / "newer"):
        pass
    assert not (tmp_path / "new").exists()
    with locked(tmp_path):
        pass
    assert tmp_path.exists(), "it was there before"
    (tmp_path / "file").touch()
    with (
        pytest.raises(ProbespielError, match=r"file is no folder; name another one with --out"),
        locked(tmp_path / "file"),
    ):
        pass


def test_a_place_for_results_is_seen_before_the_work(tmp_path: Path) -> None:
    check_place(tmp_path / "new" / "deep" / "file.npz")
    check_place(tmp_path / "folder", folder=True)
    assert (tmp_path / "new" / "deep").is_dir() and not list((tmp_path / "new" / "deep").iterdir())
    assert (tmp_path / "folder").is_dir() and not list((tmp_path / "folder").iterdir())
    file = tmp_path / "file"
    file.write_text("mine")
    check_place(file)
    assert file.read_text() == "mine"
    for path, folder, why in (
        (tmp_path / "folder", False, "is a folder: name a file in it"),
        (file, True, "is a file: name a folder"),
        (file / "x.npz", False, "cannot be written: .*; name another place"),
        (file / "x", True, "cannot be written: Not a directory; name another place"),
        (Path("/proc/x.npz"), False, "cannot be written: .*; name another place"),
    ):
        with pytest.raises(ProbespielError, match=rf"^--out {re.escape(str(path))} {why}$"):
            check_place(path, folder)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("solve kuhn --iterations 1 --method cfr+", "s.npz"),
        ("outlook kuhn --positions 1000 --epochs 1", "u.safetensors"),
        ("builds oneshot --weapon axes", "f"),
        ("odds ews_rps", "o.csv"),
    ],
)
def test_nothing_is_computed_that_cannot_be_kept(
    command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def computed(*_: object, **__: object) -> None:
        raise AssertionError("computed in vain")

    monkeypatch.setattr("probespiel.agents.tree_cfr.TreeCfr.run", computed)
    monkeypatch.setattr("probespiel.training.outlook.fitted_to", computed)
    (tmp_path / "file").write_text("mine")
    out = tmp_path / "file" / name
    assert run([*command.split(), "--out", str(out)]) == 2
    assert f"error: --out {out} cannot be written: " in capsys.readouterr().err


def test_a_full_disk_leaves_no_halves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next attempt would be told that there is something already."""
    (tmp_path / "b.py").mkdir()  # the second of two cannot be written
    monkeypatch.setattr(Path, "exists", lambda self, **_: False)
    with pytest.raises(ProbespielError, match=rf"^folder '{re.escape(str(tmp_path))}' cannot be written: File exists$"):
        write_files({"a.py": "x", "b.py": "y"}, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["b.py"]
    (tmp_path / "b.py").rmdir()
    assert [path.read_text() for path in write_files({"a.py": "x", "b.py": "y"}, tmp_path)] == ["x", "y"]


def test_a_strategy_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.arange(2), np.array([0, 2, 4]), np.full(4, 0.5)
    strategy = SavedStrategy({"format": "f"}, *numbers)
    strategy.save(tmp_path / "s.npz")
    before = (tmp_path / "s.npz").read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("numpy.savez_compressed", full)
    with pytest.raises(OSError, match="No space left on device"):
        strategy.save(tmp_path / "s.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["s.npz"] and (tmp_path / "s.npz").read_bytes() == before
