"""Reading the source of an outside module before it is compiled: what would fail later is refused by its line."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Iterator, Mapping, Sequence
from enum import EnumType
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from ..checks import near
from ..errors import RulesetError
from . import asking
from .declare import Interface, Module

TURNS = 1_000_000  # times that a loop of a hook may go round in one call
LIBRARIES = ("numpy", "math")  # what a compiled hook may call besides the services of its system
FOREIGN = ("numba", "llvmlite", "ctypes", "_ctypes", "cffi", "_cffi_backend")  # they reach memory that nobody checks
OWN = "probespiel.envs."
CHANGING = {  # methods that change a list, a set, a dictionary or an array
    "add", "append", "clear", "discard", "extend", "fill", "insert", "itemset", "partition", "pop", "popitem", "put",
    "remove", "resize", "reverse", "setdefault", "sort", "update",
}  # fmt: skip


def source_of(module: ModuleType) -> str:
    """The source text of a module, as it is on disk now."""
    path = inspect.getsourcefile(module) or module.__file__
    if path is None:
        raise RulesetError(f"module {module.__name__!r} has no source file")
    return Path(path).read_text(encoding="utf-8")


@lru_cache(maxsize=1024)
def essence(text: str) -> str:
    """A source without comments and blank lines, which carry no rules: a replay stays valid when only they change."""
    lines = (line.rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.lstrip().startswith("#"))


def declaration(source: ModuleType) -> Module:
    """The one Module of a file."""
    return next(value for value in vars(source).values() if isinstance(value, Module))


def kernels(source: ModuleType) -> dict[str, FunctionType]:
    """Hooks and helpers marked `@kernel` of a file, by name."""
    space = vars(source)
    return {
        name: value
        for name, value in space.items()
        if isinstance(value, FunctionType) and getattr(value, "__kernel__", False) and value.__globals__ is space
    }


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def global_names(function: FunctionType, tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Global names that a function reads, with their lines."""
    local = {
        name for code in _codes(function.__code__) for name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
    }
    for node in body_of(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in local:
            yield node.id, node.lineno


def body_of(function: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a function but its decorators and annotations, which are no part of what it does."""
    for statement in getattr(function, "body", []):
        yield from ast.walk(statement)


def services_of(interface: Interface) -> list[str]:
    """Names of all services of a system, in their order."""
    return [name for names in interface.services.values() for name in names.split()]


def service_for(interface: Interface, name: str) -> str:
    """Where a service that somebody looks for by a name is to be had, for a message; "" if there is none."""
    found = name if name in services_of(interface) else interface.renamed.get(name, "")
    place = interface.library.__name__ if interface.library is not None else ""
    return f"; the service is called {found}: from {place} import {found}" if found and place else ""


def root_of(value: Any) -> str:
    """The library that a value, or else its type, comes from."""
    place = getattr(value, "__module__", None) or type(value).__module__
    return str(place).partition(".")[0]


@cache
def _members(enumeration: EnumType) -> str:
    return repr(list(enumeration))


def constants_of(source: ModuleType) -> list[str]:
    """Values of the global names that the hooks of a file read: they are a part of the rules as its text is."""
    out: dict[str, str] = {}
    for function in kernels(source).values():
        for code in _codes(function.__code__):
            for name in code.co_names:
                value = vars(source).get(name)
                if isinstance(value, np.ndarray):
                    out[name] = f"{value.dtype.str}{value.shape}{value.tobytes().hex()}"
                elif isinstance(value, EnumType):
                    out[name] = _members(value)
                elif isinstance(value, (int, float, str, tuple)) and not isinstance(value, type):
                    out[name] = repr(value)
    return [f"{name}={value}" for name, value in sorted(out.items())]


class Fields(NamedTuple):
    """Names of the fields of the state record and of the parameter record."""

    state: Sequence[str]
    params: Sequence[str]


class Checker:
    """One file against the records and functions of its rule set."""

    def __init__(
        self, source: ModuleType, text: str, fields: Fields, reserved: Mapping[str, Any], files: Sequence[ModuleType]
    ) -> None:
        self.source, self.module = source, declaration(source)
        self.interface: Interface = self.module.interface
        self.fields = {"s": fields.state, "p": fields.params}
        self.reserved, self.files = reserved, {file.__name__ for file in files}
        self.tree = ast.parse(text)
        self.defined = {n.name: n for n in self.tree.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}

    def fail(self, line: int, text: str) -> RulesetError:
        return self.module.error(text, f"{self.source.__file__}:{line}")

    def label(self, name: str) -> str:
        return f"hook {name!r}" if name in self.module.hooks else f"function {name!r}"

    def run(self) -> None:
        """Raise RulesetError for the first thing that is wrong."""
        self.top_level()
        for name, function in kernels(self.source).items():
            tree = self.defined.get(name)
            if tree is None:  # a lambda, or one that is made elsewhere: nothing below could read it
                raise self.fail(
                    function.__code__.co_firstlineno,
                    f"{self.label(name)} must be written as a `def` of its own at the left margin of the file",
                )
            self.shape(name, function, tree)
            self.field_names(name, tree)
            self.global_names(name, function, tree)
            self.constants(name, tree)
            self.unguarded(name, tree)
        self.circles()

    def top_level(self) -> None:
        imported = {
            alias.asname or alias.name: node
            for node in self.tree.body
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        }
        for name, tree in self.defined.items():
            if name in imported and name in self.module.hooks:
                raise self.fail(
                    tree.lineno,
                    f"hook {name!r} hides the imported {name!r}; import that under another name: {name} as {name}_",
                )
            if name in self.interface.table and name not in self.module.hooks:
                raise self.fail(
                    tree.lineno, f"function {name!r} is named like a hook: mark it @module.hook, or rename it"
                )
        for node in self.tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            for target in targets:
                if isinstance(target, ast.Name) and target.id in self.reserved:
                    raise self.fail(node.lineno, f"the name {target.id!r} is taken by the rules; choose another one")

    def shape(self, name: str, function: FunctionType, tree: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if inspect.isgeneratorfunction(function) or not isinstance(tree, ast.FunctionDef):
            raise self.fail(tree.lineno, f"{self.label(name)} must be a plain function, without yield, await and async")
        hook = self.interface.table.get(name) if name in self.module.hooks else None
        if hook is None or not hook.answering:
            return
        what = "the value" if hook.kind == "filter" else "PASS_ON"
        for node in body_of(tree):
            if isinstance(node, ast.Return) and node.value is None:
                raise self.fail(node.lineno, f"{self.label(name)} must return a number; where it has no say: {what}")
        if not _returns(tree.body):
            raise self.fail(
                tree.lineno, f"{self.label(name)} must return a number on every path; where it has no say: {what}"
            )

    def field_names(self, name: str, tree: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        arguments = [a.arg for a in tree.args.args]
        records = dict(zip(arguments, ("s", "p"), strict=False)) if name in self.module.hooks else {}
        if not records:
            records = {a: a for a in arguments if a in ("s", "p")}
        stored = {n.id for n in body_of(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for node in body_of(tree):
            if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
                continue
            which = records.get(node.value.id)
            if which is None or node.value.id in stored:
                continue
            known = self.fields[which]
            if node.attr not in known:
                what = "state field" if which == "s" else "parameter"
                mine = f"{self.module.name}_{node.attr}"
                hint = f"; did you mean {mine}?" if mine in known else near(node.attr, known)
                raise self.fail(node.lineno, f"{self.label(name)}: no {what} is called {node.attr!r}{hint}")
        for node in body_of(tree):
            target = node.value if isinstance(node, ast.Subscript) else node
            if (
                isinstance(node, (ast.Attribute, ast.Subscript))
                and isinstance(node.ctx, (ast.Store, ast.Del))
                and isinstance(target, ast.Attribute)
                and isinstance(target.value, ast.Name)
                and records.get(target.value.id) == "p"
            ):
                raise self.fail(
                    node.lineno,
                    f"{self.label(name)} writes p.{target.attr}: parameters are fixed, use module.state",
                )

    def global_names(self, name: str, function: FunctionType, tree: ast.AST) -> None:
        space = vars(self.source)
        for other, line in global_names(function, tree):
            if other not in space:
                if not hasattr(builtins, other):
                    hint = service_for(self.interface, other) or near(other, [*space, *services_of(self.interface)])
                    raise self.fail(line, f"{self.label(name)}: the name {other!r} is not defined{hint}")
                continue
            value = space[other]
            place = (
                value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "") or root_of(value)
            )
            if isinstance(value, FunctionType) and value.__globals__ is space:
                if not getattr(value, "__kernel__", False):
                    raise self.fail(
                        self.defined[other].lineno if other in self.defined else line,
                        f"function {other!r} is called by {self.label(name)}: mark it @kernel "
                        "(from probespiel.envs.core.jit import kernel)",
                    )
                if other == name:
                    raise self.fail(line, f"{self.label(name)} calls itself; is the service of that name meant?")
            elif (
                isinstance(value, (ModuleType, FunctionType)) or hasattr(value, "py_func") or root_of(value) in FOREIGN
            ):
                allowed = place in self.files or place.startswith(OWN) or place.partition(".")[0] in LIBRARIES
                if not allowed:
                    raise self.fail(
                        line,
                        f"{self.label(name)} uses {other!r} of {place}: a rule module is one file; besides its own "
                        f"functions it may call the services of {self.interface.system}, math and numpy",
                    )
            for service, there, what in (
                (asking.ask_all, self.module.sealed, "a phase: module.phase(..., sealed=True)"),
                (asking.throw_die, self.module.dice, "a die: module.die(...)"),
            ):
                if value is service and not there:
                    raise self.fail(line, f"{self.label(name)} calls {other!r}, so the file needs {what}")
            for service, needed in self.interface.needs.items():
                missing = [h for h in needed if h not in self.module.hooks]
                if value is service and missing:
                    raise self.fail(
                        line, f"{self.label(name)} calls {other!r}, so the file needs the hook {' and '.join(missing)}"
                    )

    def constants(self, name: str, tree: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """What a file holds besides its functions: if it changed, a game would go by those played before it."""
        nodes = list(body_of(tree))
        arguments = {argument.arg for argument in tree.args.args}
        own = arguments | {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        # a name of its own that stands for something of the file
        stands = {
            target.id: node.value.id
            for node in nodes
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id not in own
            for target in node.targets
            if isinstance(target, ast.Name) and target.id not in arguments
        }
        for node in nodes:
            changed: ast.expr | None = None
            if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
                changed = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
                changed = node.func.value
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                changed = node.target if node.target.id in stands else None
            names = node.names if isinstance(node, ast.Global) else []
            while isinstance(changed, (ast.Subscript, ast.Attribute)):
                changed = changed.value
            if isinstance(changed, ast.Name) and (changed.id in stands or changed.id not in own):
                names = [stands.get(changed.id, changed.id)]
            for other in names:
                held = vars(self.source)
                if other not in held or isinstance(held[other], ModuleType):  # no name of the file, or np.sort
                    continue
                raise self.fail(
                    getattr(node, "lineno", tree.lineno),
                    f"{self.label(name)} changes {other}, which is no part of a game and would be remembered from one "
                    "to the next: use module.state",
                )

    def unguarded(self, name: str, tree: ast.AST) -> None:
        """Ways into arrays that compiled code does not check: a wrong number there reaches what is not its own."""
        gone_through = {id(node.iter) for node in body_of(tree) if isinstance(node, (ast.For, ast.comprehension))}
        for node in body_of(tree):
            if isinstance(node, ast.Attribute):
                if node.attr == "flat" and id(node) not in gone_through:
                    raise self.fail(
                        node.lineno,
                        f"{self.label(name)} uses .flat: compiled rules do not check an index of that; write x[i], of "
                        "several dimensions x[i, j], or to read one number x.ravel()[i]",
                    )
            value = self._named(node)
            if value is np.select or value is np.take_along_axis:
                raise self.fail(
                    getattr(node, "lineno", 0),
                    f"{self.label(name)} uses {ast.unparse(node)!r}: compiled rules do not check how long its arrays "
                    "are; write a loop with x[i]",
                )
            if isinstance(node, ast.Call):
                value = self._named(node.func)
                least = value.nin if isinstance(value, np.ufunc) else 2 if value is np.outer else len(node.args)
                if len(node.args) > least or (value is np.outer and any(k.arg == "out" for k in node.keywords)):
                    raise self.fail(
                        node.lineno,
                        f"{self.label(name)} gives {ast.unparse(node.func)!r} an array for its results: compiled rules "
                        f"do not check how long that is; write x[:] = {ast.unparse(node.func)}(...)",
                    )

    def _named(self, node: ast.AST) -> Any:
        """What a name of the file, or an attribute of a module that it imports, stands for; None for anything else."""
        if isinstance(node, ast.Name):
            return vars(self.source).get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = vars(self.source).get(node.value.id)
            return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
        return None

    def circles(self) -> None:
        """Functions that call each other in a circle: compiling them, or their calls without end, ends the process."""
        calls = {
            name: {
                other: line
                for other, line in global_names(function, self.defined[name])
                if other in self.defined and other != name  # that is told before
            }
            for name, function in kernels(self.source).items()
            if name in self.defined
        }
        for name in calls:
            ways: list[tuple[str, ...]] = [(name,)]
            seen = set[str]()
            for way in ways:  # it grows
                for other in calls.get(way[-1], {}):
                    if other == name:
                        there = ", ".join(repr(step) for step in way[1:])
                        raise self.fail(
                            calls[name][way[1]],
                            f"{self.label(name)} calls itself by way of {there}: functions of a module cannot",
                        )
                    if other not in seen:
                        seen.add(other)
                        ways.append((*way, other))


def _returns(body: Sequence[ast.stmt]) -> bool:
    """Whether every path through some statements ends with a return or an error."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, (ast.Return, ast.Raise)):
        return True
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    if isinstance(last, ast.While):
        endless = isinstance(last.test, ast.Constant) and bool(last.test.value)
        return endless and not any(isinstance(node, ast.Break) for node in ast.walk(last))
    if isinstance(last, ast.With):
        return _returns(last.body)
    if isinstance(last, ast.Match):
        return any(isinstance(c.pattern, ast.MatchAs) and c.pattern.pattern is None for c in last.cases) and all(
            _returns(c.body) for c in last.cases
        )
    return False


def check_source(
    source: ModuleType, text: str, fields: Fields, reserved: Mapping[str, Any], files: Sequence[ModuleType]
) -> None:
    """Refuse an outside module that names what does not exist or leaves out what is needed; raises RulesetError.

    `text` is its source, `fields` are those of the records of its rule set, `reserved` the global names that are bound
    when a rule set is built, `files` the files of the rules.
    """
    Checker(source, text, fields, reserved, files).run()


class _Limiter(ast.NodeTransformer):
    """Counts the turns of all loops in a function: compiled code that never ends could not even be interrupted."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """A counter at the start of a function."""
        self.generic_visit(node)
        if any(isinstance(n, (ast.For, ast.While)) for n in ast.walk(node)):
            first = 1 if ast.get_docstring(node, clean=False) is not None else 0
            node.body.insert(first, _at(node, "__turns = 0"))
        return node

    def _loop(self, node: Any) -> Any:
        self.generic_visit(node)
        text = f"if __turns > {TURNS}: raise RuntimeError('a loop went round {TURNS} times: it never ends')"
        node.body[:0] = [_at(node, "__turns += 1"), _at(node, text)]
        return node

    visit_For = visit_While = _loop


def _at(node: ast.stmt, text: str) -> ast.stmt:
    made = ast.parse(text).body[0]
    for part in ast.walk(made):
        if hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return made


def limit_loops(text: str) -> ast.Module:
    """The source with a limit of turns in the loops of its functions; lines keep their numbers."""
    tree = ast.parse(text)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            _Limiter().visit(node)
    return ast.fix_missing_locations(tree)
