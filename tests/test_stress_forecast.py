"""What a stress test is told to take: what it learns again, and the strategies that are joined with a use."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from probespiel.evaluation.stress import forecast
from probespiel.evaluation.stress.conditions import EVERYBODY, NOBODY, Settings
from probespiel.evaluation.stress.learning import AGAIN, COUNTER, FREE
from probespiel.evaluation.stress.progress import Quiet
from probespiel.evaluation.stress.rollouts import TURNS
from probespiel.evaluation.stress.run import Stress
from probespiel.evaluation.stress.strategies import Prelude, Strategy

JACKS = str(Path(__file__).parent / "planted" / "jacks.py")
HONEST = Strategy("random", base="random")
PRELUDE = Prelude((HONEST,), HONEST)


def test_joined_strategies_and_what_is_learned_again_are_counted(tmp_path: Path) -> None:
    """Of a rule with actions alone, and joined ones not where it changes nothing."""
    test = Stress(Settings("kuhn", JACKS, budget="quick"), tmp_path, 1, False, False, Quiet(), "")
    plain = test.context
    used = replace(plain, marked=frozenset({1}), offered=True)
    decisions = {FREE: 2.0, COUNTER: 2.0}
    with_it, still = (forecast.work_of(used, PRELUDE, decisions, {}, joins) for joins in (True, False))
    without = forecast.work_of(plain, PRELUDE, decisions, {})
    b = used.budget
    courses = b.seeds * (len(used.bench.holder_conditions()) - 1)  # of the use, where anybody has it
    branched = with_it["learn"][forecast.ANSWERS] / courses
    assert with_it["learn"][forecast.AGAINS] == courses * min(AGAIN, TURNS * branched) > 0
    assert with_it["learn"] == still["learn"] and not without["learn"][forecast.AGAINS]
    more = forecast.JOINED[0] * b.seeds + forecast.JOINED[1]
    names = used.bench.holder_conditions()
    rows = {
        name: size + b.rounds for name, size in zip(names, map(max, [forecast._pools(used, PRELUDE, n) for n in names]))
    }
    found = (with_it["choose"][forecast.GAMES] - still["choose"][forecast.GAMES]) / b.choose
    assert found >= more * (rows[EVERYBODY] + more + rows[EVERYBODY]) and NOBODY in rows
    assert with_it["dominance"][forecast.GAMES] > still["dominance"][forecast.GAMES]
