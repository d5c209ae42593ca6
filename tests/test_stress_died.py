"""Rules that end the process of their compiled form: broken, with file, line and hook, and a replay that shows it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from probespiel.app.cli import run
from probespiel.app.cli_stress import show
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.jit import config
from probespiel.envs.core.modules import imports
from probespiel.envs.core.modules.load import load_module
from probespiel.envs.kuhn.module import INTERFACE
from probespiel.evaluation.report.wording import from_here
from probespiel.evaluation.stress import breakage
from probespiel.evaluation.stress.advice import next_for_holder
from probespiel.evaluation.stress.breakage import why
from probespiel.evaluation.stress.conditions import Condition, Settings
from probespiel.evaluation.stress.context import EVERYBODY
from probespiel.evaluation.stress.findings import Breakage, Fault, Verdict
from probespiel.evaluation.stress.lab import open_lab
from probespiel.evaluation.stress.run import run_stress
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.workers import Failed, Job
from tests.lab_findings import findings

FAR = '''"""A module for tests."""
from typing import Any
import numpy as np
from numpy.lib.stride_tricks import as_strided
from probespiel.envs.kuhn.module import Module
module = Module("far", "A module for tests.")
@module.hook
def moves(s: Any, p: Any, seat: int, bits: int) -> int:
    """Whoever is on turn after a bet writes very far away; interpreted, a number that grew too large is met before."""
    marks = np.zeros(4, dtype=np.int64)
    if s.turn == 1 and s.moves[0] == 1:
        far = as_strided(marks, (100_000_000,), (8,))
        grown = (1 << 62) * (2 + bits); marks[0] = grown; far[99_999_999] = 1
    return bits
'''


@pytest.fixture
def far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A rule that touches memory that is not its own, by a way that no process has heard of: else it is refused."""
    path = tmp_path / "far.py"
    path.write_text(FAR)
    with pytest.raises(RulesetError, match="uses 'as_strided'"):
        load_module(INTERFACE, str(path))
    started = tmp_path / "started"
    started.mkdir()
    (started / "sitecustomize.py").write_text("from probespiel.envs.core.modules import imports\nimports.UNSAFE = ()\n")
    monkeypatch.setenv("PYTHONPATH", str(started))
    monkeypatch.setattr(imports, "UNSAFE", ())
    return str(path)


@pytest.mark.skipif(config.DISABLE_JIT, reason="interpreted rules raise an error there")
def test_rules_that_bring_their_process_down(far: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found, page = run_stress(Settings("kuhn", far, budget="quick"), tmp_path / "out", jobs=1)
    assert found.verdict and found.verdict.word == "broken" and found.complete
    fault = {fault.where: fault for fault in found.faults}[EVERYBODY]
    assert fault.kind == "crash" and "bring the process down" in fault.text and "SIGSEGV" in fault.text
    assert f": {far}:13: module far: hook 'moves' raised OverflowError" in fault.text
    assert fault.replay and [move.what for move in fault.moves] == ["bet"] and fault.final is None
    show(found, page)
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "probespiel replay" in line]
    assert run(shlex.split(line.split("`")[1])[1:]) == 0, "the command finds the game wherever it is given"
    assert "bet" in capsys.readouterr().out


def test_what_interpreted_rules_say_is_told(far: str, tmp_path: Path) -> None:
    """Of a game that compiled ones did not survive; nothing where interpreted ones do."""
    lab = open_lab(Settings("kuhn", far, budget="quick"), tmp_path)
    everybody = lab.bench.everybody()
    assert why(lab, everybody, 0, 3, 1, [[0, 0]]) == {"text": ""}
    told = why(lab, everybody, 0, 3, 1, [[0, 1]])["text"]
    assert told.startswith(
        f"{far}:13: module far: hook 'moves' raised OverflowError: Python int too large to convert to C long"
    )


@pytest.mark.parametrize(
    ("said", "told"), [({"text": "far.py:11: hook 'moves'"}, ": far.py:11: hook 'moves'"), ({"text": ""}, "")]
)
def test_why_stands_behind_what_happened(
    said: dict[str, str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules that hang are not asked again: they would hang once more."""
    last = {"game": 2, "decisions": [[0, 1]], "doing": breakage.ASKING}
    monkeypatch.setattr(breakage, "last_of", lambda path: last)
    monkeypatch.setattr(breakage, "_followed", lambda context, args: {"replay": "1.json", "length": 1, "moves": []})
    asked: list[Job] = []
    context: Any = SimpleNamespace(folder=tmp_path, ask=lambda step, jobs: asked.extend(jobs) or [said])
    job = Job("probe", {"condition": Condition(), "games": 3, "seed": 7, "live": "x"})
    for kind, end in (("died", told), ("hung", "")):
        fault = breakage._lost(context, EVERYBODY, Failed(kind, "probe: it ended"), job, 0)
        assert fault.text.endswith(f"while a seat's legal actions were listed (after 1 decisions){end}")
        book = words("de")
        german = book(fault.text)
        assert not book.missed and german.endswith(f"(nach 1 Entscheidungen){end}")
    assert [(one.kind, one.args["game"], one.args["decisions"]) for one in asked] == [("why", 2, [[0, 1]])]


def test_a_terminal_is_told_where_the_replay_lies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fault = Fault("crash", "it broke", EVERYBODY, replay="1-crash.json")
    broken = replace(findings(), breakage=Breakage((fault,)))
    broken = replace(broken, verdict=Verdict("broken", ("it broke",), next=next_for_holder(broken, "broken")))
    show(replace(broken, game_verdict=Verdict("broken", ("it broke",))), tmp_path / "report.html")
    assert f"`probespiel replay --trust-files {tmp_path / 'replays' / '1-crash.json'}`" in capsys.readouterr().out


def test_commands_name_replays_from_where_they_are_given() -> None:
    """Those of other commands, and files that lie elsewhere, are left as they are."""
    line = "Look: `probespiel replay --trust-files replays/1.json`; `probespiel balance kuhn` looks for replays/1."
    told = from_here(line, Path("my results/o"))
    assert told == line.replace("files replays/1.json", "files 'my results/o/replays/1.json'")
    assert from_here("`probespiel replay o/replays/1.json`", Path("o")) == "`probespiel replay o/replays/1.json`"
    assert from_here("`probespiel replay replays/1.json`", Path("o")) == "`probespiel replay o/replays/1.json`"
