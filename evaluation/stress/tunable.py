"""What `probespiel balance` could turn of a rule module: parameters that its hooks read, and numbers in them.

A number in a hook could be made a parameter.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

from ...envs.core.modules import Interface, Module
from ...envs.core.modules.check import source_of
from .findings import HookNumber

# hooks that only show, or offer: a number there does not tell how much the rule does
SILENT = frozenset({"observe", "state_key", "options", "legal_of", "describe"})
SHOWING = frozenset({"observe", "state_key", "describe"})  # these change nothing, whatever they read
OFFERING = frozenset({"options", "legal_of"})
ASKED = 2  # the rank of what a condition or an offer asks for, the last one
SWITCH = 2  # values of a parameter that says yes or no: there is nothing to look for between them
SIZES = (ast.Add, ast.Sub, ast.Mult)  # by which a number makes something larger or smaller
BUILT_IN = frozenset({"min", "max", "range", "len", "abs", "int", "float", "enumerate"})
# arguments of services that are sizes; others are seats, sets of them, zones, kinds: codes that nothing would turn
AMOUNTS = frozenset({"amount", "ep", "extent", "faces", "n", "points", "value"})
TELLING = ("choice", "event", "step", "owner")  # kinds of hooks that may pay or take something
SETS = frozenset({"bits", "plays", "targets", "found"})  # last arguments of filters that are sets, bit by bit
NAMES = frozenset({"verdict"})  # these answer with one of some names, which are no more and no less
YES_NO = 1  # answers up to this one tell whether something is so, or who wins
COUNT = 1  # what is added to count how often something happened
NEAR, FAR = 2, 10  # times a number, up to which it is turned
HUNDREDTHS = 100  # parameters are whole numbers: parts are told in hundredths


def paying_of(names: Collection[str], interface: Interface) -> tuple[str, ...]:
    """Of hooks those in which an amount could be paid: where a choice is told, where numbers are asked for, and others.

    Left out are those that only show or offer, and filters that answer with a set, with a name or with yes or no.
    """
    ranks: dict[str, int] = {}
    for name, hook in interface.table.items():
        if name not in names or name in SILENT or name in NAMES:
            continue
        if hook.kind in TELLING:
            ranks[name] = 0 if hook.kind == "choice" else 3
        elif hook.kind == "filter" and hook.arguments[-1] not in SETS:
            if hook.number == "float":
                ranks[name] = 1
            elif hook.answers is None or hook.answers[1] > YES_NO:
                ranks[name] = 2
    return tuple(sorted(ranks, key=lambda name: ranks[name]))


def whole_of(names: Collection[str], interface: Interface) -> tuple[str, ...]:
    """Of hooks the filters that answer with a whole number of their own kind, such as points of damage."""
    table = interface.table
    return tuple(name for name in names if table[name].kind == "filter" and table[name].number != "float")


def numbers_of(module: Module, source: ModuleType) -> tuple[HookNumber, ...]:
    """The numbers of a module's hooks, see `numbers_in`; of what services are given only what they call an amount."""
    services = {name: _arguments(call) for name, call in vars(source).items() if callable(call)}
    return numbers_in(source_of(source), module.name, services)


def _arguments(function: Callable[..., Any]) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # some built-in ones tell nothing
        return ()


def numbers_in(text: str, module: str, services: Mapping[str, Sequence[str]] | None = None) -> tuple[HookNumber, ...]:
    """The numbers by which hooks change what they answer, then those that they hand to services or add to fields.

    Each by lines. They may stand there or have a name in the file. Conditions, flags, indexes, divisors, seats and what
    counts how often something happened are no such numbers. `services` are the names of the arguments of functions that
    the file calls: a number counts where it is one of AMOUNTS, and everywhere if the function is one of the file.
    """
    tree = ast.parse(text)
    named = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and _size(node.value.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    paid = _counted_fields(tree)
    known = {name: arguments for name, arguments in (services or {}).items() if name not in own}
    found: list[tuple[int, int, HookNumber]] = []  # by rank and line
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name not in SILENT | NAMES and _hooked(node):
            for rank, line, value, less in _numbers(node, named, known, paid):
                found.append((rank, line, HookNumber(module, node.name, float(value), line, less)))
    numbers = [number for _, _, number in sorted(found, key=lambda x: x[:2])]
    lines: dict[tuple[str, float], list[int]] = {}
    for number in numbers:
        lines.setdefault((number.hook, number.value), []).append(number.line)
    return tuple(
        replace(number, also=tuple(sorted({*lines[number.hook, number.value]} - {number.line}))) for number in numbers
    )


def _hooked(node: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Attribute) and d.attr == "hook" for d in node.decorator_list)


def _numbers(
    hook: ast.FunctionDef, named: Mapping[str, Any], services: Mapping[str, Sequence[str]], paid: Collection[str]
) -> Iterator[tuple[int, int, float, bool]]:
    """Numbers with a rank, a line, and whether they are subtracted.

    Of rank 0 are those of what is answered, of rank 1 those given to services, added to fields, or written into the
    `paid` ones, by which answers count.
    """
    answers = [x for node in ast.walk(hook) if isinstance(node, ast.Return) and node.value for x in _either(node.value)]
    returned = [
        x for node in ast.walk(hook) if isinstance(node, ast.Return) and node.value for x in ast.walk(node.value)
    ]
    summed = {x.id for x in returned if isinstance(x, ast.Name)}  # what is added up until it is answered
    value = hook.args.args[-1].arg if hook.args.args else ""
    if value not in SETS and any(isinstance(x, ast.Name) and x.id == value for x in answers):  # the filter's own value,
        found = [(x.lineno, _value(x, named)) for x in answers]  # or a number in its place
        yield from ((0, line, size, False) for line, size in found if size > COUNT)
    for node in ast.walk(hook):
        if isinstance(node, ast.Return) and node.value is not None:
            yield from ((0, line, value, less) for line, value, less in _sizes(node.value, named))
        if isinstance(node, ast.Assign) and any(isinstance(x, ast.Name) and x.id in summed for x in node.targets):
            yield from ((1, line, x, less) for line, x, less in _sizes(node.value, named) if x != COUNT)
        if isinstance(node, ast.AugAssign) and isinstance(node.op, SIZES):
            taken, added = isinstance(node.op, ast.Sub), [(x.lineno, _value(x, named)) for x in _either(node.value)]
            if any(value not in (0, COUNT) for _, value in added):  # beside another size one is a size, too
                yield from ((1, line, value, taken) for line, value in added if value)
            yield from ((1, line, x, taken != less) for line, x, less in _sizes(node.value, named) if x != COUNT)
        if isinstance(node, ast.Assign) and any(_field(target) in paid for target in node.targets):
            either = _either(node.value)
            written = [(x.lineno, *_signed(x, named)) for x in either]
            if any(value not in (0, COUNT) for _, value, _ in written):
                yield from ((1, line, value, less) for line, value, less in written if value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in BUILT_IN:
            called = _given(node, services.get(node.func.id))
            found = ((x.lineno, _value(x, named)) for x in called if isinstance(x, ast.Constant))
            yield from ((1, line, value, False) for line, value in found if value)


def _given(call: ast.Call, names: Sequence[str] | None) -> list[ast.expr]:
    """What a function is given that may be a size: of one whose arguments have no `names` here, all by position."""
    if names is None:
        return list(call.args)
    named = [(word.arg, word.value) for word in call.keywords]
    return [value for name, value in [*zip(names, call.args), *named] if name in AMOUNTS]


def _sizes(answer: ast.AST, named: Mapping[str, Any]) -> Iterator[tuple[int, float, bool]]:
    """Numbers that are added to an answer, subtracted or multiplied, but not in conditions and indexes."""
    if isinstance(answer, ast.BinOp) and isinstance(answer.op, SIZES):
        less = isinstance(answer.op, ast.Sub)
        terms = [(x, less and side is answer.right) for side in (answer.left, answer.right) for x in _either(side)]
        factor = isinstance(answer.op, ast.Mult)
        found = ((x.lineno, *(_signed(x, named) if factor else (_value(x, named), False)), taken) for x, taken in terms)
        yield from ((line, value, taken != below) for line, value, below, taken in found if value)
    for name, child in ast.iter_fields(answer):
        if name in ("test", "slice"):
            continue
        for part in child if isinstance(child, list) else [child]:
            if isinstance(part, ast.AST) and not isinstance(part, ast.Compare):
                yield from _sizes(part, named)


def _either(part: ast.expr) -> Iterator[ast.expr]:
    """An expression, or what it may be: the two sides of "x if this else that"."""
    if isinstance(part, ast.IfExp):
        yield from (x for side in (part.body, part.orelse) for x in _either(side))
    else:
        yield part


def _counted_fields(tree: ast.Module) -> set[str]:
    """Fields of the state by whose numbers an answer of a hook grows or shrinks; those of codes are compared."""
    found: set[str] = set()

    def look(part: ast.AST, inside: bool) -> None:
        if isinstance(part, ast.Compare):
            return
        inside = inside or (isinstance(part, ast.BinOp) and isinstance(part.op, SIZES))
        if inside and isinstance(part, ast.Attribute):
            found.add(part.attr)
        for name, child in ast.iter_fields(part):
            for one in child if isinstance(child, list) else [child]:
                if isinstance(one, ast.AST) and name not in ("test", "slice"):
                    look(one, inside)

    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and _hooked(node) and node.name not in {*SILENT, *NAMES}:
            for statement in ast.walk(node):
                if isinstance(statement, ast.Return) and statement.value is not None:
                    look(statement.value, False)
    return found


def _field(target: ast.AST) -> str:
    """The field of the state that an assignment writes; "" if it is none."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return target.attr if isinstance(target, ast.Attribute) else ""


def _signed(part: ast.expr, named: Mapping[str, Any]) -> tuple[float, bool]:
    """The size that an expression stands for, 0 if it is none, and whether it is below 0."""
    if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub):
        return _value(part.operand, named), True
    return _value(part, named), False


def _value(part: ast.AST, named: Mapping[str, Any]) -> float:
    """The size that an expression stands for; 0 if it is none."""
    if isinstance(part, ast.Name):
        return float(named.get(part.id, 0))
    return float(part.value) if isinstance(part, ast.Constant) and _size(part.value) else 0.0  # pyright: ignore[reportArgumentType]


def _size(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0


def turned_of(module: Module, source: ModuleType) -> dict[str, tuple[int, int]]:
    """The ranges of a module's parameters that can change what it does, see `turned_in`."""
    ranges = {name: (x.low, x.high) for name, x in module.params.items() if x.high > x.low and not x.choices}
    return turned_in(source_of(source), module.name, ranges)


def turned_in(text: str, module: str, ranges: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Of parameters with their ranges those by which a hook, or a function that it calls, does something.

    First those that an answer is made of, then those that go into a number or to a service, then those that a
    condition or an offer asks for; each by their order. Left out are switches, and what no hook reads but to show it.
    """
    functions = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    ranks: dict[str, int] = {}

    def look(name: str, least: int, seen: frozenset[str]) -> None:
        for rank, node in _ranked(functions[name], 1):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "p":
                known = node.attr.removeprefix(f"{module}_")
                if known in ranges and known != node.attr:
                    ranks[known] = min(ranks.get(known, ASKED), max(rank, least))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called = node.func.id
                if called in functions and called not in seen:
                    look(called, max(rank, least), seen | {called})

    for name, node in functions.items():
        if _hooked(node) and name not in SHOWING:
            look(name, ASKED if name in OFFERING else 0, frozenset({name}))
    able = [name for name, (low, high) in ranges.items() if name in ranks and high - low >= SWITCH]
    return {name: ranges[name] for name in sorted(able, key=lambda name: ranks[name])}


def _ranked(node: ast.AST, rank: int) -> Iterator[tuple[int, ast.AST]]:
    """All parts of a function: 0 in what it answers, `ASKED` in conditions and indexes, 1 elsewhere."""
    for name, child in ast.iter_fields(node):
        if name in ("decorator_list", "args", "returns") and isinstance(node, ast.FunctionDef):
            continue
        for part in child if isinstance(child, list) else [child]:
            if isinstance(part, ast.AST):
                own = ASKED if name in ("test", "slice") or isinstance(part, ast.Compare) else rank
                own = 0 if isinstance(part, ast.Return) else own
                yield own, part
                yield from _ranked(part, own)


def as_parameter(number: HookNumber, grows: bool) -> tuple[str, str, str]:
    """How it is declared as a parameter, its range for `balance`, and how it is read.

    The range goes from nothing to twice as much, or, where it has to grow so that the rule is neutral, to ten times.
    """
    whole = number.value == int(number.value)
    name, size = ("amount", int(number.value)) if whole else ("hundredths", round(number.value * HUNDREDTHS))
    read = f"p.{number.module}_{name}" + ("" if whole else f" / {HUNDREDTHS}")
    most = (FAR if grows else NEAR) * size
    return f'module.param("{name}", {size}, 0, {most})', f"{name}=0..{most}", read


__all__ = [
    "FAR",
    "HUNDREDTHS",
    "as_parameter",
    "numbers_in",
    "numbers_of",
    "paying_of",
    "turned_in",
    "turned_of",
    "whole_of",
]
