"""Worked examples that are played: the game of a case, its steps one by one, and what it expects of the position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from inspect import signature
from typing import Any

from .errors import ProbespielError
from .game import Game, Position

TOLERANCE = 1e-9


class Mismatch(ProbespielError):
    """A script and the rules disagree; the script cannot go on."""


def same(have: Any, want: Any, tolerance: float = TOLERANCE) -> bool:
    """Whether a value is the expected one, objects and lists item by item.

    A number written as a text such as "-160/41" is meant exactly, a plain one within `tolerance`; what is computed in
    floating point is compared within `tolerance` as well.
    """
    if isinstance(have, Mapping) and isinstance(want, Mapping):
        return set(have) == set(want) and all(same(have[key], want[key], tolerance) for key in want)
    if isinstance(have, (list, tuple)) and isinstance(want, (list, tuple)):
        return len(have) == len(want) and all(same(h, w, tolerance) for h, w in zip(have, want))
    if isinstance(have, bool) or not isinstance(have, (int, float, Fraction)):
        return bool(have == want)
    try:
        number = want if isinstance(want, (int, float, Fraction)) else Fraction(want)
    except (ValueError, TypeError, ZeroDivisionError):
        return False
    if isinstance(want, str) and not isinstance(have, float):
        return have == number
    return have == number or abs(float(have) - float(number)) <= tolerance


def refusal(build: Callable[[], object], mentions: Iterable[Any]) -> list[str]:
    """Problems of a set-up that must be refused by an error with every text of `mentions`, in small or capital letters.

    `build` makes the game; the list is empty if it raises such a ProbespielError.
    """
    if isinstance(mentions, str) or not isinstance(mentions, Sequence):
        return [f"mentions = {mentions!r} must be a list of texts"]
    texts = [str(mention) for mention in mentions]
    try:
        build()
    except ProbespielError as error:
        told = str(error)
        missing = [text for text in texts if text.casefold() not in told.casefold()]
        return [f"the error {told!r} does not mention {text!r}" for text in missing]
    return [f"the set-up was accepted, but an error was expected that mentions {', '.join(texts)}"]


def field_problems(step: Mapping[str, Any], needed: Sequence[str], optional: Sequence[str] = ()) -> list[str]:
    """Fields that a step lacks and fields that it has but does not take, as texts: either makes a choice illegal."""
    if not isinstance(step, Mapping):
        return [f"{step!r} must be an object with the fields {', '.join([*needed, *optional])}"]
    out = [f"field {name!r} is missing" for name in needed if name not in step]
    known = [*needed, *optional]
    return out + [f"field {name!r} is not taken here: {', '.join(known)}" for name in step if name not in known]


def answer(name: str, functions: Mapping[str, Callable[..., Any]], args: Any) -> Any:
    """What the named function answers to `args`, a mapping or a list; raises ProbespielError for others."""
    if name not in functions:
        raise ProbespielError(f"function {name!r} is unknown: {', '.join(functions)}")
    takes = signature(functions[name])
    named = isinstance(args, Mapping)
    try:
        bound = takes.bind(**args) if named else takes.bind(*args)
    except TypeError as error:
        raise ProbespielError(f"args = {args!r}: {error}; {name} takes {', '.join(takes.parameters)}") from None
    return functions[name](*bound.args, **bound.kwargs)


class Script:
    """One case being played: its game, the position, and what did not match so far.

    A system's script sets the game up, takes a step, and reads the position: the method `see_KEY(want)` answers what a
    key of `expect` stands for, in the form in which `want` is written; `check_KEY(want, where)` notes by itself what
    does not match.
    """

    def __init__(self, case: Mapping[str, Any], game: Game) -> None:
        self.case = case
        self.game = game
        self.names = [seat.name for seat in game.seats]
        self.position = Position(game)
        self.problems: list[str] = []
        for number, step in enumerate(case.get("steps") or [], start=1):
            if not isinstance(step, Mapping):
                raise ProbespielError(f"step {number} = {step!r} is not allowed: an object with named fields")

    def run(self) -> list[str]:
        """Play the script up to the first step that does not hold; what did not match (an empty list: it passed)."""
        self.start()
        for number, step in enumerate(self.case.get("steps") or [], start=1):
            if self.problems:
                return self.problems
            try:
                self.step(step, f"step {number}")
            except ProbespielError as error:
                self.problems.append(f"step {number}: {error}")
        if not self.problems:
            try:
                self.end()
            except ProbespielError as error:
                self.problems.append(f"end: {error}")
        return self.problems

    def start(self) -> None:
        """Before the first step; by default nothing."""

    def step(self, step: Mapping[str, Any], where: str) -> None:
        """Take one step; raises ProbespielError if that is not possible. `where` names it in problems."""
        raise NotImplementedError

    def end(self) -> None:
        """After the last step; by default what the case expects of the position."""
        self.check(self.case.get("expect"), "end")

    # --- expectations -------------------------------------------------------------------------------------------------

    def check(self, expect: Mapping[str, Any] | None, where: str) -> None:
        """Compare all keys of an `expect` with the position."""
        for key, want in (expect or {}).items():
            reader: Callable[[Any], Any] | None = getattr(self, f"see_{key}", None)
            checker: Callable[[Any, str], None] | None = getattr(self, f"check_{key}", None)
            if reader is not None:
                try:
                    self.compare(f"{where}: {key}", reader(want), self.normal(key, want))
                except ProbespielError as error:
                    self.problems.append(f"{where}: {key}: {error}")
            elif checker is not None:
                checker(want, where)
            else:
                names = (name.partition("_") for name in dir(self))
                known = sorted(rest for what, _, rest in names if what in ("see", "check") and rest)
                self.problems.append(f"{where}: expect key {key!r} is unknown: {', '.join(known)}")

    def compare(self, what: str, have: Any, want: Any) -> None:
        """Note a difference."""
        if not same(have, want):
            self.problems.append(f"{what} is {have!r}, expected {want!r}")

    def normal(self, key: str, want: Any) -> Any:
        """The expected value in the form in which the reader of `key` answers."""
        return want

    # --- parts of steps and readers -----------------------------------------------------------------------------------

    def seat(self, name: Any) -> int:
        """A seat by its name; raises ProbespielError."""
        return self.game.seat_index(name)

    def per_seat(self, want: Mapping[str, Any], value: Callable[[int], Any]) -> dict[str, Any]:
        """A value for every seat that is named; raises ProbespielError."""
        if not isinstance(want, Mapping):
            raise ProbespielError(f"{want!r} is not allowed: an object with a value for each seat that is compared")
        return {name: value(self.seat(name)) for name in want}

    def attempt(self, take: Callable[[], object], where: str, position: Position | None = None) -> None:
        """Make a move; one that is refused must not change the position (of this script, if not given).

        Raises the ProbespielError of the refusal.
        """
        position = self.position if position is None else position
        before = position.to_bytes()
        try:
            take()
        except ProbespielError:
            if position.to_bytes() != before:
                self.problems.append(f"{where}: the refused action changed the state")
            raise

    def refused(self, take: Callable[[], object], where: str, position: Position | None = None) -> bool:
        """Whether a move is refused; see `attempt`."""
        try:
            self.attempt(take, where, position)
        except ProbespielError:
            return True
        return False
