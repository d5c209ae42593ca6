"""Rollout policy iteration: a network of action values, taught by trying every action at the decisions of real games.

A few seconds of it find what a rule is good for: the policy learned is compared with nothing but itself one action
away, on the same deal and the same dice. Sides may learn together (self-play) or against opponents that stay as they
are (best response).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...agents.base import NativePolicy
from ...agents.match import agent_seed
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game
from ...envs.core.rng import derive_seed, rng_array, rng_table
from .branch_data import Branching, BranchRows, Cast, Course, Marking, Memory, Sample, Space, Tables
from .branch_kernel import improve, sample_branches
from .guided import NO_MARKS, ActionValues, Guided, Marks, side_of_seats

ROOM = 40_000_000  # bytes of decisions that are kept to be learned from again
TURNS = 20  # how often one is, at most


@dataclass(frozen=True)
class Table:
    """A way to sit down: the game (of one rule set), its share of all games, who sits where, and which seats learn.

    `seats` and `learns` have one entry for each seat; an entry of `seats` is an index into the players.
    """

    game: Game
    share: float
    seats: tuple[int, ...]
    learns: tuple[bool, ...]


@dataclass(frozen=True)
class Learned:
    """What a course of learning did: decisions branched, mean squared error, games, games that ended badly.

    `spent`: decisions of all continuations.
    """

    branched: int
    error: float
    games: int
    bad: int
    spent: int


def space_of(game: Game) -> Space:
    """Working space for the compiled loops."""
    n = game.n_seats
    return Space(
        np.zeros(game.state_size, dtype=np.uint8),
        np.zeros(game.state_size, dtype=np.uint8),
        np.zeros(game.words, dtype=np.int64),
        np.zeros(game.words, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.zeros(1, dtype=np.uint64),
        np.zeros(1, dtype=np.uint64),
        np.zeros(n, dtype=np.int32),
        np.zeros(n, dtype=np.int32),
        np.zeros(n, dtype=np.int8),
        np.zeros(n, dtype=np.int64),
        np.zeros(max(64, game.capacity), dtype=np.float64),
        np.zeros(game.n_actions, dtype=np.float64),
        np.zeros(game.n_actions, dtype=np.float64),
        np.zeros(n, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


def cast_of(game: Game, players: Sequence[Guided], seed: int, played: bool = False) -> tuple[Cast, list[NativePolicy]]:
    """The players' compiled policies for a game; if it was `played` in a match of that seed they throw as they did."""
    policies = [player.native(game) for player in players]
    streams = [player.stream or player.name for player in players]
    thrown = [agent_seed(seed, name) if played else derive_seed(seed, "agent", name) for name in streams]
    seeds = np.array(thrown, dtype=np.uint64)
    return (
        Cast(
            np.array([policy.address for policy in policies], dtype=np.int64),
            np.array([policy.which for policy in policies], dtype=np.int64),
            seeds,
            side_of_seats(game),
        ),
        policies,
    )


def phase_offset(game: Game) -> int:
    """Where the phase stands in a state record."""
    fields = game.state_dtype.fields
    assert fields is not None
    return int(fields["ask_phase"][1])


def marking_of(game: Game, marks: Marks) -> Marking:
    """Marks as the compiled loops read them."""
    return Marking(marks.words(game), marks.flags(), phase_offset(game))


def teach(
    values: ActionValues,
    players: Sequence[Guided],
    tables: Sequence[Table],
    games: int,
    seed: int,
    scale: float,
    marks: Marks = NO_MARKS,
    only_marked: bool = False,
    share: float = 1.0,
    replicates: int = 1,
    rates: tuple[float, float] = (0.05, 0.01),
    leaver: int = -1,
    work: float = math.inf,
    again: int = 0,
) -> Learned:
    """Play `games` games at the tables, drawn by their shares, and teach `values` at the seats that learn.

    `scale` is the size of a typical payoff; `share` the chance that a decision is branched; with `only_marked` only
    decisions in which the marked actions or phases occur are. All continuations together take `work` decisions at most,
    or as few more as end the last game. Beside marked actions only what player `leaver` does is
    tried of the others, for all of them (-1: all are tried). When the games are over, `again` decisions (of those found
    last, as far as there is ROOM, all equally often, TURNS times at most) are learned from again. All games must be of
    one rule set. Raises ProbespielError for tables that do not fit together.
    """
    game = tables[0].game
    if any(t.game.address != game.address or t.game.n_seats != game.n_seats for t in tables):
        raise ProbespielError("tables: all games must be of one rule set and number of seats")
    by_game: dict[int, list[Table]] = {}
    for table in tables:
        by_game.setdefault(table.game.params_address, []).append(table)
    most = max(len(group) for group in by_game.values())
    seatings = np.zeros((len(by_game), most, game.n_seats), dtype=np.int64)
    learners = np.zeros((len(by_game), most, game.n_seats), dtype=np.int64)
    weights = np.zeros(len(by_game))
    for g, group in enumerate(by_game.values()):
        weights[g] = sum(table.share for table in group)
        for row in range(most):  # shorter lists go round again
            seatings[g, row] = group[row % len(group)].seats
            learners[g, row] = group[row % len(group)].learns
    cast, policies = cast_of(game, players, seed)
    found, space = np.zeros(4), space_of(game)
    improve(
        game.address,
        space,
        cast,
        Tables(np.array(list(by_game), dtype=np.int64), weights / weights.sum(), seatings, learners),
        branching=Branching(marking_of(game, marks), bool(only_marked), float(share), int(replicates), int(leaver)),
        course=Course(
            int(games),
            float(scale),
            np.array(rates, dtype=np.float64),
            rng_array(seed, "teach"),
            float(work),
            memory_of(game, values.seen, again),
        ),
        net=values.header,
        found=found,
    )
    for policy in policies:
        policy.raise_pending()
    game.kernel.raise_pending()
    return Learned(
        int(found[0]), float(found[1] / max(found[0], 1.0)), int(found[2]), int(found[3]), int(space.spent[0])
    )


def memory_of(game: Game, seen: int, again: int) -> Memory:
    """Room for the decisions of a course, `seen` numbers each, of which `again` are learned from again; none for 0."""
    row = 4 * seen + 8 * (game.words + game.n_actions)
    m = max(1, ROOM // row) if again else 0
    return Memory(
        np.zeros((m, seen), dtype=np.float32),
        np.zeros((m, game.words), dtype=np.int64),
        np.zeros((m, game.n_actions), dtype=np.float64),
        int(again),
        TURNS,
    )


@dataclass(frozen=True)
class Branches:
    """What the actions of some decisions lead to, one decision a row.

    `games`, `numbers` (of the decision in its game), `seats`, `phases`, `taken` int64[m]; `values` float64[m, A] in
    units of half the lead over the others, NaN where not legal; `observations` float32[m, L] or [m, 0]; `bad` is the
    number of the game that ended badly and stopped the sampling, or -1.
    """

    games: np.ndarray
    numbers: np.ndarray
    seats: np.ndarray
    phases: np.ndarray
    taken: np.ndarray
    values: np.ndarray
    observations: np.ndarray
    bad: int


def branches_of(
    game: Game,
    players: Sequence[Guided],
    seating: np.ndarray,
    watched: Sequence[int],
    rows: int,
    seed: int,
    dice: np.ndarray | None = None,
    tables: np.ndarray | None = None,
    marks: Marks = NO_MARKS,
    only_marked: bool = True,
    share: float = 1.0,
    replicates: int = 1,
    observations: bool = True,
    played: bool = False,
) -> Branches:
    """Play the games of `seating` int64[n, seats] until `rows` decisions of the seats `watched` have been branched.

    `dice`, `tables` uint64[n] are the seeds of the games (default: from `seed`). With those of a match of this seed,
    and `played`, they are its games, decision by decision; else the players' own randomness is another.
    """
    n = len(seating)
    flags = np.zeros(game.n_seats, dtype=np.int64)
    flags[list(watched)] = 1
    cast, policies = cast_of(game, players, seed, played)
    facts = np.zeros((rows, 5), dtype=np.int64)
    values = np.zeros((rows, game.n_actions))
    seen = np.zeros((rows, game.layout.size if observations else 0), dtype=np.float32)
    count = sample_branches(
        game.address,
        game.params_address,
        space_of(game),
        cast,
        branching=Branching(marking_of(game, marks), bool(only_marked), float(share), int(replicates), -1),
        sample=Sample(
            np.ascontiguousarray(seating, dtype=np.int64),
            flags,
            dice=rng_table(seed, n, "dice") if dice is None else dice.copy(),
            tables=rng_table(seed, n, "table") if tables is None else tables,
            seeds=rng_table(seed, n, "branch"),
        ),
        found=BranchRows(facts, values, seen),
    )
    for policy in policies:
        policy.raise_pending()
    game.kernel.raise_pending()
    bad, m = (-1 - count, 0) if count < 0 else (-1, count)
    part = facts[:m]
    return Branches(part[:, 0], part[:, 1], part[:, 2], part[:, 3], part[:, 4], values[:m], seen[:m], bad)


__all__ = ["Branches", "Learned", "Table", "branches_of", "cast_of", "marking_of", "space_of", "teach"]
