"""Who plays liar's dice."""

from __future__ import annotations

from ...envs.core.game import Game
from ..declaration import LEVELS, NEWCOMER, Agents, Lineup
from .baselines import BASELINES

GERMAN = {
    "honest": "bietet, was die eigenen Würfel zeigen, und glaubt sonst nichts",
    "likely": "bietet und glaubt, was eher wahr ist als nicht",
    "bold": "bietet und glaubt, was eine Chance von eins zu fünf hat",
    "doubter": "zweifelt jedes Gebot an",
}


def _rollout(game: Game) -> str:
    """With one die each any play will do; with more a random one doubts so seldom that every lie seems to work."""
    return "random" if int(game.params.dice) == 1 else "likely"


AGENTS = Agents(
    german=GERMAN,
    baselines=BASELINES,
    lineups={
        "liars_dice": Lineup(
            rollout=_rollout,
            field=("random", "honest", "likely", "bold", "doubter", "search:sims=200"),
            levels=(
                NEWCOMER,
                LEVELS[0],
                "casual:sims=24,temperature=0.41,overlook=0.34",
                "casual:sims=44,temperature=0.28,overlook=0.26",
                "casual:sims=75,temperature=0.18,overlook=0.18",
                "casual:sims=170,temperature=0.09,overlook=0.09",
                "search:sims=300",
                LEVELS[7],
            ),
            ratings=(0, 42, 91, 133, 175, 238, 323, 386),
            remark=(
                "Each level takes 56 to 62 % from the one below: dice leave no room for more between eight.",
                "Jede Stufe nimmt der vorigen 56 bis 62 % ab: mehr Raum lassen Würfel nicht für acht.",
            ),
        ),
    },
)
