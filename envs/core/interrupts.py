"""SIGTERM and SIGHUP (a closed window) do what Ctrl-C does: what was finished is kept, the exit code tells which."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

CODE = 128  # and the number of the signal: the exit status of a program that it has ended
INTERRUPTED = CODE + int(signal.SIGINT)
OTHERS = tuple(int(getattr(signal, name)) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
_HANGUP = int(getattr(signal, "SIGHUP", 0))
_told: list[int] = []


class Ended(KeyboardInterrupt):
    """The program was told to end by a signal other than Ctrl-C's; `number` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def told_again(number: int) -> bool:
    """Keep in mind that a signal told the program to end; whether that is no news.

    A closed window tells it twice, the system and the shell each: the second must not break off what the first began.
    """
    again = number == _HANGUP and number in _told
    _told.append(number)
    return again


def forget(number: int) -> None:
    """A signal was lost on its way: if it comes again it is news."""
    _told[:] = [one for one in _told if one != number]


def code_of(code: int) -> int:
    """An exit code, that of an interruption by the signal that was the cause of it."""
    return CODE + _told[0] if code == INTERRUPTED and _told else code


@contextmanager
def ended_like_interrupted() -> Iterator[None]:
    """SIGTERM and SIGHUP raise Ended, a KeyboardInterrupt; where somebody else hears or ignores one it stays so."""
    main = threading.current_thread() is threading.main_thread()
    taken = [number for number in OTHERS if main and signal.getsignal(number) is signal.SIG_DFL]
    if taken:
        _told.clear()
    for number in taken:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, _: FrameType | None) -> None:
    if not told_again(number):
        raise Ended(number)


__all__ = ["CODE", "INTERRUPTED", "OTHERS", "Ended", "code_of", "ended_like_interrupted", "forget", "told_again"]
