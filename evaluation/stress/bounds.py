"""Between what the worth lies, whatever the learners have missed: bounds by the best answers to what each side plays.

Strategies that were learned are no equilibrium. But in a game of two sides, one of which wins what the other loses, the
value for a side is at least what its mixture keeps against the best answer to it, and at most what the best answer to
the other's mixture gains. Answers are learned anew against each mixture, chosen on one batch of games together with all
strategies at hand, and measured on fresh ones. The bounds hold as far as no better answer exists than those found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from .answers import strongest
from .conditions import NOBODY, Condition
from .context import Context, slug
from .estimates import interval
from .findings import Interval, Worth, WorthBounds
from .learning import COUNTER, course, learner_of
from .strategies import Chosen, Mixture, Prelude, Strategy

Floats = npt.NDArray[np.float64]


def bound_worth(context: Context, prelude: Prelude, chosen: Chosen, worth: Worth) -> Worth:
    """The worth with its bounds, where there are two sides that can have the module alone; what is sure has none."""
    if worth.exact or worth.sure or len(context.bench.sides) != 2 or context.bench.for_all:
        return worth
    context.begin("bounds")
    names = [NOBODY, *(context.bench.alone(side) for side in context.sides)]
    conditions = [context.bench.holder_conditions()[name] for name in names]
    found = answers(context, prelude, chosen, list(zip(names, conditions)))
    wanted = []
    for name, condition, (first, second) in zip(names, conditions, found):
        rows, columns = chosen.of_all(name)
        wanted += [(condition, [(rows, _alone(second))]), (condition, [(_alone(first), columns)])]
    got = context.cells("bounds", wanted, context.budget.measure, "bounds")
    played = [row.even.worth for row in worth.sides]
    return replace(worth, bounds=bounds_of(got[::2], got[1::2], played, worth.overall))


def answers(
    context: Context, prelude: Prelude, chosen: Chosen, named: Sequence[tuple[str, Condition]]
) -> list[tuple[Strategy, Strategy]]:
    """The best answers of side 0 and of side 1 to what the other plays, by condition."""
    jobs, fresh = [], {}
    for name, condition in named:
        for side in (0, 1):
            target = chosen.of_all(name)[1 - side]
            opponents = list(zip(target.strategies, target.weights))
            net, role = f"bound-{slug(name)}-{side}.npz", f"bound {side}"
            jobs.append(
                course(
                    context, prelude, COUNTER, net, role, [condition], opponents, [side], 0.0,
                    context.budget.learn_counter,
                )
            )  # fmt: skip
            label = f"best answer to {context.bench.side_names[1 - side]} where {name} has it"
            fresh[name, side] = learner_of(COUNTER, label, jobs[-1].args["net"], prelude.anchor.base, role)
    context.need("bounds", jobs)

    def best(name: str, condition: Condition, side: int) -> Strategy:
        candidates = [*chosen.pools[name][side], fresh[name, side]]
        return strongest(context, "bounds", condition, side, candidates, chosen.of_all(name)[1 - side])

    return [(best(name, condition, 0), best(name, condition, 1)) for name, condition in named]


def _alone(strategy: Strategy) -> Mixture:
    return Mixture((strategy,), (1.0,))


def bounds_of(
    kept: Sequence[Floats], gained: Sequence[Floats], played: Sequence[Interval], overall: Interval
) -> WorthBounds:
    """Bounds from margins of side 0 on the same deals, in the order nobody, side 0 alone, side 1 alone.

    `kept`: its mixture against the best answer; `gained`: its best answer against the other's mixture. What was
    `played` by each side, and `overall`, lies within, with its whole interval: an answer that is worse than the mixture
    itself says nothing, and what is told among the strategies found is no surer by that.
    """
    low = [kept[1] - gained[0], kept[0] - gained[2]]  # what side 1 gains is what side 0 loses
    high = [gained[1] - kept[0], gained[0] - kept[2]]
    sides = [_between(a, b, worth) for a, b, worth in zip(low, high, played)]
    both = _between(np.mean(low, axis=0), np.mean(high, axis=0), overall)
    return WorthBounds(both, tuple(sides), len(kept[0]))


def _between(low: Floats, high: Floats, played: Interval) -> Interval:
    """The value that was played with the ends of both intervals, each of which holds in 97.5 %."""
    ends = [interval(float(x.mean()), float(x.std(ddof=1) / len(x) ** 0.5), len(x)) for x in (low, high)]
    return Interval(played.value, min(ends[0].low, played.low), max(ends[1].high, played.high))


__all__ = ["answers", "bound_worth", "bounds_of"]
