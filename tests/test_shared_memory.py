"""Large arrays that worker processes share: where they lie, and that nothing lies there without them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from probespiel.envs.core.engine import local

SHARING = """
import os
from pathlib import Path
import numpy as np
from probespiel.envs.core.engine import Local, Work
class Large(Work):
    def __init__(self, size):
        self.numbers = np.ones(size, dtype=np.uint8)
    def do(self, job):
        there = list(Path("/dev/shm").glob(f"joblib_memmapping_folder_{os.getppid()}_*"))
        mapped = getattr(self.numbers, "filename", "")
        return int(self.numbers.sum()), len(there), str(mapped).startswith(tuple(map(str, there)))
for size in (1000, 3 << 20):
    for done in Local(2).map(Large(size), [0, 1]):
        print(*done.answer)
"""


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="there is no folder in memory")
def test_only_large_arrays_are_shared_by_a_folder_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """joblib maps them from a megabyte on; where there are none it has no folder that an early end must delete."""
    monkeypatch.delenv("JOBLIB_TEMP_FOLDER", raising=False)
    ended = subprocess.run([sys.executable, "-c", SHARING], capture_output=True, text=True, timeout=200)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines() == ["1000 0 False"] * 2 + [f"{3 << 20} 1 True"] * 2


def test_where_large_arrays_are_shared(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In memory if there is room, else where joblib has it or a person wants it."""
    free = {"f_bsize": 4096, "f_bavail": 2_000_000_000 // 4096 + 1}
    monkeypatch.delenv("JOBLIB_TEMP_FOLDER", raising=False)
    monkeypatch.setattr(local, "SHARED_MEMORY", str(tmp_path))
    monkeypatch.setattr(local.os, "statvfs", lambda folder: SimpleNamespace(**free))
    assert local._shared_memory() == str(tmp_path)
    free["f_bavail"] -= 1
    assert local._shared_memory() is None
    free["f_bavail"] += 1
    monkeypatch.setenv("JOBLIB_TEMP_FOLDER", str(tmp_path / "own"))
    assert local._shared_memory() is None
    monkeypatch.delenv("JOBLIB_TEMP_FOLDER")
    monkeypatch.setattr(local, "SHARED_MEMORY", str(tmp_path / "none"))
    assert local._shared_memory() is None
