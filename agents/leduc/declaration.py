"""Who plays Leduc poker."""

from __future__ import annotations

from ..declaration import Agents, Lineup
from .baselines import BASELINES

AGENTS = Agents(
    baselines=BASELINES,
    lineups={
        "leduc": Lineup(rollout="mixed", field=("random", "tight", "mixed", "caller", "raiser", "search:sims=200")),
    },
)
