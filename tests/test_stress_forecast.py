"""What a stress test is told to take: what it learns again, and the strategies that are joined with a use."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.public_game import Hidden, TooMany
from probespiel.evaluation.stress import exact, forecast
from probespiel.evaluation.stress.conditions import EVERYBODY, NOBODY, Settings
from probespiel.evaluation.stress.exact import POSITIONS
from probespiel.evaluation.stress.learning import AGAIN, COUNTER, FREE
from probespiel.evaluation.stress.progress import Quiet
from probespiel.evaluation.stress.rollouts import TURNS
from probespiel.evaluation.stress.run import Stress
from probespiel.evaluation.stress.strategies import Prelude, Strategy
from probespiel.evaluation.stress.workers import Failed

JACKS = str(Path(__file__).parent / "planted" / "jacks.py")
HONEST = Strategy("random", base="random")
PRELUDE = Prelude((HONEST,), HONEST)


def test_joined_strategies_and_what_is_learned_again_are_counted(tmp_path: Path) -> None:
    """Of a rule with actions alone, and joined ones not where it changes nothing."""
    test = Stress(Settings("kuhn", JACKS, budget="quick"), tmp_path, 1, False, False, Quiet(), "")
    plain = test.context
    used = replace(plain, marked=frozenset({1}), offered=True)
    pace = forecast.Pace({}, {FREE: 2.0, COUNTER: 2.0})
    with_it, still = (forecast.work_of(used, PRELUDE, pace, joins) for joins in (True, False))
    without = forecast.work_of(plain, PRELUDE, pace)
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
    played, fewer = (work["choose"][forecast.GAMES] + work["choose"][forecast.LEARNED] for work in (with_it, still))
    found = (played - fewer) / b.choose
    assert found >= more * (rows[EVERYBODY] + more + rows[EVERYBODY]) and NOBODY in rows
    assert with_it["dominance"][forecast.GAMES] > still["dominance"][forecast.GAMES]


def test_what_steps_do_is_counted_by_their_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three and five strategies a side without and with it; after two rounds, of both sides together, five and seven.

    Three games of every pair, once without and twice with it: (25 + 2 * 49) * 3; of both sides four learned the whole
    game, two of seeds and two of rounds, so that of 25 games 20 are theirs and of 49 28. A course of ten games eight
    times in four conditions. Of two levels four conditions, two sides, two steps with a fourth of 400; of two sides two
    kinds of games with oversights, or five where it is used, which is counted by a fourth of 1,000 in two conditions
    twice.
    """
    plain = Stress(Settings("kuhn", JACKS, budget="quick"), tmp_path, 1, False, False, Quiet(), "").context
    budget = replace(plain.budget, matrix=3, course=10, replicates=8, rounds=2, measure=400, rates=1_000, seeds=2)
    monkeypatch.setattr(forecast, "_pools", lambda context, prelude, name: [3, 3] if name == NOBODY else [5, 5])
    monkeypatch.setattr(forecast, "deals_of", lambda context, prelude, agent: 0)
    for used, kept, overlooked, rated in (
        (False, 0, 2 * 2, 0),
        (True, sum(x * y for x, y in zip(forecast.KEPT, (2, 1))), 2 * 5, 8),
    ):
        context = replace(plain, budget=budget, marked=frozenset({1} if used else ()), offered=used)
        assert context.used == used
        found = forecast.work_of(context, PRELUDE, forecast.Pace({}, {FREE: 2.0, COUNTER: 2.0}))
        most = 7 + kept
        learned = 25 * 4 / 5 + 2 * most**2 * (4 + kept / 4) / most
        assert found["dominance"][forecast.LEARNED] == pytest.approx(learned * 3)
        assert found["dominance"][forecast.GAMES] == pytest.approx((25 + 2 * most**2 - learned) * 3)
        assert found["dominance"][forecast.PROGRAMS] == pytest.approx(8 + 5 * (most / 18) ** 2)
        assert found["dynamics"][forecast.MIXED] == 4 * 10 * 8
        assert found["levels"][forecast.GAMES] == 16 * 100 + 2 * 2 * 2 * 200
        assert found["levels"][forecast.MIXED] == overlooked * 100 + rated * 250
        assert found["levels"][forecast.SEARCHES] == 0


def test_games_of_a_side_that_learned_take_what_theirs_do() -> None:
    """Two of four and all of three: three fourths of the play in ten games of each of twelve pairs."""
    assert forecast._pairs([4, 3], [2, 3], 10) == {forecast.GAMES: 30.0, forecast.LEARNED: 90.0}
    pace = forecast.Pace({forecast.GAMES: 1.0, forecast.LEARNED: 5.0})
    assert pace.of(forecast._pairs([4, 4], [0, 4], 1)) == 16 * 3.0  # each game is half a network's


def test_games_of_levels_are_counted_by_their_own_pace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty deals of two sides, with it and without, in ten matches each; one not timed counts by searches."""
    context = Stress(Settings("kuhn", JACKS, budget="quick"), tmp_path, 1, False, False, Quiet(), "").context
    monkeypatch.setattr(forecast, "deals_of", lambda context, prelude, agent: 20)
    monkeypatch.setattr(forecast, "sims_of", lambda agent: 7)
    decisions, levels = {FREE: 2.0, COUNTER: 2.0}, list(forecast.LEVELS)
    seconds = {forecast.LEVEL + levels[0]: 0.5, forecast.MATCHES + levels[0]: 0.25}
    pace = forecast.Pace(seconds, decisions)
    found = forecast.work_of(context, replace(PRELUDE, choices=3.0), pace)["levels"]
    assert found[forecast.LEVEL + levels[0]] == 80 and found[forecast.MATCHES + levels[0]] == 40
    assert found[forecast.SEARCHES] == (len(levels) - 1) * 80 * 3.0 * 7
    assert pace.of(found) == 80 * 0.5 + 40 * 0.25
    seen: list[dict[str, str]] = []
    monkeypatch.setattr(
        type(context.workers), "run", lambda self, jobs, idle: seen.append(jobs[0].args) or [(0, Failed("hung", "x"))]
    )
    monkeypatch.setattr(forecast, "deals_of", lambda context, prelude, agent: 20 if agent == first else 0)
    first = forecast.level_named(context, forecast.LEVELS[levels[0]])
    assert forecast.ask_pace(context, PRELUDE) is None and seen[0]["agents"] == {levels[0]: first}


def test_games_that_can_be_solved_are_and_need_no_bounds(tmp_path: Path) -> None:
    """One of too many positions is looked at once, as far as may be, and no more than tried is one of another kind."""
    context = Stress(Settings("kuhn", JACKS, budget="quick"), tmp_path, 1, False, False, Quiet(), "").context
    most, plain = POSITIONS["quick"], forecast.Pace({}, {FREE: 2.0, COUNTER: 2.0})
    found = {
        n: forecast.work_of(context, PRELUDE, replace(plain, positions=n)) for n in (0.0, 100.0, float(most), math.inf)
    }
    conditions = found[100.0]["measure"][forecast.SOLVED] / 100.0
    assert conditions == 4  # nobody, alone for either side, and everybody
    used = replace(context, marked=frozenset({1}), offered=True)
    uses = forecast.work_of(used, PRELUDE, replace(plain, positions=100.0))
    assert uses["measure"][forecast.SOLVED] == 800.0  # and for either side without any use, and with all of them
    assert [found[n]["measure"][forecast.SOLVED] for n in (0.0, float(most), math.inf)] == [0, conditions * most, most]
    assert [n for n, work in found.items() if "bounds" in work] == [0.0, math.inf]
    workers = replace(context, workers=replace(cast(Any, context.workers), count=4))
    pace = replace(plain, positions=100.0, seconds={forecast.SOLVED: 0.5})
    took = forecast.steps_of(workers, PRELUDE, pace)["measure"]
    assert took == forecast.LEAST / 2 + 50.0 * conditions  # one worker solves them all


def test_the_time_to_solve_is_tried_with_ever_more_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the game is solved, is known not to be, or takes too long."""
    asked: list[int] = []
    now = [0.0]

    def value(bench: object, game: object, limit: int) -> float:
        asked.append(limit)
        now[0] += limit / 10_000
        if limit < size:
            raise TooMany("too many") if size < math.inf else Hidden("hidden")
        return 0.0

    monkeypatch.setattr(exact, "_value", value)
    monkeypatch.setattr(exact.time, "process_time", lambda: now[0])
    lab = cast(Any, SimpleNamespace(bench=SimpleNamespace(game=lambda condition: None)))
    for size, enough, wanted, known in (
        (15_000, 9.0, [5_000, 20_000], 20_000),
        (90_000, 9.0, [5_000, 20_000, 60_000], math.inf),  # more than may be looked at
        (15_000, 1.9, [5_000], math.inf),  # four times as many would take too long
        (math.inf, 9.0, [5_000], 0.0),
    ):
        asked.clear()
        took, each, positions = exact.time_to_solve(lab, cast(Any, None), 60_000, enough)
        assert (asked, positions, each) == (wanted, known, pytest.approx(1e-4)), size
        assert took == pytest.approx(wanted[-1] / 10_000)


def test_answers_are_timed_against_those_who_will_be_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mixtures: a third of them has learned, the others are baselines, whose decisions take less than a network's."""
    strong, weak = Strategy("strong", base="strong"), Strategy("weak", base="weak")
    courses: dict[str, list[tuple[str, float]]] = {}
    mixtures: list[list[tuple[str, str]]] = []
    third = pytest.approx(1 / 3)

    def train(lab: object, kind: str, net: str, conditions: object, anchor: str, opponents: Any, *rest: object) -> Any:
        courses[net] = [(strategy.name, share) for strategy, share in opponents]
        return {"branched": 1, "spent": 3}

    def play(lab: object, condition: object, who: Any, pairs: Any, *rest: object) -> Any:
        assert len({strategy.name for strategy in who}) == len(who), "a match refuses one who takes part twice"
        mixtures.append([(who[a].name, who[b].name) for a, b in pairs])
        return SimpleNamespace(lengths=np.array([10, 20] if condition is None else [5, 7]))

    def timed(work: Any, size: int, enough: float) -> tuple[float, float]:
        return work(1), 0.0

    for name, made in (
        ("train", train), ("timed", timed), ("play", play), ("ladder_of", lambda *_: [(strong, weak)]),
        ("rung", lambda *_: None), ("stakes", lambda *_: None), ("time_to_solve", lambda *_: (0.0, 0.0, 0.0)),
    ):  # fmt: skip
        monkeypatch.setattr(forecast, name, made)
    bench = SimpleNamespace(everybody=lambda: None, compared=(0, 1))
    lab = cast(Any, SimpleNamespace(bench=bench, marks=SimpleNamespace(actions=())))
    found = forecast.pace(lab, strong, [weak], 2.0, {FREE: 1.0, COUNTER: 1.0}, [4, 8], "strong", 1.0, 1.0, 9, 1, 0, {})
    assert courses["counter-0-pace.npz"] == [("pace", 1 / 3), ("strong", third), ("weak", third)]
    assert courses["0-pace.npz"] == [("strong", 0.4), ("weak", 0.15)]
    assert found["depths"] == {FREE: 3.0, COUNTER: 3.0} and found["plain"] == 6 / 15
    forecast.pace(lab, strong, [], 2.0, {FREE: 1.0, COUNTER: 1.0}, [4, 8], "strong", 1.0, 1.0, 9, 1, 0, {})
    assert courses["counter-0-pace.npz"] == [("pace", 1 / 3), ("strong", pytest.approx(2 / 3))]
    wanted = {("strong", "strong"): 4, ("strong", "pace"): 2, ("pace", "strong"): 2, ("pace", "pace"): 1}
    assert [Counter(pairs) for pairs in mixtures].count(Counter(wanted)) == 2
    alone = [{frozenset(pair) for pair in pairs} for pairs in mixtures]
    assert alone.count({frozenset(["pace"])}) == 2  # games of those who learned, by themselves
    baselines = {frozenset(["strong"]), frozenset(["weak"]), frozenset(["strong", "weak"])}
    assert alone.count(baselines) == 1  # and of baselines


def test_games_in_which_fewer_have_a_rule_that_asks_are_shorter(tmp_path: Path) -> None:
    """Half as many decisions where nobody has it, three fourths where one of two has: of those that are branched so
    many, each continued so long. What takes the same everywhere is counted as before."""
    pace = forecast.Pace({}, {FREE: 2.0, COUNTER: 2.0}, plain=0.5)
    work = {forecast.GAMES: 8.0, forecast.ANSWERS: 16.0, forecast.COURSES: 3.0}
    assert pace.where(1.0, work) == work and replace(pace, plain=1.0).where(0.0, work) == work
    assert pace.where(0.5, work) == {forecast.GAMES: 6.0, forecast.ANSWERS: 9.0, forecast.COURSES: 3.0}
    assert pace.where(0.0, work) == {forecast.GAMES: 4.0, forecast.ANSWERS: 4.0, forecast.COURSES: 3.0}
    context = Stress(Settings("kuhn", JACKS, budget="quick"), tmp_path, 1, False, False, Quiet(), "").context
    shorter, alike = (forecast.work_of(context, PRELUDE, x) for x in (pace, replace(pace, plain=1.0)))
    for step, kind, part in (
        ("dynamics", forecast.MIXED, (0.5 + 1) / 2), ("effect", forecast.STAKES, (0.25 + 1) / 2),
        ("bounds", forecast.ANSWERS, (0.25 + 2 * 0.5625) / 3), ("exploit", forecast.ANSWERS, (0.25 + 2 * 0.5625) / 3),
        ("learn", forecast.BRANCHES, (0.25 + 2 * 0.5625 + 1) / 4), ("measure", forecast.MIXED, (0.5 + 2 * 0.75) / 3),
        ("choose", forecast.ANSWERS, (0.25 + 2 * 0.5625 + 1) / 4), ("learn", forecast.COURSES, 1.0),
    ):  # fmt: skip
        assert shorter[step][kind] == pytest.approx(part * alike[step][kind]) and alike[step][kind] > 0, (step, kind)


@pytest.mark.parametrize(
    ("choices", "plain", "each"), [(8.0, 1.0, 0.3), (8.0, 0.5, 2.0), (8.0, 2.0, 0.3), (90.0, 0.5, 10.0)]
)
def test_what_a_rule_asks_is_what_it_adds(choices: float, plain: float, each: float, tmp_path: Path) -> None:
    """Of eight decisions it has added four, and half of the sides learn; no more than ten of a game are counted."""
    context = Stress(Settings("kuhn", JACKS, budget="quick"), tmp_path, 1, False, False, Quiet(), "").context
    pace, prelude = forecast.Pace({}, {FREE: 2.0, COUNTER: 2.0}, plain=plain), replace(PRELUDE, choices=choices)
    found = forecast._learned(context, prelude, pace, forecast.USE)[forecast.ANSWERS]
    games = context.budget.learn_use * forecast._share(context, prelude, forecast.USE)
    assert found == pytest.approx(games * each)
