"""Processes that end with the one that has started them, in whatever way that ends."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time

WATCH_SECONDS = 1.0
_PDEATHSIG = 1  # of Linux


def leave_with(parent: int, at_once: bool = False) -> None:
    """From now on this process ends soon after its parent, process `parent`, which may be gone already.

    A thread sees to it, which waits while compiled code holds Python's lock. With `at_once` the system kills this
    process besides, where it can (Linux): in code that never returns, too, but also when no more than the thread of the
    parent ends that has started it, so that this is for children of main threads, and of threads that wait for them.
    """
    if at_once and sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
    threading.Thread(target=_watch, args=(parent,), name="leaving", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    os._exit(1)  # processes that this one has started see their pipes close


__all__ = ["leave_with"]
