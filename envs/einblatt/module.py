"""What a rule module declares: the interface for built-in modules and for those of other authors alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..core.errors import RulesetError
from ..core.jit import kernel
from .hooks import HOOKS
from .state import PHASES

F = TypeVar("F", bound=Callable[..., object])
SCOPES = {"test": 0, "conflict": 1, "session": 2, "campaign": 3}
LEVELS = ("duel", "melee", "campaign")
WINDOWS = ("after_draw", "before_commit", "after_reveal", "after_test")

ME = 0  # index of the module in its rule set; bound when the rule set is built


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
    """One rule module: declare its parts at the top of the file, then write hooks below."""

    name: str
    doc: str
    levels: tuple[str, ...] = LEVELS
    title: dict[str, str] = field(default_factory=dict)
    windows: tuple[str, ...] = WINDOWS  # windows in which it may have options
    conflicts: tuple[str, ...] = ()  # modules that cannot be active together with it
    rank: dict[str, int] = field(default_factory=dict)  # hook -> place among modules: lower first, default 0
    params: dict[str, Param] = field(default_factory=dict)
    fields: dict[str, Field] = field(default_factory=dict)
    actions: dict[str, dict[str, str]] = field(default_factory=dict)
    phases: list[str] = field(default_factory=list)
    pieces: list[ObservationPiece] = field(default_factory=list)
    hooks: dict[str, Callable[..., object]] = field(default_factory=dict)
    base_actions: tuple[int, ...] = ()
    check: Callable[[dict[str, Any]], None] | None = None
    creation: Callable[[dict[str, Any], dict[str, Any]], list[str]] | None = None

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise RulesetError(f"module name {self.name!r}: letters, digits and _ only, starting with a letter")
        for what, given, known in (("level", self.levels, LEVELS), ("window", self.windows, WINDOWS)):
            for value in given:
                if value not in known:
                    raise RulesetError(f"module {self.name}: {what} {value!r} is none of {', '.join(known)}")
        for name in self.rank:
            if name not in HOOKS:
                raise RulesetError(f"module {self.name}: rank of {name!r}: no hook is called so")

    def param(
        self, name: str, default: Any, low: int = 0, high: int = 0, choices: tuple[str, ...] = (), doc: str = ""
    ) -> None:
        """Declare a parameter, readable in hooks as `p.<module>_<name>`."""
        if choices and default not in choices:
            raise RulesetError(f"module {self.name}: default {default!r} of {name!r} is none of {choices!r}")
        self._fresh(name, self.params, "parameter")
        self.params[name] = Param(name, default, low, high, choices, doc)

    def state(
        self, name: str, per_seat: bool = True, scope: str = "conflict", doc: str = "", private: bool = False
    ) -> None:
        """Declare a state field (int64), in hooks `s.<module>_<name>` (`[seat]` if per_seat).

        `scope`: test, conflict, session or campaign; the field is set to 0 whenever that begins. `private`: only the
        seat itself knows its number.
        """
        if scope not in SCOPES:
            raise RulesetError(f"module {self.name}: scope {scope!r} of field {name!r} is none of {', '.join(SCOPES)}")
        if private and not per_seat:
            raise RulesetError(f"module {self.name}: field {name!r}: only a field per seat can be private")
        self._fresh(name, self.fields, "state field")
        self.fields[name] = Field(name, per_seat, scope, doc, private)

    def action(self, name: str, en: str, de: str | None = None) -> Handle:
        """Declare an action of the module; returns its id, to be kept under a global name."""
        if not en.strip():
            raise RulesetError(f"module {self.name}: action {name!r} needs a text")
        self._fresh(name, self.actions, "action")
        self.actions[name] = {"en": en, "de": de or en}
        return Handle.of(self, "action", name)

    def phase(self, name: str) -> Handle:
        """Declare a phase in which this module asks; returns its number, to be kept under a global name."""
        if name in PHASES or name in self.phases:
            raise RulesetError(f"module {self.name}: phase {name!r} exists already")
        self.phases.append(name)
        return Handle.of(self, "phase", name)

    def piece(self, name: str, size: int, low: float, high: float, doc: str) -> None:
        """Declare an observation piece; the hook `observe(s, p, seat, out)` writes all pieces in this order."""
        if size < 1 or not low < high:
            raise RulesetError(f"module {self.name}: piece {name!r} needs size >= 1 and low < high")
        self.pieces.append(ObservationPiece(name, size, low, high, doc))

    def character(self, function: Callable[[dict[str, Any], dict[str, Any]], list[str]]) -> Any:
        """Mark a plain function (seat, parameters) -> texts of violated rules: asked for every pc when a game is built.

        `seat` holds its fields and `entries`: attribute name -> attribute, suits, forbidden, skills.
        """
        self.creation = function
        return function

    def hook(self, function: F) -> F:
        """Mark a function as the module's part at the hook point of the same name."""
        name = function.__name__
        if name not in HOOKS:
            import difflib

            near = difflib.get_close_matches(name, HOOKS, n=2)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            code = function.__code__
            raise RulesetError(
                f"{code.co_filename}:{code.co_firstlineno}: module {self.name}: no hook is called {name!r}{hint}; "
                f"hooks: {', '.join(HOOKS)}"
            )
        if name in self.hooks:
            raise RulesetError(f"module {self.name}: hook {name!r} is defined twice")
        self.hooks[name] = function
        return kernel(function)

    def _fresh(self, name: str, taken: dict[str, Any], what: str) -> None:
        if not name.isidentifier():
            raise RulesetError(f"module {self.name}: {what} name {name!r}: letters, digits and _ only")
        if name in taken:
            raise RulesetError(f"module {self.name}: {what} {name!r} is declared twice")
