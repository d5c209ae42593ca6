"""Shipped modules with random edits never take the stress lab down and never hang it.

`PROBESPIEL_MUTANTS=300 pytest -m slow tests/test_stress_mutated.py` tries more of them, and others with another
`PROBESPIEL_MUTANT_SEED`.
"""

from __future__ import annotations

import os
import random
import resource
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from probespiel.agents.declaration import lineup_of
from probespiel.envs import make_game
from probespiel.envs.core.errors import ProbespielError, RulesetError
from probespiel.envs.core.registry import system_of
from probespiel.evaluation.stress import breakage, building, context
from probespiel.evaluation.stress.breakage import raised
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.conditions import Bench, Settings
from probespiel.evaluation.stress.context import LabFailure
from probespiel.evaluation.stress.exact import exact_values
from probespiel.evaluation.stress.game_levels import level_named
from probespiel.evaluation.stress.lab import Lab
from probespiel.evaluation.stress.run import run_stress

from .mutated_modules import Mutant, edited, mutant

SMALL = ("ews_rps", "konfrontation")
ALL = ("ews_rps", "konfrontation", "scorekeeper", "oneshot", "einblatt")
FEW = replace(
    BUDGETS["quick"], seeds=1, probe=60, learn_use=5, learn_free=5, learn_counter=5, prelude=4, choose=10, measure=20,
    matrix=10, rates=10, samples=10, course=20, replicates=2, ladder=(2, 4), rung=2, show=10, resamples=20,
    differences=(0,), curve=(0,), stakes=1_000,
)  # fmt: skip
SEED = int(os.environ.get("PROBESPIEL_MUTANT_SEED", "2"))
SECONDS = 300.0  # of processor time for one mutant, compiling and all; more is a lab that hangs


def spent() -> float:
    """Processor seconds of this process and of those that it has waited for: what others do does not count."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def tried(edited: Mutant, folder: Path) -> str:
    """What interpreted rules make of a mutant: refused, or a few games with or without an error."""
    path = edited.write(folder)
    try:
        lab = Lab(Bench(Settings(edited.game, str(path)), compiled=False), folder)
        lab.bench.game(lab.bench.everybody())
    except RulesetError as error:
        assert str(error).strip(), edited
        return "refused"
    told = raised(lab, lab.bench.everybody(), 2, 1, "replays/broken.json")
    if not told["text"]:
        return "plays"
    assert (folder / "replays" / "broken.json").is_file() and told["length"] >= 0
    return "broken"


def test_mutants_are_refused_or_played(tmp_path: Path) -> None:
    """A handful of each kind, interpreted: an error comes with its words, and with the replay that shows it."""
    found = Counter()
    for number in range(10):
        folder = tmp_path / str(number)
        folder.mkdir()
        found[tried(mutant(number, 1, SMALL), folder)] += 1
    assert found["refused"] and found["plays"] and sum(found.values()) == 10


def test_a_module_whose_declaration_is_gone_is_edited_further() -> None:
    """A first edit may take it: the next one goes anywhere."""
    text = "from x import y\nvalue = 1\n"
    assert any(edited(text, random.Random(seed)) != text for seed in range(20))


@pytest.mark.parametrize("name", ["kuhn", "einblatt-duel"])
def test_levels_are_named_without_building_rules_under_test(name: str) -> None:
    """What cannot be compiled, or brings its process down, is built by workers alone: this bench has no games."""
    bench = SimpleNamespace(system=system_of(name), settings=SimpleNamespace(game=name))
    levels = lineup_of(make_game(name, compiled=False)).levels
    found = [level_named(cast(Any, SimpleNamespace(bench=bench)), number) for number in (1, 8)]
    assert found == [levels[0], f"{levels[7]},prior=rollout"]


def test_interpreted_rules_are_not_solved() -> None:
    """Some hundred thousand positions, a millisecond each and more, looked like a lab that hangs."""
    assert exact_values(cast(Any, SimpleNamespace(compiled=False)), []) == (None, "")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(int(os.environ.get("PROBESPIEL_MUTANTS", "60"))))
def test_the_lab_survives(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It refuses a mutant with a reason, or comes to its end with a verdict; "broken" has a replay."""
    monkeypatch.setitem(BUDGETS, "quick", FEW)
    monkeypatch.setattr(context, "fitted", lambda budget, *_: (budget, 1.0))
    monkeypatch.setattr(breakage, "SECONDS", 3.0)
    monkeypatch.setattr(building, "SECONDS", 3.0)
    begun = spent()
    made = mutant(number, SEED, ALL)
    path = made.write(tmp_path)
    try:
        found, page = run_stress(Settings(made.game, str(path), budget="quick"), tmp_path / "out", jobs=1)
    except ProbespielError as error:
        assert not isinstance(error, LabFailure), made.text
        assert str(error).strip() and "Traceback" not in str(error)
        return
    finally:
        assert spent() - begun < SECONDS
    assert found.verdict is not None and page.is_file()
    if found.verdict.word == "broken":
        assert all(f.replay or f.length is None or f.length == 0 for f in found.faults), found.faults
    else:
        assert found.complete
