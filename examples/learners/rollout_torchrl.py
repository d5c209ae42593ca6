"""TorchRL: a game as its PettingZooWrapper; masks are found in the observations, and drawn from.

python rollout_torchrl.py einblatt-duel
"""

from __future__ import annotations

import sys

import pettingzoo
from torchrl.envs.libs.pettingzoo import PettingZooWrapper  # pyright: ignore[reportMissingImports]

import probespiel.envs  # noqa: F401 (registers the games)

if __name__ == "__main__":
    game = sys.argv[1] if len(sys.argv) > 1 else "kuhn"
    env = PettingZooWrapper(pettingzoo.make("parallel", f"probespiel/{game}-v0"), use_mask=True)
    print(env.rollout(100, break_when_any_done=False))
