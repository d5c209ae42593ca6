"""Who plays Leduc poker."""

from __future__ import annotations

from ..declaration import Agents, Lineup
from .baselines import BASELINES

AGENTS = Agents(
    baselines=BASELINES,
    lineups={
        "leduc": Lineup(
            rollout="mixed",
            field=("random", "tight", "mixed", "caller", "raiser", "search:sims=200"),
            ratings=(0, 20, 33, 59, 76, 79, 79, 79),
        ),
    },
)
