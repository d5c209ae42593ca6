"""Rule modules for any system: what a module declares, how it is found and checked, and how its hooks are bound.

A system takes modules when its kernel calls functions of a file `hooks.py` that declares them as hook points (`hooks`),
and when it declares an `Interface`; `load_modules(INTERFACE, given)` then gives all that its `GameSpec` needs.
"""

from . import asking
from .declare import ME, Field, Handle, Interface, Module, ObservationPiece, Param
from .load import ModuleSet, built_in, declaration_of, load_module, load_modules

NEEDS = {
    asking.ask: ("legal_of", "answered"), asking.ask_all: ("legal_of", "answered"), asking.task: ("task",),
    asking.lot: ("fell",), asking.throw_die: ("fell",),
}  # fmt: skip
"""Services of `asking` -> hooks that a module which calls them must have."""
SERVICES = {
    "actions with targets and amounts": "allow_for kind_of target_of amount_of",
    "sealed questions, named dice": "ask_all answer_of throw_die",
}
"""Services that every system with actions of modules has, by topic."""

__all__ = [
    "ME",
    "NEEDS",
    "SERVICES",
    "Field",
    "Handle",
    "Interface",
    "Module",
    "ModuleSet",
    "ObservationPiece",
    "Param",
    "built_in",
    "declaration_of",
    "load_module",
    "load_modules",
]  # fmt: skip
