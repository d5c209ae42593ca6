"""What a rule of the whole table changes, and what its one right answer is right for; each action in solved games."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents.public_game import NotSolved
from probespiel.evaluation.stress import exact
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.findings import (
    ActionLine,
    Choice,
    Findings,
    Paid,
    Sample,
    SolvedUse,
    Stake,
    Use,
    Ways,
)
from probespiel.evaluation.stress.solved_use import equally_right, told_solved
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.words import answers
from probespiel.evaluation.stress.worth import Margins, handicaps_of, worth_table

from .lab_findings import STILL, findings, told
from .test_stress_numbers import use


def test_what_a_side_gains_holds_the_luck_of_learning_as_the_mean_does() -> None:
    """By one seed 0.4, by the other nothing, whatever the deal: two standard errors between them are 0.4."""
    gains, zero = np.tile([0.4, 0.0], 30), np.zeros(60)
    curve = {(0, d): np.full(60, float(d)) for d in (-2, -1, 0, 1, 2, 4)}
    got = Margins({**curve, (1, 0): zero}, {(0, 0): gains, (1, 0): -gains}, zero)
    budget = replace(BUDGETS["quick"], seeds=2)
    (row,) = worth_table(got, [0, 1], ["A", "B"], budget).sides[0].by_amount
    assert (row.worth.low, row.worth.value, row.worth.high) == pytest.approx((-0.2, 0.2, 0.6))
    units = handicaps_of(got, [0], ["A", "B"], budget)[0].by_amount[0]
    assert (units.low, units.value, units.high) == pytest.approx((-0.2, 0.2, 0.6))


@pytest.mark.parametrize(("half", "shown"), [(0.3, False), (0.1, True)])
def test_results_that_may_be_the_same_are_not_said_to_change(half: float, shown: bool) -> None:
    made = findings(STILL, whole_table=True)
    assert made.worth is not None
    worth = Sample(0.2, 0.2 - half, 0.2 + half, 1000)
    sides = tuple(
        replace(s, by_amount=tuple(replace(row, worth=worth) for row in s.by_amount)) for s in made.worth.sides
    )
    line = answers(replace(made, worth=replace(made.worth, sides=sides, overall=worth)))["worth"][0]
    assert words("de").told(line) is not None
    assert ("By its being there results change:" in line) == shown
    assert ("By its being there results are not shown to change: A +0.20 EP (" in line) == (not shown)


def dilemma(paid: float, cost: float = -0.1, **more: Any) -> Findings:
    """All hold, which no other answer gains on, and each is paid so much by it."""
    around = Sample(paid, paid, paid, 100)
    held = Use(
        2, games=60, forced=100, stakes=(Stake("school", 100, 0.1, 0.0),),
        choices=(Choice("school", "hold", 100, 1.0, 0.0, 0.0), Choice("school", "yield", 0, 0.0)),
        lines=(ActionLine("hold", 100, 1.0, 0.0, 0.0, 0.0), ActionLine("yield", 100, 0.0, 0.0, cost, 0.01)),
    )  # fmt: skip
    known: dict[str, Any] = {"whole_table": True, "zero_sum": False, "paid": Paid(None, None, around, around)}
    return findings(STILL, use=held, **{**known, **more})


def test_what_is_right_for_a_lead_need_not_be_for_what_is_paid() -> None:
    """Said where all are paid less by it, and one answer is right for all; not where they are paid more."""

    def lines(made: Findings) -> list[str]:
        return [line for line in answers(made)["use"] if "gains a lead over the others" in line]

    assert lines(dilemma(-0.2)) == [
        "Right is here what gains a lead over the others: where all answer so, they are paid −0.20 EP by it on the "
        "average, and whether another answer would be paid better no lead tells."
    ]
    assert words("de")(lines(dilemma(-0.2))[0]).startswith("Richtig ist hier, was einen Vorsprung")
    for other in (dilemma(0.2), dilemma(-0.2, cost=0.1), dilemma(-0.2, whole_table=False)):
        assert lines(other) == []


def test_each_action_of_a_solved_game_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worth 1.0 to who plays best; with the third action alone 0.75, with the fourth 1.0; so to the second seat."""
    worth = {frozenset(): 1.0, frozenset({2, 3}): 0.5, frozenset({0, 1}): 0.875,
             frozenset({0, 1, 3}): 0.75, frozenset({0, 1, 2}): 1.0}  # fmt: skip
    actions = SimpleNamespace(describe=["pass", "fold", "oak", "elm"].__getitem__)
    asked: list[int] = []

    def value(bench: Any, game: Any, limit: int, without: Any) -> float:
        asked.append(limit)
        ((seat, left),) = without.items() or [(game.seat, frozenset())]
        assert seat == game.seat
        if len(left) == 3 and limit < few:
            raise NotSolved("too many positions")
        return worth[frozenset(left)] * (1 if seat == 0 else -1)

    monkeypatch.setattr(exact, "_value", value)
    bench = SimpleNamespace(
        holder_conditions=lambda: {"A": 0, "B": 1}, alone=lambda side: "AB"[side],
        game=lambda seat: SimpleNamespace(n_actions=4, actions=actions, seat=seat), side_seats=lambda c, side: (side,),
    )  # fmt: skip
    lab: Any = SimpleNamespace(bench=bench, marks=SimpleNamespace(actions=frozenset({2, 3})))
    few = 0
    found = exact.losses_of_use(lab, [0, 1], 100_000)
    assert found["losses"] == [[0.5, 0.125]] * 2 and found["answers"] == [{"oak": 0.25, "elm": 0.0}] * 2
    assert asked == [100_000] * 3 + [exact.SMALL] * 2 + [100_000] * 3 + [exact.SMALL] * 2
    few = 100_000  # these further games are too large
    found = exact.losses_of_use(lab, [0, 1], 100_000)
    assert found["losses"] == [[0.5, 0.125]] * 2 and found["answers"] == [{}, {}]


def test_actions_that_are_equally_right_are_told_so() -> None:
    """Whatever strategies that were found make of one of them."""
    alike = {"oak": 0.0, "elm": 1e-9, "ash": 0.25}
    solved = {"A": SolvedUse(0.5, 0.0, alike), "B": SolvedUse(0.5, 0.0, alike)}
    assert told_solved(Use(3, solved=solved))[1] == (
        "For “A” by solved games (exact): always “oak” costs nothing; always “elm” costs nothing; "
        "always “ash” costs 0.250."
    )
    names = ("oak", "elm", "ash")
    assert equally_right(Use(3, solved=solved), names) == ["oak", "elm"]
    assert equally_right(Use(3, solved={**solved, "B": SolvedUse(0.5, 0.0, {**alike, "elm": 0.1})}), names) == []
    assert equally_right(Use(3, solved={"A": SolvedUse(0.5, 0.0)}), names) == equally_right(Use(3), names) == []
    tried = tuple(Choice("grove", name, 50, 0.3, gain, 0.001) for name, gain in (("oak", 0.02), ("elm", -0.02)))
    ways = Ways(0.5, Stake("grove", 100, 0.04, 0.001), tried)
    for held, last in (
        (solved, "Equally right by solved games are oak and elm."),
        ({}, "On the average oak is the best answer."),
    ):
        made = replace(use(0.0, 0.0, 0.0), ways=(ways,), solved=held)
        lines = told("use", use=made)
        assert any(line.endswith(last) for line in lines)
