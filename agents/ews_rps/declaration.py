"""Who plays 1w6 EWS by rock-paper-scissors, and how it is searched."""

from __future__ import annotations

from ..declaration import Agents, Lineup
from .baselines import BASELINES

AGENTS = Agents(
    baselines=BASELINES,
    lineups={
        "ews_rps": Lineup(
            rollout="uniform",
            field=(
                "uniform", "constant", "cycle", "biased", "winstay_loseshift", "frequency", "markov", "longest_match",
                "context", "meta", "regret", "safe_exploit", "feint", "mixture", "search:sims=50", "policy",
            ),
            pairing=1000,
        )
    },
)  # fmt: skip
