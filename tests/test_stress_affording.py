"""How much of a budget a game is given: by what is declared that its decisions take, and never by a clock."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probespiel.evaluation.declaration import Analysis
from probespiel.evaluation.stress import affording
from probespiel.evaluation.stress.affording import LOW, afforded, declared_pace, each_of, seconds_of, share_of, told
from probespiel.evaluation.stress.budget import BUDGETS, fitted, part_of
from probespiel.evaluation.stress.conditions import Settings
from probespiel.evaluation.stress.context import Context
from probespiel.evaluation.stress.deciding import figures_told
from probespiel.evaluation.stress.findings import Effect, Interval, Sizes
from probespiel.evaluation.stress.forecast import BRANCHES, GAMES, with_budget
from probespiel.evaluation.stress.lab import Facts
from probespiel.evaluation.stress.progress import Quiet
from probespiel.evaluation.stress.run import Stress
from probespiel.evaluation.stress.stakes import REPLICATES
from probespiel.evaluation.stress.strategies import Prelude, Strategy
from probespiel.evaluation.stress.texts import words

from .lab_findings import findings
from .test_stress_deciding import unsure

JACKS = str(Path(__file__).parent / "planted" / "jacks.py")
HONEST = Strategy("random", base="random")
BRIEF = Prelude((HONEST,), HONEST, length=3.0, choices=3.0, legal=2.0)
HEAVY = Prelude((HONEST,), HONEST, length=100.0, choices=95.0, legal=25.0)


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Context:
    """A test of Kuhn poker that is told to play long games, of which a decision takes 8 microseconds."""
    monkeypatch.setattr(affording, "analysis_of", lambda system: Analysis(pace={"kuhn": 8.0}))
    plain = Stress(Settings("kuhn", JACKS, budget="standard"), tmp_path, 1, False, False, Quiet(), "").context
    return plain.sized(Facts(length=100.0), True, 1.0, 900)[0]


def test_games_of_courses_are_fewer_by_less_than_others() -> None:
    """They are cheap, and a draw in twenty needs hundreds: at a tenth of the games there are all of them."""
    quick = BUDGETS["quick"]
    assert [part_of(quick, x).course for x in (1.5, 1.0, 0.1, 0.05, 0.001)] == [600, 400, 400, 200, 60]
    assert part_of(quick, 0.05).choose == 40 and part_of(quick, 0.05).measure == 400


def test_a_share_takes_from_all_that_is_played_and_learned() -> None:
    """Of the continuations of decisions, too, which the length of games does not make fewer; nothing of the seeds."""
    standard = BUDGETS["standard"]
    whole, factor = fitted(standard, 8, 600, True)
    half, same = fitted(standard, 8, 600, True, 1.0, 0.5)
    assert factor == same
    for name in ("measure", "learn_free", "choose", "stakes", "learn_work", "rung_work", "course"):
        assert getattr(half, name) == pytest.approx(getattr(whole, name) / 2, abs=1), name
    assert (half.seeds, half.rounds, half.probe) == (whole.seeds, whole.rounds, whole.probe)


def test_every_kind_of_work_takes_what_a_decision_does(context: Context) -> None:
    """Of 8 microseconds; of 25 actions, each half of 100 decisions, a branched decision has 1,250."""
    each, depth = 8e-6, 1250.0
    pace = declared_pace(context, HEAVY)
    assert pace.seconds == pytest.approx({
        "courses": 0.0, "branches": each * depth, "answers": each * depth, "again": each, "games": 0.8 * each * 100.0,
        "learned": 0.8 * each * 100.0, "mixed": 1.2 * each * 100.0, "searches": 4.0 * each,
        "stakes": 2.0 * each * depth * 3 * REPLICATES, "programs": 0.1,
    })  # fmt: skip
    assert pace.decisions == {"free": 0.75 * 95.0, "counter": 0.5 * 95.0}
    assert pace.depths == {"free": depth, "counter": depth}


def test_what_a_system_declares_is_what_work_takes(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(affording, "analysis_of", lambda system: Analysis(pace={"kuhn": 6.0}))
    six = declared_pace(context, HEAVY)
    monkeypatch.setattr(affording, "analysis_of", lambda system: Analysis(pace={"leduc": 6.0}))
    two = declared_pace(context, HEAVY)
    assert six.seconds[GAMES] == pytest.approx(3 * two.seconds[GAMES]) == pytest.approx(6e-6 * 0.8 * 100)
    monkeypatch.setattr(affording, "analysis_of", lambda system: Analysis(pace={"kuhn/standard": 4.0, "kuhn": 6.0}))
    assert each_of(context) == 4.0  # of the scenario, which may have more at the table
    assert six.seconds[BRANCHES] == pytest.approx(6e-6 * 25 * 50)  # 25 actions, each half a game


def test_short_games_are_given_all(context: Context) -> None:
    found = afforded(context, BRIEF)
    assert found == context and told(found) == ()


@pytest.mark.parametrize("budget", ["quick", "standard", "deep"])
def test_long_games_are_given_what_ends_in_time(context: Context, budget: str) -> None:
    """The share is the largest one of its kind: the next one, 2 % more, takes too long."""
    share, limit = share_of(context, HEAVY, budget), BUDGETS[budget].seconds
    pace = declared_pace(context, HEAVY)
    assert LOW < share < 1.0
    assert seconds_of(with_budget(context, budget, share), HEAVY, pace, True) <= limit
    assert seconds_of(with_budget(context, budget, share * 1.025), HEAVY, pace, True) > limit


def test_no_clock_is_asked(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slower machine plays as much."""

    def never(*_: Any) -> float:
        raise AssertionError("the time was asked for")

    with monkeypatch.context() as patch:
        for name in ("monotonic", "process_time", "perf_counter", "time"):
            patch.setattr(time, name, never)
        share = share_of(context, HEAVY, "standard")
    assert share == share_of(context, HEAVY, "standard") < 1.0


def test_a_test_plays_its_share_and_says_so(context: Context) -> None:
    found = afforded(context, HEAVY)
    share = found.shares["standard"]
    assert found.budget == with_budget(context, "standard", share).budget
    assert set(found.shares) == {"quick", "standard", "deep"}
    (line,) = told(found)
    assert f"{share:.0%} of what the budget holds" in line and f"{share**-0.5:.1f} times as wide" in line
    german = words("de")
    assert german.told(line) is not None and not german.missed
    assert afforded(replace(context, compiled=False), HEAVY).shares == {}  # they have less already


def test_the_budget_that_decides_is_told_by_what_the_game_is_given_of_it() -> None:
    """A figure that all of `standard` would decide is left to `deep` where the game gets a tenth of `standard`."""
    figures = Effect((unsure("draws", 0.02, 0.06),))
    plain = replace(findings(), budget="quick", effect=figures, sizes=Sizes(1.0, 100, 10.0, 1.0))
    assert figures_told(plain) == ("`--budget standard` should decide, if they stay where they are: draws.",)
    less = replace(plain, sizes=Sizes(1.0, 100, 10.0, 1.0, {"standard": 0.1}))
    assert figures_told(less) == ("`--budget deep` should decide, if they stay where they are: draws.",)


def test_a_change_that_is_shown_and_may_count_is_told_with_its_budget() -> None:
    """It is shown to be no 0, but not whether it counts (0.05); one that counts is decided."""
    shown = replace(unsure("draws", 0.02, 0.06), change=Interval(0.02, 0.001, 0.06))
    assert shown.shown and not shown.matters
    counted = replace(shown, name="search", change=Interval(0.07, 0.03, 0.11))
    found = replace(findings(), budget="quick", effect=Effect((shown, counted)), sizes=Sizes(1.0, 100, 10.0, 1.0))
    (line,) = figures_told(found)
    assert line.endswith("decide, if they stay where they are: draws.")


def test_where_the_least_share_takes_too_long_the_weakest_baselines_stay_out(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of five takes 300 of 900 seconds: the two that lose most are left out, those that count stay in any case."""
    five = tuple(Strategy(name, base=name) for name in ("random", "a", "b", "c", "d"))
    prelude = replace(HEAVY, baselines=five, anchor=five[1], weakest=(five[4], five[2], five[3]))
    monkeypatch.setattr(affording, "seconds_of", lambda context, prelude, pace, joins: 300.0 * len(prelude.baselines))
    least = replace(context, shares={"standard": affording.LOW})
    kept = affording.narrowed(least, prelude)
    assert kept.baselines == (five[0], five[1], five[3])
    (said,) = affording.left_out(prelude, kept)
    assert said == "So that the test ends in its time, the weakest 2 heuristics were left out: b and d."
    assert words("de")(said) == (
        "Damit der Test in seiner Zeit endet, wurden die 2 schwächsten Heuristiken ausgelassen: b und d."
    )
    (one,) = affording.left_out(prelude, replace(prelude, baselines=five[1:]))
    assert one.endswith("the weakest heuristic was left out: random.") and words("de").told(one) is not None
    assert affording.left_out(prelude, prelude) == ()
    monkeypatch.setattr(affording, "seconds_of", lambda context, prelude, pace, joins: 901.0)
    assert affording.narrowed(least, prelude).baselines == five[:2]
    for other in (replace(context, shares={"standard": 0.3}), replace(least, compiled=False), context):
        assert affording.narrowed(other, prelude) == prelude
