"""The process above a bot's process: it ends all that the bot has started, when the bot or the match is over.

It uses nothing but the standard library, forks the bot's process, and waits until that ends or its own standard
input is closed, by the match or because the match was killed. On Linux the bot's orphans become its children (it is a
*subreaper*), so that processes which have left the bot's group are ended, too; and the bot's process dies with it.

Before any of the bot's code is loaded, its process gives up what it does not need: memory, processes, files and
processor time beyond a limit, and, where the kernel has Landlock, writing files, and touching processes that are not
its own (signals, `ptrace`).
"""

from __future__ import annotations

import ctypes
import importlib
import os
import resource
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path

FILES = 256  # open at a time
FILE_BYTES = 1 << 26  # of one file, where writing is possible at all
MORE_PROCESSES = 256  # and threads, beside all that the user has running
SHARED = 4  # times as much address space as memory: libraries and reserved room count there, too
LINUX = sys.platform.startswith("linux")

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 36, 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # system calls of Landlock, the same on all machines
_WRITE_FILE, _TRUNCATE, _IOCTL = 1 << 1, 1 << 14, 1 << 15
_WRITING = sum(1 << bit for bit in (1, 4, 5, 6, 7, 8, 9, 10, 11, 12))  # write, remove and make files of all kinds
_SINCE = {2: 1 << 13, 3: _TRUNCATE, 5: _IOCTL}  # what later versions of Landlock watch besides: link and move; ...
_SCOPES = 0b11  # abstract sockets and signals, from version 6 on


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def landlock_version() -> int:
    """The version of Landlock that the kernel has; 0: none."""
    return max(0, ctypes.CDLL(None).syscall(_CREATE_RULESET, None, 0, 1)) if LINUX else 0


def forbid_writing() -> bool:
    """From now on this process and all that it starts can write no file but /dev/null; whether the kernel knows how."""
    version = landlock_version()
    if not version:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    watched = _WRITING | sum(bits for since, bits in _SINCE.items() if since <= version)
    rules = _Ruleset(watched, 0, _SCOPES if version >= 6 else 0)
    size = ctypes.sizeof(rules) if version >= 6 else 8
    ruleset = libc.syscall(_CREATE_RULESET, ctypes.byref(rules), size, 0)
    null = os.open(os.devnull, os.O_RDWR)
    rule = _Beneath(watched & (_WRITE_FILE | _TRUNCATE | _IOCTL), null)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    bad = (
        ruleset < 0
        or libc.syscall(_ADD_RULE, ruleset, 1, ctypes.byref(rule), 0)
        or libc.syscall(_RESTRICT_SELF, ruleset, 0)
    )
    if bad:
        raise OSError(ctypes.get_errno(), "Landlock does not take its rules")
    os.close(null)
    os.close(ruleset)
    return True


def limit(memory: int, seconds: int | None) -> None:
    """Limit this process and all that it starts: `memory` in MiB, `seconds` of processor time (None: no limit)."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NOFILE, FILES)
    _limit(resource.RLIMIT_FSIZE, FILE_BYTES)
    _limit(resource.RLIMIT_DATA, memory << 20)
    _limit(resource.RLIMIT_AS, SHARED * memory << 20)
    if seconds is not None:
        _limit(resource.RLIMIT_CPU, seconds)
    if LINUX:
        _limit(resource.RLIMIT_NPROC, _tasks() + MORE_PROCESSES)


def _limit(which: int, most: int) -> None:
    hard = resource.getrlimit(which)[1]
    value = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with suppress(ValueError, OSError):  # macOS refuses some of them; what cannot be limited is not
        resource.setrlimit(which, (value, value))


def _tasks() -> int:
    """How many threads the user of this process has, in all processes."""
    count = 0
    for path in Path("/proc").iterdir():
        with suppress(OSError):
            if path.name.isdigit() and path.stat().st_uid == os.getuid():
                count += len(os.listdir(path / "task"))
    return count


def _prctl(option: int, value: int) -> None:
    if LINUX:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _children() -> list[int]:
    """Processes whose parent this one is."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat") if LINUX else ():
        with suppress(OSError, IndexError, ValueError):
            if int(path.read_text(errors="replace").rpartition(")")[2].split()[1]) == os.getpid():
                found.append(int(path.parent.name))
    return found


def _end_all(bot: int) -> None:
    """Kill the bot's group and, where orphans come here, everybody else, until nobody is left."""
    while True:
        with suppress(ProcessLookupError, PermissionError):  # the group is gone; macOS says so in its own way
            os.killpg(bot, signal.SIGKILL)
        for child in _children():
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def keep(descriptor: int, host: str, memory: int, seconds: int | None) -> None:
    """A keeper's whole life: `host` names the module whose `host(descriptor)` is the bot's process; see `limit`."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # so that the number of the signal is written into the pipe
    signal.set_wakeup_fd(wake)
    me, bot = os.getpid(), os.fork()
    if bot == 0:
        _become_bot(me, descriptor, host, memory, seconds, (awake, wake))
    os.close(descriptor)
    status = None
    while status is None:
        ready, _, _ = select.select([0, awake], [], [])
        if 0 in ready:
            break
        os.read(awake, 1)
        done = 1
        while done and status is None:
            done, found = os.waitpid(-1, os.WNOHANG)
            status = found if done == bot else None
    _end_all(bot)
    if status is not None and os.WIFSIGNALED(status):  # end as the bot has ended
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(me, number)
    os._exit(0 if status is None else os.WEXITSTATUS(status))


def _become_bot(
    keeper: int, descriptor: int, host: str, memory: int, seconds: int | None, spare: tuple[int, int]
) -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != keeper:
        os._exit(1)
    for number in spare:
        os.close(number)
    os.close(0)  # the keeper's sign; the next file that is opened takes its number
    os.open(os.devnull, os.O_RDONLY)
    limit(memory, seconds)
    forbid_writing()
    try:
        importlib.import_module(host).host(descriptor)
    finally:
        os._exit(1)  # past handlers that a bot has left
