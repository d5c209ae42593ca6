"""Fits an outlook to any game: what a position is worth to whoever sees it, learnt from games of its heuristics.

Baselines of the game play it, each side drawing one of them, in every second game with random decisions in between; of
a share of the positions one seat's sight is written down. A network of one hidden layer learns by least squares what
that seat was paid in the end, so that its answer approaches the expected payoff of the mixture of those who played.
Games are split by their number: of every tenth nothing is learnt, and what is kept is the network that foretold those
best.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..agents.base import AgentError
from ..agents.declaration import Sight, lineup_of
from ..agents.fitted import FittedOutlook, Scale, seats_in, seen_in
from ..agents.native import native_sight
from ..agents.rollouts import rollouts_of
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game
from ..envs.core.rng import rng_array
from .outlook_kernel import Call, Course, Desk, Found, Net, Plan, School, answers, collect, epoch

HELD = 10  # of so many games one is held out


@dataclass(frozen=True)
class Fit:
    """How to fit: positions that are wanted, hidden units, rounds over them, chance of a random decision in every
    second game, seed; `agents` are baselines or trained policies joined by + (auto: the rollouts of the game, and
    random play).
    """

    positions: int = 200_000
    hidden: int = 32
    epochs: int = 12
    stray: float = 0.1
    seed: int = 1
    agents: str = "auto"
    batch: int = 256
    rate: float = 3e-3
    decay: float = 1e-3


@dataclass(frozen=True)
class Positions:
    """Positions of one or more games: as in `outlook_kernel.Found`, without what is not used; `total`: see Scale."""

    found: Found
    total: float
    played: int

    def __len__(self) -> int:
        return len(self.found.seats)


def players(game: Game, agents: str) -> str:
    """Whom `Fit.agents` means."""
    if agents != "auto":
        return agents
    known = lineup_of(game).rollout_in(game)
    return known if known == "random" else f"{known}+random"


@dataclass(frozen=True)
class Gathering:
    """Games of baselines in which positions are written down: what is called, and working space."""

    game: Game
    agents: str
    call: Call
    desk: Desk
    functions: tuple[Any, ...]  # compiled ones that may hold errors

    @classmethod
    def of(cls, game: Game, agents: str, sight: Sight | None, rng: np.ndarray) -> Gathering:
        """Of `agents` joined by +; `sight` is what is seen in place of the observation, `rng` uint64[1].

        Raises AgentError for who does not play the game.
        """
        policies, which = rollouts_of(game, agents)
        policy = next((found for found in policies if found is not None), None)
        look = native_sight(game, sight) if sight is not None else None
        first = {seat: seats[0] for _, seats in game.sides for seat in seats}
        teams = np.array([first[seat] for seat in range(game.n_seats)], dtype=np.int64)
        entries = (look.address if look else 0, policy.address if policy else 0)
        desk = Desk(
            state=np.zeros(game.state_size, np.uint8),
            words=np.zeros(game.words, np.int64),
            seen=np.zeros(sight.size if sight is not None else game.layout.size, np.float32),
            payoff=np.zeros(game.capacity),
            cast=np.zeros(game.capacity, np.int64),
            chosen=np.zeros(max(64, game.capacity), np.int64),
            sums=np.array([np.inf, -np.inf]),
            rng=rng,
        )
        call = Call(game.address, game.params_address, *entries, which, teams)
        return cls(game, agents, call, desk, tuple(f for f in (*policies, look) if f is not None))

    def play(self, room: int, plan: Plan) -> tuple[Found, int]:
        """So many positions less one at most, and how many games were played; raises AgentError for a wrong answer."""
        size = len(self.desk.seen)
        entries = room * min(size, 400) + size + 1
        found = Found(
            index=np.zeros(entries, np.int32),
            values=np.zeros(entries, np.float32),
            starts=np.zeros(room + 1, np.int64),
            seats=np.zeros(room, np.int64),
            games=np.zeros(room, np.int64),
            payoffs=np.zeros(room, np.float32),
        )
        used, played = collect(self.call, self.desk, found, plan)
        self.game.kernel.raise_pending()
        for function in self.functions:
            if function.pending:
                raise function.pending.pop()
        if used < 0:
            raise AgentError(f"{self.game.name}: a baseline of {self.agents} answered what is not legal")
        end = int(found.starts[used])
        arrays = (found.index[:end], found.values[:end], found.starts[: used + 1])
        return Found(*arrays, found.seats[:used], found.games[:used], found.payoffs[:used]), played


def positions(game: Game, fit: Fit, wanted: int, number: int = 0) -> Positions:
    """So many positions of a game; `number` tells games from each other that are learnt from together.

    Raises AgentError for baselines that do not play it.
    """
    rng = rng_array(fit.seed, "outlook", game.name, number)
    gathering = Gathering.of(game, players(game, fit.agents), lineup_of(game).sight, rng)
    trial, games = gathering.play(4000, Plan(50, 1.0, fit.stray, False))
    if not len(trial.seats):
        raise ProbespielError(f"{game.name} ({game.spec.scenario}): no decision was met in {games} games")
    # at most ten positions of a game in the mean: those of one game have one result
    share = min(1.0, 10.0 * games / len(trial.seats))
    found, played = gathering.play(wanted + 1, Plan(1 << 40, share, fit.stray, False))
    low, high = gathering.desk.sums
    return Positions(found, float(low) if high - low < 1e-9 else math.nan, played)


def joined(parts: Sequence[Positions]) -> Positions:
    """Positions of several games as if of one."""
    offsets = np.cumsum([0, *(len(part.found.index) for part in parts)])
    games = np.cumsum([0, *(part.played for part in parts)])
    found = Found(
        index=np.concatenate([part.found.index for part in parts]),
        values=np.concatenate([part.found.values for part in parts]),
        starts=np.concatenate([[0], *(part.found.starts[1:] + at for part, at in zip(parts, offsets, strict=False))]),
        seats=np.concatenate([part.found.seats for part in parts]),
        games=np.concatenate([part.found.games + at for part, at in zip(parts, games, strict=False)]),
        payoffs=np.concatenate([part.found.payoffs for part in parts]),
    )
    totals = {part.total for part in parts}
    return Positions(found, totals.pop() if len(totals) == 1 else math.nan, int(games[-1]))


def fitted_to(games: Sequence[Game], fit: Fit, told: Callable[[str], object] = lambda line: None) -> FittedOutlook:
    """An outlook for games that show the same, say the presets of one; `told` gets a line now and then.

    Its `quality` says what share of the variance of payoffs it explains in games that it was not fitted to, and how
    many positions and games those were. Raises AgentError for games that show different things.
    """
    first = games[0]
    for game in games:
        if seen_in(game) != seen_in(first) or seats_in(game) != seats_in(first):
            raise AgentError(
                f"{game.name} ({game.spec.scenario}) shows other things than {first.spec.scenario}, or has "
                "other seats: fit an outlook to each"
            )
    each = -(-fit.positions // len(games))
    parts = []
    for number, game in enumerate(games):
        parts.append(positions(game, fit, each, number))
        told(f"{game.spec.scenario}: {len(parts[-1]):,} positions of {parts[-1].played:,} games")
    data = joined(parts)
    found = data.found
    held = found.games % HELD == HELD - 1
    learnt, other = np.flatnonzero(~held), np.flatnonzero(held)
    if not len(learnt) or not len(other):
        raise ProbespielError(f"positions = {fit.positions} are too few: more than {HELD} games are needed")
    shift = float(found.payoffs[learnt].mean(dtype=np.float64))
    factor = float(found.payoffs[learnt].std(dtype=np.float64)) or 1.0
    goals = ((found.payoffs - shift) / factor).astype(np.float32)
    rng = np.random.default_rng([fit.seed, 18])
    size, hidden = sum(n for _, n in seen_in(first)), fit.hidden
    flat = np.zeros(size * hidden + 2 * hidden + 1, dtype=np.float32)
    net = _views(flat, size, hidden)
    usual = max(1.0, np.diff(found.starts).mean())  # inputs that are not 0
    net.first[:] = rng.normal(0.0, math.sqrt(2.0 / usual), net.first.shape)
    net.last[:-1] = rng.normal(0.0, 0.1 * math.sqrt(2.0 / hidden), hidden)
    flat_grads, moments = np.zeros_like(flat), (np.zeros_like(flat), np.zeros_like(flat))
    school = School(net, _views(flat_grads, size, hidden), flat, flat_grads, *moments)
    best, kept, number = math.inf, flat.copy(), 1
    said = np.zeros(len(other), dtype=np.float32)
    for i in range(fit.epochs):
        rates = [fit.rate * 0.5 * (1.0 + math.cos(math.pi * (i + j) / fit.epochs)) for j in range(2)]
        numbers = [np.float32(v) for v in (*rates, fit.decay)]
        error, number = epoch(school, found, Course(rng.permutation(learnt), goals, fit.batch, *numbers), number)
        answers(net, found, other, said)
        missed = float(((said - goals[other]) ** 2).mean(dtype=np.float64))
        told(f"round {i + 1}: explained {1 - error:.4f}, of games held out {_explained(missed, goals[other]):.4f}")
        if missed < best:
            best, kept = missed, flat.copy()
    net = _views(kept, size, hidden)
    return FittedOutlook(
        game=first.name,
        scenario=", ".join(dict.fromkeys(game.spec.scenario for game in games)),
        seats=seats_in(first),
        seen=seen_in(first),
        scale=Scale(shift, factor, float(found.payoffs.min()), float(found.payoffs.max()), data.total),
        first=net.first,
        bias=net.bias,
        last=net.last,
        settings={**asdict(fit), "agents": players(first, fit.agents)},
        quality={
            "explained": _explained(best, goals[other]),
            "positions": len(data),
            "games": data.played,
            "held_out": len(other),
        },
    )


def _views(flat: np.ndarray, size: int, hidden: int) -> Net:
    """The parts of a vector of weights."""
    end = size * hidden
    return Net(flat[:end].reshape(size, hidden), flat[end : end + hidden], flat[end + hidden :])


def _explained(missed: float, goals: np.ndarray) -> float:
    """Share of the variance of what is to be foretold that a mean squared error leaves explained."""
    return 1.0 - missed / max(float(goals.var(dtype=np.float64)), 1e-12)


__all__ = ["Fit", "Gathering", "fitted_to", "joined", "players", "positions"]
