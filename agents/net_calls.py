"""The parts of a network's pass as C functions by their address, so that what calls them is not compiled with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import types

from ..envs.core.abi import CALLBACK, address_of_callback
from ..envs.core.code_cache import cached_cfunc
from ..envs.core.jit import config, source_digest
from .vectors import FAST

_FUNCTIONS: dict[Callable[..., int], tuple[int, Any]] = {}  # addresses, and what must live as long as they are used


def address_of_part(function: Callable[..., int]) -> int:
    """The address of a function of six int64 that gives one, compiled when it is first asked for."""
    if function not in _FUNCTIONS:
        _FUNCTIONS[function] = _made(function)
    return _FUNCTIONS[function][0]


def _made(function: Any) -> tuple[int, Any]:
    if config.DISABLE_JIT:
        callback = CALLBACK(function)
        return address_of_callback(callback), callback
    folder = f"drivers-{source_digest(Path(function.__code__.co_filename).resolve())}"
    made = cached_cfunc(function, folder, types.int64(*[types.int64] * 6), fastmath=FAST)
    return int(made.address or 0), made


__all__ = ["address_of_part"]
