"""Which of its own numbers a rule module decides by: what a use leaves there is an effect."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import ModuleType

from ...envs.core.modules import Module
from ...envs.core.modules.check import source_of

# hooks that only show the numbers, or say what the module itself offers by them
IDLE = frozenset({"observe", "state_key", "options", "legal_of"})


TOLD = "mq_told"  # the state field of the answers that were revealed last, which the service `answer_of` reads


def counting(module: Module) -> list[str]:
    """Fields of a module that count something: all but sets and lists in bits."""
    return [field.name for field in module.fields.values() if not field.bits]


def deciding_fields(module: Module, source: ModuleType) -> frozenset[str]:
    """Names of state fields of a module, and `TOLD`, that a hook or a function that it calls reads to decide something.

    A counter that goes by itself alone is not read by that. Hooks of `IDLE` do not count, nor what `answered` is told.
    """
    found: set[str] = set()
    for node in ast.parse(source_of(source)).body:
        if isinstance(node, ast.FunctionDef) and node.name not in IDLE:
            for statement in node.body:
                found.update(f"{module.name}_{field}" for field in _reads(statement, f"{module.name}_"))
            if node.name != "answered" and any(isinstance(x, ast.Name) and x.id == "answer_of" for x in ast.walk(node)):
                found.add(TOLD)
    return frozenset(found & {TOLD, *(f"{module.name}_{name}" for name in module.fields)})


def _reads(node: ast.AST, prefix: str) -> Iterator[str]:
    """Fields that a statement or expression reads, but for what an assignment reads of the field that it changes."""
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        changed = {field for target in targets if (field := _changed(target, prefix))}
        inside = [target for target in targets if _changed(target, prefix) is None]
        inside += [part for target in targets for part in _indexes(target)]
        for part in [*inside, node.value] if node.value is not None else inside:
            yield from (field for field in _reads(part, prefix) if field not in changed)
        return
    if isinstance(node, ast.Attribute) and node.attr.startswith(prefix):
        yield node.attr.removeprefix(prefix)
    for child in ast.iter_child_nodes(node):
        yield from _reads(child, prefix)


def _changed(target: ast.AST, prefix: str) -> str | None:
    """The own field that a target of an assignment is, or an element of; None if it is none."""
    while isinstance(target, ast.Subscript):
        target = target.value
    if isinstance(target, ast.Attribute) and target.attr.startswith(prefix):
        return target.attr.removeprefix(prefix)
    return None


def _indexes(target: ast.AST) -> Iterator[ast.AST]:
    """What stands in the brackets of a target."""
    while isinstance(target, ast.Subscript):
        yield target.slice
        target = target.value


__all__ = ["IDLE", "TOLD", "counting", "deciding_fields"]
