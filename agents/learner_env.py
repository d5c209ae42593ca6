"""Games as environments of gymnasium: a learner at one seat, any agent at the others.

`import probespiel.agents.registration` registers them for `gymnasium.make`, with any agent or `opponent="level:4"`,
and for `gymnasium.make_vec`: many tables in compiled loops.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..envs.core.actions import LANGUAGES
from ..envs.core.checks import check_seed
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game, Position
from ..envs.core.learner_tables import LearnerTables
from ..envs.core.rendering import RENDER_MODES, check_render_mode, picture_of, warn_of_no_mode
from ..envs.core.single import space_of
from .apart import asked_apart
from .base import Agent, Requests
from .declaration import agent_named


class Others:
    """An agent that answers for all seats but the learner's; one that remembers has an instance for every seat.

    One from outside that remembers nothing has a process of its own: if it ends, AgentError says so, and nothing else
    ends.
    """

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.name = game, agent_named(game, name)
        self.agent = self._made()
        self.agent.reset(0)
        self._kept: dict[int, dict[int, Agent]] = {}
        self.tables: LearnerTables | None = None

    def __getstate__(self) -> dict[str, Any]:
        if self._kept:
            raise ProbespielError(
                f"opponent {self.name!r} remembers what it has seen of a game, so that a game against it cannot be "
                "copied: copy before reset()"
            )
        return {name: value for name, value in self.__dict__.items() if name != "agent"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.agent = self._made()
        self.agent.reset(0)

    def _made(self) -> Agent:
        made = asked_apart(self.name, self.game, answers=True)
        made.prepare(self.game)
        return made

    def assign(self, tables: np.ndarray, _: np.ndarray) -> np.ndarray:
        """Forget the games that were played at some tables; ids int64[k], all 0."""
        for table in tables.tolist():
            for agent in self._kept.pop(table, {}).values():
                agent.close()
        return np.zeros(len(tables), dtype=np.int64)

    def __call__(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, tables: np.ndarray, seeds: np.ndarray
    ) -> np.ndarray:
        """The answers to questions, int64[m]; see `learner_tables.Opponents`."""
        assert self.tables is not None
        asked = Requests.gather(self.game, self.tables.states, tables, seats, 0, seeds, 0)
        if not self.agent.per_table:
            return self.agent.act_batch(asked)
        answers = np.empty(len(asked), dtype=np.int64)
        for i, (table, seat) in enumerate(zip(tables.tolist(), seats.tolist(), strict=True)):
            answers[i] = self._at(table, seat, int(seeds[i])).act_batch(asked[[i]])[0]
        return answers

    def _at(self, table: int, seat: int, seed: int) -> Agent:
        seated = self._kept.setdefault(table, {})
        if seat not in seated:
            seated[seat] = self._made()
            seated[seat].reset(seed >> 1)
        return seated[seat]

    def close(self) -> None:
        """Release what the agents hold open."""
        self.assign(np.array(list(self._kept), dtype=np.int64), np.zeros(0))
        self.agent.close()


class ProbespielVectorEnv(VectorEnv[Any, np.ndarray, np.ndarray]):
    """`num_envs` tables of a game as gymnasium's VectorEnv; a finished table starts again within the same step.

    `opponent` answers for the other seats: any agent by name, or `level:N`. `seat` is the learner's (None: it changes
    from game to game), with `whole_side` it decides for all seats of its side. Observations are {"observation":
    float32[n, L], "action_mask": int8[n, A]}; with `mask="info"` float32[n, L], and infos hold "action_mask". Rewards
    are changes of the payoff since the learner's last move. Infos hold "seat" int64[n], and where a game has ended
    "final_obs" (objects[n], with "_final_obs" bool[n]) and the "seat" of "final_info". `illegal` says what an illegal
    action does: "forfeit" ends that game with the lowest payoff there is, and infos hold "illegal" bool[n]; "raise"
    raises IllegalAction before any table has moved. It can be copied and pickled between two steps, unless the opponent
    remembers games. Further keywords are options of the game. Raises ProbespielError.
    """

    metadata: dict[str, Any] = {
        "autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": list(RENDER_MODES), "render_fps": 1,
    }  # fmt: skip

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        opponent: str = "random",
        *,
        scenario: str | None = None,
        modules: Mapping[str, Any] | None = None,
        seat: int | str | None = None,
        whole_side: bool = False,
        mask: str = "observation",
        illegal: str = "forfeit",
        render_mode: str | None = None,
        lang: str = "en",
        **config: Any,
    ) -> None:
        for name, value, allowed in (
            ("mask", mask, ("observation", "info")), ("illegal", illegal, ("forfeit", "raise")),
            ("lang", lang, LANGUAGES),
        ):  # fmt: skip
            if value not in allowed:
                raise ProbespielError(f"{name} {value!r}: one of {', '.join(map(str, allowed))}")
        check_render_mode(render_mode)
        self.tables = LearnerTables(
            game, num_envs, scenario=scenario, modules=modules, seat=seat, whole_side=whole_side, **config
        )
        self.game = made = self.tables.game
        self.others = Others(made, opponent)
        self.others.tables = self.tables
        self.tables.opponents, self.tables.assign = self.others, self.others.assign
        self.num_envs, self.mask, self.illegal, self.render_mode, self.lang = num_envs, mask, illegal, render_mode, lang
        self.single_observation_space = space_of(made, mask)
        self.single_action_space = gymnasium.spaces.Discrete(made.n_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._nothing = np.zeros(made.n_actions, dtype=np.int8)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """New games at all tables; equal seeds give equal games, without one the dice go on; `options` do nothing."""
        known = None if seed is None else check_seed(seed)
        super().reset(seed=known)
        observations = self.tables.reset(known)
        return self._seen(observations, self.tables.masks), self._infos()

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Observations, rewards float64[n], terminations and truncations bool[n], infos. Raises IllegalAction."""
        tables = self.tables
        chosen = np.array(actions)
        lost = np.zeros(self.num_envs, dtype=bool)
        before = paid = np.zeros(0)
        seats = tables.seats.copy()
        if self.illegal == "forfeit" and chosen.shape == lost.shape and chosen.dtype.kind in "iu":
            known = (chosen >= 0) & (chosen < self.game.n_actions)
            lost = ~known | (tables.masks[np.arange(self.num_envs), np.where(known, chosen, 0)] == 0)
            if lost.any():  # these move too, since all tables do; their games are then given up
                chosen[lost] = tables.masks[lost].argmax(axis=1)
                before, paid = tables.observations[lost], tables.paid[lost]
        observations, rewards, done, ended = tables.step(chosen)
        rewards = rewards.astype(np.float64)
        truncated = np.array([bool(info.get("TimeLimit.truncated")) for info in ended])
        final = {i: ended[i]["terminal_observation"] for i in np.flatnonzero(done).tolist()}
        if lost.any():
            rewards[lost] = self.game.spec.payoff_range[0] - paid
            done, truncated = done | lost, truncated & ~lost
            final.update(zip(np.flatnonzero(lost).tolist(), before, strict=True))
            tables.begin_again(np.flatnonzero(lost))
        infos = self._infos()
        if final:
            last = np.empty(self.num_envs, dtype=object)
            for i, observation in final.items():
                last[i] = self._seen(observation, self._nothing)
            infos.update(final_obs=last, _final_obs=done, final_info={"seat": seats, "_seat": done}, _final_info=done)
        if self.illegal == "forfeit":
            infos["illegal"] = lost
        return self._seen(observations, tables.masks), rewards, done & ~truncated, truncated, infos

    def _seen(self, observation: np.ndarray, mask: np.ndarray) -> Any:
        return observation if self.mask == "info" else {"observation": observation, "action_mask": mask}

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {"seat": self.tables.seats.copy()}
        return {**infos, "action_mask": self.tables.masks} if self.mask == "info" else infos

    def action_masks(self) -> np.ndarray:
        """Legal actions at every table, int8[n, A], as MaskablePPO asks for them."""
        return self.tables.masks

    def position(self, table: int = 0) -> Position:
        """A copy of the position at a table."""
        return self.tables.position(table)

    def render(self) -> tuple[Any, ...] | None:
        """What the learner knows at every table: texts in mode "ansi", printed in "human", pictures in "rgb_array"."""
        if self.render_mode is None:
            warn_of_no_mode()
            return None
        seats = self.tables.seats.tolist()
        texts = tuple(self.position(i).told(seat, self.lang) for i, seat in enumerate(seats))
        if self.render_mode == "human":
            print("\n\n".join(texts))
            return None
        return tuple(map(picture_of, texts)) if self.render_mode == "rgb_array" else texts

    def close_extras(self, **kwargs: Any) -> None:
        """Release what the opponents hold open."""
        self.others.close()


class ProbespielEnv(gymnasium.Env[Any, Any]):
    """One table of `ProbespielVectorEnv`, with its options, as gymnasium's Env."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}
    _own: ClassVar[tuple[str, ...]] = ("seat", "action_mask", "illegal")

    def __init__(self, game: Game | str, opponent: str = "random", **options: Any) -> None:
        self.table = ProbespielVectorEnv(game, 1, opponent, **options)
        self.game, self.render_mode = self.table.game, self.table.render_mode
        self.observation_space = self.table.single_observation_space
        self.action_space = self.table.single_action_space
        self._next: tuple[Any, dict[str, Any]] | None = None  # the game that has begun after the last one

    def _first(self, seen: Any) -> Any:
        return {name: rows[0] for name, rows in seen.items()} if isinstance(seen, dict) else seen[0]

    def _infos(self, infos: dict[str, Any]) -> dict[str, Any]:
        return {name: infos[name][0] for name in self._own if name in infos}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game; equal seeds give equal games, no seed goes on with the dice. `options` are ignored."""
        super().reset(seed=seed)
        if seed is None and self._next is not None:
            begun, self._next = self._next, None
            return begun
        self._next = None
        seen, infos = self.table.reset(seed=seed)
        return self._first(seen), self._infos(infos)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward, terminated, truncated, info; after the end the mask is all 0. Raises IllegalAction."""
        if self._next is not None:
            raise ProbespielError("the game is over: call reset()")
        seen, rewards, terminated, truncated, infos = self.table.step(np.array([action]))
        told = self._infos(infos)
        if "final_obs" not in infos:
            return self._first(seen), float(rewards[0]), False, False, told
        begun = {name: value for name, value in told.items() if name != "illegal"}
        self._next = self._first(seen), begun
        told["seat"] = infos["final_info"]["seat"][0]
        if "action_mask" in told:
            told["action_mask"] = np.zeros_like(told["action_mask"])
        return infos["final_obs"][0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), told

    def action_masks(self) -> np.ndarray:
        """Legal actions, int8[A], as MaskablePPO asks for them."""
        return self.table.action_masks()[0]

    def render(self) -> Any:
        """What the learner knows: a text in mode "ansi", printed in "human", uint8[600, 800, 3] in "rgb_array"."""
        texts = self.table.render()
        return texts[0] if texts else None

    def close(self) -> None:
        """Release what the opponents hold open."""
        self.table.close()


__all__ = ["Others", "ProbespielEnv", "ProbespielVectorEnv"]
