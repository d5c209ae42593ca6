"""Who plays Kuhn poker."""

from __future__ import annotations

from ..declaration import Agents, Lineup
from .baselines import BASELINES

AGENTS = Agents(
    baselines=BASELINES,
    lineups={
        "kuhn": Lineup(
            field=("random", "honest", "bluffer", "card_only", "always_bet", "search:sims=200", "cfr"),
            ratings=(0, 14, 20, 34, 34, 36, 36, 36),
        ),
    },
)
