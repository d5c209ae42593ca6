"""What the module is worth where it is overlooked: by who has it, or by those who play against it.

People overlook things: they never use a rule, use it whenever they can, miss it now and then, or do not reckon with it
on the other side. All else is the strongest play found, so that what is lost is lost by the oversight.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .conditions import NOBODY, Condition
from .context import Context
from .findings import Oversight, Sample, Use, Worth
from .lab import Lab
from .levels import mean_rate, worth_of
from .play import draw_pairs, play
from .strategies import Chosen, Mixture, Pair, joined
from .tree import clustered_share
from .typical import Cast
from .workers import Job
from .worth import widened

Floats = npt.NDArray[np.float64]
OVERLOOK, OVERLOOKED = "overlook", 0.4  # with this chance, by which beginners (level 2) overlook any action
HELD = ("never", OVERLOOK, "always")  # ways of using it where it can be declined
BLIND = ("random",)  # where all answers are its own
UNSEEN = "unseen"
NAMES = {  # of their casts
    "never": "its holder never thinks of it", OVERLOOK: "its holder overlooks it now and then",
    "always": "its holder uses it at once", "random": "its holder answers blindly",
    UNSEEN: "the others do not reckon with it",
}  # fmt: skip


def look_for_oversights(
    context: Context, chosen: Chosen, use: Use, worth: Worth
) -> tuple[tuple[Oversight, ...], list[Cast]]:
    """What having it alone is worth with each oversight, mean of the sides, how often it is used then, and who plays.

    That is its `worth` to the same strategies without one, less what the oversight loses. The casts, in the same order,
    are those of games in which the first side has it.
    """
    bench = context.bench
    if bench.whole_table:
        return (), []
    ways = (HELD if use.opportunities else BLIND if use.forced else ()) if context.used else ()
    names = [*ways, *([UNSEEN] if len(bench.sides) > 1 and not bench.several else [])]
    if not names:
        return (), []
    conditions, deals = bench.holder_conditions(), max(20, context.budget.measure // 4)
    margins, rates, casts = {name: [] for name in names}, {name: [] for name in names}, list[Cast]()
    asked = set(names) - set(BLIND)
    for side in context.sides:
        alone = bench.alone(side)

        def playing(having: Pair, without: Pair, side: int = side) -> list[Pair]:
            """Who plays without an oversight and with each, from what is played where this side has it, and nobody."""
            (mine, theirs), (_, others) = _seen_by(having, side), _seen_by(without, side)
            met = others if bench.several else theirs  # several others stay as they are, with the module and without
            held = [(_held(mine, way), met) for way in ways]
            return [(mine, met), *held, *([(mine, others)] if UNSEEN in names else [])]

        _, *played = playing(chosen.of_all(alone), chosen.of_all(NOBODY))
        by_seed = list(zip(*map(playing, chosen.of_seeds(alone), chosen.of_seeds(NOBODY))))
        if side == 0:
            casts = [Cast(NAMES[name], conditions[alone], *pair) for name, pair in zip(names, played)]
        wanted: list[tuple[Condition, Sequence[Pair]]] = [(conditions[alone], pairs) for pairs in by_seed]
        free, *got = context.cells("levels", wanted, deals, "oversights", side)
        jobs = [
            Job("held_rate", {"condition": conditions[alone], "mine": pair[0], "others": pair[1], "hero": side,
                              "deals": max(40, context.budget.rates // 4), "seed": context.seed("oversights")})
            for pair in played
        ]  # fmt: skip
        seen = context.need("levels", jobs) if context.used else [None] * len(played)
        for name, margin, rate in zip(names, got, seen):
            margins[name].append((margin, free))
            rates[name] += [(rate["rate"], rate["error"])] if rate else []
            asked |= {name} if rate and rate["asked"] else set()
    seeds = context.budget.seeds
    # whoever has a rule that asks only those who have not got it answers nothing
    casts = [cast for name, cast in zip(names, casts) if name in asked]
    names = [name for name in names if name in asked]
    made = {name: less(worth.played, margins[name], seeds) for name in names}
    found = [
        Oversight(name, made[name], *mean_rate(rates[name]), OVERLOOKED if name == OVERLOOK else 0.0) for name in names
    ]
    return tuple(found), casts


def less(worth: Sample, pairs: Sequence[tuple[Floats, Floats]], seeds: int) -> Sample:
    """A worth less what an oversight loses, from margins of each side with it and without, on the same deals.

    The same strategies play both times, so that a rule without effect loses nothing, whatever was learned. Both errors
    are independent: they come from other deals (MOVER: Zou and Donner 2008).
    """
    change = widened(worth_of(pairs), np.mean([held - free for held, free in pairs], axis=0), seeds)
    value = worth.value + change.value
    low = np.hypot(worth.value - worth.low, change.value - change.low)
    high = np.hypot(worth.high - worth.value, change.high - change.value)
    return Sample(value, value - float(low), value + float(high), change.games)


def _seen_by(mixtures: Pair, side: int) -> Pair:
    """What a side plays, and what all others do."""
    return mixtures[side], mixtures[1 - side]


def _held(mixture: Mixture, use: str) -> Mixture:
    held = (s.overlooking(OVERLOOKED) if use == OVERLOOK else s.using(use) for s in mixture.strategies)
    return Mixture(tuple(held), mixture.weights)


# What workers do


def held_rate(
    lab: Lab, condition: Condition, mine: Mixture, others: Mixture, hero: int, deals: int, seed: int
) -> dict[str, float | bool | None]:
    """How often side `hero` uses the module where it can be used and left alone, with its standard error.

    `asked`: whether it was asked anything by the module at all.
    """
    players, first, second = joined(mine, others)
    numbers = np.arange(deals)
    pairs = draw_pairs(first, second, numbers, seed)
    played = play(lab, condition, players, pairs, numbers, seed, logged=True, hero=hero)
    log = played.log
    assert log is not None
    own = np.isin(log.seats, lab.bench.side_seats(condition, hero))
    free, asked = log.free & own, bool((log.offered & own).any())
    if not free.any():
        return {"rate": None, "error": None, "asked": asked}
    rate, error = clustered_share(log.taken[free], played.games_of_log()[: len(log)][free])
    return {"rate": rate, "error": error if np.isfinite(error) else None, "asked": asked}


__all__ = ["BLIND", "HELD", "NAMES", "OVERLOOKED", "UNSEEN", "held_rate", "less", "look_for_oversights"]
