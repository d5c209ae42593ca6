"""Texts in one line: errors and warnings as a person at the terminal reads them."""

from __future__ import annotations

import sys
import warnings
from typing import Any

LONGEST = 2000  # characters of an error line


def one_line(text: object) -> str:
    """A text without line breaks, of at most `LONGEST` characters."""
    line = " ".join(str(text).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."


def show_warnings_in_a_line() -> None:
    """Warnings, for instance of rules that cannot be compiled, become one line without the place in our code."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        print(f"warning: {one_line(message)}", file=sys.stderr, flush=True)

    warnings.showwarning = show


__all__ = ["LONGEST", "one_line", "show_warnings_in_a_line"]
