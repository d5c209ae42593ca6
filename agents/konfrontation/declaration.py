"""Who plays Konfrontationen, and how its games are searched."""

from __future__ import annotations

from ..declaration import Agents, Lineup
from .baselines import BASELINES

AGENTS = Agents(
    baselines=BASELINES,
    own={"equilibrium": "equilibrium:EquilibriumAgent"},
    lineups={
        "konfrontation-clash": Lineup(
            rollout="matrix",
            field=(
                "random", "builder", "zero_bid", "all_in", "matrix", "staller", "lookahead", "equilibrium",
                "search:sims=200",
            ),
        ),
        "konfrontation-campaign": Lineup(
            rollout="lookahead",
            field=(
                "random", "builder", "rush", "zero_bid", "all_in", "matrix", "raider", "support_rush", "staller",
                "lookahead", "search:sims=50", "policy",
            ),
            pairing=100,
        ),
    },
)  # fmt: skip
