"""Worth against the same opponents: what the best answer to them gains if it has the module.

With more than two sides a game has no value. Learners settle in another equilibrium in every course, and what a side
gets in one of them less what it gets in another tells of the luck of learning, whatever the module does. So the others
stay as they are there: with a mixture m of theirs and u1, u0 what a side gets with the module and without, its worth is
V1 - V0, V1 and V0 what the best answer to m gets with it and without. If a1 and a0 are these answers,

    u1(a0) - u0(a0) <= V1 - V0 <= u1(a1) - u0(a1),

because with the module a1 is no worse than a0, and without it a0 no worse than a1 (revealed preference: Samuelson
1938).
At each end a strategy is compared with itself, on the same deals, which no luck of learning touches. m is what the
others play where nobody has the module, and what they play where this side alone has it; the worth lies between the
least and the most of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from .conditions import EVERYBODY, NOBODY, Condition
from .context import Context, slug
from .estimates import odds_ratio, paired_many
from .exploit import strongest
from .findings import Interval, Sample, Worth, WorthBounds
from .learning import COUNTER, course, learner_of
from .strategies import Chosen, Mixture, Pair, Prelude, Strategy, once_each
from .worth import Cell, Margins, Measured, handicaps_of, seat_effect, units_of, worth_table

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Answers:
    """Best answers of a side to the mixture `others`: found without the module, and with it.

    `kept` is the first where the side has the module: it leaves it alone, or uses it always if that is better.
    """

    side: int
    others: Mixture
    plain: Strategy
    kept: Strategy
    having: Strategy


@dataclass(frozen=True)
class Ends:
    """What a side got on the same deals, float64[deals]: `kept` and `having` with the module, without it `plain` and
    `bare`, which is what `having` does there."""

    plain: Floats
    kept: Floats
    having: Floats
    bare: Floats


def measure_alike(context: Context, prelude: Prelude, chosen: Chosen) -> Measured:
    """What having the module is worth where a side plays against several others."""
    context.begin("measure")
    bench, b = context.bench, context.budget
    answers = best_answers(context, prelude, chosen)
    ends = [[play_ends(context, one, b.measure, "measure") for one in of_side] for of_side in answers]
    nobody: dict[Cell, Floats] = {}
    alone: dict[Cell, Floats] = {}
    for side, (first, _) in zip(context.sides, answers):
        sign = 1.0 if side == 0 else -1.0  # tables hold margins of side 0
        cells, both = units_of(context, side)
        without, having = _alone(first.plain, first.others), _alone(first.having, first.others)
        wanted = [(Condition().handicapped(*cell), [without]) for cell in cells]
        wanted += [(bench.holder_conditions()[bench.alone(side)].handicapped(*cell), [having]) for cell in both]
        got = [sign * margins for margins in context.cells("measure", wanted, b.measure, "measure", side)]
        nobody |= dict(zip(cells, got))
        alone |= dict(zip(both, got[len(cells) :]))
    table = worth_table(Margins(nobody, alone), context.sides, bench.side_names, replace(b, seeds=1))
    return Measured(
        alike_worth(table, ends),
        handicaps_of(Margins(nobody, alone), context.sides, bench.side_names, b) if bench.can_handicap else None,
        seat_effect(_seats(context, chosen), b.seeds),
    )


def _seats(context: Context, chosen: Chosen) -> Margins:
    """Margins of side 0 with nobody and with everybody having the module, both ways of sitting if there are two."""
    conditions = context.bench.holder_conditions()
    names = [NOBODY, EVERYBODY]
    wanted = [(conditions[name], chosen.of_seeds(name)) for name in names]
    if context.bench.can_mirror:
        wanted += [(replace(conditions[name], mirrored=True), chosen.of_seeds(name)) for name in names]
    nobody, everybody, *turned = context.cells("measure", wanted, context.budget.measure, "measure")
    return Margins({(0, 0): nobody}, {}, everybody, (turned[0], turned[1]) if turned else None)


def _alone(hero: Strategy, others: Mixture) -> Pair:
    return Mixture((hero,), (1.0,)), others


def best_answers(context: Context, prelude: Prelude, chosen: Chosen) -> list[list[Answers]]:
    """By side that is compared: its answers to what the others play where nobody has the module, and where it has it.

    All strategies that were found in either condition, and answers learned anew in both, may be played in both, so that
    an answer is missed with the module and without, or neither.
    """
    bench = context.bench
    conditions = bench.holder_conditions()
    wheres = {side: (NOBODY, bench.alone(side)) for side in context.sides}
    jobs, fresh = [], {}
    for side, names in wheres.items():
        for met in names:
            target = chosen.of_all(met)[1 - side]
            opponents = list(zip(target.strategies, target.weights))
            for name in names:
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
        without, having = ([*chosen.pools[name][side], *fresh[side, name]] for name in names)
        plainly = once_each([*without, *(s for s in having if s.use == "as_is")])
        knowing = once_each([*having, *(unused(s, context.used) for s in without)])
        out.append([])
        for met in names:
            others = chosen.of_all(met)[1 - side]

            def best(condition: Condition, candidates: Sequence[Strategy], side: int = side,
                     others: Mixture = others) -> Strategy:  # fmt: skip
                return strongest(context, "measure", condition, side, candidates, others)

            plain = best(conditions[NOBODY], plainly)
            ways = once_each([unused(plain, context.used), *([plain.using("always")] if context.used else [])])
            kept = best(conditions[names[1]], ways)
            out[-1].append(Answers(side, others, plain, kept, best(conditions[names[1]], knowing)))
    return out


def unused(strategy: Strategy, used: bool) -> Strategy:
    """A strategy found without the module where its side has it: it leaves its actions alone, if there are any."""
    return strategy.using("never") if used else strategy


def play_ends(context: Context, answers: Answers, deals: int, use: str) -> Ends:
    """What all four ways to play got on fresh deals."""
    having = context.bench.holder_conditions()[context.bench.alone(answers.side)]

    def cell(condition: Condition, hero: Strategy) -> tuple[Condition, list[Pair]]:
        return condition, [_alone(hero, answers.others)]

    wanted = [
        cell(Condition(), answers.plain),
        cell(having, answers.kept),
        cell(having, answers.having),
        cell(Condition(), answers.having),
    ]
    return Ends(*context.cells("measure", wanted, deals, use, answers.side))


def between(played: Sequence[Ends]) -> Sample:
    """The worth from the ends of one side, or of several sides that count alike, against one mixture.

    The interval reaches from where the lower end may lie to where the upper one may (Student's, 97.5 % each); the value
    is what the answer with the module gets more than the one without, as far as it lies between.
    """
    low = paired_many([(ends.kept, ends.plain) for ends in played])
    high = paired_many([(ends.having, ends.bare) for ends in played])
    gain = float(np.mean([ends.having.mean() - ends.plain.mean() for ends in played]))
    return _spanned([low, high], gain, low.games)


def odds_between(played: Sequence[Ends]) -> Interval:
    """The same of the log odds of winning."""

    def change(first: Sequence[Floats], second: Sequence[Floats]) -> Interval:
        return odds_ratio(np.concatenate(first), np.concatenate(second))

    kept, plain, having, bare = (
        [getattr(ends, name) for ends in played] for name in ("kept", "plain", "having", "bare")
    )
    found = _spanned([change(kept, plain), change(having, bare)], change(having, plain).value, 0)
    return Interval(found.value, found.low, found.high)


def _spanned(parts: Sequence[Interval], value: float, games: int) -> Sample:
    """The span of intervals, and the value as far as it lies between their middles."""
    middles = [part.value for part in parts]
    inside = min(max(value, min(middles)), max(middles))
    return Sample(inside, min(part.low for part in parts), max(part.high for part in parts), games)


def whole(parts: Sequence[Sample]) -> Sample:
    """The worth against any of several mixtures: the mean of the values, and the span of the intervals."""
    return _spanned(parts, float(np.mean([part.value for part in parts])), parts[0].games)


def alike_worth(table: Worth, ends: Sequence[Sequence[Ends]]) -> Worth:
    """A table of worth with what the `ends` of every side against every mixture of the others say, and their span."""
    sides = [whole([between([ends]) for ends in side]) for side in ends]
    met = list(zip(*ends))  # by mixture: the ends of all sides
    overall = whole([between(played) for played in met])
    chances = [odds_between(played) for played in met]
    odds = _spanned(chances, float(np.mean([change.value for change in chances])), 0)
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
    )


__all__ = ["Answers", "Ends", "alike_worth", "between", "measure_alike", "odds_between", "whole"]
