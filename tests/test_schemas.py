"""Schemas of the files of results: published as they are, and no laxer than what reads the files.

That real files of each kind are valid is asserted where tests make them (`assert_valid`).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from probespiel.app.cli import run
from probespiel.app.results import KINDS
from probespiel.app.schemas import COMMANDS, schema_of
from probespiel.evaluation.report.schema import Records
from probespiel.evaluation.stress.report import findings_of
from probespiel.evaluation.tournament.report import read_summary, summary_json

from . import write_docs
from .schema_check import faults_of
from .synthetic import info
from .test_reports import KEPT, _spoil, few_blocks


@dataclasses.dataclass(frozen=True)
class Leaf:
    """A leaf."""

    value: float
    word: str | None = None


@dataclasses.dataclass(frozen=True)
class Tree:
    """A tree,
    and what grows on it."""

    leaves: tuple[Leaf, ...]
    ends: tuple[int, bool]
    names: Mapping[str, list[str]]
    anything: Any = None
    inner: Tree | None = None


def test_a_schema_by_hand() -> None:
    records = Records()
    assert records.of(Tree) == {"$ref": "#/$defs/Tree"} and set(records.defs) == {"Tree", "Leaf"}
    assert records.defs["Leaf"] == {
        "description": "A leaf.",
        "type": "object",
        "properties": {
            "value": {"type": ["number", "null"]},
            "word": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["value"],
        "additionalProperties": False,
    }
    tree = records.defs["Tree"]
    assert tree["description"] == "A tree, and what grows on it." and tree["required"] == ["leaves", "ends", "names"]
    assert tree["properties"] == {
        "leaves": {"type": "array", "items": {"$ref": "#/$defs/Leaf"}},
        "ends": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "boolean"}], "items": False,
                 "minItems": 2},
        "names": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
        "anything": {},
        "inner": {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]},
    }  # fmt: skip
    other = dataclasses.make_dataclass("Leaf", [("size", int)], frozen=True)
    assert records.of(other) != {"$ref": "#/$defs/Leaf"} and len(records.defs) == 3
    with pytest.raises(TypeError, match="has no schema"):
        records.of(complex)
    with pytest.raises(TypeError, match="not one type or None"):
        records.of(int | str)


def test_published_as_they_are() -> None:
    """Whoever changes a record sees it there, and thinks of the version."""
    files = write_docs.schema_files()
    assert len(files) == len(KINDS) == 8
    for file, text in files.items():
        assert file.read_text(encoding="utf-8") == text, f"{file.name}: make docs"
    assert {*write_docs.SCHEMAS.iterdir()} == {*files}
    for kind in KINDS:
        assert schema_of(kind)["properties"]["format"] == {"const": f"probespiel-{kind}/{KINDS[kind].version}"}


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    for name, kind in {**COMMANDS, "balance": "balance"}.items():
        assert run(["report", "--schema", name]) == 0
        assert json.loads(capsys.readouterr().out) == schema_of(kind)
    for wrong, words in {
        ("--schema", "poem"): "no results of the kind 'poem': one of summary, stress-report",
        ("--schema", "ladder", "somewhere"): "--schema KIND stands alone",
        (): "RESULT is missing",
    }.items():
        assert run(["report", *wrong]) == 2
        assert words in capsys.readouterr().err


def test_what_a_schema_lets_pass_can_be_read() -> None:
    """Damage of two values anywhere: either the schema tells, or every record can be made of it."""
    rng = np.random.default_rng(8)
    whole = [summary_json(few_blocks(), info()), KEPT.read_text(encoding="utf-8")]
    odd: list[Any] = [None, -1, 10**9, "x", [], {}, True, 0.5]
    passed = told = 0
    for number in range(120):
        content = json.loads(whole[number % 2])
        assert number > 1 or faults_of(content) == []
        form = content.pop("format")
        for _ in range(2):
            _spoil(content, rng, odd[int(rng.integers(len(odd)))])
        content = {"format": form, **content}
        if faults_of(content):
            told += 1
            continue
        passed += 1
        try:
            (findings_of if number % 2 else read_summary)(content)
        except ValueError as error:  # parts that do not go together: more than a schema can say
            assert "strateg" in str(error) or "matrix" in str(error) or "seat" in str(error)
    assert passed > 5 and told > 60


def test_nothing_may_be_missing_or_more() -> None:
    content = json.loads(summary_json(few_blocks(), info()))
    assert faults_of({**content, "poem": 1}) and faults_of({**content, "summary": {**content["summary"], "poem": 1}})
    for part in ("answer", "shown by", "summary"):
        assert faults_of({name: value for name, value in content.items() if name != part}), part
    less = {name: value for name, value in content["summary"].items() if name != "leaderboard"}
    assert faults_of({**content, "summary": less})
    assert faults_of({**content, "format": "probespiel-summary/2"})
