"""Common random numbers of the stress lab: what was learned in two conditions differs by the conditions alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from probespiel.agents.match import Match, Schedule
from probespiel.agents.registry import make_agent
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.conditions import Bench, Settings
from probespiel.evaluation.stress.context import Context
from probespiel.evaluation.stress.guided import NO_MARKS
from probespiel.evaluation.stress.learning import learn
from probespiel.evaluation.stress.progress import Quiet
from probespiel.evaluation.stress.strategies import Prelude, Strategy
from probespiel.evaluation.stress.workers import Job

HONEST = Strategy("random", base="random")


class Noted(Context):
    """A context that writes down what it is asked."""

    def need(self, step: str, jobs: Any) -> list[Any]:
        """Courses that learned nothing."""
        NOTES.extend(jobs)
        return [{"branched": 0, "games": 0, "error": 0.0} for _ in jobs]


NOTES: list[Job] = []


def test_every_condition_learns_from_the_same_numbers() -> None:
    """One seed a role, and the same tables: handicaps of both sides, and seats exchanged, in every condition."""
    NOTES.clear()
    bench = Bench(Settings("einblatt-duel", "mercy", budget="quick"), compiled=False)
    anything: Any = None
    context = Noted(bench, replace(BUDGETS["quick"], seeds=2), anything, anything, Quiet(), frozenset())
    made = learn(context, Prelude((HONEST,), HONEST)).made
    roles = {strategy.net: strategy.stream for _, strategy in made}
    assert len(roles) == len(NOTES) == 2 * len(bench.holder_conditions()) == 8
    seeds: dict[str, set[int]] = {}
    tables = set()
    for job in NOTES:
        seeds.setdefault(roles[job.args["net"]], set()).add(job.args["seed"])
        tables.add(tuple((c.side, c.amount, c.mirrored) for c in job.args["conditions"]))
    assert {role: len(known) for role, known in seeds.items()} == {"free 0": 1, "free 1": 1}
    assert len(set.union(*seeds.values())) == 2, "learners of two numbers differ"
    (table,) = tables
    assert {amount for _, amount, _ in table} == {-2, 0, 2} and [t for t in table if t[2]] == [(0, 0, True)]


def test_strategies_of_one_stream_throw_alike() -> None:
    """Their games are the same in two matches, whatever they are called; in one match each seat throws by itself."""
    game = make_game("kuhn")
    deals = Schedule.of(7, np.arange(200), np.tile([0, 1], (200, 1)))

    def played(first: str, stream: str) -> list[float]:
        agents = [make_agent("random") for _ in range(2)]
        agents[0].name, agents[0].stream = first, stream
        agents[1].name, agents[1].stream = "other", "one"
        with Match(game, agents, 7) as match:
            return match.play(deals).payoffs[:, 0].tolist()

    assert played("a", "one") == played("b", "one") == played("one", "")
    assert played("a", "") != played("b", "") and played("a", "one") != played("a", "two")


def test_a_strategy_of_the_lab_keeps_its_stream() -> None:
    """However it is held to use the module, and when it leaves it alone."""
    learned = Strategy("learned there (1)", base="random", stream="free 0")
    made = Bench(Settings("einblatt-duel", "mercy"), compiled=False).player(learned, NO_MARKS)
    assert (made.name, made.stream) == ("learned there (1)", "free 0")
    assert learned.using("always").stream == learned.leaving.stream == "free 0"
    assert HONEST.using("always").stream == HONEST.using("never").stream == "random" != HONEST.using("always").name
