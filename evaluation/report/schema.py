"""JSON Schemas of the files of results, made from the types of their records (JSON Schema 2020-12).

They say what `record` reads: fields without a default must be there, others may be, further ones may not; a number may
be null where there is none.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Union, get_args, get_origin, get_type_hints

from .records import is_sequence

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXTS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
GAMES: dict[str, Any] = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
_PLAIN = {str: "string", int: "integer", bool: "boolean"}


class Records:
    """The schemas of records, each once below `$defs`, by the names of their classes."""

    def __init__(self) -> None:
        self.defs: dict[str, Any] = {}
        self._kinds: dict[str, Any] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        """The schema of a type that fields of records have; raises TypeError for any other."""
        origin, parts = get_origin(kind), get_args(kind)
        if kind in (Any, object):
            return {}
        if kind in _PLAIN:
            return {"type": _PLAIN[kind]}
        if kind is float:
            return {"type": ["number", "null"]}
        if origin in (Union, types.UnionType):
            one, *more = [part for part in parts if part is not types.NoneType]
            if more or len(parts) == 1 + len(more):
                raise TypeError(f"{kind} is not one type or None")
            found = self.of(one)
            return found if found.get("type") == ["number", "null"] else {"anyOf": [found, {"type": "null"}]}
        if isinstance(kind, type) and dataclasses.is_dataclass(kind):
            return self.record(kind)
        if is_sequence(origin):
            if origin is not tuple or parts[-1] is Ellipsis:
                return {"type": "array", "items": self.of(parts[0])}
            each = [self.of(part) for part in parts]
            return {"type": "array", "prefixItems": each, "items": False, "minItems": len(each)}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(parts[1])}
        raise TypeError(f"{kind} has no schema")

    def record(self, kind: type, otherwise: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
        """The schema of a record; `otherwise` has those of fields that its file keeps otherwise, None: not here."""
        name = kind.__name__
        if self._kinds.setdefault(name, kind) is not kind:  # two files may have records of one name
            name = f"{kind.__module__.rpartition('.')[2]}.{name}"
            self._kinds[name] = kind
        if name not in self.defs:
            self.defs[name] = {}  # so that records within themselves end
            known, none = get_type_hints(kind), dataclasses.MISSING
            given = [f for f in dataclasses.fields(kind) if otherwise.get(f.name, {}) is not None]
            self.defs[name] = {
                "description": " ".join((kind.__doc__ or "").split()),
                "type": "object",
                "properties": {f.name: otherwise.get(f.name) or self.of(known[f.name]) for f in given},
                "required": [f.name for f in given if f.default is none and f.default_factory is none],
                "additionalProperties": False,
            }
        return {"$ref": f"#/$defs/{name}"}

    def fields(self, kind: type, *names: str) -> dict[str, Any]:
        """The schemas of some fields of a record."""
        known = get_type_hints(kind)
        return {name: self.of(known[name]) for name in names}


def file_schema(name: str, version: int, title: str, parts: Mapping[str, Any], records: Records) -> dict[str, Any]:
    """The schema of a file of results: its format, and `parts` with the schemas of what else stands there.

    A part whose name ends with `?` may be missing.
    """
    return {
        "$schema": DIALECT,
        "title": title,
        "type": "object",
        "properties": {
            "format": {"const": f"probespiel-{name}/{version}"},
            **{part.rstrip("?"): schema for part, schema in parts.items()},
        },
        "required": ["format", *(part for part in parts if not part.endswith("?"))],
        "additionalProperties": False,
        "$defs": dict(sorted(records.defs.items())),
    }


def fields_of(kind: type, records: Records) -> dict[str, Any]:
    """The fields of a record as parts of a file that keeps them at its top."""
    found = records.defs.pop(records.record(kind)["$ref"].rpartition("/")[2])
    return {name if name in found["required"] else f"{name}?": schema for name, schema in found["properties"].items()}


__all__ = ["DIALECT", "GAMES", "TEXTS", "Records", "fields_of", "file_schema"]
