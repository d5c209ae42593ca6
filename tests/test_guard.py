"""Nothing that tests have started outlives them, and they try the sources beside them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import guard
from tests.conftest import elsewhere
from tests.test_leaving import running

ROOT = Path(__file__).parents[1]
CODE = """
import os, subprocess, time
from tests import guard
guard.begin()
guard.begin()
for session in (False, True):
    print(subprocess.Popen(["sleep", "600"], start_new_session=session).pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only done on Linux")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_what_a_run_of_tests_has_started_ends_with_it(number: signal.Signals) -> None:
    """Though it has a session of its own; and one guard is enough."""
    environment = {k: v for k, v in os.environ.items() if k not in (guard.MARK, guard.ABOVE, "PYTEST_XDIST_WORKER")}
    with subprocess.Popen(
        [sys.executable, "-c", CODE], env={**environment, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    ) as run:  # fmt: skip
        assert run.stdout is not None
        started = [int(run.stdout.readline()) for _ in range(2)]
        guards = [pid for pid in map(int, filter(str.isdecimal, os.listdir("/proc"))) if guarding(pid, run.pid)]
        assert len(guards) == 1 and all(map(running, started))
        run.send_signal(number)
    until = time.monotonic() + 20
    try:
        while any(map(running, [*started, *guards])):
            assert time.monotonic() < until
            time.sleep(0.02)
    finally:
        for pid in started:
            guard.kill(pid)


def guarding(pid: int, run: int) -> bool:
    """Whether a process guards a run of tests."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return os.fsencode(guard.__file__) in words and str(run).encode() in words


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only done on Linux")
@pytest.mark.parametrize("worker", [False, True])
def test_a_run_ends_with_what_is_above_it(worker: bool) -> None:
    """Though it never comes back: with the process that is named, and a worker with the run of which it is a part."""
    run = "from tests import guard; guard.begin(); import ctypes; print(1, flush=True); ctypes.PyDLL(None).sleep(600)"
    given = {"PYTEST_XDIST_WORKER": "gw0", guard.MARK: "mine"} if worker else {}
    code = f"""
import os, subprocess, sys, time
given = {given!r} or {{{guard.ABOVE!r}: str(os.getpid())}}
print(subprocess.Popen([sys.executable, "-c", {run!r}], env={{**os.environ, **given}}).pid, flush=True)
time.sleep(600)
"""
    environment = {k: v for k, v in os.environ.items() if k not in (guard.MARK, guard.ABOVE, "PYTEST_XDIST_WORKER")}
    with subprocess.Popen(
        [sys.executable, "-c", code], env={**environment, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, text=True
    ) as above:
        assert above.stdout is not None
        pid = int(above.stdout.readline())
        assert above.stdout.readline() == "1\n"
        above.kill()
    try:
        until = time.monotonic() + 20
        while running(pid):
            assert time.monotonic() < until
            time.sleep(0.02)
    finally:
        guard.kill(pid)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only done on Linux")
def test_this_run_is_guarded() -> None:
    with subprocess.Popen(["sleep", "600"]) as started:
        try:
            assert started.pid in list(guard.marked(os.environ[guard.MARK]))
        finally:
            started.kill()


def test_the_sources_of_another_checkout_are_not_tried(tmp_path: Path) -> None:
    """A checkout that borrows an environment, as a worktree may, has the packages of the one that lends it."""
    root = ROOT.resolve()
    assert elsewhere(root) == ""
    assert elsewhere(tmp_path).startswith(f"probespiel is imported from {root}, not from {tmp_path}: `make setup-dev`")
    for name in ("tests", "probespiel"):
        (tmp_path / name).mkdir()
    (tmp_path / "tests" / "test_x.py").write_text("def test_x(): assert True\n")
    for name in ("conftest.py", "guard.py"):
        (tmp_path / "tests" / name).write_text((ROOT / "tests" / name).read_text())
    (tmp_path / "probespiel" / "__init__.py").write_text("")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "tests"], cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == pytest.ExitCode.USAGE_ERROR and "make setup-dev" in run.stderr
