"""What a search for balance has found out: plain frozen records, kept as `balance.json`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..report.records import read_record, record_text
from .targets import Target

VERSION = 1  # of the file


@dataclass(frozen=True)
class Figure:
    """A figure with its 95 % interval; `games` it rests on, 0 if it is `exact`."""

    name: str
    value: float
    low: float
    high: float
    games: int
    exact: bool = False


@dataclass(frozen=True)
class Point:
    """Values of the parameters with their figures; `share`: of the games of the budget that were played for them.

    `meets`: whether all targets are met (`yes`, `maybe`, `no`); `front`: no other point is nearer to one target and not
    further from another. `fault`: why there are no figures. `replay`: the file of a game as it is played there, ""
    where the figures are exact or there are none.
    """

    params: dict[str, Any]
    share: float = 0.0
    figures: tuple[Figure, ...] = ()
    meets: str = "no"
    front: bool = False
    fault: str = ""
    replay: str = ""

    def figure(self, name: str) -> Figure | None:
        """The figure of a name, None where it was not measured."""
        return next((f for f in self.figures if f.name == name), None)


@dataclass(frozen=True)
class Line:
    """A figure along a parameter, at places `x`: value and band; `direction` 1 rises, -1 falls, 0 neither."""

    figure: str
    direction: int
    x: tuple[float, ...]
    mid: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True)
class Crossing:
    """Where a figure has the value `aim` along a parameter: from `low` to `high` (95 %), perhaps even beyond an end.

    `value` None: nowhere by the measurements, though it may.
    """

    figure: str
    aim: float
    value: float | None
    low: float
    high: float
    open_low: bool
    open_high: bool


@dataclass(frozen=True)
class Along:
    """What is found along one parameter, all others as suggested.

    `region`: where all targets are met, `sure`: where the whole bands are in range. `exact`: no figure has an error.
    """

    param: str
    lines: tuple[Line, ...]
    crossings: tuple[Crossing, ...]
    region: tuple[tuple[float, float], ...]
    sure: tuple[tuple[float, float], ...]
    exact: bool


@dataclass(frozen=True)
class Axis:
    """An open parameter and its values; `low` and `high`: what the module allows, None where that is no number."""

    name: str
    values: tuple[Any, ...]
    numeric: bool
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True)
class Balance:
    """All that is known: what was asked, every point that was measured, and the suggestion.

    `suggestion` is one of `points`, `steps` are those one step away from it. `options` stand on top of the scenario,
    `also` are other modules that everybody has; None where that was not kept.
    """

    game: str
    module: str
    scenario: str
    fixed: dict[str, Any]
    budget: str
    seed: int
    targets: tuple[Target, ...]
    axes: tuple[Axis, ...]
    payoff_unit: str
    ruleset: str
    version: str
    command: str = ""
    points: tuple[Point, ...] = ()
    along: tuple[Along, ...] = ()
    suggestion: Point | None = None
    steps: tuple[Point, ...] = ()
    stress_command: str = ""
    notes: tuple[str, ...] = ()
    complete: bool = False
    options: dict[str, Any] | None = None
    also: dict[str, Any] | None = None


def balance_json(found: Balance) -> str:
    """`balance.json`."""
    return record_text("balance", VERSION, found)


def read_balance(path: Path) -> Balance:
    """What a `balance.json` holds; raises ProbespielError if it is none of this version."""
    return read_record(Balance, "balance", VERSION, path)


__all__ = [
    "Along", "Axis", "Balance", "Crossing", "Figure", "Line", "Point", "balance_json", "read_balance",
]  # fmt: skip
