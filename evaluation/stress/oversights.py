"""What the module is worth where it is overlooked: by who has it, or by those who play against it.

People overlook things: they never use a rule, use it whenever they can, miss it now and then, or do not reckon with it
on the other side. All else is the strongest play found, so that what is lost is lost by the oversight.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .conditions import NOBODY, Condition
from .context import Context
from .findings import Oversight, Use
from .lab import Lab
from .levels import mean_rate, worth_of
from .play import draw_pairs, play
from .strategies import Chosen, Mixture, Pair, joined
from .tree import clustered
from .typical import Cast
from .workers import Job

OVERLOOK, OVERLOOKED = "overlook", 0.4  # with this chance, by which beginners (level 2) overlook any action
HELD = ("never", OVERLOOK, "always")  # ways of using it where it can be declined
BLIND = ("random",)  # where all answers are its own
UNSEEN = "unseen"
NAMES = {  # of their casts
    "never": "its holder never thinks of it", OVERLOOK: "its holder overlooks it now and then",
    "always": "its holder uses it at once", "random": "its holder answers blindly",
    UNSEEN: "the others do not reckon with it",
}  # fmt: skip


def look_for_oversights(context: Context, chosen: Chosen, use: Use) -> tuple[tuple[Oversight, ...], list[Cast]]:
    """What having it alone is worth with each oversight, mean of the sides, how often it is used then, and who plays.

    The casts, in the same order, are those of games in which the first side has it.
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
    for side in context.sides:
        alone = bench.alone(side)
        mine, theirs = _of(chosen, alone, side)
        plain, others = _of(chosen, NOBODY, side)
        # against several others they stay as they are, with the module and without
        met = others if bench.several else theirs
        played = [(_held(mine, way), met) for way in ways] + [(mine, others)] * (UNSEEN in names)
        if side == 0:
            casts = [Cast(NAMES[name], conditions[alone], *pair) for name, pair in zip(names, played)]
        wanted: list[tuple[Condition, Sequence[Pair]]] = [(conditions[NOBODY], [(plain, others)])]
        wanted += [(conditions[alone], [pair]) for pair in played]
        without, *got = context.cells("levels", wanted, deals, "oversights", side)
        jobs = [
            Job("held_rate", {"condition": conditions[alone], "mine": pair[0], "others": pair[1], "hero": side,
                              "deals": max(40, context.budget.rates // 4), "seed": context.seed("oversights")})
            for pair in played
        ]  # fmt: skip
        seen = context.need("levels", jobs) if context.used else [None] * len(played)
        for name, margin, rate in zip(names, got, seen):
            margins[name].append((margin, without))
            rates[name] += [(rate["rate"], rate["error"])] if rate else []
    found = (
        Oversight(name, worth_of(margins[name]), *mean_rate(rates[name]), OVERLOOKED if name == OVERLOOK else 0.0)
        for name in names
    )
    return tuple(found), casts


def _of(chosen: Chosen, name: str, side: int) -> Pair:
    """What a side plays in a condition, and what all others do."""
    mixtures = chosen.of_all(name)
    return mixtures[side], mixtures[1 - side]


def _held(mixture: Mixture, use: str) -> Mixture:
    held = (s.overlooking(OVERLOOKED) if use == OVERLOOK else s.using(use) for s in mixture.strategies)
    return Mixture(tuple(held), mixture.weights)


# What workers do


def held_rate(
    lab: Lab, condition: Condition, mine: Mixture, others: Mixture, hero: int, deals: int, seed: int
) -> dict[str, float | None]:
    """How often side `hero` uses the module where it can be used and left alone, with its standard error."""
    players, first, second = joined(mine, others)
    numbers = np.arange(deals)
    pairs = draw_pairs(first, second, numbers, seed)
    played = play(lab, condition, players, pairs, numbers, seed, logged=True, hero=hero)
    log = played.log
    assert log is not None
    own = np.isin(log.seats, lab.bench.side_seats(condition, hero))
    free = log.free & own
    if not free.any():
        return {"rate": None, "error": None}
    rate, error = clustered(log.taken[free].astype(float), played.games_of_log()[: len(log)][free])
    return {"rate": rate, "error": error}


__all__ = ["BLIND", "HELD", "NAMES", "OVERLOOKED", "UNSEEN", "held_rate", "look_for_oversights"]
