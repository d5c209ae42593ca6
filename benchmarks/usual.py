"""The usual route of reinforcement learning: a single environment over PettingZoo's, stepped from Python."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np

from probespiel.envs.core.aec import ProbespielAEC
from probespiel.envs.core.game import Game


class SingleEnv(gymnasium.Env[np.ndarray, Any]):
    """One seat of an AEC environment of two, in turn; the other one is answered at random inside `step`."""

    def __init__(self, game: Game) -> None:
        self.env = ProbespielAEC(game)
        self.nothing = np.zeros(game.layout.size, np.float32)  # seen when a game is over
        self.observation_space = gymnasium.spaces.Box(-1, 1, self.nothing.shape, np.float32)
        self.action_space: Any = gymnasium.spaces.Discrete(game.n_actions)
        self.seat = 0

    def _until_mine(self) -> tuple[np.ndarray, float, bool]:
        me = self.env.possible_agents[self.seat]
        reward = 0.0
        while True:
            seen, _, terminated, truncated, _ = self.env.last()
            if terminated or truncated:
                return self.nothing, self.env._cumulative_rewards.get(me, 0.0), True
            assert seen is not None
            self.mask = seen["action_mask"]
            if self.env.agent_selection == me:
                return seen["observation"], reward, False
            legal = self.mask.nonzero()[0]
            self.env.step(int(legal[int(random.random() * len(legal))]))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        self.env.reset(seed=seed)
        self.seat ^= 1
        return self._until_mine()[0], {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        self.env.step(int(action))
        observation, reward, over = self._until_mine()
        return observation, reward, over, False, {}

    def action_masks(self) -> np.ndarray:
        return self.mask


__all__ = ["SingleEnv"]
