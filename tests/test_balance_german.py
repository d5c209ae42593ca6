"""Searches for balance in German: whatever is told has its words, and nothing but names stands in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from probespiel.evaluation.balance import report
from probespiel.evaluation.balance.records import Along, Axis, Balance, Crossing, Figure, Line, Point
from probespiel.evaluation.balance.targets import Target
from probespiel.evaluation.balance.texts import GERMAN as BALANCE_GERMAN
from probespiel.evaluation.balance.texts import words as balance_words
from probespiel.evaluation.balance.words import summary_lines
from probespiel.evaluation.report.phrases import check

from .drawn_once import draw_once
from .test_reports import assert_all_german


def without_suggestion(value: Any) -> Any:
    """What pictures show of a search for balance."""
    return replace(value, suggestion=None) if isinstance(value, Balance) else value


@pytest.fixture(scope="module", autouse=True)
def pictures() -> Iterator[None]:
    """The same, whatever is suggested."""
    with pytest.MonkeyPatch.context() as patch:
        draw_once(patch, report, "line_plot", "trade_plot", seen=without_suggestion)
        yield


def told_balance(low: float | None, high: float | None, exact: bool) -> Balance:
    """A search over two parameters with findings of every kind, none of which was measured."""

    def figures(value: float) -> tuple[Figure, ...]:
        width = 0.0 if exact else 0.5
        worth = Figure("worth", value, value - width, value + width, 100, exact)
        return worth, Figure("use", 45.0, 40.0, 50.0, 100)

    def point(fee: int, value: float, meets: str) -> Point:
        return Point({"fee": fee, "loud": True}, 1.0, figures(value), meets, True)

    xs, mid = (1.0, 2.0, 3.0), (0.1, 0.5, 0.9)
    lines = (Line("worth", 1, xs, mid, mid, mid), Line("use", 0, xs, (45.0,) * 3, (40.0,) * 3, (50.0,) * 3))
    crossings = (
        Crossing("worth", 0.4, 2.25, 2.0, 3.0, False, False), Crossing("worth", 0.4, None, 1.0, 3.0, True, True),
        Crossing("worth", 0.4, 1.0, 1.0, 1.0, False, False), Crossing("worth", 0.4, 2.0, 1.0, 3.0, True, False),
        Crossing("worth", 0.4, 2.0, 1.0, 3.0, False, True),
    )  # fmt: skip
    along = (
        Along("fee", lines, crossings, ((1.0, 2.0), (3.0, 3.0)), ((1.0, 1.0),), exact),
        Along("fee", lines, (), (), (), exact),
    )
    best = point(3, 0.5, "maybe")
    broken = Point({"fee": 2, "loud": False}, 0.5, (), "no", False, fault="no answer")
    return Balance(
        "kuhn", "m.py", "standard", {"also": 3}, "quick", 1, (Target("worth", low, high), Target("use", 20.0, 80.0)),
        (Axis("fee", (1, 2, 3), True, 0, 9), Axis("loud", (False, True), False)), "EP", "ab12", "1.0",
        "probespiel balance kuhn", (best, point(2, 0.9, "no"), broken), along, best, (point(2, 0.9, "no"),),
        "probespiel stress kuhn",
    )  # fmt: skip


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(("low", "high"), [(0.0, 0.1), (None, 5.0), (0.6, None), (0.25, 0.25)])
def test_german(low: float | None, high: float | None, exact: bool) -> None:
    """Whatever is told has German words, and a page shows nothing but names in both languages."""
    found = told_balance(low, high, exact)
    for best in (found.suggestion, None):
        found = replace(found, suggestion=best)
        t = balance_words("de")
        english, german = report.render(found), report.render_in(found, t)
        t.all(line.strip().removeprefix("Balance: ") for line in summary_lines(found) if "loud = " not in line)
        names = ["kuhn", "m", "fee", "loud", "also", "probespiel balance kuhn", "probespiel stress kuhn", "no answer"]
        values = [f"fee = {fee}, loud = {loud}" for fee in (2, 3) for loud in ("true", "false")]
        assert_all_german(english, german, t, [*names, *values, "False, True"])
        lines = summary_lines(found, "de")
        assert not [line for line in lines if " to " in line or " and " in line or " is " in line], lines
    for table in BALANCE_GERMAN:
        check(table)
