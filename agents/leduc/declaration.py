"""Who plays Leduc poker."""

from __future__ import annotations

from ..declaration import Agents, Lineup
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
            ratings=(0, 20, 33, 59, 76, 79, 79, 79),
        ),
    },
)
