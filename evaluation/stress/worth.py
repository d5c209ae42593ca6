"""What having the module is worth: differences between conditions on the same deals, in payoff and in handicaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are called

from .budget import Budget
from .conditions import EVERYBODY, NOBODY, Condition
from .context import Context
from .estimates import odds_ratio, paired, paired_many, scored
from .exact import exact_values
from .findings import HandicapRow, Interval, Reach, Sample, SeatEffect, SideHandicap, SideWorth, Worth, WorthRow
from .strategies import Chosen, Pair

Floats = npt.NDArray[np.float64]
Cell = tuple[int, int]  # a side, and how many units more it has
LEAST = 0.1  # of the deviation of weak play, that a result is taken to have


@dataclass(frozen=True)
class Margins:
    """Margins of side 0 over the same deals: with nobody and with one side having the module, by handicap of a side.

    `everybody`: all have it, without a handicap; `mirrored`: nobody and everybody with the seats' roles exchanged; None
    where that was not played.
    """

    nobody: Mapping[Cell, Floats]
    alone: Mapping[Cell, Floats]
    everybody: Floats | None = None
    mirrored: tuple[Floats, Floats] | None = None

    def of(self, side: int, amount: int) -> tuple[Floats, Floats] | None:
        """Margins of a side that has the module alone, and of the same without; None if not played."""
        sign = 1.0 if side == 0 else -1.0
        with_it, without = self.alone.get((side, amount)), self.nobody.get((side, amount))
        return None if with_it is None or without is None else (sign * with_it, sign * without)


@dataclass(frozen=True)
class Measured:
    """What having the module is worth, in payoff, in units of the handicap (if the system names one), and to seats.

    `note`: what went wrong on the way, for the reader of the report.
    """

    worth: Worth
    handicap: tuple[SideHandicap, ...] | None
    seat: SeatEffect | None
    note: str = ""


def measure(context: Context, chosen: Chosen) -> Measured:
    """Play all conditions at several handicaps on fresh games, and compare."""
    context.begin("measure")
    cells = Cells(context)
    got = cells.margins(context.cells("measure", cells.wanted(chosen), context.budget.measure, "measure"))
    b, names = context.budget, context.bench.side_names
    worth = worth_table(got, context.sides, names, b)
    values, note = exact_values(context, cells.conditions)
    if values is not None:
        got = cells.margins([np.full(len(got.nobody[0, 0]), value) for value in values])
        worth = exact_worth(worth, worth_table(got, context.sides, names, b))
    ordered = len(context.bench.sides) > 1 and context.bench.in_order  # else nobody who is asked sits first
    return Measured(
        worth,
        handicaps_of(got, context.sides, names, b) if context.bench.can_handicap else None,
        seat_effect(got, 1 if values is not None else b.seeds) if ordered else None,
        note,
    )


def measured_by(worth: Worth, scale: float) -> Worth:
    """The worth with a deviation of at least LEAST of `scale`, that of results of weak play.

    Where strong play ends alike in nearly every game, the least that a rule does would be many of its deviations.
    """
    return replace(worth, deviation=max(worth.deviation, LEAST * scale))


def exact_worth(played: Worth, solved: Worth) -> Worth:
    """The worth by the values of solved games; shares of wins and deviations are those of what was played."""
    sides = []
    for mine, true in zip(played.sides, solved.sides):
        rows = tuple(
            replace(row, worth=exact.worth, with_it=exact.with_it, without=exact.without)
            for row, exact in zip(mine.by_amount, true.by_amount)
        )
        sides.append(replace(mine, by_amount=rows, answer=true.answer))
    return replace(played, sides=tuple(sides), overall=solved.overall, exact=True, reach=None, found=played.overall)


def units_of(context: Context, side: int) -> tuple[list[Cell], list[Cell]]:
    """The handicaps of a side, 0 among them, at which nobody has the module, and those at which it has it alone."""
    bench, b = context.bench, context.budget
    amounts = sorted({0, *b.curve, *b.differences}) if bench.can_handicap else [0]
    nobody = [(side, n) for n in amounts if n == 0 or bench.possible(Condition().handicapped(side, n))]
    return nobody, [(side, n) for side, n in nobody if n == 0 or n in b.differences]


class Cells:
    """All conditions that are compared, in one order, with who plays there."""

    def __init__(self, context: Context) -> None:
        bench = context.bench
        conditions = bench.holder_conditions()
        both = [units_of(context, side) for side in context.sides]
        self.nobody = [cell for cells, _ in both for cell in cells]
        self.alone = [cell for _, cells in both for cell in cells]
        named = [(NOBODY, Condition().handicapped(side, n)) for side, n in self.nobody]
        for side, n in self.alone:
            name = bench.alone(side)
            named.append((name, conditions[name].handicapped(side, n)))
        named.append((EVERYBODY, conditions[EVERYBODY]))
        if bench.can_mirror:
            named += [(name, replace(conditions[name], mirrored=True)) for name in (NOBODY, EVERYBODY)]
        self.mirrored = bench.can_mirror
        self.named = named

    @property
    def conditions(self) -> list[Condition]:
        """The conditions in their order."""
        return [condition for _, condition in self.named]

    def wanted(self, chosen: Chosen) -> list[tuple[Condition, Sequence[Pair]]]:
        """The conditions with the strategies of each learner's seed there."""
        return [(condition, chosen.of_seeds(name)) for name, condition in self.named]

    def margins(self, got: Sequence[Floats]) -> Margins:
        """The margins of side 0 in all conditions, from those in their order."""
        both = len(self.nobody) + len(self.alone)
        return Margins(
            dict(zip(self.nobody, got)),
            dict(zip(self.alone, got[len(self.nobody) : both])),
            got[both],
            (got[both + 1], got[both + 2]) if self.mirrored else None,
        )


def worth_table(got: Margins, sides: Sequence[int], names: Sequence[str], budget: Budget) -> Worth:
    """Worth of having the module alone, by side and handicap, and when the other side has it too.

    All intervals hold the luck of learning: strategies are sought anew for every condition.
    """
    rows_of_sides, pairs = [], []
    for side in sides:
        even = got.of(side, 0)
        assert even is not None
        rows = []
        for n in sorted(set(budget.differences) | {0}):
            found = got.of(side, n)
            if found is None:
                continue
            a, b = found
            rows.append(
                WorthRow(n, widened(paired(a, b), a - b, budget.seeds), odds_ratio(a, b), float(a.mean()),
                         float(b.mean()), float(scored(a).mean()), float(scored(b).mean()))
            )  # fmt: skip
        pairs.append(even)
        answer = None
        if len(sides) > 1 and got.everybody is not None:
            gaps = (1.0 if side == 0 else -1.0) * (got.everybody - got.alone[1 - side, 0])
            answer = widened(paired(gaps, np.zeros_like(gaps)), gaps, budget.seeds)
        rows_of_sides.append(SideWorth(names[side], tuple(rows), by_seed(even[0] - even[1], budget.seeds), answer))
    sd = float(np.mean([without.std(ddof=1) for _, without in pairs]))
    overall = overall_of(pairs, budget.seeds)
    odds = odds_of(pairs, budget.seeds)
    return Worth(tuple(rows_of_sides), overall, max(sd, 1e-9), odds, reach=reach_of(pairs, budget.seeds))


def by_seed(gaps: Floats, seeds: int) -> tuple[float, ...]:
    """The mean of the deals that each learner's seed has played."""
    return tuple(float(gaps[s::seeds].mean()) for s in range(seeds))


def odds_of(pairs: Sequence[tuple[Floats, Floats]], seeds: int) -> Interval:
    """The change of the log odds of winning over all sides; widened for the luck of learning as worth is."""

    def part(which: slice) -> Interval:
        return odds_ratio(*(np.concatenate([pair[i][which] for pair in pairs]) for i in (0, 1)))

    found = part(slice(None))
    each = np.array([part(slice(s, None, seeds)).value for s in range(seeds)])
    extra = 2.0 * float(each.std(ddof=1) / len(each) ** 0.5) if len(each) > 1 else 0.0
    return Interval(found.value, min(found.low, found.value - extra), max(found.high, found.value + extra))


def overall_of(pairs: Sequence[tuple[Floats, Floats]], seeds: int) -> Sample:
    """The mean gain of all sides over deals, from margins of every side in every deal with the module and without.

    Learners of different seeds may be further apart than deals alone tell: the interval is widened to two standard
    errors between them.
    """
    return widened(paired_many(pairs), np.mean([a - b for a, b in pairs], axis=0), seeds)


def widened(found: Sample, gaps: Floats, seeds: int) -> Sample:
    """An estimate from the mean of `gaps` by deals, its interval at least two standard errors between the seeds."""
    extra = between_seeds(gaps, seeds)
    return replace(found, low=min(found.low, found.value - extra), high=max(found.high, found.value + extra))


def between_seeds(gaps: Floats, seeds: int) -> float:
    """Two standard errors between the means of the learners' seeds; 0 with one seed."""
    each = np.array(by_seed(gaps, seeds))
    return 2.0 * float(each.std(ddof=1) / len(each) ** 0.5) if len(each) > 1 else 0.0


def reach_of(pairs: Sequence[tuple[Floats, Floats]], seeds: int) -> Reach:
    """By what the interval of the mean gain of all sides reaches beyond its value, and why."""
    found = paired_many(pairs)
    gaps = np.mean([a - b for a, b in pairs], axis=0)
    return Reach(found.value, found.value, (found.high - found.low) / 2, between_seeds(gaps, seeds))


def handicaps_of(got: Margins, sides: Sequence[int], names: Sequence[str], budget: Budget) -> tuple[SideHandicap, ...]:
    """How many more units of the handicap would be worth as much as the module, by side and handicap.

    The value of the game without the module rises with the units of a side; its curve (made monotone by isotonic
    regression) is read backwards.
    """
    out = []
    for side in sides:
        sign = 1.0 if side == 0 else -1.0
        points = [n for n in sorted({*budget.curve, *budget.differences}) if (side, n) in got.nobody]
        if len(points) < 2:  # the scenario leaves no room for a handicap
            continue
        values = np.array([float((sign * got.nobody[side, n]).mean()) for n in points])
        smooth = np.asarray(scipy.optimize.isotonic_regression(values).x)
        rows = []
        for n in sorted(set(budget.differences) | {0}):
            found = got.of(side, n)
            if found is None:
                continue
            worth = widened(paired(*found), found[0] - found[1], budget.seeds)
            here = float(np.interp(n, points, smooth))
            # from the smoothed value at n on, so that no worth is no units
            spans = [_units(here + x, points, smooth) for x in (worth.value, worth.low, worth.high)]
            # where the curve is level several numbers are worth the same: the one nearest to none is told
            value = min(max(float(n), spans[0][0]), spans[0][1]) - n
            low, high = spans[1][0] - n, spans[2][1] - n
            rows.append(HandicapRow(value, low, high, worth.games, n, points[-1] - n, points[0] - n))
        out.append(SideHandicap(names[side], tuple(points), tuple(values.tolist()), tuple(rows)))
    return tuple(out)


def _units(value: float, points: Sequence[int], values: Floats) -> tuple[float, float]:
    """The least and the most number of units at which a rising curve has a value; its ends beyond it."""
    at = np.asarray(points, dtype=np.float64)
    first, last = np.searchsorted(values, value), np.searchsorted(values, value, side="right")
    if last == 0:
        return float(at[0]), float(at[0])
    if first == len(values):
        return float(at[-1]), float(at[-1])
    if first < last:  # the curve is level there
        return float(at[first]), float(at[last - 1])
    between = float(np.interp(value, values[first - 1 : first + 1], at[first - 1 : first + 1]))
    return between, between


def payable(context: Context, worth: Worth) -> Worth:
    """The worth with the intervals of the mean of two sides no wider than what payoffs allow.

    What nobody's having it gives cancels out of that mean: it is half the difference of two leads, so that it is no
    more than the largest one that can be.
    """
    bench = context.bench
    if len(bench.sides) != 2 or len(context.sides) != 2:
        return worth
    everybody = bench.everybody()
    seats, bounds = [bench.side_seats(everybody, side) for side in (0, 1)], bench.spec(everybody).bounds_of_seats
    least, most = ([float(np.mean([bounds[seat][end] for seat in side])) for side in seats] for end in (0, 1))
    lead = max(most[0] - least[1], most[1] - least[0]) / 2
    return held_within(worth, lead)


def held_within(worth: Worth, lead: float) -> Worth:
    """The worth with the intervals of its mean cut off at a lead, either way."""

    def cut(found: Interval) -> dict[str, float]:
        return {"low": max(found.low, min(found.value, -lead)), "high": min(found.high, max(found.value, lead))}

    bounds = worth.bounds
    if bounds is not None:
        bounds = replace(bounds, overall=replace(bounds.overall, **cut(bounds.overall)))
    return replace(worth, overall=replace(worth.overall, **cut(worth.overall)), bounds=bounds)


def seat_effect(got: Margins, seeds: int) -> SeatEffect:
    """What sitting first is worth, without and with the module, whoever sits there, and the difference.

    Half of (payoff of side 0 when it sits first - when it sits last); without a mirrored game its payoff as it is. With
    one, what side 0 gains where everybody has it is the mean of both: sides need not have the same part in a game.
    Those who learned from different `seeds` may sit better here or there: intervals are widened as those of worth are.
    """
    nobody, everybody = got.nobody[0, 0], got.everybody
    assert everybody is not None
    side = None
    if got.mirrored is not None:
        gain = (everybody + got.mirrored[1] - nobody - got.mirrored[0]) / 2
        side = widened(paired(gain, np.zeros_like(gain)), gain, seeds)
        nobody, everybody = (nobody - got.mirrored[0]) / 2, (everybody - got.mirrored[1]) / 2
    three = [
        widened(paired(gaps, np.zeros_like(gaps)), gaps, seeds) for gaps in (nobody, everybody, everybody - nobody)
    ]
    return SeatEffect(got.mirrored is not None, *three, side=side)


__all__ = [
    "Cell", "Margins", "Measured", "handicaps_of", "held_within", "measure", "measured_by", "overall_of", "payable",
    "seat_effect", "units_of", "worth_table",
]  # fmt: skip
