"""Arrays that take long to compute, kept on disk beside compiled code; damage counts as absence."""

from __future__ import annotations

import fcntl
import hashlib
import io
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from .archive import read_arrays
from .code_cache import SUM, cache_root
from .disk import replacing

PATIENCE = 600.0  # seconds that a process waits for another one that computes the same


def kept_arrays(name: str, make: Callable[[], Mapping[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """What `make` returns, computed once by whoever needs it first and read by all others.

    `name` is a file name and tells everything that the arrays depend on, by a hash (`jit.source_digest`, `jit.digest`).
    One process computes while others wait. A folder that cannot be written costs time, nothing else.
    """
    file = cache_root() / "arrays" / name
    found = _read(file)
    if found is None:
        with _turn(file):
            found = _read(file)
            if found is None:
                found = dict(make())
                with suppress(OSError):
                    _write(file, found)
    return found


def _read(file: Path) -> dict[str, np.ndarray] | None:
    try:
        data = file.read_bytes()
        if len(data) < SUM or hashlib.sha256(data[:-SUM]).digest() != data[-SUM:]:
            return None
        return read_arrays(io.BytesIO(data[:-SUM]))
    except (OSError, ValueError):
        return None


def _write(file: Path, arrays: Mapping[str, np.ndarray]) -> None:
    body = io.BytesIO()
    np.savez(body, allow_pickle=False, **arrays)
    data = body.getvalue()
    with replacing(file, sync=False) as out:
        out.write(data + hashlib.sha256(data).digest())


@contextmanager
def _turn(file: Path) -> Iterator[None]:
    """Wait for the turn to compute; where locks cannot be had everybody computes."""
    try:
        cache_root().mkdir(mode=0o700, parents=True, exist_ok=True)
        file.parent.mkdir(mode=0o700, exist_ok=True)
        handle = os.open(f"{file}.turn", os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.05)
            except OSError:  # a file system without locks
                break
        yield
    finally:
        os.close(handle)


__all__ = ["kept_arrays"]
