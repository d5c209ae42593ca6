"""Play of a policy against an agent, drawn from its chances at a temperature, with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..agents.advice import Advice
from ..agents.apart import asked_apart
from ..agents.base import Agent
from ..agents.declaration import agent_named
from ..agents.intervals import NORMAL, error_of
from ..agents.match import Match, Schedule
from ..agents.policy_net import PolicyNet, draw
from ..agents.registry import AgentText, parse_agent
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game
from ..envs.core.learner_tables import LearnerTables
from ..envs.core.rng import derive_seed, rng_table
from ..envs.core.texts import number_in
from .league import ask
from .tables import beside

TABLES = 512  # at a time, about
OWN, OTHER = 0, 1  # opponent ids: a seat of the policy's side, and the agent


@dataclass(frozen=True)
class Evaluation:
    """Mean payoff of a policy against an agent.

    `seats` holds (seat, games, mean, standard error) for each seat; `edge` is the mean over the sides of the means over
    their seats, so that between equal players of a zero-sum game of two sides it is 0; `low`..`high` is its 95 %
    interval. In the first scenario if there are several. Where all seats are on one side, the agent plays games of its
    own, and `edge` is what the policy's mean payoff is above the agent's.
    """

    opponent: str
    games: int
    edge: float
    low: float
    high: float
    seats: tuple[tuple[str, int, float, float], ...]
    decisions: int = 0  # of the training, when it was made

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return self.told()

    def told(self, lang: str = "en") -> str:
        """The result in words."""
        edge, low, high = (number_in(f"{value:+.4f}", lang) for value in (self.edge, self.low, self.high))
        if lang == "de":
            return f"gegen {self.opponent}: {edge} ({low} bis {high}, {self.games} Spiele)"
        return f"against {self.opponent}: {edge} ({low} to {high}, {self.games} games)"


def opponent_of(opponent: str | AgentText, game: Game) -> Agent:
    """An agent ready to be evaluated against; raises ProbespielError if it is none, or cannot be."""
    text = agent_named(game, opponent) if isinstance(opponent, str) else opponent
    agent = asked_apart(text, game, answers=True)
    if agent.per_table:
        name = opponent if isinstance(opponent, str) else opponent.text
        raise ProbespielError(f"opponent {name!r} remembers things between moves: play a tournament instead")
    agent.prepare(game)
    return agent


class _Sides:
    """The policy on the learner's side, an agent on the others."""

    def __init__(self, game: Game, net: PolicyNet, opponent: AgentText, temperature: float) -> None:
        self.net = net
        self.temperature = temperature
        self.advice = Advice(net.blueprint.advisers)
        self.advice.prepare(game)
        self.agent = opponent_of(opponent, game)
        self.sides = np.zeros(game.n_seats, dtype=np.int64)
        for number, (_, seats) in enumerate(game.sides):
            self.sides[list(seats)] = number
        self.env: LearnerTables | None = None

    def assign(self, tables: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return np.where(self.sides[None, :] == self.sides[seats][:, None], OWN, OTHER)

    def __call__(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, tables: np.ndarray, seeds: np.ndarray
    ) -> np.ndarray:
        assert self.env is not None
        own = self.env.opponent_ids[tables, seats] == OWN
        actions = np.empty(len(own), dtype=np.int64)
        if own.any():
            seen = beside(self.advice, self.env, seats[own], tables[own], observations[own])
            actions[own] = draw(self.net.probabilities(seen, masks[own], self.temperature), seeds[own])
        if not own.all():
            other = ~own
            actions[other] = ask(self.agent, self.env, seats[other], tables[other], seeds[other])
        return actions


def evaluate(
    games: Game | Sequence[Game],
    net: PolicyNet,
    opponent: str | AgentText,
    n: int,
    seed: int = 0,
    decisions: int = 0,
    temperature: float = 1.0,
) -> Evaluation:
    """Play at least `n` games (every seat equally often) of a policy against an agent; raises AgentError.

    All seats of the policy's side are played by the policy, all others by the agent; in a game of one side the agent
    plays as many games by itself.
    """
    game = games if isinstance(games, Game) else games[0]
    agent = opponent if isinstance(opponent, AgentText) else parse_agent(agent_named(game, opponent))
    seats = game.n_seats
    tables = seats * max(1, min(TABLES, n) // seats)
    rounds = max(1, -(-n // tables))
    sides = _Sides(game, net, agent, temperature)
    # forced decisions are asked for, so that games in which a seat has no choice count as well
    env = LearnerTables(
        game, tables, sides, assign=sides.assign, skip_forced=False, seed=derive_seed(seed, "evaluate", agent.text)
    )
    sides.env = env
    rngs = rng_table(seed, tables, "evaluated policy")
    results: list[list[float]] = [[] for _ in range(seats)]
    played = np.zeros(tables, dtype=np.int64)
    observations = env.reset()
    while played.min() < rounds:
        rngs += np.uint64(0x9E3779B97F4A7C15)  # a new draw for every table; overflow wraps around
        seen = beside(sides.advice, env, env.seats, np.arange(tables), observations)
        observations, _, dones, infos = env.step(draw(net.probabilities(seen, env.masks, temperature), rngs))
        for table in np.flatnonzero(dones).tolist():
            if played[table] < rounds:  # the first games of each table: long ones are not left out
                played[table] += 1
                results[infos[table]["seat"]].append(infos[table]["episode"]["r"])
    bounds = game.spec.bounds_of_seats
    widest = min(low for low, _ in bounds), max(high for _, high in bounds)
    means, errors, weights = seat_figures(results, [members for _, members in game.sides], widest)
    edge = float(weights @ means)
    variance = float(((weights * errors) ** 2).sum())
    if len(game.sides) == 1:
        alone = payoffs_of(game, agent, sum(map(len, results)), seed)
        edge -= float(alone.mean())
        variance += error_of(alone, widest) ** 2
    half = NORMAL * variance**0.5
    rows = tuple((game.seats[i].name, len(r), float(means[i]), float(errors[i])) for i, r in enumerate(results) if r)
    return Evaluation(agent.text, int(sum(map(len, results))), edge, edge - half, edge + half, rows, decisions)


def seat_figures(
    results: Sequence[Sequence[float]], sides: Sequence[Sequence[int]], reach: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, standard error and weight of every seat, float64[seats] each, from what was paid in its games.

    `reach`: between what all payoffs lie, which tells how much may be missing where all games were paid alike.
    All sides weigh the same, and so do a side's seats. A seat that never has anything to decide (it cannot act, or lies
    there wounded from the beginning) has no games and weighs nothing; raises ProbespielError if a side has none at all.
    """
    means = np.array([np.mean(r) if r else 0.0 for r in results])
    errors = np.array([error_of(np.array(r), reach) if len(r) > 1 else np.inf if r else 0.0 for r in results])
    weights = np.zeros(len(results))
    for number, members in enumerate(sides):
        deciding = [seat for seat in members if results[seat]]
        if not deciding:
            raise ProbespielError(f"side {number + 1} of {len(sides)} had nothing to decide in any game")
        weights[deciding] = 1.0 / len(deciding) / len(sides)
    return means, errors, weights


def payoffs_of(game: Game, agent: str | AgentText, n: int, seed: int = 0) -> np.ndarray:
    """Mean payoffs of the seats in `n` games in which an agent plays all of them, float64[n]; raises AgentError."""
    with Match(game, [agent], seed) as match:
        schedule = Schedule.of(seed, np.arange(n), np.zeros((n, game.n_seats), dtype=np.int64))
        return match.play(schedule).payoffs.mean(axis=1)


__all__ = ["Evaluation", "evaluate", "payoffs_of", "seat_figures"]
