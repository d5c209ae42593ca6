"""Frozen records from the plain values that JSON keeps of them, and files of such records."""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from ...envs.core.errors import ProbespielError
from ..tournament.summary import plain

T = TypeVar("T")


def record(kind: type[T], content: Mapping[str, Any]) -> T:
    """The record of a dataclass, with records, tuples and dicts in it, from `dataclasses.asdict` of it as JSON.

    None where a float is meant is read as NaN. Raises KeyError for fields that the class does not have, TypeError for
    missing ones, and ValueError for tuples of another length.
    """
    known = get_type_hints(kind)
    return kind(**{name: _value(known[name], value) for name, value in content.items()})


def _value(kind: Any, value: Any) -> Any:
    """A value of JSON as what a field of type `kind` holds."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return None if value is None else _value(next(p for p in parts if p is not types.NoneType), value)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return record(kind, value)
    if origin is tuple:
        each = parts[:1] * len(value) if parts[-1] is Ellipsis else parts
        return tuple(_value(part, entry) for part, entry in zip(each, value, strict=True))
    if origin is dict:
        return {key: _value(parts[1], entry) for key, entry in value.items()}
    if kind is float:
        return float("nan") if value is None else float(value)
    return value


def record_text(name: str, version: int, found: Any, **more: Any) -> str:
    """A file of one record as JSON; `more` are further plain values for its readers."""
    content = {"format": f"probespiel-{name}/{version}", **more, name: plain(dataclasses.asdict(found))}
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False, default=str) + "\n"


def read_record(kind: type[T], name: str, version: int, path: Path) -> T:
    """The record of a file that holds `record_text`; raises ProbespielError if it is none of this version."""
    try:
        content: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != f"probespiel-{name}/{version}":
            raise ValueError(f"format {content['format']!r}, not 'probespiel-{name}/{version}'")
        return record(kind, content[name])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProbespielError(f"{path} is no {name} of this version: {error}") from None


__all__ = ["read_record", "record", "record_text"]
