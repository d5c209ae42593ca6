"""Lines of standard input, waited for in such a way that Ctrl-C is heard whenever it comes.

Python runs the handler of a signal between two steps of its own. A signal that comes after the last of these steps and
before the system waits for input, or that the system hands to another thread, is noted and no more: the wait goes on,
and the handler runs only when a line has come. It happens where the machine is busy. So what is waited for here is
either input or the note, which Python writes into a pipe (`signal.set_wakeup_fd`).
"""

from __future__ import annotations

import io
import os
import select
import signal
import sys
import threading
from typing import Any, TextIO


class _Heard(io.RawIOBase):
    """A file descriptor whose reads are ended by the handlers of signals, such as KeyboardInterrupt."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._noted, self._note = os.pipe()
        for end in (self._noted, self._note):
            os.set_blocking(end, False)

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Wait for input and read what is there; 0 at its end."""
        if threading.current_thread() is threading.main_thread():  # no other runs handlers
            self._wait()
        return os.readv(self._descriptor, [buffer])

    def close(self) -> None:
        """Close the pipe; the descriptor belongs to standard input."""
        if not self.closed:
            for end in (self._noted, self._note):
                os.close(end)
        super().close()

    def _wait(self) -> None:
        before = signal.set_wakeup_fd(self._note, warn_on_full_buffer=False)
        try:
            while self._descriptor not in select.select([self._descriptor, self._noted], [], [])[0]:
                os.read(self._noted, 1 << 10)  # a signal whose handler raises nothing
        finally:
            signal.set_wakeup_fd(before)


_found: tuple[TextIO, TextIO] | None = None  # what standard input was, and what is read instead


def standard_input() -> TextIO:
    """What to read lines from: standard input itself where it is no file of the system, as in tests."""
    global _found
    given = sys.stdin
    if _found is None or _found[0] is not given:
        try:
            raw = _Heard(given.fileno())
        except (OSError, ValueError):  # io.UnsupportedOperation is both
            return given
        _found = given, io.TextIOWrapper(io.BufferedReader(raw), encoding=given.encoding, errors=given.errors)
    return _found[1]


__all__ = ["standard_input"]
