"""Arguments that stand by position stand in their place: no two have each other's names, where `f(a, b)` is defined.

Read from the sources, so that it holds for compiled code and for what no game comes to.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("envs", "agents", "training", "evaluation", "app")
# Positions as the other one sees them.
MEANT = {
    ("envs/oneshot/skirmish/pilots.py", "worth_at(s, p, b, me, 1)"),
    ("agents/oneshot/vanguard.py", "worth_at(s, p, b, me, far)"),
    ("agents/scorekeeper/outlook.py", "usual_mode(s, p, t, f)"),
    ("evaluation/tournament/region.py", "self.leads(k, i)"),
}

Known = dict[str, list[str]]  # names of the parameters by position, of functions and of what makes a class


def parameters(node: ast.FunctionDef | ast.ClassDef) -> list[str] | None:
    """What a function or a class of named fields takes by position; None where that is not written there."""
    if isinstance(node, ast.FunctionDef):
        return None if node.args.vararg else [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    made = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
    if made is not None:
        return None if made.args.vararg else [argument.arg for argument in made.args.args][1:]
    if len(node.bases) > 1 or any(ast.unparse(base) not in ("NamedTuple",) for base in node.bases):
        return None  # what it inherits comes first
    return [n.target.id for n in node.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)]


def defined(tree: ast.Module) -> Known:
    """What a module defines at its top."""
    found = {n.name: parameters(n) for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    for node in tree.body:
        for method in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(method, ast.FunctionDef):
                name, names = f"self.{method.name}", parameters(method)
                found[name] = names[1:] if names and name not in found else None  # of one class alone
    return {name: names for name, names in found.items() if names}


@cache
def module_of(path: Path, level: int, name: str) -> Path | None:
    """The file of `from ..name import`, if it is one of ours."""
    if level:
        folder = path.parents[level - 1]
        parts = name.split(".") if name else []
    elif name.startswith("probespiel."):
        folder, parts = ROOT, name.split(".")[1:]
    else:
        return None
    place = folder.joinpath(*parts)
    return next((found for found in (place.with_suffix(".py"), place / "__init__.py") if found.is_file()), None)


def seen_in(path: Path, imports: list[ast.ImportFrom], known: dict[Path, Known]) -> Known:
    """What can be called by a bare name in a file, or by a module's name and its own."""
    found = dict(known[path])
    for node in imports:
        place = module_of(path, node.level, node.module or "")
        for alias in node.names:
            if place in known and alias.name in known[place]:
                found[alias.asname or alias.name] = known[place][alias.name]
            part = module_of(path, node.level, f"{node.module}.{alias.name}" if node.module else alias.name)
            if part in known:
                found |= {f"{alias.asname or alias.name}.{name}": names for name, names in known[part].items()}
    return found


def misplaced(calls: list[ast.Call], known: Known) -> Iterator[ast.Call]:
    """Calls with two arguments that have the names of each other's parameters."""
    for node in calls:
        names = known.get(called(node))
        if names is None or any(isinstance(argument, ast.Starred) for argument in node.args):
            continue
        given = [word_of(argument) for argument in node.args][: len(names)]
        where = {word: place for place, word in enumerate(names)}
        swapped = [(place, where[word]) for place, word in enumerate(given) if where.get(word, place) != place]
        if any((other, place) in swapped for place, other in swapped):
            yield node


def called(node: ast.Call) -> str:
    """What is called: a bare name, or a name and one behind a point; empty for anything else."""
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        return f"{node.func.value.id}.{node.func.attr}"
    return node.func.id if isinstance(node.func, ast.Name) else ""


def word_of(argument: ast.expr) -> str:
    """The name of an argument: of a variable, or of a field; empty for anything else."""
    if isinstance(argument, ast.Name):
        return argument.id
    return argument.attr if isinstance(argument, ast.Attribute) else ""


def swapped_in(
    trees: dict[Path, ast.Module], walk: Callable[[ast.AST], Iterable[ast.AST]] = ast.walk
) -> set[tuple[str, str]]:
    """All swapped calls of some files, with the path from the root."""
    known = {path: defined(tree) for path, tree in trees.items()}
    found = set()
    for path, tree in trees.items():
        nodes = [node for node in walk(tree) if isinstance(node, ast.Call | ast.ImportFrom)]
        seen = seen_in(path, [node for node in nodes if isinstance(node, ast.ImportFrom)], known)
        calls = [node for node in nodes if isinstance(node, ast.Call) and len(node.args) > 1]
        found |= {(path.relative_to(ROOT).as_posix(), ast.unparse(node)) for node in misplaced(calls, seen)}
    return found
