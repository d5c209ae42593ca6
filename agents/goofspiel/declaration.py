"""Who plays Goofspiel."""

from __future__ import annotations

from ..declaration import Agents, Lineup
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
            ratings=(0, 17, 59, 97, 168, 203, 245, 254),
        ),
    },
)
