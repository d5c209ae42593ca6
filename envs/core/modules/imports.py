"""Which functions the hooks of an outside module may call: services, and nothing that could reach beyond its records.

Compiled code is not guarded: a function of the core that takes an address writes wherever it is told to, and one wrong
number ends the process. So a module is refused when it is loaded if its hooks name any function that is not in the
list of its system's services (`Interface.services`), among the hook points, or in `COMMON`. What is no part of this
project or of numpy is judged by `check.check_source`, when a rule set is built.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum, EnumType
from types import FunctionType, ModuleType
from typing import Any

from ..abi import lowest_bit, popcount, select_bit
from ..legal import allow, allow_bits
from . import hooks
from .check import OWN, body_of, global_names, kernels, service_for, services_of, source_of
from .declare import Module

COMMON = (allow, allow_bits, lowest_bit, popcount, select_bit)  # what every system's hooks may call
# parts of numpy that give arrays over other memory, and files of it whose functions do
UNSAFE = ("ctypeslib", "lib", "stride_tricks", "as_strided", "memmap", "frombuffer", "nditer")


def check_imports(module: Module, source: ModuleType) -> None:
    """Refuse a module whose hooks call what is no service; raises RulesetError with the line."""
    tree = ast.parse(source_of(source))
    defined = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for name, function in kernels(source).items():
        label = f"hook {name!r}" if name in module.hooks else f"function {name!r}"
        if name not in defined:  # made by something else than a plain `def`: refused when a rule set is built
            continue
        for text, line, value in _named(function, defined[name], source):
            if _reaches_beyond(value, module, source):
                place = getattr(value, "__module__", None) or type(value).__name__
                raise module.error(
                    f"{label} uses {text!r} of {place}, which is no service: besides its own functions it "
                    f"may call the services that `probespiel hooks {module.interface.system}` lists, "
                    f"{', '.join(sorted(f.__name__ for f in COMMON))}, math and numpy"
                    f"{service_for(module.interface, text.rpartition('.')[2])}",
                    f"{source.__file__}:{line}",
                )


def _named(function: FunctionType, tree: ast.FunctionDef, source: ModuleType) -> Iterator[tuple[str, int, Any]]:
    """What a function names of the world outside: the text, its line and the value, also of attributes of modules."""
    space = vars(source)
    found = {name: line for name, line in global_names(function, tree) if name in space}
    for name, line in found.items():
        if not isinstance(space[name], ModuleType):
            yield name, line, space[name]
    for node in body_of(tree):
        if isinstance(node, ast.Attribute):
            path, value = _value_of(node, {name: space[name] for name in found})
            if path:
                yield path, node.lineno, value


def _value_of(node: ast.Attribute, names: dict[str, Any]) -> tuple[str, Any]:
    """The path and the value of an attribute of a module, such as `np.lib`; an empty path for anything else."""
    if isinstance(node.value, ast.Name):
        path, owner = node.value.id, names.get(node.value.id)
    elif isinstance(node.value, ast.Attribute):
        path, owner = _value_of(node.value, names)
    else:
        return "", None
    if not isinstance(owner, ModuleType) or not hasattr(owner, node.attr):
        return "", None
    return f"{path}.{node.attr}", getattr(owner, node.attr)


def _reaches_beyond(value: Any, module: Module, source: ModuleType) -> bool:
    if isinstance(value, ModuleType):
        return value.__name__.rpartition(".")[2] in UNSAFE
    if isinstance(value, (tuple, list)):
        return any(_reaches_beyond(part, module, source) for part in value)
    if not callable(value) or isinstance(value, (EnumType, Enum)):
        return False
    interface = module.interface
    services = [getattr(interface.library, name, None) for name in services_of(interface)]
    hook_points = [v for file in (interface.hooks, hooks) for v in vars(file).values() if callable(v)]
    if any(value is service for service in (*COMMON, *interface.needs, *services, *hook_points)):
        return False
    place = getattr(value, "__module__", None) or ""
    primitive = type(value).__module__.startswith("numba.") and not hasattr(value, "py_func")  # an intrinsic function
    parts = (*place.split("."), getattr(value, "__name__", ""))
    unsafe = parts[0] == "numpy" and any(part in UNSAFE for part in parts)
    return place.startswith(OWN) or primitive or unsafe


__all__ = ["COMMON", "check_imports"]
