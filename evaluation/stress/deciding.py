"""What would decide an undecided worth, or an unsure figure of the game.

That is a budget of the lab, so many games, or nothing that only costs time.

An interval reaches beyond its middle by the deals that were played (it narrows with the root of their number) and by
the luck of learning (with the root of the number of learners' seeds). Both are known after a test, and the sizes of
every budget are, too; so is what interval a larger one would give, as long as the value stays where it is. Where the
middle itself is wide, as against several opponents, no number of games narrows it.
"""

from __future__ import annotations

import math

from .budget import BUDGETS, Budget, part_of
from .findings import Deciding, Figure, Findings, Interval, Reach, Sizes, Worth

# in standard deviations of a game's result without the module, and in log odds of winning (50 % to 51 %)
NEUTRAL, NEUTRAL_ODDS = 0.05, 0.04
TINY = 1e-7  # what exact values may miss
MANY = 1000  # times the games, from which on nobody would play them


def beyond(found: Interval) -> bool:
    """Whether an interval leaves out nothing."""
    return found.low > TINY or found.high < -TINY


def needed(worth: Worth) -> float:
    """How far the interval may reach beyond its middle so that it decides; 0 or less if no reach is short enough.

    It decides if it lies within what counts, or leaves out nothing while the value counts. A change of the odds that
    counts decides, too: of their interval the same part is needed.
    """
    reach, overall, odds = worth.reach, worth.overall, worth.odds
    assert reach is not None
    counts = NEUTRAL * worth.deviation
    least = max(reach.low, -reach.high)  # how far nothing lies outside of the middle
    found = [counts - max(abs(reach.low), abs(reach.high))]
    if abs(overall.value) >= counts:
        found.append(least)
    if abs(odds.value) >= NEUTRAL_ODDS and abs(overall.value) >= counts / 2 and least > 0:
        half = (odds.high - odds.low) / 2
        found.append(max(reach.deals, reach.seeds) * abs(odds.value) / max(half, TINY))
    return max(found)


def reach_at(reach: Reach, now: Budget, then: Budget) -> float:
    """How far the interval is expected to reach beyond its middle with another budget."""
    deals = reach.deals * math.sqrt(now.measure / then.measure)
    return max(deals, reach.seeds * math.sqrt(now.seeds / then.seeds))


def deciding(worth: Worth, budget: str, sizes: Sizes) -> Deciding | None:
    """What would decide it, after a test with a budget of the lab of a game of such sizes.

    None where it cannot be told: the reach of the interval is not known, or it is decided by its values.
    """
    reach = worth.reach
    if reach is None or budget not in BUDGETS:
        return None
    now = part_of(BUDGETS[budget], sizes.factor, sizes.share(budget))
    short = needed(worth)
    reached = max(reach.deals, reach.seeds)
    larger = list(BUDGETS)[list(BUDGETS).index(budget) + 1 :]
    expected = {name: reach_at(reach, now, part_of(BUDGETS[name], sizes.factor, sizes.share(name))) for name in larger}
    enough = next((name for name in larger if expected[name] < short), "")
    times = None if short <= 0 else max(1.0, (reach.deals / short) ** 2)
    largest = enough or (larger[-1] if larger else budget)
    return Deciding(
        budget=enough,
        reach=reached,
        needed=max(short, 0.0),
        largest=largest,
        expected=expected.get(largest, reached),
        times=times if times is not None and times <= MANY else None,
        seeds=reach.seeds * math.sqrt(now.seeds / BUDGETS[largest].seeds),
        gap=reach.high - reach.low,
    )


def deciding_of(found: Findings) -> Deciding | None:
    """The same for the findings of a test."""
    if found.worth is None or found.worth.exact or found.sizes is None:
        return None
    return deciding(found.worth, found.budget, found.sizes)


PLAYED = {  # what of a budget a figure of the game is measured with; all others are with games of a course
    "first seat": "measure", "strategies": "matrix", "cycles": "matrix", "decisions": "stakes", "search": "rung",
    "skill": "measure",
}  # fmt: skip
OPEN = "A larger --budget narrows the intervals that are not sure yet."


def short_of(figure: Figure) -> float:
    """How far the interval of a change may reach so that it is sure, if the value stays; 0 or less: none is so short.

    It is sure if it lies within what counts, or leaves out nothing while the value counts; but what only other
    strategies change is not shown by more games.
    """
    size = abs(figure.change.value)
    short = figure.counts - size
    return max(short, size) if size >= figure.counts and not figure.drifted else short


def figure_at(figure: Figure, now: Budget, then: Budget) -> float:
    """How far the interval of a change is expected to reach with another budget: by its games, and by seeds."""
    half = (figure.change.high - figure.change.low) / 2
    field = PLAYED.get(figure.name, "course")
    games = (half**2 - min(figure.learned, half) ** 2) * getattr(now, field) / getattr(then, field)
    return math.sqrt(games + min(figure.learned, half) ** 2 * now.seeds / then.seeds)


def figures_told(found: Findings) -> tuple[str, ...]:
    """Which budget would decide the figures of the game that are not sure, in words; the smallest that is enough."""
    effect = found.effect
    unsure = [f for f in effect.figures if not effect.stays(f) and not f.matters] if effect else []
    if found.sizes is None or found.budget not in BUDGETS:
        return (OPEN,)
    sizes = found.sizes
    now = part_of(BUDGETS[found.budget], sizes.factor, sizes.share(found.budget))
    by_budget: dict[str, list[str]] = {}
    for figure in unsure:
        larger = list(BUDGETS)[list(BUDGETS).index(found.budget) + 1 :]
        then = {
            name: figure_at(figure, now, part_of(BUDGETS[name], sizes.factor, sizes.share(name))) for name in larger
        }
        enough = next((name for name in larger if then[name] < short_of(figure)), "")
        by_budget.setdefault(enough, []).append(figure.name)
    out = [
        f"`--budget {name}` should decide, if they stay where they are: {', '.join(by_budget[name])}."
        for name in BUDGETS
        if name in by_budget
    ]
    if "" in by_budget:
        out.append(f"No larger budget of the lab is sure to decide: {', '.join(by_budget[''])}.")
    return tuple(out)


def told(what: Deciding | None) -> str:
    """What would decide it, in words."""
    if what is None:
        return "more games may decide it: a larger --budget"
    now, then, short = (f"± {x:.3f}" for x in (what.reach, what.expected, what.needed))
    if what.budget:
        return (
            f"--budget {what.budget} should decide it: it would narrow the interval from {now} to about {then}, and "
            f"{short} is enough if the value stays where it is"
        )
    if what.needed <= 0 and what.gap > 0:
        return (
            f"no number of games decides it: between what the best answers found without it and with it say lies "
            f"{what.gap:.3f}, and only better answers would narrow that"
        )
    if what.times is None:
        return "it lies so close to what counts that more games would hardly decide it, with no budget of the lab"
    if what.seeds > what.needed:
        return (
            f"no budget of the lab is sure to decide it: learners of other seeds would still be {then} apart with "
            f"--budget {what.largest}, where {short} is enough; open is how well they learn, not how much is played"
        )
    return (
        f"no budget of the lab decides it: --budget {what.largest} would leave {then}, and {short} is enough, about "
        f"{math.ceil(max(what.times, 1.1) * 10) / 10:g} times the games of this test"
    )


__all__ = [
    "NEUTRAL", "NEUTRAL_ODDS", "TINY", "beyond", "deciding", "deciding_of", "figure_at", "figures_told", "needed",
    "reach_at", "short_of", "told",
]  # fmt: skip
