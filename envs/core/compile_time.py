"""Less work for numba while it compiles: what it finds out ten thousand times about a rule set, it finds out once.

Two thirds of the time in which a rule set is compiled are spent in numba's own Python code. `save_time()` changes seven
things there, none of which changes what is compiled: compiler flags are compared by what was set before what was not;
the long name of a record type is written once; the type of a call of a builtin function is looked up by its arguments
before all of the builtin's implementations are tried again; the variables of an instruction are found by the types of
its parts; of events nobody is told where nobody listens (locks are taken a hundred thousand times); Python's search
for cyclic garbage rests meanwhile; and SciPy's linear algebra is loaded by who calls it. Together they save more than a
third. A version of numba that looks different inside
is left as it is.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Any

from numba.core import event, ir
from numba.core.cpu import CPUContext
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.types.functions import BaseFunction
from numba.core.types.npytypes import Record

_START = event.EventStatus.START


def _compare_flags_quickly() -> None:
    compare, names = TargetConfig.__eq__, TargetConfig.options

    def equal(self: TargetConfig, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, TargetConfig) and type(self) is type(other) and self._values == other._values:
            return True
        return compare(self, other)

    @cache
    def hash_of(kind: type) -> int:
        return hash(tuple(sorted(kind.options)))  # as numba's own, which is that of the names

    assert names is not None
    TargetConfig.__eq__ = equal  # pyright: ignore[reportAttributeAccessIssue]
    TargetConfig.__hash__ = lambda self: hash_of(type(self))


def _name_records_once() -> None:
    tell = Record.__repr__
    names: dict[int, tuple[Any, str]] = {}  # with the type, so that its number is not given to another one

    def told(self: Any) -> str:
        known = names.get(id(self))
        if known is None:
            known = names[id(self)] = (self, tell(self))
        return known[1]

    Record.__repr__ = told


def _remember_calls() -> None:
    find = BaseFunction.get_call_type
    calls: dict[int, tuple[Any, dict[Any, Any]]] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        known = calls.setdefault(id(self), (self, {}))[1]
        key = (context, ConfigStack.top_or_none(), args, tuple(kws.items()))
        found = known.get(key)
        if found is None:  # what is refused is not remembered: what a function takes may be added to
            found = known[key] = find(self, context, args, kws)
        return found

    BaseFunction.get_call_type = get_call_type


_OTHER, _VARIABLE, _INSTRUCTION, _LIST, _TABLE = range(5)


def _find_variables_by_type() -> None:
    kinds: dict[type, int] = {ir.Var: _VARIABLE}

    def kind_of(found: type) -> int:
        for kind, above in ((_VARIABLE, ir.Var), (_INSTRUCTION, ir.Inst), (_LIST, (list, tuple)), (_TABLE, dict)):
            if issubclass(found, above):
                kinds[found] = kind
                return kind
        kinds[found] = _OTHER
        return _OTHER

    def add(values: Iterable[Any], found: list[Any]) -> list[Any]:
        for value in values:
            kind = kinds.get(type(value), -1)
            if kind < 0:
                kind = kind_of(type(value))
            if kind == _VARIABLE:
                found.append(value)
            elif kind == _INSTRUCTION:
                found += value.list_vars()
            elif kind == _LIST:
                add(value, found)
            elif kind == _TABLE:
                add(value.values(), found)
        return found

    ir.Inst._rec_list_vars = lambda self, val: add((val,), [])
    ir.Stmt.list_vars = lambda self: add(self.__dict__.values(), [])


def _tell_only_listeners() -> None:
    start, end, listeners = event.start_event, event.end_event, event._registered

    def start_event(kind: str, data: Any = None) -> None:
        if listeners.get(kind) or kind not in _LOCKS:
            start(kind, data)

    def end_event(kind: str, data: Any = None, exc_details: Any = None) -> None:
        if listeners.get(kind) or kind not in _LOCKS:
            end(kind, data, exc_details)

    event.start_event, event.end_event = start_event, end_event


_LOCKS = ("numba:compiler_lock", "numba:llvm_lock")


class _Rest(event.Listener):
    """No search for cyclic garbage while something is compiled, unless somebody has switched it off altogether."""

    def __init__(self) -> None:
        self.depth, self.wanted = 0, False

    def notify(self, event: Any) -> None:
        (self.on_start if event._status is _START else self.on_end)(event)

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            self.wanted = gc.isenabled()
            gc.disable()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0 and self.wanted:
            gc.enable()


def _load_blas_when_called() -> None:
    """numba looks for BLAS when it is loaded, which loads SciPy's linear algebra; compiled code finds it when it calls.

    SciPy is one of the requirements, so that it need not be looked for.
    """
    load = CPUContext.load_additional_registries

    def load_additional_registries(self: CPUContext) -> None:
        linalg: Any = [import_module(f"numba.{name}") for name in _BEFORE_BLAS][-1]
        ensure = linalg.ensure_blas
        linalg.ensure_blas = lambda: None
        try:
            arraymath: Any = import_module("numba.np.arraymath")
        finally:
            linalg.ensure_blas = ensure
        arraymath.ensure_blas = ensure
        load(self)

    CPUContext.load_additional_registries = load_additional_registries


# What numba imports before the file that looks for BLAS, in its own order.
_BEFORE_BLAS = (
    *(f"cpython.{name}" for name in (
        "builtins", "charseq", "enumimpl", "hashing", "heapq", "iterators", "listobj", "numbers", "rangeobj", "setobj",
        "slicing", "tupleobj", "unicode",
    )),
    "core.optional", "core.inline_closurecall", "misc.gdb_hook", "misc.literal", "np.linalg",
)  # fmt: skip


@cache
def save_time() -> bool:
    """Make the changes, once in a process; False where numba is not as it is known."""
    try:
        known = isinstance(TargetConfig()._values, dict) and callable(ConfigStack.top_or_none)
        known = known and isinstance(event._registered, dict) and callable(ir.Inst._rec_list_vars)
    except AttributeError:
        known = False
    if known:
        _compare_flags_quickly()
        _name_records_once()
        _remember_calls()
        _find_variables_by_type()
        _tell_only_listeners()
        _load_blas_when_called()
    event.register("numba:compiler_lock", _Rest())
    return known


__all__ = ["save_time"]
