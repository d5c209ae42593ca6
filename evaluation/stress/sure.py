"""A rule that does nothing but pay, and whose payments go by nothing else that is played: its worth drowns in no luck.

Strategies are learned anew where a rule is, and differ by the luck of that; a payment that is sure would drown in it,
the more so where many seats share a side. If the same players are paid the same more in every game, whoever they are,
all that was good to play stays so: the same strategies play with the rule and without. If the rule asks something, it
is answered as one of the learners found best; then the worth is that of this answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .conditions import NOBODY, Condition
from .context import Context
from .findings import Worth
from .inert import unchanged
from .lab import module_of
from .learning import Learners
from .strategies import Chosen, Mixture, Prelude, Strategy
from .workers import Job
from .worth import Measured

PAYS = {"payoff", "observe"}  # hooks of a rule that does nothing else
GAMES, DECISIONS = 200, 2_000  # of every heuristic with itself; of random play
SAME = 1e-5  # of payoffs, which are kept in single precision


def look_for_payments(context: Context, prelude: Prelude) -> int:
    """In how many games a rule did nothing but pay, 0 if it did anything else, or pays nothing.

    Of a rule without actions games of the heuristics, in which it paid the same more every time; of others random play,
    where answers are drawn. Raises Unanswered where the rules fail.
    """
    hooks = set(module_of(context.bench).hooks)
    if context.used:
        asks = "payoff" in hooks and not context.bench.several and not context.bench.whole_table
        return unchanged(context, "payments", payoffs=False, most=DECISIONS) if asks else 0
    if not hooks <= PAYS:
        return 0
    alone = [Mixture((strategy,), (1.0,)) for strategy in prelude.baselines]
    deals = GAMES * len(alone)
    conditions = [condition for name, condition in context.bench.holder_conditions().items() if name != NOBODY]
    jobs = [
        Job("paid", {"conditions": [condition, Condition()], "mixtures": [(one, one) for one in alone],
                     "deals": deals, "seed": context.seed("sure"), "hero": 0})
        for condition in conditions
    ]  # fmt: skip
    gaps = [np.subtract(*np.asarray(answer["payoffs"], dtype=np.float64)) for answer in context.need("prelude", jobs)]
    steady = all((np.ptp(gap, axis=0) <= SAME).all() for gap in gaps)
    return deals * len(gaps) if steady and any((np.abs(gap) > SAME).any() for gap in gaps) else 0


def measured_surely(
    context: Context, learners: Learners, chosen: Chosen, games: int, compared: Callable[[Chosen], Measured]
) -> tuple[Chosen, Measured] | None:
    """Who plays, and the worth, if a rule that did nothing but pay in so many `games` pays the same to strong play.

    Measured by `compared`; None if it does not, if it was solved, or if what was learned with it earns more by it.
    """
    if not games:
        return None
    found: list[tuple[Chosen, Measured]] = []
    for same in answered_alike(context, learners, chosen) if context.used else [alike_everywhere(chosen)]:
        got = compared(same)
        worth = paid_surely(got.worth, games)
        if worth is not None:
            found.append((same, replace(got, worth=worth)))
    if not found:
        return None
    best = max(found, key=lambda one: one[1].worth.overall.value)
    if context.used and compared(chosen).worth.overall.low > best[1].worth.overall.value + SAME:
        return None
    return best


def alike_everywhere(chosen: Chosen) -> Chosen:
    """The strategies that were found without the rule, in every condition."""
    return Chosen(
        dict.fromkeys(chosen.pools, chosen.pools[NOBODY]),
        dict.fromkeys(chosen.mixtures, chosen.mixtures[NOBODY]),
    )


def answered_alike(context: Context, learners: Learners, chosen: Chosen) -> list[Chosen]:
    """The same, where whoever has the rule answers it as a learner found best; one for the learners of each seed."""
    out = []
    conditions = context.bench.holder_conditions()
    for number in range(context.budget.seeds):
        mixtures = {}
        for name, condition in conditions.items():
            uses = [use for where, use in learners.made if where == name and use.scope == "whether"]
            held = [side in condition.holders and bool(uses) for side in (context.sides[0], context.sides[-1])]
            mixtures[name] = [
                (_using(rows, uses[number]) if held[0] else rows, _using(columns, uses[number]) if held[1] else columns)
                for rows, columns in chosen.mixtures[NOBODY]
            ]
        out.append(Chosen(chosen.pools, mixtures))
    return out


def _using(mixture: Mixture, use: Strategy) -> Mixture:
    return Mixture(tuple(plain.deciding(use) for plain in mixture.strategies), mixture.weights)


def paid_surely(worth: Worth, games: int) -> Worth | None:
    """A worth that was measured with the same strategies, told as one of a sure payment; None if it was not the same.

    What strong play is paid need not be what weak play is paid. A worth of solved games needs nothing of that.
    """
    parts = [worth.overall, *(row.worth for side in worth.sides for row in side.by_amount)]
    if worth.exact or any(part.high - part.low > SAME for part in parts):
        return None
    return replace(worth, alike=False, bounds=None, sure=games)


__all__ = ["alike_everywhere", "answered_alike", "look_for_payments", "measured_surely", "paid_surely"]
