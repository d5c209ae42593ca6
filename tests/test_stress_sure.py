"""A rule that does nothing but pay, the same whatever else is done: what it is worth drowns in no luck of learning."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.evaluation.stress import sure
from probespiel.evaluation.stress.basis import basis_of, rests_on
from probespiel.evaluation.stress.bounds import bound_worth
from probespiel.evaluation.stress.conditions import EVERYBODY, NOBODY, Condition
from probespiel.evaluation.stress.findings import Findings, Interval, Sample, Use, WorthBounds
from probespiel.evaluation.stress.paid_words import asked_told, sure_told
from probespiel.evaluation.stress.strategies import Chosen, Mixture, Prelude, Strategy
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.verdict import verdict_of
from probespiel.evaluation.stress.words import answers
from probespiel.evaluation.stress.worth import Measured

from .lab_findings import BOWS, STILL, findings

CONDITIONS = {NOBODY: Condition(), "only A": Condition((0,)), "only B": Condition((1,)), EVERYBODY: Condition((0, 1))}
RANDOM, HAWK = Strategy("random", base="random"), Strategy("hawk", base="hawk")
PRELUDE = Prelude((RANDOM, HAWK), HAWK)


def context(paid: Any, used: bool = False, several: bool = False, whole_table: bool = False) -> Any:
    """Games of the heuristics in which sides are paid `paid(holders, deal)`; without the rule -0.5 and 0.5."""
    jobs: list[Any] = []

    def need(step: str, asked: list[Any]) -> list[Any]:
        jobs.extend(asked)
        return [
            {"payoffs": [[np.add((-0.5, 0.5), paid(job.args["conditions"][0].holders, deal)) for deal in range(4)],
                         [(-0.5, 0.5)] * 4]}
            for job in asked
        ]  # fmt: skip

    bench = SimpleNamespace(
        several=several, whole_table=whole_table, holder_conditions=lambda: CONDITIONS, everybody=Condition
    )
    return SimpleNamespace(bench=bench, used=used, need=need, seed=lambda *_: 1, jobs=jobs, sides=[0, 1],
                           budget=SimpleNamespace(seeds=2))  # fmt: skip


@pytest.mark.parametrize(
    ("hooks", "paid", "found"),
    [
        ("payoff", lambda holders, deal: (0.3 * (0 in holders), 0.3 * (1 in holders)), 3 * 2 * sure.GAMES),
        ("payoff observe", lambda holders, deal: (0.0, 0.3 * (1 in holders)), 3 * 2 * sure.GAMES),
        ("payoff", lambda holders, deal: (0.3 * (deal == 3), 0.0), 0),
        ("payoff", lambda holders, deal: (0.0, 0.0), 0),
        ("payoff damage", lambda holders, deal: (0.3, 0.3), 0),
    ],
)
def test_what_pays_the_same_is_found(monkeypatch: pytest.MonkeyPatch, hooks: str, paid: Any, found: int) -> None:
    """To its holder, to whoever sits second; not what goes by the deal, pays nothing, or does anything else."""
    monkeypatch.setattr(sure, "module_of", lambda bench: SimpleNamespace(hooks=dict.fromkeys(hooks.split())))
    asked = context(paid)
    assert sure.look_for_payments(asked, PRELUDE) == found
    if hooks == "payoff" and found:
        assert [job.args["conditions"] for job in asked.jobs] == [
            [CONDITIONS[name], Condition()] for name in ("only A", "only B", EVERYBODY)
        ]
        assert {job.args["deals"] for job in asked.jobs} == {2 * sure.GAMES}
        alone = [(Mixture((one,), (1.0,)), Mixture((one,), (1.0,))) for one in (RANDOM, HAWK)]
        assert all(job.args["mixtures"] == alone for job in asked.jobs)


def test_a_rule_that_asks_is_looked_at_but_for_payoffs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two sides, each of which can have it alone; whatever hooks it asks by."""
    seen: list[Any] = []
    monkeypatch.setattr(sure, "unchanged", lambda context, seed, **more: seen.append(more) or 40)
    for hooks, more, found in (
        ({"payoff": 0, "answered": 0}, {}, 40), ({"answered": 0}, {}, 0), ({"payoff": 0}, {"several": True}, 0),
        ({"payoff": 0}, {"whole_table": True}, 0),
    ):  # fmt: skip
        monkeypatch.setattr(sure, "module_of", lambda bench, hooks=hooks: SimpleNamespace(hooks=hooks))
        assert sure.look_for_payments(context(None, used=True, **more), PRELUDE) == found
    assert seen == [{"payoffs": False, "most": sure.DECISIONS}]


def chosen() -> Chosen:
    """Hawks where nobody has it, random play elsewhere."""
    alone = [Mixture((strategy,), (1.0,)) for strategy in (HAWK, RANDOM)]
    pairs = [[(one, one)] * 3 for one in alone]
    return Chosen(
        {name: [[(HAWK if name == NOBODY else RANDOM)]] * 2 for name in CONDITIONS},
        {name: pairs[name != NOBODY] for name in CONDITIONS},
    )


def learned() -> Any:
    """Two learners of the use a condition, of which the second knows better, and others."""
    uses = [
        (name, Strategy(f"answers as it pays where {name} has it ({n})", net=f"{name} {n}", scope="whether"))
        for name in CONDITIONS if name != NOBODY for n in (1, 2)
    ]  # fmt: skip
    return SimpleNamespace(made=(*uses, (NOBODY, Strategy("learned", net="free", scope="everywhere"))))


def worth_of(value: float, half: float = 0.0) -> Any:
    """Measured with such an interval, everywhere."""
    worth = findings(STILL, worth=value).worth
    assert worth is not None
    return replace(worth, overall=Sample(value, value - half, value + half, 9), alike=True,
                   bounds=WorthBounds(Interval(0, 0, 0), (), 9))  # fmt: skip


def played(seen: list[Any], values: dict[str, tuple[float, float]]) -> Any:
    """What is worth how much by whom A plays where it alone has the rule."""

    def compared(given: Chosen) -> Measured:
        (strategy,) = given.of_all("only A")[0].strategies
        seen.append(given)
        return Measured(worth_of(*values[strategy.whether or strategy.name]), None, None, "kept")

    return compared


def test_the_same_strategies_play_with_a_payment_and_without() -> None:
    seen: list[Any] = []
    found = sure.measured_surely(cast(Any, context(None)), learned(), chosen(), 7, played(seen, {"hawk": (0.15, 0.0)}))
    assert found is not None and len(seen) == 1
    everywhere, measured = found
    assert all(everywhere.mixtures[name] == chosen().mixtures[NOBODY] for name in CONDITIONS)
    assert all(pool is everywhere.pools[NOBODY] for pool in everywhere.pools.values()), "nothing is sought with it"
    assert (measured.worth.sure, measured.worth.alike, measured.worth.bounds, measured.note) == (7, False, None, "kept")
    assert measured.worth.overall.value == 0.15
    wide = played([], {"hawk": (0.15, 0.01)})
    assert sure.measured_surely(cast(Any, context(None)), learned(), chosen(), 7, wide) is None, "strong play differs"
    assert (
        sure.measured_surely(cast(Any, context(None)), learned(), chosen(), 0, lambda _: pytest.fail("asked")) is None
    )


@pytest.mark.parametrize(("anew", "same"), [((0.1, 0.2), True), ((0.5, 0.2), False), ((0.12, 0.0), True)])
def test_the_best_learner_answers(anew: tuple[float, float], same: bool) -> None:
    """Of the two the second is paid more; what was learned anew must not be shown to earn still more."""
    values = {"only A 1": (0.05, 0.0), "only A 2": (0.12, 0.0), "random": anew}
    seen: list[Any] = []
    found = sure.measured_surely(cast(Any, context(None, used=True)), learned(), chosen(), 7, played(seen, values))
    assert (found is not None) == same
    if found is None:
        return
    everywhere, measured = found
    assert measured.worth.overall.value == 0.12 and everywhere is seen[1]
    for name, (one, two) in {"only A": (2, 0), "only B": (0, 2), EVERYBODY: (2, 2), NOBODY: (0, 0)}.items():
        for pair in everywhere.mixtures[name]:
            for number, mixture in zip((one, two), pair, strict=True):
                (strategy,) = mixture.strategies
                assert strategy.base == "hawk" and strategy.whether == (f"{name} {number}" if number else "")
    values["only A 2"] = (0.12, 0.01)  # it goes by something else: the other one is told
    found = sure.measured_surely(cast(Any, context(None, used=True)), learned(), chosen(), 7, played([], values))
    assert (found is not None) == (anew[0] - anew[1] <= 0.05)


def test_solved_games_need_none_of_it() -> None:
    exact = replace(worth_of(0.15), exact=True)
    assert sure.paid_surely(exact, 9) is None
    uneven = worth_of(0.15)
    (row,) = uneven.sides[1].by_amount
    wide = replace(uneven.sides[1], by_amount=(replace(row, worth=Sample(0.1, 0.0, 0.2, 9)),))
    assert sure.paid_surely(replace(uneven, sides=(uneven.sides[0], wide)), 9) is None, "of each side and handicap"


def surely(use: Use | None = None, **more: Any) -> Findings:
    """Findings of a payment of three tenths to B alone."""
    made = findings(STILL, use=use, worth=0.15, zero_sum=False, **more)
    assert made.worth is not None
    first, second = made.worth.sides
    none = replace(first.by_amount[0], worth=Sample(0.0, 0.0, 0.0, 99))
    sides = (replace(first, by_amount=(none,)), second)
    worth = replace(made.worth, overall=Sample(0.15, 0.15, 0.15, 99), sure=600, sides=sides)
    made = replace(made, worth=worth)
    return replace(made, verdict=verdict_of(made))


def test_a_sure_payment_is_told_as_one() -> None:
    """Neither as not shown, nor as resting on what was found; and in German, too."""
    made = surely()
    assert made.verdict is not None and made.worth is not None
    assert (made.verdict.word, made.verdict.basis) == ("small", "exact")
    assert any("“A” 0.00 EP, “B” +0.15 EP (exact)" in text for text in made.verdict.remarks)
    (first, *_) = told = answers(made)["worth"]
    assert first.startswith(
        "Whoever has it alone gains +0.15 EP a game against the same opponents without it (the same"
    )
    assert "99 games on the same deals both times, the same strategies)" in first and "Among" not in first
    assert sure_told(made) in first and "600 games of the heuristics" in sure_told(made)
    assert not any("interval that holds" in line or "rests on" in line for line in (*told, *made.verdict.why))
    german = words("de")
    assert all(german(line) for line in told) and not german.missed
    assert "dieselben Strategien)" in german(first) and "600 Spielen der Heuristiken" in german(first)
    same = cast(Any, made.worth)
    assert bound_worth(cast(Any, None), cast(Any, None), cast(Any, None), same) is same, "no answers are sought"


def test_an_answer_that_had_to_be_found_is_no_exact_one() -> None:
    made = surely(use=BOWS)
    assert made.worth is not None and basis_of(made, "small") == "strategies"
    told = rests_on(made.worth, "strategies")
    assert told == "that is what the best answers to it are paid that were found"
    assert "600 games of random play" in sure_told(made)
    german = words("de")
    assert german(told).startswith("so viel bekommen") and german(sure_told(made)) and not german.missed


def test_sides_that_were_not_asked_are_told() -> None:
    """Of three; not of two, nor where the rule is of the whole table."""
    made = surely()
    assert asked_told(made) == "" and asked_told(replace(made, sides=("A", "B", "C"), whole_table=True)) == ""
    told = asked_told(replace(made, sides=("A", "B", "C")))
    assert told == "Of 3 sides A and B had it; what it is worth to the others was not asked."
    german = words("de")
    assert german(told) == "Von 3 Seiten hatten es A und B; was es den anderen wert ist, wurde nicht gefragt."
    assert told in answers(replace(made, sides=("A", "B", "C")))["worth"][0]
