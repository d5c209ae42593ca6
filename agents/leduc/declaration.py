"""Who plays Leduc poker."""

from __future__ import annotations

from ..declaration import LEVELS, NEWCOMER, Agents, Lineup
from .baselines import BASELINES

GERMAN = {
    "tight": "erhöht mit König oder Paar, geht mit der Dame mit, gibt sonst auf",
    "mixed": "wie tight, mit einigen Bluffs",
    "caller": "geht immer mit",
    "raiser": "erhöht, so oft es darf",
}

AGENTS = Agents(
    german=GERMAN,
    baselines=BASELINES,
    lineups={
        "leduc": Lineup(
            rollout="mixed",
            field=("random", "tight", "mixed", "caller", "raiser", "search:sims=200"),
            levels=(
                NEWCOMER,
                "casual:sims=20,temperature=0.45,overlook=0.37",
                "casual:sims=40,temperature=0.3,overlook=0.27",
                LEVELS[3],
                "casual:sims=110,temperature=0.14,overlook=0.14",
                "search:sims=60",
                "search:sims=250",
                "search:sims=1000",
            ),
            ratings=(0, 21, 42, 49, 63, 70, 77, 84),
            remark=(
                "Each level takes 51 to 53 % from the one below: cards leave poker no room for more between eight.",
                "Jede Stufe nimmt der vorigen 51 bis 53 % ab: mehr Raum lassen die Karten beim Poker nicht für acht.",
            ),
        ),
    },
)
