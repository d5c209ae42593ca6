"""Whether files of results are what their schemas say."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from probespiel.app.schemas import schema_of


@functools.cache
def validator(kind: str) -> Draft202012Validator:
    """Of a kind of result, whose schema is one itself."""
    schema = schema_of(kind)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def faults_of(content: dict[str, Any]) -> list[str]:
    """Where the content of a file of results is not what the schema of its kind says."""
    kind = content["format"].removeprefix("probespiel-").partition("/")[0]
    return [f"{error.json_path}: {error.message[:200]}" for error in validator(kind).iter_errors(content)]


def assert_valid(path: Path) -> None:
    """A file is what the schema of its kind says."""
    assert faults_of(json.loads(path.read_text(encoding="utf-8"))) == [], path
