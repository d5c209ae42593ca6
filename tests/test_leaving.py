"""Processes end with the one that has started them, though that is killed, and though they never come back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def begun(folder: Path) -> list[int]:
    """The processes that have come so far."""
    return sorted(int(path.name) for path in folder.iterdir() if path.name.isdecimal())


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes through /proc")
@pytest.mark.parametrize(("what", "count"), [("children", 2), ("workers", 4)])
def test_processes_end_with_a_parent_that_is_killed(tmp_path: Path, what: str, count: int) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    code = f"from tests.leaving_child import start_{what}; start_{what}({str(tmp_path)!r})"
    with subprocess.Popen([sys.executable, "-c", code], env=environment) as parent:
        try:
            until = time.monotonic() + 60
            while len(begun(tmp_path)) < count:
                assert parent.poll() is None and time.monotonic() < until, begun(tmp_path)
                time.sleep(0.02)
        finally:
            parent.kill()
    until = time.monotonic() + 20
    try:
        while any(running(pid) for pid in begun(tmp_path)):
            assert time.monotonic() < until, [pid for pid in begun(tmp_path) if running(pid)]
            time.sleep(0.02)
    finally:
        for pid in filter(running, begun(tmp_path)):
            os.kill(pid, signal.SIGKILL)
    assert len(begun(tmp_path)) == count


def running(pid: int) -> bool:
    """Whether a process is there that has not ended: who should fetch its exit code may take a while."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_process_whose_parent_is_gone_ends() -> None:
    """It may have gone between the start of the process and its first step."""
    code = f"from probespiel.envs.core.leaving import leave_with; leave_with({os.getppid()}); print('here')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
