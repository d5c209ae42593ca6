"""How Leduc poker is learnt."""

from __future__ import annotations

from ..declaration import Training

TRAINING = Training(
    defaults={
        "leduc": {"decisions": 1_500_000, "anchor": 0.1, "entropy_end": 0.01},
    },
)
