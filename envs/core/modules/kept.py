"""What files of others may not change: modules that others look up, the streams, and the working folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ..errors import RulesetError

STREAMS = ("stdin", "stdout", "stderr")  # in the order of their descriptors


class Changed(RulesetError):
    """A file has changed what belongs to the whole process; it was put back."""


@contextmanager
def kept_imports(only: str = "a rule file only declares") -> Iterator[None]:
    """Refuse a file that takes away or replaces what was imported before, which others look up by name, or a stream.

    All is put back; but what the file imported after that was made once more, so that nothing fits together any longer.
    The rest is as with `kept_process`. Raises Changed, whose text ends with `only`: what such a file is for.
    """
    before = dict(sys.modules)
    changed: list[str] = []
    try:
        with kept_process(only, changed):
            yield
    finally:
        changed += [f"sys.modules[{n!r}] is another one" for n, m in before.items() if sys.modules.get(n) is not m]
        sys.modules.update(before)
    _refuse(changed, only)


@contextmanager
def kept_process(only: str, found: list[str] | None = None) -> Iterator[None]:
    """Refuse code that replaces, takes away or closes a stream, or goes to another folder; all is put back.

    Raises Changed, or adds to `found` what was changed. Nothing may write meanwhile, nor change these things itself.
    """
    streams = {name: getattr(sys, name) for name in STREAMS}
    closed = {name: _closed(stream) for name, stream in streams.items()}
    files = {number: _file(number) for number in range(len(STREAMS))}
    spare = {number: os.dup(number) for number, file in files.items() if file is not None}
    folder = _folder()
    changed: list[str] = []
    try:
        yield
    finally:
        for number, held in spare.items():
            if _file(number) != files[number]:
                changed.append(f"file descriptor {number} is another one")
                os.dup2(held, number)
            os.close(held)
        for number, (name, stream) in enumerate(streams.items()):
            if getattr(sys, name, None) is not stream:
                changed.append(f"sys.{name} is another one")
            if _closed(stream) and not closed[name]:
                changed.append(f"sys.{name} is closed")
                stream = _opened(stream, number)
            setattr(sys, name, stream)
        if folder is not None and _folder() != folder:
            changed.append("the working folder is another one")
            with suppress(OSError):  # it may be gone, as it may have been before
                os.chdir(folder)
        if found is not None:
            found += changed
    if found is None:
        _refuse(changed, only)


def _refuse(changed: list[str], only: str) -> None:
    if changed:
        raise Changed(f"{changed[0]} afterwards; {only}")


def _closed(stream: Any) -> bool:
    return bool(getattr(stream, "closed", False))


def _opened(stream: Any, number: int) -> Any:
    """A stream like one that was closed, on the descriptor that it had, which is not closed with it."""
    return open(
        number,
        "r" if number == 0 else "w",
        buffering=1 if getattr(stream, "line_buffering", False) else -1,
        encoding=stream.encoding,
        errors=stream.errors,
        closefd=False,
    )


def _file(number: int) -> tuple[int, int] | None:
    """What file a descriptor stands for; None where it is closed."""
    try:
        told = os.fstat(number)
    except OSError:
        return None
    return told.st_dev, told.st_ino


def _folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it is gone
        return None


__all__ = ["Changed", "kept_imports", "kept_process"]
