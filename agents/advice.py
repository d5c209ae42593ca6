"""Advice: what compiled baselines would do, which a trained policy hears before it decides.

A network that hears advisers begins where they are and learns when to follow whom; it never has to learn from a payoff
at a game's end how one walks around a corner. The answers depend on the information state alone: the random bits of an
adviser that draws are the state's key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..envs.core.game import Game
from .base import Requests
from .native import BaselineAgent


class Advice:
    """Baselines by name, asked together."""

    def __init__(self, names: Sequence[str]) -> None:
        self.agents = [BaselineAgent(name) for name in names]

    def prepare(self, game: Game) -> None:
        """Compile the baselines for a game; raises AgentError if one does not play it."""
        for agent in self.agents:
            agent.prepare(game)

    def columns(self, requests: Requests) -> np.ndarray:
        """Action ids, one column for each adviser, float32[m, k]."""
        out = np.zeros((len(requests), len(self.agents)), dtype=np.float32)
        if self.agents:
            same = replace(requests, seeds=requests.keys.view(np.uint64))
            for column, agent in enumerate(self.agents):
                out[:, column] = agent.act_batch(same)
        return out

    def beside(self, requests: Requests) -> np.ndarray:
        """Observations with the advice behind them, float32[m, L + k], as `PolicyNet` takes them."""
        if not self.agents:
            return requests.observations
        return np.concatenate([requests.observations, self.columns(requests)], axis=1)


__all__ = ["Advice"]
