"""What a designer reads of a stress test: one point is one, what is negative is lost, and sides are in quotes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from probespiel.evaluation.report.wording import points
from probespiel.evaluation.stress.advice import next_for_holder
from probespiel.evaluation.stress.amounts import handicap_text
from probespiel.evaluation.stress.dominance import solved
from probespiel.evaluation.stress.findings import (
    ActionLine,
    Dominance,
    HandicapRow,
    Interval,
    Level,
    Paid,
    Sample,
    SampleGame,
    SideHandicap,
    Use,
    UseWorth,
    WorthBounds,
)
from probespiel.evaluation.stress.game_verdict import game_verdict_of
from probespiel.evaluation.stress.game_words import LEARNED_ANEW, action_lines, level_lines, sample_lines
from probespiel.evaluation.stress.paid_words import paid_told
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.verdict import verdict_of
from probespiel.evaluation.stress.words import answers, summary_lines

from .lab_findings import findings

SOME = Sample(0.2, 0.1, 0.3, 400)


def german(line: str) -> str:
    """A sentence in German, which there must be."""
    book = words("de")
    told = book(line)
    assert not book.missed and told != line
    return told


@pytest.mark.parametrize(("error", "told"), [(0.0, "± 0 points"), (0.0052, "± 1 point"), (0.01, "± 2 points")])
def test_one_point_is_one(error: float, told: str) -> None:
    assert points(error) == told


def test_the_use_of_a_level_has_its_points() -> None:
    (line, _) = level_lines([Level("experts", "play well", "when it pays", SOME, 0.5, 0.005)], findings())
    assert line.endswith("they use it when it pays, in 50% of their chances (± 1 point).")
    assert german(line.replace("play well", "choose among all that is legal, with equal chances")).endswith(
        "bei 50\u00a0% ihrer Gelegenheiten (± 1 Punkt)."
    )


@pytest.mark.parametrize(
    ("gain", "said", "gesagt"),
    [
        (
            -0.15,
            "and loses 0.15 EP against what is done there (± 0.04).",
            "verliert gegenüber dem, was dort getan wird",
        ),
        (0.15, "and gains +0.15 EP over what is done there (± 0.04).", "bringt gegenüber dem, was dort getan wird"),
        (-0.001, "and gains 0.00 EP over what is done there (± 0.04).", "bringt gegenüber dem, was dort getan wird"),
    ],
)
def test_an_action_that_costs_loses(gain: float, said: str, gesagt: str) -> None:
    (line,) = action_lines([ActionLine("bet", 200, 0.3, 0.02, gain, 0.02)], " EP")
    assert line.endswith(said) and gesagt in german(line)


@pytest.mark.parametrize(("worth", "exact", "said"), [
    (-0.2, False, "loses 0.20"), (-0.2, True, "loses 0.20"), (0.2, False, "gains +0.20"), (0.2, True, "gains +0.20"),
    (0.0, True, "gains 0.00"),
])  # fmt: skip
def test_who_is_worse_off_loses(worth: float, exact: bool, said: str) -> None:
    made = findings(worth=worth)
    assert made.worth is not None
    line = answers(replace(made, worth=replace(made.worth, exact=exact)))["worth"][0]
    assert line.startswith(f"Whoever has it alone {said}")
    assert ("verliert" in german(line)) == (worth < 0)


@pytest.mark.parametrize(("low", "high", "shown"), [
    (-0.04, 0.0, False), (0.0, 0.04, False), (-0.04, -0.01, True), (0.01, 0.04, True),
])  # fmt: skip
def test_nobody_gains_or_loses_what_is_not_shown(low: float, high: float, shown: bool) -> None:
    """An interval that reaches nothing tells neither."""
    made = findings(worth=(low + high) / 2)
    assert made.worth is not None
    found = replace(made, worth=replace(made.worth, overall=Sample((low + high) / 2, low, high, 400)))
    line = answers(found)["worth"][0]
    assert ("is not shown to gain or to lose: " in line) != shown, line
    assert ("ist nicht gezeigt: " in german(line)) != shown


@pytest.mark.parametrize(("gain", "said"), [(-0.2, "a use lost 0.20 EP on"), (0.2, "a use gained +0.20 EP on")])
def test_a_use_that_costs_has_lost(gain: float, said: str) -> None:
    use = Use(1, opportunities=500, rate=0.3, worth=UseWorth(500, 300, gain, 0.01, 1.0, 0.1, 0.2))
    line = next(line for line in answers(findings(use=use))["use"] if line.startswith("Tried both ways"))
    assert said in line
    assert ("verlor" in german(line)) == (gain < 0)


def test_names_of_sides_are_in_quotes() -> None:
    """A side may be called like a word of the sentence."""
    row = HandicapRow(1.2, 1.1, 1.3, 400, 0, 6.0, -6.0)
    found = findings(worth=0.3, handicap=(SideHandicap("A", (0, 6), (0.0, 1.0), (row,)),))
    sides = tuple(replace(side, answer=SOME) for side in found.worth.sides) if found.worth else ()
    told = answers(replace(found, worth=replace(found.worth, sides=sides)))["worth"] if found.worth else []
    for start, wanted in (
        ("For “A” it is worth +1.2 cards", "Für „A“ ist es +1,2"),
        ("Against an opponent who has it too, it is worth +0.20 EP to “B”", "ist es für „B“ +0,20 EP wert"),
    ):
        line = next(line for line in told if line.startswith(start))
        assert wanted in german(line)
    game = SampleGame(True, 100, 7, "B", 3, {"A": "x"}, 1.0, -1.0, True, "the rule acts after A: bet", 1)
    line = sample_lines(game, found)[1]
    assert line == "Without it “B” gets −1.00 EP; where “B” has it, +1.00 EP."
    assert german(line) == "Ohne es bekommt „B“ −1,00 EP; hat „B“ es, +1,00 EP."
    line = sample_lines(replace(game, side=""), found)[1]
    assert german(line) == "Ohne es bekommt „A“ −1,00 EP; haben alle es, +1,00 EP."


@pytest.mark.parametrize(
    ("exact", "room", "ends", "said", "luck"),
    [
        (False, None, (0.01, 0.4), "it is worth +0.20 EP to “A” (", True),
        (False, (0.0, 0.3), (-0.4, -0.01), "it is worth −0.20 EP to “A” (", True),
        (False, (0.0, 0.1), (-0.4, -0.01), "it is worth −0.20 EP to “A” (", False),
        (False, None, (-0.1, 0.4), "it is not shown to be worth anything to “A”: ", False),
        (True, None, (0.2, 0.2), "it is worth +0.20 EP to “A” (exact)", False),
        (False, None, (0.0, 0.0), "it is worth 0.00 EP to “A” (the same every time)", False),
    ],
)
def test_what_is_learned_anew_against_an_equal_may_be_luck(
    exact: bool, room: tuple[float, float] | None, ends: tuple[float, float], said: str, luck: bool
) -> None:
    """Nothing is told as worth that is not shown to be, and what is shown is that of two courses of learning.

    Both miss no more than what the best answers leave: what is more than that is no luck.
    """
    made = findings(worth=0.1)
    assert made.worth is not None
    value = 0.0 if ends == (0.0, 0.0) else -0.2 if ends[1] < 0 else 0.2
    bounds = None if room is None else WorthBounds(Interval(sum(room) / 2, *room), (), 400)
    sides = tuple(replace(side, answer=Sample(value, *ends, 400)) for side in made.worth.sides)
    told = answers(replace(made, worth=replace(made.worth, exact=exact, sides=sides, bounds=bounds)))["worth"]
    assert sum(said in line for line in told) == 1 and told.count(LEARNED_ANEW) == luck
    if luck:
        assert told[-1] == LEARNED_ANEW, "after both sides"
    assert all(german(line) for line in told)
    bare = answers(made)["worth"]
    assert not any("who has it too" in line or line == LEARNED_ANEW for line in bare), "that was not measured"


def test_what_is_worth_next_to_no_units_is_told_so() -> None:
    """No price of 0.0 cards is proposed, and no interval from 0.0 to 0.0 is told."""
    rows = [HandicapRow(value, value, value + 0.01, 400, 0, 6.0, -6.0) for value in (0.01, 0.3)]
    little, some = (
        findings(worth=0.3, handicap=(SideHandicap("A", (0, 6), (0.0, 1.0), (row,)),)) for row in rows
    )  # fmt: skip
    lines = [next(line for line in answers(made)["worth"] if line.startswith("For “A”")) for made in (little, some)]
    assert lines[0] == "For “A” it is worth less than 0.1 cards." and "+0.3 cards" in lines[1]
    end = HandicapRow(0.0, 0.0, 0.2, 400, -2, 8.0, 0.0)  # the scale has nothing below it
    assert handicap_text(end, "card", "cards") == "nothing or less (the scale ends there)"
    assert german("For “A” it is worth nothing or less (the scale ends there).") == (
        "Für „A“ ist es nichts oder weniger (dort endet die Skala) wert."
    )
    for low, high, told in (
        (-2.0, 3.9, "beyond the scale to +3.9"),
        (-2.0, 6.0, "from one end of the scale to the other"),
    ):
        unsure = HandicapRow(-2.0, low, high, 400, 0, 6.0, -2.0)
        assert handicap_text(unsure, "card", "cards") == f"no cards that are shown ({told}; 400 games)"
    sure = HandicapRow(-2.0, -2.0, -0.5, 400, 0, 6.0, -2.0)
    assert handicap_text(sure, "card", "cards") == "less than −2 cards"
    line = german("For “A” it is worth no cards that are shown (from one end of the scale to the other; 9 games).")
    ends = "von einem Ende der Skala bis zum anderen"
    assert line == f"Für „A“ ist es keine nachweisbaren Karten ({ends}; 9 Spiele) wert."
    line = german("For “A” it is worth no cards that are shown (beyond the scale to +3.9; 400 games).")
    assert line == "Für „A“ ist es keine nachweisbaren Karten (jenseits der Skala bis +3,9; 400 Spiele) wert."
    assert german("no cards that are shown") == "keine nachweisbaren Karten"  # in the table, which has its own interval
    assert german("nothing or less") == "nichts oder weniger"
    steps = [next_for_holder(made, "strong")[0] for made in (little, some)]
    assert "cards" not in steps[0] and "as much as about 0.3 cards more at the start" in steps[1]


def test_a_share_of_wins_that_may_be_chance_is_not_told_to_change() -> None:
    """Solved games tell the worth; that the strategies found won less often beside it would contradict that."""
    made = findings(worth=0.3)
    assert made.worth is not None
    (why, *_) = verdict_of(made).why
    assert why.endswith("; the holder's share of wins is not shown to change")
    shown = replace(made, worth=replace(made.worth, odds=Interval(0.3, 0.1, 0.5)))
    (told, *_) = verdict_of(shown).why
    assert told.endswith("; the holder's share of wins goes from 50% to 50%")
    assert "ist nicht gezeigt" in german(why)


def test_a_terminal_shows_what_is_to_be_known_of_the_whole_test() -> None:
    """Such as that less was played than the budget holds: before the answers, after the verdicts."""
    made = findings(notes=("This test was interrupted; what was not finished is missing.",))
    made = replace(made, verdict=verdict_of(made), game_verdict=game_verdict_of(made))
    for lang, start in (("en", "This test was"), ("de", "Diese Prüfung wurde")):
        lines = summary_lines(made, lang)
        (at,) = [i for i, line in enumerate(lines) if line.startswith(start)]
        assert lines[at + 1].startswith(("What is having it worth?", "Was ist es wert"))


def test_of_two_sides_the_other_one_is_paid() -> None:
    paid = Paid(SOME, SOME, SOME, SOME)
    two, three = (findings(paid=paid, sides=sides, zero_sum=False) for sides in (("A", "B"), ("A", "B", "C")))
    assert ", the other side +0.20 EP" in paid_told(two) and ", each other side +0.20 EP" in paid_told(three)
    assert ", die andere Seite " in german(paid_told(two)) and ", jede andere Seite " in german(paid_told(three))


def test_names_with_commas_stand_in_quotation_marks() -> None:
    """Of a list of names each is told by itself; "uniform, always uses it" is one of them."""
    text = "3 are dominated by others or by a mixture of them: “random”, “uniform, always uses it” and “greedy”."
    german = words("de")
    assert german(text) == (
        "3 werden von anderen oder einer Mischung dominiert: „random“, „uniform, nutzt es immer“ und „greedy“."
    )
    many = "9 are dominated by others or by a mixture of them:"
    more = german(f"{many} “random”, “learned where nobody has it (1)” and 7 others.")
    assert "„random“, „gelernt, wo niemand es hat (1)“ und 7 andere" in more and not german.missed
    known = words("de", {"refuse": "weigern"})
    quoting = known(f"{many} “random” and “greedy, always answers “refuse””.")
    assert quoting.endswith("dominiert: „random“ und „greedy, antwortet immer „weigern““.") and not known.missed


def test_who_plays_the_game_shown_is_told_whole() -> None:
    """Of a list of phrases with names in quotation marks each is told as the phrase that it is."""
    german = words("de", {"Hero": "Held"})
    assert german("“Hero” plays “hunter” and “GM” plays “counters the others where nobody has it”, in both games.") == (
        "In beiden Spielen: „Held“ spielt „hunter“ und „GM“ spielt „kontert die anderen, wo niemand es hat“."
    )
    assert german("“Hero” plays “uniform, always uses it”, in both games.") == (
        "In beiden Spielen: „Held“ spielt „uniform, nutzt es immer“."
    )
    assert not german.missed


def test_strategies_dominated_by_little_are_not_said_to_fare_worse() -> None:
    """Of 4 strategies 3 fare alike, and 2 are dominated: one of these at least is among those."""
    f = np.array([1.0, 0.99, 0.98, 0.0])
    found = solved(list("abcd"), np.tile(f[:, None] - f[None, :], (8, 1, 1)), [0.0] * 4, 60, 1, 8, 1.0)[0]
    assert (found.dominant.alike, [row.dominated for row in found.strategies]) == (3, [False, True, True, True])
    lines = answers(replace(findings(), dominance=Dominance(found, found)))["dominance"]
    told = "3 are dominated by others or by a mixture of them (2 or more of them by little, as they fare alike): “b”"
    assert told in lines[0] + lines[1]
    one = solved(list("ab"), np.tile(f[:2, None] - f[None, :2], (8, 1, 1)), [0.0] * 2, 60, 1, 8, 1.0)[0]
    alone = replace(one, dominant=replace(one.dominant, share=1.0, alike=2, within=0.1))
    german = words("de")
    for game in (found, alone):
        told = german.all(answers(replace(findings(), dominance=Dominance(game, game)))["dominance"])
        assert "um wenig, da sie gleich abschneiden" in told[0] + told[1]
    assert not german.missed
