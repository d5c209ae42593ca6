"""Which baseline is the strongest without the module: the one that the best opponent among them gains least from.

Of many baselines the lab goes on with the strongest and with uniform choice: every pair of strategies costs games.
Games of the strongest tell how long games are that are played well, and how many actions a decision has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...agents.declaration import lineup_of
from ...agents.native import baselines_of
from ...envs.core.registry import game_from
from ..tournament import metagame as mg
from .conditions import Condition
from .context import Context
from .strategies import Mixture, Prelude, Strategy
from .workers import Job

GAMES = 40  # of the strongest with itself
# Decisions of random play that one of a simulation may take, and one of those who stand in where it takes more.
MOST_WORK, INSTEAD = 10, 5


def compare_baselines(context: Context) -> Prelude:
    """Every baseline against every other one with nobody having the module."""
    context.begin("prelude")
    base = [Strategy(name, base=name) for name in context.bench.baselines()]
    args = {"conditions": [Condition()], "rows": base, "columns": base, "deals": (0, context.budget.prelude),
            "blocks": 10, "seed": context.seed("prelude")}  # fmt: skip
    (blocks,) = context.need("prelude", [Job("matrix", args)])
    m = np.asarray(blocks).mean(axis=0)
    m = (m - m.T) / 2
    order = np.lexsort((-m.mean(axis=1), np.round(mg.exploitability(m), 2))).tolist()
    kept = sorted({0, *order[: context.budget.baselines]})
    anchor = base[order[0]]
    alone = Mixture((anchor,), (1.0,))
    args = {"condition": context.bench.everybody(), "mixtures": [(alone, alone)], "deals": (0, GAMES), "replicates": 1,
            "seed": context.seed("prelude course")}  # fmt: skip
    (played,) = context.need("prelude", [Job("course", args)])
    length, choices, legal = (_known(played[name]) for name in ("lengths", "choices", "legal"))
    return Prelude(
        tuple(base[i] for i in kept),
        anchor,
        length,
        choices,
        max(legal, 2.0),
        float(np.std(played["margins"])),
        _rollout(context, [base[i].base for i in order]),
        tuple(base[i] for i in reversed(order[2 : context.budget.baselines]) if i),
    )


def _rollout(context: Context, ranked: Sequence[str]) -> str:
    """Who plays simulations: whom the game names, or the strongest baseline that is quick where those plan at length.

    A ladder of searches tells what more simulations are worth, for which any sensible play will do.
    """
    game = game_from(context.bench.spec(Condition()), compiled=False)
    table = baselines_of(game.spec.system)
    named = lineup_of(game).rollout_in(game).split("+")
    if all(table[name].work <= MOST_WORK for name in named if name in table):
        return "auto"
    return next((name for name in ranked if name in table and table[name].work <= INSTEAD), "random")


def _known(values: Any) -> float:
    """The mean of those that are known; 0 if none is."""
    found = np.asarray(values)[np.isfinite(values)]
    return float(found.mean()) if len(found) else 0.0


__all__ = ["compare_baselines"]
