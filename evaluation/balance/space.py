"""The values among which a balance is looked for: one axis for every parameter of the module that is left open."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ...envs.core.checks import near
from ...envs.core.errors import ProbespielError, RulesetError
from ...envs.core.modules import Module, Param

MOST = 50_000  # combinations of values
MOST_FIRST = 64  # combinations that are measured first
LEVELS = {1: 9, 2: 5, 3: 4, 4: 3}  # number of axes -> values of each that are measured first
HOLDERS = "seats"
FORM = "NAME=LOW..HIGH, NAME=VALUE,VALUE,... or NAME=VALUE"
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")

Key = tuple[int, ...]  # an index into the values of every axis


@dataclass(frozen=True)
class Axis:
    """A parameter and its values; those of `numeric` ones rise, so that values between them mean something."""

    name: str
    values: tuple[Any, ...]
    numeric: bool

    def first(self, levels: int) -> list[int]:
        """Indexes of the values that are measured first: all, or so many at even distances with both ends."""
        n = len(self.values)
        if not self.numeric or n <= levels:
            return list(range(n))
        return np.unique(np.round(np.linspace(0, n - 1, levels)).astype(int)).tolist()


@dataclass(frozen=True)
class Space:
    """Axes, and the parameters that have one value."""

    axes: tuple[Axis, ...]
    fixed: Mapping[str, Any]

    def params(self, key: Key) -> dict[str, Any]:
        """The values of the open parameters at a point."""
        return {axis.name: axis.values[i] for axis, i in zip(self.axes, key)}

    def first(self) -> list[Key]:
        """The points that are measured first, a coarse grid."""
        levels = LEVELS[len(self.axes)]
        return list(itertools.product(*(axis.first(levels) for axis in self.axes)))

    def all(self) -> list[Key]:
        """All points."""
        return list(itertools.product(*(range(len(axis.values)) for axis in self.axes)))

    def steps(self, key: Key, far: int = 1) -> list[Key]:
        """The points that are `far` values away on one axis; on axes that are not numeric every other value."""
        out = []
        for at, axis in enumerate(self.axes):
            other = (key[at] - far, key[at] + far) if axis.numeric else range(len(axis.values))
            out += [
                (*key[:at], i, *key[at + 1 :]) for i in other if 0 <= i < len(axis.values) and i != key[at]
            ]  # fmt: skip
        return out


def space_of(module: Module, texts: Sequence[str]) -> Space:
    """The space of texts like `cost=1..5`; raises ProbespielError naming the text, the module's names and ranges."""
    axes: list[Axis] = []
    fixed: dict[str, Any] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name or not value:
            raise ProbespielError(f"--param {text!r} is not of the form {FORM}")
        if name in fixed or any(axis.name == name for axis in axes):
            raise ProbespielError(f"--param {name!r} is given twice")
        values, numeric = _values(_declared(module, name), text, value, module)
        if len(values) == 1:
            fixed[name] = values[0]
        else:
            axes.append(Axis(name, values, numeric))
    if not axes:
        known = ", ".join(_range_of(param) for param in module.params.values()) or "none"
        raise ProbespielError(
            f"nothing is left open: give at least one --param NAME=LOW..HIGH; parameters of {module.name}: {known}"
        )
    if len(axes) > max(LEVELS):
        raise ProbespielError(f"--param leaves {len(axes)} parameters open: at most {max(LEVELS)}; give some one value")
    found = Space(tuple(axes), fixed)
    sizes = " x ".join(f"{len(axis.values):,} of {axis.name}" for axis in axes)
    if prod(len(axis.values) for axis in axes) > MOST:
        raise ProbespielError(f"--param gives too many combinations ({sizes}): at most {MOST:,}; narrow the ranges")
    if len(found.first()) > MOST_FIRST:
        raise ProbespielError(
            f"--param gives too many combinations ({sizes}): {len(found.first())} would be measured first, at most "
            f"{MOST_FIRST}; list fewer values"
        )
    return found


def _declared(module: Module, name: str) -> Param:
    if name == HOLDERS:
        raise ProbespielError("--param 'seats' says who has the module, which is varied anyway: leave it out")
    if name not in module.params:
        known = ", ".join(module.params) or "it has none"
        raise ProbespielError(
            f"--param {name!r}: module {module.name} has no such parameter: {known}{near(name, module.params)}"
        )
    return module.params[name]


def _values(param: Param, text: str, value: str, module: Module) -> tuple[tuple[Any, ...], bool]:
    """The values that a text gives a parameter, and whether they are numbers in order."""
    plain = not param.choices and not isinstance(param.default, (bool, dict))
    if isinstance(param.default, dict):
        raise ProbespielError(f"--param {text!r}: {param.name} holds several numbers at once and cannot be varied")
    found = _RANGE.fullmatch(value)
    if ".." in value and (found is None or not plain):
        form = "whole numbers LOW..HIGH" if plain else f"no range; list values of {_range_of(param)}"
        raise ProbespielError(f"--param {text!r} is not allowed: {form}")
    if found is not None:
        low, high = int(found[1]), int(found[2])
        if low > high:
            raise ProbespielError(f"--param {text!r}: the range is empty, {low} lies above {high}")
        for end in (low, high):
            _checked(param, text, end, module)
        if high - low >= MOST:
            raise ProbespielError(
                f"--param {text!r} gives too many combinations ({high - low + 1:,}): at most {MOST:,}; narrow the range"
            )
        return tuple(range(low, high + 1)), True
    values = [_checked(param, text, _read(param, text, part.strip()), module) for part in value.split(",")]
    if len(set(values)) < len(values):
        raise ProbespielError(f"--param {text!r} names a value twice")
    return tuple(sorted(values) if plain else values), plain


def _read(param: Param, text: str, word: str) -> Any:
    if param.choices:
        return word
    if isinstance(param.default, bool):
        known = {"true": True, "false": False, "1": True, "0": False}
        if word.lower() not in known:
            raise ProbespielError(f"--param {text!r}: {word!r} is not allowed: true or false")
        return known[word.lower()]
    try:
        return int(word)
    except ValueError:
        raise ProbespielError(f"--param {text!r}: {word!r} is no whole number ({_range_of(param)})") from None


def _checked(param: Param, text: str, value: Any, module: Module) -> Any:
    try:
        return param.check(module.name, value)
    except RulesetError as error:
        raise ProbespielError(f"--param {text!r}: {error}") from None


def _range_of(param: Param) -> str:
    if param.choices:
        return f"{param.name} ({', '.join(param.choices)})"
    if isinstance(param.default, bool):
        return f"{param.name} (true, false)"
    return param.name if isinstance(param.default, dict) else f"{param.name} ({param.low}..{param.high})"


__all__ = ["Axis", "Key", "Space", "space_of"]
