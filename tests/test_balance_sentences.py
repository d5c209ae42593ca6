"""Sentences of a search for balance, a ladder and a training, whole, each from numbers that were worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from probespiel.evaluation.balance.records import Along, Axis, Balance, Crossing, Figure, Line, Point
from probespiel.evaluation.balance.targets import Target
from probespiel.evaluation.balance.texts import words
from probespiel.evaluation.balance.words import (
    along_lines,
    crossing_text,
    end_of_range,
    lead,
    left_out,
    point_text,
    summary_lines,
)
from probespiel.evaluation.report.trained import kept_of
from probespiel.evaluation.tournament.ladder_page import TEXTS, never_beaten, never_compared, paid_otherwise

GERMAN, ENGLISH = words("de"), words("en")
WORTH, USE = Target("worth", -0.05, 0.05), Target("use", 20.0, 80.0)


def figures(worth: float, half: float, use: float = 50.0, exact: bool = False) -> tuple[Figure, ...]:
    return Figure("worth", worth, worth - half, worth + half, 100, exact), Figure("use", use, use - 5.0, use + 5.0, 100)


def found(best: Point | None, targets: tuple[Target, ...] = (WORTH, USE), **more: Any) -> Balance:
    """A search along a fee of 0 to 9, of which 1 to 3 were tried."""
    made = Balance(
        "kuhn", "m.py", "standard", {}, "quick", 1, targets, (Axis("fee", (1, 2, 3), True, 0, 9),), "EP", "ab12", "1.0",
        suggestion=best, points=() if best is None else (best,),
    )  # fmt: skip
    return replace(made, **more)


def at(fee: int, worth: float, half: float, meets: str, **more: Any) -> Point:
    return Point({"fee": fee}, 1.0, figures(worth, half, **more), meets, True)


# --- the answer -------------------------------------------------------------------------------------------------------

BOTH = "worth −0.05 to 0.05 and use 20 to 80 %"


@pytest.mark.parametrize(("best", "targets", "more", "said"), [
    (None, (WORTH, USE), {"complete": False},
     f"Nothing can be suggested yet for {BOTH}: the search was interrupted before a point was finished."),
    (None, (WORTH, USE), {"complete": True}, f"Nothing can be suggested for {BOTH}: no point was measured."),
    (at(2, 0.0, 0.01, "yes"), (WORTH, USE), {}, f"fee = 2 meets all targets: {BOTH}."),
    (at(2, 0.0, 0.01, "yes"), (WORTH,), {}, "fee = 2 meets the target: worth −0.05 to 0.05."),
    (at(2, 0.04, 0.02, "maybe"), (WORTH, USE), {}, f"fee = 2 comes nearest to {BOTH}, and may meet all."),
    (at(2, 0.04, 0.02, "maybe"), (WORTH,), {}, "fee = 2 comes nearest to worth −0.05 to 0.05, and may meet it."),
    (at(2, 0.5, 0.02, "no"), (WORTH, USE), {}, f"No value that was tried meets {BOTH}; fee = 2 comes nearest."),
    (at(2, 0.0, 0.01, "yes"), (Target("worth", 0.0, 0.0),), {}, "fee = 2 comes nearest to worth 0."),
])  # fmt: skip
def test_the_answer_of_a_search(best: Point | None, targets: Any, more: dict[str, Any], said: str) -> None:
    text = lead(found(best, targets, **more))
    assert text == said and GERMAN.told(text) is not None


def test_each_figure_stands_beside_its_target() -> None:
    """A worth of 0.04 ± 0.02 may be 0.06, a use of 50 ± 5 % is between 20 and 80."""
    lines = summary_lines(found(at(2, 0.04, 0.02, "maybe")))
    assert lines[1:3] == [
        "  worth +0.040 EP (+0.020 to +0.060); target −0.05 to 0.05: perhaps met: the interval reaches beyond the "
        "target",
        "  use 50 % (45 % to 55 %); target 20 to 80 %: met",
    ]
    away = summary_lines(found(at(2, 0.0, 0.01, "no", use=90.0)))
    assert away[2] == "  use 90 % (85 % to 95 %); target 20 to 80 %: not met"
    exact = summary_lines(found(at(2, 0.04, 0.0, "yes", exact=True), (Target("worth", 0.0, 0.0),)))
    assert exact[1] == "  worth +0.040 EP (exact)"
    german = summary_lines(found(at(2, 0.04, 0.02, "maybe")), "de")
    assert german[2] == "  Gebrauch 50\xa0% (45\xa0% bis 55\xa0%); Ziel 20 bis 80\xa0%: erfüllt"
    told = point_text(at(2, 0.04, 0.02, "maybe"), (WORTH, USE), "EP", ENGLISH)
    assert told == "fee = 2: worth +0.040 EP (+0.020 to +0.060): perhaps, use 50 % (45 % to 55 %): met"


def test_what_is_learned_is_told_as_that() -> None:
    text = (
        "{} estimated from learned play: the intervals leave out what all learners miss. A stress test of the "
        "suggestion (--report) bounds that by best answers."
    )
    assert left_out(found(at(2, 0.0, 0.01, "yes"))) == [text.format("Worth and use are")]
    assert left_out(found(at(2, 0.0, 0.0, "yes", exact=True))) == [text.format("Use is")]
    assert left_out(found(at(2, 0.0, 0.01, "yes"), (Target("length", 1.0, 2.0),))) == []
    assert all(GERMAN.told(line) for line in left_out(found(at(2, 0.0, 0.01, "yes"))))


def test_points_that_none_beats_in_every_target_are_counted() -> None:
    """Only where nothing meets all targets: then one is a choice between them."""
    points = (at(1, 0.5, 0.01, "no"), at(2, 0.2, 0.01, "no", use=90.0), replace(at(3, 0.6, 0.01, "no"), front=False))
    made = found(points[0], points=points)
    text = "Nowhere nearer to one target without being further from another: 2 points"
    lines = summary_lines(made)
    assert lines[lines.index(text) + 1 :] == [
        "  fee = 1: worth +0.500 EP (+0.490 to +0.510): not met, use 50 % (45 % to 55 %): met",
        "  fee = 2: worth +0.200 EP (+0.190 to +0.210): not met, use 90 % (85 % to 95 %): not met",
    ]
    assert GERMAN.told(text) is not None
    for other in (replace(made, points=points[1:]), replace(made, suggestion=replace(points[0], meets="yes")),
                  replace(made, targets=(WORTH,))):  # fmt: skip
        assert text not in summary_lines(other) and not any("Nowhere" in line for line in summary_lines(other))


# --- along a parameter ------------------------------------------------------------------------------------------------


def along(*crossings: Crossing, exact: bool = False, region: Any = (), sure: Any = (), lines: Any = ()) -> Along:
    return Along("fee", lines, crossings, region, sure, exact)


@pytest.mark.parametrize(("crossing", "exact", "said"), [
    (Crossing("worth", 0.0, 2.25, 2.0, 2.5, False, False), False, "worth is 0 EP at fee = 2.25 (2 to 2.5)"),
    (Crossing("worth", 0.0, 2.0, 2.0, 2.0, False, False), True, "worth is 0 EP at fee = 2 (exact)"),
    (Crossing("worth", 0.0, 2.0, 2.0, 2.0, False, False), False, "worth is 0 EP at fee = 2"),
    (Crossing("worth", 0.0, 2.25, 2.0, 3.0, False, False), True,
     "worth passes 0 EP between fee = 2 and 3 (exact), on a straight line at 2.25"),
    (Crossing("use", 50.0, 2.25, 2.0, 2.5, False, False), False, "use is 50 % at fee = 2.25 (2 to 2.5)"),
    (Crossing("worth", -0.5, None, 1.5, 3.0, False, True), False,
     "worth may be −0.5 EP for fee 1.5 to beyond 3, but the course that was measured does not pass it"),
    (Crossing("worth", 0.0, 1.25, 1.0, 3.0, True, True), False, "worth is 0 EP at fee = 1.25 (below 1 to beyond 3)"),
])  # fmt: skip
def test_where_a_figure_is_what_it_should_be(crossing: Crossing, exact: bool, said: str) -> None:
    text = crossing_text(crossing, along(exact=exact), found(None))
    assert text == said
    (line,) = along_lines(along(crossing, exact=exact), found(None, (Target("worth", 0.0, 0.0),), complete=True))
    early = along_lines(along(crossing, exact=exact), found(None, (Target("worth", 0.0, 0.0),), complete=False))
    assert early == ([line] if crossing.value is not None else []), "interrupted, other values may reach it"
    assert line == said[:1].upper() + said[1:] + "." and GERMAN.told(line) is not None


@pytest.mark.parametrize(("region", "sure", "exact", "said"), [
    (((0.5, 2.25), (2.75, 3.0)), ((1.0, 2.0),), False, "All targets are met for fee 1 to 3, surely for 1 to 2."),
    (((0.5, 1.25), (2.75, 3.0)), (), False, "All targets are met for fee 1 and 3."),
    (((1.0, 2.0),), ((1.0, 2.0),), True, "All targets are met for fee 1 to 2."),
    (((1.25, 1.75),), (), False, "All targets are met for no value of fee, but would be between 1 and 2."),
    ((), (), False, "All targets are met for no value of fee."),
])  # fmt: skip
def test_which_values_meet_all_targets(region: Any, sure: Any, exact: bool, said: str) -> None:
    """A parameter has whole numbers alone: 2 and 3 are neighbours, whatever lies between them."""
    (line,) = along_lines(along(region=region, sure=sure, exact=exact), found(None, complete=True))
    assert line == said and GERMAN.told(line) is not None
    (one,) = along_lines(along(region=region, sure=sure, exact=exact), found(None, (WORTH,), complete=True))
    assert one == said.replace("All targets are", "The target is")


def test_a_course_that_never_gets_there() -> None:
    mid = (0.25, 0.25)
    line = Line("worth", 1, (1.0, 3.0), mid, mid, mid)
    assert along_lines(along(lines=(line,)), found(None, (WORTH,), complete=True)) == [
        "Worth is never what is aimed at: it stays at +0.250.", "The target is met for no value of fee.",
    ]  # fmt: skip
    # of a search that was interrupted nothing is said of values that it did not come to
    assert along_lines(along(lines=(line,)), found(None, (WORTH,), complete=False)) == []
    assert GERMAN.told("Worth is never what is aimed at: it stays at +0.250.") is not None


# --- ladders ----------------------------------------------------------------------------------------------------------


def standing(names: str, *pairs: tuple[int, int, int, float, float], halves: Any = None) -> Any:
    """Players with a letter each; of each pair games, points of the first, and what it was paid a game."""
    played = {i for a, b, *_ in pairs for i in (a, b)}
    rows = [SimpleNamespace(name=name, games=int(i in played), half=halves) for i, name in enumerate(names)]
    told = [SimpleNamespace(first=a, second=b, games=n, points=p, payoff=x, batch=-1) for a, b, n, p, x in pairs]
    return SimpleNamespace(rows=rows, pairs=told)


def test_groups_of_a_ladder_that_nothing_compares() -> None:
    """a met b, c met d, and e met nobody."""
    met = standing("abcde", (0, 1, 10, 5.0, 0.0), (2, 3, 10, 5.0, 0.0))
    assert never_compared(met, "en") == [
        "Nothing compares these groups, as nobody of one met anybody of another: a, b; c, d. Between them the order "
        "says "
        "nothing."
    ]
    joined = standing("abcd", (0, 1, 10, 5.0, 0.0), (2, 3, 10, 5.0, 0.0), (1, 2, 10, 5.0, 0.0))
    assert never_compared(joined, "en") == []
    many = standing("abcdefgh", *((0, k, 2, 1.0, 0.0) for k in range(1, 6)), (6, 7, 2, 1.0, 0.0))
    assert never_compared(many, "en")[0].split(": ")[1].startswith("a, b, c, d, e and 1 more; g, h.")


def test_groups_of_a_ladder_that_no_points_separate() -> None:
    """a and b shared their points and took all of c's; half a game is enough to be compared."""
    beaten = standing("abc", (0, 1, 10, 5.0, 0.0), (0, 2, 10, 10.0, 1.0), (1, 2, 10, 10.0, 1.0), halves=9.0)
    assert never_beaten(beaten, "en") == [
        "Between these groups one never took even half a game from another: a, b > c. No number of points separates "
        "them; "
        "how far apart their ratings by wins are rests on a drawn game that is assumed between every two."
    ]
    half = standing("abc", (0, 1, 10, 5.0, 0.0), (0, 2, 10, 10.0, 1.0), (1, 2, 10, 9.5, 1.0), halves=9.0)
    assert never_beaten(half, "en") == [] and never_beaten(standing("ab", (0, 1, 4, 4.0, 1.0)), "en") == []


def test_points_are_not_games_that_were_won() -> None:
    """Of 100 games a won 6, lost 2 and drew 92: it took 52 % of the points, and won 6 % of the games."""
    drawn = standing("ab", (0, 1, 100, 52.0, -0.25))
    assert paid_otherwise(drawn, "en") == [
        "What games pay decides here, not who wins: a took 52% of the points against b, but got −0.250 a game on "
        "average."
    ]
    assert "half a win" in TEXTS["graded_intro"][0] and "halber Sieg" in TEXTS["graded_intro"][1]


# --- trainings --------------------------------------------------------------------------------------------------------


def test_of_several_trainings_the_best_was_lucky() -> None:
    one: Any = SimpleNamespace(rounds=(), trials=(1, 2, 3), worst=None, unit="EP")
    assert kept_of(one) == "Of 3 trainings the one that earns most on average was kept; it was lucky there."
    worst = SimpleNamespace(opponent="sly", edge=-0.25, low=-0.5, high=0.0, games=1200)
    rounds = tuple(SimpleNamespace(number=k, kept=k == 2) for k in (1, 2, 3))
    assert kept_of(SimpleNamespace(rounds=rounds, trials=(), worst=worst, unit="EP")) == (  # type: ignore[arg-type]
        "Of 3 policies that of round 2 was kept. Of all that it met and that was learned against it, sly is worst "
        "for it: "
        "−0.2500 EP a game, interval −0.5000 to +0.0000, 1,200 fresh games."
    )


def test_the_points_one_step_away_are_listed_below_their_heading() -> None:
    best, near = at(2, 0.04, 0.02, "maybe"), at(3, 0.3, 0.02, "no")
    lines = summary_lines(found(best, steps=(near,)))
    after = lines[lines.index("One step away:") + 1]
    assert after.startswith("  ") and "fee = 3" in after
    assert "One step away:" not in summary_lines(found(best))


def test_an_axis_without_an_end_has_none_to_go_beyond() -> None:
    best = at(3, 0.3, 0.02, "no")
    for low, high, told in ((0, None, 0), (None, 9, 0), (0, 9, 1)):
        assert len(end_of_range(found(best, axes=(Axis("fee", (1, 2, 3), True, low, high),)))) == told
