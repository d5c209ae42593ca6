"""Does the module change who wins: luck share, drama, length of games, and the ladder of search budgets.

`Courses` are the games behind it, deal by deal, from which `effect` tells what changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ...envs.core.abi import STOPPED
from .budget import Budget
from .conditions import EVERYBODY, NOBODY, Condition
from .context import Context
from .estimates import mean_of, scored
from .findings import Dynamics, Luck, Mean, Play, Rung
from .lab import Lab
from .play import Played, by_mixtures, play
from .strategies import Chosen, Pair, Prelude, Strategy
from .workers import Job

BEHIND = 1e-6  # leads smaller than this count as level
GROUPS = 20  # of deals, for the jackknife
FEWEST = 6  # deals of a rung
SHARE = (0.0, 1.0)  # between what scores and shares lie
KEPT_APART = ("stopped", "seeds", "leads", "phases", "further")  # answers of a course that are no figures
Floats = np.ndarray


@dataclass(frozen=True)
class Raw:
    """Games of one condition: figures by name, float64[replicates, deals] (see `course`), and scores of rungs by deal.

    `seeds` int64[replicates, deals]: whose learners played. `leads`: whether a lead shows before the end. `phases`:
    decisions a game in every phase that was met. `further`: those of them that took an action of
    the module on top of another decision.
    """

    figures: dict[str, Floats]
    seeds: np.ndarray
    rungs: tuple[Floats, ...]
    leads: bool
    phases: dict[str, float]
    further: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Courses:
    """The games with nobody and with everybody having the module, on the same deals.

    `moved`: with the module by the strategies found without it, and without it by those found with it; no rungs.
    """

    nobody: Raw
    everybody: Raw
    moved: tuple[Raw, Raw]

    @property
    def own(self) -> float:
        """The module's own decisions a game: in phases that only the games with it have, and on top of others."""
        return self.asked(self.everybody)

    def asked(self, raw: Raw) -> float:
        """The module's own decisions in the games of one condition, a game."""
        own = sum(count for phase, count in raw.phases.items() if phase in self.questions)
        return own + sum(count for phase, count in raw.further.items() if phase not in self.questions)

    @property
    def questions(self) -> frozenset[str]:
        """The phases that only the games with the module have."""
        with_it, without = (self.everybody, self.moved[0]), (self.nobody, self.moved[1])
        return frozenset(phase for raw in with_it for phase in raw.phases).difference(*(raw.phases for raw in without))


def measure_dynamics(context: Context, prelude: Prelude, chosen: Chosen) -> tuple[Dynamics, Courses]:
    """Luck share, drama and length, and the ladder of searches, with nobody and with everybody having it."""
    context.begin("dynamics")
    b = context.budget
    conditions = context.bench.holder_conditions()
    ladder, deals = ladder_plan(b, prelude)
    steps = ladder_of(ladder, prelude.rollout)
    jobs = []
    for name in (NOBODY, EVERYBODY):
        same = {"condition": conditions[name]}
        jobs.append(
            Job("course", {**same, "mixtures": list(chosen.of_seeds(name)), "deals": (0, b.course),
                           "replicates": b.replicates, "seed": context.seed("course")})
        )  # fmt: skip
        jobs += [
            Job("rung", {**same, "strong": strong, "weak": weak, "deals": (0, deals), "seed": context.seed("ladder")})
            for strong, weak in steps
        ]
    half = len(jobs) // 2
    for where, whose in ((EVERYBODY, NOBODY), (NOBODY, EVERYBODY)):
        mixtures = chosen.moved(whose, context.used and whose == NOBODY)
        jobs.append(replace(jobs[0], args={**jobs[0].args, "condition": conditions[where], "mixtures": mixtures}))
    answers = context.need("dynamics", jobs)
    both = (answers[:half], answers[half : 2 * half])
    first, second = (_raw_of([answer]) for answer in answers[2 * half :])
    courses = Courses(_raw_of(both[0]), _raw_of(both[1]), (first, second))
    return Dynamics(*(_play_of(part, [s.agent for s, _ in steps]) for part in both)), courses


def ladder_plan(budget: Budget, prelude: Prelude) -> tuple[tuple[int, ...], int]:
    """Simulations of the searches of the ladder, and the deals of every rung, by what the budget has for all rungs.

    Where games are so long that not even the FEWEST deals fit, there are fewer rungs: one that tells something is worth
    more than several that tell nothing. The first one stays.
    """
    work = budget.rung_work * (len(budget.ladder) - 1)  # decisions of continuations
    for last in range(len(budget.ladder), 1, -1):
        ladder = budget.ladder[:last]
        sims = sum((weak + strong) / 2 for weak, strong in pairwise(ladder))
        deal = 2 * prelude.choices * sims * prelude.length / 2  # of all rungs
        deals = round(work / max(deal, 1.0))
        if deals >= FEWEST:
            return ladder, min(budget.rung, deals)
    return budget.ladder[:2], min(budget.rung, FEWEST)


def _raw_of(answers: Sequence[Any]) -> Raw:
    """What is kept of the answers of a course and of the rungs of the ladder."""
    played, *rungs = answers
    figures = {name: np.asarray(values) for name, values in played.items() if name not in KEPT_APART}
    scores = tuple(np.asarray(answer["scores"]) for answer in rungs)
    return Raw(figures, np.asarray(played["seeds"]), scores, bool(played["leads"]), played["phases"], played["further"])


def _play_of(answers: Sequence[Any], searches: Sequence[str]) -> Play:
    """How games go, from the answers of a course and of the rungs of the ladder."""
    played, *rungs = answers
    margins = np.asarray(played["margins"])
    between, within, share, error = luck_share(margins)
    return Play(
        Luck(share, error, between, within),
        int(margins.size),
        _mean_of_deals(np.asarray(played["drama"]), SHARE),
        _mean_of_deals(np.asarray(played["comeback"]), SHARE),
        _mean_of_deals(np.asarray(played["changes"])),
        _mean_of_deals(np.asarray(played["lengths"])),
        float((np.abs(margins) < 1e-9).mean()),
        tuple(_rung_of(search, np.asarray(answer["scores"])) for search, answer in zip(searches, rungs)),
        float(np.asarray(played["unresolved"]).mean()),
    )


def _mean_of_deals(values: np.ndarray, reach: tuple[float, float] | None = None) -> Mean:
    """The mean of values [replicates, deals] over deals, which are what is independent; NaN counts as unknown.

    `reach`: between what every value must lie, where that is known.
    """
    known = np.isfinite(values)
    means = np.where(known.any(axis=0), np.nansum(values, axis=0) / np.maximum(known.sum(axis=0), 1), np.nan)
    return mean_of(means[np.isfinite(means)], reach)


def _rung_of(search: str, scores: np.ndarray) -> Rung:
    found = mean_of(scores, SHARE)
    return Rung(search, float(found.mean or 0.0), found.error, 2 * len(scores))


# What workers do


def course(
    lab: Lab, condition: Condition, mixtures: Sequence[Pair], deals: tuple[int, int], replicates: int, seed: int
) -> dict[str, Any]:
    """The same deals played several times over with other choices; figures are float64[replicates, deals].

    In replicate r deal i is played by the pair of mixtures number (i + r) % len(mixtures), `seeds` tells which.
    Figures: margins, lengths, unresolved (1: stopped by the limit), choices (decisions with several legal actions),
    legal (their mean number there), drama, comeback, changes (see `tension`). `leads`: whether a lead ever showed
    before the end; `phases`: decisions a game in every phase that was met, by its name; `further`: actions of the
    module a game that came on top of others, by the phase in which they were taken.
    """
    numbers = np.arange(*deals)
    figures: dict[str, np.ndarray] = {}
    seeds = (numbers[None, :] + np.arange(replicates)[:, None]) % len(mixtures)
    shown = False
    names = lab.game(condition).spec.phases
    own = own_phases(lab, names)
    asked, further = np.zeros(len(names)), np.zeros(len(names))
    for replicate in range(replicates):
        for mine, players, pairs in by_mixtures(mixtures, seeds[replicate], numbers, seed + replicate):
            played = play(lab, condition, players, pairs, numbers[mine], seed, again=replicate, logged=True)
            told = tension(lab, condition, played, own) | choices_of(played)
            told["margins"] = played.margins
            told["lengths"] = played.lengths.astype(np.float64)
            told["unresolved"] = (played.status == STOPPED).astype(np.float64)
            assert played.log is not None
            asked += np.bincount(played.log.phases, minlength=len(names))
            on_top = played.log.phases[np.isin(played.log.actions, lab.facts.further)]
            further += np.bincount(on_top, minlength=len(names))
            between = np.isin(played.log.phases, own)
            shown = shown or bool((np.abs(played.log.leads[~between]) > BEHIND).any())
            for name, values in told.items():
                figures.setdefault(name, np.full(seeds.shape, np.nan))[replicate, mine] = values
    phases, more = (
        {names[i]: float(count[i] / seeds.size) for i in np.flatnonzero(count)} for count in (asked, further)
    )
    return {
        **figures,
        "seeds": seeds,
        "stopped": int(figures["unresolved"].sum()),
        "leads": shown,
        "phases": phases,
        "further": more,
    }


def choices_of(played: Played) -> dict[str, np.ndarray]:
    """Decisions with several legal actions in every game, and how many actions were legal there on the average."""
    log, n = played.log, len(played.margins)
    assert log is not None
    game_of = played.games_of_log()[: len(log)]
    real = log.legal > 1
    count = np.bincount(game_of[real], minlength=n).astype(np.float64)
    legal = np.bincount(game_of[real], weights=log.legal[real], minlength=n)
    return {"choices": count, "legal": np.where(count > 0, legal / np.maximum(count, 1), np.nan)}


def own_phases(lab: Lab, names: Sequence[str]) -> list[int]:
    """Numbers in `names`, the phases of a game, of those in which the module under test asks."""
    with_it = lab.game(lab.bench.everybody()).spec.phases
    own = {with_it[phase] for phase in lab.marks.phases}
    return [number for number, name in enumerate(names) if name in own]


def tension(lab: Lab, condition: Condition, played: Played, asking: Sequence[int] = ()) -> dict[str, np.ndarray]:
    """Drama, comeback and changes of the lead of every game, from the leads in its log (Browne 2008).

    How the game stands while the module asks (in its phases `asking`) is no lead: of two payments one comes first.

    The end of a game counts as a change of the lead, too, if another side wins than was ahead: a rule that asks
    something once all is decided must not show what was not looked at without it. A game without a winner, or whose log
    was lost, has NaN. With more than two sides what another one is ahead by tells nothing of side 0, so that its own
    decisions alone count.
    """
    n = len(played.margins)
    log = played.log
    assert log is not None
    game_of = played.games_of_log()[: len(log)]
    own = set(lab.bench.side_seats(condition, 0))
    on_side = np.isin(log.seats, sorted(own))
    leads = np.where(on_side, log.leads, -log.leads)  # of side 0
    counts = np.ones(len(log), dtype=bool) if len(lab.bench.sides) <= 2 else on_side
    if asking:
        counts = counts & ~np.isin(log.phases, asking)
    game_of, leads = game_of[counts], leads[counts]
    winner = np.sign(np.where(np.abs(played.margins) < 1e-9, 0.0, played.margins))
    of_winner = leads * winner[game_of]
    scale = max(float(np.abs(played.margins).max(initial=0.0)) * 2.0, 1e-9)
    behind = of_winner < -BEHIND
    depth = np.sqrt(np.minimum(1.0, np.where(behind, -of_winner, 0.0) / scale))
    count = np.bincount(game_of[behind], minlength=n)
    drama = np.bincount(game_of, weights=depth, minlength=n) / np.maximum(count, 1)
    end = final_leads(lab, condition, played.outcome.payoffs)
    order = np.argsort(np.concatenate((game_of, np.arange(n))), kind="stable")
    leads, game_of = np.concatenate((leads, end))[order], np.concatenate((game_of, np.arange(n)))[order]
    signs = np.sign(np.where(np.abs(leads) < BEHIND, 0.0, leads))
    moved = np.flatnonzero(signs)
    same_game = game_of[moved][1:] == game_of[moved][:-1]
    turned = same_game & (signs[moved][1:] != signs[moved][:-1])
    changes = np.bincount(game_of[moved][1:][turned], minlength=n).astype(np.float64)
    decided = winner != 0
    return {
        "drama": np.where(decided, drama, np.nan),
        "comeback": np.where(decided, (count > 0).astype(np.float64), np.nan),
        "changes": changes,
    }


def final_leads(lab: Lab, condition: Condition, payoffs: np.ndarray) -> np.ndarray:
    """By what side 0 is ahead of the best other side in the end, from payoffs float64[n, seats]; 0 without others."""
    sides = range(len(lab.bench.sides))
    own, *rest = (payoffs[:, list(lab.bench.side_seats(condition, side))].mean(axis=1) for side in sides)
    return own - np.max(rest, axis=0) if rest else np.zeros(len(payoffs))


def luck_share(margins: np.ndarray) -> tuple[float, float, float, float]:
    """Share of the variance of results that the deal decides: one-way analysis of variance over replicates [r, deals].

    Returns (between, within, share, standard error of the share by the jackknife over 20 groups of deals); the share
    is between / (between + within), with between freed of the part that within adds (Searle, Casella and McCulloch
    1992, Variance components).
    """

    between, within = _components(margins)
    between = max(between, 0.0)
    share = between / (between + within) if between + within > 0 else 0.0
    return between, within, share, jackknife_error(luck_by_group(margins))


def _components(margins: np.ndarray) -> tuple[float, float]:
    """Variance between deals, and within them, of margins [replicates, deals]; the first may come out below nothing."""
    within = float(margins.var(axis=0, ddof=1).mean())
    between = float(margins.mean(axis=0).var(ddof=1)) - within / len(margins)
    return between, within


def luck_by_group(margins: np.ndarray) -> np.ndarray:
    """The share of the variance that the deal decides, without one group of deals at a time, float64[GROUPS].

    Below nothing where the estimate is: cut off there it would have no error.
    """
    groups = np.arange(margins.shape[1]) % GROUPS
    shares = []
    for g in range(GROUPS):
        b, w = _components(margins[:, groups != g])
        shares.append(b / (b + w) if b + w > 0 else 0.0)
    return np.array(shares)


def jackknife_error(values: np.ndarray) -> float:
    """Standard error of an estimate from what it is without one of n groups at a time."""
    n = len(values)
    return float(np.sqrt((n - 1) / n * ((values - values.mean()) ** 2).sum()))


def rung(
    lab: Lab, condition: Condition, strong: Strategy, weak: Strategy, deals: tuple[int, int], seed: int
) -> dict[str, Any]:
    """A stronger against a weaker search, both ways of sitting: margins and scores of the stronger, float64[deals]."""
    numbers = np.arange(*deals)
    both = [(0, 1), (1, 0)]
    pairs = [pair for pair in both for _ in numbers]
    played = play(lab, condition, [strong, weak], pairs, np.tile(numbers, 2), seed)
    signed = played.margins.reshape(2, -1) * np.array([[1.0], [-1.0]])
    return {"margins": signed.mean(axis=0), "scores": scored(signed).mean(axis=0)}


def ladder_of(budgets: Sequence[int], rollout: str) -> list[tuple[Strategy, Strategy]]:
    """Pairs of searches, each with twice the simulations of the other; `rollout` plays them (see `Prelude`).

    None follows a trained policy: one ships for the plain rules at most, and would tell them apart from those with the
    module by what was learned of them, not by what thinking ahead tells.
    """
    by = "prior=rollout," if rollout == "auto" else f"rollout={rollout},prior=rollout,"
    named = [Strategy(f"search with {n} simulations", agent=f"search:{by}sims={n}") for n in budgets]
    return [(strong, weak) for weak, strong in pairwise(named)]


__all__ = [
    "GROUPS", "Courses", "Raw", "choices_of", "course", "final_leads", "jackknife_error", "ladder_of", "ladder_plan",
    "luck_by_group", "luck_share", "measure_dynamics", "rung", "tension",
]  # fmt: skip
