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
from probespiel.evaluation.balance.words import at_nothing, crossing_text, summary_lines
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


def test_an_interrupted_search_does_not_say_that_nothing_can_be_measured() -> None:
    """It goes on; games may be solved already."""
    for complete, said, german in (
        (False, "the search was interrupted before a point was finished.", "noch nichts vorschlagen"),
        (True, "no point was measured.", "kein Punkt wurde gemessen"),
    ):
        found = replace(told_balance(0.0, 0.1, False), suggestion=None, complete=complete)
        assert summary_lines(found)[0].endswith(said) and german in summary_lines(found, "de")[0]


def test_a_terminal_shows_a_dozen_of_what_is_known() -> None:
    """While nothing can be suggested; the report has all."""
    figure = (Figure("worth", 0.1, 0.1, 0.1, 0, True),)
    made = replace(told_balance(0.0, 0.1, True), suggestion=None, along=(), steps=(), complete=False)
    for n in (1, 12, 14):
        found = replace(made, points=tuple(Point({"fee": k}, 0.0, figure, "no") for k in range(n)))
        lines, german = summary_lines(found), summary_lines(found, "de")
        told = [line for line in lines if line.startswith("  fee = ")]
        assert len(told) == min(n, 12) and told[-1].startswith(f"  fee = {min(n, 12) - 1}: ")
        assert f"Known so far of {'one point' if n == 1 else f'{n} points'}:" in lines
        assert f"Bisher von {'einem Punkt' if n == 1 else f'{n} Punkten'} bekannt:" in german
        assert ("  and 2 more in the report" in lines) == ("  und 2 weitere im Bericht" in german) == (n == 14)


NEEDS = "it needs a price, or something in return."


@pytest.mark.parametrize(("region", "sure", "exact", "tried", "said", "german"), [
    (5.9, 5.9, True, 9, ": 5 is the most of it that meets what is aimed at.", "5 ist das meiste davon, das erfüllt"),
    (5.9, 0.4, False, 9, ": 5 is the most of it that may meet what is aimed at; up to 0 it surely does.",
     "bis 0 sicher"),
    (5.9, 5.2, False, 9, ": 5 is the most of it that meets what is aimed at.", "5 ist das meiste davon, das erfüllt"),
    (0.9, 0.4, True, 9, f", and with more it is not what is aimed at: rather than another size {NEEDS}",
     "mit mehr ist"),
    (0.9, 0.4, False, 9, f", and by what was measured it is with more not what is aimed at: rather than another size "
     f"{NEEDS}", "nach dem, was gemessen ist, ist sie mit mehr nicht, was sein soll"),
    (4.0, 4.0, True, 4, ": 4 is as much as was tried, and meets what is aimed at.", "4 ist das meiste, das versucht"),
    (9.0, 9.0, True, 9, ": 9 is the most of it that meets what is aimed at.", "9 ist das meiste davon, das erfüllt"),
    (4.0, 2.5, False, 4, ": 4 is as much as was tried, and may meet what is aimed at; up to 2 it surely does.",
     "4 ist das meiste, das versucht wurde, und erfüllt vielleicht, was sein soll; bis 2 sicher."),
])  # fmt: skip
def test_a_rule_that_is_turned_off_is_not_praised(
    region: float, sure: float, exact: bool, tried: int, said: str, german: str
) -> None:
    """From 0 on the target is met up to one place, and surely up to another; the module allows 9."""
    made = told_balance(-0.0094, 0.0094, exact)
    best = Point({"fee": 0, "loud": True}, 1.0, made.points[0].figures, "yes", True)
    along = Along("fee", (), (), ((0.0, region),), ((0.0, sure),), exact)
    axes = (Axis("fee", (0, 1, tried), True, 0, 9), made.axes[1])
    found = replace(made, along=(along,), suggestion=best, axes=axes)
    text = f"With fee = 0 the rule may do nothing at all{said}"
    assert at_nothing(found) == [text] and german in "\n".join(summary_lines(found, "de"))
    assert f"  {text}" in summary_lines(found) and balance_words("de").told(text) is not None
    assert at_nothing(replace(found, suggestion=replace(best, meets="maybe"))) == []
    assert at_nothing(replace(found, suggestion=replace(best, params={"fee": 1, "loud": True}))) == []
    paid = replace(best, params={**best.params, "gift": 11})  # it does something by another number
    assert at_nothing(replace(found, suggestion=paid, axes=(*axes, Axis("gift", (0, 11), True, 0, 50)))) == []


def test_of_several_sizes_one_that_does_something_is_named() -> None:
    """Nothing of both meets the target, and so does 2 for 20; of 3 for 30 less was played."""
    made = told_balance(-0.0094, 0.0094, False)
    axes = tuple(Axis(name, (0, 40), True, 0, 60) for name in ("more", "fee"))
    points = tuple(
        Point({"more": more, "fee": fee}, share, made.points[0].figures, meets)
        for more, fee, share, meets in (
            (0, 0, 1.0, "yes"), (0, 1, 1.0, "yes"), (2, 0, 1.0, "no"), (3, 30, 0.25, "yes"), (2, 20, 0.5, "yes")
        )
    )  # fmt: skip
    found = replace(made, along=(), suggestion=points[0], points=points, axes=axes)
    english = "With 0 for more and fee the rule may do nothing at all: more = 2, fee = 20 meets the targets, too."
    assert at_nothing(found) == [english]
    german = "Mit 0 für more und fee tut die Regel vielleicht gar nichts: more = 2, fee = 20 erfüllt die Ziele auch."
    assert balance_words("de").told(english) == german
    assert at_nothing(replace(found, points=points[:3])) == []


@pytest.mark.parametrize(("low", "high", "told"), [(0, 40, "0 to 1"), (-5, 99, "below 0 to beyond 1")])
def test_beyond_what_a_module_allows_there_is_nothing(low: int, high: int, told: str) -> None:
    made = told_balance(-0.0094, 0.0094, False)
    along = Along("fee", (), (), (), (), False)
    found = replace(made, axes=(Axis("fee", (0, 40), True, low, high),))
    text = crossing_text(Crossing("worth", 0.0, 0.5, 0.0, 1.0, True, True), along, found)
    assert text.endswith(f"({told})")
    open_one = crossing_text(Crossing("worth", 0.0, None, 0.0, 20.0, False, False), along, found)
    assert open_one.endswith("but the course that was measured does not pass it"), "it may be just that where it begins"


def test_numbers_of_targets_are_told_once() -> None:
    """Those behind a phrase were written in German, and then in English again."""
    t = balance_words("de")
    assert t(f"fee = 0 meets the target: {Target('worth', -0.0094, 0.0094).text()}.") == (
        "fee = 0 erfüllt das Ziel: Wert −0,0094 bis 0,0094."
    )
    assert t("The target is met for fee 0.5 to 5.9 and 7.5.") == "Das Ziel ist erfüllt für fee 0,5 bis 5,9 und 7,5."
    assert t("worth and use are estimated from learned play: the intervals leave out what all learners miss.") == (
        "Wert und Gebrauch sind aus gelerntem Spiel geschätzt: die Intervalle lassen aus, was alle Lernenden übersehen."
    )
