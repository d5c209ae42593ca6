"""Exact values, best responses and exploitability, by enumerating a whole game.

The tree holds every outcome of every die and every choice; seats that choose at the same moment choose one after the
other, and the keys of information states hide what is sealed. Best responses by backward induction over information
states (Johanson et al. 2011, Accelerating Best Response Calculation in Large Extensive Games, section 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..envs.core.game import Game
from .base import Agent, AgentError, Requests
from .exact_kernel import (
    CHANCE,
    FULL,
    MERGED,
    N_INFOS,
    N_NODES,
    N_TERMINALS,
    TERMINAL,
    TOO_DEEP,
    Infos,
    Nodes,
    Path,
    enumerate_game,
    expected,
    replay,
    respond,
)
from .faults import asked

DEPTH = 512
DEFAULT_BUDGET = 3_000_000
PROBES, FAR = 8, 1000  # random games that tell how large a game is, and how much larger than enough


class TreeTooLarge(AgentError):
    """A game with more nodes than the budget."""


def surely_too_large(game: Game, budget: int = DEFAULT_BUDGET) -> bool:
    """Whether a game has more than `budget` nodes, told by random games without enumerating it; False: not sure.

    The numbers of choices on the way of a random game, multiplied, are in the mean the number of nodes at that depth
    (Knuth 1975, Estimating the efficiency of backtrack programs). In a game of at most `budget` nodes one of them
    reaches a thousand times that with a chance of at most 1 in 1000, all of them with 1 in 10**24.
    """
    for number in range(PROBES):
        position, draws, ways = game.position(), np.random.default_rng(number), 1
        while ways < FAR * budget:
            if position.over:
                return False
            faces = position.die()
            if faces:
                position.fall(int(draws.integers(faces)))
                ways *= faces
                continue
            seat = position.to_act()[0]
            legal = position.legal(seat)
            position.apply(seat, int(draws.choice(legal)))
            ways *= len(legal)
    return True


class Policy(Protocol):
    """Anything whose exact chances are known, such as an agent or a saved strategy."""

    def probabilities(self, requests: Requests) -> np.ndarray | None:
        """The chances of all actions, float64[m, A]."""
        ...


@dataclass(frozen=True)
class BestResponse:
    """The most that a seat can get against the others, and a profile in which it does so (ties: the lowest action)."""

    seat: int
    value: float
    profile: np.ndarray


class GameTree:
    """All of a small game. A *profile*, float64[E], holds the chances of every action at every information state.

    State i has the entries `starts[i]` to `starts[i + 1]`, one for each legal action in ascending order; `seats`
    int64[M] says whose it is, `keys` int64[M] are their names in a strategy file. `budget` limits the nodes (about 40
    bytes each); a larger game raises TreeTooLarge.
    """

    def __init__(self, game: Game, budget: int = DEFAULT_BUDGET) -> None:
        if not 1 <= budget < 1 << 31:
            raise AgentError(f"budget = {budget!r} is not allowed: an integer from 1 to {(1 << 31) - 1}")
        self.game = game
        n, used = budget, np.zeros(3, dtype=np.int64)
        # Arrays of the full budget cost memory only as far as they are written.
        nodes = Nodes(
            kind=np.empty(n, np.int8),
            parent=np.empty(n, np.int32),
            branch=np.empty(n, np.int16),
            fan=np.empty(n, np.int16),
            ref=np.empty(n, np.int32),
        )
        infos = Infos(
            table=np.zeros(1 << (2 * n).bit_length(), np.int64),
            keys=np.empty(n, np.int64),
            seat=np.empty(n, np.int64),
            level=np.empty(n, np.int64),
            node=np.empty(n, np.int64),
            words=np.empty((n, game.words), np.int64),
        )
        payoffs = np.zeros((n, game.capacity), np.float64)
        status = enumerate_game(
            game.address,
            game.params_address,
            Path(
                states=np.zeros((DEPTH, game.state_size), np.uint8),
                stack=np.zeros((DEPTH, 2), np.int64),
                levels=np.zeros((DEPTH, game.n_seats), np.int64),
                words=np.zeros((DEPTH, game.words), np.int64),
            ),
            nodes,
            infos=infos,
            payoffs=payoffs,
            used=used,
        )
        game.kernel.raise_pending()
        if status == FULL:
            raise TreeTooLarge(f"{game.name} has more than {budget:,} nodes (budget): too large to be enumerated")
        if status == TOO_DEEP:
            raise TreeTooLarge(f"{game.name} is deeper than {DEPTH} dice and decisions: too large to be enumerated")
        if status == MERGED:
            raise AgentError(f"{game.name}: an information state joins decisions with different pasts or legal actions")
        if status < 0:
            raise AgentError(f"{game.name}: a seat that owes a decision has no legal action")
        count, m = int(used[N_NODES]), int(used[N_INFOS])
        self._nodes = Nodes(*(a[:count].copy() for a in nodes))
        self._infos = Infos(infos.table[:0], *(a[:m].copy() for a in infos[1:]))
        self._payoffs = payoffs[: int(used[N_TERMINALS]), : game.n_seats].copy()
        self.n_nodes, self.n_states = count, m
        self.seats, self.keys = self._infos.seat, self._infos.keys
        words = self._infos.words.astype(np.uint64)
        self._sizes = np.bitwise_count(words).sum(axis=1).astype(np.int64)
        self.starts = np.concatenate([[0], np.cumsum(self._sizes)]).astype(np.int64)

    def requests(self, seat: int) -> Requests:
        """The decisions of a seat, one row for each of its information states in the order of `states_of`."""
        at = self.states_of(seat)
        states = np.zeros((len(at), self.game.state_size), np.uint8)
        path, words = np.zeros(DEPTH, np.int64), np.zeros(self.game.words, np.int64)
        replay(
            self.game.address,
            self.game.params_address,
            self._nodes,
            self._infos.node[at],
            path=path,
            words=words,
            states=states,
        )
        self.game.kernel.raise_pending()
        return Requests.gather(self.game, states, np.arange(len(at)), np.full(len(at), seat), 0, 0, np.arange(len(at)))

    def states_of(self, seat: int) -> np.ndarray:
        """Indexes of the information states of a seat, int64[m]."""
        return np.flatnonzero(self.seats == seat)

    def uniform(self) -> np.ndarray:
        """The profile in which everybody chooses uniformly."""
        return np.repeat(1.0 / self._sizes, self._sizes)

    def profile(self, policies: Sequence[Policy], samples: int = 0) -> np.ndarray:
        """The profile in which seat i follows `policies[i]`.

        An agent that does not know its chances is asked `samples` times at every state, with different seeds; raises
        AgentError if `samples` is 0, or for a policy that gives a chance to an illegal action.
        """
        if len(policies) != self.game.n_seats:
            raise AgentError(f"policies: {len(policies)} are given, {self.game.name} has {self.game.n_seats} seats")
        out = np.zeros(int(self.starts[-1]), np.float64)
        for seat, policy in enumerate(policies):
            requests = self.requests(seat)
            if len(requests) == 0:
                continue
            dense = policy.probabilities(requests)
            if dense is None:
                dense = self._sampled(policy, requests, samples)
            legal = requests.masks != 0
            if np.any(dense[~legal] > 0) or np.any(np.abs(dense.sum(axis=1) - 1) > 1e-6):
                raise AgentError(f"{policy!r}: chances that are not a distribution over the legal actions")
            out[np.repeat(self.seats == seat, self._sizes)] = dense[legal]
        return out

    def _sampled(self, policy: Policy, requests: Requests, samples: int) -> np.ndarray:
        if not isinstance(policy, Agent) or samples < 1:
            raise AgentError(f"{policy!r} does not know its chances; give samples to estimate them")
        dense = np.zeros(requests.masks.shape, np.float64)
        rows = np.arange(len(requests))
        for i in range(samples):
            actions = asked(policy, requests.reseeded(i))
            dense[rows, actions] += 1.0 / samples
        return dense

    def values(self, profile: np.ndarray) -> np.ndarray:
        """The expected payoff of every seat, float64[seats]."""
        out = np.zeros(self.game.n_seats, np.float64)
        expected(self._nodes, self.starts, self._checked(profile), self._payoffs, seats=self.game.n_seats, out=out)
        return out

    def values_of_nodes(self, profile: np.ndarray, seat: int) -> np.ndarray:
        """What a seat may expect at every node, float64[n_nodes], the first being the start."""
        nodes, chances = self._nodes, self._checked(profile)
        out = np.zeros(self.n_nodes)
        ends = np.flatnonzero(nodes.kind == TERMINAL)
        out[ends] = self._payoffs[nodes.ref[ends], seat]
        for node in range(self.n_nodes - 1, 0, -1):  # children before parents
            parent = nodes.parent[node]
            chance = 1.0 / nodes.fan[parent]
            if nodes.kind[parent] != CHANCE:
                chance = chances[self.starts[nodes.ref[parent]] + nodes.branch[node]]
            out[parent] += chance * out[node]
        return out

    def chooser(self, node: int) -> int:
        """The seat that chooses at a node; a negative number where chance decides, and at ends."""
        return int(self._nodes.kind[node])

    def child(self, node: int, branch: int) -> int:
        """The node after that outcome of a die, or that one of the legal actions in ascending order."""
        return int(np.flatnonzero((self._nodes.parent == node) & (self._nodes.branch == branch))[0])

    def best_response(self, seat: int, profile: np.ndarray) -> BestResponse:
        """The best that a seat can do while the others follow the profile."""
        best = np.zeros(self.n_states, np.int64)
        deepest = int(self._infos.level.max(initial=0))
        chances = self._checked(profile)
        value = respond(
            self._nodes,
            self.starts,
            chances,
            self._payoffs,
            level_of=self._infos.level,
            deepest=deepest,
            me=self.game.seat_index(seat),
            best=best,
        )
        mixed = chances.copy()
        own = np.repeat(self.seats == seat, self._sizes)
        mixed[own] = 0.0
        states = self.states_of(seat)
        mixed[self.starts[states] + best[states]] = 1.0
        return BestResponse(seat, float(value), mixed)

    def nash_conv(self, profile: np.ndarray) -> float:
        """What the seats could gain by deviating, one at a time, summed; 0 in an equilibrium."""
        values = self.values(profile)
        return float(sum(self.best_response(s, profile).value - values[s] for s in range(self.game.n_seats)))

    def exploitability(self, profile: np.ndarray) -> float:
        """`nash_conv` divided by the number of seats."""
        return self.nash_conv(profile) / self.game.n_seats

    def _checked(self, profile: np.ndarray) -> np.ndarray:
        profile = np.ascontiguousarray(profile, np.float64)
        if profile.shape != (int(self.starts[-1]),):
            raise AgentError(f"profile has shape {list(profile.shape)}, not [{int(self.starts[-1])}]")
        return profile


__all__ = ["DEFAULT_BUDGET", "BestResponse", "GameTree", "TreeTooLarge", "surely_too_large"]
