"""Games as they are played: one deal in every condition, and by players of every level, to be seen step by step.

The deal is the one of middle result where everybody has the module. A game proves nothing about a mean; it shows what
the worth, the changes and the levels of the report speak of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...envs.core.abi import STOPPED
from .conditions import EVERYBODY, NOBODY, Condition
from .context import Context, slug
from .exploit import record
from .findings import Typical
from .lab import Lab
from .play import draw_pairs, play
from .strategies import Chosen, Mixture, Strategy, joined
from .workers import Job

DEALS = 40  # among which the deal is chosen


@dataclass(frozen=True)
class Cast:
    """Who plays a game: the condition or level by its name, side A, and everybody else."""

    name: str
    condition: Condition
    rows: Mixture
    columns: Mixture


def casts_of(context: Context, chosen: Chosen, levels: Iterable[tuple[str, Strategy, Strategy]] = ()) -> list[Cast]:
    """The conditions, that of everybody first, by what is played there; then the levels, (name, others, holder).

    Of a level side A has the module alone, where it can.
    """
    conditions = context.bench.holder_conditions()
    order = sorted(chosen.mixtures, key=lambda name: (EVERYBODY, NOBODY).index(name) if name in (EVERYBODY, NOBODY)
                   else 2)  # fmt: skip
    found = [Cast(name, conditions[name], *chosen.of_all(name)) for name in order if name in conditions]
    alone = conditions[context.bench.alone(0)]
    for name, plain, holder in levels:
        others = holder if context.bench.for_all else plain
        found.append(Cast(name, alone, Mixture((holder,), (1.0,)), Mixture((others,), (1.0,))))
    return found


def typical_games(context: Context, step: str, casts: Sequence[Cast], folder: str = "replays") -> tuple[Typical, ...]:
    """A game of every cast on the same deal, written into a folder of the test."""
    paths = [f"{folder}/typical-{slug(cast.name)}.json" for cast in casts]
    args = {"casts": [(cast.condition, cast.rows, cast.columns) for cast in casts], "paths": paths,
            "deals": DEALS, "seed": context.seed("typical")}  # fmt: skip
    (answer,) = context.need(step, [Job("typical", args)])
    return tuple(
        Typical(cast.name, game["deal"], game["result"], path)
        for cast, path, game in zip(casts, paths, answer, strict=True)
        if game is not None
    )


# What workers do


def show(
    lab: Lab, casts: Sequence[tuple[Condition, Mixture, Mixture]], paths: Sequence[str], deals: int, seed: int
) -> list[dict[str, Any] | None]:
    """Play the deal of middle result of the first cast with every cast, and write the games as replays.

    Results are those of side A. None where a game is longer than its log.
    """
    numbers, out = np.arange(deals), list[dict[str, Any] | None]()
    deal = None
    for (condition, rows, columns), path in zip(casts, paths, strict=True):
        players, first, second = joined(rows, columns)
        pairs = draw_pairs(first, second, numbers, seed)
        wanted = numbers if deal is None else numbers[[deal]]
        played = play(lab, condition, players, [pairs[i] for i in wanted], wanted, seed, logged=True)
        assert played.log is not None
        whole = played.lengths.cumsum() <= len(played.log)
        row = 0
        if deal is None:
            row = middle(played.margins, whole, played.status != STOPPED)
            deal = int(numbers[row])
        if not whole[row]:
            out.append(None)
            continue
        replay = record(lab, condition, played, row, deal, seed, pairs[deal], [p.name for p in players])
        (lab.folder / path).parent.mkdir(parents=True, exist_ok=True)
        replay.save(lab.folder / path)
        out.append({"deal": deal, "result": float(played.margins[row])})
    return out


def middle(results: np.ndarray, whole: np.ndarray, ended: np.ndarray) -> int:
    """The row of middle result among games that are whole, and that ended if any did; the first of equals."""
    fits = whole & ended if (whole & ended).any() else whole
    rows = np.flatnonzero(fits) if fits.any() else np.arange(len(results))
    return int(rows[np.argsort(results[rows], kind="stable")[(len(rows) - 1) // 2]])


__all__ = ["Cast", "casts_of", "middle", "show", "typical_games"]
