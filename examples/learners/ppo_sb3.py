"""Stable-Baselines3's MaskablePPO on a game of gymnasium's registry; `ProbespielVecEnv` is many times faster.

python ppo_sb3.py leduc --opponent level:2 --steps 20000
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor

import probespiel.agents.registration  # noqa: F401 (registers the games)

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="leduc")
    parser.add_argument("--opponent", default="random", help="any agent, or level:1 to level:8")
    parser.add_argument("--steps", type=int, default=20_000)
    given = parser.parse_args()
    torch.set_num_threads(1)  # nets this small are slower on several
    env = Monitor(gymnasium.make(f"probespiel/{given.game}-v0", opponent=given.opponent, mask="info"))
    model = MaskablePPO("MlpPolicy", env, n_steps=512, seed=1, device="cpu")
    model.learn(given.steps)
    payoffs, _ = evaluate_policy(model, env, n_eval_episodes=200, return_episode_rewards=True)
    print(f"mean payoff against {given.opponent}: {np.mean(payoffs):+.3f} in {np.size(payoffs)} games")
