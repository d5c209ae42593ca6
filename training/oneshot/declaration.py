"""How OneShot is learnt."""

from __future__ import annotations

from ..declaration import Training

_MISSIONS = [  # difficulty 3 first; easier ones, where a success is not so rare, show what leads to it
    {"scenario": "heist", "options": {"sg": 3}, "weight": 4.0},
    {"scenario": "boss_hunt", "options": {"sg": 3}, "weight": 4.0},
    {"scenario": "courier", "options": {"sg": 3}, "weight": 1.0},
    {"scenario": "random", "options": {"sg": 3}, "weight": 2.0},
    {"scenario": "random", "options": {"sg": 2}, "weight": 2.0},
    {"scenario": "cellar_cleanse", "options": {"sg": 2}, "weight": 1.0},
    {"scenario": "last_stand", "weight": 1.0}, {"scenario": "cellar_cleanse", "weight": 0.5},
    {"scenario": "random", "weight": 0.5}, {"scenario": "heist", "weight": 1.0},
    {"scenario": "boss_hunt", "weight": 0.5}, {"scenario": "courier", "weight": 0.25},
]  # fmt: skip

_SKIRMISHES = [  # on the grid
    {"scenario": "duel_mirror", "weight": 3.0}, {"scenario": "melee_vs_bow", "weight": 3.0},
    {"scenario": "diplomat_duel", "weight": 2.0}, {"scenario": "ambush", "weight": 1.0},
    {"scenario": "wounded_last_stand", "weight": 3.0},
]  # fmt: skip

_TALKS = [  # who talks alone is taught in the end by who works the talk out; a hostile guard it knows better by itself
    {"scenario": "market", "weight": 2.0, "reviewer": "dp"}, {"scenario": "council", "weight": 3.0},
    {"scenario": "hostile_guard"}, {"scenario": "old_friend", "reviewer": "dp"},
    {"scenario": "interrogation", "reviewer": "dp"}, {"scenario": "stern_rules", "reviewer": "dp"},
    {"scenario": "claim"}, {"scenario": "lone_claim", "weight": 2.0, "reviewer": "dp"},
]  # fmt: skip

# What `build_equilibrium` builds is no matter of self-play, which comes upon it in no number of games: it teaches its
# choices one by one, each preset's to a policy of its own, since nothing that is seen tells the presets apart. Few
# tables, so that there are many fits; afterwards values alone are learned.
_BUILDS = {
    "seed": 1, "learner": "native", "teacher": "build_equilibrium", "lessons": 100_000, "settle": 1000,
    "decisions": 4096, "tables": 64, "steps": 32, "batch": 512, "opponents": {"self": 1.0}, "evaluate_games": 400,
}  # fmt: skip

TRAINING = Training(
    defaults={
        # Long games with one payoff at their end: the heuristics as opponents show what a win is, as advisers how to
        # walk.
        "oneshot-skirmish": {
            "decisions": 2_000_000, "tables": 512, "steps": 32, "batch": 4096, "learning_rate": 1e-3, "entropy": 0.002,
            "entropy_end": 0.0005, "clip": 0.15, "groups": False, "settle": 4, "whole_side": True,
            "advisers": ("brute", "focus", "kiter", "diplomat", "spoiler"),
            "opponents": {"self": 0.3, "past": 0.1, "brute": 0.15, "kiter": 0.2, "focus": 0.1, "diplomat": 0.05,
                          "spoiler": 0.1},
            "temperature": 0.0, "evaluate_against": ("random", "brute", "focus", "kiter", "diplomat", "spoiler"),
        },
        "oneshot-parley": {
            "decisions": 1_000_000, "learning_rate": 2e-3, "entropy": 0.02, "entropy_end": 0.003, "groups": False,
            "settle": 4, "advisers": ("best_odds", "warm_up", "cautious", "dp"),
            "opponents": {"self": 0.4, "past": 0.2, "best_odds": 0.2, "cautious": 0.2},
            "evaluate_against": ("random", "best_odds", "warm_up", "cautious", "dp"),
        },
        "oneshot-build": {
            "decisions": 1_000_000, "learning_rate": 2e-3, "entropy": 0.03, "entropy_end": 0.002,
            "opponents": {"self": 0.25, "past": 0.1, "uniform": 0.05, "greedy": 0.25, "build_equilibrium": 0.35},
            "temperature": 0.0, "evaluate_against": ("random", "uniform", "greedy", "build_equilibrium"),
        },
        # Random play never completes a mission: the party begins with what the best heuristic knows, and hears what
        # others would do. Who follows all of them alike completes a third as many.
        "oneshot-mission": {
            "decisions": 4_000_000, "tables": 2048, "steps": 64, "batch": 16384, "learning_rate": 4e-4,
            "entropy": 0.0001, "entropy_end": 0.0, "clip": 0.15, "hold": 0.4, "trace": 0.9, "hidden": 128,
            "groups": False, "settle": 4, "advisers": ("expedition", "stalker", "sniper"), "heed": 10.0, "lead": 3.0,
            "whole_side": True, "opponents": {"self": 1.0},
            "temperature": 0.0, "evaluate_games": 1000,
            "evaluate_against": ("random", "cleaver", "ghost", "stalker", "expedition"),
        },
    },
    shipped={
        "oneshot-skirmish": {"seed": 1, "learner": "native", "scenarios": _SKIRMISHES, "decisions": 8_000_000},
        # Four against four: who learned fights of two does not know whom to help.
        "oneshot-skirmish--party_battle": {
            "seed": 1, "learner": "native", "scenarios": [{"scenario": "party_battle"}], "decisions": 3_000_000,
        },
        "oneshot-parley": {
            "seed": 1, "learner": "native", "scenarios": _TALKS, "decisions": 800_000, "review": 250_000,
        },
        # A claim is told and judged by mixtures that self-play with the other talks misses; the search solves it whole.
        "oneshot-parley--claim": {
            "seed": 1, "learner": "native", "scenarios": [{"scenario": "claim"}], "advisers": (), "tables": 256,
            "teacher": "solve_search", "lessons": 200_000, "settle": 1000, "decisions": 8192,
            "opponents": {"self": 1.0},
        },
        "oneshot-build": {**_BUILDS, "scenarios": [{"scenario": "arena"}]},
        # three builds beat each other in a circle there: who always plays the likeliest one loses 0.07 to a reply, who
        # draws from chances raised to 1 / 0.6 about 0.01, and who draws from the network's own also what slips cost
        "oneshot-build--literal": {**_BUILDS, "temperature": 0.6, "scenarios": [{"scenario": "literal"}]},
        "oneshot-mission": {"seed": 1, "learner": "native", "scenarios": _MISSIONS, "decisions": 12_000_000},
    },
)  # fmt: skip
