"""Who sits opposite the learner: its current policy, its past ones, and fixed agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..agents.advice import Advice
from ..agents.apart import AskedApart, asked_apart
from ..agents.base import Agent, Requests
from ..agents.faults import asked
from ..agents.policy_net import Blueprint, PolicyNet, draw
from ..agents.rollouts import quick
from ..envs.core.errors import ProbespielError
from ..envs.core.learner_tables import LearnerTables
from ..envs.core.rng import derive_seed
from .tables import beside

SELF, PAST = "self", "past"  # names of the first two kinds of opponents; all others are names of agents
CURRENT = 0  # id of the current policy; then the places for past ones, then the agents
_ANY_PAST = -1


class League:
    """The opponents of a training, with their shares of the games.

    `shares` maps `self`, `past` and names of agents to weights (at least 0, not all 0). At every table one opponent
    plays all seats against the learner; seats of the learner's own side are played by its current policy. Past
    policies are kept by reservoir sampling, so that at any time each of those offered is there with the same chance
    (`places` at most). While there is none, the current policy plays for them.
    """

    def __init__(self, blueprint: Blueprint, shares: Mapping[str, float], places: int, seed: int) -> None:
        if not shares or not all(np.isfinite(w) and w >= 0 for w in shares.values()) or not sum(shares.values()):
            raise ProbespielError(f"opponents {dict(shares)!r}: weights of at least 0, not all 0")
        self.blueprint = blueprint
        self.shares = dict(shares)
        self.names = [name for name in shares if name not in (SELF, PAST)]
        self.agents: list[Agent] = [_agent(name) for name in self.names]
        self.advice = Advice(blueprint.advisers)
        self.places = places
        self.past: list[PolicyNet] = []
        self.offered = 0
        self.current: PolicyNet | None = None
        self.rng = np.random.Generator(np.random.PCG64(derive_seed(seed, "league")))
        self._seed = derive_seed(seed, "league agents")
        weights = np.array(list(shares.values()), float)
        bounds = (weights / weights.sum()).cumsum()
        self._bounds = bounds / bounds[-1]  # of the kinds, for a draw in [0, 1)
        own = {SELF: CURRENT, PAST: _ANY_PAST} | {name: 1 + places + i for i, name in enumerate(self.names)}
        self._ids = np.array([own[kind] for kind in shares], np.int64)
        self._mates: dict[object, np.ndarray] = {}  # by sides

    def set_current(self, weights: Mapping[str, np.ndarray]) -> None:
        """The policy that plays for `self` from now on."""
        self.current = PolicyNet(self.blueprint, weights, np.float32)

    def offer(self, weights: Mapping[str, np.ndarray]) -> None:
        """A policy that may join the past ones."""
        self.offered += 1
        net = PolicyNet(self.blueprint, weights, np.float32)
        if len(self.past) < self.places:
            self.past.append(net)
        else:
            place = int(self.rng.integers(self.offered))
            if place < self.places:
                self.past[place] = net

    def name_of(self, opponent: int) -> str:
        """The kind of an opponent id."""
        if opponent == CURRENT:
            return SELF
        return PAST if opponent <= self.places else self.names[opponent - self.places - 1]

    def assign(self, env: LearnerTables, tables: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Opponents of new games, int64[k, n_seats]."""
        drawn = self._bounds.searchsorted(self.rng.random(len(tables)), side="right")
        place = self.rng.integers(max(len(self.past), 1), size=len(tables))
        ids = self._ids[drawn]
        ids = np.where(ids == _ANY_PAST, 1 + place if self.past else CURRENT, ids)
        return np.where(self._mates_of(env)[seats], CURRENT, ids[:, None])

    def _mates_of(self, env: LearnerTables) -> np.ndarray:
        """Which seats are of one side, bool[seats, seats]."""
        known = self._mates.get(env.game.sides)
        if known is None:
            sides = np.zeros(env.game.n_seats, dtype=np.int64)
            for number, (_, seats) in enumerate(env.game.sides):
                sides[list(seats)] = number
            known = self._mates[env.game.sides] = sides[:, None] == sides
        return known

    def answer(
        self,
        env: LearnerTables,
        observations: np.ndarray,
        masks: np.ndarray,
        seats: np.ndarray,
        tables: np.ndarray,
        seeds: np.ndarray,
    ) -> np.ndarray:
        """What the opponents choose, int64[m]; see `Tables`."""
        ids = env.opponent_ids[tables, seats]
        actions = np.empty(len(ids), dtype=np.int64)
        for opponent in np.unique(ids).tolist():
            rows = np.flatnonzero(ids == opponent)
            if opponent <= self.places:
                net = self.current if opponent == CURRENT else self.past[opponent - 1]
                assert net is not None
                seen = beside(self.advice, env, seats[rows], tables[rows], observations[rows])
                actions[rows] = draw(net.probabilities(seen, masks[rows]), seeds[rows])
            else:
                agent = self.agents[opponent - self.places - 1]
                actions[rows] = ask(agent, env, seats[rows], tables[rows], seeds[rows], self._seed)
        return actions

    def prepare(self, games: Sequence[Any]) -> None:
        """Get the agents ready; raises AgentError if one does not play a game."""
        for game in games:
            self.advice.prepare(game)
            for agent in self.agents:
                agent.prepare(game)
                if isinstance(agent, AskedApart) and agent.remembers(game):
                    raise _remembers(agent.name)

    def state_dict(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and plain values that going on exactly needs; the current policy is not among them."""
        arrays = {f"{i}.{name}": w for i, net in enumerate(self.past) for name, w in net.weights.items()}
        return arrays, {"past": len(self.past), "offered": self.offered, "rng": self.rng.bit_generator.state}

    def load_state_dict(self, arrays: Mapping[str, np.ndarray], values: Mapping[str, Any]) -> None:
        """Go on from `state_dict()`."""
        names = self.blueprint.shapes()
        count = int(values["past"])
        if not 0 <= count <= self.places:
            raise ProbespielError(f"the stored league has {count} past policies: at most {self.places}")
        self.past = [
            PolicyNet(self.blueprint, {n: arrays[f"{i}.{n}"] for n in names}, np.float32) for i in range(count)
        ]
        self.offered = int(values["offered"])
        self.rng.bit_generator.state = values["rng"]


def _agent(name: str) -> Agent:
    agent = asked_apart(name, answers=True)
    if agent.per_table:
        raise _remembers(name)
    return quick(agent)


def _remembers(name: str) -> ProbespielError:
    return ProbespielError(f"opponent {name!r} remembers things between its moves: it cannot play in a training")


def ask(
    agent: Agent, env: LearnerTables, seats: np.ndarray, tables: np.ndarray, seeds: np.ndarray, seed: int = 0
) -> np.ndarray:
    """What an agent answers for some seats at some tables of an environment, int64[m]; `seeds` uint64[m].

    Raises AgentError where it raises or answers wrongly.
    """
    requests = Requests.gather(env.game, env.states, tables, seats, seed, seeds, 0)
    return asked(agent, requests)


__all__ = ["League", "ask"]
