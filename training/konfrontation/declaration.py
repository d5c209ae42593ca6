"""How Konfrontationen is learnt."""

from __future__ import annotations

from typing import Any

from ...envs.konfrontation.system import SYSTEM
from ..declaration import Training

_CLASHES = [{"scenario": name} for name in SYSTEM.scenarios("konfrontation-clash")]
_OF_MANY: dict[str, Any] = {  # campaigns of more than two
    "seed": 1, "learner": "native", "decisions": 3_000_000, "entropy": 0.05,
    "evaluate_against": ("builder", "rush", "lookahead", "matrix", "raider", "support_rush", "all_in"),
}  # fmt: skip

TRAINING = Training(
    defaults={
        "konfrontation-clash": {"decisions": 2_000_000, "evaluate_against": ("random", "matrix", "all_in", "zero_bid")},
        # `lookahead` is predictable, and the advisers show early what it does: half of the games are against it.
        "konfrontation-campaign": {
            "decisions": 2_500_000, "tables": 512, "steps": 64, "batch": 4096, "learning_rate": 1.2e-3,
            "learning_rate_end": 5e-5, "entropy": 0.02, "entropy_end": 0.0005, "clip": 0.15, "hold": 0.4, "hidden": 128,
            "groups": False, "settle": 3, "advisers": ("lookahead", "rush", "matrix", "builder"),
            "opponents": {"self": 0.2, "past": 0.05, "lookahead": 0.5, "rush": 0.1, "matrix": 0.05, "builder": 0.05,
                          "raider": 0.05},
            "temperature": 0.0, "evaluate_games": 1000,
            "evaluate_against": ("random", "builder", "rush", "matrix", "lookahead", "raider", "all_in"),
        },
    },
    shipped={
        # Bids are mixtures that self-play misses and anybody who knows it exploits: the equilibrium teaches them, after
        # mistakes that it never meets in its own play as well; what was bid before a tie does not matter, but a network
        # that sees it is at a loss after ten ties. Afterwards values alone are learned.
        "konfrontation-clash": {
            "seed": 0, "scenarios": _CLASHES, "learner": "native", "hidden": 128, "teacher": "equilibrium",
            "lessons": 12_000_000, "stray": 0.15, "ignore": ("history",), "recall": 100_000, "settle": 1000,
            "decisions": 400_000,
        },
        # Whoever plays one way is answered by one that wins every game: it draws, mostly meets itself and many of its
        # past, and heuristics in few games.
        "konfrontation-campaign": {
            "seed": 1, "learner": "native", "scenarios": [{"scenario": "duel"}], "decisions": 10_000_000,
            "entropy": 0.06, "entropy_end": 0.02, "hold": 0.5, "critic": "all", "places": 24, "temperature": 1.0,
            "opponents": {"self": 0.45, "past": 0.3, "lookahead": 0.08, "rush": 0.03, "matrix": 0.03, "builder": 0.03,
                          "raider": 0.02, "support_rush": 0.04, "all_in": 0.02},
            "evaluate_against": ("builder", "rush", "lookahead", "matrix", "raider", "support_rush", "all_in"),
        },
        # A third who watches changes what pays: who learned in duels loses every game to some heuristic. What beats one
        # of them seldom beats the next, so that each has its share of the games.
        "konfrontation-campaign--triad": {
            **_OF_MANY, "scenarios": [{"scenario": "triad"}],
            "opponents": {"self": 0.1, "past": 0.05, "lookahead": 0.2, "rush": 0.15, "matrix": 0.15, "builder": 0.1,
                          "raider": 0.05, "support_rush": 0.15, "all_in": 0.05},
        },
        "konfrontation-campaign--council": {
            **_OF_MANY, "seed": 2, "decisions": 6_000_000, "scenarios": [{"scenario": "council"}],
            "opponents": {"self": 0.03, "past": 0.03, "lookahead": 0.08, "rush": 0.62, "matrix": 0.12, "builder": 0.03,
                          "raider": 0.03, "support_rush": 0.03, "all_in": 0.03},
            "evaluate_against": (*_OF_MANY["evaluate_against"], "zero_bid", "staller"),
        },
        # Small enough that its equilibrium is known, which no heuristic plays: taught like the clashes.
        "konfrontation-campaign--raid_lab": {
            "seed": 0, "scenarios": [{"scenario": "raid_lab"}], "learner": "native", "hidden": 128, "advisers": (),
            "teacher": "equilibrium", "lessons": 30_000_000, "learning_rate": 0.005, "stray": 0.15,
            "ignore": ("history",), "recall": 100_000, "settle": 1000, "decisions": 200_000,
            "opponents": {"self": 1.0}, "temperature": 1.0,
        },
    },
)  # fmt: skip
