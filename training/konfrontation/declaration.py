"""How Konfrontationen is learnt."""

from __future__ import annotations

from ..declaration import Training

_CLASHES = [
    {"scenario": name}
    for name in ("tavern_takeover", "assassination", "strongbox", "burn_the_books", "debate", "monster")
]

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
        "konfrontation-clash": {"seed": 1, "scenarios": _CLASHES, "decisions": 8_000_000, "learner": "native"},
        # What `all_in` does is rare in self-play, and here dear to meet unprepared.
        "konfrontation-clash--strongbox": {
            "seed": 1, "learner": "native", "scenarios": [{"scenario": "strongbox"}], "decisions": 3_000_000,
            "learning_rate": 2e-3, "learning_rate_end": 5e-5, "entropy_end": 3e-3, "anchor": 0.1,
            "opponents": {"self": 0.65, "past": 0.2, "all_in": 0.05, "zero_bid": 0.05, "matrix": 0.05},
        },
        # Bids for its high stakes are mixtures that self-play misses and anybody who knows it exploits: the equilibrium
        # itself teaches them, and afterwards values alone are learned.
        "konfrontation-clash--monster": {
            "seed": 1, "learner": "native", "scenarios": [{"scenario": "monster"}], "hidden": 128,
            "teacher": "equilibrium", "lessons": 600_000, "settle": 1000, "decisions": 200_000,
        },
        "konfrontation-campaign": {"seed": 1, "learner": "torch"},
    },
)  # fmt: skip
