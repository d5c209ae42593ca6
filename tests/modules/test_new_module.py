"""`probespiel new-module`: what it writes compiles and plays, its tests pass, and it overwrites nothing."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from probespiel.app import cli
from probespiel.envs import make_game
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.errors import WrongLevel
from probespiel.envs.core.modules import load_module
from probespiel.envs.core.registry import system, system_names

QUICK = ("kuhn", "ews_rps")  # systems that compile in seconds


def write(folder: Path, name: str, of: str) -> int:
    """Run the command."""
    return cli.run(["new-module", name, "--system", of, "--folder", str(folder)])


@pytest.mark.parametrize("name", system_names())
def test_its_tests_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """For every system: both files are there, and every test of the second passes."""
    assert write(tmp_path, "second_wind", name) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["second_wind.py", "test_second_wind.py"]
    assert "probespiel verify --module" in capsys.readouterr().out
    assert "my_rule" not in "".join(p.read_text() for p in tmp_path.iterdir())
    spec = importlib.util.spec_from_file_location("test_second_wind", tmp_path / "test_second_wind.py")
    assert spec is not None
    assert spec.loader is not None
    tests: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tests)
    found = [value for key, value in vars(tests).items() if key.startswith("test_")]
    assert found
    for test in found:
        test()


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in system_names()]
)
def test_it_compiles_and_plays(tmp_path: Path, name: str) -> None:
    """In every game of the system that it is for; the others refuse it."""
    assert write(tmp_path, "second_wind", name) == 0
    path = str(tmp_path / "second_wind.py")
    levels = load_module(system(name).interface, path)[0].levels
    games = [game for game in system(name).games if not levels or game.partition("-")[2] in levels]
    assert games
    for game in set(system(name).games) - set(games):
        with pytest.raises(
            WrongLevel, match=r"one of .* name it where the module is declared: Module\(\.\.\., levels="
        ):
            make_game(game, modules={path: {}})
    for game in games:
        made = make_game(game, modules={path: {}})
        assert made.kernel.compiled
        played = Batch(made, 20, seed=1).play_random(5)
        assert played.stuck == played.stopped == 0
        assert played.decisions > 0


def test_pytest_runs_the_written_tests(tmp_path: Path) -> None:
    """As an author does it, in a folder of his own."""
    assert write(tmp_path, "second_wind", "kuhn") == 0
    command = [sys.executable, "-m", "pytest", "-q", "test_second_wind.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If one of the two files is there, neither is written."""
    (tmp_path / "test_mine.py").write_text("precious")
    assert write(tmp_path, "mine", "kuhn") == 2
    assert "test_mine.py' exists already" in capsys.readouterr().err
    assert (tmp_path / "test_mine.py").read_text() == "precious"
    assert not (tmp_path / "mine.py").exists()
    assert write(tmp_path / "nowhere", "mine", "kuhn") == 2
    assert "does not exist" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["Two", "two words", "class", "1st", "a/b", "", "x" * 41, "mercy"])
def test_wrong_names(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert write(tmp_path, name, "einblatt") == 2
    assert "is not allowed" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_systems_may_be_named_by_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert write(tmp_path, "mine", "einblatt-duel") == 0
    assert write(tmp_path, "other", "einblat") == 2
    assert "did you mean einblatt" in capsys.readouterr().err


def test_hooks_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    for name in system_names():
        assert cli.run(["hooks", name]) == 0
        shown = capsys.readouterr().out
        assert all(f"{hook}(" in shown for hook in system(name).interface.table)
        assert cli.run(["hooks", name, "--markdown"]) == 0
        assert "| hook | kind | moment | answers |" in capsys.readouterr().out
