"""Reasons and next steps of stress tests that no other test words, whole, with numbers by hand; all have German "
"words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from probespiel.evaluation.stress.advice import NO_DECISION, next_for_holder
from probespiel.evaluation.stress.basis import BOUNDS, DIRECTION, FOUND, missed_told, rests_on
from probespiel.evaluation.stress.breakage import KINDS, REPEATED, text_of
from probespiel.evaluation.stress.compare import Change, Comparison, Row, Version
from probespiel.evaluation.stress.compare_report import sentences
from probespiel.evaluation.stress.findings import (
    Breakage,
    Fault,
    Findings,
    HandicapRow,
    Interval,
    Paid,
    Sample,
    SideHandicap,
    SolvedUse,
    Use,
    Worth,
    WorthBounds,
)
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.verdict import BROKEN_WITHOUT, VERDICTS, remarks_of, verdict_of, why_solved

from .lab_findings import findings

GERMAN = words("de")
EVEN = Interval(0.0, -0.1, 0.1)
SIDES = findings().worth.sides  # type: ignore[union-attr]


def german(*texts: str) -> bool:
    """Whether all have German words."""
    return all(GERMAN.told(text) is not None for text in texts)


def of_worth(value: float, half: float = 0.1, odds: Interval = EVEN, **more: Any) -> Findings:
    """Results lie apart by 1: 0.05 counts, 0.25 is strong, 0.67 overpowered."""
    worth = Worth(SIDES, Sample(value, value - half, value + half, 1200), 1.0, odds, **more)
    return replace(findings(), worth=worth)


# --- reasons ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "half", "word", "why"), [
    (-0.3, 0.1, "strong", "having it is a handicap of 0.30 (−0.40 to −0.20); the holder's share of wins is not shown "
     "to "
     "change"),
    (0.3, 0.1, "strong", "having it is an advantage of 0.30 (+0.20 to +0.40); the holder's share of wins is not "
     "shown to "
     "change"),
    (0.1, 0.2, "undecided", "that having it is an advantage or a handicap is not shown: +0.10 (−0.10 to +0.30): it may "
     "change nothing, or more than 0.05"),
    (0.02, 0.01, "neutral", "having it is an advantage of 0.02 (+0.01 to +0.03), which is no difference that counts"),
])  # fmt: skip
def test_what_having_it_is_in_whole_sentences(value: float, half: float, word: str, why: str) -> None:
    verdict = verdict_of(of_worth(value, half))
    assert (verdict.word, verdict.why[0]) == (word, why) and german(*verdict.why)


def test_thresholds_are_those_by_which_the_words_go() -> None:
    assert VERDICTS["overpowered"] == (
        "the holder's result rises by 0.67 standard deviations or its chances from 50% to 75%"
    )
    assert VERDICTS["strong"] == "having it is worth 0.25 standard deviations, or chances from 50% to 60%"
    assert VERDICTS["small"] == (
        "having it is worth more than 0.05 standard deviations, or more than a change from 50% to 51%"
    )
    assert VERDICTS["neutral"] == "the whole interval of its worth lies within 0.05 standard deviations"
    assert german(*VERDICTS.values())
    words_of = [verdict_of(of_worth(value, 0.01)).word for value in (0.67, 0.6699, 0.25, 0.2499, 0.05, 0.0499, 0.03)]
    assert words_of == ["overpowered", "strong", "strong", "small", "small", "undecided", "neutral"]
    assert [verdict_of(of_worth(-value, 0.01)).word for value in (0.67, 0.25)] == ["strong", "strong"]


ROOM = Interval(0.1, 0.06, 0.2)


@pytest.mark.parametrize(("room", "basis", "said"), [
    (ROOM, BOUNDS, "the best answers found carry that: they leave room from +0.06 to +0.20, all of it small"),
    (Interval(0.1, 0.06, 0.3), DIRECTION, "the best answers found carry which way it goes, not how far: they leave "
     "room "
     "from +0.06 to +0.30, from small to strong"),
    (Interval(0.1, -0.1, 0.3), FOUND, "that rests on the strategies found: the best answers to them leave room from "
     "−0.10 "
     "to +0.30, from a handicap (small) to an advantage (strong)"),
    (Interval(0.0, -0.04, 0.04), "", "as for the strategies found, the best answers to them leave room from −0.04 to "
     "+0.04, all of it too little to count"),
])  # fmt: skip
def test_between_what_it_may_lie(room: Interval, basis: str, said: str) -> None:
    worth = of_worth(0.1, bounds=WorthBounds(room, (), 99)).worth
    assert worth is not None
    assert rests_on(worth, basis) == said and german(said)
    alone = replace(worth, bounds=None)
    text = "that rests on the strategies found: where nobody answers them, it is not known what better ones would gain"
    assert rests_on(alone, basis) == text and german(text)
    assert rests_on(replace(worth, exact=True), basis) == rests_on(replace(worth, alike=True), basis) == ""


@pytest.mark.parametrize(("found", "said"), [
    ((0.02, 0.01), "These make +0.02 EP of it (+0.01 to +0.03): what is told below of its use, of players and of "
     "games is "
     "true of those who have not found all that it is good for."),
    ((0.5, 0.1), "These make +0.50 EP of it (+0.40 to +0.60), more than the others leave who play best: what is told "
     "below "
     "of its use, of players and of games is true where they have not found what to do about it."),
    ((0.1, 0.2), ""), ((0.24, 0.01), ""),
])  # fmt: skip
def test_what_strategies_make_of_a_worth_that_was_solved(found: tuple[float, float], said: str) -> None:
    """It is worth 0.2; a difference of 0.04 does not count, nor one that is not shown."""
    value, half = found
    played = Sample(value, value - half, value + half, 99)
    worth = of_worth(0.2, 0.0, exact=True, found=played).worth
    assert worth is not None and missed_told(worth, " EP", 2) == said and (not said or german(said))


def test_what_solved_games_say_of_a_use() -> None:
    use = Use(1, solved={"A": SolvedUse(0.25, 0.5), "B": SolvedUse(0.75, 0.25)})
    assert why_solved(use, "always-use") == (
        "where both sides play best, never using it costs 0.500, and using it whenever possible costs nothing"
    )
    assert why_solved(use, "dead rule") == (
        "where both sides play best, never using it costs nothing, and using it whenever possible costs 0.375"
    )
    assert german(why_solved(use, "always-use"), why_solved(use, "dead rule"))


def test_what_is_broken_without_the_module_says_so() -> None:
    text = "the game does not end: it was stopped after 2,000 decisions"
    own = replace(of_worth(0.3), breakage=Breakage((Fault("unresolved", text, "everybody"),)))
    assert verdict_of(own).why == (text,)
    assert remarks_of(own)[-1] == "As far as it can be played, what having it is worth would be called strong."
    without = replace(own, breakage=Breakage((Fault("unresolved", text, "nobody"),)))
    assert verdict_of(without).why == (f"{BROKEN_WITHOUT}{text}",)
    assert german(*verdict_of(without).why, remarks_of(own)[-1])


@pytest.mark.parametrize(("fault", "said"), [
    ({"kind": KINDS[REPEATED], "length": 12, "cycle": 4}, "the position after decision 4 comes back after decision 12: "
     "the game can go on for ever"),
    ({"kind": "raised", "text": "x is not 3"}, "x is not 3"),
])  # fmt: skip
def test_faults_in_words(fault: dict[str, Any], said: str) -> None:
    assert text_of(fault) == said


# --- next steps -------------------------------------------------------------------------------------------------------


def handicap(*values: float, most: float = 5.0) -> tuple[SideHandicap, ...]:
    """So many cards more at the start are worth as much to each side."""
    return tuple(
        SideHandicap(side, (0, 1), (0.0, 0.5), (HandicapRow(value, value - 0.5, value + 0.5, 99, 0, most, -most),))
        for side, value in zip("AB", values)
    )


def first_step(found: Findings, word: str) -> str:
    (step, *_) = next_for_holder(found, word)
    assert german(step)
    return step


def test_a_price_is_as_much_as_it_is_worth() -> None:
    """Of 2 and 1 cards 1.5 in the mean; a lead loses half of what is paid, so that it must be paid twice."""
    cost = (
        ": a cost that is worth as much makes it neutral. Paid by its holder alone, of its own result, that is {} EP: "
        "of a payment a lead loses half. "
    )
    plain, exact = of_worth(0.3), of_worth(0.3, 0.0, exact=True)
    known = "is worth {} EP to its holder, beyond what it costs{}"
    among = "Among the strategies found it "
    for found, head, size, twice in ((plain, among, "0.30", "0.60"), (exact, "It ", "0.300", "0.600")):
        for given, about in (
            ((), ""), (handicap(2.0, 1.0), ", as much as about 1.5 cards more at the start"),
            (handicap(5.0, 1.0), ", as much as at least 3.0 cards more at the start"),
            (handicap(-2.0, 1.0), ""), (handicap(0.04, 0.04), ""),
        ):  # fmt: skip
            step = first_step(replace(found, handicap=given), "strong")
            assert step.startswith(f"{head}{known.format(size, about)}{cost.format(twice)}")
    single = first_step(replace(plain, sides=("A",)), "strong")
    assert "makes it neutral. No number" in single


def test_what_costs_its_holder_wants_something_for_it() -> None:
    lost = of_worth(-0.3)
    for given, about in (
        ((), ""), (handicap(-2.0, -1.0), ", as much as about 1.5 cards fewer at the start"),
        (handicap(-5.0, -1.0), ", as much as at least 3.0 cards fewer at the start"), (handicap(2.0, 1.0), ""),
    ):  # fmt: skip
        assert first_step(replace(lost, handicap=given), "strong").startswith(
            f"Its holder loses 0.30 EP by it{about}: give something that is worth as much for it, or make it milder. "
        )


@pytest.mark.parametrize(
    ("value", "half", "whole", "decides"),
    [(0.3, 0.1, False, False), (0.3, 0.1, True, True), (-0.001, 0.02, False, True), (0.0, 0.0, True, True)],
)
def test_what_is_always_used_costs_nothing_where_nobody_gains(
    value: float, half: float, whole: bool, decides: bool
) -> None:
    """Of a rule of the whole table, or one not shown to be worth anything, it was told what its holder loses."""
    step = first_step(replace(of_worth(value, half), whole_table=whole), "always-use")
    assert (step == NO_DECISION) is decides and ("to its holder" in step) is not decides
    assert first_step(replace(of_worth(value, half), whole_table=whole), "small") != NO_DECISION


def test_what_is_neutral_among_strategies_has_room() -> None:
    found = of_worth(0.0, 0.02, bounds=WorthBounds(Interval(0.0, -0.3, 0.2), (), 99))
    text = (
        "Among the strategies found nothing has to be balanced; the best answers to them leave room for what counts, "
        "from "
        "−0.30 to +0.20 EP"
    )
    assert first_step(replace(found, budget="quick"), "neutral") == f"{text}, which a larger --budget may narrow."
    more = Sample(0.2, 0.2, 0.2, 99)
    paid = replace(found, budget="quick", zero_sum=False, paid=Paid(more, more, more, more))
    first, second, *_ = next_for_holder(paid, "neutral")
    assert first.startswith(text) and second == "What the sides are paid changes by it: decide whether it should."
    assert german(first, second)
    assert first_step(replace(found, budget="deep"), "neutral") == f"{text}."
    for value, verb in ((0.02, "gains"), (-0.02, "loses")):
        assert first_step(of_worth(value, 0.01), "neutral") == (
            f"Nothing has to be balanced: what its holder {verb} does not count."
        )
    assert first_step(of_worth(0.0, 0.02), "neutral") == (
        "Nothing has to be balanced: whoever has it is neither better nor worse off."
    )


def test_the_game_that_shows_a_fault_is_looked_at() -> None:
    broken = replace(findings(), breakage=Breakage((Fault("loop", "x", "everybody", replay="1.json"),)))
    assert first_step(broken, "broken") == (
        "Look at the game that shows it, mend the rule there, and test again: `probespiel replay --trust-files "
        "replays/1.json`."
    )


# --- comparisons ------------------------------------------------------------------------------------------------------


def compared(
    holder: tuple[str, str], game: tuple[str, str], worth: tuple[float, float] = (0.3, 0.1), shown: bool = True,
    longer: bool = True,
) -> list[str]:  # fmt: skip
    """Two versions of a rule with their verdicts, whose worth and length may be shown to differ."""
    values = tuple(Interval(value, value - 0.05, value + 0.05) for value in worth)
    difference, half = worth[1] - worth[0], 0.05 if shown else 0.5
    rows = (
        Row("worth", "", False, 3, values, (None, Change(difference, difference - half, difference + half, shown))),
        Row("length", "", False, 1, (Interval(10.0, 9.0, 11.0), Interval(11.0, 10.0, 12.0)),
            (None, Change(1.0, 0.5 if longer else -0.5, 2.5, longer))),
    )  # fmt: skip
    versions = tuple(
        Version(f"v{k}", "m.py", {"cost": 1 + k}, holder[k], (), "quick", 1, "1.0", game_verdict=game[k])
        for k in range(2)
    )
    lines = sentences(Comparison("kuhn", "standard", "EP", versions, rows, 2), 1)
    assert german(*lines)
    return lines


LONGER = ("changes little", "longer games")
HEAD = "v1 against v0 (cost 1 → 2): the verdict for its holder "
OPEN = "is shown to differ: one test shows what another leaves open."


def test_a_comparison_in_whole_sentences() -> None:
    both = compared(("strong", "small"), LONGER)
    assert both == [
        f"{HEAD}changes from strong to small.", "The verdict for the game changes from “changes little” to “longer "
        "games”.",
        "Changed: worth +0.300 → +0.100 (−0.200; −0.250 to −0.150).",
        "Changed: length 10.0 → 11.0 (+1.0; +0.5 to +2.5).",
    ]  # fmt: skip
    assert compared(("strong", "strong"), LONGER, longer=False) == [
        f"{HEAD}stays strong.", f"The verdict for the game changes from “changes little” to “longer games”, but no "
        f"figure of "
        f"the game {OPEN}", "Changed: worth +0.300 → +0.100 (−0.200; −0.250 to −0.150).",
        "No difference beyond chance: length.",
    ]  # fmt: skip
    assert compared(("strong", "strong"), LONGER, (-0.3, 0.3))[0] == (
        f"{HEAD}stays strong, of an advantage now and not of a handicap."
    )
    assert compared(("strong", "strong"), LONGER, (0.3, -0.3))[0] == (
        f"{HEAD}stays strong, of a handicap now and not of an advantage."
    )
    assert compared(("strong", "strong"), LONGER, (0.3, 0.04))[0] == f"{HEAD}stays strong."


@pytest.mark.parametrize(("holder", "said"), [
    (("strong", "small"), True), (("undecided", "small"), True), (("neutral", "undecided"), True),
    (("strong", "dead rule"), False), (("broken", "small"), False),
])  # fmt: skip
def test_another_word_for_a_worth_that_is_not_shown_to_differ(holder: tuple[str, str], said: bool) -> None:
    """Only of words that go by what it is worth."""
    chance = ", but what it is worth is not shown to differ: one test shows what another leaves open" if said else ""
    line = compared(holder, LONGER, shown=False)[0]
    assert line == f"{HEAD}changes from {holder[0]} to {holder[1]}{chance}."
    assert compared(holder, LONGER)[0] == f"{HEAD}changes from {holder[0]} to {holder[1]}."
