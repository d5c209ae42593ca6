"""Processes that never come back, and what has started them; see `test_leaving.py`."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from probespiel.envs.core.engine.local import Local
from probespiel.envs.core.engine.work import Work
from probespiel.envs.core.leaving import leave_with

MOST = 600  # seconds
RULES = """import ctypes, os, pathlib
pathlib.Path({folder!r}, str(os.getpid())).touch()
ctypes.PyDLL(None).sleep({most})
"""


def stuck(folder: str, locked: bool = False) -> None:
    """Say that this process has come so far, and no further; `locked`: with Python's lock, as compiled code may."""
    Path(folder, str(os.getpid())).touch()
    if locked:
        ctypes.PyDLL(None).sleep(MOST)
    time.sleep(MOST)


def child(folder: str, parent: int, at_once: bool) -> None:
    """A process that ends with its parent: by a thread, or (holding the lock) by the system."""
    leave_with(parent, at_once=at_once)
    stuck(folder, locked=at_once)


@dataclass(frozen=True)
class Stuck(Work):
    """A job that never ends, and holds Python's lock."""

    def do(self, job: str) -> None:
        stuck(job, locked=True)


def start_children(folder: str) -> None:
    """Two processes, one for each way in which `leave_with` ends them."""
    for at_once in (False, True):
        code = f"from {__name__} import child; child({folder!r}, {os.getpid()}, {at_once})"
        subprocess.Popen([sys.executable, "-c", code])
    time.sleep(MOST)


def start_workers(folder: str) -> None:
    """What the program itself starts: workers of a run, a worker of a server, a process in which rules are tried."""
    from probespiel.app import trial
    from probespiel.app.web.hall import _begun

    rules = Path(folder, "rules.py")
    rules.write_text(RULES.format(folder=folder, most=MOST))
    Thread(target=trial.try_rules, args=([str(rules)],), daemon=True).start()
    pool: ProcessPoolExecutor = _begun(1)
    pool.submit(stuck, folder)
    for _ in Local(2).map(Stuck(), [folder, folder]):
        pass
