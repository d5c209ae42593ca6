"""Worth against the same opponents: what the best answer to them gains if it has the module.

With more than two sides a game has no value. Learners settle in another equilibrium in every course, and what a side
gets in one of them less what it gets in another tells of the luck of learning, whatever the module does. So the others
stay as they are (see `answers`): as they play where nobody has the module, and as they play where this side alone has
it. The worth lies between the least and the most of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from .answers import Answers, Ends, alone_with, between, both_ends, play_ends, seek, spanned
from .conditions import EVERYBODY, NOBODY, Condition
from .context import Context, slug
from .estimates import odds_ratio, paired
from .findings import Interval, Reach, Sample, Worth, WorthBounds
from .learning import COUNTER, course, learner_of
from .strategies import Chosen, Prelude, Strategy
from .worth import Cell, Margins, Measured, handicaps_of, seat_effect, units_of, worth_table

Floats = npt.NDArray[np.float64]


def measure_alike(context: Context, prelude: Prelude, chosen: Chosen) -> Measured:
    """What having the module is worth where a side plays against several others."""
    context.begin("measure")
    bench, b = context.bench, context.budget
    answers = best_answers(context, prelude, chosen)
    ends = [[play_ends(context, "measure", one, b.measure, "measure") for one in of_side] for of_side in answers]
    nobody: dict[Cell, Floats] = {}
    alone: dict[Cell, Floats] = {}
    for side, (first, _), (played, _) in zip(context.sides, answers, ends):
        sign = 1.0 if side == 0 else -1.0  # tables hold margins of side 0
        cells, both = units_of(context, side)
        without, keeps = alone_with(first.plain, first.others), alone_with(first.kept, first.others)
        having = alone_with(knows_better(first, played), first.others)
        wanted = [(Condition().handicapped(*cell), [without]) for cell in cells]
        holds = bench.holder_conditions()[bench.alone(side)]  # answers were sought without a handicap: at one the same
        wanted += [(holds.handicapped(*cell), [keeps if cell[1] else having]) for cell in both]  # play is compared
        got = [sign * margins for margins in context.cells("measure", wanted, b.measure, "measure", side)]
        nobody |= dict(zip(cells, got))
        alone |= dict(zip(both, got[len(cells) :]))
    table = worth_table(Margins(nobody, alone), context.sides, bench.side_names, replace(b, seeds=1))
    return Measured(
        alike_worth(table, ends),
        handicaps_of(Margins(nobody, alone), context.sides, bench.side_names, b) if bench.can_handicap else None,
        seat_effect(_seats(context, chosen), b.seeds) if bench.in_order else None,
    )


def knows_better(answers: Answers, played: Ends) -> Strategy:
    """The answer that was found with the rule if it is shown to get more by it than the one that was found without."""
    return answers.having if paired(played.having, played.kept).low > 0.0 else answers.kept


def _seats(context: Context, chosen: Chosen) -> Margins:
    """Margins of side 0 with nobody and with everybody having the module, both ways of sitting if there are two."""
    conditions = context.bench.holder_conditions()
    names = [NOBODY, EVERYBODY]
    wanted = [(conditions[name], chosen.of_seeds(name)) for name in names]
    if context.bench.can_mirror:
        wanted += [(replace(conditions[name], mirrored=True), chosen.of_seeds(name)) for name in names]
    nobody, everybody, *turned = context.cells("measure", wanted, context.budget.measure, "measure")
    return Margins({(0, 0): nobody}, {}, everybody, (turned[0], turned[1]) if turned else None)


def best_answers(context: Context, prelude: Prelude, chosen: Chosen) -> list[list[Answers]]:
    """By side that is compared: its answers to what the others play where nobody has the module, and where it has it.

    Out of all strategies that were found in either condition, and answers learned anew in both.
    """
    bench = context.bench
    conditions = bench.holder_conditions()
    wheres = {side: (NOBODY, bench.alone(side)) for side in context.sides}
    jobs, fresh = [], {}
    same = all(pool is chosen.pools[NOBODY] for pool in chosen.pools.values())  # nothing is played better with it
    for side, names in wheres.items():
        for met in names:
            target = chosen.of_all(met)[1 - side]
            opponents = list(zip(target.strategies, target.weights))
            for name in names[:1] if same else names:
                role = f"alike {side}"
                net = f"alike-{slug(name)}-{side}-{names.index(met)}.npz"
                jobs.append(
                    course(
                        context, prelude, COUNTER, net, role, [conditions[name]], opponents, [side], 0.0,
                        context.budget.learn_counter,
                    )
                )  # fmt: skip
                which = "those who know it" if met != NOBODY else "those who do not know it"
                label = f"best answer to {which} as {bench.side_names[side]} where {name} has it"
                made = learner_of(COUNTER, label, jobs[-1].args["net"], prelude.anchor.base, role)
                fresh.setdefault((side, name), []).append(made)
    context.need("measure", jobs)
    out: list[list[Answers]] = []
    for side, names in wheres.items():
        without, having = ([*chosen.pools[name][side], *fresh.get((side, name), fresh[side, NOBODY])] for name in names)
        mixtures = [chosen.of_all(met)[1 - side] for met in names]
        out.append([seek(context, "measure", side, others, without, having) for others in mixtures])
    return out


def odds_between(played: Sequence[Ends]) -> Interval:
    """The same of the log odds of winning."""

    def change(first: Sequence[Floats], second: Sequence[Floats]) -> Interval:
        return odds_ratio(np.concatenate(first), np.concatenate(second))

    kept, plain, having, bare = (
        [getattr(ends, name) for ends in played] for name in ("kept", "plain", "having", "bare")
    )
    found = spanned([change(kept, plain), change(having, bare)], change(having, plain).value, 0)
    return Interval(found.value, found.low, found.high)


def whole(parts: Sequence[Sample]) -> Sample:
    """The worth against any of several mixtures: the mean of the values, and the span of the intervals."""
    return spanned(parts, float(np.mean([part.value for part in parts])), parts[0].games)


def alike_worth(table: Worth, ends: Sequence[Sequence[Ends]]) -> Worth:
    """A table of worth with what the `ends` of every side against every mixture of the others say, and their span."""
    sides = [whole([between([ends]) for ends in side]) for side in ends]
    met = list(zip(*ends))  # by mixture: the ends of all sides
    overall = whole([between(played) for played in met])
    chances = [odds_between(played) for played in met]
    odds = spanned(chances, float(np.mean([change.value for change in chances])), 0)
    rows = []
    for side, worth in zip(table.sides, sides):
        by_amount = tuple(replace(row, worth=worth) if row.amount == 0 else row for row in side.by_amount)
        rows.append(replace(side, by_amount=by_amount, seeds=(worth.value,)))
    bounds = WorthBounds(
        Interval(overall.value, overall.low, overall.high),
        tuple(Interval(worth.value, worth.low, worth.high) for worth in sides),
        overall.games,
    )
    return replace(
        table,
        sides=tuple(rows),
        overall=overall,
        odds=Interval(odds.value, odds.low, odds.high),
        bounds=bounds,
        alike=True,
        reach=reach_between([end for played in met for end in both_ends(played)]),
    )


def reach_between(ends: Sequence[Sample]) -> Reach:
    """By what the intervals of the ends reach beyond their middles, at most, and the span of the middles."""
    middles = [end.value for end in ends]
    return Reach(min(middles), max(middles), max((end.high - end.low) / 2 for end in ends))


__all__ = ["alike_worth", "knows_better", "measure_alike", "odds_between", "whole"]
