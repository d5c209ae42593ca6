"""Rule modules for any system: what a module declares, how it is found and checked, and how its hooks are bound.

A system takes modules when its kernel calls functions of a file `hooks.py` that declares them as hook points (`hooks`),
and when it declares an `Interface`; `load_modules(INTERFACE, given)` then gives all that its `GameSpec` needs.
"""

from .declare import ME, Field, Handle, Interface, Module, ObservationPiece, Param
from .load import ModuleSet, built_in, declaration_of, load_module, load_modules

__all__ = [
    "ME", "Field", "Handle", "Interface", "Module", "ModuleSet", "ObservationPiece", "Param", "built_in",
    "declaration_of", "load_module", "load_modules",
]  # fmt: skip
