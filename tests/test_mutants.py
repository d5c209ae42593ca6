"""The lists of planted errors fit the code as it is; `make mutants` runs them."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


@pytest.fixture(scope="module")
def runner() -> ModuleType:
    """The script that runs them."""
    spec = importlib.util.spec_from_file_location("mutants_run", HERE / "mutants" / "run.py")
    assert spec and spec.loader
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stands(test: str) -> bool:
    """Whether a test (file, then classes and function, perhaps a case) is there."""
    file, *names = test.partition("[")[0].split("::")
    path = ROOT / file
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return path.exists() and all(
        re.search(rf"^\s*(async def|def|class) {name}\b", text, re.MULTILINE) for name in names
    )


def test_every_planted_error_can_be_planted(runner: ModuleType) -> None:
    """Each replaces a text that stands in its file just once, by another one; and names tests that are there."""
    mutants = runner.read_lists(sorted((HERE / "mutants").glob("*.toml")))
    assert len(mutants) >= 120
    lost = [m.name for m in mutants if (ROOT / m.file).read_text(encoding="utf-8").count(m.old) != 1]
    assert not lost
    assert not [m.name for m in mutants if m.old == m.new]
    assert not [m.name for m in mutants for test in m.tests if test[0] != "-" and not stands(test)]


def test_what_is_noticed_in_memory_needs_no_run_of_its_own(runner: ModuleType) -> None:
    """Of four lines one names an error that was killed; what survived, was not in memory or is unknown is left."""
    mutants = [runner.Mutant(f"list/{name}", "f.py", "a", "b", ("tests/x.py",)) for name in ("one", "two", "a third")]
    log = (
        "3 tests of tests/x.py: 0.1 s\nfail without any error planted: none\n"
        "killed       1.5 s  list/a third  tests/x.py::test_a[1]\nsurvived     2.0 s  list/one\n"
        "not in memory    3.0 s  list/two  tests/x.py::test_b\nkilled       1.0 s  list/unknown  tests/x.py::test_a"
    )
    found = runner.noticed(log, mutants)
    assert [(f.mutant.name, f.verdict, f.seconds) for f in found] == [("list/a third", "killed", 1.5)]
    assert runner.in_memory(mutants, 1) == []  # of few
