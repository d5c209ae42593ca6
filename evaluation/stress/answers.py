"""Best answers to opponents who stay as they are, with the module and without, and what it is worth to them.

With a mixture m of the others and u1, u0 what a side gets with the module and without, its worth is V1 - V0, V1 and V0
what the best answer to m gets with it and without. If a1 and a0 are these answers,

    u1(a0) - u0(a0) <= V1 - V0 <= u1(a1) - u0(a1),

because with the module a1 is no worse than a0, and without it a0 no worse than a1 (revealed preference: Samuelson
1938). At each end a strategy is compared with itself, on the same deals, which no luck of learning touches. All
strategies at hand may be played in both conditions, so that an answer is missed both ways or neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .conditions import NOBODY, Condition
from .context import Context
from .estimates import paired_many
from .findings import Interval, Sample
from .strategies import Mixture, Pair, Strategy, once_each

Floats = npt.NDArray[np.float64]
ANSWERED = 4  # times the deals of a pair by which mixtures are chosen, for every last candidate for a best answer
FINALISTS = 5  # of them, after a look at all on the deals of a pair


@dataclass(frozen=True)
class Answers:
    """Best answers of a side to the mixture `others`: found without the module, and with it.

    `kept` is the first where the side has the module: it leaves it alone, uses it always, or when it has been learned
    to pay, whichever is best, and does all else as before.
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

    @property
    def with_it(self) -> float:
        """What the better answer got with the module."""
        return max(float(self.kept.mean()), float(self.having.mean()))

    @property
    def without(self) -> float:
        """What the better answer got without it."""
        return max(float(self.plain.mean()), float(self.bare.mean()))


def strongest(
    context: Context, step: str, condition: Condition, side: int, candidates: Sequence[Strategy], target: Mixture
) -> Strategy:
    """The candidate of a side that gains most against a mixture of all others, in games of its own.

    All meet the same opponents on the same deals, so that fewer games tell them apart than against each by itself. Of
    many the best few of a first look are compared on deals of their own.
    """

    def gains(tried: Sequence[Strategy], deals: int, use: str) -> list[float]:
        wanted = [(condition, [(Mixture((candidate,), (1.0,)), target)]) for candidate in tried]
        return [float(margins.mean()) for margins in context.cells(step, wanted, deals, use, side)]

    if len(candidates) > FINALISTS:
        order = np.argsort(gains(candidates, context.budget.choose, f"{step} look"), kind="stable")
        candidates = [candidates[i] for i in sorted(order[-FINALISTS:].tolist())]
    last = gains(candidates, ANSWERED * context.budget.choose, f"{step} choose")
    return candidates[int(np.argmax(last))]


def unused(strategy: Strategy, used: bool) -> Strategy:
    """A strategy found without the module where its side has it: it leaves its actions alone, if it can."""
    return strategy.using("never") if used else strategy


def seek(
    context: Context, step: str, side: int, others: Mixture, without: Sequence[Strategy], having: Sequence[Strategy]
) -> Answers:  # fmt: skip
    """The best answers of a side to a mixture of the others, out of strategies found without the module and with it."""
    conditions = context.bench.holder_conditions()
    holds = conditions[context.bench.alone(side)]
    # without the module a learner of its use alone is the player that it was learned with, which is among them
    plainly = once_each([*without, *(s for s in having if s.use == "as_is" and s.scope != "whether" and not s.whether)])
    plain = strongest(context, step, conditions[NOBODY], side, plainly, others)
    ways = [unused(plain, context.declinable)]
    if context.used:
        ways += [plain.using("always"), *(plain.deciding(s) for s in having if s.scope == "whether")]
    kept = strongest(context, step, holds, side, once_each(ways), others)
    knowing = once_each([*having, *(unused(s, context.declinable) for s in without), kept])
    return Answers(side, others, plain, kept, strongest(context, step, holds, side, knowing, others))


def play_ends(context: Context, step: str, answers: Answers, deals: int, use: str) -> Ends:
    """What all four ways to play got on fresh deals."""
    holds = context.bench.holder_conditions()[context.bench.alone(answers.side)]

    def cell(condition: Condition, hero: Strategy) -> tuple[Condition, list[Pair]]:
        return condition, [alone_with(hero, answers.others)]

    wanted = [
        cell(Condition(), answers.plain),
        cell(holds, answers.kept),
        cell(holds, answers.having),
        cell(Condition(), answers.having),
    ]
    return Ends(*context.cells(step, wanted, deals, use, answers.side))


def alone_with(hero: Strategy, others: Mixture) -> Pair:
    """One strategy against a mixture."""
    return Mixture((hero,), (1.0,)), others


def between(played: Sequence[Ends]) -> Sample:
    """The worth from the ends of one side, or of several sides that count alike, against one mixture.

    The interval reaches from where the lower end may lie to where the upper one may (Student's, 97.5 % each); the value
    is what the better answer with the module gets more than the better one without, as far as it lies between.
    """
    low, high = both_ends(played)
    gain = float(np.mean([ends.with_it - ends.without for ends in played]))
    return spanned([low, high], gain, low.games)


def both_ends(played: Sequence[Ends]) -> tuple[Sample, Sample]:
    """The lower end, what having it gains with the answer found without it, and the upper one, with the other."""
    low = paired_many([(ends.kept, ends.plain) for ends in played])
    return low, paired_many([(ends.having, ends.bare) for ends in played])


def spanned(parts: Sequence[Interval], value: float, games: int) -> Sample:
    """The span of intervals, and the value as far as it lies between their middles."""
    middles = [part.value for part in parts]
    inside = min(max(value, min(middles)), max(middles))
    return Sample(inside, min(part.low for part in parts), max(part.high for part in parts), games)


__all__ = [
    "Answers",
    "Ends",
    "alone_with",
    "between",
    "both_ends",
    "play_ends",
    "seek",
    "spanned",
    "strongest",
    "unused",
]
