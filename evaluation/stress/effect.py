"""What the module does to the game when everybody has it: figures of how games go, before and after.

All figures were measured on the same deals in both conditions; what a game does not have is left out, and said.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .changes import Change, change_of, change_of_samples, figures_of, part_of
from .conditions import EVERYBODY, NOBODY
from .context import Context
from .dominance import Variety
from .dynamics import Courses, jackknife_error, luck_by_group
from .findings import Dominance, Dynamics, Effect, SeatEffect, Worth
from .levels import Skill
from .stakes import decisions_that_matter
from .strategies import Chosen
from .verdict import SEAT

Floats = npt.NDArray[np.float64]
# changes from which on a figure counts as changed; LENGTH, LEADS and MATTER are shares of what it was
LENGTH, LEADS, MATTER = 0.1, 0.2, 0.2
DRAWS, UNRESOLVED, LUCK, SKILL, SEARCH, COMEBACKS = 0.05, 0.02, 0.05, 0.03, 0.05, 0.05
STRATEGIES, CYCLES = 0.5, 0.1
TINY = 0.05  # the least of those that are shares of what it was
ONE_SIDE = "there is one side"


@dataclass(frozen=True)
class Known:
    """What earlier steps have measured of how games go."""

    worth: Worth
    seat: SeatEffect | None
    dominance: Dominance
    variety: Variety
    dynamics: Dynamics
    courses: Courses
    skill: Skill


def tell_effect(context: Context, chosen: Chosen, got: Known) -> Effect:
    """All figures, with those measured here: decisions that matter."""
    context.begin("effect")
    matter = decisions_that_matter(context, chosen, got.courses)
    alone = len(context.bench.sides) == 1
    changes = [*_of_courses(got.courses, alone), *_of_skill(got), _of_matter(matter)]
    left_out: dict[str, str] = {}
    if alone:
        left_out |= dict.fromkeys(
            ("draws", "comebacks", "lead changes", "first seat", "strategies", "cycles"), ONE_SIDE
        )
    else:
        changes += _of_variety(got.dominance, got.variety)
        if got.seat is not None:
            least = SEAT * got.worth.deviation
            changes.append(change_of_samples("first seat", got.seat.nobody, got.seat.everybody, got.seat.change, least))
        if not (got.courses.nobody.leads or got.courses.everybody.leads):
            left_out |= dict.fromkeys(("comebacks", "lead changes"), "no lead shows before the end")
    changes = [c for c in changes if c.name not in left_out]
    for c in changes:
        if not np.isfinite([c.before, c.after]).all():
            left_out[c.name] = "there was nothing to measure"
    if not got.dynamics.nobody.ladder:
        left_out["search"] = "no searches were played"
    return Effect(figures_of([c for c in changes if c.name not in left_out]), left_out)


def _of_courses(courses: Courses, alone: bool) -> list[Change]:
    """Length, draws, games without an end, luck, comebacks and changes of the lead."""
    before, after = courses.nobody, courses.everybody

    def change(name: str, figure: str, counts: float, share: bool = False) -> Change:
        parts = [part_of(raw.figures[figure], raw.seeds) for raw in (before, after)]
        least = max(counts * abs(parts[0].value), TINY) if share else counts
        return change_of(name, parts[0], parts[1], least)

    out = [
        change("length", "lengths", LENGTH, share=True),
        change("unresolved", "unresolved", UNRESOLVED),
        luck_change(before.figures["margins"], after.figures["margins"]),
    ]
    if not alone:
        drawn = [
            part_of((np.abs(raw.figures["margins"]) < 1e-9).astype(np.float64), raw.seeds) for raw in (before, after)
        ]
        out += [
            change_of("draws", drawn[0], drawn[1], DRAWS),
            change("comebacks", "comeback", COMEBACKS),
            change("lead changes", "changes", LEADS, share=True),
        ]
    return out


def luck_change(before: Floats, after: Floats) -> Change:
    """The change of the share that the deal decides, from margins [replicates, deals]; jackknife on the same groups."""
    groups = [luck_by_group(margins) for margins in (before, after)]
    errors = (jackknife_error(groups[0]), jackknife_error(groups[1]), jackknife_error(groups[1] - groups[0]))
    # the mean of the estimates without a group at a time is the estimate itself, but for a part in groups squared
    return Change("luck", float(groups[0].mean()), float(groups[1].mean()), errors, len(groups[0]), LUCK)


def _of_skill(got: Known) -> list[Change]:
    """How much stronger levels beat weaker, and how much searches beat those with half their simulations."""

    def change(name: str, before: Floats, after: Floats, counts: float) -> Change:
        parts = [part_of(x[None, :], np.zeros_like(x[None, :])) for x in (before, after)]
        return change_of(name, parts[0], parts[1], counts)

    out = [change("skill", got.skill.nobody, got.skill.everybody, SKILL)]
    rungs = [raw.rungs for raw in (got.courses.nobody, got.courses.everybody)]
    if rungs[0]:
        out.append(change("search", np.mean(rungs[0], axis=0), np.mean(rungs[1], axis=0), SEARCH))
    return out


def _of_variety(dominance: Dominance, variety: Variety) -> list[Change]:
    """The number of different strategies in equilibrium, and the cyclic share of what they differ by."""
    before, after = (dominance.nobody, dominance.everybody)
    out = []
    if before.different is not None and after.different is not None:
        spread = (variety.blocks / max(variety.blocks - 1, 1)) ** 0.5  # of the bootstrap for few blocks
        a, b = variety.different
        errors = (spread * _deviation(a), spread * _deviation(b), spread * _deviation(b - a))
        values = before.different.value, after.different.value
        out.append(Change("strategies", *values, errors, variety.blocks, STRATEGIES))
    a, b = variety.cyclic
    errors = (jackknife_error(a), jackknife_error(b), jackknife_error(b - a))
    out.append(Change("cycles", float(a.mean()), float(b.mean()), errors, variety.blocks, CYCLES))
    return out


def _deviation(values: Floats) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0


def _of_matter(counts: dict[str, Floats]) -> Change:
    """Decisions that matter in a game, on the deals that were looked at in both conditions."""
    n = min(len(found) for found in counts.values())
    parts = [part_of(counts[name][None, :n], np.zeros((1, n))) for name in (NOBODY, EVERYBODY)]
    return change_of("decisions", parts[0], parts[1], max(MATTER * abs(parts[0].value), TINY))


__all__ = ["Known", "luck_change", "tell_effect"]
