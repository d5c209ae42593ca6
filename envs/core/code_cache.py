"""The cache of compiled code on disk: found by what was compiled, wherever the sources lie; damage counts as absence.

numba keeps its cache by path and time of the function's own file. Here the folder of a function is named after a hash
of all that it can depend on (`jit.source_digest`, `build.ruleset_hash`), so that another checkout, a `git switch` or a
new environment finds the same code. Every file carries a checksum: machine code is never run from a torn file.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pickle
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from numba import njit
from numba.core import caching
from numba.core.ccallback import CFunc
from numba.core.runtime import rtsys
from numba.core.typeinfer import register_dispatcher

SUM = hashlib.sha256().digest_size
# What kept code calls by names whose addresses numba tells the linker when it learns what it can compile.
_ALLOCATES, _HASHES = b"NRT_", b"_numba_hashsecret"
PATIENCE = 120.0  # seconds that a process waits for another one to compile a function before it does so itself


def cache_root() -> Path:
    """The folder of compiled code: $PROBESPIEL_CACHE, or probespiel below the user's cache folder."""
    given = os.environ.get("PROBESPIEL_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "probespiel"


def _without_scipy() -> None:
    """Import numba's functions of arrays, as kept code will, but for `scipy.linalg`.

    They import it only to know that it is there, which is an eighth of the start of a command. Whoever multiplies
    matrices still has it checked then.
    """
    if "numba.np.arraymath" in sys.modules or find_spec("scipy") is None:
        return
    from numba.np import linalg

    asked, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        from numba.np import arraymath
    finally:
        linalg.ensure_blas = asked
    arraymath.ensure_blas = asked


class _Folder:
    """Numba's "cache locator" of a function: a folder below `cache_root()` whose name tells the content."""

    def __init__(self, name: str, file: str = "", line: int = 0) -> None:
        self.name, self._py_file, self.line = name, file, line  # numba names the file where it warns

    def from_function(self, py_func: Any, py_file: str) -> _Folder:  # numba asks a class; this one knows its folder
        return _Folder(self.name, py_file, py_func.__code__.co_firstlineno)

    def get_cache_path(self) -> str:
        return str(cache_root() / self.name)

    def ensure_cache_path(self) -> None:
        # what lies here is run: nobody else may write it
        cache_root().mkdir(mode=0o700, parents=True, exist_ok=True)
        Path(self.get_cache_path()).mkdir(mode=0o700, exist_ok=True)

    def get_source_stamp(self) -> str:
        return self.name

    def get_disambiguator(self) -> str:
        return str(self.line)


class _Checked(caching.IndexDataCacheFile):
    """numba's index and data files, each ended by a checksum; what does not fit it is compiled and written again."""

    def _dump(self, obj: object) -> bytes:
        data = super()._dump(obj)
        return data + hashlib.sha256(data).digest()

    def _body(self, data: bytes) -> bytes:
        if len(data) < SUM or hashlib.sha256(data[:-SUM]).digest() != data[-SUM:]:
            raise OSError("damaged")  # numba's sign that a file is not there
        return data[:-SUM]

    def _load_index(self) -> Any:
        try:
            with open(self._index_path, "rb") as file:
                version = pickle.load(file)
                stamp, overloads = pickle.loads(self._body(file.read()))
        except (OSError, EOFError, ValueError, TypeError, LookupError, AttributeError, ImportError, pickle.PickleError):
            return {}  # absent, or damaged in any way in which a pickle can be
        return overloads if version == self._version and stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        _without_scipy()
        return pickle.loads(self._body(Path(self._data_path(name)).read_bytes()))


class _Cache(caching.FunctionCache):
    """numba's cache of a function, in a folder of ours. A disk that cannot be written costs time, nothing else.

    What is missing is compiled by one process while others wait for it: workers that begin together need the same.
    """

    def __init__(self, function: Callable[..., object], name: str) -> None:
        locator = _Folder(name)
        self._turn: int | None = None  # the open file that is locked while this process compiles

        class Impl(caching.CompileResultCacheImpl):
            _locator_classes = [locator]

            def rebuild(self, target_context: Any, payload: Any) -> Any:
                code = payload[0][2][0]
                if _HASHES in code:
                    target_context.refresh()
                elif _ALLOCATES in code:
                    rtsys.initialize(target_context)
                return super().rebuild(target_context, payload)

        self._impl_class = Impl
        super().__init__(function)
        file = self._cache_file
        self._cache_file = _Checked(file._cache_path, self._impl.filename_base, file._source_stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = self._take(sig, target_context)
        if found is None:
            self._wait()
            found = self._take(sig, target_context)
            if found is not None:
                self.end()
        return found

    def _take(self, sig: Any, target_context: Any) -> Any:
        """What is kept, or None. numba first learns all that it can compile, of which running kept code needs none."""
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError:
            self.disable()
        finally:
            self.end()

    def _wait(self) -> None:
        """Wait for the turn to compile. Who calls waits for the called, never the other way round: nobody is stuck."""
        self.end()
        try:
            self._impl.locator.ensure_cache_path()
            name = f"{self._impl.locator.get_cache_path()}/{self._impl.filename_base}.turn"
            turn = os.open(name, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        except OSError:
            return
        self._turn = turn
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                return fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.05)
            except OSError:  # a file system without locks
                return

    def end(self) -> None:
        """Let others have their turn."""
        if self._turn is not None:
            os.close(self._turn)
            self._turn = None


def cached_njit(function: Callable[..., object], name: str, signature: Any = None, **options: Any) -> Any:
    """`numba.njit` with its code in the folder `name`; with a signature it is compiled now and for that one only."""
    made: Any = njit(**options)(function)
    if hasattr(made, "py_func"):  # not with NUMBA_DISABLE_JIT=1
        made._cache = _Cache(function, name)
        if signature is not None:
            try:
                with register_dispatcher(made):  # the function may call itself
                    made.compile(signature)
            finally:
                made._cache.end()
            made.disable_compile()
    return made


def cached_cfunc(function: Callable[..., object], name: str, signature: Any, **options: Any) -> Any:
    """`numba.cfunc` with its code in the folder `name`, for functions that raise nothing and divide like numpy."""
    made: Any = CFunc(
        function, (signature.args, signature.return_type), locals={}, options={"error_model": "numpy", **options}
    )
    made._cache = _Cache(function, name)
    try:
        made.compile()
    finally:
        made._cache.end()
    return made
