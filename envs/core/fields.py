"""The numbers of a record: what each means and which values it may have, told once where the record is declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from math import inf
from typing import Any, NamedTuple

import numpy as np

MOST_NAMED = 6  # numbers of a code that are listed one by one


class Values(NamedTuple):
    """Values that a number may have: in words, and the lowest and the highest."""

    text: str
    low: float = -inf
    high: float = inf


def span(low: float, high: float) -> Values:
    """The values low..high."""
    return Values(f"{low:.0f} and up" if high == inf else f"{low:.0f}..{high:.0f}", low, high)


def code(numbers: type[IntEnum]) -> Values:
    """The numbers of a declared code."""
    known = list(numbers)
    text = f"`{numbers.__name__}`"
    if len(known) <= MOST_NAMED:
        text += ": " + ", ".join(f"{n.value} {n.name}" for n in known)
    return Values(text, min(known), max(known))


FLAG = Values("0 or 1", 0, 1)
COUNT = Values("0 and up", 0)
WHOLE = Values("any whole number")
REAL = Values("any number")
HASH = Values("a hash")
PHASE = Values("a phase, those of modules included", 0)
OWNER = Values("place of a module, -1 the rules", -1)
NO_SEAT = Values("a seat, -1 none", -1, 61)
SEATS = Values("a set of seats (bits)", 0)


class Size(int):
    """A number of places that says what it counts: seats, attributes, rounds."""

    of: str

    def __new__(cls, n: int, of: str) -> Size:
        """`n` places of `of`."""
        made = super().__new__(cls, n)
        made.of = of
        return made


class Number(NamedTuple):
    """A field of a record: a number, or an array of them by the sizes of `shape`."""

    name: str
    values: Values
    meaning: str
    shape: tuple[int, ...] = ()
    kind: str = "i8"

    @property
    def places(self) -> str:
        """By what it goes, such as `[seat][attribute]`; empty for a single number."""
        return "".join(f"[{size.of if isinstance(size, Size) else int(size)}]" for size in self.shape)

    @property
    def field(self) -> tuple[Any, ...]:
        """The field as numpy takes it."""
        shape = tuple(int(n) for n in self.shape)
        return (self.name, self.kind, shape) if shape else (self.name, self.kind)


PAIR = 2  # holders of a counter who are told one by one, whatever they have


class Tally(NamedTuple):
    """A field that people see by its name (`texts`: by language); of each of `names`, or without names of the table."""

    field: str
    texts: Mapping[str, str]
    names: tuple[str, ...]
    low: int
    high: int
    private: bool

    def told(self, record: Any, seat: int | None, lang: str, called: Mapping[str, str]) -> dict[str, int]:
        """What a seat (None: everybody) may know: names in a language, and the numbers.

        `called` are the names in words, where a reader of the language calls them otherwise.
        """
        value, name = getattr(record, self.field), self.texts.get(lang, self.texts["en"])
        if not self.names:
            return {name: int(value)}
        seen = [i for i in range(len(self.names)) if not self.private or i == seat]
        return {f"{name} ({called.get(self.names[i], self.names[i])})": int(value[i]) for i in seen}

    def line(self, name: str, value: int) -> str:
        """A number as people read it; where it can only be 0 or 1, its name says it, and 0 is no line."""
        if (self.low, self.high) != (0, 1):
            return f"{name}: {value}"
        return name if value else ""

    def lines(self, told: Mapping[str, int]) -> list[str]:
        """The lines about numbers as `told` gives them; of a crowd only those who have some, else they are a wall."""
        crowd = len(told) > PAIR and self.low == 0
        found = (self.line(name, value) for name, value in told.items() if value or not crowd)
        return [line for line in found if line]

    def wrong(self, record: Any) -> str:
        """What is wrong with the numbers; empty if nothing."""
        lowest, highest = int(np.min(getattr(record, self.field))), int(np.max(getattr(record, self.field)))
        if self.low <= lowest and highest <= self.high:
            return ""
        return f"counter {self.texts['en']!r} is {lowest if lowest < self.low else highest}: {self.low}..{self.high}"


def number(
    name: str, values: Values | type[IntEnum], meaning: str, shape: Sequence[int] = (), kind: str = ""
) -> Number:
    """Declare a field; `kind` (a type of numpy) is int64 where it is not given, float64 for REAL."""
    if isinstance(values, type):
        values = code(values)
    return Number(
        name=name, values=values, meaning=meaning, shape=tuple(shape), kind=kind or ("f8" if values is REAL else "i8")
    )


def record_of(fields: Iterable[Number | tuple[Any, ...]], align: bool = False) -> np.dtype:
    """The record of some fields; those of rule modules come as numpy takes them."""
    return np.dtype([f.field if isinstance(f, Number) else f for f in fields], align=align)


__all__ = [
    "COUNT", "FLAG", "HASH", "NO_SEAT", "OWNER", "PHASE", "REAL", "SEATS", "WHOLE", "Number", "Size", "Tally", "Values",
    "code", "number", "record_of", "span",
]  # fmt: skip
