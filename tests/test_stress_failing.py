"""Workers without an answer: no step of the stress lab takes an error of the rules for something that is not known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.errors import ProbespielError, RulesetError
from probespiel.evaluation.stress import breakage
from probespiel.evaluation.stress import play as tables
from probespiel.evaluation.stress.conditions import Condition, Settings, conditions_in
from probespiel.evaluation.stress.context import Context, LabFailure, NotShown, Unanswered
from probespiel.evaluation.stress.declining import look_for_declining
from probespiel.evaluation.stress.exact import exact_values
from probespiel.evaluation.stress.findings import Fault, Use
from probespiel.evaluation.stress.further import look_beside_others
from probespiel.evaluation.stress.inert import look_for_effects
from probespiel.evaluation.stress.lab import open_lab
from probespiel.evaluation.stress.progress import Quiet
from probespiel.evaluation.stress.run import Stress
from probespiel.evaluation.stress.sample import sample_game
from probespiel.evaluation.stress.strategies import Chosen, Mixture, Prelude, Strategy
from probespiel.evaluation.stress.typical import Cast, typical_games
from probespiel.evaluation.stress.voluntary import look_for_freedom
from probespiel.evaluation.stress.workers import Failed, Job, origin_of, pending_in
from probespiel.evaluation.stress.worth import Margins, worth_table

JACKS = str(Path(__file__).parent / "planted" / "jacks.py")
HONEST = Strategy("random", base="random")
ALONE = Mixture((HONEST,), (1.0,))
PRELUDE = Prelude((HONEST,), HONEST)
RAISED = Failed("raised", "jacks.py:12: hook 'strength': out of range")


def a_test(folder: Path) -> Stress:
    """Of a sound module."""
    return Stress(Settings("kuhn", JACKS, budget="quick"), folder, 1, False, False, Quiet(), "")


def sampled(context: Context) -> Any:
    """The game that a rule decides."""
    both = {(side, 0): np.linspace(-1.0, 1.0, 8) for side in (0, 1)}
    worth = worth_table(Margins(both, both), [0, 1], ["first", "second"], replace(context.budget, differences=(0,)))
    chosen = Chosen({}, {name: [(ALONE, ALONE)] for name in context.bench.holder_conditions()})
    return sample_game(context, PRELUDE, chosen, worth, Use(0))


def test_reports_hold_all_parameters(tmp_path: Path) -> None:
    """Those that were given, and the defaults of all others."""
    edge = str(Path(__file__).parent / "planted_costs" / "edge.py")
    for given, known in (({}, {"fee": 0}), ({"fee": 3}, {"fee": 3})):
        settings = Settings("kuhn", edge, given, budget="quick")
        assert Stress(settings, tmp_path / str(known["fee"]), 1, False, False, Quiet(), "").found.params == known


def test_rare_faults_are_looked_for_in_more_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those who have the module, where nothing has shown yet; as many as make the decisions that may be."""
    asked: list[tuple[str, int, list[str]]] = []
    rare = Fault("crash", "the bell is cracked", "first", replay="1.json")
    shown: dict[str, tuple[Fault, ...]] = {}

    length = 0.0

    def search(context: Context, conditions: dict[str, Condition], games: int, use: str, choosy: bool = False) -> Any:
        asked.append((use, games, list(conditions)))
        assert choosy == (use != "probe"), "what is told of usual games is told of uniform draws alone"
        found = {"games": games, "decisions": 3 * games, "phases": [], "offered": 0, "longest": 5, "observation": 9,
                 "mean_length": length, "spread": 1.0}  # fmt: skip
        return shown.get(use, ()), dict.fromkeys(conditions, found), bool(shown.get(use))

    monkeypatch.setattr(breakage, "_search", search)
    context = a_test(tmp_path).context
    names, probe, work = list(context.bench.holder_conditions()), context.budget.probe, context.budget.probe_work
    for each, games in ((50.0, work // 50), (2.0, 20 * probe), (work / probe, 0)):
        length = each
        asked.clear()
        found = breakage.look_for_breakage(context)
        further = [("probe further", games, names[1:])] if games else []
        assert asked == [("probe", probe, names), *further] and not found.broken
        assert found.breakage.games == 4 * probe + 3 * games and found.breakage.decisions == 3 * found.breakage.games
    length = 50.0
    shown["probe further"] = (rare,)
    found = breakage.look_for_breakage(context)
    assert found.broken and found.breakage.faults == (rare,)
    shown["probe"] = (rare,)
    asked.clear()
    assert breakage.look_for_breakage(context).broken and len(asked) == 1
    asked.clear()
    breakage.look_for_breakage(replace(context, compiled=False))
    assert [row[1] for row in asked] == [breakage.SLOW_GAMES]


STEPS: dict[str, Callable[[Context], Any]] = {
    "declining": lambda context: look_for_declining(replace(context, marked=frozenset({0, 1})), (3,)),
    "further": lambda context: look_beside_others(replace(context, marked=frozenset({1}), offered=True)),
    "inert": look_for_effects,
    "voluntary": lambda context: look_for_freedom(replace(context, marked=frozenset({1})), True),
    "exact": lambda context: exact_values(context, [context.bench.everybody()]),
    "sample": sampled,
    "typical": lambda context: typical_games(
        context, "sample", [Cast("everybody", context.bench.everybody(), ALONE, ALONE)]
    ),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_step_whose_worker_fails_by_the_rules_has_no_answer(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not go on as if nothing were known; the conditions in which they fail are those of its job."""
    context = a_test(tmp_path).context
    asked: list[str] = []

    def run(jobs: Sequence[Job], idle: Any = None) -> Iterator[tuple[int, Failed]]:
        asked.extend(job.kind for job in jobs)
        yield from ((i, RAISED) for i in range(len(jobs)))

    monkeypatch.setattr(context.workers, "run", run)
    with pytest.raises(Unanswered) as stop:
        STEPS[step](context)
    assert asked == ["inert" if step == "voluntary" else step] and stop.value.failed is RAISED
    assert all(isinstance(condition, Condition) for condition in conditions_in(stop.value.job.args))
    assert len(conditions_in(stop.value.job.args)) >= 1


def test_what_is_rare_is_looked_for_in_more_and_more_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it shows; then with its fault the test ends."""
    test = a_test(tmp_path)
    fault, played = Fault("crash", "out of range", "everybody"), list[int]()

    def search(context: Context, conditions: Any, games: int, use: str, choosy: bool) -> Any:
        assert choosy, "uniform draws have not shown it"
        played.append(games)
        return ((fault,) if len(played) == 2 else ()), {}, False

    monkeypatch.setattr(breakage, "_search", search)
    test.broke(Unanswered("learn", Job("train", {"conditions": [Condition((0,))]}), RAISED))
    once = test.context.budget.probe
    assert played == [4 * once, 32 * once] and test.found.faults == (fault,)


@pytest.mark.parametrize(("failed", "error", "words"), [
    (RAISED, NotShown, r"jacks\.py:12: hook 'strength'.*\n.*in [\d,]+ games of wilful random play it did not show"),
    (Failed("died", "train: its process was ended by SIGKILL"), LabFailure, "This is an error of the lab"),
])  # fmt: skip
def test_what_does_not_show_is_an_error_in_true_words(
    failed: Failed, error: type[ProbespielError], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the rules where they have said what is wrong, else of the lab; never a verdict."""
    test = a_test(tmp_path)
    monkeypatch.setattr(breakage, "_search", lambda *_: ((), {}, False))
    with pytest.raises(error, match=words):
        test.broke(Unanswered("learn", Job("train", {"conditions": [Condition((0,)), Condition()]}), failed))
    assert not test.found.faults


def test_what_failed_after_the_rules_have_is_theirs(tmp_path: Path) -> None:
    """A loop over rules that answer nothing of sense may divide by nothing, before it is asked whether they failed."""
    lab = open_lab(Settings("kuhn", JACKS, budget="quick"), tmp_path)
    assert pending_in(None) is None and pending_in(lab) is None
    games = [lab.game(lab.bench.everybody()), lab.game(Condition())]
    assert pending_in(lab) is None
    games[1].kernel.pending.append(RulesetError("jacks.py:12: out of range"))
    found = pending_in(lab)
    assert isinstance(found, RulesetError) and origin_of(found, lab) == "raised" != origin_of(ZeroDivisionError(), lab)
    assert pending_in(lab) is None, "it is told once"
    games[0].kernel.pending.append(RulesetError("jacks.py:12: out of range"))
    watched = [known() for known, _ in games[0].kernel.watched]
    for params in watched:
        assert params is not None
        params["fault"] = 1  # a job played in several conditions, and the rules failed in all of them
    assert len(watched) > 1 and str(pending_in(lab)) == "jacks.py:12: out of range"
    assert pending_in(lab) is None, "the next job is told of none"


def test_a_payoff_that_is_no_number_breaks_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In wilful play nothing further is measured; in games of strong play it is looked for again."""
    payoff = {"kind": "bad payoff", "count": 2, "length": 5, "cycle": 0, "game": 1, "by_module": False, "text": ""}
    found = {"games": 9, "decisions": 9, "phases": [], "offered": 0, "longest": 5, "observation": 9, "large": [],
             "mean_length": 5.0, "spread": 1.0, "faults": [payoff]}  # fmt: skip
    context = a_test(tmp_path).context
    shown = {"replay": "1.json", "length": 5, "moves": []}
    monkeypatch.setattr(breakage, "text_of", lambda fault: breakage.TEXTS[breakage.BAD_PAYOFF])
    monkeypatch.setattr(
        breakage.Context, "ask",
        lambda self, step, jobs: [shown if job.kind == "again" else found for job in jobs],
    )  # fmt: skip
    assert breakage.look_for_breakage(context).broken

    class Infinite:
        def __init__(self, *args: Any) -> None:
            pass

        def __enter__(self) -> Infinite:
            return self

        def __exit__(self, *args: object) -> None:
            pass

        def play(self, schedule: Any) -> Any:
            return SimpleNamespace(payoffs=np.array([[1.0, np.nan]]), lengths=np.ones(1), status=np.ones(1))

    monkeypatch.setattr(tables, "Match", Infinite)
    monkeypatch.setattr(tables, "schedule_of", lambda *args: None)
    lab: Any = SimpleNamespace(game=lambda condition: None, bench=None)
    with pytest.raises(ProbespielError, match="a payoff is no finite number"):
        tables.play(lab, Condition(), [], [], np.arange(1), 1)
