"""The named scenarios (section 4): the options that they set, and what the tests of an evening are drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .state import KINDS

VALUE = 12  # of the acting side, where nothing else is said


@dataclass(frozen=True)
class Draw:
    """A distribution of tests: kinds and differences, uniform and independent, the acting side's value being fixed."""

    kinds: tuple[str, ...]
    differences: tuple[int, ...]
    value: int = VALUE

    def tests(self) -> list[dict[str, Any]]:
        """All tests that can be drawn; each has the same chance."""
        return [test(kind, d, self.value) for kind in self.kinds for d in self.differences]


@dataclass(frozen=True)
class Preset:
    """A scenario: options on top of the defaults, and the distribution of the tests where they are drawn."""

    options: dict[str, Any]
    draw: Draw | None = None


def test(kind: str, difference: int, value: int = VALUE, **more: Any) -> dict[str, Any]:
    """A test by its difference."""
    other = value + difference
    if kind == "simple":
        return {"kind": kind, "value": value, "target": other, **more}
    return {"kind": kind, "attacker_value": value, "defender_value": other, **more}


EVENING = Draw(KINDS, (-6, -4, -3, -1, 0, 1, 3, 4, 6))
PRESETS: dict[str, Preset] = {
    "evening": Preset({"n_tests": 20}, EVENING),
    "long_evening": Preset({"n_tests": 200}, EVENING),
    "hack": Preset({"tests": [test("simple", 0, 18)]}),
    "grapple": Preset({"tests": [test("simple", -9, 21)]}),
    "table_simple": Preset({"tests": [test("simple", d) for d in (9, 6, 3, 0, -3, -6, -9)]}),
    "table_contest": Preset({"tests": [test("contest", d, acting_seat=0) for d in range(12, -13, -3)]}),
    "even_contest": Preset({"tests": [test("contest", 0) for _ in range(20)]}),
    "plain_rps": Preset({"tests": [test("contest", 0)] * 1000, "max_rounds": 1, "contest_tie": "draw"}),
}
DEFAULT = "evening"
