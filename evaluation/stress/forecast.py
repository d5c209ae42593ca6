"""How long a stress test will take: what it will play, counted beforehand, times the pace of this game on this machine.

What is played follows from the budget, the pools of strategies and what games of the strongest baseline are like. The
pace is measured by workers that all play a little at the same time, as they will later. No result of the test depends
on it: it is asked for anew whenever a test begins or goes on, and never kept.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..tournament import metagame as mg
from .budget import BUDGETS, fitted
from .choosing import pool_of
from .conditions import EVERYBODY, NOBODY, Condition
from .context import Context
from .dynamics import ladder_of, rung, rung_deals
from .exploit import ANSWERED, CANDIDATES, looked_at
from .lab import Lab
from .learning import COUNTER, FREE, USE, Learners, course, train
from .play import play
from .progress import duration
from .sample import COMPARED
from .stakes import plan, stakes
from .strategies import Mixture, Prelude, Strategy
from .workers import Failed, Job

GAMES, BRANCHES, SEARCHES, STAKES, PROGRAMS = "games", "branches", "searches", "stakes", "programs"
Work = Counter[str]  # amounts by what is done: games, decisions branched, simulations, decisions tried, programs
LEAST = 2.0  # seconds of a step: jobs are given out, answers kept
SECONDS = 120.0  # for the pace; rules that take longer are not waited for
ANSWERS = 4  # opponents of a mixture, about
PACE_NET = "pace.npz"


@dataclass(frozen=True)
class Pace:
    """Seconds that one of each kind of work takes one worker while all work."""

    seconds: Mapping[str, float]

    def of(self, work: Mapping[str, float]) -> float:
        """Seconds of some work."""
        return sum(amount * self.seconds.get(kind, 0.0) for kind, amount in work.items())


@dataclass(frozen=True)
class Forecast:
    """Expected seconds of every step that is still to come, by the budget of the test, and in all by every budget.

    `asks`: how often each step asks its workers.
    """

    steps: Mapping[str, float]
    budgets: Mapping[str, float]
    asks: Mapping[str, int]

    def told(self, budget: str, workers: int) -> str:
        """In words, for the `budget` that was chosen."""
        others = ", ".join(f"{name} {duration(s)}" for name, s in self.budgets.items() if name != budget)
        processes = f"{workers} process" + ("es" if workers > 1 else "")
        return f"This takes about {duration(self.budgets[budget])} with {processes} (--budget {others})."


def forecast(context: Context, prelude: Prelude) -> Forecast | None:
    """What is still to come will take; None if the pace could not be measured: rules may fail, which later steps tell.

    `context` is sized, `prelude` known.
    """
    pace = ask_pace(context, prelude)
    if pace is None:
        return None
    found = {name: steps_of(_with(context, name), prelude, pace) for name in BUDGETS}
    mine = context.bench.settings.budget
    return Forecast(found[mine], {name: sum(steps.values()) for name, steps in found.items()}, asks_of(context))


def _with(context: Context, budget: str) -> Context:
    if budget == context.bench.settings.budget:
        return context
    made, _ = fitted(BUDGETS[budget], context.facts.length, context.observation, context.compiled)
    return replace(context, budget=made)


def steps_of(context: Context, prelude: Prelude, pace: Pace) -> dict[str, float]:
    """Expected seconds of every step after the baselines."""
    workers = context.workers.count
    out = {}
    for step, work in work_of(context, prelude).items():
        programs = work.pop(PROGRAMS, 0)  # this process solves them by itself
        jobs = work.pop("jobs", workers)
        out[step] = LEAST / 2 + pace.of(work) / min(workers, max(jobs, 1)) + pace.of({PROGRAMS: programs})
    return out


def asks_of(context: Context) -> dict[str, int]:
    """How often every step asks its workers, where it is more than once."""
    sides = len(context.sides)
    return {
        "choose": 2 * context.budget.rounds + 1, "measure": 2, "bounds": 8, "use": 2 + sides, "dominance": 3,
        "levels": 7, "effect": 2, "exploit": 4 * max(1, len(context.answered)),
    }  # fmt: skip


def work_of(context: Context, prelude: Prelude) -> dict[str, Work]:
    """What every step after the baselines does, by kind; `jobs` are those that can run side by side."""
    b, bench = context.budget, context.bench
    names = list(bench.holder_conditions())
    pools = {name: _pools(context, prelude, name) for name in names}
    two = len(bench.sides) == 2 and not bench.for_all
    handicaps = sorted({0, *b.curve, *b.differences}) if bench.can_handicap else [0]
    cells = sum(bench.possible(Condition().handicapped(side, n)) for side in context.sides for n in handicaps)
    alone = len(context.sides) * (len(b.differences) if bench.can_handicap else 1)
    measured = (cells + alone + 1 + 2 * bench.can_mirror) * b.measure

    free, use, counter = (_learned(context, prelude, kind) for kind in (FREE, USE, COUNTER))
    learn = Work(jobs=len(names) * b.seeds)
    choose = Work(jobs=len(names) * max(len(context.answered), 1))
    for name in names:
        for _ in range(b.seeds):
            learn.update(free)
            if context.used and name != NOBODY:
                learn.update(use)
    for number in range(b.rounds):
        for name in names:
            rows, columns = (size + number for size in pools[name])
            choose.update({GAMES: rows * columns * max(b.choose // 2, 20)})
            for _ in context.answered:
                choose.update(counter)
    last = {name: [size + b.rounds for size in pools[name]] for name in names}
    choose.update({GAMES: sum(r * c for r, c in last.values()) * b.choose})
    choose.update({PROGRAMS: 0.02 * len(names) * (b.rounds + b.seeds + 1)})

    best = Counter({GAMES: ANSWERED * b.choose * (max(map(max, last.values())) + b.seeds)})
    bounds = Work(jobs=6)
    for _ in range(6 if two else 0):
        bounds.update(counter + best + Work({GAMES: b.measure}))
    shown, sample = (
        Work({BRANCHES: games * replicates * prelude.choices / 2})
        for games, replicates in (looked_at(prelude, at_most) for at_most in (CANDIDATES, COMPARED))
    )
    exploit = Work(jobs=2 * b.seeds)
    for _ in context.answered if len(bench.sides) > 1 else ():
        exploit.update(best + best + shown + Work({GAMES: 2 * b.measure + b.show}))
        for _ in range(2 * b.seeds):
            exploit.update(counter)

    joint = [last[name][0] + (len(bench.sides) > 1) for name in (NOBODY, EVERYBODY)]
    simulations = rung_deals(b, prelude) * prelude.choices * sum(w + s for w, s in pairwise(b.ladder)) / 2
    used = b.rates + 6 * b.samples + len(context.sides) * 5 * b.measure // 2
    looked, share = plan(b.stakes, prelude.length, prelude.choices, prelude.legal, context.observation)
    work = {
        "learn": learn,
        "choose": choose,
        "measure": Work({GAMES: measured, "jobs": cells}),
        "bounds": bounds,
        "use": Work({GAMES: used if context.marked else 0}),
        "dominance": Work(
            {GAMES: (joint[0] ** 2 + 2 * joint[1] ** 2) * b.matrix, PROGRAMS: 3.5 * (max(joint) / 18) ** 2}
        ),
        "dynamics": Work({GAMES: 4 * b.course * b.replicates, SEARCHES: 4 * simulations}),
        "levels": Work({GAMES: 24 * max(20, b.measure // 4) + 3 * max(20, b.measure // 2)}),
        "effect": Work({GAMES: 4 * b.measure, STAKES: 4 * looked * share * prelude.choices}),
        "exploit": exploit,
        "sample": sample + Work({GAMES: 2 * b.show}),
    }  # fmt: skip
    return {step: amounts for step, amounts in work.items() if two or step != "bounds"}


def _pools(context: Context, prelude: Prelude, name: str) -> list[int]:
    """How many strategies the sides of a condition have before anybody counters them."""
    conditions, seeds = context.bench.holder_conditions(), context.budget.seeds
    sizes = []
    for side in (context.sides[0], context.sides[-1]):
        learned = seeds * (2 if side in conditions[name].holders and context.used else 1)
        sizes.append(len(pool_of(context, prelude, Learners((), ()), name, side)) + learned)
    return sizes


def _learned(context: Context, prelude: Prelude, kind: str) -> Work:
    """What a course of learning plays, and how many decisions it branches."""
    b = context.budget
    games = {FREE: b.learn_free, USE: b.learn_use, COUNTER: b.learn_counter}[kind]
    share = course(context, prelude, kind, "", "", [Condition()], [], [], 0.0, games).args["share"]
    each = min(prelude.choices, 1.0) if kind == USE else prelude.choices  # its own questions are about one a game
    sides = 0.75 if kind == FREE else 0.5 if len(context.bench.sides) > 1 else 1.0  # whose decisions are looked at
    return Work({GAMES: games, BRANCHES: games * share * each * sides})


def ask_pace(context: Context, prelude: Prelude) -> Pace | None:
    """What all workers find when they are asked at the same time; None if one has no answer."""
    job = Job("pace", {"anchor": prelude.anchor, "length": prelude.length, "choices": prelude.choices,
                       "legal": prelude.legal, "ladder": context.budget.ladder[:2], "scale": context.scale,
                       "observation": context.observation, "enough": context.budget.pace,
                       "seed": context.seed("pace")}, SECONDS)  # fmt: skip
    context.workers.facts = context.facts
    for first in (True, False):  # one alone compiles what the others then find
        jobs = [replace(job, args={**job.args, "number": n}) for n in range(1 if first else context.workers.count)]
        answers = [answer for _, answer in context.workers.run(jobs, context.watcher.tick)]
        if any(isinstance(answer, Failed) for answer in answers):
            return None
    begun, solved, game = time.monotonic(), 0, np.random.default_rng(1).normal(size=(18, 18))
    while solved < 3:
        mg.max_entropy_nash(game - game.T)
        solved += 1
    programs = 40 * (time.monotonic() - begun) / solved
    return Pace({**{kind: float(np.mean([a[kind] for a in answers])) for kind in answers[0]}, PROGRAMS: programs})


# What workers do


def pace(
    lab: Lab, anchor: Strategy, length: float, choices: float, legal: float, ladder: Sequence[int], scale: float,
    observation: int, enough: float, seed: int, number: int,
) -> dict[str, float]:  # fmt: skip
    """Seconds of a game, a branched decision, a simulation of a search and a decision tried, when everybody has it."""
    everybody = lab.bench.everybody()
    net = f"{number}-{PACE_NET}"
    sides = list(lab.bench.compared)
    branches: list[float] = []

    def learn(games: int) -> float:
        made = train(lab, FREE, net, [everybody], anchor.base, [(anchor, 0.5)], sides, 0.5, games, 0.4, scale, seed)
        branches.append(made["branched"] / max(games, 1))
        return float(made["branched"])

    seconds = {BRANCHES: timed(learn, 4, enough)}
    learner = Strategy("pace", base=anchor.base, net=net, scope="everywhere", temperature=0.02)
    players = [anchor, Strategy("random", base="random"), learner] if anchor.base != "random" else [anchor, learner]
    pairs = [(i, j) for i in range(len(players)) for j in range(len(players))]

    def games(deals: int) -> float:
        seated = [pair for pair in pairs for _ in range(deals)]
        play(lab, everybody, players, seated, np.tile(np.arange(deals), len(pairs)), seed)
        return float(len(seated))

    seconds[GAMES] = timed(games, 4, enough)
    ((strong, weak),) = ladder_of(ladder)

    def searches(deals: int) -> float:
        rung(lab, everybody, strong, weak, (0, deals), seed)
        return deals * choices * sum(ladder)

    seconds[SEARCHES] = timed(searches, 1, enough)
    alone = Mixture((learner,), (1.0,))

    def tried(deals: int) -> float:
        stakes(lab, everybody, alone, alone, deals, min(1.0, 4 / max(choices, 1.0)), scale, seed)
        return deals * min(choices, 4.0)

    seconds[STAKES] = timed(tried, 2, enough)
    # what a course plays beside its branches is counted by itself
    per_game = float(np.mean(branches))
    seconds[BRANCHES] = max(seconds[BRANCHES] - seconds[GAMES] / max(per_game, 1e-9), 0.0) if per_game else 0.0
    return seconds


def timed(work: Callable[[int], float], size: int, enough: float, clock: Callable[[], float] = time.monotonic) -> float:
    """Seconds of a unit of `work`, which is given a size and tells how many units it did; grows until `enough` pass."""
    work(1)  # it may have to be compiled
    while True:
        begun = clock()
        done = work(size)
        passed = clock() - begun
        if passed >= enough or size >= 1 << 16:
            return passed / done if done else 0.0
        size *= 4 if passed < enough / 4 else 2


__all__ = ["Forecast", "Pace", "ask_pace", "forecast", "pace", "steps_of", "timed", "work_of"]
