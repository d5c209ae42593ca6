"""How a session at the terminal ends: for what reason, and from outside by a signal or as the terminal is gone."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...envs.core.interrupts import forget, told_again

QUIT, END_OF_INPUT, INTERRUPTED, OVER = "quit", "end_of_input", "interrupted", "over"
FORFEIT, TERMINATED = "forfeit", "terminated"
_CODE = 128  # and the number of the signal: the exit status of a program that it has ended
_HANGUP = 1  # the number of SIGHUP, which not every system has


@dataclass(frozen=True)
class Ending:
    """How a session ended: QUIT, END_OF_INPUT, INTERRUPTED, TERMINATED, OVER or FORFEIT; and where the game is kept.

    `code` is the exit code of a program that was told to end, else 0.
    """

    reason: str
    path: Path | None
    code: int = 0


class Terminated(SystemExit):
    """The program is told to end (SIGTERM, SIGHUP); a SystemExit, which no library takes for an error of its own."""


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """SIGTERM and SIGHUP (a closed window) raise Terminated, so that a session can take its leave.

    A signal that is ignored already, as SIGHUP by `nohup`, stays so.
    """
    main = threading.current_thread() is threading.main_thread()
    numbers = _numbers() if main else []
    before = {number: signal.getsignal(number) for number in numbers}
    heard = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in heard:
        forget(number)
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in heard:
            if signal.getsignal(number) is _end:  # else the end has begun
                signal.signal(number, before[number])


def hear_no_more() -> None:
    """The end has begun; what else tells the program so must not break it off, and a closed window tells it twice."""
    if threading.current_thread() is threading.main_thread():
        for number in _numbers():
            if signal.getsignal(number) is _end:
                signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def at_the_terminal() -> Iterator[None]:
    """While it is read or written: raises Terminated, as SIGHUP does, where it is gone before the signal is heard."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EIO:  # what the system answers where the other end of a terminal is closed
            raise
        told_again(_HANGUP)  # the signal is on its way, and must not break off what begins now
        write_no_more()
        raise Terminated(_CODE + _HANGUP) from None


def write_no_more() -> None:
    """Let all that is still written go nowhere, what lies in the buffers included."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # a stream of a test is no file of the system
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _numbers() -> list[int]:
    return [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def _end(number: int, _: object) -> None:
    if not told_again(number):
        raise Terminated(_CODE + number)


__all__ = [
    "END_OF_INPUT", "FORFEIT", "INTERRUPTED", "OVER", "QUIT", "TERMINATED",
    "Ending", "Terminated", "at_the_terminal", "ended_by_signals", "hear_no_more", "write_no_more",
]  # fmt: skip
