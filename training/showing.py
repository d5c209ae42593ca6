"""A game that shows what a trained policy does against an agent."""

from __future__ import annotations

import numpy as np

from ..agents.match import Match, Schedule
from ..agents.policy import PolicyAgent
from ..agents.policy_file import Policy
from ..agents.recording import recorded
from ..envs.core.game import Game
from ..envs.core.replay import Replay
from ..envs.core.rng import derive_seed

LOOKED = 100  # games among which it is chosen
NAME = "trained"  # of the policy in replays


def example(game: Game, policy: Policy, opponent: str, edge: float, seed: int) -> Replay | None:
    """Of some games of a policy against an agent, the one of middle result among those that come out as told.

    `edge` is what it earned from the agent in many games: where that is above 0 only games count in which it got more
    than the others, below 0 only those in which it got less, if there are any. Its side changes from deal to deal; in
    a game of one side it plays alone. None where somebody forfeits in all of them. Raises AgentError.
    """
    sides = [list(seats) for _, seats in game.sides]
    seating = np.full((LOOKED, game.n_seats), 1 if len(sides) > 1 else 0, dtype=np.int64)
    own = np.zeros((LOOKED, game.n_seats), dtype=bool)
    for row in range(LOOKED):
        own[row, sides[row % len(sides)]] = True
    seating[own] = 0
    agent = PolicyAgent.of(policy)
    agent.name = NAME
    seed = derive_seed(seed, "example", opponent)
    with Match(game, [agent, opponent], seed) as match:
        schedule = Schedule.of(seed, np.arange(LOOKED), seating)
        played = match.play(schedule)
        mine = (played.payoffs * own).sum(axis=1) / own.sum(axis=1)
        others = (~own).sum(axis=1)
        ahead = mine - (played.payoffs * ~own).sum(axis=1) / np.maximum(others, 1)
        whole = (played.offences == 0).all(axis=1)
        if not whole.any():
            return None
        told = whole & (np.sign(ahead) == np.sign(edge)) if len(sides) > 1 and edge else whole
        rows = np.flatnonzero(told if told.any() else whole)
        row = rows[np.lexsort((rows, mine[rows]))][(len(rows) - 1) // 2]
        one = Schedule(schedule.seating[[row]], schedule.dice[[row]], schedule.tables[[row]])
        return recorded(match, one, [NAME, opponent]).replay


__all__ = ["LOOKED", "NAME", "example"]
