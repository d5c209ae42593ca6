"""Frozen records from the plain values that JSON keeps of them, and files of such records.

A file tells its format as `probespiel-NAME/VERSION`. What is read is checked against the types of the records, so that
a damaged file is refused, whatever is wrong with it.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import re
import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from ...envs.core.errors import ProbespielError
from ..tournament.summary import plain

T = TypeVar("T")
_FORMAT = re.compile(r"probespiel-([a-z-]{1,40})/(\d{1,6})")
_PLAIN = (str, int, bool)
MOST_BYTES = 256 * 2**20  # of a file


def record(kind: type[T], content: Mapping[str, Any]) -> T:
    """The record of a dataclass, with records, tuples and dicts in it, from `dataclasses.asdict` of it as JSON.

    None where a float is meant is read as NaN. Raises KeyError for fields that the class does not have, TypeError for
    missing ones and for values of other types, and ValueError for tuples of another length.
    """
    known = _types_of(kind)
    if not isinstance(content, Mapping):
        raise TypeError(f"{kind.__name__} is {_short(content)}, not an object")
    return kind(**{name: _value(known[name], value, name) for name, value in content.items()})


@functools.cache
def _types_of(kind: type) -> dict[str, Any]:
    """Types of the fields of a dataclass, by name: to find them takes longer than to read a record, of which there are
    thousands in a file."""
    return get_type_hints(kind)


@functools.cache
def _parts_of(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """What a type is without its parts, and those."""
    return get_origin(kind), get_args(kind)


def _value(kind: Any, value: Any, name: str) -> Any:
    """A value of JSON as what a field of type `kind` holds."""
    if kind is str and isinstance(value, str):
        return value
    origin, parts = _parts_of(kind)
    if origin in (Union, types.UnionType):
        if value is None and types.NoneType in parts:
            return None
        return _value(next(p for p in parts if p is not types.NoneType), value, name)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return record(kind, value)
    if is_sequence(origin):
        if not isinstance(value, list):
            raise TypeError(f"{name} is {_short(value)}, not a list")
        each = parts[:1] * len(value) if origin is not tuple or parts[-1] is Ellipsis else parts
        return tuple(_value(part, entry, name) for part, entry in zip(each, value, strict=True))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        if not isinstance(value, Mapping):
            raise TypeError(f"{name} is {_short(value)}, not an object")
        return {key: _value(parts[1], entry, name) for key, entry in value.items()}
    if kind is float:
        return float("nan") if value is None else float(value)
    if kind in _PLAIN and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        raise TypeError(f"{name} is {_short(value)}, not of type {kind.__name__}")
    return value


def is_sequence(origin: Any) -> bool:
    """Whether a type without its parts is that of a tuple or another sequence."""
    return isinstance(origin, type) and issubclass(origin, Sequence)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def record_text(name: str, version: int, found: Any, **more: Any) -> str:
    """A file of one record as JSON; `more` are further plain values for its readers."""
    content = {"format": f"probespiel-{name}/{version}", **more, name: plain(dataclasses.asdict(found))}
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False, default=str) + "\n"


def kept(name: str, version: int, found: T) -> tuple[str, T]:
    """A file of one record as JSON, and the record as it is read from that: a page of it is the same ever after."""
    text = record_text(name, version, found)
    return text, record(type(found), json.loads(text)[name])


def content_of(path: Path) -> dict[str, Any]:
    """The JSON object of a file; raises ProbespielError for anything else."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ProbespielError(f"{path} is larger than {MOST_BYTES >> 20} MiB: no result is")
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProbespielError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ProbespielError(f"{path} is damaged, or no result of probespiel: {error}") from None
    if not isinstance(found, dict):
        raise ProbespielError(f"{path} is damaged, or no result of probespiel: its JSON is no object")
    return found


def format_of(path: Path, content: Mapping[str, Any]) -> tuple[str, int]:
    """The name and the version of a file's format; raises ProbespielError if it has none."""
    told = content.get("format")
    found = _FORMAT.fullmatch(told) if isinstance(told, str) else None
    if found is None:
        raise ProbespielError(f'{path} is no result of probespiel: its "format" is {_short(told)}')
    return found[1], int(found[2])


def check_version(path: Path, name: str, found: int, known: int) -> None:
    """Raise ProbespielError for a file of another version than the one that is known."""
    if found > known:
        raise ProbespielError(
            f"{path} has format probespiel-{name}/{found}, of a newer probespiel than this one, which reads version "
            f"{known}: update probespiel"
        )
    if found < known:
        raise ProbespielError(
            f"{path} has format probespiel-{name}/{found}, of an older probespiel; this one reads version {known}, for "
            "which the file lacks things: make the result again"
        )


def read_record(kind: type[T], name: str, version: int, path: Path) -> T:
    """The record of a file that holds `record_text`; raises ProbespielError if it is none of this version."""
    try:
        content: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != f"probespiel-{name}/{version}":
            raise ValueError(f"format {content['format']!r}, not 'probespiel-{name}/{version}'")
        return record(kind, content[name])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProbespielError(f"{path} is no {name} of this version: {error}") from None


__all__ = ["check_version", "content_of", "format_of", "is_sequence", "kept", "read_record", "record", "record_text"]
