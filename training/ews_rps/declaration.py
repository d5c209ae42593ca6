"""How 1w6 EWS by rock-paper-scissors is learnt."""

from __future__ import annotations

from ..declaration import Training

TRAINING = Training(
    defaults={
        # Uniform play is unbeatable and wins nothing: what is to be learnt is to read the history of those who are not.
        "ews_rps": {
            "decisions": 3_000_000, "learning_rate": 2e-3, "entropy": 0.02, "entropy_end": 0.005,
            "opponents": {
                "self": 0.3, "past": 0.1, "biased": 0.1, "constant": 0.05, "cycle": 0.05, "winstay_loseshift": 0.15,
                "frequency": 0.15, "markov": 0.1,
            },
            "evaluate_against": ("uniform", "biased", "winstay_loseshift", "frequency", "markov", "cycle"),
        },
    },
    shipped={
        "ews_rps": {"seed": 1, "learner": "torch", "decisions": 2_000_000},
    },
)  # fmt: skip
