"""Who plays Goofspiel."""

from __future__ import annotations

from ..declaration import LEVELS, NEWCOMER, Agents, Lineup
from .baselines import BASELINES

GERMAN = {
    "match_prize": "bietet den Wert der Punktkarte",
    "one_above": "bietet eins mehr als die Punktkarte",
    "halves": "seine höchste Karte für hohe Punktkarten, sonst die niedrigste",
    "highest_first": "seine höchste Karte, worum es auch geht",
}

AGENTS = Agents(
    german=GERMAN,
    baselines=BASELINES,
    lineups={
        "goofspiel": Lineup(
            field=("random", "match_prize", "one_above", "halves", "highest_first", "search:sims=200"),
            levels=(
                NEWCOMER,
                LEVELS[0],
                "casual:sims=21,temperature=0.45,overlook=0.37",
                "casual:sims=45,temperature=0.28,overlook=0.26",
                "casual:sims=85,temperature=0.17,overlook=0.17",
                LEVELS[4],
                "search:sims=250",
                "search:sims=4000",
            ),
            ratings=(0, 21, 70, 119, 175, 203, 238, 287),
            remark=(
                "Each level takes 53 to 58 % from the one below: sealed bids leave no room for more between eight.",
                "Jede Stufe nimmt der vorigen 53 bis 58 % ab: mehr Raum lassen verdeckte Gebote nicht für acht.",
            ),
        ),
    },
)
