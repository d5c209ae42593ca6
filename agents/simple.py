"""The agents that need no knowledge: a uniform legal action, and the first one."""

from __future__ import annotations

import numpy as np

from ..envs.core.game import Game
from .base import Agent, NativePolicy, Requests, View
from .native import native_policy
from .native_kernel import act_random


class RandomAgent(Agent):
    """A uniform legal action."""

    def act(self, view: View) -> int:
        """One decision."""
        return int(self.act_batch(view.requests)[0])

    def act_batch(self, requests: Requests) -> np.ndarray:
        """Many decisions, int64[m]."""
        actions = np.zeros(len(requests), dtype=np.int64)
        act_random(requests.words, requests.seeds, np.zeros(len(requests), dtype=np.uint64), actions)
        return actions

    def native(self, game: Game) -> NativePolicy:
        """The compiled twin; the same seed gives the same action."""
        return native_policy(game, "random")

    def looks_at(self, game: Game) -> frozenset[str]:
        """Nothing that is seen."""
        return frozenset()

    def probabilities(self, requests: Requests) -> np.ndarray:
        """Uniform over the legal actions, float64[m, A]."""
        return requests.masks / requests.masks.sum(axis=1, keepdims=True)


class FirstAgent(Agent):
    """The legal action with the lowest id, for tests."""

    def act(self, view: View) -> int:
        """One decision."""
        return view.legal[0]

    def act_batch(self, requests: Requests) -> np.ndarray:
        """Many decisions, int64[m]."""
        return requests.masks.argmax(axis=1).astype(np.int64)

    def native(self, game: Game) -> NativePolicy:
        """The compiled twin."""
        return native_policy(game, "first")

    def looks_at(self, game: Game) -> frozenset[str]:
        """Nothing that is seen."""
        return frozenset()

    def probabilities(self, requests: Requests) -> np.ndarray:
        """All on one action, float64[m, A]."""
        out = np.zeros(requests.masks.shape, dtype=np.float64)
        out[np.arange(len(requests)), self.act_batch(requests)] = 1.0
        return out
