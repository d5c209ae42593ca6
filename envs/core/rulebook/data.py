"""The tables of a rulebook (`glossary.toml`, `scenarios.toml`, ...), read once, and the languages of its texts."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..actions import LANGUAGES
from ..errors import RulesetError
from ..rooms import folder_of

FOLDER = "rulebook"


def data_file(name: str, file: str) -> Path | None:
    """A file of the rulebook of a system, or None where it has none."""
    folder = folder_of(name, "envs")
    path = None if folder is None else folder / FOLDER / file
    return path if path is not None and path.is_file() else None


@lru_cache(maxsize=64)
def table_of(name: str, file: str) -> Mapping[str, Any]:
    """A TOML file of the rulebook of a system; empty where it has none. Raises RulesetError."""
    path = data_file(name, file)
    if path is None:
        return {}
    return read_table(path)


def read_table(path: Path) -> Mapping[str, Any]:
    """A TOML file; raises RulesetError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(f"{path}: {error}") from None


def check_language(lang: str) -> None:
    """Raise RulesetError for a language in which there are no texts."""
    if lang not in LANGUAGES:
        raise RulesetError(f"lang = {lang!r} is not allowed: one of {', '.join(LANGUAGES)}")


__all__ = ["FOLDER", "check_language", "data_file", "read_table", "table_of"]
