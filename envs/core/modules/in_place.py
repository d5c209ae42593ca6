"""Guards of what changes arrays in place, as `x += y`: compiled, it would read beyond a y that is shorter than x."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload

GUARD = "__fits"  # what a guarded source calls `fits`
_IMPORT = f"from {__name__} import fits as {GUARD}"
WRONG = "an array does not fit into the one that it changes in place: they must have one shape, or it is one number"


def fits(changed: Any, by: Any) -> None:
    """Raise ValueError unless `changed += by` keeps the shape of `changed`, where both are arrays.

    Interpreted, numpy looks by itself; this is what compiled rules call.
    """
    if isinstance(changed, np.ndarray) and np.broadcast_shapes(changed.shape, np.shape(by)) != changed.shape:
        raise ValueError(WRONG)


def _always(changed: Any, by: Any) -> None:
    """No two arrays."""


def _never(changed: Any, by: Any) -> None:
    raise ValueError(WRONG)


def _alike(changed: Any, by: Any) -> None:
    if np.broadcast_shapes(changed.shape, by.shape) != changed.shape:
        raise ValueError(WRONG)


@overload(fits)
def _compiled_fits(changed: Any, by: Any) -> Any:
    if not isinstance(changed, types.Array) or not isinstance(by, types.Array):
        return _always
    return _never if by.ndim > changed.ndim else _alike


class _Guard(ast.NodeTransformer):
    """Puts a call of `fits` before every change in place by something that may be an array."""

    def __init__(self) -> None:
        self.names = 0

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign | list[ast.stmt]:
        """The change as it is, or after a look at what it is changed by, which is worked out once and in its turn."""
        if _is_number(node.value):
            return node
        before: list[ast.stmt] = []

        def once(part: ast.expr) -> ast.expr:
            if not any(isinstance(inner, ast.Call) for inner in ast.walk(part)):
                return part
            self.names += 1
            name = f"__part_{self.names}"
            before.append(ast.Assign([ast.Name(name, ast.Store())], part))
            return ast.Name(name, ast.Load())

        target = node.target
        if isinstance(target, ast.Subscript):
            parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
            target.value = once(target.value)
            made = [_slice(part, once) if isinstance(part, ast.Slice) else once(part) for part in parts]
            target.slice = ast.Tuple(made, ast.Load()) if isinstance(target.slice, ast.Tuple) else made[0]
        elif isinstance(target, ast.Attribute):
            target.value = once(target.value)
        self.names += 1
        value = f"__part_{self.names}"
        before.append(ast.Assign([ast.Name(value, ast.Store())], node.value))
        node.value = ast.Name(value, ast.Load())
        seen = ast.parse(ast.unparse(target), mode="eval").body  # the same, read
        before.append(ast.Expr(ast.Call(ast.Name(GUARD, ast.Load()), [seen, ast.Name(value, ast.Load())], [])))
        out: list[ast.stmt] = [*before, node]
        for statement in before:
            for part in ast.walk(statement):
                if "lineno" in getattr(part, "_attributes", ()):
                    ast.copy_location(part, node)
        return out


def _slice(part: ast.Slice, once: Any) -> ast.Slice:
    ends = (part.lower, part.upper, part.step)
    return ast.Slice(*(end and once(end) for end in ends))


def _is_number(value: ast.expr) -> bool:
    """Whether an expression is one number, whatever its names stand for."""
    if isinstance(value, ast.Constant):
        return isinstance(value.value, (int, float))
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.op, ast.Not) or _is_number(value.operand)
    if isinstance(value, ast.BinOp):
        return _is_number(value.left) and _is_number(value.right)
    if isinstance(value, ast.IfExp):
        return _is_number(value.body) and _is_number(value.orelse)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in ("int", "float", "bool", "len")
    return False


def guarded(tree: ast.Module) -> ast.Module:
    """A source whose functions look before arrays are changed in place; lines keep their numbers."""
    guard = _Guard()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            guard.visit(node)
    if guard.names:
        first = next((i for i, node in enumerate(tree.body) if not _leads(node)), len(tree.body))
        tree.body[first:first] = ast.parse(_IMPORT).body
    return ast.fix_missing_locations(tree)


def _leads(node: ast.stmt) -> bool:
    """Whether a statement has to stand before all others: the docstring, or an import of what is to come."""
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return text or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


__all__ = ["GUARD", "fits", "guarded"]
