"""How Scorekeeper is learnt."""

from __future__ import annotations

from ..declaration import Training

_SEARCH = "search:sims=1000,prior=rollout"
_FIGHTS = [  # scenarios of the shipped policy; the search sees more where only blades are in the game
    {"scenario": "mafia_club", "weight": 6.0, "reviewer": _SEARCH}, {"scenario": "drug_flat", "weight": 2.0},
    {"scenario": "rooftop_chase", "weight": 2.0}, {"scenario": "blade_mirror", "weight": 2.0, "reviewer": _SEARCH},
]  # fmt: skip
_GROUPS = [
    {"scenario": "street_raid", "weight": 3.0}, {"scenario": "stairwell_rescue"}, {"scenario": "drug_flat"},
    {"scenario": "mafia_club", "weight": 2.0}, {"scenario": "rooftop_chase", "weight": 2.0},
    {"scenario": "blade_mirror", "weight": 2.0},
]  # fmt: skip

TRAINING = Training(
    defaults={
        # Everything is public: one best action is enough, and the heuristics show early what pays.
        "scorekeeper-duel": {
            "decisions": 2_000_000, "tables": 512, "steps": 64, "batch": 4096, "learning_rate": 6e-4, "entropy": 0.0005,
            "entropy_end": 0.00003, "clip": 0.15, "trace": 0.95, "groups": False, "settle": 4,
            "advisers": ("aggressor", "marksman", "duellist", "kiter", "guardian", "one_ply"),
            "opponents": {"self": 0.15, "past": 0.05, "aggressor": 0.6, "one_ply": 0.1, "duellist": 0.05,
                          "guardian": 0.05},
            "temperature": 0.0,
            "evaluate_against": ("random", "aggressor", "marksman", "duellist", "kiter", "guardian", "one_ply"),
        },
        # One network decides for all fighters of a side, and hears what each heuristic would do.
        "scorekeeper-skirmish": {
            "decisions": 6_000_000, "tables": 512, "steps": 64, "batch": 4096, "learning_rate": 6e-4, "entropy": 0.002,
            "entropy_end": 0.00003, "clip": 0.15, "trace": 0.95, "groups": False, "settle": 4, "whole_side": True,
            "advisers": ("aggressor", "marksman", "duellist", "kiter", "guardian", "one_ply"),
            "opponents": {"self": 0.2, "past": 0.05, "aggressor": 0.3, "one_ply": 0.3, "duellist": 0.05,
                          "guardian": 0.05, "marksman": 0.05},
            "temperature": 0.0, "evaluate_games": 400,  # of two times four fighters who hear six advisers
            "evaluate_against": ("random", "aggressor", "marksman", "duellist", "kiter", "guardian"),
        },
    },
    shipped={
        "scorekeeper-duel": {
            "seed": 1, "learner": "torch", "scenarios": _FIGHTS, "decisions": 3_000_000, "review": 180_000,
        },
        "scorekeeper-skirmish": {"seed": 1, "learner": "native", "scenarios": _GROUPS, "decisions": 12_000_000},
        # Blades alone: heuristics play alike there, and who met other fights, too, learned no more than they know.
        "scorekeeper-skirmish--blade_mirror": {
            "seed": 1, "learner": "native", "scenarios": [{"scenario": "blade_mirror"}], "decisions": 4_000_000,
            "opponents": {"self": 0.3, "past": 0.1, "aggressor": 0.5, "one_ply": 0.1},
            "evaluate_against": ("aggressor", "one_ply"),
        },
        # What leaves `aggressor` loses to it here, unless it knows exactly when: begun as it plays, in small steps.
        "scorekeeper-skirmish--mafia_club": {
            "seed": 1, "learner": "native", "scenarios": [{"scenario": "mafia_club"}], "decisions": 4_000_000,
            "lead": 4.0, "entropy": 0.0003, "learning_rate": 3e-4,
            "opponents": {"self": 0.2, "past": 0.1, "aggressor": 0.6, "one_ply": 0.1},
            "evaluate_against": ("aggressor", "one_ply"),
        },
    },
)  # fmt: skip
