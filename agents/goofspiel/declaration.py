"""Who plays Goofspiel."""

from __future__ import annotations

from ..declaration import Agents, Lineup
from .baselines import BASELINES

AGENTS = Agents(
    baselines=BASELINES,
    lineups={
        "goofspiel": Lineup(
            field=("random", "match_prize", "one_above", "halves", "highest_first", "search:sims=200"),
            ratings=(0, 17, 59, 97, 168, 203, 245, 254),
        ),
    },
)
