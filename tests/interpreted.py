"""Tests that run interpreted: the compiler would take far longer than they do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def pass_interpreted(file: str) -> None:
    """Assert that the tests of a file, all but the slow ones, pass in a process without the compiler."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "not slow", "-p", "no:xdist", "-p", "no:cacheprovider", file],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[1],
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout and "failed" not in done.stdout
