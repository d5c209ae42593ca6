"""Which points are measured next: successive halving over a grid that becomes finer where the targets are near.

Every round keeps the better half of the points and adds new ones between them (Jamieson and Talwalkar 2016,
Non-stochastic best arm identification and hyperparameter optimization); all are measured with twice the games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from .records import Figure
from .space import Key, Space
from .targets import Target

SHARES = (0.25, 0.5, 1.0)  # of the games of the budget, round by round
LEAST = 3  # points that a round keeps
NEW = 4  # points that a round adds
ALONG = 5  # points that are solved along each of several parameters first
DIGITS = 9  # of losses that are compared

Figures = Mapping[str, Figure]
Loss = tuple[float, float]


def scales(targets: Sequence[Target], figures: Sequence[Figures]) -> dict[str, float]:
    """By figure: what counts as far from its target, half of the range or half of what was seen, whichever is more."""
    out = {}
    for target in targets:
        seen = [f[target.figure].value for f in figures if target.figure in f]
        mean = sum(seen) / max(len(seen), 1)
        spread = math.sqrt(sum((x - mean) ** 2 for x in seen) / max(len(seen), 1))
        out[target.figure] = max(target.half, spread / 2, 1e-9)
    return out


def loss_of(targets: Sequence[Target], values: Mapping[str, float], scale: Mapping[str, float]) -> Loss:
    """How far values are from their targets, and, where these have two ends, from their middles; less is better.

    A figure that is missing is infinitely far.
    """
    excess = middle = 0.0
    for target in targets:
        if target.figure not in values:
            return (math.inf, math.inf)
        value, unit = values[target.figure], scale[target.figure]
        excess += (target.excess(value) / unit) ** 2
        if target.low is not None and target.high is not None:
            middle += ((value - target.aim) / unit) ** 2
    return (round(excess, DIGITS), round(middle, DIGITS))


def hopeful_loss(targets: Sequence[Target], figures: Figures, scale: Mapping[str, float]) -> Loss:
    """The same with every figure as near to its target as its interval allows."""
    if any(target.figure not in figures for target in targets):
        return (math.inf, math.inf)
    excess = 0.0
    for target in targets:
        found = figures[target.figure]
        excess += (target.excess(found.low, found.high) / scale[target.figure]) ** 2
    values = {name: found.value for name, found in figures.items()}
    return (round(excess, DIGITS), sum(loss_of(targets, values, scale)))


def better_half(targets: Sequence[Target], known: Mapping[Key, Figures]) -> list[Key]:
    """The points that may be nearest to the targets, best first."""
    scale = scales(targets, list(known.values()))
    order = sorted(known, key=lambda k: (hopeful_loss(targets, known[k], scale), k))
    return order[: max(LEAST, math.ceil(len(order) / 2))]


def between(targets: Sequence[Target], known: Mapping[Key, Figures]) -> list[Key]:
    """On one axis of numbers: the middles of neighbouring points between which a figure passes an end of its range."""
    order = sorted(known)
    out: dict[Key, None] = {}
    for target in targets:
        for edge in dict.fromkeys((*target.edges, target.aim)):
            for a, b in pairwise(order):
                if b[0] - a[0] < 2 or target.figure not in known[a] or target.figure not in known[b]:
                    continue
                left, right = known[a][target.figure].value - edge, known[b][target.figure].value - edge
                if left * right < 0:
                    out[((a[0] + b[0]) // 2,)] = None
    return list(out)


def around(
    space: Space,
    kept: Sequence[Key],
    known: Collection[Key],
    rank: Callable[[Sequence[Key]], Sequence[Loss]],
    number: int,
) -> list[Key]:
    """On several axes: points near those that are kept, the most promising ones first; nearer in every round."""
    widest = max(len(axis.values) for axis in space.axes if axis.numeric)
    far = max(1, (widest - 1) // (4 << number))
    found = list(dict.fromkeys(new for key in kept for new in space.steps(key, far) if new not in known))
    losses = dict(zip(found, rank(found))) if found else {}
    return sorted(found, key=lambda key: (losses[key], key))[:NEW]


def on_line(keys: Iterable[Key], a: int, centre: Key) -> list[Key]:
    """Those of some points, in order, that differ from the `centre` on axis `a` alone, or not at all."""
    return sorted(key for key in keys if key[:a] + key[a + 1 :] == centre[:a] + centre[a + 1 :])


def surer_ones(best: Key | None, meets: Mapping[Key, str], whole: Sequence[Key]) -> list[Key]:
    """Points that were shown to meet all targets, where the one that is expected to be nearest was not; [] else.

    Those of `whole` come first, for which all games were played.
    """
    if best is None or meets[best] == "yes":
        return []
    sure = sorted(key for key, met in meets.items() if met == "yes")
    return [key for key in sure if key in whole] or sure


def through(space: Space, targets: Sequence[Target], known: Mapping[Key, Figures], centre: Key) -> list[Key]:
    """On several axes, all solved: points that tell how the figures go along each axis of numbers, through a point.

    First a few at even distances, then those between which a figure passes an end of its range, or its aim.
    """
    out: list[Key] = []
    for a, axis in enumerate(space.axes):
        if len(space.axes) < 2 or not axis.numeric:
            continue
        line = {(key[a],): known[key] for key in on_line(known, a, centre)}
        places = [*axis.first(ALONG), *(i for (i,) in between(targets, line))]
        out += [(*centre[:a], i, *centre[a + 1 :]) for i in places]
    return out


def front_of(targets: Sequence[Target], known: Mapping[Key, Figures]) -> set[Key]:
    """The points than which none is nearer to one target and no further from any other (the Pareto front)."""
    far = {
        key: tuple(round(t.excess(figures[t.figure].value), DIGITS) for t in targets)
        for key, figures in known.items()
        if all(t.figure in figures for t in targets)
    }

    def beaten(key: Key) -> bool:
        mine = far[key]
        return any(other != mine and all(o <= m for o, m in zip(other, mine)) for other in far.values())

    return {key for key in far if not beaten(key)}


__all__ = [
    "SHARES", "Figures", "Loss", "around", "better_half", "between", "front_of", "hopeful_loss", "loss_of", "on_line",
    "scales", "surer_ones", "through",
]  # fmt: skip
