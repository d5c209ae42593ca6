"""What tests have started ends with them, though they are killed in the middle: a process of its own sees to it.

It waits for the end of the run, in whatever way that comes, and then kills all that is left of it: what has its mark in
the environment, which whatever a test starts inherits. On Linux; elsewhere nothing is done.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

MARK = "PROBESPIEL_TESTS"  # in the environment: which run of tests a process belongs to
ABOVE = "PROBESPIEL_TESTS_ABOVE"  # in the environment: the process with which a run of tests ends, if there is one
GRACE_SECONDS = 2.0  # in which processes may end by themselves
_PDEATHSIG = 1


def begin() -> None:
    """Have this run of tests guarded, unless it is a part of one that is."""
    if not sys.platform.startswith("linux"):
        return
    if "PYTEST_XDIST_WORKER" in os.environ:  # it ends with the run, and not only when it looks at its input
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if MARK in os.environ:
        return
    mark, above = secrets.token_hex(8), [os.environ[ABOVE]] if ABOVE in os.environ else []
    environment = {key: value for key, value in os.environ.items() if key != MARK}
    subprocess.Popen(
        [sys.executable, "-I", "-S", __file__, mark, str(os.getpid()), *above],
        env=environment, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ).returncode = 0  # nobody waits for it: it outlives this process  # fmt: skip
    os.environ[MARK] = mark


def marked(mark: str) -> Iterator[int]:
    """The processes of a run of tests."""
    wanted = f"{MARK}={mark}".encode()
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if wanted in file.read().split(b"\0"):
                    yield int(name)
        except OSError:  # it has ended, or is somebody else's
            continue


def watch(mark: str, run: int, *above: int) -> None:
    """Wait until a run of tests ends, or a process above it, and kill what is left of the run."""
    try:
        select.select([os.pidfd_open(pid) for pid in (run, *above)], [], [])
    except ProcessLookupError:  # one of them has ended
        pass
    if above:
        kill(run)
    time.sleep(GRACE_SECONDS)
    while left := list(marked(mark)):
        for pid in left:
            kill(pid)
        time.sleep(0.1)


def kill(pid: int) -> None:
    """Kill a process, if it is still there."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


if __name__ == "__main__":
    watch(sys.argv[1], *map(int, sys.argv[2:]))
