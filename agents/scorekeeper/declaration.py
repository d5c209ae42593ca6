"""Who plays Scorekeeper, and how its games are searched."""

from __future__ import annotations

from dataclasses import replace

from ..declaration import Agents, Lineup, Outlook
from . import outlook
from .baselines import BASELINES

_FIGHT = Lineup(
    rollout="aggressor",
    bulky=("melee", "run", "shoot"),
    advisers=("marksman", "one_ply"),
    outlook=Outlook(outlook.clock, outlook.outlook, horizon=1, c=1.0, margin=0.5),  # at the start of the next round
)
_HEURISTICS = ("random", "aggressor", "marksman", "duellist", "kiter", "guardian", "one_ply")

AGENTS = Agents(
    baselines=BASELINES,
    lineups={
        "scorekeeper-duel": replace(
            _FIGHT, policy_margin=2.0, field=(*_HEURISTICS, "search:sims=200", "policy"), pairing=400
        ),
        "scorekeeper-skirmish": replace(_FIGHT, field=(*_HEURISTICS, "search:sims=100", "policy"), pairing=100),
    },
)
