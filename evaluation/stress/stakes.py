"""Decisions that matter: where the best action proves better than the worst one, and how often that is so in a game.

Every legal action of a decision is tried on two sets of continuations. Best and worst are told by one set and compared
on the other, so that luck does not make a difference where there is none. Luck alone puts the "best" action behind as
often as ahead; so decisions at which it falls behind by as much are taken off, and of decisions that do not matter
none are counted on the average.

Of a question that only the module asks those answers alone count that good play gives now and then, however bad the
others are: else every trap that nobody walks into would be one more choice. With one such answer it is no decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .conditions import EVERYBODY, NOBODY, Condition
from .context import Context
from .dynamics import Courses
from .lab import Lab
from .play import draw_pairs, schedule_of
from .rollouts import branches_of
from .strategies import Chosen, Mixture, joined
from .workers import Job

Floats = npt.NDArray[np.float64]
LEAST = 0.1  # deviations of a result by which the best action must lead to count
REPLICATES = 2  # continuations of each action in a set
GAMES = (40, 400)  # games that are looked at, at least and at most
TIED = 5  # decimals up to which values are told apart: a payment that comes in any case must not part equal ones
RARE = 0.05  # share of an answer to a question of the module up to which it is not given, by those who play well


def gaps(first: Floats, second: Floats) -> Floats:
    """How far the best action leads the worst, told by one set and measured on the other, both ways, float64[m, 2].

    `first`, `second` [m, A] are the values of the actions by either set, NaN where not legal.
    """
    rows = np.arange(len(first))
    out = np.zeros((len(first), 2))
    if not len(first):
        return out
    for column, (told, measured) in enumerate(((first, second), (second, first))):
        known = np.round(told, TIED)
        best, worst = np.nanargmax(known, axis=1), np.nanargmin(known, axis=1)
        out[:, column] = measured[rows, best] - measured[rows, worst]
    return out


def leads_of(first: Floats, second: Floats, among: npt.NDArray[np.bool_] | None = None) -> Floats:
    """The mean of both ways of `gaps`, float64[m]; `among` bool[A]: of these actions alone, 0 with less than two."""
    if among is None:
        return gaps(first, second).mean(axis=1)
    one, other = (np.where(among, values, np.nan) for values in (first, second))
    out, some = np.zeros(len(first)), np.isfinite(one).sum(axis=1) > 1
    out[some] = gaps(one[some], other[some]).mean(axis=1)
    return out


def mattering(first: Floats, second: Floats, least: float) -> Floats:
    """For each decision 1 if its best action leads by `least`, -1 if it is behind by as much; mean of both ways.

    A decision of which less than two actions have a value counts nothing.
    """
    out, some = np.zeros(len(first)), np.isfinite(first).sum(axis=1) > 1
    found = gaps(first[some], second[some])
    out[some] = ((found > least).astype(np.float64) - (found < -least)).mean(axis=1)
    return out


def given(taken: npt.NDArray[np.int64], actions: int) -> npt.NDArray[np.bool_]:
    """Of all `actions` those that are taken in more than a small share of the cases, bool[A]; `taken` int64[m]."""
    return np.bincount(taken, minlength=actions) > RARE * len(taken)


def weighed(
    values: Floats, phases: npt.NDArray[np.int64], taken: npt.NDArray[np.int64], own: Sequence[int]
) -> npt.NDArray[np.bool_]:
    """Which actions of decisions in `phases` int64[m] count, bool[m, A]: in a phase of `own` those that are given."""
    out = np.ones(values.shape, dtype=bool)
    for phase in own:
        here = phases == phase
        out[here] = given(taken[here], values.shape[1])
    return out


def second_half(first: Floats, both: Floats) -> Floats:
    """Means over the second half of continuations, from those over the first half and over all."""
    return 2.0 * both - first


def plan(work: float, length: float, choices: float, legal: float, observation: int) -> tuple[int, float]:
    """How many games are looked at, and which share of their decisions, for so much `work`.

    Work is counted in decisions of continuations of a game with a short observation.
    """
    one = max(legal, 2.0) * 3 * REPLICATES * max(length, 1.0) / 2 * (1.0 + observation / 600.0)  # of one decision
    decisions = work / one
    games = int(np.clip(decisions / max(choices, 1.0), *GAMES))
    return games, float(min(1.0, decisions / (games * max(choices, 1.0))))


def decisions_that_matter(context: Context, chosen: Chosen, courses: Courses) -> list[Floats]:
    """How many decisions matter in each of some games, float64[games], on the same deals.

    With nobody and with everybody having the module, then with everybody by the strategies found without it, and with
    nobody by those found with it.
    """
    conditions = context.bench.holder_conditions()
    jobs = []
    for name, whose, raw in (
        (NOBODY, NOBODY, courses.nobody),
        (EVERYBODY, EVERYBODY, courses.everybody),
        (EVERYBODY, NOBODY, courses.moved[0]),
        (NOBODY, EVERYBODY, courses.moved[1]),
    ):
        told = {key: float(np.nanmean(raw.figures[key])) if np.isfinite(raw.figures[key]).any() else 0.0
                for key in ("lengths", "choices", "legal")}  # fmt: skip
        games, share = plan(
            context.budget.stakes, told["lengths"], told["choices"], told["legal"], context.observation
        )  # fmt: skip
        rows, columns = chosen.all_moved(whose, context.used and name != whose == NOBODY)
        jobs.append(
            Job("stakes", {"condition": conditions[name], "rows": rows, "columns": columns, "games": games,
                           "share": share, "least": LEAST * context.scale, "own": sorted(courses.questions),
                           "seed": context.seed("stakes")})
        )  # fmt: skip
    return [np.asarray(answer["counts"]) for answer in context.need("effect", jobs)]


# What workers do


def stakes(
    lab: Lab, condition: Condition, rows: Mixture, columns: Mixture, games: int, share: float, least: float,
    own: Sequence[str], seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Estimated number of decisions that matter in each game, float64[games], from a `share` of their decisions.

    `own`: names of the phases in which only the module asks.
    """
    players, first, second = joined(rows, columns)
    game = lab.game(condition)
    cast = [lab.guided(strategy) for strategy in players]
    numbers = np.arange(games)
    schedule = schedule_of(lab.bench, condition, draw_pairs(first, second, numbers, seed), numbers, seed)
    room = int(games * (lab.facts.longest or 4 * lab.facts.length) * min(1.0, 2 * share)) + 100
    half, both = (
        branches_of(
            game, cast, schedule.seating, range(game.n_seats), min(room, 200_000), seed, schedule.dice,
            schedule.tables, lab.marks, only_marked=False, share=share, replicates=n, observations=False,
        )
        for n in (REPLICATES, 2 * REPLICATES)
    )  # fmt: skip
    m = min(len(half.games), len(both.games))
    questions = [i for i, name in enumerate(game.spec.phases) if name in own]
    first, second = half.values[:m], second_half(half.values[:m], both.values[:m])
    counts = weighed(first, half.phases[:m], half.taken[:m], questions)
    found = mattering(np.where(counts, first, np.nan), np.where(counts, second, np.nan), least)
    return {"counts": np.bincount(half.games[:m], weights=found, minlength=games)[:games] / share}


__all__ = [
    "LEAST", "decisions_that_matter", "gaps", "given", "leads_of", "mattering", "plan", "second_half", "stakes",
    "weighed",
]  # fmt: skip
