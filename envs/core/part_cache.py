"""Parts of rule sets kept on disk: a new module is compiled in a quarter of the time, since most of its game is known.

Nine tenths of a rule set's functions are the same with and without a module, and three quarters of the time to compile
it go into numba's translation of each function. The translation of a function depends on its own code, on the constants
it names, on the types of its arguments, and on what the functions that it calls answer; *not* on what those do, since
they are linked in later. So a part is found by a hash of the former, and taken if the functions it calls answer what
they answered then. Of the records of state and parameters only the fields count that the function names: a module adds
fields at the end and gives the record another type, but moves no other field.

Whatever this file does not understand (a constant of an unknown kind, a whole record copied, two functions that call
each other) is not kept, but compiled each time.
"""

from __future__ import annotations

import hashlib
import inspect
import io
import pickle
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import EnumMeta
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm
import numpy as np
from numba import types
from numba.core import bytecode, compiler, funcdesc, typing
from numba.core.dispatcher import Dispatcher
from numba.core.runtime import rtsys
from numba.extending import _Intrinsic

from .code_cache import SUM, cache_root
from .disk import replacing
from .jit import digest, machine_fingerprint, source_digest

if TYPE_CHECKING:
    from .parts import Part

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_SIMPLE = (types.Number, types.Boolean, types.NoneType, types.Literal, types.Omitted, types.Dummy)


class NotKept(Exception):
    """A function that depends on something of which no hash can be made; the text says what."""


@dataclass(frozen=True)
class _Callee:
    """A function that a part calls: where its globals have it, for which types, and its name in the part's code."""

    path: tuple[str, ...]
    args: bytes
    answer: bytes
    symbol: str


@dataclass(frozen=True)
class _Kept:
    """What lies in a file: the code (LLVM bitcode), its own name in it, its return type, what it calls."""

    code: bytes
    symbol: str
    answer: bytes
    callees: tuple[_Callee, ...]
    counts: bool  # references of arrays are counted


class PartCache:
    """Stands where numba keeps the cache of a function; `function` is one of a rule set, `options` those of `njit`.

    `make` makes an empty part of a code generator and a name.
    """

    def __init__(
        self, dispatcher: Any, function: Callable[..., object], options: str, make: Callable[..., Part]
    ) -> None:
        self._dispatcher, self._function, self._options, self._make = dispatcher, function, options, make
        self._names = frozenset(_names(function.__code__))
        self._text: str | None = None

    def load_overload(self, sig: Any, targetctx: Any) -> Any:
        """The compiled part for argument types, or None. Raises nothing: what cannot be used is compiled again."""
        args = _args_of(sig)
        try:
            kept = _read(self._path(args))
            return None if kept is None else self._revive(kept, args, targetctx)
        except NotKept:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled part of which all is understood; a disk that cannot be written costs time, nothing else."""
        library = data.library
        library.made = self._dispatcher, data
        try:
            path = self._path(_args_of(sig))
            kept = self._kept(data)
        except NotKept:
            return
        with suppress(OSError):
            _write(path, kept)

    # --- the hash ---------------------------------------------------------------------------------------------------

    def _path(self, args: tuple[Any, ...]) -> Path:
        if self._text is None:
            self._text = self._described()
        layouts = [repr(_layout(t, self._names, False)) for t in args]
        return _folder() / digest([self._text, self._options, *layouts])

    def _described(self) -> str:
        function: Any = self._function
        if function.__closure__ or function.__kwdefaults__:
            raise NotKept("a closure")
        found = [repr(_code(function.__code__)), repr([_value(v, self._names) for v in function.__defaults__ or ()])]
        for name in sorted(self._names & function.__globals__.keys()):
            found.append(f"{name}={_value(function.__globals__[name], self._names)}")
        return "\0".join(found)

    # --- keeping ----------------------------------------------------------------------------------------------------

    def _kept(self, made: Any) -> _Kept:
        library = made.library
        if made.reload_init or any(called._reload_init for called in library._linking_libraries):
            raise NotKept("has to start something where it is loaded")
        args = made.signature.args
        records = dict(_records(args))
        callees = []
        whole = library._final_module.clone()
        symbol = made.fndesc.llvm_func_name
        counts = False
        for called in dict.fromkeys(library._linking_libraries):
            if isinstance(called, type(library)):
                if called.made is None:
                    raise NotKept("calls a function that calls it")
                dispatcher, its = called.made
                path = self._path_to(dispatcher)
                types_of = _pickled(tuple(its.signature.args), records), _pickled(its.signature.return_type, records)
                callees.append(_Callee(path, *types_of, its.fndesc.llvm_func_name))
            elif called is rtsys.library:
                counts = True
            else:
                whole.link_in(called._get_module_for_linking(), preserve=True)
        for function in whole.functions:  # what is linked in is called by its content, so that equal things meet
            if not function.is_declaration and function.name != symbol:
                function.name = f"{function.name}.{digest([str(function)])}"
        if any(variable.name.startswith("numba.dynamic.globals") for variable in whole.global_variables):
            raise NotKept("holds an address")
        text = str(whole)
        sizes = "|".join({str(record.size) for record in records})
        if sizes and re.search(rf"^(?!.*getelementptr).*\[({sizes}) x i8\]", text, re.MULTILINE):
            raise NotKept("moves a whole record")
        return _Kept(whole.as_bitcode(), symbol, _pickled(made.signature.return_type, records), tuple(callees), counts)

    def _path_to(self, dispatcher: Any) -> tuple[str, ...]:
        for name, value in self._function.__globals__.items():
            if value is dispatcher:
                return (name,)
        for name, value in self._function.__globals__.items():
            if isinstance(value, ModuleType):
                for attribute in self._names & value.__dict__.keys():
                    if value.__dict__[attribute] is dispatcher:
                        return name, attribute
        raise NotKept("calls what its globals do not have")

    # --- taking -----------------------------------------------------------------------------------------------------

    def _revive(self, kept: _Kept, args: tuple[Any, ...], targetctx: Any) -> Any:
        records = {path: record for record, path in _records(args)}
        function: Any = self._function
        answer = self._unpickled(kept.answer, records)
        names, libraries = {}, []
        for callee in kept.callees:
            found: Any = function.__globals__.get(callee.path[0])
            for attribute in callee.path[1:]:
                found = getattr(found, attribute, None)
            if not isinstance(found, Dispatcher) or not isinstance(getattr(found, "_cache", None), PartCache):
                raise NotKept("calls something else")
            wanted = self._unpickled(callee.args, records)
            found.compile(wanted)
            its: Any = found.overloads[wanted]
            if its.signature.return_type != self._unpickled(callee.answer, records):
                raise NotKept("what it calls answers something else")
            names[callee.symbol] = its.fndesc.llvm_func_name
            libraries.append(its.library)

        identity: Any = bytecode.FunctionIdentity.from_function(function)
        described = funcdesc.PythonFunctionDescriptor(
            native=True,
            modname=identity.modname,
            qualname=identity.func_qualname,
            unique_name=identity.unique_name,
            doc="",
            typemap={},
            restype=answer,
            calltypes={},
            args=tuple(inspect.signature(function).parameters),
            kws=(),
            argtypes=args,
            global_dict=function.__globals__,
            uid=identity.unique_id,
        )
        names[kept.symbol] = described.llvm_func_name
        library = self._make(targetctx.codegen(), identity.func_qualname)
        library.take(_renamed(kept.code, names, described.env_name), libraries, kept.counts)
        made = compiler.compile_result(
            typing_context=targetctx.typing_context,
            target_context=targetctx,
            entry_point={}.__getitem__,  # as of a part that was compiled now
            typing_error=None,
            type_annotation="",
            signature=typing.signature(answer, *args),
            objectmode=False,
            lifted=(),
            fndesc=described,
            library=library,
            call_helper=None,
            environment=None,
            metadata={},
            reload_init=(),
            referenced_envs=(),
        )
        library.made = self._dispatcher, made
        return made

    def _unpickled(self, data: bytes, records: dict[tuple[Any, ...], Any]) -> Any:
        namespace = self._function.__globals__

        class Reader(pickle.Unpickler):
            def persistent_load(self, pid: Any) -> Any:
                kind, *path = pid
                found = records.get(tuple(path)) if kind == "record" else _class_in(namespace, *path)
                if found is None:
                    raise NotKept(f"unknown here: {pid}")
                return found

        return Reader(io.BytesIO(data)).load()


def _args_of(sig: Any) -> tuple[Any, ...]:
    return tuple(sig) if isinstance(sig, tuple) else tuple(sig.args)


# --- what a function depends on ---------------------------------------------------------------------------------------


def _names(code: CodeType) -> Iterator[str]:
    """Every name and every text in a function: its globals, attributes, and fields among them."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
        elif isinstance(constant, str):
            yield constant


def _code(code: CodeType) -> tuple[Any, ...]:
    """A function's code without the places of its lines."""
    constants = [_code(c) if isinstance(c, CodeType) else (type(c).__name__, repr(c)) for c in code.co_consts]
    return (
        *(code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_exceptiontable),
        *(code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount, code.co_flags, code.co_name),
        *constants,
    )


def _static(name: str) -> str:
    return name.partition(":")[0]  # a module instance is called "module:rule set"


def _class(kind: Any) -> str:
    members = [(name, repr(member.value)) for name, member in getattr(kind, "__members__", {}).items()]
    return f"class {_static(kind.__module__)}.{kind.__qualname__} {members} {getattr(kind, '_fields', '')}"


def _value(value: Any, names: frozenset[str]) -> str:
    """What a global says to the functions that name it. Raises NotKept for what may say anything."""
    if isinstance(value, EnumMeta) or (isinstance(value, type) and hasattr(value, "_fields")):
        return _class(value)
    if isinstance(type(value), EnumMeta):
        return f"{_class(type(value))}.{value.name}"
    if isinstance(value, _PLAIN):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise NotKept("an array of objects")
        return f"array {value.dtype.descr} {value.shape} {value.flags.c_contiguous} {digest([value.tobytes().hex()])}"
    if isinstance(value, np.generic):
        return f"{value.dtype.str} {value!r}"
    if isinstance(value, tuple):
        own = _class(type(value)) if hasattr(value, "_fields") else "tuple"
        return f"{own} ({', '.join(_value(v, names) for v in value)})"
    if isinstance(value, Dispatcher):
        if isinstance(getattr(value, "_cache", None), PartCache):
            called = inspect.signature(value.py_func)
            return f"part {[(p.name, str(p.kind), repr(p.default)) for p in called.parameters.values()]}"
        return _of_file(value.py_func)
    if isinstance(value, _Intrinsic):
        return _of_file(value._defn)
    if isinstance(value, ModuleType):
        if ":" not in value.__name__:
            return f"module {value.__name__}" + ("" if _foreign(value.__name__) else f" {_digest_of(value)}")
        known = {name: value.__dict__[name] for name in sorted(names & value.__dict__.keys())}
        if any(isinstance(v, ModuleType) and ":" in v.__name__ for v in known.values()):
            raise NotKept("a module of a rule set inside another")
        said = [f"{name}={_value(v, names)}" for name, v in known.items()]
        return f"module {_static(value.__name__)} {said}"
    if isinstance(value, FunctionType):
        return _of_file(value)
    module = getattr(value, "__module__", None) or getattr(type(value), "__module__", "")
    if _foreign(module) and hasattr(value, "__name__"):
        return f"{module}.{value.__name__}"
    raise NotKept(f"a global of type {type(value).__name__}")


def _foreign(module: str) -> bool:
    return module.partition(".")[0] in ("numpy", "math", "builtins", "numba", "typing")


def _digest_of(module: ModuleType) -> str:
    return source_digest(Path(str(module.__file__)).resolve())


def _of_file(function: Any) -> str:
    """A function that is the same for all rule sets: its name, and a hash of its file and of what that imports."""
    if function.__closure__:
        raise NotKept("a closure")
    if ":" in function.__module__:
        raise NotKept("a plain function of a rule set")
    if _foreign(function.__module__):
        return f"{function.__module__}.{function.__qualname__}"
    file = Path(function.__code__.co_filename).resolve()
    return f"{function.__module__}.{function.__qualname__} {source_digest(file)}"


def _layout(t: Any, names: frozenset[str], inner: bool) -> tuple[Any, ...]:
    """A type as a function sees it that names such fields; `inner`: the size of a record counts (it is an item)."""
    if isinstance(t, types.Record):
        fields = [
            (name, t.fields[name].offset, _layout(t.fields[name].type, names, True))
            for name in sorted(names & t.fields.keys())
        ]
        return "record", t.aligned, t.size if inner else 0, *fields
    if isinstance(t, types.NestedArray):
        return "nested", t._shape, _layout(t.dtype, names, True)
    if isinstance(t, types.Array):
        return "array", t.ndim, t.layout, t.mutable, t.aligned, _layout(t.dtype, names, True)
    if isinstance(t, types.BaseTuple):
        its: Any = t
        own = _class(its.instance_class) if isinstance(t, types.BaseNamedTuple) else type(t).__name__
        return "tuple", own, *[_layout(item, names, True) for item in its.types]
    if isinstance(t, types.EnumMember):
        return "enum", _class(t.instance_class), _layout(t.dtype, names, True)
    if isinstance(t, _SIMPLE) and " at 0x" not in str(t):
        return type(t).__name__, str(t)
    raise NotKept(f"an argument of type {type(t).__name__}")


def _records(args: tuple[Any, ...]) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The record types that arguments have or hold, each with the way to it: the argument's number, names of fields."""
    seen = set()
    todo: list[tuple[Any, tuple[Any, ...]]] = [(t, (i,)) for i, t in enumerate(args)]
    while todo:
        t, path = todo.pop(0)
        if isinstance(t, types.Array):
            t = t.dtype
        if isinstance(t, types.Record) and t not in seen:
            seen.add(t)
            yield t, path
            todo += [(field.type, (*path, name)) for name, field in t.fields.items()]


def _pickled(what: Any, records: dict[Any, tuple[Any, ...]]) -> bytes:
    """Types as bytes; records and the classes of a rule set by the way to them."""

    class Writer(pickle.Pickler):
        def persistent_id(self, obj: Any) -> Any:
            if isinstance(obj, types.Record):
                if obj not in records:
                    raise NotKept("a record that no argument holds")
                return ("record", *records[obj])
            if isinstance(obj, type) and ":" in obj.__module__:
                return "class", _static(obj.__module__), obj.__qualname__
            if isinstance(obj, (Dispatcher, FunctionType)) and ":" in obj.__module__:
                raise NotKept("a type that holds a function")
            return None

    out = io.BytesIO()
    Writer(out).dump(what)
    return out.getvalue()


def _class_in(namespace: dict[str, Any], module: str, name: str) -> Any:
    """A class of the rule set that a function's globals belong to, by its module's name and its own."""
    for value in namespace.values():
        if isinstance(value, ModuleType) and _static(value.__name__) == module:
            value = getattr(value, name, None)
        if isinstance(value, type) and value.__qualname__ == name and _static(value.__module__) == module:
            return value
    return None


def _renamed(code: bytes, names: dict[str, str], env: str) -> Any:
    """A module of LLVM with its functions called as they are called now."""
    module = llvm.parse_bitcode(code)
    for function in list(module.functions):
        now = names.get(function.name)
        if now is not None:
            function.name = now
            if function.name != now:
                raise NotKept("a name that is taken")
    for number, variable in enumerate(list(module.global_variables)):
        if variable.linkage == llvm.Linkage.common:  # what numba's functions know of Python; parts never ask
            variable.name = f"{env}.{number}"
    return module


# --- files ------------------------------------------------------------------------------------------------------------


def _folder() -> Path:
    own = Path(__file__)
    texts = [path.read_text(encoding="utf-8") for path in (own, own.with_name("parts.py"))]
    return cache_root() / f"parts-{digest([machine_fingerprint(), *texts])}"


def _read(path: Path) -> _Kept | None:
    try:
        data = path.read_bytes()
        if hashlib.sha256(data[:-SUM]).digest() == data[-SUM:]:
            return pickle.loads(data[:-SUM])
    except (OSError, EOFError, ValueError, TypeError, LookupError, AttributeError, ImportError, pickle.PickleError):
        return None
    return None


def _write(path: Path, kept: _Kept) -> None:
    data = pickle.dumps(kept)
    cache_root().mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.mkdir(mode=0o700, exist_ok=True)  # what lies here is run: nobody else may write it
    with replacing(path, sync=False) as file:  # a torn file is noticed by its checksum
        file.write(data + hashlib.sha256(data).digest())


__all__ = ["NotKept", "PartCache"]
