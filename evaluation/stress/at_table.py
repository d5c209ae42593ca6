"""Whether a rule concerns the whole table, although it does not say so: then nobody has it alone."""

from __future__ import annotations

import ast
from types import ModuleType

from ...envs.core.modules import Module
from ...envs.core.modules.check import source_of
from ...envs.core.modules.declare import HOLDERS

# kinds of hooks that do nothing by themselves: they answer what another hook of the module began, or show numbers
FOLLOWING = frozenset({"owner", "choice", "observe"})


def concerns_all(module: Module, source: ModuleType) -> bool:
    """Whether every hook is called for all seats while anybody has the module, and none asks who that is."""
    if module.whole_table:
        return True
    table = module.interface.table
    acting = [name for name in module.hooks if table[name].kind not in FOLLOWING and name != "state_key"]
    if not acting or module.base_actions:
        return False
    return all(_for_all(module, name) for name in acting) and not _asks_who(source)


def _for_all(module: Module, name: str) -> bool:
    """Whether a hook is called whoever has the module: it is about no seat, or declared to concern the table."""
    about = "seat" in module.interface.table[name].arguments or name in module.interface.concerns
    return not about or module.for_table(name)


def _asks_who(source: ModuleType) -> bool:
    """Whether a module's file names the service `has`, or a parameter that tells who has a module."""
    for node in ast.walk(ast.parse(source_of(source))):
        names = [node.id] if isinstance(node, ast.Name) else [node.attr] if isinstance(node, ast.Attribute) else []
        names += [node.name] if isinstance(node, ast.alias) else []
        if any(name == "has" or name.endswith(f"_{HOLDERS}") for name in names):
            return True
    return False


__all__ = ["concerns_all"]
