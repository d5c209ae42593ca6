"""What is paid where payoffs need not add up to nothing: what the holder itself gets, and what all others do.

What having a rule is worth is told as half of a lead. A rule that pays everybody alike is worth nothing by that, and
one that pays all others alone is a handicap, although its holder loses nothing. So the same players play with it and
without, on the same deals, and what every side is paid is compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .conditions import EVERYBODY, Condition
from .context import Context
from .estimates import paired
from .findings import Paid
from .lab import Lab
from .play import by_mixtures, play
from .strategies import Chosen, Mixture
from .workers import Job

Floats = npt.NDArray[np.float64]


def measure_paid(context: Context, chosen: Chosen) -> Paid | None:
    """What sides get more where one alone, or all, have the module; None where what one wins others lose."""
    bench = context.bench
    if bench.zero_sum or len(bench.sides) < 2:
        return None
    conditions, deals = bench.holder_conditions(), max(1, context.budget.measure // 4)
    asked = [] if bench.for_all else [(bench.alone(side), side) for side in context.sides]
    jobs = []
    for name, side in [*asked, (EVERYBODY, 0)]:
        pairs = [(pair[side], pair[1 - side]) for pair in chosen.of_seeds(name)]
        args = {"conditions": [conditions[name], Condition()], "mixtures": pairs, "deals": deals,
                "seed": context.seed("paid"), "hero": side}  # fmt: skip
        jobs.append(Job("paid", args, float(deals)))
    gaps = [np.subtract(*np.asarray(answer["payoffs"], dtype=np.float64)) for answer in context.need("measure", jobs)]
    everybody = gaps.pop().mean(axis=1)
    if not asked:
        return Paid(None, None, None, paired(everybody, np.zeros(deals)))
    own = np.mean([gap[:, side] for gap, (_, side) in zip(gaps, asked)], axis=0)
    others = np.mean([np.delete(gap, side, axis=1).mean(axis=1) for gap, (_, side) in zip(gaps, asked)], axis=0)
    together = own + (len(bench.sides) - 1) * others
    return Paid(*(paired(change, np.zeros(deals)) for change in (own, others, together, everybody)))


# What workers do


def paid(
    lab: Lab, conditions: Sequence[Condition], mixtures: Sequence[tuple[Mixture, Mixture]], deals: int, seed: int,
    hero: int,
) -> dict[str, Any]:  # fmt: skip
    """Mean payoffs of every side, float32[conditions, deals, sides], by the same players in all conditions.

    Deal i is played by the pair of mixtures `mixtures[i % len(mixtures)]`, the first on side `hero`.
    """
    numbers, sides = np.arange(deals), range(len(lab.bench.sides))
    out = np.zeros((len(conditions), deals, len(sides)), dtype=np.float32)
    for mine, players, pairs in by_mixtures(mixtures, numbers % len(mixtures), numbers, seed):
        for at, condition in enumerate(conditions):
            payoffs = play(lab, condition, players, pairs, numbers[mine], seed, hero=hero).outcome.payoffs
            for side in sides:
                out[at, mine, side] = payoffs[:, list(lab.bench.side_seats(condition, side))].mean(axis=1)
    return {"payoffs": out}


__all__ = ["measure_paid", "paid"]
