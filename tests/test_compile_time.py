"""What is saved while numba compiles changes nothing that is compiled."""

import gc
import operator
import os
import subprocess
import sys
from typing import Any, cast

import pytest
from numba import types
from numba.core.compiler import Flags
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction

from probespiel.envs.core.compile_time import save_time

# The code that the processor gets for a function with a record, branches and a loop, with and without the changes.
CODE = """
import re, sys
import numpy as np, numba
from numba.core import types
if sys.argv[1] == "quick":
    from probespiel.envs.core.compile_time import save_time
    assert save_time()
record = numba.from_dtype(np.dtype([("a", "<i8"), ("b", "<f8", (3,)), ("c", "i1")], align=True))
@numba.njit
def inner(r, k):
    return r.b[k % 3] * r.a + min(r.c, k)
@numba.njit
def outer(rows, n):
    total = 0.0
    for k in range(n):
        total += inner(rows[k], k) if rows[k].a != 2 else abs(total) // 3
    return total
outer.compile((types.Array(record, 1, "C"), types.int64))
(text,) = outer.inspect_asm().values()
text = re.sub(r"RecordILi\\d+E", "Record", text)  # a number of the process
print("\\n".join(line for line in text.splitlines() if not line.lstrip().startswith((".", "#"))))
"""


@pytest.fixture(autouse=True)
def saved() -> None:
    assert save_time()


def code_of(way: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    environment.pop("NUMBA_DISABLE_JIT", None)
    command = [sys.executable, "-c", CODE, way]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_code_is_the_same() -> None:
    quick = code_of("quick")
    assert len(quick) > 1000 and quick == code_of("slow")


def test_flags_are_equal_where_their_values_are() -> None:
    one, other, third = (cast(Any, Flags()) for _ in range(3))
    one.no_compile = False  # its default, said
    third.no_compile = True
    assert not other.no_compile
    assert one == other and hash(one) == hash(other)
    assert one != third and other != third and one != "flags"
    third.no_compile = False
    assert one == third


def test_calls_are_told_apart_by_their_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    context = cast(Any, cpu_target.typing_context)
    context.refresh()
    add = context.resolve_value_type(operator.add)
    assert isinstance(add, BaseFunction)
    find = cast(Any, add.get_call_type)
    pairs = [(types.int64, types.int64), (types.float64, types.int64), (types.int64, types.int64)]
    assert [str(find(context, pair, {}).return_type) for pair in pairs] == ["int64", "float64", "int64"]
    assert find(context, pairs[0], {}) is find(context, pairs[2], {})
    for _ in range(2):
        with pytest.raises(TypingError, match="No implementation of function"):
            find(context, (types.int64, types.none), {})


def test_garbage_is_looked_for_again_afterwards() -> None:
    from numba.core.compiler_lock import global_compiler_lock

    assert gc.isenabled()
    with global_compiler_lock:
        assert not gc.isenabled()
        with global_compiler_lock:
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    try:
        with global_compiler_lock:
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
