"""Who plays 1w6 EWS by rock-paper-scissors, and how it is searched."""

from __future__ import annotations

from ..declaration import LEVELS, Agents, Lineup
from .baselines import BASELINES

AGENTS = Agents(
    baselines=BASELINES,
    lineups={
        "ews_rps": Lineup(
            rollout="uniform",
            field=(
                "uniform", "constant", "cycle", "biased", "winstay_loseshift", "frequency", "markov", "longest_match",
                "context", "meta", "regret", "safe_exploit", "feint", "mixture", "counter", "search:sims=50", "policy",
            ),
            pairing=1000,
            # a search finds nothing better than uniform play; whoever learns the opponent does
            opponent="counter",
            levels=(*LEVELS[:5], "meta", "mixture", "counter"),
        )
    },
)  # fmt: skip
