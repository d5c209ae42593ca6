"""Fields of rule modules that only add up what is paid: what stands in them makes no other position.

A bet that is won or lost counts in the end, and nothing goes by how much was won before: a position with it is one with
or without. The source tells: such a field is never set to 0 again, only ever added to, and read nowhere but in the
payoff, as a sum with fixed weights. (What a seat is shown of it does not matter where all is public.)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from ..envs.core.game import Game
from ..envs.core.modules.check import declaration, source_of

PAYS, SHOWS = "payoff", "observe"  # hooks


def own_counters(game: Game) -> frozenset[str]:
    """Names of such fields in the state record of a game with rule modules."""
    sources = game.spec.sources.extensions
    texts = [source_of(source) for source in sources]
    found = set()
    for source in sources:
        module = declaration(source)
        lasting = [f.name for f in module.fields.values() if f.scope == module.interface.scopes[-1] and not f.private]
        names = [f"{module.name}_{field}" for field in lasting]
        found |= {name for name in names if all(only_adds_up(text, name) for text in texts)}
    return frozenset(found)


@lru_cache(maxsize=256)
def only_adds_up(text: str, field: str) -> bool:
    """Whether the source of a module does nothing with a field but to add to it, to pay by it, and to show it."""
    tree = ast.parse(text)
    fine: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Add, ast.Sub)):
            fine.add(node.target.value if isinstance(node.target, ast.Subscript) else node.target)
        elif isinstance(node, ast.FunctionDef) and _hooks(node) and node.args.args:
            if node.name == SHOWS or (node.name == PAYS and _is_sum(node)):
                fine |= set(_mentions(node, field))
    return all(node in fine for node in _mentions(tree, field))


def _mentions(tree: ast.AST, field: str) -> list[ast.AST]:
    """What names the field with a dot before it, or in a text."""
    return [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr == field)
        or (isinstance(node, ast.Constant) and node.value == field)
    ]


def _hooks(function: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Attribute) and d.attr == "hook" for d in function.decorator_list)


def _is_sum(function: ast.FunctionDef) -> bool:
    """Whether a hook does nothing but return a sum of state fields and the value so far, each times what is fixed."""
    body = [node for node in function.body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
        return False
    names = [arg.arg for arg in function.args.args]
    return _affine(body[0].value, {names[0], names[-1]})


def _affine(node: ast.expr, moving: set[str]) -> bool:
    """Whether an expression is a sum of what hangs on the names `moving`, with weights that do not."""
    if not moving & set(_names(node)):
        return True
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, (ast.Add, ast.Sub)):
            return _affine(node.left, moving) and _affine(node.right, moving)
        if isinstance(node.op, ast.Mult) and not moving & set(_names(node.left)):
            return _affine(node.right, moving)
        if isinstance(node.op, (ast.Mult, ast.Div)) and not moving & set(_names(node.right)):
            return _affine(node.left, moving)
        return False
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, (ast.USub, ast.UAdd)) and _affine(node.operand, moving)
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and not moving & set(_names(node.slice))
    return isinstance(node, (ast.Attribute, ast.Name))


def _names(node: ast.AST) -> Iterator[str]:
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name))


__all__ = ["only_adds_up", "own_counters"]
