"""Arrays that are computed once and kept: damage, folders that cannot be written, several processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from probespiel.envs.core.kept import kept_arrays


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBESPIEL_CACHE", str(tmp_path / "cache"))


class Maker:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self) -> dict[str, np.ndarray]:
        self.asked += 1
        return {"a": np.arange(6).reshape(2, 3), "b": np.array([0.5])}


def test_arrays_are_made_once(tmp_path: Path) -> None:
    make = Maker()
    for name, asked in (("one", 1), ("one", 1), ("two", 2)):
        found = kept_arrays(name, make)
        assert make.asked == asked
        assert found["a"].tolist() == [[0, 1, 2], [3, 4, 5]] and found["b"].tolist() == [0.5]
    files = [path for path in (tmp_path / "cache" / "arrays").iterdir() if not path.name.endswith(".turn")]
    assert sorted(path.name for path in files) == ["one", "two"]
    assert (tmp_path / "cache").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("harm", ["cut", "changed", "empty", "folder"])
def test_damage_is_absence(harm: str, tmp_path: Path) -> None:
    make = Maker()
    kept_arrays("one", make)
    file = tmp_path / "cache" / "arrays" / "one"
    data = bytearray(file.read_bytes())
    if harm == "folder":
        file.unlink()
        file.mkdir()
    else:
        data[100] ^= 1
        file.write_bytes(b"" if harm == "empty" else bytes(data) if harm == "changed" else file.read_bytes()[:-1])
    assert kept_arrays("one", make)["b"].tolist() == [0.5] and make.asked == 2
    kept_arrays("one", make)
    assert make.asked == (3 if harm == "folder" else 2)  # what cannot be written is made again


def test_where_nothing_can_be_written_it_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("PROBESPIEL_CACHE", str(tmp_path / "file" / "cache"))
    make = Maker()
    for asked in (1, 2):
        assert kept_arrays("one", make)["b"].tolist() == [0.5] and make.asked == asked


def test_one_of_several_processes_computes(tmp_path: Path) -> None:
    code = """
import sys, time
import numpy as np
from probespiel.envs.core.kept import kept_arrays
def make():
    open(sys.argv[1], "a").write("x")
    time.sleep(1.0)
    return {"a": np.array([7])}
assert kept_arrays("shared", make)["a"].tolist() == [7]
"""
    note = tmp_path / "note"
    running = [subprocess.Popen([sys.executable, "-c", code, str(note)]) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert note.read_text() == "x"


def test_what_fails_is_not_kept() -> None:
    def fail() -> dict[str, np.ndarray]:
        raise ValueError("not today")

    with pytest.raises(ValueError, match="not today"):
        kept_arrays("one", fail)
    make = Maker()
    kept_arrays("one", make)
    assert make.asked == 1
