"""Marks of compiled functions: `kernel` for rules, `driver` for code that runs over any rule set; and their cache.

numba's own cache looks only at the file of the function itself, so it would run old callees after an edit. Here every
compiled function lives in a cache folder named after a hash of all that it can depend on.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
import numpy as np
from numba import config as _numba_config
from numba import njit

F = TypeVar("F", bound=Callable[..., object])

config: Any = _numba_config  # numba sets its attributes at run time, out of sight of type checkers
_lock = threading.RLock()


def kernel(function: F) -> F:
    """Mark a function as part of a rules kernel.

    Imported normally, the function stays plain Python. `build()` makes an instance of the file for one rule set: there
    the function is compiled, and the names it calls are bound to the functions of the same rule set.
    """
    function.__kernel__ = True  # type: ignore[attr-defined]
    return function


def cache_root() -> Path:
    """The folder of compiled code: $PROBESPIEL_CACHE, or probespiel below the user's cache folder."""
    given = os.environ.get("PROBESPIEL_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "probespiel"


@cache
def machine_fingerprint() -> str:
    """What compiled code depends on besides its sources: versions, processor, and debugging switches."""
    import llvmlite.binding as llvm

    parts = [
        sys.implementation.cache_tag,
        platform.machine(),
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
        str(config.BOUNDSCHECK),
    ]
    return "|".join(map(str, parts))


def digest(parts: Iterable[str]) -> str:
    """A short hash (24 hex digits) of some texts."""
    h = hashlib.sha256()
    for part in parts:
        h.update(part.encode())
        h.update(b"\0")
    return h.hexdigest()[:24]


@contextmanager
def cache_folder(name: str) -> Any:
    """While open, functions that numba is told to cache go to the folder `name` below `cache_root()`."""
    with _lock:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(cache_root() / name)
        try:
            yield
        finally:
            config.CACHE_DIR = before


@cache
def _folder_digest(folder: Path) -> str:
    core = Path(__file__).parent
    files = sorted({*core.glob("*.py"), *folder.glob("*.py")})
    return digest([machine_fingerprint(), *[f.read_text(encoding="utf-8") for f in files]])


def driver(
    function: Callable[..., object] | None = None, *, signature: Any = None, allocates: bool = True, **options: Any
) -> Any:
    """Compile a function that works on any rule set through `abi.call_kernel`; cached, recompiled after every edit.

    Names of the folder of the function and of envs/core are watched. With NUMBA_DISABLE_JIT=1 it stays plain Python.
    A function that makes no arrays says `allocates=False`: it is compiled without counting the references to those that
    it is given, which costs a search a quarter of its time.
    """
    if not allocates:
        options["_nrt"] = False

    def wrap(f: Callable[..., object]) -> Any:
        folder = Path(f.__code__.co_filename).parent
        with cache_folder(f"drivers-{_folder_digest(folder)}"):
            decorate = njit(signature, cache=True, **options) if signature else njit(cache=True, **options)
            return decorate(f)

    return wrap if function is None else wrap(function)
