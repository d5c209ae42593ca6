"""Lines that are typed, and signals that come while they are waited for."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from probespiel.agents.human import read_line
from probespiel.agents.standard_input import standard_input

LATE = "nobody heard it\n"


class Heard(Exception):
    """What the handler of a signal raises."""


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of a pipe that is standard input."""
    ours, theirs = os.pipe()
    with open(ours, encoding="utf-8") as stdin, open(theirs, "wb", buffering=0) as end:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield end.fileno()


@pytest.fixture
def heard() -> Iterator[list[int]]:
    """What came in SIGUSR1 and SIGUSR2; the handler of the first raises Heard besides."""
    found: list[int] = []

    def note(number: int, _: object) -> None:
        found.append(number)
        if number == signal.SIGUSR1:
            raise Heard

    before = {number: signal.signal(number, note) for number in (signal.SIGUSR1, signal.SIGUSR2)}
    yield found
    for number, handler in before.items():
        signal.signal(number, handler)


def meanwhile(do: Callable[[], object]) -> threading.Thread:
    """Another thread, which does something when this one has waited for a while."""

    def wait() -> None:
        time.sleep(0.2)
        do()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def here(number: int) -> None:
    """A signal that the calling thread gets: it breaks off no wait of the system's in another one."""
    signal.pthread_kill(threading.get_ident(), number)


def test_a_signal_ends_the_wait_though_the_system_waits_on(pipe: int, heard: list[int]) -> None:
    """As with one that comes just before the system begins to wait; a line that comes much later ends it otherwise."""
    answered = threading.Event()

    def note() -> None:
        here(signal.SIGUSR1)
        if not answered.wait(10):
            os.write(pipe, LATE.encode())

    thread = meanwhile(note)
    begin = time.monotonic()
    with pytest.raises(Heard):
        read_line("? ")
    took = time.monotonic() - begin
    answered.set()
    thread.join()
    assert heard == [signal.SIGUSR1] and took < 5
    os.write(pipe, b"next\n")
    assert read_line("? ") == "next", "what was noted is not heard a second time"


def test_a_signal_that_raises_nothing_ends_no_wait(pipe: int, heard: list[int]) -> None:
    noted, note = os.pipe()
    os.set_blocking(note, False)
    before = signal.set_wakeup_fd(note)
    try:
        thread = meanwhile(lambda: (here(signal.SIGUSR2), time.sleep(0.2), os.write(pipe, b"a line\n")))
        assert read_line("? ") == "a line" and heard == [signal.SIGUSR2]
        thread.join()
        assert signal.set_wakeup_fd(before) == note, "who was told of signals is told again"
    finally:
        signal.set_wakeup_fd(before)
        os.close(noted)
        os.close(note)


def test_lines_that_come_together_are_answered_one_by_one(pipe: int) -> None:
    os.write(pipe, "eins\r\nzwei \N{LATIN SMALL LETTER U WITH DIAERESIS}\n\nthe rest".encode())
    closed(pipe)
    assert [read_line("? ") for _ in range(4)] == ["eins", "zwei ü", "", "the rest"]
    assert standard_input() is standard_input() is not sys.stdin
    with pytest.raises(EOFError):
        read_line("? ")


@pytest.mark.parametrize(("typed", "read"), [
    ("Stärke".encode(), "Stärke"), (b"Strength", "Strength"), (b"St\xe4rke", "St\udce4rke")])  # fmt: skip
def test_umlauts_are_read_in_a_locale_without_any(typed: bytes, read: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`explain Stärke` knew no `St\\udcc3\\udca4rke`; what is no UTF-8 stays as it came."""
    stream = io.TextIOWrapper(io.BytesIO(typed + b"\n"), encoding="ascii", errors="surrogateescape")
    monkeypatch.setattr("probespiel.agents.human.standard_input", lambda: stream)
    assert read_line("? ") == read


def closed(pipe: int) -> None:
    """From now on nobody can write."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, pipe)
    os.close(nothing)


def test_another_thread_reads_too(pipe: int) -> None:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(read_line("? ")))
    thread.start()
    os.write(pipe, b"there\n")
    thread.join()
    assert found == ["there"]
