"""What is paid where payoffs need not add up to nothing: rules that pay all alike, the others alone, or the user."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.evaluation.stress.advice import next_for_holder
from probespiel.evaluation.stress.conditions import Bench, Condition, Settings
from probespiel.evaluation.stress.findings import Findings, Paid, Restricted, Sample, UseWorth
from probespiel.evaluation.stress.lab import Lab
from probespiel.evaluation.stress.paid import measure_paid, paid
from probespiel.evaluation.stress.paid_words import paid_told, paid_use
from probespiel.evaluation.stress.proof import numbers
from probespiel.evaluation.stress.report import lead_of
from probespiel.evaluation.stress.strategies import Mixture, Strategy
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.verdict import verdict_of
from probespiel.evaluation.stress.words import answers
from probespiel.evaluation.stress.workers import Job

from .lab_findings import BOWS, FORCED, STILL, findings

RANDOM = Mixture((Strategy("random", base="random"),), (1.0,))
FEAST = '''
"""A feast."""
from typing import Any

from probespiel.envs.kuhn.module import Module
from probespiel.envs.kuhn.services import has

module = Module("feast", "Its host pays himself a fifth, and all others a half.", payoff_shift=0.5, table=("payoff",))


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """By whether one is the host."""
    return value + (0.2 if has(s, p, seat) else 0.5)
'''


def sure(value: float) -> Sample:
    """A change that is known well."""
    return Sample(value, value - 0.001, value + 0.001, 500)


def change(own: float, others: float, everybody: float) -> Paid:
    """Of two sides."""
    return Paid(sure(own), sure(others), sure(own + others), sure(everybody))


def test_the_same_players_are_paid_with_it_and_without(tmp_path: Path) -> None:
    """By side, whoever of them has it, on the same deals."""
    (tmp_path / "feast.py").write_text(FEAST)
    lab = Lab(Bench(Settings("kuhn", str(tmp_path / "feast.py")), tmp_path), tmp_path)
    for holders, gains in (((0,), (0.2, 0.5)), ((1,), (0.5, 0.2)), ((0, 1), (0.2, 0.2))):
        got = paid(lab, [Condition(holders), Condition()], [(RANDOM, RANDOM)] * 2, 40, 3, holders[0])["payoffs"]
        assert got.shape == (2, 40, 2) and np.ptp(got[1]) > 0
        assert np.allclose(got[0] - got[1], np.array(gains), atol=1e-6)


ALL_ALIKE = findings(STILL, zero_sum=False, paid=change(0.2, 0.2, 0.4))
OTHERS_ALONE = findings(STILL, worth=-0.15, zero_sum=False, paid=change(0.0, 0.3, 0.0))


@pytest.mark.parametrize(("made", "word", "says", "next_step"), [
    (ALL_ALIKE, "neutral",
     "whoever has it alone gets +0.20 EP (+0.20 to +0.20) by it, the other side +0.20 EP (+0.20 to +0.20); where all "
     "have it, the mean of all is +0.40 EP (+0.40 to +0.40).", "what they are paid changes"),
    (OTHERS_ALONE, "small", "gets 0.00 EP (0.00 to 0.00) by it, the other side +0.30 EP",
     "Its holder falls behind by 0.15 EP, but is paid no less: the others gain by it."),
    (findings(STILL, zero_sum=False, paid=change(0.2, -0.2, 0.0)), "neutral", "", "neither better nor worse off"),
])  # fmt: skip
def test_a_verdict_tells_what_is_paid_where_a_lead_does_not(
    made: Findings, word: str, says: str, next_step: str
) -> None:
    """Not where one side pays the other, nor where it is too little to count; and in German, too."""
    verdict = verdict_of(made)
    assert verdict.word == word
    assert any(says in text for text in verdict.remarks) if says else not verdict.remarks
    assert says in " ".join(answers(made)["worth"])
    told = next_for_holder(made, word)
    assert any(next_step in text for text in told)
    book = words("de")
    for text in (*verdict.remarks, *told, paid_told(made)):
        book(text)
    assert not [text for text in book.missed if "balance" not in text]


@pytest.mark.parametrize(("worth", "lead"), [(-0.15, "It is a small handicap."), (-0.4, "It is a strong handicap."),
                                             (0.15, "It is worth a little."), (0.4, "It is strong.")])  # fmt: skip
def test_the_first_sentence_says_whether_it_is_a_handicap(worth: float, lead: str) -> None:
    made = findings(STILL, worth=worth)
    assert lead_of(made, verdict_of(made).word) == lead
    book = words("de")
    assert book(lead) != lead and not book.missed


def test_nothing_is_told_of_leaving_what_cannot_be_declined() -> None:
    """Forced answers are neither always used nor never."""
    row = Restricted(always=sure(0.03), never=sure(0.0), coin=sure(0.02), random=sure(0.02))
    for use, told in ((replace(BOWS, restricted={"A": row}), True), (replace(FORCED, restricted={"A": row}), False)):
        names = [name for name, _ in numbers(findings(STILL, use=use))["use"]]
        assert ("never using it costs A" in names) == told


def test_payments_beside_a_solved_worth_are_told_to_be_those_of_the_strategies_found() -> None:
    """A ticket at a fee of 4 that brings 10 is worth 0.015 as a lead; found strategies buy it in 62 % of chances."""
    solved = replace(ALL_ALIKE.worth or pytest.fail("a worth"), exact=True)
    made = replace(ALL_ALIKE, worth=solved)
    assert paid_told(made).endswith(" These payments are those of the strategies found.")
    assert paid_told(made).startswith(paid_told(ALL_ALIKE)) and "strategies found" not in paid_told(ALL_ALIKE)
    book = words("de")
    assert book(paid_told(made)).endswith("Diese Auszahlungen sind die der gefundenen Strategien.") and not book.missed


def test_who_loses_himself_is_told_to_lose() -> None:
    """The others gain, and the holder pays for it."""
    (told,) = next_for_holder(replace(OTHERS_ALONE, paid=change(-0.1, 0.2, 0.1)), "small")
    assert told.startswith("Its holder loses 0.15 EP by it")


def test_of_a_whole_table_what_each_side_gets_is_told() -> None:
    """Nobody has it alone."""
    made = replace(ALL_ALIKE, whole_table=True, paid=Paid(None, None, None, sure(0.3)))
    assert (
        paid_told(made)
        == "Counted as it is paid and not as a lead, the sides get +0.30 EP (+0.30 to +0.30) by it on the average."
    )
    assert words("de")(paid_told(made)).startswith("So gezählt, wie ausgezahlt wird")


def test_a_use_that_pays_its_user_is_not_dead() -> None:
    """Although it gives the others as much, and so no lead; where one wins what others lose it is dead all the same."""
    costs = UseWorth(500, 300, -0.03, 0.001, 1.0, 0.0, 1.0, own=0.2, own_error=0.01)
    row = Restricted(always=sure(0.03), never=sure(0.0), coin=sure(0.02), random=sure(0.02))
    use = replace(BOWS, uses=0, worth=costs, restricted={"A": row, "B": row})
    made = findings(STILL, use=use, worth=0.0)
    assert verdict_of(made).word == "dead rule" and not paid_use(made)
    made = replace(made, zero_sum=False)
    verdict = verdict_of(made)
    assert verdict.word == "neutral"
    assert "As it is paid, a use brings its user +0.20 EP (± 0.02)" in verdict.remarks[0]
    book = words("de")
    assert "bringt ein Gebrauch dem, der es nutzt, +0,20 EP (± 0,02)" in book(verdict.remarks[0])
    gains = replace(use, worth=replace(costs, gain=0.2))
    assert not paid_use(replace(made, use=gains)), "it is a lead, and is told as one"
    unsure = replace(use, worth=replace(costs, own_error=0.1))
    assert not paid_use(replace(made, use=unsure))


def test_what_is_paid_is_told_of_holders_and_others() -> None:
    """The mean over those who may have it alone, of three sides; all others are one mean, and all together a sum."""
    names = ["A", "B", "C"]
    gaps = {"only A": [0.1, 0.3, 0.5], "only B": [0.7, 0.3, 0.5], "everybody": [1.0, 1.0, 4.0]}
    bench = SimpleNamespace(
        zero_sum=False, sides=[(0,), (1,), (2,)], for_all=False, alone=lambda side: f"only {names[side]}",
        holder_conditions=lambda: {name: name for name in gaps},
    )  # fmt: skip
    asked: list[Job] = []

    def need(step: str, jobs: list[Job]) -> list[dict[str, np.ndarray]]:
        asked.extend(jobs)
        made = [np.tile(gaps[str(job.args["conditions"][0])], (5, 1)) for job in jobs]
        return [{"payoffs": np.stack((gap + 2.0, np.full_like(gap, 2.0)))} for gap in made]

    context: Any = SimpleNamespace(
        bench=bench, sides=[0, 1], need=need, seed=lambda _: 1, budget=SimpleNamespace(measure=20)
    )
    chosen: Any = SimpleNamespace(of_seeds=lambda name: [(f"{name} first", f"{name} rest")])
    found = measure_paid(context, chosen)
    assert found and found.own and found.others and found.together
    means = [found.own.value, found.others.value, found.together.value, found.everybody.value]
    assert means == pytest.approx([0.2, 0.5, 1.2, 2.0])
    assert [(job.args["hero"], job.args["mixtures"]) for job in asked] == [
        (0, [("only A first", "only A rest")]), (1, [("only B rest", "only B first")]),
        (0, [("everybody first", "everybody rest")]),
    ]  # fmt: skip
    bench.for_all, asked[:] = True, []
    found = measure_paid(context, chosen)
    assert found and (found.own, found.others, found.together) == (None, None, None) and len(asked) == 1
    bench.zero_sum = True
    assert measure_paid(context, chosen) is None


def test_what_was_paid_alike_in_every_game_has_no_interval() -> None:
    """A tenth in each of them: nothing is told of its ends."""
    made = replace(ALL_ALIKE, whole_table=True, paid=Paid(None, None, None, Sample(0.1, 0.1, 0.1, 400)))
    assert "the sides get +0.10 EP (the same every time) by it" in paid_told(made)
    assert "im Mittel +0,10 EP (jedes Mal dasselbe)" in words("de")(paid_told(made))


@pytest.mark.parametrize(("worth", "itself"), [(0.1, True), (0.0, False)])
def test_what_a_dead_rule_is_worth_comes_by_itself(worth: float, itself: bool) -> None:
    """Nobody gains by its actions, and having it is an advantage all the same: else that seemed to contradict."""
    costs = UseWorth(500, 300, -0.03, 0.001, 1.0, 0.0, 1.0)
    row = Restricted(always=sure(0.03), never=sure(0.0), coin=sure(0.02), random=sure(0.02))
    use = replace(BOWS, uses=0, worth=costs, restricted={"A": row, "B": row})
    verdict = verdict_of(findings(STILL, use=use, worth=worth))
    told = "What having it is worth comes by itself, and not by its actions."
    assert verdict.word == "dead rule" and (told in verdict.remarks) == itself
    assert words("de")(told) == "Was es wert ist, es zu haben, kommt von selbst und nicht durch seine Aktionen."
