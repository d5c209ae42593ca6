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

from ...envs.core.replay import Choice, Die, Recorder
from .conditions import EVERYBODY, Condition
from .context import Context
from .estimates import paired
from .findings import Paid
from .lab import Lab
from .play import by_mixtures, play, schedule_of
from .shadow import without_it
from .strategies import Chosen, Mixture
from .workers import Job

Floats = npt.NDArray[np.float64]
SAME = 1e-5  # of payoffs, which are kept in single precision
OFTEN = 8  # games to each way of answers and dice by which a rule pays


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


def dealt(
    lab: Lab, condition: Condition, mixtures: Sequence[tuple[Mixture, Mixture]], deals: int, seed: int, hero: int
) -> dict[str, Any]:
    """What a rule pays every side by the answers to it and its own dice alone, float64[deals, sides]; else None.

    Every game is played, and once more without the rule's own dice and answers: what differs is the payment. Where the
    same answers and dice are not always paid the same, or none come twice, it goes by something else.
    """
    made, plain, sides = lab.game(condition), lab.game(Condition()), range(len(lab.bench.sides))
    own, out = frozenset(lab.own_actions), np.zeros((deals, len(sides)))
    numbers, groups = np.arange(deals), dict[tuple[Die | Choice, ...], list[int]]()
    for mine, players, pairs in by_mixtures(mixtures, numbers % len(mixtures), numbers, seed):
        played = play(lab, condition, players, pairs, numbers[mine], seed, logged=True, hero=hero)
        assert played.log is not None
        ends = np.cumsum(played.lengths)
        for game, end in enumerate(ends):
            rows = slice(int(end - played.lengths[game]), int(end))
            decisions = list(zip(played.log.seats[rows].tolist(), played.log.actions[rows].tolist()))
            dice = schedule_of(lab.bench, condition, [pairs[game]], [int(numbers[mine][game])], seed).dice
            replay, left = Recorder.follow(made, decisions, rng=dice).replay(), list[Die | Choice]()
            same = without_it(replay, plain, own, lab.marks.phases, left)
            if same is None:
                return {"payoffs": None}
            more = np.subtract(replay.payoffs, same.payoffs)
            out[mine[game]] = [more[list(lab.bench.side_seats(condition, side))].mean() for side in sides]
            groups.setdefault(tuple(left), []).append(int(mine[game]))
    alike = all(np.ptp(out[rows], axis=0).max() <= SAME for rows in groups.values())
    return {"payoffs": out if alike and OFTEN * len(groups) <= deals else None}


__all__ = ["SAME", "dealt", "measure_paid", "paid"]
