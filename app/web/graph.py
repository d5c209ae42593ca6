"""The value graph of an analysed game as places in an SVG; a table beside it says the same."""

from __future__ import annotations

from dataclasses import dataclass

from ...envs.core.texts import number_in
from ..reviewing import Told

WIDTH, HEIGHT = 720, 240
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 14, 30


@dataclass(frozen=True)
class Dot:
    """A moment on the graph; `lost` marks a decision that lost something beyond doubt."""

    x: float
    y: float
    number: int
    text: str
    chance: bool
    lost: bool
    turning: bool


@dataclass(frozen=True)
class Graph:
    """All that is drawn: the line of values, its band of intervals, dots, ticks, and where the page stands."""

    width: int
    height: int
    line: str
    band: str
    dots: tuple[Dot, ...]
    ticks: tuple[tuple[float, str], ...]
    steps: tuple[tuple[float, int], ...]
    left: int
    right: int
    bottom: int
    here: float


def graph_of(told: Told, number: int) -> Graph:
    """The graph of an analysis, with a mark at a step."""
    points = told.points
    low = min(point.low for point in points)
    high = max(point.high for point in points)
    if high - low < 1e-9:
        low, high = low - 1.0, high + 1.0
    last = max(points[-1].number, 1)

    def x(step: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * step / last, 1)

    def y(value: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low), 1)

    lost = {loss.number for loss in told.losses if loss.sure}
    over = [f"{x(p.number)},{y(p.high)}" for p in points]
    under = [f"{x(p.number)},{y(p.low)}" for p in reversed(points)]
    values: list[float] = sorted([low, 0.0, high] if low < 0 < high else [low, high])
    apart = [value for value in values if value in (low, high) or min(value - low, high - value) > 0.12 * (high - low)]
    return Graph(
        width=WIDTH,
        height=HEIGHT,
        line=" ".join(f"{x(p.number)},{y(p.value)}" for p in points),
        band=" ".join([*over, *under]),
        dots=tuple(
            Dot(
                x(p.number),
                y(p.value),
                p.number,
                f"{p.number}: {p.title}: {p.text}",
                p.chance,
                p.number in lost,
                p.number == told.turning,
            )
            for p in points
        ),
        ticks=tuple((y(value), number_in(f"{value:+.1f}", told.lang)) for value in apart),
        steps=tuple((x(step), step) for step in sorted({0, last // 2, last})),
        left=LEFT,
        right=WIDTH - RIGHT,
        bottom=HEIGHT - BOTTOM,
        here=x(min(number, last)),  # a forced end keeps the value of the last moment
    )


__all__ = ["Graph", "graph_of"]
