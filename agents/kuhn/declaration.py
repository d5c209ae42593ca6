"""Who plays Kuhn poker."""

from __future__ import annotations

from ..declaration import Agents, Lineup
from .baselines import BASELINES

GERMAN = {
    "honest": "ein Gleichgewicht: der Erste blufft nie",
    "bluffer": "ein Gleichgewicht: der Erste blufft mit jedem dritten Buben",
    "card_only": "setzt nur mit dem König",
    "always_bet": "setzt und geht mit jeder Karte mit",
}

AGENTS = Agents(
    german=GERMAN,
    baselines=BASELINES,
    lineups={
        "kuhn": Lineup(
            field=("random", "honest", "bluffer", "card_only", "always_bet", "search:sims=200", "cfr"),
            ratings=(0, 14, 20, 34, 34, 36, 36, 36),
            remark=(
                "From the fourth level on none is above the one below: three cards leave no room for eight.",
                "Von der vierten Stufe an liegt keine über der vorigen: drei Karten lassen keinen Raum für acht.",
            ),
        ),
    },
)
