"""What is saved while numba compiles changes nothing that is compiled."""

import gc
import operator
import os
import subprocess
import sys
from enum import IntEnum
from typing import Any, cast

import numba
import pytest
from numba import types
from numba.core import event, ir
from numba.core.compiler import Flags, run_frontend
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction

from probespiel.envs.core.compile_time import save_time
from probespiel.envs.core.jit import driver  # noqa: F401 - with the marks comes what numba lacks

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


def variables(part: object) -> list[str]:
    """Names of the variables that a part of the intermediate form uses, by the definition."""
    if isinstance(part, ir.Var):
        return [part.name]
    if isinstance(part, ir.Expr):
        return variables(part._kws)
    if isinstance(part, ir.Stmt):
        return variables(part.__dict__)
    if isinstance(part, dict):
        part = list(part.values())
    return [name for inner in part for name in variables(inner)] if isinstance(part, list | tuple) else []


def example(rows: Any, key: Any) -> Any:
    total: Any = {"a": rows[0], "b": (key, rows[key : key + 2])}
    for i, row in enumerate(rows):
        if (row and not key) or row[i] is None:
            total[i] = max(row, *rows)
            del total["a"]
    return total


def test_variables_of_instructions_are_those_they_use() -> None:
    statements = [s for block in run_frontend(example).blocks.values() for s in block.body]  # type: ignore[attr-defined]
    assert sum(len(variables(s)) for s in statements) > 60
    for statement in statements:
        assert [v.name for v in statement.list_vars()] == variables(statement), statement


def test_who_listens_to_a_lock_is_told() -> None:
    with event.install_recorder("numba:llvm_lock") as told:
        event.start_event("numba:llvm_lock")
        event.end_event("numba:llvm_lock")
    event.start_event("numba:llvm_lock")
    assert [e.is_start for _, e in told.buffer] == [True, False]
    with pytest.raises(ValueError):
        event.start_event("numba:no such event")


class Word(IntEnum):
    """What a hook may answer."""

    NO = 0
    YES = 7


def test_a_hook_may_answer_with_a_name() -> None:
    """Its wrapper asks for the number of the answer, which numba does not know of members; marks of kernels do."""

    @numba.njit
    def answered(x: int) -> int:
        return int(Word.YES if x > 1 else Word.NO)

    assert (answered(2), answered(1)) == (7, 0)
