"""What is written to the terminal: lines no wider than it, colour where it is wanted, and a screen that is cleared."""

from __future__ import annotations

import os
import pydoc
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from .ending import at_the_terminal
from .plain import as_written

WIDTH = 80  # columns of a terminal that does not say how many it has
NARROWEST = 20
_NUMBER = 4  # signs of a part that are more than the number of an entry
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what was scrolled out of it, and back to its beginning
_EMPTY = 40  # empty lines that hide what stood there, where nothing can be cleared
_STARTS = re.compile(r"\s*(?:#|[-*] |\d+\. |\||```|<)")  # of lines that begin something of their own
_TIED = re.compile(
    r"(?<=\d) (?=%|± |\+- )|(?<=±) (?=\d)|(?<=\+-) (?=\d)|(?<= \d:) (?=\w)"
)  # spaces at which no line is broken
_TIE = "\ue000"  # stands for them meanwhile: a sign that no text has
_ALONE = re.compile(r"\s*(?:#|\||```|<)")  # of lines that nothing goes on
Styled = tuple[str, str]  # a piece of a line and its style, as rich calls it


def width_of(stream: Any) -> int:
    """Columns of a terminal; `WIDTH` for a pipe or a file."""
    if not (hasattr(stream, "isatty") and stream.isatty()):
        return WIDTH
    return max(shutil.get_terminal_size((WIDTH, 24)).columns, NARROWEST)


_FOLDERS = re.compile(r"(?<=[/\\\\])")  # behind each of a path


def fold(text: str, width: int) -> list[str]:
    """A text as lines of at most `width` signs; what goes on is indented a little more than its first line.

    A line of parts that stand two or more spaces apart is broken between these as long as they are short enough.
    """
    lines: list[str] = []
    for line in text.split("\n"):
        if len(line) <= width:
            lines.append(line)
            continue
        bare = line.removeprefix(">")  # the mark of whoever reads it: the lines of others begin with a space instead
        indent = " " * min(len(line) - len(bare.lstrip()) + 4, width // 2)
        lines += _broken(line, width, indent)
    return lines


def _broken(line: str, width: int, indent: str) -> list[str]:
    """A line that is too long: between its parts, and within a part that is too long itself."""
    start = len(line) - len(line.lstrip())
    first, *rest = re.split(r"(?<=\S)(\s{2,})(?=\S)", line[start:])
    lines = [line[:start] + first]
    for gap, part in zip(rest[::2], rest[1::2]):
        joined = lines[-1] + gap + part
        alone = len(lines[-1].strip()) < _NUMBER  # a number of a list never stands alone
        lines[-1:] = [joined] if alone or len(joined) <= width else [lines[-1], indent + part]
    wrap = _Wrapper(width, subsequent_indent=indent, break_on_hyphens=False)
    return [found for each in lines for found in ([each] if len(each) <= width else _wrapped(wrap, each)) or [""]]


class _Wrapper(textwrap.TextWrapper):
    """One that breaks what is longer than a line, such as a path, between its folders first."""

    def _split(self, text: str) -> list[str]:
        found: list[str] = []
        for word in super()._split(text):
            found += [part for part in _FOLDERS.split(word) if part] if len(word) > self.width // 2 else [word]
        return found


def _wrapped(wrap: textwrap.TextWrapper, line: str) -> list[str]:
    """A line in several; a number stays with its per cent and its error."""
    return [found.replace(_TIE, " ") for found in wrap.wrap(_TIED.sub(_TIE, line))]


def flowing(text: str) -> str:
    """Markdown with each paragraph and each item on one line, to be folded anew: sources break theirs elsewhere."""
    lines, code = list[str](), False
    for line in text.split("\n"):
        code ^= line.startswith("```")
        if not code and lines and lines[-1] and line and not _STARTS.match(line) and not _ALONE.match(lines[-1]):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return "\n".join(lines)


def tell(text: str) -> None:
    """Print a line of a list, folded at a terminal; a pipe gets it whole."""
    for line in fold(as_written(text, sys.stdout), width_of(sys.stdout)) if sys.stdout.isatty() else [text]:
        print(line)


def in_columns(cells: Sequence[str], width: int) -> list[str]:
    """Short texts side by side, column by column, as many as the width allows."""
    if not cells:
        return []
    widest = max(map(len, cells)) + 2
    columns = max(1, (width + 2) // widest)
    rows = -(-len(cells) // columns)
    return ["".join(cell.ljust(widest) for cell in cells[row::rows]).rstrip() for row in range(rows)]


def page(text: str, rows: int) -> None:
    """Print a text; at a terminal of so many rows, if it is longer, by the pager that the user has chosen."""
    able = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    if able and text.count("\n") >= rows:
        os.environ.setdefault("LESS", "-RX")  # `less` shows colours as signs otherwise, and clears the screen
        pydoc.pager(text)
    else:
        print(text, end="")


class Screen:
    """Where a session is written. `write` takes whole lines (tests); without it it is standard output, in colour.

    NO_COLOR and TERM=dumb are honoured, and nothing is coloured in a pipe. Raises Terminated if the terminal is gone.
    """

    def __init__(self, write: Callable[[str], None] | None = None, width: int | None = None) -> None:
        self._write = write
        self._width = width
        self._console: Any = None
        self.whole = False  # whether it is a terminal that can be cleared
        if write is None:
            from rich.console import Console

            self._console = Console(highlight=False, soft_wrap=True)
            self.whole = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    @property
    def width(self) -> int:
        """Columns now; a window may change."""
        return self._width or (width_of(sys.stdout) if self._write is None else WIDTH)

    def line(self, text: str = "", style: str = "") -> None:
        """Write a text, folded to the width."""
        for line in fold(self._written(text), self.width):
            self._out(line, style)

    def pieces(self, *pieces: Styled) -> None:
        """Write one line of pieces with styles of their own; without colour if it must be folded."""
        whole = "".join(text for text, _ in pieces)
        if self._console is None or len(self._written(whole)) > self.width:
            self.line(whole)
            return
        from rich.text import Text

        with at_the_terminal():
            self._console.print(Text.assemble(*pieces))

    def lines(self, lines: Sequence[str], style: str = "") -> None:
        """Write several texts."""
        for line in lines:
            self.line(line, style)

    def markdown(self, text: str) -> None:
        """Write Markdown: formatted in a terminal, without colour, too; as it is elsewhere."""
        if self._console is not None and sys.stdout.isatty():
            from rich.markdown import Markdown

            # the console leaves lines as they are (`soft_wrap`), which would cut these at its edge
            with self._console.capture() as caught:
                self._console.print(Markdown(self._written(text)), width=min(self.width, 100), soft_wrap=False)
            with at_the_terminal():
                page(caught.get(), self._console.height)
        else:
            self.line(flowing(text.rstrip("\n")))

    def clear(self) -> None:
        """Hide all that was written so far, what was scrolled away included."""
        if self.whole:
            with at_the_terminal():
                sys.stdout.write(_CLEAR)
                sys.stdout.flush()
        else:
            self._out("\n" * _EMPTY, "")

    def _written(self, text: str) -> str:
        return text if self._write is not None else as_written(text, sys.stdout)

    def _out(self, line: str, style: str) -> None:
        if self._console is None:
            assert self._write is not None
            self._write(line)
        else:
            from rich.text import Text

            with at_the_terminal():
                self._console.print(Text(line, style=style))


__all__ = ["WIDTH", "Screen", "flowing", "fold", "in_columns", "page", "tell", "width_of"]
