"""What a system declares about its modules (`Interface`), and what a rule module declares about itself (`Module`)."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from math import isfinite
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from ..abi import WORD_BITS
from ..checks import boolean, choice, fail, integer, near
from ..codes import names_of
from ..errors import RulesetError
from ..fields import Number
from ..jit import kernel
from .hooks import declared

ME = 0  # index of the module in its rule set; bound when the rule set is built
PAYOFF = "payoff"  # hook of every system: what a game pays
HOLDERS = "seats"  # parameter of every module: the seats that have it
TARGETS = "seats"  # what actions may name
MOST_SIDES = 1000  # of a die


@dataclass(frozen=True)
class Hook:
    """A hook point: its kind (see `hooks.KINDS`), the moment at which it is called, its arguments and answers."""

    name: str
    kind: str
    moment: str
    arguments: tuple[str, ...]
    answers: tuple[int, int] | None  # range of what a filter or override may answer
    number: str = "int"  # what a filter or override answers: int or float

    @property
    def answering(self) -> bool:
        """Whether its functions must return a number."""
        return self.kind in ("filter", "override")


@dataclass(frozen=True)
class Interface:
    """What the modules of a system can hook into and add.

    `hooks` is the kernel file that declares the hook points in the order of play, each a function marked `@hook(kind)`
    (see `modules.hooks`), and the functions of `switches` and `concerns`; besides the hook points the rules call there
    what is imported from `modules.hooks`. All of these are written for the modules of a rule set.
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
    """Hook without a seat -> function of hooks.py: bit set of the seats that it is about, from its first arguments.

    Its docstring says whose hook that is; hooks without a seat that are not named here are told of every seat's module.
    """
    mapping_size: int = 0  # numbers kept for a parameter whose default is a dict (0: there are no such parameters)
    fill_mapping: Callable[[np.ndarray, str, str, Mapping[str, Any]], None] | None = None
    """(numbers, module, parameter, value): check such a parameter and write its numbers (int64[mapping_size])."""
    answers: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # filter, override -> lowest, highest answer
    needs: Mapping[Callable[..., object], tuple[str, ...]] = field(default_factory=dict)
    """Service -> hooks that a module which calls it must have, such as `task` -> the hook `task`."""
    library: ModuleType | None = None  # the file of the functions that hooks may call
    services: Mapping[str, str] = field(default_factory=dict)  # topic -> names of such functions, with blanks between
    renamed: Mapping[str, str] = field(default_factory=dict)  # what a service is called elsewhere -> its name here
    offers: tuple[str, ...] = ()  # hooks that can offer actions of modules, besides those of kinds options and owner
    state: tuple[Number, ...] = ()  # fields of the state record, which no module can declare again
    params: tuple[Number, ...] = ()  # the same of the parameter record
    codes: tuple[ModuleType, ...] = ()  # files in which the constants of hooks stand
    constants: Mapping[str, str] = field(default_factory=dict)  # names, with blanks between, -> what they mean
    stopped: str = ""  # expression over `s`: a module has piled up more questions, tasks and draws than fit
    stack: bool = False  # the rules keep questions, dice and tasks of modules themselves, those of `asking` apart

    @cached_property
    def reserved(self) -> frozenset[str]:
        """Names of fields that no module can have."""
        return frozenset(number.name for number in (*self.state, *self.params))

    @cached_property
    def table(self) -> dict[str, Hook]:
        """All hook points by name, in the order of play."""
        out = {}
        for name, kind, function in declared(self.hooks):
            parameters = inspect.signature(function).parameters
            moment = " ".join((function.__doc__ or "").split()).removesuffix(".")
            out[name] = Hook(
                name,
                kind,
                moment[:1].lower() + moment[1:],
                tuple(a for a in parameters if a != "owner" or kind != "owner"),
                self.answers.get(name),
                "float" if function.__annotations__.get("return") in ("float", float) else "int",
            )
        return out

    def words_of(self, actions: int) -> int:
        """Words of a legal-action set, with so many actions of modules."""
        return (self.first_action + actions + WORD_BITS - 1) // WORD_BITS

    def of_kind(self, kind: str) -> tuple[str, ...]:
        """Names of the hooks of a kind, in the order of play."""
        return tuple(name for name, hook in self.table.items() if hook.kind == kind)


class Handle(int):
    """A number that is known only when the rule set is built, of an action, a phase or a die: write it as a global."""

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

    def check(self, module: str, value: Any) -> Any:
        """The value if it is allowed; raises RulesetError naming module, parameter, value and range."""
        name = f"module {module}: {self.name}"
        if self.choices:
            return choice(*self.choices)(name, value)
        if isinstance(self.default, bool):
            return boolean(name, value)
        if isinstance(self.default, dict):
            if not isinstance(value, Mapping):
                raise fail(name, value, "a mapping")
            return dict(value)
        return integer(self.low, self.high)(name, value)


@dataclass(frozen=True)
class Field:
    """A number that the module remembers, zeroed when its scope begins anew; per seat, or one for the table."""

    name: str
    per_seat: bool
    scope: str
    doc: str
    private: bool = False
    bits: bool = False


@dataclass(frozen=True)
class Counter:
    """A state field that people see by its name: a resource, or whatever a rule counts; from `low` to `high`."""

    field: Field
    low: int
    high: int
    texts: Mapping[str, str]  # language -> name


@dataclass(frozen=True)
class Shape:
    """What an action leaves open: whether it names a target, and the amounts of which it names one."""

    targets: bool = False
    amounts: range = range(0)


@dataclass(frozen=True)
class Dice:
    """A die that people know by its name."""

    name: str
    sides: int
    texts: Mapping[str, str]  # language -> name


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
    payoff_shift: float = 0.0  # the most by which its hook `payoff` moves the payoff of a seat
    table: bool | Sequence[str] = ()
    """True: the rule concerns the whole table, so that either all seats have it or none has.

    Names of hooks: those concern the table, and are called, for every seat, while any seat has the module.
    """
    base_actions: Sequence[int] = ()  # actions of the base table that belong to it
    bench: Mapping[str, Any] = field(default_factory=dict)  # fields of a seat without which it has nothing to do
    params: dict[str, Param] = field(default_factory=dict)
    fields: dict[str, Field] = field(default_factory=dict)
    counters: dict[str, Counter] = field(default_factory=dict)
    actions: dict[str, dict[str, str]] = field(default_factory=dict)
    shapes: dict[str, Shape] = field(default_factory=dict)  # of actions that name a target or an amount
    declining: list[str] = field(default_factory=list)  # actions by which its use is declined
    phases: list[str] = field(default_factory=list)
    questions: dict[str, dict[str, str]] = field(default_factory=dict)  # phase -> what is asked, by language
    sealed: list[str] = field(default_factory=list)  # phases in which several are asked at once (service `ask_all`)
    dice: dict[str, Dice] = field(default_factory=dict)
    pieces: list[ObservationPiece] = field(default_factory=list)
    hooks: dict[str, Callable[..., object]] = field(default_factory=dict)
    check: Callable[[dict[str, Any]], None] | None = None  # further check of the parameters; raises RulesetError

    def __post_init__(self) -> None:
        frame: Any = sys._getframe(1)
        here = Path(__file__).parent
        while frame.f_back and (
            frame.f_code.co_filename == "<string>"
            or Path(frame.f_code.co_filename).parent == here
            or frame.f_code.co_name == "__post_init__"  # of a system's own declaration, which adds to this one
        ):
            frame = frame.f_back
        self.file, self.line = frame.f_code.co_filename, frame.f_lineno
        if not isinstance(self.name, str) or not self.name.isidentifier():
            raise RulesetError(
                f"{self.place}: module name {self.name!r}: letters, digits and _ only, starting with a letter"
            )
        self.levels = self._known("level", self.levels, self.interface.levels)
        self.windows = self._known("window", self.windows, tuple(self.interface.windows))
        self._known("hook in rank", tuple(self.rank), tuple(self.interface.table))
        if not isinstance(self.table, bool):
            self.table = self._known("hook in table", self.table, tuple(self.interface.table))

    @property
    def place(self) -> str:
        """File and line of its declaration."""
        return f"{self.file}:{self.line}"

    def error(self, text: str, place: str = "") -> RulesetError:
        """An error about the module; `place`: file and line, else the line of its file that is being executed."""
        frame: Any = sys._getframe(1)
        while not place and frame is not None:
            if frame.f_code.co_filename == self.file:
                place = f"{self.file}:{frame.f_lineno}"
            frame = frame.f_back
        return RulesetError(f"{place or self.place}: module {self.name}: {text}")

    def param(
        self,
        name: str,
        default: Any,
        low: int = 0,
        high: int = 0,
        choices: tuple[str, ...] | type[IntEnum] = (),
        doc: str = "",
    ) -> None:
        """Declare a parameter, readable in hooks as `p.<module>_<name>`.

        A whole number low..high, True or False, or one of `choices`: words, of which hooks see the index, or an
        enumeration, whose names in lower case are the words, and with whose members hooks compare.
        """
        self._fresh(name, self.params, "parameter")
        if name == HOLDERS:
            raise self.error(f"every module has a parameter {name!r} already: who has the module")
        if isinstance(default, dict) and not self.interface.mapping_size:
            raise self.error(f"parameter {name!r}: parameters of {self.interface.system} are numbers, flags or choices")
        words = names_of(choices) if isinstance(choices, type) else tuple(choices)
        param = Param(name, default, low, high, words, doc)
        try:
            param.check(self.name, default)
        except RulesetError as error:
            raise self.error(f"the default of a parameter must be allowed: {error}") from None
        self.params[name] = param

    def state(
        self,
        name: str,
        per_seat: bool = True,
        scope: str | None = None,
        doc: str = "",
        private: bool = False,
        bits: bool = False,
    ) -> None:
        """Declare a state field (int64), in hooks `s.<module>_<name>` (`[seat]` if per_seat).

        `scope`: one of the system's scopes; the field is set to 0 whenever that begins. `private`: only the seat itself
        knows its number. `bits`: a set or a list in bits, which says nothing by its size.
        """
        known = self.interface.scopes
        scope = self.default_scope() if scope is None else scope
        if scope not in known:
            raise self.error(
                f"scope {scope!r} of field {name!r} is none of {', '.join(known)}{near(str(scope), known)}"
            )
        if private and not per_seat:
            raise self.error(f"field {name!r}: only a field per seat can be private")
        self._fresh(name, self.fields, "state field")
        self.fields[name] = Field(name, per_seat, scope, doc, private, bits)

    def counter(
        self,
        name: str,
        high: int,
        en: str,
        de: str | None = None,
        low: int = 0,
        per_seat: bool = True,
        scope: str | None = None,
        doc: str = "",
        private: bool = False,
    ) -> None:
        """Declare a state field low..high that `play`, replays and environments show by its name.

        It is 0 when its scope begins, like any other (see `state`). Bots see it if the module writes a piece of it.
        """
        for text in (en, de):
            if text is not None and (not isinstance(text, str) or not text.strip()):
                raise self.error(f"counter {name!r} needs a name that people read, not {text!r}")
        if (
            any(isinstance(n, bool) or not isinstance(n, int) for n in (low, high))
            or not low <= 0 <= high
            or low == high
        ):
            raise self.error(f"counter {name!r}: range {low!r}..{high!r} is not allowed: whole numbers, 0 among them")
        self.state(name, per_seat, scope, doc or f"{en}, {low}..{high}", private)
        self.counters[name] = Counter(self.fields[name], low, high, {"en": en, "de": de or en})

    def default_scope(self) -> str:
        """Scope of a field that names none."""
        return self.interface.scopes[-1]

    def action(
        self,
        name: str,
        en: str = "",
        de: str | None = None,
        decline: bool = False,
        targets: str = "",
        amounts: range = range(0),
    ) -> Handle:
        """Declare an action of the module with its text; returns its id, to be kept under a global name.

        `decline`: to take it is not to use the module, such as "no" where the module asks. `targets="seats"`: it names
        a seat (a figure or fighter where modules belong to those); `amounts=range(1, 6)`: it names one of these. It
        then stands for an action for each, with `{target}` and `{amount}` in its texts; hooks read `target_of(action)`
        and `amount_of(action)`, know it by `kind_of(action)`, and allow it with the service `allow_for`.
        """
        self._fresh(name, self.actions, "action")
        for text in (en, de):
            if text is not None and (not isinstance(text, str) or not text.strip()):
                raise self.error(f"action {name!r} needs a text that says what the seat does, not {text!r}")
        if self.interface.max_actions == 0:
            raise self.error(f"action {name!r}: modules of {self.interface.system} have no actions of their own")
        if targets not in ("", TARGETS):
            raise self.error(f"action {name!r}: targets = {targets!r} is not allowed: {TARGETS!r}, or leave it out")
        if not isinstance(amounts, range) or (amounts and min(amounts) < 0):
            raise self.error(
                f"action {name!r}: amounts = {amounts!r} is not allowed: a range from 0 up, as range(1, 6)"
            )
        shape = Shape(bool(targets), amounts)
        for mark, there in (("{target}", shape.targets), ("{amount}", len(amounts) > 0)):
            for text in (en, en if de is None else de):
                if (mark in text) != there:
                    what = "does not say" if there else "says"
                    raise self.error(f"action {name!r}: its text {text!r} {what} {mark}")
        if shape.targets or amounts:
            self.shapes[name] = shape
        self.actions[name] = {"en": en, "de": de or en}
        if decline:
            self.declining.append(name)
        return Handle.of(self, "action", name)

    def die(self, name: str, sides: int, en: str = "", de: str | None = None) -> Handle:
        """Declare a die by its name; returns its number, to be kept under a global name (see the service `throw_die`).

        What it shows is told by its name (`en`, `de`; else `name`), counted from 1; hooks get 0 .. sides - 1.
        """
        self._fresh(name, self.dice, "die")
        if isinstance(sides, bool) or not isinstance(sides, int) or not 2 <= sides <= MOST_SIDES:
            raise self.error(f"die {name!r}: sides = {sides!r} is not allowed: a whole number 2..{MOST_SIDES}")
        english = en or name.replace("_", " ")
        self.dice[name] = Dice(name, sides, {"en": english, "de": de or english})
        return Handle.of(self, "die", name)

    @property
    def whole_table(self) -> bool:
        """Whether all seats have it or none has."""
        return self.table is True

    def for_table(self, hook: str) -> bool:
        """Whether a hook is called while any seat has the module, whomever it is about."""
        return self.table if isinstance(self.table, bool) else hook in self.table

    def phase(self, name: str, en: str = "", de: str | None = None, sealed: bool = False) -> Handle:
        """Declare a phase in which this module asks; returns its number, to be kept under a global name.

        `en`, `de`: what it asks, in words; `{name}` stands for the value of a parameter of the module.
        `sealed`: it asks several at once, who answer without knowing what the others do (service `ask_all`).
        """
        if not isinstance(name, str) or not name.isidentifier():
            raise self.error(f"phase {name!r}: letters, digits and _ only")
        if name in self.interface.phases or name in self.phases:
            raise self.error(f"phase {name!r} exists already")
        self.phases.append(name)
        if en:
            self.questions[name] = {"en": en, "de": de or en}
        if sealed:
            self.sealed.append(name)
        return Handle.of(self, "phase", name)

    def piece(self, name: str, size: int, low: float, high: float, doc: str) -> None:
        """Declare an observation piece; the hook `observe(s, p, seat, out)` writes all pieces in this order."""
        if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= 4096:
            raise self.error(f"piece {name!r}: size = {size!r} is not allowed: a whole number 1..4096")
        if not (isfinite(low) and isfinite(high) and low < high):
            raise self.error(f"piece {name!r}: range {low!r}..{high!r} is not allowed: finite, low < high")
        if any(piece.name == name for piece in self.pieces):
            raise self.error(f"piece {name!r} is declared twice")
        self.pieces.append(ObservationPiece(name, size, low, high, doc))

    def hook(self, function: Any) -> Any:
        """Mark a function as the module's part at the hook point of the same name."""
        if not inspect.isfunction(function):
            raise self.error(f"@module.hook stands before {function!r}, which is no function")
        name, table = function.__name__, self.interface.table
        if name not in table:
            raise self.error(
                f"no hook is called {name!r}{near(name, table)}; hooks: {', '.join(table)}", place_of(function)
            )
        if name in self.hooks:
            raise self.error(f"hook {name!r} is defined twice", place_of(function))
        want, have = table[name].arguments, inspect.signature(function).parameters
        plain = all(a.kind is a.POSITIONAL_OR_KEYWORD and a.default is a.empty for a in have.values())
        if len(want) != len(have) or not plain:
            shown = ", ".join(str(a.replace(annotation=a.empty)) for a in have.values())
            raise self.error(f"hook {name!r} takes ({', '.join(want)}), not ({shown})", place_of(function))
        self.hooks[name] = function
        return kernel(function)

    def _known(self, what: str, given: Sequence[str] | None, known: tuple[str, ...]) -> tuple[str, ...]:
        if given is None:
            return known
        if isinstance(given, str):
            raise self.error(f"{what} {given!r}: a tuple of names, such as ({given!r},)")
        for value in given:
            if value not in known:
                names = ", ".join(known) or f"nothing: {self.interface.system} knows none"
                raise self.error(f"{what} {value!r} is none of {names}{near(str(value), known)}")
        return tuple(given)

    def _fresh(self, name: str, taken: dict[str, Any], what: str) -> None:
        if not isinstance(name, str) or not name.isidentifier():
            raise self.error(f"{what} name {name!r}: letters, digits and _ only, starting with a letter")
        if name in taken:
            raise self.error(f"{what} {name!r} is declared twice")


def place_of(function: Callable[..., object]) -> str:
    """File and line of a function."""
    code = function.__code__
    return f"{code.co_filename}:{code.co_firstlineno}"
