"""Processes that begin with what they need already imported: one process imports it once and forks the others.

To start an interpreter and import numba takes half a second of processor time, a fork some milliseconds. A nursery has
one thread, holds nothing of the process that started it, and runs nothing but the import; whatever its children do with
themselves, the next one is forked from the same clean state. A child has the working folder and the environment that
its parent has when it is started, no open files but those that it is given, and a session of its own, so that an
interrupt at the keyboard does not reach it. A nursery ends with the process that started it; its children then see
their files close, and whoever wants to end with it has `leave_with_nursery`.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import pickle
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from .leaving import leave_with

_LENGTH = struct.Struct("<I")
_STATUS = struct.Struct("<i")
_MOST_FILES = 8  # that one child may be given
_LOST = -signal.SIGKILL  # the exit code of a child whose nursery has died
GRACE_SECONDS = 5.0


class NurseryError(OSError):
    """A nursery that cannot be started, or has died."""


class Child:
    """A process that a nursery has forked; `pid` is its number."""

    def __init__(self, pid: int, status: int) -> None:
        self.pid = pid
        self._status: int | None = status  # a pipe from which the exit code can be read when it has ended
        self._code = 0

    def wait(self, seconds: float | None = None) -> int:
        """Its exit code, negative for the signal that ended it; raises subprocess.TimeoutExpired after `seconds`."""
        if self._status is not None:
            if not select.select([self._status], [], [], seconds)[0]:
                raise subprocess.TimeoutExpired(f"process {self.pid}", seconds or 0.0)
            told = os.read(self._status, _STATUS.size)
            self._code = _STATUS.unpack(told)[0] if len(told) == _STATUS.size else _LOST
            os.close(self._status)
            self._status = None
        return self._code

    def kill(self) -> None:
        """Kill it if it has not ended."""
        if self._status is not None and not select.select([self._status], [], [], 0)[0]:
            try:
                os.kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:  # it has ended in this moment
                pass

    def __del__(self) -> None:
        if self._status is not None:
            os.close(self._status)


class Nursery:
    """A process that has imported `module`, and forks others; see the text of this file. Raises NurseryError."""

    def __init__(self, module: str) -> None:
        self._end, theirs = socket.socketpair()
        self._lock = threading.Lock()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", f"from {__name__} import tend; tend({theirs.fileno()}, {module!r})"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )

    @property
    def alive(self) -> bool:
        """Whether its process runs."""
        return self._process.poll() is None

    def start(self, function: str, *arguments: Any, files: Sequence[int] = (), stdin: int | None = None) -> Child:
        """Fork a process that calls a function, named as `module:name`, and ends when it returns.

        It is called with the descriptors of `files` under the numbers that they have there, then with the arguments
        (any picklable values of built-in types). `stdin` becomes its standard input, which is closed otherwise, like
        its outputs. Raises NurseryError.
        """
        ours, theirs = os.pipe()
        given = [theirs, *files, *([] if stdin is None else [stdin])]
        wanted = (function, arguments, stdin is not None, dict(os.environ), os.getcwd())
        body = pickle.dumps(wanted, protocol=5)
        try:
            with self._lock:
                socket.send_fds(self._end, [_LENGTH.pack(len(body))], given)
                self._end.sendall(body)
                pid = _LENGTH.unpack(_exactly(self._end, _LENGTH.size))[0]
        except (OSError, EOFError) as error:
            os.close(ours)
            raise NurseryError("the process that starts others has died") from error
        finally:
            os.close(theirs)
        return Child(pid, ours)

    def close(self) -> None:
        """End it; children that want to live on do."""
        self._end.close()
        try:
            self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


_NURSERIES: dict[tuple[object, ...], Nursery] = {}
_tender = 0  # in a nursery and in its children: its process number


def nursery(module: str) -> Nursery:
    """The nursery of this process for a module, started where there is none that lives.

    What an interpreter or numba reads from the environment when it starts is the same as here and now.
    """
    read = tuple(sorted((k, v) for k, v in os.environ.items() if k.startswith(("PYTHON", "NUMBA_"))))
    key = (os.getpid(), module, read)
    found = _NURSERIES.get(key)
    if found is not None and not found.alive:
        found.close()
        found = None
    if found is None:
        found = _NURSERIES[key] = Nursery(module)
    return found


@atexit.register
def _close_all() -> None:
    for (pid, *_), one in _NURSERIES.items():
        if pid == os.getpid():
            one.close()


def _exactly(end: socket.socket, length: int) -> bytes:
    parts: list[bytes] = []
    while length:
        part = end.recv(length)
        if not part:
            raise EOFError
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


# --- the nursery's own process --------------------------------------------------------------------------------------


def tend(descriptor: int, module: str) -> None:
    """A nursery's whole life: import the module, then fork whatever is asked for, until the socket closes."""
    global _tender
    importlib.import_module(module)
    _tender = os.getpid()
    gc.collect()
    gc.freeze()  # what is there now is never collected, so that children share its pages
    end = socket.socket(fileno=descriptor)
    awake, wake = os.pipe()
    os.set_blocking(awake, False)
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # so that the number of the signal is written into the pipe
    signal.set_wakeup_fd(wake)
    waiting: dict[int, int] = {}  # by process: where its exit code goes
    while True:
        ready, _, _ = select.select([end, awake], [], [])
        if awake in ready:
            os.read(awake, 1 << 10)
            _reap(waiting)
        if end in ready:
            head, files, _, _ = socket.recv_fds(end, _LENGTH.size, _MOST_FILES)
            if not head:
                os._exit(0)
            head += _exactly(end, _LENGTH.size - len(head)) if len(head) < _LENGTH.size else b""
            wanted = pickle.loads(_exactly(end, _LENGTH.unpack(head)[0]))
            with warnings.catch_warnings():  # numpy's threads for linear algebra know how to be forked
                warnings.simplefilter("ignore", DeprecationWarning)
                pid = os.fork()
            if pid == 0:
                _live(wanted, files[1:])
            for number in files[1:]:
                os.close(number)
            waiting[pid] = files[0]
            end.sendall(_LENGTH.pack(pid))


def _reap(waiting: dict[int, int]) -> None:
    while waiting:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        told = waiting.pop(pid)
        try:
            os.write(told, _STATUS.pack(os.waitstatus_to_exitcode(status)))
        except BrokenPipeError:  # nobody wants to know
            pass
        os.close(told)


def _live(wanted: tuple[str, tuple[Any, ...], bool, Mapping[str, str], str], files: list[int]) -> None:
    """A child's life, from the fork to its end."""
    try:
        function, arguments, has_input, environment, folder = wanted
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        if has_input:
            os.dup2(files.pop(), 0)
        _close_others(files)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        if "numpy" in sys.modules:  # its global generator would draw the same in every child; `random` sees to itself
            sys.modules["numpy"].random.seed()
        module, _, name = function.partition(":")
        getattr(importlib.import_module(module), name)(*files, *arguments)
        os._exit(0)
    except SystemExit as ended:
        os._exit(ended.code if isinstance(ended.code, int) else int(ended.code is not None))
    finally:
        os._exit(1)


def _close_others(files: Sequence[int]) -> None:
    """Close all descriptors but the standard ones and these."""
    last = 2
    for number in sorted(files):
        os.closerange(last + 1, number)
        last = number
    os.closerange(last + 1, os.sysconf("SC_OPEN_MAX"))


def leave_with_nursery() -> None:
    """Let this child end when its nursery ends, even where it never returns from compiled code (on Linux)."""
    leave_with(_tender, at_once=True)


__all__ = ["Child", "Nursery", "NurseryError", "leave_with_nursery", "nursery"]
