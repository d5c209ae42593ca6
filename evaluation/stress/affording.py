"""How much of a budget a game is given, so that a test ends in its time: by declared costs, not by a clock.

Games differ a thousandfold in what they take, and a decision that is branched takes as many continuations as it has
actions, each half a game. What is played is counted beforehand (`forecast.work_of`), from games of the strongest
baseline, and valued by what one decision takes on a processor of today, which a system declares (`Analysis.pace`).
Where that is more than the time of the budget, all of it is made less by the same share. So the same seed gives the
same report on every machine, whatever else runs there.
"""

from __future__ import annotations

import math
from dataclasses import replace

from ..declaration import analysis_of
from ..report.wording import listing
from .budget import BUDGETS
from .context import Context
from .forecast import (
    AGAINS,
    ANSWERS,
    BRANCHES,
    COURSES,
    GAMES,
    LEARNED,
    MIXED,
    PROGRAMS,
    SEARCHES,
    STAKES,
    Pace,
    with_budget,
    work_of,
)  # fmt: skip
from .learning import COUNTER, FREE
from .stakes import REPLICATES
from .strategies import Prelude

DECISION = 2.0  # microseconds of a decision of a continuation, where a system declares none
# what else takes how many times as long: a decision of a game of all pairs, and of the strongest and learners; of a
# continuation by which is told what matters; a simulation of a search
GAME, STRONG, TRIED, SIMULATION = 0.8, 1.2, 2.0, 4.0
PROGRAM = 0.1  # seconds
LOW = 1 / 4  # the least share: with less hardly anything is learned, and the fewest games of each kind take as long
STEPS = 70  # shares that are told apart: each is 2 % less than the one before


def each_of(context: Context) -> float:
    """Microseconds of a decision of a continuation, as declared: of the scenario, or of the game."""
    bench, known = context.bench, analysis_of(context.bench.system.name).pace
    game = bench.settings.game
    return known.get(f"{game}/{bench.scenario}", known.get(game, DECISION))


def declared_pace(context: Context, prelude: Prelude) -> Pace:
    """What each kind of work takes a processor, by what the system declares and what games are like."""
    bench, each = context.bench, each_of(context) * 1e-6
    depth = max(prelude.legal, 2.0) * max(prelude.length, 1.0) / 2
    seconds = {
        COURSES: 0.0, BRANCHES: each * depth, ANSWERS: each * depth, AGAINS: each,
        GAMES: GAME * each * prelude.length, LEARNED: GAME * each * prelude.length,
        MIXED: STRONG * each * prelude.length, SEARCHES: SIMULATION * each,
        STAKES: TRIED * each * depth * 3 * REPLICATES, PROGRAMS: PROGRAM,
    }  # fmt: skip
    sides = 0.5 if len(bench.sides) > 1 else 1.0  # of the decisions of a game a course branches those of who learns
    decisions = {FREE: 0.75 * prelude.choices, COUNTER: sides * prelude.choices}
    return Pace(seconds, decisions, {FREE: depth, COUNTER: depth})


def seconds_of(context: Context, prelude: Prelude, pace: Pace, joins: bool) -> float:
    """What all after the baselines takes processors together."""
    total = 0.0
    for work in work_of(context, prelude, pace, joins).values():
        total += pace.of({kind: amount for kind, amount in work.items() if kind != "jobs"})
    return total


def share_of(context: Context, prelude: Prelude, budget: str, joins: bool = True) -> float:
    """The largest share of a budget that its time allows, 1 at most; `joins` as in `choosing.choose`."""
    pace, limit = declared_pace(context, prelude), BUDGETS[budget].seconds
    low, high = 0, STEPS  # steps down of which the first is too few, unless there is none, and the last is taken
    if seconds_of(with_budget(context, budget, 1.0), prelude, pace, joins) <= limit:
        return 1.0
    while high - low > 1:
        middle = (low + high) // 2
        found = seconds_of(with_budget(context, budget, _at(middle)), prelude, pace, joins)
        low, high = (low, middle) if found <= limit else (middle, high)
    return _at(high)


def _at(step: int) -> float:
    return round(LOW ** (step / STEPS), 3)


def afforded(context: Context, prelude: Prelude, joins: bool = True) -> Context:
    """The context with what its game can be given of every budget; rules that run interpreted have theirs already."""
    if not context.compiled:
        return context
    mine = context.bench.settings.budget
    shares = {name: share_of(context, prelude, name, joins) for name in BUDGETS}
    found = replace(context, shares={name: share for name, share in shares.items() if share < 1.0})
    return with_budget(found, mine, shares[mine]) if shares[mine] < 1.0 else found


def narrowed(context: Context, prelude: Prelude, joins: bool = True) -> Prelude:
    """The baselines that a game can be given: fewer where even the least share of the budget takes more than its time.

    Every pair of strategies costs games, as few as they are; the weakest ones are left out first.
    """
    mine = context.bench.settings.budget
    if not context.compiled or context.shares.get(mine, 1.0) > LOW:
        return prelude
    for weak in prelude.weakest:
        if seconds_of(context, prelude, declared_pace(context, prelude), joins) <= BUDGETS[mine].seconds:
            break
        prelude = replace(prelude, baselines=tuple(s for s in prelude.baselines if s != weak))
    return prelude


def told(context: Context) -> tuple[str, ...]:
    """In words, if the game is not given all of its budget."""
    share = context.shares.get(context.bench.settings.budget, 1.0)
    if share >= 1.0:
        return ()
    wider = math.sqrt(1.0 / share)
    return (
        f"Games of this kind take long: {share:.0%} of what the budget holds was played and learned, so that the test "
        f"ends in its time. Intervals of what is played are about {wider:.1f} times as wide by that, and learners have "
        "learned from less; a larger budget plays more.",
    )


def left_out(every: Prelude, kept: Prelude) -> tuple[str, ...]:
    """In words, which of all baselines were left out, if any were."""
    gone = [strategy.base for strategy in every.baselines if strategy not in kept.baselines]
    if not gone:
        return ()
    what = "heuristic was" if len(gone) == 1 else f"{len(gone)} heuristics were"
    return (f"So that the test ends in its time, the weakest {what} left out: {listing(gone, 8)}.",)


__all__ = ["afforded", "declared_pace", "each_of", "left_out", "narrowed", "seconds_of", "share_of", "told"]
