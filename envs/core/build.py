"""Building a rule set: kernel sources instantiated with modules bound, compiled once, cached by content."""

from __future__ import annotations

import inspect
import linecache
import sys
import warnings
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types
from numba.core.errors import NumbaError

from . import abi, entry, legal, part_cache, parts, rng
from .code_cache import cached_cfunc
from .errors import RulesetError
from .jit import config, digest, machine_fingerprint, source_digest
from .modules import asking, blame, check, hooks, in_place
from .modules.bind import has_name
from .modules.check import essence, source_of
from .modules.in_place import guarded
from .records import records_of

if TYPE_CHECKING:
    from .modules.bind import Slip

ENTRY_SIGNATURE = types.int64(*[types.int64] * 6)
CORE = (hooks, legal, asking, entry)  # kernel files of every rule set


@dataclass(frozen=True)
class Sources:
    """What a rule set is made of.

    `files`: imported Python modules holding functions marked `@kernel`, the contract functions of `entry` among them.
    `constants`: names rebound in every file (capacities, switches). `generated`: (name, source text) of glue made for
    this rule set, such as chains of hooks; its functions replace those of the same name in the module `replaces` and in
    `modules.hooks`.
    `extensions`: the files of rule modules, in their order; `outside`: indexes of those that are not built in, and
    `faults` what can go wrong in their hooks (see `modules.bind`).
    """

    files: tuple[ModuleType, ...]
    constants: Mapping[str, Any]
    state: np.dtype
    params: np.dtype
    generated: str = ""
    replaces: ModuleType | None = None
    extensions: tuple[ModuleType, ...] = ()
    extension_constants: tuple[Mapping[str, Any], ...] = ()  # per extension, bound in it alone
    outside: tuple[int, ...] = ()
    faults: tuple[Slip, ...] = ()
    seats: int = 2
    words: int = 1
    observation: int = 1
    asking: bool = False  # modules ask and throw beside the rules (see `modules.asking`)


@dataclass
class Kernel:
    """A rule set ready to run: the address that drivers call, and its identity."""

    address: int
    ruleset: str
    compiled: bool
    namespaces: dict[str, ModuleType]
    state: np.dtype
    params: np.dtype
    pending: list[BaseException] = field(default_factory=list)
    keep: list[Any] = field(default_factory=list)
    key: str = ""  # identity of the compiled code: rules, machinery, record layouts, machine
    watched: list[tuple[weakref.ref[np.ndarray], tuple[Slip, ...]]] = field(default_factory=list)

    def watch(self, params: np.ndarray, faults: tuple[Slip, ...]) -> None:
        """Look for faults of outside modules in a parameter record (one item); `faults`: what they can be."""
        if faults:
            self.watched = [(known, texts) for known, texts in self.watched if known() is not None]
            self.watched.append((weakref.ref(params), faults))

    @property
    def fallible(self) -> bool:
        """Whether rules can fail while they are played: interpreted ones, and those with outside modules."""
        return not self.compiled or bool(self.watched)

    def raise_pending(self) -> None:
        """Raise the first error that rules met inside a driver: an exception if interpreted, a fault if compiled."""
        if self.pending:
            error = self.pending[0]
            self.pending.clear()
            raise error
        for known, faults in self.watched:
            params = known()
            if params is not None and params["fault"][0]:
                code, value = int(params["fault"][0]), float(params["fault_value"][0])
                params["fault"] = 0
                raise RulesetError(blame.fault_text(faults, code, value))


def ruleset_hash(sources: Sources) -> str:
    """Identity of the rules (24 hex digits): kernel and module sources without comments, and the constants."""
    texts = [essence(source_of(m)) for m in (*sources.files, *sources.extensions)]
    texts += [value for file in sources.files for value in check.constants_of(file)]
    constants = [f"{k}={v!r}" for k, v in sorted(sources.constants.items()) if not callable(v)]
    own = [repr(sorted(values.items())) for values in sources.extension_constants]
    own += [value for extension in sources.extensions for value in check.constants_of(extension)]
    return digest([*texts, sources.generated, *constants, *own])


def _instantiate(module: ModuleType, tag: str, limited: bool = False) -> ModuleType:
    instance = ModuleType(f"{module.__name__}:{tag}", module.__doc__)
    path = inspect.getsourcefile(module) or str(module.__file__)
    instance.__file__ = path
    instance.__package__ = module.__package__
    sys.modules[instance.__name__] = instance  # numba looks it up by name when it loads cached code
    exec(_code_of(source_of(module), path, limited), instance.__dict__)
    return instance


@lru_cache(maxsize=512)
def _code_of(text: str, path: str, limited: bool) -> CodeType:
    return compile(guarded(check.limit_loops(text)) if limited else text, path, "exec")


def _plain_bindings(sources: Sources) -> dict[str, Any]:
    views: dict[str, Any] = {
        name: (lambda dtype: lambda address, n: abi.array_at(int(address), int(n), dtype))(np.dtype(code))
        for name, code in [("int64_at", "i8"), ("float64_at", "f8"), ("float32_at", "f4"), ("uint64_at", "u8")]
    }
    views["call_kernel"] = abi.call_from_python
    return {"state_at": records_of(sources.state), "params_at": records_of(sources.params), **views}


def build(sources: Sources, compiled: bool = True) -> Kernel:
    """Instantiate, bind and (unless `compiled` is false) compile a rule set.

    A rule set that numba cannot compile still runs, interpreted and slow, after a warning that names the place.
    Raises RulesetError if a source cannot be executed.
    """
    for i in sources.outside:
        extension = sources.extensions[i]
        reserved = {**sources.constants, **_sizes(sources)}
        fields = check.Fields(tuple(sources.state.names or ()), tuple(sources.params.names or ()))
        check.check_source(extension, source_of(extension), fields, reserved, sources.files)
    identity = ruleset_hash(sources)
    core = [source_of(m) for m in (abi, rng, check, in_place, parts, part_cache, *CORE, sys.modules[__name__])]
    sizes = [sources.state.descr, sources.params.descr, _sizes(sources)]
    key = digest([identity, machine_fingerprint(), *core, *map(str, sizes)])
    compiled = compiled and not config.DISABLE_JIT
    # interpreted code tells the places of its errors, so that even a comment makes a difference
    full = "" if compiled else digest(f"{e.__file__}:{source_of(e)}" for e in sources.extensions)
    known = _KERNELS.get((key, full))
    if known is None:
        known = _KERNELS[key, full] = _compile_or_interpret(sources, identity, key, compiled)
    return known


_KERNELS: dict[tuple[str, str], Kernel] = {}


def _compile_or_interpret(sources: Sources, identity: str, key: str, compiled: bool) -> Kernel:
    if compiled:
        try:
            return _build(sources, identity, key, True)
        except KeyError as error:  # numba's way to say that a record has no such field
            raise blame.misspelt(sources, str(error.args[0])) from None
        except Exception as error:  # besides NumbaError, numba itself stumbles over some code
            if not sources.outside and not isinstance(error, NumbaError):
                raise
            warnings.warn(
                f"rule set {identity}: not compilable, it runs interpreted and slowly: "
                f"{blame.not_compiled(sources, error)}",
                RuntimeWarning,
                stacklevel=2,
            )
    return _build(sources, identity, key, False)


def _sizes(sources: Sources) -> dict[str, int]:
    sizes = {"WORDS": sources.words, "SEATS": sources.seats, "OBSERVATION": sources.observation}
    return {**sizes, "ASKING": sources.asking}


def _build(sources: Sources, identity: str, key: str, compiled: bool) -> Kernel:
    linecache.checkcache()
    modules = (*CORE, *sources.files, *sources.extensions)
    outside = {sources.extensions[i].__name__ for i in sources.outside}
    instances = {m.__name__: _instantiate(m, key, m.__name__ in outside) for m in modules}
    if sources.generated and sources.replaces is not None:
        glue = ModuleType(f"{sources.replaces.__name__}:glue:{key}")
        glue.__dict__.update({name: value for name, value in sources.replaces.__dict__.items() if name[:2] != "__"})
        for i, extension in enumerate(sources.extensions):
            for name, value in extension.__dict__.items():
                if getattr(value, "__kernel__", False):
                    glue.__dict__[f"_ext{i}_{name}"] = value
        sys.modules[glue.__name__] = glue
        exec(compile(sources.generated, f"{blame.GENERATED}{identity}>", "exec"), glue.__dict__)
        if not compiled:
            glue.__dict__["_fault"] = blame.raise_fault
        instances["<glue>"] = glue

    bound: dict[tuple[str, str], Any] = {}  # (static module, function) -> function of this rule set

    def adopt(function: Any) -> Any:
        return parts.part(function, boundscheck=bool(sources.outside)) if compiled else function

    for name, instance in instances.items():
        for attribute, value in list(instance.__dict__.items()):
            if getattr(value, "__kernel__", False) and value.__globals__ is instance.__dict__:
                if name == "<glue>" and sources.replaces is not None:
                    bound[sources.replaces.__name__, attribute] = bound[hooks.__name__, attribute] = adopt(value)
                elif (name, attribute) not in bound:
                    bound[name, attribute] = adopt(value)

    contract = {f for (home, f) in bound if home == entry.__name__}
    fixed: dict[str, Any] = {}
    if compiled:
        fixed.update(state_at=abi.view_of(sources.state), params_at=abi.view_of(sources.params))
    else:
        fixed.update(_plain_bindings(sources))
    constants = {**sources.constants, **_sizes(sources)}
    own_constants = {
        m.__name__: values for m, values in zip(sources.extensions, sources.extension_constants, strict=False)
    }
    own_has = {
        m.__name__: (sources.replaces.__name__, has_name(i))
        for i, m in enumerate(sources.extensions)
        if sources.replaces is not None
    }
    for name, instance in instances.items():
        ns = instance.__dict__
        ns.update(own_constants.get(name, {}))
        for attribute, value in list(ns.items()):
            if attribute in constants:
                ns[attribute] = constants[attribute]
            elif attribute in fixed:
                ns[attribute] = fixed[attribute]
            elif getattr(value, "__kernel__", False):
                home = (value.__module__.partition(":")[0], value.__name__)
                if name in own_has and home == (hooks.__name__, hooks.has.__name__):
                    home = own_has[name]
                target = bound.get(home)
                if target is not None:
                    ns[attribute] = target
            elif isinstance(value, ModuleType) and value.__name__ in instances:
                ns[attribute] = instances[value.__name__]
        if name == entry.__name__:
            for f in contract:
                for module in reversed(sources.files):
                    if (module.__name__, f) in bound and f not in ("entry", "guarded_entry"):
                        ns[f] = bound[module.__name__, f]
                        break

    main = instances[entry.__name__]
    if compiled:
        door = bound[entry.__name__, "guarded_entry" if sources.outside else "entry"]
        compiled_entry = cached_cfunc(door.py_func, f"rules-{key}", ENTRY_SIGNATURE)
        address, keep, pending = int(compiled_entry.address or 0), [compiled_entry], []
    else:
        pending = []

        def guarded(op: int, s: int, p: int, a: int, b: int, out: int) -> int:
            if not pending:
                try:
                    if sources.outside and op in (abi.APPLY, abi.ROLL, abi.SETUP, abi.DETERMINIZE):
                        main.params_at(p).chain = 0
                    return int(main.entry(op, s, p, a, b, out) or 0)
                except BaseException as error:  # it must not unwind through C; the driver's caller raises it
                    pending.append(blame.blamed(error, sources))
            if op == abi.LEGAL:
                abi.array_at(out, sources.words, np.dtype("i8"))[:] = 0
            return {abi.OVER: 2, abi.DIE: 0, abi.TO_ACT: 0, abi.ROLL: 0}.get(op, abi.RULE_ERROR)

        callback = abi.CALLBACK(guarded)
        address, keep = abi.address_of_callback(callback), [callback, guarded]
    return Kernel(address, identity, compiled, instances, sources.state, sources.params, pending, keep, key)


@dataclass
class Function:
    """A further C function over a rule set: its address, and what an interpreted one met."""

    address: int
    keep: Any
    pending: list[BaseException]


def build_function(
    kernel: Kernel,
    sources: Sources,
    files: Sequence[ModuleType],
    glue: str,
    name: str,
    failure: int,
    names: Mapping[str, Callable[..., Any]],
) -> Function:
    """Compile a C function (int64 x 6 -> int64) that calls a built rule set's own functions.

    `files` are imported modules with functions marked `@kernel`, which may call those of the rule set and of earlier
    files; each is instantiated and bound like a file of the rule set. `glue` is source text that defines the function
    `name`; it finds `state_at`, `params_at`, the views of `abi`, and functions of the files under the given `names`. An
    interpreted function answers `failure` after an exception, which then waits in `pending`. Raises NumbaError if
    something cannot be compiled.
    """
    if not files:
        raise RulesetError("files: at least one module is needed")
    tag = digest([kernel.key, *[source_of(m) for m in files], glue])
    instances = dict(kernel.namespaces)
    views = _plain_bindings(sources)
    if kernel.compiled:
        views |= {name: getattr(abi, name) for name in views if hasattr(abi, name)}
        views |= {"state_at": abi.view_of(sources.state), "params_at": abi.view_of(sources.params)}
    fixed = {**views, **sources.constants, **_sizes(sources)}
    for module in files:
        instance = _instantiate(module, tag)
        ns = instance.__dict__
        for attribute, value in list(ns.items()):
            if attribute in fixed:
                ns[attribute] = fixed[attribute]
            elif getattr(value, "__kernel__", False):
                home = value.__module__.partition(":")[0]
                if value.__globals__ is ns:
                    ns[attribute] = parts.part(value) if kernel.compiled else value
                elif home in instances:
                    ns[attribute] = getattr(instances[home], value.__name__)
            elif isinstance(value, ModuleType) and value.__name__ in instances:
                ns[attribute] = instances[value.__name__]
        instances[module.__name__] = instance
    last = instances[files[-1].__name__]
    last.__dict__.update(views)
    last.__dict__.update({n: getattr(instances[f.__module__], f.__name__) for n, f in names.items()})
    # numba reads the lines of a function in the file that it names: those of a real one would be others
    exec(compile(glue, f"<glue of {tag}>", "exec"), last.__dict__)
    function = last.__dict__[name]
    pending: list[BaseException] = []
    if kernel.compiled:
        made = cached_cfunc(function, f"rules-{kernel.key}-{tag}", ENTRY_SIGNATURE)
        return Function(int(made.address or 0), made, pending)

    def guarded(*args: int) -> int:
        try:
            return int(function(*args))
        except BaseException as error:  # it must not unwind through C; whoever called raises it
            pending.append(error)
            return failure

    callback = abi.CALLBACK(guarded)
    return Function(abi.address_of_callback(callback), [callback, guarded], pending)


def general_function(function: Callable[..., int]) -> Function:
    """Compile a C function (int64 x 6 -> int64) that works on any rule set; cached like a `driver`."""
    if config.DISABLE_JIT:
        callback = abi.CALLBACK(function)
        return Function(abi.address_of_callback(callback), callback, [])
    key = source_digest(Path(function.__code__.co_filename).resolve())
    made = cached_cfunc(function, f"functions-{key}", ENTRY_SIGNATURE)
    return Function(int(made.address or 0), made, [])
