"""Who plays Scorekeeper, and how its games are searched."""

from __future__ import annotations

from dataclasses import replace

from ...envs.core.game import Game
from ..declaration import LEVELS, NEWCOMER, Agents, Lineup, Outlook, Plans
from . import outlook
from .baselines import BASELINES


def counted(game: Game) -> bool:
    """Everything is public (4.1), unless a module hides something."""
    return not game.spec.options.get("modules")


def skirmish_opponent(game: Game) -> str:
    """Of more than two fighters a search sees too little: whole ways to fight are compared."""
    return "search" if game.n_seats == 2 else "switch:sims=4000"


_FIGHT = Lineup(
    rollout="aggressor",
    bulky=("melee", "run", "shoot"),
    advisers=("marksman", "one_ply"),
    outlook=Outlook(outlook.clock, outlook.outlook, horizon=1, c=1.0, margin=0.5),  # at the start of the next round
    counted=counted,
)
_HEURISTICS = ("random", "aggressor", "marksman", "duellist", "kiter", "guardian", "one_ply")

GERMAN = {
    "aggressor": "greift ungezielt an, rettet immer, kauft jede Wunde herunter",
    "marksman": "greift an wie aggressor, aber gezielt, wo das Ziel am schnellsten fällt",
    "duellist": "liest Ansagen; pariert oder weicht aus, je nachdem, was mehr wert ist",
    "kiter": "schießt und weicht vor langsameren Gegnern zurück",
    "guardian": "erste Hilfe für Sterbende und Blutende, sonst gezielte Angriffe",
    "one_ply": "was nach einer Aktion am besten steht",
}

AGENTS = Agents(
    german=GERMAN,
    baselines=BASELINES,
    lineups={
        "scorekeeper-duel": replace(
            _FIGHT,
            policy_margin=2.0,
            field=(*_HEURISTICS, "search:sims=200", "policy"),
            pairing=400,
            levels=(
                LEVELS[0],
                "casual:sims=20,temperature=0.42,overlook=0.37",
                "casual:sims=32,temperature=0.3,overlook=0.3",
                "casual:sims=48,temperature=0.25,overlook=0.25",
                LEVELS[3],
                LEVELS[4],
                "casual:sims=300,temperature=0.03,overlook=0",
                LEVELS[5],
            ),
            ratings=(0, 31, 45, 53, 72, 108, 121, 144),
            remark=(
                "Each level takes 52 to 56 % from the one below: dice leave a duel no room for more between eight.",
                "Jede Stufe nimmt der vorigen 52 bis 56 % ab: mehr Raum lassen die Würfel einem Duell nicht für acht.",
            ),
        ),
        "scorekeeper-skirmish": replace(
            _FIGHT,
            plans=Plans("aggressor"),
            opponent=skirmish_opponent,
            field=(*_HEURISTICS, "search:sims=100", "switch:sims=100", "policy"),
            pairing=100,
            levels=(
                NEWCOMER,
                "casual:sims=21,temperature=0.46,overlook=0.37",
                "casual:sims=44,temperature=0.29,overlook=0.255",
                "casual:sims=81,temperature=0.172,overlook=0.17",
                "casual:sims=148,temperature=0.102,overlook=0.102",
                "search:sims=14",
                "search:sims=200",
                "switch:sims=100",
            ),
            lab_levels=(
                LEVELS[0],
                LEVELS[2],
                LEVELS[3],
                "casual:sims=120,temperature=0.12,overlook=0.12",
                "search:sims=12",
                "search:sims=60",
                "search:sims=150",
                "switch:sims=4000",
            ),
            ratings=(0, 85, 163, 226, 296, 366, 451, 536),
        ),
    },
)
