"""What the module does to the game when everybody has it: figures of how games go, before and after.

All figures were measured on the same deals in both conditions; what a game does not have is left out, and said.
Strategies are found anew for each condition, and the luck of learning makes them differ even where a rule does nothing.
So each figure is measured with the same strategies, too: those found without the rule play with it, those found with it
play without. Only what changes there as well is said to change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from .changes import Change, Part, change_of, change_of_samples, figures_of, part_of
from .conditions import EVERYBODY, NOBODY, Condition
from .context import Context
from .dominance import Variety
from .dynamics import Courses, jackknife_error, luck_by_group
from .estimates import scored
from .findings import Dominance, Dynamics, Effect, SeatEffect, Worth
from .levels import Skill
from .stakes import decisions_that_matter
from .strategies import Chosen, Pair
from .verdict import SEAT

Floats = npt.NDArray[np.float64]
# changes from which on a figure counts as changed; LENGTH, LEADS and MATTER are shares of what it was
LENGTH, LEADS, MATTER = 0.1, 0.2, 0.2
DRAWS, UNRESOLVED, LUCK, SKILL, SEARCH, COMEBACKS = 0.05, 0.02, 0.05, 0.03, 0.05, 0.05
STRATEGIES, CYCLES = 0.5, 0.1
TINY = 0.05  # the least of those that are shares of what it was
ONE_SIDE = "there is one side"
ONCE = "one strategy alone was learned, which tells nothing of the luck of learning"


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
    """All figures, with those measured here: decisions that matter, and what a seat is worth to the same strategies."""
    context.begin("effect")
    matter = decisions_that_matter(context, chosen, got.courses)
    alone = len(context.bench.sides) == 1
    paid = 0 if context.used else alike_when_paid(got.worth, got.courses)
    changes = [*of_courses(got.courses, alone), *_of_skill(got, paid), _of_matter(matter)]
    left_out: dict[str, str] = {}
    if alone:
        left_out |= dict.fromkeys(
            ("draws", "comebacks", "lead changes", "first seat", "strategies", "cycles"), ONE_SIDE
        )
    else:
        variety = of_variety(got.dominance, got.variety)
        changes += variety
        left_out |= {c.name: ONCE for c in variety if not np.isfinite(c.after)}
        if got.seat is not None:
            changes.append(_of_seat(got.seat, got.worth, () if got.worth.exact else _moved_seats(context, chosen)))
        if not (got.courses.nobody.leads or got.courses.everybody.leads):
            left_out |= dict.fromkeys(("comebacks", "lead changes"), "no lead shows before the end")
    for c in changes:
        if not np.isfinite([c.before, c.after]).all():
            left_out.setdefault(c.name, "there was nothing to measure")
    if not got.dynamics.nobody.ladder:
        left_out["search"] = "no searches were played"
    return Effect(figures_of([c for c in changes if c.name not in left_out]), left_out, got.courses.own)


def of_courses(courses: Courses, alone: bool) -> list[Change]:
    """Length, draws, games without an end, luck, comebacks and changes of the lead.

    A module's own decisions are the rule, not what it does to the game: they do not count for its length, be they
    answers to its questions or actions on top of a decision of the game.
    """
    all_four = (courses.nobody, courses.everybody, *courses.moved)

    def change(
        name: str, figures: Sequence[Floats], counts: float, share: bool = False, of_games: bool = False
    ) -> Change:
        before, after, *moved = (part_of(values, raw.seeds) for values, raw in zip(figures, all_four))
        least = max(counts * abs(before.value), TINY) if share else counts
        one, other = (alike_in(values) if of_games else 0 for values in figures[:2])
        return change_of(name, before, after, least, moved, (one, other))

    def of(figure: str) -> list[Floats]:
        return [raw.figures[figure] for raw in all_four]

    out = [
        change("length", [raw.figures["lengths"] - courses.asked(raw) for raw in all_four], LENGTH, share=True),
        change("unresolved", of("unresolved"), UNRESOLVED, of_games=True),
        luck_change(*of("margins")),
    ]
    if not alone:
        drawn = [(np.abs(margins) < 1e-9).astype(np.float64) for margins in of("margins")]
        out += [
            change("draws", drawn, DRAWS, of_games=True),
            change("comebacks", of("comeback"), COMEBACKS, of_games=True),
            change("lead changes", of("changes"), LEADS, share=True),
        ]
    return out


def alike_in(values: Floats) -> int:
    """In how many games a figure was known, if it was the same in all of them; else 0."""
    known = values[np.isfinite(values)]
    return len(known) if len(known) and (known == known[0]).all() else 0


def luck_change(before: Floats, after: Floats, *moved: Floats) -> Change:
    """The change of the share that the deal decides, from margins [replicates, deals]; jackknife on the same groups."""
    groups = [luck_by_group(margins) for margins in (before, after, *moved)]
    errors = (jackknife_error(groups[0]), jackknife_error(groups[1]), jackknife_error(groups[1] - groups[0]))
    # the mean of the estimates without a group at a time is the estimate itself, but for a part in groups squared
    means = [max(float(found.mean()), 0.0) for found in groups]
    direct = _direct(groups, jackknife_error, means) if moved else ()
    return Change("luck", means[0], means[1], errors, len(groups[0]), LUCK, direct)


def _direct(
    values: Sequence[Floats], error: Callable[[Floats], float], means: Sequence[float] = ()
) -> tuple[tuple[float, float], ...]:
    """Changes with the same strategies and their errors, from values before, after and moved both ways."""
    before, after, there, back = values
    b, a, t, k = means or [float(x.mean()) for x in values]
    return (t - b, error(there - before)), (a - k, error(after - back))


def alike_when_paid(worth: Worth, courses: Courses) -> int:
    """In how many games a sure payment turned no result round, by the same strategies; 0 if it did, or none is sure.

    Whoever is paid the same whatever is played chooses as ever: no more than who is ahead can be another.
    """
    before, after = courses.nobody.figures["margins"], courses.moved[0].figures["margins"]
    return int(before.size) if worth.sure and np.array_equal(scored(before), scored(after)) else 0


def _of_skill(got: Known, paid: int = 0) -> list[Change]:
    """How much stronger levels beat weaker, and how much searches beat those with half their simulations.

    `paid`: games in which the rule only paid what is sure, and nobody else won; searches tell no more of it.
    """

    def part(scores: Floats) -> Part:
        return part_of(scores[None, :], np.zeros((1, len(scores)), dtype=np.int64))

    skill = got.skill
    cases = alike_in(skill.nobody), alike_in(skill.everybody)
    moved = [part(x) for x in skill.moved]
    out = [change_of("skill", part(skill.nobody), part(skill.everybody), SKILL, moved, cases)]
    rungs = [raw.rungs for raw in (got.courses.nobody, got.courses.everybody)]
    if rungs[0]:  # searches are the same strategies in both
        before, after = (np.mean(scores, axis=0) for scores in rungs)
        one, other = alike_in(before), alike_in(after)
        if paid and np.array_equal(before, after):
            return [*out, change_of("search", part(before), part(after), SEARCH, cases=(one and paid, other and paid))]
        out.append(change_of("search", part(before), part(after), SEARCH, cases=(one, other)))
    return out


def of_variety(dominance: Dominance, variety: Variety) -> list[Change]:
    """The number of different strategies in equilibrium, and the cyclic share of what they differ by.

    Strategies are learned anew in each condition. How far that moves a figure is told by leaving out one learned
    strategy at a time (jackknife); it is added to the error of the games, with the few degrees of freedom it has.
    NaN where one was learned alone: that tells nothing of the spread.
    """
    before, after = dominance.nobody.different, dominance.everybody.different
    assert before is not None and after is not None
    spread = (variety.blocks / max(variety.blocks - 1, 1)) ** 0.5  # of the bootstrap for few blocks
    a, b, back = variety.different
    games = (spread * _deviation(a), spread * _deviation(b), spread * _deviation(b - a))
    same = spread * _deviation(b[: len(back)] - back)
    values = (before.value, after.value, variety.value)
    out = [_with_luck("strategies", values, games, same, variety.lucky_different, variety.blocks, STRATEGIES)]
    a, b, back = variety.cyclic
    games = (jackknife_error(a), jackknife_error(b), jackknife_error(b - a))
    values = (float(a.mean()), float(b.mean()), float(back.mean()))
    same = jackknife_error(b - back)
    return [*out, _with_luck("cycles", values, games, same, variety.lucky_cyclic, variety.blocks, CYCLES)]


def _with_luck(
    name: str, values: tuple[float, float, float], games: tuple[float, float, float], same: float,
    lucky: tuple[Floats, Floats, Floats], blocks: int, counts: float,
) -> Change:  # fmt: skip
    """A change with the errors of its games and of what was learned; `same` is that of the same strategies' games."""
    before, after, back = lucky
    if 1 in (len(before), len(after)):
        return Change(name, float("nan"), float("nan"), games, blocks, counts)
    luck = [jackknife_error(x) if len(x) else 0.0 for x in (before, after, after - back)]
    free = [blocks - 1, *(max(len(x) - 1, 1) for x in lucky)]
    errors = (float(np.hypot(games[0], luck[0])), float(np.hypot(games[1], luck[1])),
              float(np.sqrt(games[2] ** 2 + luck[0] ** 2 + luck[1] ** 2)))  # fmt: skip
    n = 1 + int(min(freedom((games[2], luck[0], luck[1]), free[:3]), freedom((same, luck[2]), (free[0], free[3]))))
    direct = ((values[1] - values[2], float(np.hypot(same, luck[2]))),)
    return Change(name, values[0], values[1], errors, n, counts, direct, float(np.hypot(luck[0], luck[1])))


def freedom(errors: Sequence[float], free: Sequence[int]) -> float:
    """Degrees of freedom of a sum of independent errors with `free` each (Welch 1947, Satterthwaite 1946)."""
    parts = np.square(errors)
    if not parts.sum():
        return float(max(free))
    shares = parts / parts.sum()
    return float(1.0 / (shares**2 / np.asarray(free)).sum())


def _deviation(values: Floats) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0


def _of_matter(counts: Sequence[Floats]) -> Change:
    """Decisions that matter in a game, on the deals that were looked at in all conditions."""
    n = min(len(found) for found in counts)
    before, after, *moved = (part_of(found[None, :n], np.zeros((1, n))) for found in counts)
    return change_of("decisions", before, after, max(MATTER * abs(before.value), TINY), moved)


def _of_seat(seat: SeatEffect, worth: Worth, moved: Sequence[Floats]) -> Change:
    """What sitting first is worth; `moved` are its values by deals in all four conditions, none if they are exact."""
    change = change_of_samples("first seat", seat.nobody, seat.everybody, seat.change, SEAT * worth.deviation)
    if not moved:
        return change
    return replace(change, direct=_direct(moved, lambda gaps: float(gaps.std(ddof=1) / len(gaps) ** 0.5)))


def _moved_seats(context: Context, chosen: Chosen) -> list[Floats]:
    """What sitting first is worth on each deal: nobody, everybody, and with the strategies of the other condition."""
    conditions = context.bench.holder_conditions()
    wanted: list[tuple[Condition, Sequence[Pair]]] = []
    for name, whose in ((NOBODY, NOBODY), (EVERYBODY, EVERYBODY), (EVERYBODY, NOBODY), (NOBODY, EVERYBODY)):
        pairs = chosen.moved(whose, context.used and name != whose == NOBODY)
        wanted.append((conditions[name], pairs))
        if context.bench.can_mirror:
            wanted.append((replace(conditions[name], mirrored=True), pairs))
    got = context.cells("effect", wanted, context.budget.measure, "measure")
    return [(a - b) / 2 for a, b in zip(got[::2], got[1::2])] if context.bench.can_mirror else list(got)


__all__ = ["Known", "freedom", "luck_change", "of_courses", "of_variety", "tell_effect"]
