"""Functions that only drivers call: translated once, optimized and turned into machine code with their callers alone.

numba optimizes every function together with all that it calls and makes machine code of that, and does so again for
each of its callers. Where drivers call each other seven deep, as in the searches, most of the time to compile them is
spent on code that nobody runs. Rules have been spared that for long, see `parts.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

from .parts import _PartCompiler


def inner(function: Callable[..., object] | None = None, *, allocates: bool = True) -> Any:
    """Like `jit.driver`, for a function that is called by compiled code only: Python cannot call it.

    It is kept on disk as a part of the drivers that call it. With NUMBA_DISABLE_JIT=1 it stays plain Python.
    """
    options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    if not allocates:
        options["_nrt"] = False

    def wrap(f: Callable[..., object]) -> Any:
        return njit(pipeline_class=_PartCompiler, **options)(f)

    return wrap if function is None else wrap(function)


__all__ = ["inner"]
