"""How Kuhn poker is learnt."""

from __future__ import annotations

from ..declaration import Training

# Magnetic mirror descent in many small updates: how near it comes depends on their number times their length.
TRAINING = Training(
    defaults={
        "kuhn": {
            "decisions": 1_300_000, "loss": "mmd", "tables": 1024, "steps": 4, "batch": 1024, "anchor": 0.1,
            "learning_rate": 3e-3, "learning_rate_end": 1e-4, "entropy_end": 0.03,
        },
    },
    shipped={
        "kuhn": {"seed": 1},
    },
)  # fmt: skip
