"""On what a verdict rests: it claims no more than the bounds carry, and says between what the worth may lie."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from probespiel.evaluation.report.wording import signed
from probespiel.evaluation.stress.advice import WINS_ALONE, next_for_holder
from probespiel.evaluation.stress.basis import BOUNDS, DIRECTION, EXACT, FOUND, NOTHING, named
from probespiel.evaluation.stress.findings import (
    Dynamics,
    Effect,
    Figure,
    Findings,
    HandicapRow,
    Interval,
    Luck,
    Mean,
    Play,
    Sample,
    Sizes,
    WorthBounds,
)
from probespiel.evaluation.stress.game_verdict import OWN_DICE, game_verdict_of
from probespiel.evaluation.stress.report import render, report_json
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.verdict import headline, verdict_of
from probespiel.evaluation.stress.words import AMONG, answers, seat_by_luck, summary_lines

from .lab_findings import figure
from .lab_findings import findings as findings_of
from .test_stress_numbers import LOOPS, findings, use

SD = 2.0  # of a result: 0.1 counts, 0.5 is strong, 1.34 overpowered


def made(value: float, low: float, high: float, room: tuple[float, float] | None, exact: bool = False) -> Findings:
    """Findings of a worth with its interval, and with the bounds between which it may lie."""
    found = findings(0.0)
    assert found.worth is not None
    bounds = WorthBounds(Interval(value, *room), (), 100) if room else None
    worth = replace(
        found.worth, overall=Sample(value, low, high, 1000), odds=Interval(0.0, -1.0, 1.0), deviation=SD, bounds=bounds,
        exact=exact,
    )  # fmt: skip
    return replace(found, worth=worth, sizes=Sizes(1.0, 100, 10.0, SD))


@pytest.mark.parametrize(
    ("found", "word", "basis", "said"),
    [
        (made(0.2, 0.1, 0.3, (0.02, 0.4)), "small", DIRECTION,
         "carry which way it goes, not how far: they leave room from +0.02 to +0.40, from neutral to small"),
        (made(0.2, 0.1, 0.3, (0.12, 0.4)), "small", BOUNDS,
         "carry that: they leave room from +0.12 to +0.40, all of it small"),
        (made(0.2, 0.1, 0.3, (-0.02, 0.4)), "small", FOUND,
         "that rests on the strategies found: the best answers to them leave room from −0.02 to +0.40, "
         "from a handicap (neutral) to an advantage (small)"),
        (made(0.6, 0.5, 0.7, (-0.6, 1.4)), "strong", FOUND, "from a handicap (strong) to an advantage (overpowered)"),
        (made(0.6, 0.5, 0.7, (-0.6, 0.7)), "strong", FOUND, "from a handicap (strong) to an advantage (strong)"),
        (made(1.4, 1.3, 1.5, (0.3, 1.6)), "overpowered", DIRECTION, "from small to overpowered"),
        (made(-0.2, -0.3, -0.1, (-0.4, -0.02)), "small", DIRECTION, "from −0.40 to −0.02, from small to neutral"),
        (made(-0.6, -0.7, -0.5, (-0.8, -0.55)), "strong", BOUNDS, "from −0.80 to −0.55, all of it strong"),
        (made(1.4, 1.3, 1.5, (1.38, 1.6)), "overpowered", BOUNDS, "all of it overpowered"),
        (made(-0.2, -0.3, -0.1, (-0.4, 0.1)), "small", FOUND,
         "from −0.40 to +0.10, from a handicap (small) to an advantage (neutral)"),
        (made(0.0, -0.02, 0.02, (-0.1, 0.1)), "neutral", BOUNDS, "from −0.10 to +0.10, all of it too little to count"),
        (made(0.0, -0.02, 0.02, (-0.1, 0.12)), "neutral", FOUND, "from a handicap (neutral) to an advantage (small)"),
        (made(0.05, 0.02, 0.08, (0.01, 0.12)), "neutral", FOUND, "from +0.01 to +0.12, from neutral to small"),
        (made(0.2, 0.2, 0.2, None, exact=True), "small", EXACT, ""),
        (made(0.0, 0.0, 0.0, None, exact=True), "neutral", EXACT, ""),
        (made(0.2, 0.1, 0.3, None), "small", FOUND, "it is not known what better ones would gain"),
        (made(0.0, -0.3, 0.3, (-0.5, 0.5)), "undecided", "",
         "as for the strategies found, the best answers to them leave room"),
        (replace(made(0.2, 0.1, 0.3, (0.12, 0.4)), use=use(0.3, 0.0, 0.2)), "always-use", FOUND, ""),
        (replace(made(0.0, -0.02, 0.02, (-0.5, 0.5)), inert=400), "neutral", NOTHING, ""),
        (replace(made(0.2, 0.1, 0.3, (0.12, 0.4)), whole_table=True), "shared", "", ""),
        (findings(None, 0.0, None, LOOPS), "broken", "", ""),
        (findings(None), "open", "", ""),
    ],
)  # fmt: skip
def test_what_a_verdict_rests_on(found: Findings, word: str, basis: str, said: str) -> None:
    """A sentence with the bounds where there are some, beside a level; none where all is said."""
    verdict = verdict_of(found)
    assert (verdict.word, verdict.basis) == (word, basis)
    told = "; ".join(verdict.why)
    assert said in told and ("leave room" in told or "not known" in told) == bool(said)
    german = words("de")
    german.all((headline(verdict), *(verdict.why if not found.faults else ())))
    assert not german.missed


def test_what_is_neutral_among_strategies_alone_is_told_so() -> None:
    """Nothing has to be balanced only where the best answers leave no room for what counts, or nothing changed."""
    german = words("de")
    among = "Among the strategies found nothing has to be balanced; "
    room = f"{among}the best answers to them leave room for what counts, "
    for found, said in (
        (made(0.0, -0.02, 0.02, (-0.1, 0.1)), "Nothing has to be balanced: "),
        (made(0.0, -0.02, 0.02, (-0.1, 0.12)), f"{room}from −0.10 to +0.12"),
        (replace(made(0.0, -0.02, 0.02, (-0.1, 0.12)), budget="deep"), f"{room}from −0.10 to +0.12"),
        (made(0.0, -0.02, 0.02, None), "Nothing has to be balanced: "),
        (replace(made(0.0, -0.02, 0.02, (-0.5, 0.5)), inert=400), "Nothing has to be balanced as far as was seen"),
    ):
        (told,) = [line for line in next_for_holder(found, "neutral") if "has to be balanced" in line]
        assert told.startswith(said), told
        assert ("larger --budget" in told) == (room in told and found.budget != "deep")
        german.all([told])
    assert not german.missed


def test_what_shows_in_wins_alone_has_no_price() -> None:
    """The interval of what it is worth leaves nothing in: neither a gain nor a loss is told."""
    alone = replace(made(0.06, -0.02, 0.14, (-0.5, 0.5)), ranges={"price": (1, 5)})
    assert alone.worth is not None
    alone = replace(alone, worth=replace(alone.worth, odds=Interval(0.1, 0.05, 0.15)))
    assert verdict_of(alone).word == "small"
    assert next_for_holder(alone, "small")[0] == WINS_ALONE
    shown = made(0.2, 0.1, 0.3, (0.12, 0.4))
    assert WINS_ALONE not in next_for_holder(shown, "small")
    assert words("de")(WINS_ALONE).startswith("Es zeigt sich nur an den Siegen")


def test_dice_of_a_rule_move_all_others() -> None:
    """So that the deal decides less by them where choices throw them; nothing is said of rules without dice."""
    falls, rises = (figure("luck", 0.8, after, 0.05, 0.05) for after in (0.5, 0.95))
    for found, said in (
        (findings_of(falls, dice=True), True), (findings_of(falls), False), (findings_of(rises, dice=True), False),
        (findings_of(figure("luck", 0.8, 0.7, 0.2, 0.05), dice=True), False),
    ):  # fmt: skip
        assert (OWN_DICE in game_verdict_of(found).remarks) == (OWN_DICE in answers(found)["effect"]) == said
    assert game_verdict_of(findings_of(falls)).word == "the deal decides less"
    stays = figure("length", 8.0, 8.0, 0.1, 0.5)
    one, other = (game_verdict_of(findings_of(falls, stays, dice=dice)) for dice in (True, False))
    assert (one.word, one.why) == ("changes little", ("all 1 figures stay as they are, within what counts",))
    assert other.word == "the deal decides less"
    assert words("de")(OWN_DICE).startswith("Es wirft eigene Würfel")


def test_the_headline_says_it() -> None:
    """In the terminal's first line, on the page in both languages, and as a word of its own in the JSON."""
    found = made(0.2, 0.1, 0.3, (-0.02, 0.4))
    found = replace(found, verdict=verdict_of(found), game_verdict=verdict_of(findings(None)))
    assert summary_lines(found)[0] == "For its holder: small (among the strategies found)"
    assert summary_lines(found, "de")[0] == "Für den, der es hat: gering (unter den gefundenen Strategien)"
    assert "small</span> <small>among the strategies found</small>" in render(found)
    assert "gering</span> <small>unter den gefundenen Strategien</small>" in render(found, "de")
    assert '"basis": "strategies"' in report_json(found)
    bare = replace(found, verdict=verdict_of(replace(found, whole_table=True)))
    assert summary_lines(bare)[0] == "For its holder: shared" and "<small>among the strategies" not in render(bare)


def test_the_interval_that_holds_is_told_with_what_it_assumes() -> None:
    plain, bounded = made(0.2, 0.1, 0.3, None), made(0.2, 0.1, 0.3, (-0.02, 0.4))
    between = f"The interval that holds is between {signed(-0.02, 2)} and {signed(0.4, 2)}"
    (line,) = [line for line in answers(bounded)["worth"] if between in line]
    assert "assumes that there are no better answers than those found" in line
    assert not any("interval that holds" in line for line in answers(plain)["worth"])
    assert AMONG in answers(bounded)["worth"][0] and AMONG not in " ".join(answers(plain)["worth"])
    assert not words("de").missed and words("de").told(answers(bounded)["worth"][0])
    alone = replace(plain, sides=("party",))
    assert any("no bounds are known" in line for line in answers(alone)["worth"])


@pytest.mark.parametrize(
    ("value", "word"),
    [(0.1, "neutral"), (0.11, "small"), (-0.11, "small"), (0.5, "strong"), (1.34, "overpowered"), (-1.34, "strong")],
)
def test_levels_of_the_ends(value: float, word: str) -> None:
    """Thresholds of 0.05, 0.25 and 0.67 deviations, as in the verdict."""
    assert named(value, SD) == word


def test_a_price_is_no_more_certain_than_the_worth() -> None:
    """What only the strategies found show is said of them alone."""
    among = "Among the strategies found it is worth 0.20"
    for room, said in (((-0.02, 0.4), among), ((0.02, 0.4), among), ((0.12, 0.4), "It is worth 0.20")):
        told = next_for_holder(made(0.2, 0.1, 0.3, room), "small")
        assert any(line.startswith(said) for line in told)


@pytest.mark.parametrize(("value", "told"), [(0.2, "1.5 cards more"), (-0.2, "1.5 cards fewer")])
def test_a_price_is_told_in_what_the_start_gives(value: float, told: str) -> None:
    """The mean over the sides of what having it is worth beside nothing else, not of what it is worth beside more."""
    sides, way = [[(0, 1.0), (2, 9.0)], [(0, 2.0), (2, -7.0)]], 1 if value > 0 else -1
    handicap: Any = tuple(
        SimpleNamespace(
            by_amount=tuple(HandicapRow(way * x, way * x - 0.5, way * x + 0.5, 9, n, 4, -4) for n, x in side)
        )
        for side in sides
    )
    found = replace(made(value, value - 0.1, value + 0.1, None), handicap=handicap, unit=("EP", "cards"))
    lines = next_for_holder(found, "small")
    assert any(f", as much as about {told} at the start: " in line for line in lines), lines
    none: Any = tuple(SimpleNamespace(by_amount=(HandicapRow(way * 2.0, -3, 3, 9, 0, 4, -4),)) for _ in sides)
    assert not any("at the start" in line for line in next_for_holder(replace(found, handicap=none), "small"))


@pytest.mark.parametrize(("units", "told"), [((4.0, 3.0), "at least 3.5 cards more"), ((3.0, -2.0), "at least 0.5"),
                                             ((3.9, -1.9), "about 1.0 cards more")])  # fmt: skip
def test_a_price_beyond_the_scale_is_no_number_on_it(units: tuple[float, float], told: str) -> None:
    """What the start gives was varied from two cards fewer to four more: at an end it is as much, or more."""
    handicap: Any = tuple(SimpleNamespace(by_amount=(HandicapRow(x, x - 0.5, x + 0.5, 9, 0, 4, -2),)) for x in units)
    found = replace(made(0.2, 0.1, 0.3, None), handicap=handicap, unit=("EP", "cards"))
    (line,) = [line for line in next_for_holder(found, "small") if told in line]
    assert ("mindestens" in words("de")(line)) == ("at least" in told)


def test_what_is_exact_of_a_seat_is_told_so() -> None:
    """By solved games: no interval of games, no luck of learning, and the verdict rests on them."""
    found = findings(0.0, seat=-0.5)
    assert found.worth is not None and found.seat is not None
    play = Play(Luck(0.5, 0.1, 1.0, 1.0), 100, Mean(0.0, 0.0), Mean(0.0, 0.0), Mean(0.0, 0.0), Mean(6.0, 0.1), 0.1, ())
    dynamics = Dynamics(play, play)
    for exact, basis, told, why in (
        (True, EXACT, "the change is −0.50 (exact)", "better off by 0.50 (exact)"),
        (
            False,
            FOUND,
            "the change is −0.50 (the same every time; 4,000 games)",
            "better off by 0.50 (the same every time)",
        ),
    ):
        made = replace(found, worth=replace(found.worth, exact=exact), dynamics=dynamics)
        verdict = verdict_of(made)
        assert (verdict.word, verdict.basis) == ("seat-favouring", basis) and why in verdict.why[0]
        assert told in answers(made)["dynamics"][0] and words("de")(verdict.why[0]) != verdict.why[0]
    dust = Interval(7e-18, 7e-18, 7e-18)
    seat = Figure("first seat", dust, dust, dust, 0.1, 100, (Interval(0.0, 0.0, 0.0),))
    assert seat_by_luck(replace(found, effect=Effect((seat,), {}, 0))) == ""


@pytest.mark.parametrize(
    ("change", "direct", "said"),
    [
        ((0.2, 0.1, 0.3), [(0.0, -0.1, 0.1), (0.05, -0.1, 0.2)], True),  # by other strategies alone
        ((-0.2, -0.3, -0.1), [(0.0, -0.1, 0.1), (0.2, 0.1, 0.3)], True),
        ((0.2, 0.1, 0.3), [(0.0, -0.1, 0.1), (0.2, 0.1, 0.3)], False),
        ((0.2, -0.1, 0.5), [(0.0, -0.1, 0.1), (0.0, -0.1, 0.1)], False),  # no change is told
    ],
)
def test_a_seat_that_other_strategies_alone_change_is_told_so(change: Any, direct: Any, said: bool) -> None:
    """Who learned anew where all have the rule may sit better by luck: the sentence of the seat says it."""
    at = Interval(0.0, -0.1, 0.1)
    seat = Figure("first seat", at, at, Interval(*change), 0.1, 100, tuple(Interval(*d) for d in direct))
    told = seat_by_luck(replace(findings(0.0), effect=Effect((seat,), {}, 0)))
    assert bool(told) == said == ("luck of what was learned" in told)
    assert seat_by_luck(replace(findings(0.0), effect=None)) == ""


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Sample(0.0, -0.02, 0.02, 900), "not found all that it is good for"),
        (Sample(0.42, 0.38, 0.46, 900), "not found what to do about it"),  # against those who play badly
        (Sample(0.12, 0.1, 0.14, 900), ""),  # no difference that counts: 0.08, where 0.1 does
        (Sample(0.0, -0.02, 0.25, 900), ""),  # not shown
        (None, ""),
    ],
)
def test_strategies_that_miss_what_is_exact_are_told_of(found: Sample | None, said: str) -> None:
    """An exact worth of 0.2 beside a use of which players make something else: both are told, in either language."""
    exact = made(0.2, 0.2, 0.2, None, exact=True)
    assert exact.worth is not None
    text = answers(replace(exact, worth=replace(exact.worth, found=found)))["worth"]
    told = [line for line in text if line.startswith("These make ")]
    assert len(told) == bool(said) and all(found is not None and signed(found.value, 2) in line for line in told)
    assert all(said in line for line in told)
    german = words("de")
    assert all(("nicht alles" if "all that" in said else "was dagegen hilft") in german(line) for line in told)
    assert not german.missed
