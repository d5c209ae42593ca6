"""Hook points: the mark that declares one in a system's `hooks.py`, and what holds where no module has a say.

A system's file declares its hook points in the order of play, one function each. The docstring is the moment at which
it is called, the arguments are those of the modules' functions, and the body is what the core does without modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, TypeVar

from ..jit import kernel

F = TypeVar("F", bound=Callable[..., object])

PASS_ON = -1  # an override's answer "as usual"

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
UNCALLED = ("step", "observe")  # kinds that the kernel calls through `event_call` and `observe_modules` alone


def hook(kind: str) -> Callable[[F], F]:
    """Declare a function of a system's `hooks.py` as a hook point of a kind (see KINDS).

    A function of kind `owner` has the argument `owner` as well, the index of the module that is told; the modules'
    functions do without it. Raises ValueError for an unknown kind.
    """
    if kind not in KINDS:
        raise ValueError(f"hook kind {kind!r} is unknown: one of {', '.join(KINDS)}")

    def mark(function: F) -> F:
        function.__hook__ = kind  # type: ignore[attr-defined]
        return function if kind in UNCALLED else kernel(function)

    return mark


def declared(hooks: ModuleType) -> Iterator[tuple[str, str, Callable[..., object]]]:
    """The hook points of a file in their order: name, kind and function."""
    for name, value in vars(hooks).items():
        kind = getattr(value, "__hook__", None)
        if kind is not None:
            yield name, kind, value


@kernel
def has(s: Any, p: Any, seat: int) -> bool:
    """Whether a seat has the module whose hook runs (its parameter `seats`); every module is given its own."""
    return True


# --- called by the kernels, and written for the modules of a rule set when it is built (see `bind`) -------------------


@kernel
def event_modules(event: int) -> int:
    """How many modules have a `step` hook, numbered in the order of play; 0: the event is skipped."""
    return 0


@kernel
def event_call(s: Any, p: Any, event: int, module: int, seat: int) -> None:
    """Call a `step` hook of the module-th module that has it, for one seat."""


@kernel
def has_window(window: int) -> bool:
    """Whether any module has options in a window."""
    return False


@kernel
def reset_fields(s: Any, p: Any, scope: int) -> None:
    """Zero the fields of modules whose scope (index in `Interface.scopes`) begins anew."""


@kernel
def forget_fields(s: Any, seat: int) -> None:
    """Zero what modules remember for other seats alone (search)."""


@kernel
def observe_modules(s: Any, p: Any, seat: int, out: Any, offset: int) -> int:
    """Write the observation pieces of all modules; return the offset behind them."""
    return offset


# --- what the module is told that has asked for something (`asking`); systems declare these as hook points ------------


@kernel
def legal_of(s: Any, p: Any, owner: int, phase: int, seat: int, words: Any) -> None:
    """What may be answered to a question of a module."""


@kernel
def answered(s: Any, p: Any, owner: int, phase: int, seat: int, action: int) -> None:
    """A question of a module was answered."""


@kernel
def task(s: Any, p: Any, owner: int, what: int, seat: int) -> None:
    """A task of a module has come up."""


@kernel
def fell(s: Any, p: Any, owner: int, what: int, seat: int, outcome: int) -> None:
    """A die of a module fell."""


# --- actions with targets and amounts, and named dice -----------------------------------------------------------------


@kernel
def kind_of(action: int) -> int:
    """The action as the module has declared it, whatever its target and amount."""
    return action


@kernel
def target_of(action: int) -> int:
    """Whom an action names: a seat (or figure), -1 nobody."""
    return -1


@kernel
def amount_of(action: int) -> int:
    """The amount that an action names, 0 none."""
    return 0


@kernel
def choices_of(action: int) -> int:
    """How many actions a declared one stands for: targets times amounts; they follow it in the order of targets."""
    return 1


@kernel
def sides_of(die: int) -> int:
    """The sides of a named die."""
    return 0
