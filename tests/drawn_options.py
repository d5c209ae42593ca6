"""Defaults and ranges of all options of all commands: `python -m tests.drawn_options` writes them anew.

What a command does when nobody says otherwise stands in one line of a signature, which no test may ever leave out.
tests/golden/options.json keeps a row a command; a change on purpose is written anew and read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import typer

from probespiel.app.cli import command_line

FILE = Path(__file__).parent / "golden" / "options.json"


def _commands(command: Any, *path: str) -> Iterator[tuple[str, Any]]:
    if hasattr(command, "commands"):
        for name in sorted(command.commands):
            yield from _commands(command.commands[name], *path, name)
    else:
        yield " ".join(path), command


def _told(value: Any) -> Any:
    value = value() if callable(value) else value
    if isinstance(value, Enum):
        value = value.value
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _row(param: Any) -> list[Any]:
    """The default; whether it must be given, may be repeated, is a flag; the ends of its range."""
    kind = getattr(param, "type", None)
    flags = [bool(getattr(param, name, False)) for name in ("required", "multiple", "is_flag")]
    ends = (getattr(param, end, getattr(kind, end, None)) for end in ("min", "max"))  # typer keeps them here or there
    return [_told(param.default), *flags, *map(_told, ends)]


def options() -> dict[str, dict[str, list[Any]]]:
    """By command and names of an option what is kept of it."""
    return {
        path: {"/".join((*param.opts, *param.secondary_opts)): _row(param) for param in command.params}
        for path, command in _commands(typer.main.get_command(command_line()))
    }


def written() -> str:
    """The file as it would be written now."""
    lines = [f"{json.dumps(path)}: {json.dumps(row)}" for path, row in options().items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
