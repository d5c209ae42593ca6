"""Random play through both PettingZoo forms, recording everything that an agent sees."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from probespiel.envs import game_names, make_game
from probespiel.envs.core.aec import ProbespielAEC
from probespiel.envs.core.game import Game
from probespiel.envs.core.parallel import ProbespielParallel
from tests.games_adapters.clash import clash

GAMES = game_names()
TINY: dict[str, Callable[[], Game]] = {
    "clash": lambda: clash(2, rounds=5),
    "clash-teams": lambda: clash(4, (0, 0, 1, 1), rounds=5),
    "clash-stopped": lambda: clash(3, rounds=50, limit=20),
}


def game_of(name: str) -> Game:
    """A tiny game, or a real one."""
    return TINY[name]() if name in TINY else make_game(name)


EVERY = pytest.mark.parametrize("name", [*GAMES, *TINY])


def play_aec(env: ProbespielAEC, rng: random.Random, steps: int = 10**9) -> list[Any]:
    """Play on with random legal actions; everything that was seen, as comparable values."""
    seen: list[Any] = []
    for agent in env.agent_iter(steps):
        observation, reward, terminated, truncated, info = env.last()
        assert observation is not None
        seen.append((agent, observation["observation"].tobytes(), observation["action_mask"].tobytes(), reward))
        seen.append((terminated, truncated, dict(info), dict(env.rewards)))
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        env.step(None if terminated or truncated else rng.choice(legal))
    return seen


def play_parallel(env: ProbespielParallel, observations: Any, rng: random.Random) -> list[Any]:
    """Play on with random legal actions; everything that was seen, as comparable values."""
    seen: list[Any] = []
    while env.agents:
        masks = {agent: observations[agent]["action_mask"] for agent in env.agents}
        observations, *rest, infos = env.step({a: rng.choice(np.flatnonzero(m).tolist()) for a, m in masks.items()})
        seen.append([(o["observation"].tobytes(), o["action_mask"].tobytes()) for o in observations.values()])
        seen.append((rest, [dict(i) for i in infos.values()]))
    return seen


def whole_games() -> str:
    """A digest of some games of every kind, in both forms."""
    digest = hashlib.sha256()
    for name in GAMES:
        game = game_of(name)
        aec, parallel = ProbespielAEC(game), ProbespielParallel(game)
        for seed in range(3):
            aec.reset(seed=seed)
            digest.update(repr(play_aec(aec, random.Random(seed))).encode())
            observations, _ = parallel.reset(seed=seed)
            digest.update(repr(play_parallel(parallel, observations, random.Random(seed))).encode())
        aec.reset()  # goes on with the dice of the last seed
        digest.update(repr(play_aec(aec, random.Random(9))).encode())
    return digest.hexdigest()
