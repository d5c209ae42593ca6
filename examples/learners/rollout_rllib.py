"""RLlib: a game as its ParallelPettingZooEnv, each seat an agent with a mask in its observation.

python rollout_rllib.py konfrontation-clash
"""

from __future__ import annotations

import sys

import numpy as np
import pettingzoo
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv  # pyright: ignore[reportMissingImports]

import probespiel.envs  # noqa: F401 (registers the games)

if __name__ == "__main__":
    game = sys.argv[1] if len(sys.argv) > 1 else "kuhn"
    env = ParallelPettingZooEnv(pettingzoo.make("parallel", f"probespiel/{game}-v0"))
    rng, over = np.random.default_rng(1), False
    seen, _ = env.reset(seed=1)
    payoffs = dict.fromkeys(seen, 0.0)
    while not over:
        actions = {agent: int(rng.choice(np.flatnonzero(o["action_mask"]))) for agent, o in seen.items()}
        seen, rewards, ended, stopped, _ = env.step(actions)
        payoffs = {agent: payoff + rewards[agent] for agent, payoff in payoffs.items()}
        over = ended["__all__"] or stopped["__all__"]
    print(payoffs)
