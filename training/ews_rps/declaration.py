"""How 1w6 EWS by rock-paper-scissors is learnt."""

from __future__ import annotations

from ...envs.ews_rps.system import SYSTEM
from ..declaration import Training

_ALL = [
    *({"scenario": name} for name in SYSTEM.scenarios("ews_rps")),
    {"scenario": "evening", "options": {"may_decline": True}},
]

TRAINING = Training(
    defaults={
        # Uniform play is unbeatable and wins nothing: what play teaches is to read those who are not uniform.
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
        # What ships is what nobody exploits: whoever reads others can be read, and lost to `counter` and `mixture`. The
        # network sees the test alone, as nothing else matters, so that what it loses at most can be worked out exactly.
        "ews_rps": {
            "seed": 1, "scenarios": _ALL, "learner": "native", "teacher": "decliner", "lessons": 1_000_000,
            "ignore": ("match", "history", "counts"), "settle": 1000, "decisions": 100_000, "opponents": {"self": 1.0},
        },
    },
)  # fmt: skip
