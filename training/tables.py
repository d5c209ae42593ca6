"""The tables of a training: one or several scenarios of a game as one SB3 VecEnv, action masks behind observations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

from ..agents.advice import Advice
from ..agents.base import Requests
from ..envs.core.abi import STOPPED
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game
from ..envs.core.learner_tables import LearnerTables
from ..envs.core.listed_play import AtOnce, Decide, Ended, ListedPlay, lists, some, whole_lists
from ..envs.core.rng import derive_seed
from ..envs.core.rows import Rows


class Others(Protocol):
    """Who plays the other seats, over all tables; `League` is one."""

    def answer(
        self,
        env: LearnerTables,
        observations: np.ndarray,
        masks: np.ndarray,
        seats: np.ndarray,
        tables: np.ndarray,
        seeds: np.ndarray,
    ) -> np.ndarray:
        """Answers of other seats, as `envs.core.learner_tables.Opponents`, for the tables of one scenario."""
        ...

    def assign(self, env: LearnerTables, tables: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Who sits where in new games, int64[k, n_seats], as `envs.core.learner_tables.Assign`."""
        ...


class Tables(VecEnv):
    """`n` tables of several scenarios of one game, side by side; scenario i gets `counts[i]` of them.

    Observations are float32[n, L + k + A]: the learner's observation, the answers of the k advisers, and the mask of
    its legal actions, so that a network can look at legal cards alone. With `whole_side` the learner decides for all
    seats of its side. Everything else is as in `LearnerTables`. Raises ProbespielError if the scenarios differ in
    layout or actions.

    `observations` are those of the last reset or step, what the learner has to answer now; None before the first reset.
    `begun` says whether games have, also for whom `ListedTables` shows them.
    """

    render_mode: str | None = None
    observations: np.ndarray | None = None
    begun: bool = False

    def __init__(
        self,
        games: Sequence[Game],
        counts: Sequence[int],
        others: Others,
        seed: int,
        advice: Advice | None = None,
        whole_side: bool = False,
    ) -> None:
        first = games[0]
        for game in games[1:]:
            same = [(p.name, p.shape) for p in game.layout.pieces] == [(p.name, p.shape) for p in first.layout.pieces]
            if not same or game.actions.codes != first.actions.codes:
                raise ProbespielError(
                    f"scenarios {first.spec.scenario!r} and {game.spec.scenario!r} of {first.name} cannot be trained "
                    "together: their observations or actions differ"
                )
        self.envs = []
        for i, (game, count) in enumerate(zip(games, counts)):
            env = LearnerTables(game, count, whole_side=whole_side, seed=derive_seed(seed, "tables", i))
            env.opponents = partial(others.answer, env)
            env.assign = partial(others.assign, env)
            self.envs.append(env)
        ends = np.cumsum(counts).tolist()
        self.parts = [slice(end - count, end) for end, count in zip(ends, counts)]
        low, high = first.layout.bounds()
        self.advice = advice or Advice(())
        k, a = len(self.advice.agents), first.n_actions
        low = np.concatenate([low, np.zeros(k + a, np.float32)])
        high = np.concatenate([high, np.full(k, a - 1, np.float32), np.ones(a, np.float32)])
        self.length = first.layout.size + k
        super().__init__(ends[-1], spaces.Box(low, high, dtype=np.float32), spaces.Discrete(first.n_actions))

    def _stacked(self) -> np.ndarray:
        out = np.empty((self.num_envs, self.length + self.envs[0].game.n_actions), dtype=np.float32)
        for env, part, observations in zip(self.envs, self.parts, self._rows):
            out[part, : self.length] = beside(self.advice, env, env.seats, np.arange(env.num_envs), observations)
            out[part, self.length :] = env.masks
        self.observations = out
        return out

    def reset(self) -> np.ndarray:
        """New games at all tables; observations float32[n, L + k + A]."""
        self._rows = [env.reset() for env in self.envs]
        self.begun = True
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self._stacked()

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the learner's actions, integers[n]."""
        for env, part in zip(self.envs, self.parts):
            env.choose(actions[part])

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Observations float32[n, L + k + A], rewards float32[n], dones bool[n], infos."""
        steps = [env.go_on() for env in self.envs]
        self._rows = [step[0] for step in steps]
        infos = [info for step in steps for info in step[3]]
        for info in infos:
            if "terminal_observation" in info:
                observation = info["terminal_observation"]
                rest = np.zeros(self.length + self.envs[0].game.n_actions - len(observation), dtype=np.float32)
                info["terminal_observation"] = np.concatenate([observation, rest])
        rewards, dones = (np.concatenate([step[i] for step in steps]) for i in (1, 2))
        return self._stacked(), rewards, dones, infos

    def action_masks(self) -> np.ndarray:
        """Legal actions of the learner, int8[n, A]."""
        return np.concatenate([env.masks for env in self.envs])

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks` gives one row a table."""
        if method_name != "action_masks" or method_args or method_kwargs:
            raise AttributeError(f"method {method_name!r}: the tables offer action_masks")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether `get_attr` knows it."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute that all tables share, once a table."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refused: the tables of a training are set up once."""
        raise AttributeError(f"attribute {attr_name!r} of the tables cannot be set")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """False: tables have no wrappers."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Nothing is held open."""

    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything that going on exactly needs, as arrays named `<scenario>.<array>`; the rule set as its bytes."""
        out = {}
        for i, env in enumerate(self.envs):
            for name, value in env.state_dict().items():
                out[f"{i}.{name}"] = np.frombuffer(str(value).encode(), np.uint8) if value.dtype.kind == "U" else value
        return out

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> np.ndarray:
        """Go on from `state_dict()`; observations float32[n, L + k + A]. ProbespielError where they do not fit."""
        self._rows = []
        for i, env in enumerate(self.envs):
            own = {k.partition(".")[2]: v for k, v in state.items() if k.partition(".")[0] == str(i)}
            if "ruleset" not in own:
                raise ProbespielError(f"the stored tables lack scenario {i}")
            own["ruleset"] = np.array(own["ruleset"].astype(np.uint8).tobytes().decode(errors="replace"))
            self._rows.append(env.load_state_dict(own))
        self.begun = True
        return self._stacked()


class ListedAnswer(Protocol):
    """Who plays the other seats where these are shown lists."""

    def __call__(
        self, env: LearnerTables, asked: Rows, seats: np.ndarray, tables: np.ndarray, seeds: np.ndarray, /
    ) -> np.ndarray:
        """Answers of other seats, as `Others.answer`, to lists."""
        ...


class ListedTables:
    """The same tables as lists, for learners that compute with what is not 0 alone; see `envs.core.listed_play`.

    `rows` are what the learner has to answer now, at all tables, and `advice` int32[n, k] the advisers' answers. Lists
    tell how observations differ from `usual` (float32[L]; None: from 0). With `whole`, `whole` are the same decisions
    with what the other seats see, for a critic; else it is None.
    """

    def __init__(
        self,
        tables: Tables,
        answer: ListedAnswer,
        at_once: AtOnce | None = None,
        parts: int = 1,
        usual: np.ndarray | None = None,
        whole: bool = False,
    ) -> None:
        self.tables = tables
        self.whole = whole_lists(tables.envs[0].game, tables.num_envs) if whole else None
        self.rows = lists(tables.envs[0].game, tables.num_envs, usual)
        self.advice = np.zeros((tables.num_envs, len(tables.advice.agents)), np.int32)
        self.plays = [
            ListedPlay(env, some(self.rows, part), partial(answer, env), at_once, parts)
            for env, part in zip(tables.envs, tables.parts)
        ]
        self.shown = False

    def show(self) -> None:
        """Begin games, or go on where the tables are."""
        if self.shown:
            return
        for play in self.plays:
            if self.tables.begun:
                play.look()
            else:
                play.begin()
        self.tables.begun = self.shown = True
        self._look_around()

    def play(
        self, actions: np.ndarray, rewards: np.ndarray, ends: np.ndarray, decide: Decide | None = None
    ) -> list[Ended]:
        """Take the learner's actions, int64[n]; write rewards and how games ended, [n] each; the games that ended.

        `decide` writes the actions of some tables before they are taken; see `listed_play.ListedPlay.play`.
        """
        out = []
        for play, part in zip(self.plays, self.tables.parts):
            some_decide = None if decide is None else partial(_decide_behind, decide, part.start)
            rewards[part], ends[part], ended = play.play(actions[part], some_decide)
            out.append(ended)
        self._look_around()
        return out

    def stopped(self, ends: np.ndarray) -> list[tuple[np.ndarray, Rows]]:
        """Tables whose games were stopped in the last step, and what the learner saw there at last."""
        out = []
        for play, part in zip(self.plays, self.tables.parts):
            tables = np.flatnonzero(ends[part] == STOPPED)
            if len(tables):
                out.append((tables + part.start, play.last_words(tables)))
        return out

    def _look_around(self) -> None:
        if self.whole is not None:
            for play, part in zip(self.plays, self.tables.parts):
                play.look_everywhere(some(self.whole, part))
        if self.tables.advice.agents:
            for env, part in zip(self.tables.envs, self.tables.parts):
                self.advice[part] = advice_for(self.tables.advice, env, env.seats, np.arange(env.num_envs))


def _decide_behind(decide: Decide, first: int, begin: int, end: int, part: int) -> None:
    """`decide` for tables that are counted from the `first` one of a scenario."""
    decide(first + begin, first + end, part)


def advice_for(advice: Advice, env: LearnerTables, seats: np.ndarray, tables: np.ndarray) -> np.ndarray:
    """What the advisers say to seats at tables, float32[m, k]."""
    return advice.columns(Requests.gather(env.game, env.states, tables, seats, 0, 0, 0))


def beside(
    advice: Advice, env: LearnerTables, seats: np.ndarray, tables: np.ndarray, observations: np.ndarray
) -> np.ndarray:
    """Observations float32[m, L] of seats at tables with the advice behind them, float32[m, L + k]."""
    if not advice.agents:
        return observations
    return np.concatenate([observations, advice_for(advice, env, seats, tables)], axis=1)


__all__ = ["ListedTables", "Others", "Tables", "advice_for", "beside"]
