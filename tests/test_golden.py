"""Worked examples: the source's own and one for every module; files, errors, and the runner itself."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.verify import load_cases, verify_file
from probespiel.envs.einblatt.verify import run_play
from probespiel.evaluation.declaration import analysis_of

GOLDEN = Path(__file__).parent / "golden" / "einblatt.json"
CASES = {case["id"]: case for case in load_cases(GOLDEN)[1]}


@pytest.mark.parametrize("name", CASES)
def test_golden_case(name: str) -> None:
    result = verify_file(GOLDEN, analysis_of("einblatt").examples(), only=name)[0]
    assert not result.problems


@pytest.mark.parametrize("name", ["billy_tree", "saruman_ent", "narrow_loss_alrik", "tug_of_war"])
def test_golden_case_compiled(name: str) -> None:
    """The compiled kernel, too: two rule sets."""
    assert verify_file(GOLDEN, compiled=True, only=name)[0].problems == ()


def test_a_wrong_expectation_fails() -> None:
    """The runner notices every kind of mismatch: it is not a rubber stamp."""
    case = copy.deepcopy(CASES["billy_tree"])
    case["expect"]["ep"]["Billy"] = 3
    assert "ep is" in run_play(case)[0]
    case = copy.deepcopy(CASES["billy_tree"])
    case["steps"][2]["action"] = "card:HA"
    assert "not legal" in run_play(case)[0]
    case = copy.deepcopy(CASES["tug_of_war"])
    case["steps"][8]["expect"]["order"][0] = ["Kyle"]
    assert "order is" in run_play(case)[0]
    case = copy.deepcopy(CASES["billy_tree"])
    case["expect"]["nonsense"] = 1
    assert "unknown" in run_play(case)[0]


def test_illegal_steps() -> None:
    """`illegal: true` demands a refusal that changes nothing."""
    case = copy.deepcopy(CASES["billy_tree"])
    case["steps"].insert(0, {"seat": "Billy", "phase": "commit", "action": "card:CA", "illegal": True})
    assert run_play(case) == []
    case["steps"][0]["action"] = "pass"
    assert "was accepted" in run_play(case)[0]


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"config": {"rounds": 4}}, ["rounds", "4", "1..3"]),
        ({"config": {"colours_count": 1}}, ["colours_count", "1", "True"]),
        ({"config": {"runds": 3}}, ["runds", "rounds"]),
        ({"level": "raid"}, ["level", "raid", "melee"]),
        ({"seats": [{"name": "A", "kind": "pc", "attribute": 3}]}, ["seats", "2"]),
    ],
)
def test_invalid_setups(change: dict[str, Any], parts: list[str]) -> None:
    """`expect.error` names what the message must contain; a valid setup fails such a case."""
    case = copy.deepcopy(CASES["billy_tree"])
    case["setup"].update(change)
    case["expect"] = {"error": parts}
    assert run_play(case) == []
    case["expect"] = {"error": ["something else"]}
    assert run_play(case)
    valid = copy.deepcopy(CASES["billy_tree"])
    valid["expect"] = {"error": ["rounds"]}
    assert "accepted" in run_play(valid)[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"cases": 3}',
        '{"system": "einblatt", "cases": [1]}',
        '{"system": 4, "cases": []}',
        "\xff",
        "[" * 100000,
    ],
)
def test_bad_files(text: str, tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ProbespielError, match=r"cases\.json"):
        verify_file(path)


def test_malformed_cases_fail_alone(tmp_path: Path) -> None:
    """A broken case is reported with its message; the others still run."""
    good = CASES["hand_size_table"]
    broken = [
        {"id": "no setup", "kind": "play", "expect": {}},
        {
            "id": "bad step",
            "kind": "play",
            "setup": CASES["billy_tree"]["setup"],
            "steps": [{"seat": "Billy"}],
            "expect": {},
        },
        {"id": "what", "kind": "dance", "setup": {}, "expect": {}},
    ]
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"system": "einblatt", "schema": 1, "title": "t", "cases": [*broken, good]}))
    results = verify_file(path)
    assert [bool(r.problems) for r in results] == [True, True, True, False]
