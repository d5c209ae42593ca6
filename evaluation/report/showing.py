"""Which games show what a claim of the tournament report says: of which two strategies, and what came of them.

One game proves nothing about a mean; it shows what such a game looks like. Wishes are made from the numbers of a
`Summary`, as the sentences are; `tournament/examples.py` finds games for them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..tournament.summary import Decision, Metagame, OtherRatings, Summary, Wish

_WEIGHT = 0.005  # weights below are left out of sentences, too
_NOTHING = 1e-9


def best_wishes(summary: Summary) -> tuple[Wish, ...]:
    """The best strategy against whom it did about as well as on average, and against two at most that are as good."""
    best = summary.best
    if len(summary.names) == 1:
        return ()
    shared = [row.agent for row in summary.leaderboard if row.rank == 1 and row.agent != best.agent]
    as_good = [Wish("level", best.agent, agent) for agent in (shared or list(summary.tied_with_best))[:2]]
    typical = _like_average(summary, best.agent)
    return tuple(
        dict.fromkeys([*([] if typical is None or shared else [Wish("level", best.agent, typical)]), *as_good])
    )


def wins_wishes(summary: Summary) -> tuple[Wish, ...]:
    """Who comes first by wins gets more than who comes first by payoff."""
    first = min(summary.leaderboard, key=lambda row: row.wins_rank)
    return (Wish("ahead", first.agent, summary.best.agent),) if first.agent != summary.best.agent else ()


def unbeaten_wishes(summary: Summary, agent: int) -> tuple[Wish, ...]:
    """Its hardest opponent gets more where that is shown to beat it; else what their games come to."""
    if summary.metagame is None:
        return ()
    v = summary.metagame.verdicts[agent]
    if v.worst_opponent is None:
        return ()
    if v.beaten_by:
        hardest = min(v.beaten_by, key=lambda j: (_margin(summary, agent, j), j))
        return (Wish("ahead", hardest, agent),)
    return (Wish("level", agent, v.worst_opponent),)


def dominance_wishes(summary: Summary, agent: int) -> tuple[Wish, ...]:
    """Who dominates it beats it, too; who is not dominated is seen against what it answers best."""
    game = summary.metagame
    if game is None or len(summary.names) == 1:
        return ()
    v = game.verdicts[agent]
    if v.dominated or v.seems_dominated:
        by = v.dominator if v.dominated else v.seems_dominator
        if by is None:  # a mixture: the heaviest of those in it that beat it
            weights = v.mixture if v.mixture is not None else game.nash
            by = max(
                _others(summary, agent), key=lambda i: (_rounded(weights[i] * max(_margin(summary, i, agent), 0.0)), -i)
            )
        return (Wish("ahead", by, agent),)
    if v.best_answer_to is not None:
        weights = v.best_answer_to
        against = max(_others(summary, agent), key=lambda i: (_rounded(weights[i]), -i))
        if weights[against] >= _WEIGHT:
            return (Wish("level", agent, against),)
    return () if v.worst_opponent is None else (Wish("level", agent, v.worst_opponent),)


def nash_wishes(summary: Summary) -> tuple[Wish, ...]:
    """The two heaviest of the mixture, or the only one against its hardest opponent."""
    game = summary.metagame
    if game is None or len(summary.names) == 1:
        return ()
    used = sorted((i for i, w in enumerate(game.nash) if w >= _WEIGHT), key=lambda i: (-_rounded(game.nash[i]), i))
    if len(used) > 1:
        return (Wish("level", used[0], used[1]),)
    return _hardest(game, used[0])


def rating_wishes(summary: Summary, name: str, firsts: Sequence[int]) -> tuple[Wish, ...]:
    """Who comes first by a way to rate, against whom that way looks first."""
    game = summary.metagame
    if game is None:
        return ()
    found: OtherRatings = game.ratings
    first = firsts[0]
    weights = {"nash": game.nash, "deviation": found.crowds}.get(name)
    if weights is not None:
        against = max(_others(summary, first), key=lambda i: (_rounded(weights[i]), -i))
        return (Wish("level", first, against),) if weights[against] >= _WEIGHT else _hardest(game, first)
    if name == "alpha":
        return _hardest(game, first)
    typical = _like_average(summary, first)
    return () if typical is None else (Wish("level", first, typical),)


def circle_wishes(circle: tuple[int, int, int]) -> tuple[Wish, ...]:
    """Each gets more than the next."""
    a, b, c = circle
    return (Wish("ahead", a, b), Wish("ahead", b, c), Wish("ahead", c, a))


def decision_wishes(decision: Decision) -> tuple[Wish, ...]:
    """Of what a tournament that stops found: the pair that was hardest to tell apart, and one that was not."""
    pairs = list(zip(decision.pairs, decision.low, decision.high, strict=True))
    known = [
        (_rounded(max(low, -high)), pair if low > 0 else pair[::-1]) for pair, low, high in pairs if low > 0 or high < 0
    ]
    unknown = [(_rounded(high - low), pair) for pair, low, high in pairs if low <= 0 <= high]
    told = [Wish("ahead", *min(known)[1])] if known else []
    return (*told, *([Wish("level", *min(unknown)[1])] if unknown else []))


def _margin(summary: Summary, i: int, j: int) -> float:
    value = summary.matrix[i][j]
    return 0.0 if value is None else _rounded(value)


def _rounded(value: float) -> float:
    """So many digits that a summary and the same read from its file choose alike where two are equal."""
    return float(f"{value:.6g}") if abs(value) > _NOTHING else 0.0


def _others(summary: Summary, agent: int) -> list[int]:
    return [i for i in range(len(summary.names)) if i != agent]


def _hardest(game: Metagame, agent: int) -> tuple[Wish, ...]:
    worst = game.verdicts[agent].worst_opponent
    return () if worst is None else (Wish("level", agent, worst),)


def _like_average(summary: Summary, agent: int) -> int | None:
    """The opponent from whom a strategy earned what comes closest to its mean over all it met; None if it met none."""
    met = [j for j in _others(summary, agent) if summary.matrix[agent][j] is not None]
    if not met:
        return None
    mean = float(np.mean([_margin(summary, agent, j) for j in met]))
    return min(met, key=lambda j: (_rounded(abs(_margin(summary, agent, j) - mean)), j))


__all__ = [
    "best_wishes", "circle_wishes", "decision_wishes", "dominance_wishes", "nash_wishes", "rating_wishes",
    "unbeaten_wishes", "wins_wishes",
]  # fmt: skip
