"""Stable-Baselines3's VecEnv over many tables of a game, with a learner at one seat of each.

The only module of the rules side that imports Stable-Baselines3 (and with it torch).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

from .errors import ProbespielError
from .learner_tables import Assign, LearnerTables, Opponents, random_opponents


class ProbespielVecEnv(LearnerTables, VecEnv):
    """`LearnerTables` as a VecEnv; their options are its own.

    MaskablePPO finds the masks by `env_method("action_masks")`; `masks` is the same as one array.
    """

    render_mode: str | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        LearnerTables.__init__(self, *args, **kwargs)
        VecEnv.__init__(self, self.num_envs, self.observation_space, self.action_space)

    def reset(self, seed: int | None = None) -> np.ndarray:
        """Begin new games at all tables, after `seed(...)` with new dice; observations float32[n, L]."""
        observations = super().reset(seed)
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return observations

    def restart(self, seed: int | None = None) -> None:
        """Begin new games at all tables, before anybody has moved; the seed is that of `seed(...)` if none is given."""
        super().restart(self._seeds[0] if seed is None else seed)
        self._reset_seeds()
        self._reset_options()

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the learner's actions, integers[n], for `step_wait`; IllegalAction names table, seat and legal ones."""
        self.choose(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Observations float32[n, L], rewards float32[n], dones bool[n], infos; all new arrays at every step."""
        return self.go_on()

    def action_masks(self) -> np.ndarray:
        """The learner's legal actions at every table, int8[n, A]; never an empty row once `reset` was called."""
        return self.masks

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks` gives one row a table; any other method is called once a table with its number first."""
        chosen = list(self._get_indices(indices))
        if method_name == "action_masks":
            return [self.masks[i] for i in chosen]
        if method_name != "position":
            raise AttributeError(f"method {method_name!r}: the tables offer action_masks and position")
        return [self.position(i, *method_args, **method_kwargs) for i in chosen]

    def has_attr(self, attr_name: str) -> bool:
        """Whether `get_attr` knows it."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of the environment, once a table."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute that all tables share; for some tables alone it is refused."""
        if indices is not None and len(list(self._get_indices(indices))) != self.num_envs:
            raise ProbespielError(f"set_attr {attr_name!r}: the tables share it, it cannot be set for some of them")
        if not hasattr(self, attr_name):
            raise AttributeError(attr_name)
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """False: tables have no wrappers."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[np.ndarray | None]:
        """No images."""
        return [None] * self.num_envs

    def close(self) -> None:
        """Nothing is held open."""


__all__ = ["Assign", "Opponents", "ProbespielVecEnv", "random_opponents"]
