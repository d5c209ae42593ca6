"""Declared options of a game: the default of each, what checks it, what is allowed in words, and what it means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from .brief import brief
from .checks import Check, boolean, choice, integer, near, number
from .codes import names_of
from .errors import RulesetError


@dataclass(frozen=True)
class Option:
    """One option: default, check, what is allowed in words, meaning, its words in the order of their numbers, its code.

    `code` is the enumeration whose names the words are, None where kernels compare with no number of it.
    """

    default: Any
    check: Check
    allowed: str
    doc: str = ""
    words: tuple[str, ...] = ()
    code: type[IntEnum] | None = None

    def number(self, value: str) -> int:
        """The number of one of its words."""
        return self.words.index(value)


def whole(default: int, low: int, high: int, doc: str = "") -> Option:
    """A whole number low..high."""
    return Option(default, integer(low, high), f"{low}..{high}", doc)


def real(default: float, low: float, high: float, doc: str = "") -> Option:
    """A number low..high."""
    return Option(default, number(low, high), f"{low:g}..{high:g}", doc)


def amount(default: float, most: float, doc: str = "") -> Option:
    """A number above 0, at most `most`, kept as it is given."""
    allowed = f"more than 0, at most {most:g}"

    def check(name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most:
            raise RulesetError(f"{name} = {brief(value)} is out of range: {allowed}")
        return value

    return Option(default, check, allowed, doc)


def flag(default: bool, doc: str = "") -> Option:
    """True or False."""
    return Option(default, boolean, "True, False", doc)


def word(default: str, *words: str, doc: str = "") -> Option:
    """One of some words."""
    return Option(default, choice(*words), ", ".join(words), doc, words)


def coded(default: IntEnum, doc: str = "") -> Option:
    """A name of a declared code in lower case; records hold its number, kernels compare with its members."""
    code = type(default)
    names = names_of(code)
    return Option(default.name.lower(), choice(*names), ", ".join(names), doc, names, code)


def filled(options: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of all options: those given, checked, on top of the defaults.

    Raises RulesetError naming option, value and what is allowed.
    """
    for name, value in given.items():
        if name not in options:
            raise RulesetError(
                f"option {brief(name)} = {brief(value)} is unknown: one of {', '.join(options)}"
                f"{near(str(name), options)}"
            )
    return {name: option.check(name, given.get(name, option.default)) for name, option in options.items()}
