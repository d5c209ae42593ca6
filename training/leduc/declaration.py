"""How Leduc poker is learnt."""

from __future__ import annotations

from ..declaration import Training

# Every action weighs the same, in many small and cautious updates against the policy itself. What is played is the
# average over the last of them, which is nearer to the equilibrium than any. Values are judged by what both seats see,
# which leaves less to chance.
TRAINING = Training(
    defaults={
        "leduc": {
            "decisions": 24_000_000, "loss": "hedge", "tables": 1024, "steps": 4, "batch": 1024, "epochs": 2, "hold": 0,
            "opponents": {"self": 1.0}, "critic": "all", "trace": 0.7, "anchor": 0.07, "stay": 40.0, "average": 0.001,
            "learning_rate": 2e-3, "learning_rate_end": 2e-4, "entropy": 0.083, "entropy_end": 0.03,
        },
    },
)  # fmt: skip
