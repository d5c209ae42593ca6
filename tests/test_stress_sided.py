"""Rules that one side alone gains by, answers that are no use, and sentences that must not contradict each other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.evaluation.stress import declining as declining_step
from probespiel.evaluation.stress.advice import next_for_game
from probespiel.evaluation.stress.conditions import Settings
from probespiel.evaluation.stress.findings import (
    ActionLine,
    Choice,
    Dynamics,
    Findings,
    Interval,
    Luck,
    Mean,
    Paid,
    Play,
    Sample,
    SampleGame,
    SeatEffect,
    Stake,
    UseWorth,
    Verdict,
    Worth,
    WorthBounds,
)
from probespiel.evaluation.stress.game_verdict import SIDED, game_verdict_of
from probespiel.evaluation.stress.game_words import LEARNED_ANEW, sample_lines
from probespiel.evaluation.stress.lab import open_lab
from probespiel.evaluation.stress.paid_words import paid_use
from probespiel.evaluation.stress.strategies import Strategy
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.verdict import verdict_of
from probespiel.evaluation.stress.words import answers
from probespiel.evaluation.stress.worth import Margins, seat_effect

from .lab_findings import BOWS, FORCED, STILL, findings

PLANTED = Path(__file__).parent / "planted"
NOTHING = Sample(0.0, 0.0, 0.0, 99)


@pytest.mark.parametrize("noted", [True, False])
def test_what_others_were_paid_and_what_all_answers_note_is_no_effect(
    noted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The empty purse declines, although all that answer are noted, and the other side may have been paid before."""
    monkeypatch.setattr(declining_step, "GAMES", 12)
    text = (PLANTED / "purse.py").read_text("utf-8")
    path = tmp_path / "purse.py"
    path.write_text(text if noted else text.replace("    s.purse_asked[seat] = 1\n", ""), "utf-8")
    lab = open_lab(Settings("einblatt-duel", str(path)), tmp_path)
    lab.bench.compiled = False
    found = declining_step.declining(lab, lab.bench.everybody(), 1)["actions"]
    describe = lab.game(lab.bench.everybody()).actions.describe
    assert [describe(a) for a in found] == ["take the blue purse"]


class Noted:
    """A position of four bytes: answer 1 leaves the last one alone, answer 0 writes it, both write the second."""

    def __init__(self, content: bytes = bytes(4)) -> None:
        self.content = content

    def to_bytes(self) -> bytes:
        return self.content

    def clone(self) -> Noted:
        return Noted(self.content)

    def apply(self, seat: int, action: int) -> None:
        self.content = bytes([self.content[0], 7, self.content[2], 0 if action else 9])


def test_bytes_that_one_answer_alone_writes_tell_of_it() -> None:
    """What no answer writes stays in the mask, too: an answer may undo what stands there."""
    position: Any = Noted()
    question = declining_step.Question(position, 0, [0, 1], position)
    own = np.array([255, 255, 0, 255], dtype=np.uint8)
    assert declining_step.told_apart(question, own).tolist() == [255, 0, 0, 255]


def test_what_the_sides_gain_is_the_mean_of_both_ways_of_sitting() -> None:
    """A side gains 1.5 in the first seat and 0.5 in the last: 1 for the side, 0.5 for the seat."""
    nothing = np.zeros(100)
    got = Margins({(0, 0): nothing, (1, 0): nothing}, {}, nothing + 1.5, (nothing, nothing + 0.5))
    found = seat_effect(got, 1)
    assert found.side is not None and (found.side.value, found.change.value) == pytest.approx((1.0, 0.5))
    assert seat_effect(replace(got, mirrored=None), 1).side is None


def sided(first: float, second: float, both: float) -> Findings:
    """A solved game of results that deviate by 1: what having it is worth to A and B, and what A gains if both do."""
    made = findings(STILL, worth=(first + second) / 2)
    assert isinstance(made.worth, Worth)
    sides = tuple(
        replace(s, by_amount=(replace(s.even, worth=Sample(x, x, x, 99)),))
        for s, x in zip(made.worth.sides, (first, second))
    )
    value = made.worth.overall.value
    exact = replace(made.worth, sides=sides, overall=Sample(value, value, value, 99), exact=True)
    return replace(made, worth=exact, seat=SeatEffect(True, NOTHING, NOTHING, NOTHING, Sample(both, both, both, 99)))


def test_a_rule_of_one_side_is_told_as_one() -> None:
    """Having it is worth 1.35 to A and nothing to B: where all have it A gains all of it."""
    made = sided(1.35, 0.0, 1.35)
    verdict, game, german = verdict_of(made), game_verdict_of(made), words("de")
    assert "It is worth more to one side than to the other: “A” +1.350 EP, “B” 0.000 EP (exact)." in verdict.remarks
    told = "where all have it “A” gains +1.350 EP by it, and “B” loses as much, whoever sits first (exact)"
    assert (game.word, game.why) == (SIDED, (told,))
    assert german.word(SIDED) == "begünstigt eine Seite" and "verliert ebenso viel" in german(told)
    assert next_for_game(made, SIDED)[0].startswith("If the sides should fare as before")
    play = Play(Luck(0.5, 0.1, 1.0, 1.0), 100, Mean(0.0, 0.0), Mean(0.0, 0.0), Mean(0.0, 0.0), Mean(6.0, 0.1), 0.1, ())
    lines = answers(replace(made, dynamics=Dynamics(play, play)))["dynamics"]
    assert f"W{told[1:]}." in lines and LEARNED_ANEW not in lines
    assert made.worth is not None
    measured = replace(made, worth=replace(made.worth, exact=False), dynamics=Dynamics(play, play))
    lines = answers(measured)["dynamics"]
    (at,) = [k for k, line in enumerate(lines) if "whoever sits first" in line]
    assert lines[at + 1] == LEARNED_ANEW
    assert german(LEARNED_ANEW).startswith("Beide Seiten haben neu gelernt")
    assert "der einen Seite mehr wert" in german(verdict.remarks[0])
    other = game_verdict_of(sided(0.0, 1.35, -1.35))
    assert "“B” gains +1.350 EP by it, and “A” loses as much" in other.why[0]


def test_a_rule_that_serves_one_seat_alone_is_told_without_solving() -> None:
    """A tenth for whoever sits second, of results that deviate by 1: no luck of learning is as much as that."""
    made = sided(0.0, 0.1, 0.0)
    assert made.worth is not None
    first, second = Interval(0.0, -0.01, 0.01), Interval(0.1, 0.09, 0.11)
    for ends, told in (((first, second), True), ((second, first), True), ((first, Interval(0.1, 0.01, 0.2)), False)):
        bounds = WorthBounds(Interval(0.05, 0.04, 0.06), ends, 99)
        measured = replace(made, worth=replace(made.worth, exact=False, bounds=bounds))
        lines = [line for line in verdict_of(measured).remarks if "one side" in line]
        assert bool(lines) == told
        if told:
            assert lines[0].endswith("“A” 0.00 EP, “B” +0.10 EP (carried by the best answers found).")
            german = words("de")
            assert "der einen Seite mehr wert" in german(lines[0]) and not german.missed
    little = replace(sided(0.0, 0.04, 0.0).worth or pytest.fail("a worth"), exact=False)
    bounds = WorthBounds(Interval(0.02, 0.02, 0.02), (first, Interval(0.04, 0.03, 0.05)), 99)
    assert not verdict_of(replace(made, worth=replace(little, bounds=bounds))).remarks, "less than counts"


def test_a_rule_that_both_sides_have_as_much_of_favours_none() -> None:
    """Nor does one that was only measured: learners of the two sides differ by luck."""
    even = sided(0.5, 0.5, 0.07)
    assert game_verdict_of(even).word != SIDED and not verdict_of(even).remarks
    apart = sided(1.35, 0.0, 1.35)
    assert apart.worth is not None
    measured = replace(apart, worth=replace(apart.worth, exact=False))
    assert game_verdict_of(measured).word != SIDED
    assert not any("one side" in line for line in verdict_of(measured).remarks)


def test_an_answer_that_is_always_right_by_too_little_is_no_contradiction() -> None:
    """It beats the other by 0.02 of 1: a decoration, which says so in one sentence and gives one next step."""
    lines = (ActionLine("fire", 100, 1.0, 0.0, 0.0, 0.0), ActionLine("water", 100, 0.0, 0.0, -0.02, 0.0))
    use = replace(
        FORCED, stakes=(Stake("school", 100, 0.02, 0.0),), lines=lines, choices=(Choice("school", "fire", 100, 1.0),)
    )
    made = findings(STILL, use=use)
    verdict = game_verdict_of(made)
    assert verdict.word == "decoration"
    assert verdict.why == (
        "asked for school, “fire” is always right, but beats the other answers by 0.02 at most, which is no difference "
        "that counts",
    )
    (step,) = next_for_game(made, verdict.word)
    assert "is always right" not in step and step.startswith("The question can be left out without loss")
    german = words("de")
    assert "ist „fire“ immer richtig, schlägt" in german(verdict.why[0]) and "zuweilen richtig" in german(step)


@pytest.mark.parametrize(("more", "paid"), [(0.1, True), (0.0, False)])
def test_what_pays_all_alike_is_not_left_out_without_loss(more: float, paid: bool) -> None:
    """Who name the same sign are paid a tenth each: no lead, but a tenth more for both; or nothing at all."""
    made = findings(STILL, use=replace(FORCED, stakes=(Stake("school", 100, 0.01, 0.01),)))
    sample = Sample(more, more, more, 99)
    made = replace(made, paid=Paid(None, None, None, sample))
    verdict = game_verdict_of(made)
    assert verdict.word == "decoration"
    assert verdict.why == (f"none of its answers makes a difference that counts{' to a lead' if paid else ''}",)
    (step,) = next_for_game(made, verdict.word)
    assert step.startswith("It decides no lead, but what" if paid else "Its actions can be left out without loss")
    german = words("de")
    assert ("Vorsprung" in german(verdict.why[0])) == paid and german(step) and not german.missed


def test_what_decides_games_that_are_level_is_no_decoration() -> None:
    """A tenth more breaks ties: too little to count as a payoff, but a game is shown that is won by it alone."""
    use = replace(FORCED, stakes=(Stake("school", 100, 0.02, 0.0),))
    won = SampleGame(True, 100, 40, "A", 3, {}, 0.02, 0.0, alike=5, pure=True)
    verdict = game_verdict_of(findings(STILL, use=use, sample=won))
    assert verdict.word == "changes little"
    assert verdict.remarks[0].startswith("What hangs on its answers is too little to count, but settles who wins")
    assert "entscheidet aber, wer gewinnt" in words("de")(verdict.remarks[0])
    for other in (replace(won, pure=False), SampleGame(False), None):
        decoration = game_verdict_of(findings(STILL, use=use, sample=other))
        assert decoration.word == "decoration" and not decoration.remarks, "others differ by the luck of later choices"


def test_a_lead_that_is_too_small_is_told_as_one() -> None:
    """A use that pays 0.2 gains a lead of 0.02 of 1: not none, but less than what counts."""
    seen = UseWorth(500, 300, 0.02, 0.0, 1.0, 1.0, 0.0, own=0.2, own_error=0.01)
    made = replace(findings(STILL, use=replace(BOWS, worth=seen)), zero_sum=False)
    told = paid_use(made)
    assert told.endswith("; its lead over the others changes by +0.02 EP by it, too little to count.")
    assert "zu wenig, um zu zählen" in words("de")(told)
    none = replace(made, use=replace(BOWS, worth=replace(seen, gain=0.01, error=0.01)))
    assert paid_use(none).endswith("no lead over the others comes of it.")


def test_what_a_use_brings_a_crowded_side_is_the_mean_of_its_seats() -> None:
    """Of five who sit together one takes a unit: 0.2 in the mean, which its user does not get alone."""
    seen = UseWorth(500, 300, 0.02, 0.0, 1.0, 1.0, 0.0, own=0.2, own_error=0.01)
    alone = replace(findings(STILL, use=replace(BOWS, worth=seen)), zero_sum=False)
    none = replace(alone, use=replace(BOWS, worth=replace(seen, gain=0.0, error=0.01)))
    german = words("de")
    for made in (alone, none):
        crowd = replace(made, seats=5)
        assert paid_use(made).startswith("As it is paid, a use brings its user +0.20 EP (± 0.02)")
        whose = "As it is paid, a use brings its user's side, in the mean of its seats, +0.20 EP (± 0.02)"
        assert paid_use(crowd).startswith(whose)
        assert "der Seite dessen, der es nutzt, im Mittel ihrer Plätze +0,20 EP" in german(paid_use(crowd))
        said = "Sides have up to 5 seats: what a side gains is the mean of its seats."
        assert said in answers(crowd)["worth"][0] and "seats" not in answers(made)["worth"][0]
        assert german(said).startswith("Seiten haben bis zu 5 Plätze")
    assert not german.missed


def test_shares_of_wins_are_those_of_the_strategies_found_where_the_worth_is_exact() -> None:
    """A game that was solved says nothing of them."""
    made = sided(0.3, 0.3, 0.0)
    assert made.worth is not None
    (why, *_) = verdict_of(made).why
    assert why.endswith("among the strategies found the holder's share of wins is not shown to change")
    moved = replace(made, worth=replace(made.worth, odds=Interval(0.3, 0.1, 0.5)))
    (told, *_) = verdict_of(moved).why
    assert told.endswith("among the strategies found the holder's share of wins goes from 50% to 50%")
    assert "unter den gefundenen Strategien" in words("de")(told)


def test_who_must_answer_does_not_use_it_when_it_pays() -> None:
    """Names of strategies say what they do: answers where there is nothing to use."""
    hawk = Strategy("hawk", base="hawk")
    held = hawk.deciding(Strategy("answers as it pays where A has it (2)", base="hawk", net="use", scope="whether"))
    assert held.name == "hawk, answers as it pays (2)"
    blind = hawk.answering_blindly
    assert (blind.name, blind.use, blind.free) == ("hawk, answers blindly", "random", hawk)
    german = words("de")
    assert german.word(held.name) == "hawk, antwortet, wie es sich lohnt (2)"
    assert german.word(blind.name) == "hawk, antwortet blind"
    assert german.word("answers as it pays where nobody has it (1)").startswith("antwortet, wie es sich lohnt, wo")


def test_a_sample_game_of_who_must_answer_tells_of_an_answer() -> None:
    """Nothing is used there."""
    moment = "B uses it: fire (instead of: water)"
    shown = SampleGame(True, 100, 7, "B", 3, {"A": "hunter"}, 1.0, -1.0, moment=moment, parted=1)
    told = sample_lines(shown, findings(STILL, use=FORCED))[-1]
    assert told == "The answer that gained most: B answers: fire (instead of: water)."
    parts = sample_lines(replace(shown, gained=False), findings(STILL, use=FORCED))[-1]
    assert parts.startswith("With this answer the games part: B answers: fire")
    assert sample_lines(shown, findings(STILL, use=BOWS))[-1] == f"The use that gained most: {moment}."
    german = words("de")
    assert german(told) == "Die Antwort, die am meisten brachte: B antwortet: fire (statt: water)."
    assert german(parts).startswith("Mit dieser Antwort trennen sich die Spiele: B antwortet: fire")


def test_verdicts_of_sides_are_kept() -> None:
    """A report read again tells the same of its sides."""
    made = replace(sided(1.35, 0.0, 1.35), verdict=Verdict("small", ()))
    assert Findings.from_json(made.to_json()) == made
