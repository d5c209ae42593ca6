"""Marks of compiled functions: `kernel` for rules, `driver` for code that runs over any rule set.

numba's own cache looks only at the file of the function itself, so it would run old callees after an edit. Here every
compiled function is kept under a hash of all that it can depend on.
"""

from __future__ import annotations

import hashlib
import platform
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
import numpy as np
from numba import config as _numba_config
from numba.core import types
from numba.extending import overload

from .code_cache import cached_njit
from .compile_time import save_time

F = TypeVar("F", bound=Callable[..., object])

save_time()

config: Any = _numba_config  # numba sets its attributes at run time, out of sight of type checkers


@overload(int)
def _number_of_member(value: Any) -> Callable[[Any], Any] | None:
    """`int` of a member of an IntEnum, which numba leaves out: hooks may answer with such a name (Verdict.SUCCESS)."""

    def number(value: Any) -> Any:  # numba wants the same signature here and above
        return value + 0

    return number if isinstance(value, types.IntEnumMember) else None


def kernel(function: F) -> F:
    """Mark a function as part of a rules kernel.

    Imported normally, the function stays plain Python. `build()` makes an instance of the file for one rule set: there
    the function is compiled, and the names it calls are bound to the functions of the same rule set.
    """
    function.__kernel__ = True  # type: ignore[attr-defined]
    return function


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


_IMPORT = re.compile(r"^[ \t]*from[ \t]+(\.+)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE)


@cache
def _imported(file: Path) -> tuple[str, frozenset[Path]]:
    """The text of a file of the package, and the files of the package that it imports (always by relative names)."""
    text = file.read_text(encoding="utf-8")
    found = set()
    for dots, module, names in _IMPORT.findall(text):
        base = file.parents[len(dots) - 1].joinpath(*filter(None, module.split(".")))
        heads = [base, *(base / name for name in re.findall(r"\w+", re.sub(r"#.*| as \w+", "", names)))]
        found |= {path for head in heads for path in (head.with_suffix(".py"), head / "__init__.py") if path.is_file()}
    return text, frozenset(found)


@cache
def source_digest(file: Path) -> str:
    """A hash of the machine and of all sources that code in a file can depend on: the file and what it imports."""
    seen: dict[Path, str] = {}
    todo = [file]
    while todo:
        path = todo.pop()
        if path not in seen:
            seen[path], more = _imported(path)
            todo += more
    return digest([machine_fingerprint(), *[seen[path] for path in sorted(seen)]])


def driver(
    function: Callable[..., object] | None = None, *, signature: Any = None, allocates: bool = True, **options: Any
) -> Any:
    """Compile a function that works on any rule set through `abi.call_kernel`; cached, recompiled after every edit.

    All files that its own one imports, directly or not, are watched. With NUMBA_DISABLE_JIT=1 it stays plain Python.
    A function that makes no arrays says `allocates=False`: it is compiled without counting the references to those that
    it is given, which costs a search a quarter of its time.
    """
    if not allocates:
        options["_nrt"] = False

    def wrap(f: Callable[..., object]) -> Any:
        folder = f"drivers-{source_digest(Path(f.__code__.co_filename).resolve())}"
        return cached_njit(f, folder, signature, **options)

    return wrap if function is None else wrap(function)
