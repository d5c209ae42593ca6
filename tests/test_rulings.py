"""Rulings: what the rules had left open, as worked examples; and what the runner refuses in every system."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from probespiel.envs.core.verify import load_cases, run_guarded, verify_file
from probespiel.envs.einblatt.verify import run_play as run_einblatt
from probespiel.evaluation.declaration import analysis_of

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.glob("rulings_*.json"))
CASES = {case["id"]: (path, case) for path in FILES for case in load_cases(path)[1]}


@pytest.mark.parametrize("name", CASES)
def test_ruling(name: str) -> None:
    path = CASES[name][0]
    result = verify_file(path, analysis_of(load_cases(path)[0]).examples(), only=name)[0]
    assert not result.problems


def golden(system: str, name: str) -> dict[str, Any]:
    """A copy of a worked example, to be spoilt."""
    return copy.deepcopy(next(case for case in load_cases(GOLDEN / f"{system}.json")[1] if case["id"] == name))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"target": "GM"}, "field 'target'"),
        ({"card": "HK"}, "field 'card'"),
        ({"action": "card:Billy"}, "card:Billy"),
        ({"action": "attack:HK"}, "attack:HK"),
        ({"action": "attack:GM"}, "not legal"),
        ({"seat": "HK"}, "HK"),
    ],
)
def test_einblatt_refuses(change: dict[str, Any], message: str) -> None:
    """Fields that a choice does not take, and names of the wrong kind; as an illegal step it is refused, too."""
    case = golden("einblatt", "billy_tree")
    wrong = {**case["steps"][0], **change}
    case["steps"].insert(0, {**wrong, "illegal": True})
    assert run_einblatt(case) == []
    case["steps"][0] = wrong
    assert message in run_guarded(run_einblatt, case)[0]


def test_einblatt_wants_both_votes() -> None:
    """A vote of which one part is missing is no vote."""
    case = golden("einblatt", "billy_tree")
    case["setup"]["config"] = {"max_tests": 2}
    for seat in case["setup"]["seats"]:
        seat["hand"] = seat["hand"][:3]
    phases = [("commit", "pass")] * 3 + [("continue", "no")]
    case["steps"] = [{"seat": s, "phase": p, "action": a} for p, a in phases for s in ("Billy", "GM")]
    case["expect"] = {"tests": 1}
    assert run_einblatt(case) == []
    del case["steps"][-1]
    assert "asked in phase continue" in run_einblatt(case)[0]


def test_einblatt_illegal_steps_wait_for_their_question() -> None:
    """A question that the script leaves out is answered before an illegal step that means a later one."""
    case = golden("einblatt", "table_redraw")
    at = next(i for i, step in enumerate(case["steps"]) if step["phase"] == "commit")
    card = case["steps"][at]["action"]
    case["steps"] = [s for s in case["steps"] if s["phase"] == "commit"]
    case["expect"] = {}
    case["steps"].insert(0, {"seat": case["steps"][0]["seat"], "phase": "commit", "action": card, "illegal": True})
    assert run_einblatt(case)
