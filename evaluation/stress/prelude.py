"""Which baseline is the strongest without the module: the one that the best opponent among them gains least from.

Of many baselines the lab goes on with the strongest and with uniform choice: every pair of strategies costs games.
"""

from __future__ import annotations

import numpy as np

from ..tournament import metagame as mg
from .conditions import Condition
from .context import Context
from .strategies import Prelude, Strategy
from .workers import Job


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
    return Prelude(tuple(base[i] for i in kept), base[order[0]])


__all__ = ["compare_baselines"]
