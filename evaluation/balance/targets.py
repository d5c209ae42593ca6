"""What a designer wants of a rule module: figures, and the range in which each should lie."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...envs.core.checks import near
from ...envs.core.errors import ProbespielError

FORM = "NAME=LOW..HIGH, NAME=LOW.., NAME=..HIGH or NAME=VALUE"
EXCESS = 1e-9  # what a number may lie outside of a range and still count as in it
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)"
_RANGE = re.compile(rf"({_NUMBER})?\.\.({_NUMBER})?")


@dataclass(frozen=True)
class Kind:
    """A figure that can be aimed at: what it tells, whether in per cent, the lowest and highest value that it can have.

    `default`: the range of a target without one.
    """

    what: str
    percent: bool = False
    least: float = -math.inf
    most: float = math.inf
    default: tuple[float, float] | None = None
    digits: int = 2


FIGURES = {
    "worth": Kind("what a side gains by having the module alone", default=(0.0, 0.0), digits=3),
    "length": Kind("decisions of a game when all have it", least=0.0, digits=1),
    "use": Kind("share of the chances in which it is used", True, 0.0, 100.0, (20.0, 80.0), 0),
    "draws": Kind("share of drawn games when all have it", True, 0.0, 100.0, digits=1),
    "luck": Kind("share of the results that the deal decides when all have it", True, 0.0, 100.0, digits=0),
    "seat": Kind("what sitting first is worth when all have it", digits=3),
    "dominant": Kind(
        "share of resamples in which one strategy is best against all worth playing", True, 0.0, 100.0, (0.0, 95.0), 0
    ),
}


@dataclass(frozen=True)
class Target:
    """A figure and its range; per cent are numbers 0..100. None: without an end on that side."""

    figure: str
    low: float | None
    high: float | None

    @property
    def ends(self) -> tuple[float, float]:
        """The range, with infinity for no end."""
        return -math.inf if self.low is None else self.low, math.inf if self.high is None else self.high

    @property
    def edges(self) -> tuple[float, ...]:
        """The ends that there are, each once."""
        return tuple(sorted({end for end in (self.low, self.high) if end is not None}))

    @property
    def aim(self) -> float:
        """What is best: the middle of the range, or its only end."""
        low, high = self.ends
        return low if math.isinf(high) else high if math.isinf(low) else (low + high) / 2

    @property
    def half(self) -> float:
        """Half of the width of the range; 0 for one value, and for a range with one end."""
        low, high = self.ends
        return 0.0 if math.isinf(low) or math.isinf(high) else (high - low) / 2

    def excess(self, low: float, high: float | None = None) -> float:
        """How far a number, or the nearest of an interval, lies outside of the range."""
        a, b = self.ends
        found = max(a - (low if high is None else high), low - b, 0.0)
        return 0.0 if found <= EXCESS else found

    def holds(self, low: float, high: float) -> str:
        """Whether numbers in an interval meet the target: `yes` (all), `no` (none) or `maybe`."""
        if self.excess(low, high) > 0:
            return "no"
        return "yes" if self.excess(low) == 0 and self.excess(high) == 0 else "maybe"

    def text(self) -> str:
        """ "worth 0 to 0.1", "use 20 to 80 %"."""
        unit = " %" if FIGURES[self.figure].percent else ""
        low, high = self.low, self.high
        least, most = ("" if end is None else f"{end:g}".replace("-", "−") for end in (low, high))
        if low is None:
            return f"{self.figure} up to {most}{unit}"
        if high is None:
            return f"{self.figure} {least}{unit} or more"
        return f"{self.figure} {least}{unit}" if low == high else f"{self.figure} {least} to {most}{unit}"


def targets_of(texts: Sequence[str]) -> tuple[Target, ...]:
    """Targets of texts like `worth=0..0.1`, `use`; without any a worth of nothing. Raises ProbespielError."""
    out: list[Target] = []
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if name not in FIGURES:
            raise ProbespielError(f"--target {name!r} is unknown: {', '.join(FIGURES)}{near(name, FIGURES)}")
        if any(target.figure == name for target in out):
            raise ProbespielError(f"--target {name!r} is given twice")
        out.append(Target(name, *_range(FIGURES[name], name, text, value if equals else None)))
    return tuple(out) or (Target("worth", 0.0, 0.0),)


def _range(kind: Kind, name: str, text: str, value: str | None) -> tuple[float | None, float | None]:
    if value is None:
        if kind.default is None:
            raise ProbespielError(f"--target {name!r} needs a range: {FORM.replace('NAME', name)}")
        return kind.default
    plain = value.replace("%", "") if kind.percent else value
    found = _RANGE.fullmatch(plain)
    if found is not None and found[1] is None and found[2] is None:
        raise ProbespielError(f"--target {text!r} has no end at all: {FORM.replace('NAME', name)}")
    if found is None and re.fullmatch(_NUMBER, plain) is None:
        raise ProbespielError(f"--target {text!r} is not of the form {FORM.replace('NAME', name)}")
    ends = (plain, plain) if found is None else (found[1], found[2])
    low, high = (None if end is None else float(end) for end in ends)
    if low is not None and high is not None and low > high:
        raise ProbespielError(f"--target {text!r}: the range is empty, {low:g} lies above {high:g}")
    for end in (low, high):
        if end is not None and not kind.least <= end <= kind.most:
            raise ProbespielError(f"--target {text!r}: {end:g} is not allowed: {kind.least:g}..{kind.most:g}")
    return low, high


__all__ = ["FIGURES", "Kind", "Target", "targets_of"]
