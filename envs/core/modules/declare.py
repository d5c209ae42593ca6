"""What a system declares about its modules (`Interface`), and what a rule module declares about itself (`Module`)."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar, TypeVar

import numpy as np

from ..checks import near
from ..errors import RulesetError
from ..jit import kernel

F = TypeVar("F", bound=Callable[..., object])

ME = 0  # index of the module in its rule set; bound when the rule set is built
HOLDERS = "seats"  # parameter of every module: the seats that have it

# What a hook of each kind is to the modules that have it.
KINDS = {
    "filter": "the last argument is the value, each module returns a new one to the next",
    "event": "all modules are told",
    "override": "the first answer other than PASS_ON stands",
    "step": "told module by module and seat by seat; what a call asks for is answered before the next call",
    "options": "asked in the windows that the module names",
    "choice": "the module whose action was taken is told",
    "owner": "the module that caused it is told",
    "observe": "writes the observation pieces of its module",
}
FIXED = {  # kinds with arguments of their own; the others take those of the function in hooks.py
    "step": ("s", "p", "seat"),
    "options": ("s", "p", "seat", "window", "words"),
    "choice": ("s", "p", "seat", "window", "action"),
    "observe": ("s", "p", "seat", "out"),
}


@dataclass(frozen=True)
class Hook:
    """A hook point: its kind (see KINDS), the moment at which it is called, its arguments, and its function."""

    name: str
    kind: str
    moment: str
    arguments: tuple[str, ...]
    function: str  # name of the function in hooks.py that the kernel calls


@dataclass(frozen=True)
class Interface:
    """What the modules of a system can hook into and add.

    `hooks` is the kernel file with the no-op functions and the table `HOOKS`: name -> (kind, moment) in the order of
    play, with a third entry where the function that the kernel calls has another name. Besides the hooks the file may
    define, as far as the kernel calls them: `event_modules(event)` and `event_call(s, p, event, module, seat)` for
    kind `step` (events numbered in the order of the table), `has_window(window)`, `reset_fields(s, p, scope)`,
    `forget_fields(s, seat)`, `observe_modules(s, p, seat, out, offset)`, and the functions of `switches`; they are
    written for the modules of a rule set. `PASS_ON` is the answer of an override that has no say.
    """

    system: str
    hooks: ModuleType
    package: str = ""  # package of the built-in modules, one file each
    levels: tuple[str, ...] = ()  # kinds of play that a module may leave out
    windows: Mapping[str, int] = field(default_factory=dict)  # name of a window -> its number in the kernel
    scopes: tuple[str, ...] = ("game",)  # from the shortest; fields are zeroed when a scope begins, but for the last
    phases: tuple[str, ...] = ()  # phases of the core, which modules cannot declare again
    first_phase: int = 0  # number of the first phase of modules
    first_action: int = 0  # id of the first action of modules
    max_actions: int = 0  # most actions of all modules together
    switches: Mapping[str, str] = field(default_factory=dict)  # function of hooks.py -> hook: True if a module has it
    concerns: Mapping[str, str] = field(default_factory=dict)
    """Hook without a seat -> function of hooks.py of its first three arguments: bit set of the seats it is about."""
    mapping_size: int = 0  # numbers kept for a parameter whose default is a dict (0: there are no such parameters)
    fill_mapping: Callable[[np.ndarray, str, str, Mapping[str, Any]], None] | None = None
    """(numbers, module, parameter, value): check such a parameter and write its numbers (int64[mapping_size])."""

    @cached_property
    def table(self) -> dict[str, Hook]:
        """All hook points by name, in the order of play."""
        out = {}
        for name, (kind, moment, *other) in self.hooks.HOOKS.items():
            called = other[0] if other else name
            if kind in FIXED:
                arguments = FIXED[kind]
            else:
                arguments = tuple(inspect.signature(getattr(self.hooks, called)).parameters)
                if kind == "owner":
                    arguments = tuple(a for a in arguments if a != "owner")
            out[name] = Hook(name, kind, moment, arguments, called)
        return out

    def of_kind(self, kind: str) -> tuple[str, ...]:
        """Names of the hooks of a kind, in the order of play."""
        return tuple(name for name, hook in self.table.items() if hook.kind == kind)


class Handle(int):
    """A number that is known only when the rule set is built: an action id or a phase; write it as a global name."""

    kind: str
    name: str
    owner: Module

    @classmethod
    def of(cls, owner: Module, kind: str, name: str) -> Handle:
        """A placeholder for `name` of a module."""
        handle = cls(-1)
        handle.kind, handle.name, handle.owner = kind, name, owner
        return handle


@dataclass(frozen=True)
class Param:
    """A parameter: the default, and its range (numbers), or its choices (texts; the kernel sees their index)."""

    name: str
    default: Any
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    doc: str = ""


@dataclass(frozen=True)
class Field:
    """A number that the module remembers, zeroed when its scope begins anew; per seat, or one for the table."""

    name: str
    per_seat: bool
    scope: str
    doc: str
    private: bool = False


@dataclass(frozen=True)
class ObservationPiece:
    """A block of numbers at the end of the observation, written by the hook `observe`."""

    name: str
    size: int
    low: float
    high: float
    doc: str


@dataclass
class Module:
    """One rule module: declare its parts at the top of the file, then write hooks below.

    Systems subclass it and set `interface`; authors import the class of their system.
    """

    interface: ClassVar[Interface]

    name: str
    doc: str
    levels: Sequence[str] | None = None  # None: all
    title: dict[str, str] = field(default_factory=dict)
    windows: Sequence[str] | None = None  # windows in which it may have options; None: all
    conflicts: Sequence[str] = ()  # modules that cannot be active together with it
    rank: dict[str, int] = field(default_factory=dict)  # hook -> place among modules: lower first, default 0
    base_actions: Sequence[int] = ()  # actions of the base table that belong to it
    bench: Mapping[str, Any] = field(default_factory=dict)  # fields of a seat without which it has nothing to do
    params: dict[str, Param] = field(default_factory=dict)
    fields: dict[str, Field] = field(default_factory=dict)
    actions: dict[str, dict[str, str]] = field(default_factory=dict)
    phases: list[str] = field(default_factory=list)
    pieces: list[ObservationPiece] = field(default_factory=list)
    hooks: dict[str, Callable[..., object]] = field(default_factory=dict)
    check: Callable[[dict[str, Any]], None] | None = None  # further check of the parameters; raises RulesetError

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise RulesetError(f"module name {self.name!r}: letters, digits and _ only, starting with a letter")
        if self.levels is None:
            self.levels = self.interface.levels
        if self.windows is None:
            self.windows = tuple(self.interface.windows)
        for what, given, known in (
            ("level", self.levels, self.interface.levels),
            ("window", self.windows, self.interface.windows),
        ):
            for value in given:
                if value not in known:
                    raise RulesetError(
                        f"module {self.name}: {what} {value!r} is none of {', '.join(known)}{near(str(value), known)}"
                    )
        for name in self.rank:
            if name not in self.interface.table:
                raise RulesetError(
                    f"module {self.name}: rank of {name!r}: no hook is called so{near(name, self.interface.table)}"
                )

    def param(
        self, name: str, default: Any, low: int = 0, high: int = 0, choices: tuple[str, ...] = (), doc: str = ""
    ) -> None:
        """Declare a parameter, readable in hooks as `p.<module>_<name>`.

        A whole number low..high, True or False, or one of `choices` (hooks see its index).
        """
        if choices and default not in choices:
            raise RulesetError(f"module {self.name}: default {default!r} of {name!r} is none of {choices!r}")
        if name == HOLDERS:
            raise RulesetError(f"module {self.name}: every module has a parameter {name!r} already: who has the module")
        self._fresh(name, self.params, "parameter")
        self.params[name] = Param(name, default, low, high, choices, doc)

    def state(
        self, name: str, per_seat: bool = True, scope: str | None = None, doc: str = "", private: bool = False
    ) -> None:
        """Declare a state field (int64), in hooks `s.<module>_<name>` (`[seat]` if per_seat).

        `scope`: one of the system's scopes; the field is set to 0 whenever that begins. `private`: only the seat itself
        knows its number.
        """
        known = self.interface.scopes
        scope = self.default_scope() if scope is None else scope
        if scope not in known:
            raise RulesetError(f"module {self.name}: scope {scope!r} of field {name!r} is none of {', '.join(known)}")
        if private and not per_seat:
            raise RulesetError(f"module {self.name}: field {name!r}: only a field per seat can be private")
        self._fresh(name, self.fields, "state field")
        self.fields[name] = Field(name, per_seat, scope, doc, private)

    def default_scope(self) -> str:
        """Scope of a field that names none."""
        return self.interface.scopes[-1]

    def action(self, name: str, en: str, de: str | None = None) -> Handle:
        """Declare an action of the module; returns its id, to be kept under a global name."""
        if not en.strip():
            raise RulesetError(f"module {self.name}: action {name!r} needs a text")
        if self.interface.max_actions == 0:
            raise RulesetError(
                f"module {self.name}: action {name!r}: modules of {self.interface.system} have no actions of their own"
            )
        self._fresh(name, self.actions, "action")
        self.actions[name] = {"en": en, "de": de or en}
        return Handle.of(self, "action", name)

    def for_table(self, hook: str) -> bool:
        """Whether a stepped hook acts for the whole table: it asks which seat it is called for by number.

        Such a hook is called for every seat while any seat has the module; others for the seats that have it.
        """
        function = self.hooks[hook]
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        seat = list(inspect.signature(function).parameters)[-1]
        for node in ast.walk(tree):
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
                if isinstance(node.operand, ast.Name) and node.operand.id == seat:
                    return True
            if isinstance(node, ast.Compare):
                parts = [node.left, *node.comparators]
                if any(isinstance(x, ast.Name) and x.id == seat for x in parts):
                    if any(isinstance(x, ast.Constant) for x in parts):
                        return True
        return False

    def phase(self, name: str) -> Handle:
        """Declare a phase in which this module asks; returns its number, to be kept under a global name."""
        if name in self.interface.phases or name in self.phases:
            raise RulesetError(f"module {self.name}: phase {name!r} exists already")
        self.phases.append(name)
        return Handle.of(self, "phase", name)

    def piece(self, name: str, size: int, low: float, high: float, doc: str) -> None:
        """Declare an observation piece; the hook `observe(s, p, seat, out)` writes all pieces in this order."""
        if size < 1 or not low < high:
            raise RulesetError(f"module {self.name}: piece {name!r} needs size >= 1 and low < high")
        self.pieces.append(ObservationPiece(name, size, low, high, doc))

    def hook(self, function: F) -> F:
        """Mark a function as the module's part at the hook point of the same name."""
        name, table = function.__name__, self.interface.table
        if name not in table:
            raise RulesetError(
                f"{place_of(function)}: module {self.name}: no hook is called {name!r}{near(name, table)}; "
                f"hooks: {', '.join(table)}"
            )
        if name in self.hooks:
            raise RulesetError(f"{place_of(function)}: module {self.name}: hook {name!r} is defined twice")
        want, have = table[name].arguments, tuple(inspect.signature(function).parameters)
        if len(want) != len(have):
            raise RulesetError(
                f"{place_of(function)}: module {self.name}: hook {name!r} takes ({', '.join(want)}), "
                f"not ({', '.join(have)})"
            )
        self.hooks[name] = function
        return kernel(function)

    def _fresh(self, name: str, taken: dict[str, Any], what: str) -> None:
        if not name.isidentifier():
            raise RulesetError(f"module {self.name}: {what} name {name!r}: letters, digits and _ only")
        if name in taken:
            raise RulesetError(f"module {self.name}: {what} {name!r} is declared twice")


def place_of(function: Callable[..., object]) -> str:
    """File and line of a function."""
    code = function.__code__
    return f"{code.co_filename}:{code.co_firstlineno}"
