"""Who plays liar's dice."""

from __future__ import annotations

from ..declaration import Agents, Lineup
from .baselines import BASELINES

GERMAN = {
    "honest": "bietet, was die eigenen Würfel zeigen, und glaubt sonst nichts",
    "likely": "bietet und glaubt, was eher wahr ist als nicht",
    "bold": "bietet und glaubt, was eine Chance von eins zu fünf hat",
    "doubter": "zweifelt jedes Gebot an",
}

AGENTS = Agents(
    german=GERMAN,
    baselines=BASELINES,
    lineups={
        "liars_dice": Lineup(
            field=("random", "honest", "likely", "bold", "doubter", "search:sims=200"),
            ratings=(0, 24, 65, 145, 189, 242, 296, 312),
        ),
    },
)
