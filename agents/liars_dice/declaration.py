"""Who plays liar's dice."""

from __future__ import annotations

from ..declaration import Agents, Lineup
from .baselines import BASELINES

AGENTS = Agents(
    baselines=BASELINES,
    lineups={
        "liars_dice": Lineup(
            field=("random", "honest", "likely", "bold", "doubter", "search:sims=200"),
            ratings=(0, 24, 65, 145, 189, 242, 296, 312),
        ),
    },
)
