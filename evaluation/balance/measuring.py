"""Figures at one point: the steps of the stress lab with the parameters of that point, or exact values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...agents.intervals import NORMAL, share_ends, unseen
from ..stress.choosing import choose
from ..stress.conditions import EVERYBODY, NOBODY, Bench, Condition
from ..stress.context import Context
from ..stress.dominance import LP_RESAMPLES, matrix_game, met
from ..stress.dynamics import luck_share
from ..stress.estimates import mean_of, paired
from ..stress.exact import POSITIONS
from ..stress.findings import Mean
from ..stress.findings import Sample as Interval
from ..stress.learning import learn
from ..stress.seated import seated
from ..stress.strategies import Chosen, Prelude
from ..stress.typical import casts_of, typical_games
from ..stress.workers import Failed, Job
from ..stress.worth import overall_of
from .profile import Floats
from .records import Figure
from .targets import FIGURES

SOLVED = ("worth", "seat")  # figures that are differences of values of the game
OF_A_COURSE = ("length", "draws", "luck")
ALONE = ("worth",)  # figures that need no game in which all have the module


@dataclass(frozen=True)
class Measured:
    """Figures by name, and what a side gained in every deal by having the module, float64[deals].

    `replay` is the file of a game as it is played with it, "" where the figures are exact.
    """

    figures: dict[str, Figure]
    gaps: Floats | None = None
    replay: str = ""


def estimated(context: Context, prelude: Prelude, wanted: Collection[str], folder: str) -> Measured:
    """Figures by strategies that are learned, chosen and measured at the point of the context's bench.

    A game of a side that has the module alone, or of all where figures tell of that, is written into a folder.
    Raises Unanswered where the rules give no answer.
    """
    chosen = choose(context, prelude, learn(context, prelude))
    figures: dict[str, Figure] = {}
    gaps: Floats | None = None
    if "worth" in wanted:
        figures["worth"], gaps = _worth(context, chosen)
    if "seat" in wanted:
        figures["seat"] = _seat(context, chosen)
    if "use" in wanted:
        figures |= _use(context, chosen)
    if set(OF_A_COURSE) & set(wanted):
        figures |= {name: f for name, f in _course(context, chosen).items() if name in wanted}
    if "dominant" in wanted:
        figures["dominant"] = _dominant(context, prelude, chosen)
    games = typical_games(context, "sample", casts_of(context, chosen), folder)
    having = [game.replay for game in games if game.name != NOBODY]
    return Measured(figures, gaps, having[0 if set(wanted) - set(ALONE) else -1] if having else "")


def _figure(name: str, found: Interval) -> Figure:
    return Figure(name, found.value, found.low, found.high, found.games)


def _of_mean(name: str, found: Mean, games: int) -> Figure:
    value, half = found.mean or 0.0, NORMAL * (found.error or 0.0)
    if not FIGURES[name].percent:
        return Figure(name, value, value - half, value + half, games)
    below, above = (half, half) if half else (unseen(games) * value, unseen(games) * (1.0 - value))
    return Figure(name, 100.0 * value, 100.0 * (value - below), 100.0 * (value + above), games)


def _worth(context: Context, chosen: Chosen) -> tuple[Figure, Floats]:
    bench = context.bench
    conditions = bench.holder_conditions()
    if bench.several:  # each side against the same others, of whom nobody has it
        pairs = []
        for side in context.sides:
            wanted = [
                (conditions[name], [(pair[side], pair[1 - side]) for pair in chosen.of_seeds(name)])
                for name in (bench.alone(side), NOBODY)
            ]
            alone, without = context.cells("measure", wanted, context.budget.measure, "measure", side)
            pairs.append((alone, without))
        return _figure("worth", overall_of(pairs, context.budget.seeds)), np.mean([a - b for a, b in pairs], axis=0)
    names = [NOBODY, *dict.fromkeys(bench.alone(side) for side in context.sides)]
    cells = context.cells(
        "measure", [(conditions[n], chosen.of_seeds(n)) for n in names], context.budget.measure, "measure"
    )
    margins = dict(zip(names, cells))
    signs = [(side, 1.0 if side == 0 else -1.0) for side in context.sides]
    pairs = [(sign * margins[bench.alone(side)], sign * margins[NOBODY]) for side, sign in signs]
    return _figure("worth", overall_of(pairs, context.budget.seeds)), np.mean([a - b for a, b in pairs], axis=0)


def _seat(context: Context, chosen: Chosen) -> Figure:
    everybody = context.bench.everybody()
    played = seatings(context.bench, everybody)
    cells = context.cells(
        "measure", [(c, chosen.of_seeds(EVERYBODY)) for c in played], context.budget.measure, "measure"
    )
    lead = cells[0] if len(cells) == 1 else (cells[0] - cells[1]) / 2
    return _figure("seat", paired(lead, np.zeros_like(lead)))


def seatings(bench: Bench, condition: Condition) -> list[Condition]:
    """The condition, and the same with the roles of the seats exchanged where that is possible."""
    return [condition, replace(condition, mirrored=True)] if bench.can_mirror else [condition]


def _use(context: Context, chosen: Chosen) -> dict[str, Figure]:
    """How often it is used; nothing where it was never offered as something that can be declined."""
    rows, columns = chosen.of_all(EVERYBODY)
    args = {"condition": context.bench.everybody(), "rows": rows, "columns": columns, "deals": context.budget.rates,
            "seed": context.seed("rates")}  # fmt: skip
    (answer,) = context.need("use", [Job("rates", args)])
    if answer["rate"] is None:
        return {}
    error = answer["error"]
    known = None if error is None or not np.isfinite(error) else float(error)
    return {"use": _of_mean("use", Mean(float(answer["rate"]), known), int(answer["games"]))}


def _course(context: Context, chosen: Chosen) -> dict[str, Figure]:
    b = context.budget
    args = {"condition": context.bench.everybody(), "mixtures": list(chosen.of_seeds(EVERYBODY)),
            "deals": (0, b.course), "replicates": b.replicates, "seed": context.seed("course")}  # fmt: skip
    (answer,) = context.need("dynamics", [Job("course", args)])
    margins, lengths = np.asarray(answer["margins"]), np.asarray(answer["lengths"])
    drawn = (np.abs(margins) < 1e-9).astype(np.float64)
    share, error = luck_share(margins)[2:]
    return {
        "length": _of_mean("length", mean_of(lengths.mean(axis=0)), lengths.size),
        "draws": _of_mean("draws", mean_of(drawn.mean(axis=0)), margins.size),
        "luck": _of_mean("luck", Mean(share, error), margins.size),
    }


def _dominant(context: Context, prelude: Prelude, chosen: Chosen) -> Figure:
    b = context.budget
    pool = seated(chosen.pools[EVERYBODY], prelude.anchor)
    (blocks,) = context.matrices("dominance", [met(context.bench.everybody(), pool)], b.matrix, "matrix")
    game = matrix_game(
        [s.name for s in pool], blocks, [float("nan")] * len(pool), b.resamples, context.seed("resample")
    )
    return dominance(game.dominant.share, min(b.resamples, LP_RESAMPLES), len(pool) ** 2 * b.matrix)


def dominance(share: float, resamples: int, games: int) -> Figure:
    """The share of so many resamples in per cent; its interval is that of any count, and of some width even at 0 or 1.

    Without one it would pass for exact: in the picture along a parameter, and where it is held against a target.
    """
    low, high = share_ends(round(share * resamples), resamples)
    return Figure("dominant", 100.0 * share, 100.0 * low, 100.0 * high, games)


def solved(context: Context, benches: Sequence[Bench], wanted: Collection[str]) -> list[dict[str, Figure]] | None:
    """Exact figures at several points, the values of games that are solved; None if one of them is not.

    Where the rules give no answer a point has no figures.
    """
    games = _all_games(context, benches, wanted)
    values: dict[Condition, float | None] = {}
    # one game first: where it is not solved, none is tried in vain
    for batch in (games[:1], games[1:]):
        for condition, answer in zip(batch, context.ask("measure", [_solving(context, c) for c in batch])):
            if not isinstance(answer, Failed) and not answer["values"]:
                return None
            values[condition] = None if isinstance(answer, Failed) else float(answer["values"][0])
    return _figures(context, benches, wanted, values)


def solved_before(context: Context, benches: Sequence[Bench], wanted: Collection[str]) -> list[dict[str, Figure]]:
    """The same of the games that have been solved already; points of which one is missing have no figures."""
    values: dict[Condition, float | None] = {}
    for condition in _all_games(context, benches, wanted):
        answer = context.store.get(context.store.path_of(_solving(context, condition), context.facts))
        values[condition] = float(answer["values"][0]) if answer is not None and answer["values"] else None
    return _figures(context, benches, wanted, values)


def _solving(context: Context, condition: Condition) -> Job:
    return Job("exact", {"conditions": [condition], "limit": POSITIONS[context.bench.settings.budget]})


def _all_games(context: Context, benches: Sequence[Bench], wanted: Collection[str]) -> list[Condition]:
    """All games whose values the figures of several points need, each once."""
    names = [name for name in SOLVED if name in wanted]
    return list(dict.fromkeys(c for bench in benches for name in names for c in _games_of(bench, context.sides, name)))


def _figures(
    context: Context, benches: Sequence[Bench], wanted: Collection[str], values: Mapping[Condition, float | None]
) -> list[dict[str, Figure]]:
    """The figures of several points, as far as the values of their games are known."""
    out = []
    for bench in benches:
        found: dict[str, Figure] = {}
        for name in [name for name in SOLVED if name in wanted]:
            known = [values[c] for c in _games_of(bench, context.sides, name)]
            numbers = [v for v in known if v is not None]
            if len(numbers) == len(known):
                value = _value_of(name, numbers, context.sides)
                found[name] = Figure(name, value, value, value, 0, True)
        out.append(found)
    return out


def _games_of(bench: Bench, sides: Sequence[int], name: str) -> list[Condition]:
    if name == "seat":
        return seatings(bench, bench.everybody())
    conditions = bench.holder_conditions()
    return [conditions[NOBODY], *(conditions[bench.alone(side)] for side in sides)]


def _value_of(name: str, values: Sequence[float], sides: Sequence[int]) -> float:
    """The figure of the values of side 0 in the games of `_games_of`."""
    if name == "seat":
        return values[0] if len(values) == 1 else (values[0] - values[1]) / 2
    without, *alone = values
    return float(np.mean([(v - without) * (1.0 if side == 0 else -1.0) for side, v in zip(sides, alone)]))


__all__ = ["ALONE", "SOLVED", "Measured", "estimated", "solved", "solved_before"]
