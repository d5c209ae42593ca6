"""A few cases of the fault campaign (`make faults` runs all), and that it makes failing cases smaller."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .families import Case, Family, Undisturbed
from .run import shrunk, smaller

ROOT = Path(__file__).resolve().parents[2]
MADE = """
import sys
from pathlib import Path
from tests.faults.families import Undisturbed
found, steps = Undisturbed(Path(sys.argv[1])).of("fixed")
print(steps, *found)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes that are left through /proc")
def test_a_sample_of_the_campaign() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.faults.run", "--sample", "--jobs", "1"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "7 cases, 0 failed" in ended.stdout


def test_results_are_made_anew_where_others_were_made(tmp_path: Path) -> None:
    """Every family of cases makes them in the same place."""
    (tmp_path / "undisturbed-fixed" / "out").mkdir(parents=True)
    (tmp_path / "undisturbed-fixed" / "out" / "tournament.json").write_text("of the family before")
    # In a process of its own, as the campaign is: a command is a copy of its process, and would at its end remove
    # what joblib keeps for the tests that ran before in this one.
    ended = subprocess.run(
        [sys.executable, "-c", MADE, str(tmp_path)], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=400, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    steps, *found = ended.stdout.split()
    assert int(steps) > 3 and "tournament.json" in "".join(found)


def test_a_failing_case_is_made_smaller(tmp_path: Path) -> None:
    tries: list[Case] = []

    def check(case: Case, place: Path, undisturbed: Undisturbed) -> list[str]:
        tries.append(case)
        return ["disturbed 1: it fails"] if 7 in case["numbers"] and len(case["text"]) >= 2 else []

    family = Family(lambda rng: {}, check, ("numbers", "text"), 1)
    case = {"numbers": [3, 7, 12, 40], "text": "abcdefgh", "else": 5}
    small, said = shrunk(family, case, ["disturbed 2: it fails"], tmp_path, Undisturbed(tmp_path))
    assert small["numbers"] == [7] and len(small["text"]) == 2 and small["else"] == 5
    assert said == ["disturbed 1: it fails"] and len(tries) <= 40
    assert list(smaller(0)) == list(smaller("x")) == list(smaller(True)) == []
