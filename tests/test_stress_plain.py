"""Numbers of a stress report that are told as what they are: gains and costs, what is rare, what cannot be."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.intervals import unseen
from probespiel.evaluation.stress import worth as measuring
from probespiel.evaluation.stress.advice import next_for_holder
from probespiel.evaluation.stress.changes import change_of, figures_of, part_of
from probespiel.evaluation.stress.dynamics import _mean_of_deals, luck_share
from probespiel.evaluation.stress.effect import alike_in, luck_change
from probespiel.evaluation.stress.estimates import mean_of
from probespiel.evaluation.stress.findings import (
    ActionLine,
    Choice,
    Dynamics,
    Interval,
    Level,
    Luck,
    Mean,
    Play,
    Restricted,
    Rung,
    Sample,
    Use,
    UseWorth,
    WorthBounds,
)
from probespiel.evaluation.stress.game_verdict import ends, game_verdict_of
from probespiel.evaluation.stress.game_words import action_lines, effect_lines
from probespiel.evaluation.stress.levels import worth_of
from probespiel.evaluation.stress.proof import numbers
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.tree import clustered, clustered_share
from probespiel.evaluation.stress.verdict import verdict_of
from probespiel.evaluation.stress.words import answers

from .lab_findings import figure, findings


def german(line: str) -> str:
    """A sentence in German, which there must be."""
    book = words("de")
    told = book(line)
    assert not book.missed and told != line
    return told


def test_a_loss_below_nothing_is_a_gain() -> None:
    """Never using it costs 0.12, always using it gains 0.01, a coin costs what is written as nothing."""
    row = Restricted(
        Sample(-0.01, -0.03, 0.01, 9), Sample(0.12, 0.1, 0.14, 9), Sample(0.001, -0.02, 0.02, 9), Sample(0.0, 0, 0, 9)
    )
    use = Use(1, opportunities=500, rate=0.3, restricted={"A": row})
    line = answers(findings(use=use))["use"][-1]
    assert line == (
        "For “A”, against an opponent without it: never using it costs 0.12 (0.10 to 0.14); always using it gains "
        "+0.01 (−0.01 to +0.03); tossing a coin costs 0.00 (−0.02 to 0.02); using it "
        "blindly costs 0.00 (the same every time)."
    )
    assert "es immer zu nutzen bringt +0,01 (−0,01 bis +0,03)" in german(line)
    forced = replace(use, opportunities=0, forced=40)
    line = answers(findings(use=replace(forced, restricted={"A": replace(row, random=Sample(-0.2, -0.3, -0.1, 9))})))
    assert line["use"][-1] == "For “A” answering blindly gains +0.20 (+0.10 to +0.30)."
    assert german(line["use"][-1]) == "Für „A“ bringt blindes Antworten +0,20 (+0,10 bis +0,30)."


def test_who_must_answer_has_no_opportunities_but_is_asked() -> None:
    """ "0 opportunities" beside 100 answers: nobody can leave it alone, so that all of them are questions."""
    must = Use(2, games=50, forced=100, choices=(Choice("school", "fire", 100, 1.0),))
    assert numbers(findings(use=must))["use"] == [("games", "50"), ("questions", "100"), ("fire", "100%")]
    can = numbers(findings(use=replace(must, opportunities=7)))["use"]
    assert ("opportunities", "7") in can and "questions" not in dict(can)
    assert words("de").word("questions") == "Fragen"


def test_what_was_solved_is_exact_and_what_was_counted_is_the_same_every_time() -> None:
    strongest = Level("experts", "play", "", Sample(1.0, 1.0, 1.0, 9), None, None)
    beginners = replace(strongest, name="beginners", worth=Sample(0.5, 0.4, 0.6, 9))
    made = findings(levels=(beginners, strongest))
    assert made.worth is not None
    assert numbers(made)["levels"][1][1] == "+1.00 (the same every time) (9)"
    told = numbers(replace(made, worth=replace(made.worth, exact=True)))["levels"]
    assert [value for _, value in told] == ["+0.50 (+0.40 to +0.60) (9)", "+1.00 (exact) (9)"]


def test_what_was_always_the_same_has_no_interval_of_no_width() -> None:
    lines = action_lines([ActionLine("bet", 200, 0.3, 0.02, x, 0.0) for x in (0.15, -0.15)], " EP")
    assert lines[0].endswith("and gains +0.15 EP over what is done there (the same every time).")
    assert lines[1].endswith("and loses 0.15 EP against what is done there (the same every time).")
    assert all("jedes Mal dasselbe" in german(line) for line in lines)
    for gain, said in ((0.3, "a use gained +0.30 EP"), (-0.3, "a use lost 0.30 EP")):
        use = Use(1, opportunities=500, rate=0.3, worth=UseWorth(500, 300, gain, 0.0, 1.0, 0.1, 0.2))
        line = next(line for line in answers(findings(use=use))["use"] if line.startswith("Tried both ways"))
        assert f"{said} on the average (the same every time);" in line and "jedes Mal dasselbe" in german(line)
        told = dict(numbers(findings(use=replace(use, actions=1)))["use"])["a use gains"]
        assert told == ("+0.30" if gain > 0 else "−0.30")
    choices = (Choice("purse", "silver", 50, 0.5, 0.3, 0.0), Choice("purse", "lead", 50, 0.5, -0.3, 0.02))
    lines = answers(findings(use=Use(2, forced=100, choices=choices)))["use"]
    line = next(line for line in lines if line.startswith("Against what is usually answered"))
    assert "each gains or loses: silver +0.30 EP and lead −0.30 EP (± 0.04)." in line
    assert "bringt oder kostet jede Antwort: silver +0,30 EP und lead −0,30 EP (± 0,04)." in german(line)


def test_what_is_done_always_may_be_done_otherwise_in_the_next_game() -> None:
    """In 40 games it is always done: in one of the next it may not be, by the rule of three."""
    games = np.repeat(np.arange(40), 5)
    rate, error = clustered_share(np.ones(200, dtype=bool), games)
    assert rate == 1.0 and 1.96 * error == pytest.approx(unseen(40))
    mixed = np.random.default_rng(1).random(200) < 0.5
    assert clustered_share(mixed, games) == clustered(mixed.astype(float), games)
    assert clustered_share(mixed[:5], games[:5])[1] == float("inf")


def test_shares_of_games_have_room_for_what_was_not_seen() -> None:
    assert mean_of(np.zeros(60), (0.0, 1.0)).error == pytest.approx(unseen(60) / 1.96)
    assert mean_of(np.zeros(60)).error == 0.0 and mean_of(np.zeros(1), (0.0, 1.0)).error is None
    assert _mean_of_deals(np.zeros((4, 60)), (0.0, 1.0)).error == pytest.approx(unseen(60) / 1.96)
    none, some = np.zeros((4, 60)), np.eye(60)[:4]
    assert alike_in(none) == 240 and alike_in(some) == 0 and alike_in(np.full((4, 60), np.nan)) == 0
    seeds = np.zeros((4, 60), dtype=int)
    change = change_of("draws", part_of(none, seeds), part_of(none, seeds), 0.05, cases=(240, 0))
    (found,) = figures_of([change])
    assert found.before.high == pytest.approx(unseen(240)) and found.after.high == 0.0


def test_where_the_deal_decides_nothing_the_share_has_an_error_all_the_same() -> None:
    """Results that nothing of a deal decides: the estimate is 0, cut off from below; the truth may be more."""
    margins = np.random.default_rng(3).choice([-1.0, 1.0], size=(4, 100))
    margins[1] = -margins[0]  # further apart within a deal than by chance
    _, _, share, error = luck_share(margins)
    change = luck_change(margins, margins)
    assert share == 0.0 and error > 0.01 and (change.before, change.after) == (0.0, 0.0) and change.errors[0] == error


def test_the_worth_of_a_level_has_room_for_what_was_not_seen() -> None:
    """With and without it the same results, from -1 to 1, in 50 deals, or all 0.1 more: one may differ."""
    results = np.tile([-1.0, 1.0], 25)
    assert worth_of([(results, results)]).high == pytest.approx(2 * unseen(50))
    more = worth_of([(results + 0.1, results)])
    assert more.value == pytest.approx(0.1) and more.high - more.value == pytest.approx(2 * unseen(50))


def test_a_change_of_a_share_is_no_more_than_all_of_it() -> None:
    effect = findings(figure("cycles", 0.9, 0.1, 0.5, 0.1)).effect
    assert effect is not None
    line = effect_lines(effect)[0]
    assert line.startswith("10% of the differences of strategies are cyclic instead of 90% (−100 to −30 points).")


def test_what_is_counted_is_not_less_than_none() -> None:
    wide = Interval(8.8, -13.1, 30.8)
    assert ends("decisions", wide) == ends("length", wide) == "0.0 to 30.8" and ends("lead changes", wide)[:4] == "0.00"
    assert ends("decisions", wide, sign=True) == "−13.1 to +30.8" and ends("first seat", wide)[:6] == "−13.10"
    assert ends("strategies", wide) == "1.0 to 30.8"


def drawn(before: float, after: float, direct: float) -> Any:
    """All draw where they have learned with it; by the strategies found without it so many more do."""
    made = figure("draws", before, after, 0.05, 0.05)
    ends = Interval(direct, direct - 0.9, direct + 0.9), Interval(0.0, 0.0, 0.0)
    return replace(made, after=Interval(after, after - 0.02, after), direct=ends)


def test_where_all_who_know_it_draw_it_is_told_as_that() -> None:
    told = (
        "100% of the games are drawn instead of 10% (+85 to +95 points): whoever has learned to play with it draws, "
        "whoever plays as without it does not"
    )
    made = findings(drawn(0.1, 1.0, 0.07))
    assert made.effect is not None
    lines = effect_lines(made.effect)
    assert lines[0] == f"{told}." and not any(line.startswith("Goes otherwise") for line in lines)
    assert game_verdict_of(made).remarks[-1] == told
    assert german(lines[0]).endswith(
        "Wer gelernt hat, mit ihm zu spielen, spielt remis, wer wie ohne es spielt, nicht."
    )
    for other in (drawn(0.1, 0.8, 0.07), drawn(0.1, 1.0, 0.85)):
        effect = findings(other).effect
        assert effect is not None
        lines = effect_lines(effect)
        assert not any("has learned to play with it" in line for line in lines)


def test_a_ladder_of_one_rung_is_told_without_a_number_of_them() -> None:
    def play(score: float) -> Play:
        one = Mean(0.5, 0.1)
        return Play(Luck(0.5, 0.1, 1.0, 1.0), 100, one, one, one, Mean(6.0, 0.0), 0.1, (Rung("s", score, 0.05, 16),))

    lines = answers(replace(findings(), dynamics=Dynamics(play(0.7), play(0.55))))["dynamics"]
    assert lines[-2:] == [
        "Without it, whoever searches twice as long scores 70% against whoever does not, which pays for sure (16 "
        "games; games are too long for further doublings).",
        "With it, whoever searches twice as long scores 55% against whoever does not, which is not shown to pay (16 "
        "games; games are too long for further doublings).",
    ]
    assert all(german(line) for line in lines[-2:])
    assert any("A game lasts 6.0 decisions without it, 6.0 with it." in line for line in lines)


def test_a_mean_worth_is_no_more_than_the_largest_lead() -> None:
    """Payoffs from -1 to 1: half a lead is 1 at most, and so is the mean of what two sides gain; one alone may be 2."""
    spec = SimpleNamespace(bounds_of_seats=((-1.0, 1.0), (-1.0, 1.0)))
    bench = SimpleNamespace(sides=("A", "B"), everybody=lambda: None, spec=lambda _: spec, side_seats=lambda _, s: [s])
    context = cast(Any, SimpleNamespace(bench=bench, sides=[0, 1]))
    made = findings(worth=-0.996).worth
    assert made is not None
    made = replace(made, bounds=WorthBounds(Interval(-0.996, -1.2, -0.9), (), 9))
    found = measuring.payable(context, made)
    assert found.overall == Sample(-0.996, -1.0, made.overall.high, 99)
    assert found.bounds is not None and found.bounds.overall == Interval(-0.996, -1.0, -0.9)
    up = measuring.held_within(replace(made, overall=Sample(0.4, 0.3, 0.6, 9), bounds=None), 0.5)
    assert up.overall == Sample(0.4, 0.3, 0.5, 9) and up.bounds is None
    assert measuring.payable(cast(Any, SimpleNamespace(bench=bench, sides=[0])), made) == made


def test_a_bet_at_even_odds_is_a_gamble_and_no_dead_rule() -> None:
    """It wins 3 in 10 times and loses as often; who bets blindly loses nothing, and half of the strongest bet."""
    nothing = Sample(0.0, -0.02, 0.02, 500)
    row = Restricted(nothing, nothing, nothing, nothing)
    seen = UseWorth(500, 300, 0.0, 0.005, 0.7, 0.3, 0.3)
    use = Use(1, opportunities=500, rate=0.5, restricted={"A": row, "B": row}, worth=seen, games_with_offer=500)
    made = findings(use=use, offered=True)
    found = verdict_of(made)
    assert found.use == "gamble" and found.word == found.level == "neutral"
    assert "Its use is a gamble: what it wins and what it loses even out on average" in found.remarks[0] and german(
        found.remarks[0]
    )
    told = next_for_holder(replace(made, unseen=True), found.word)
    assert told[0].startswith("To make its use a decision") and told[1].startswith("It declares no piece")
    assert german(told[0]).startswith("Damit sein Gebrauch") and len(next_for_holder(made, found.word)) == len(told) - 1
    line = next(x for x in answers(replace(made, verdict=found))["use"] if x.startswith("It is a gamble"))
    assert german(line).startswith("Es ist ein Glücksspiel")
    costly = Sample(0.05, 0.02, 0.08, 500)
    little = Sample(0.004, 0.002, 0.006, 500)
    either = replace(row, always=little, never=Sample(0.003, 0.001, 0.005, 500))  # as much by never betting: no price
    assert verdict_of(replace(made, use=replace(use, restricted={"A": either, "B": either}))).use == "gamble"
    for other in (
        replace(use, worth=replace(seen, gain=-0.02)),  # it costs
        replace(use, worth=replace(seen, better=0.05)),  # it hardly wins
        replace(use, rate=0.0),  # nobody bets
        replace(use, restricted={"A": replace(row, always=costly), "B": replace(row, always=costly)}),
    ):
        assert verdict_of(replace(made, use=other)).use == "dead rule"
