"""Games of the stress lab: strategies against each other in a condition, with what their logs tell.

All payoffs are seen from one side, the hero (side 0 unless another is asked for), as `margin`: half of (its mean payoff
- the mean payoff of all other seats), which is the payoff itself in a zero-sum game of two seats; in a game of one side
its mean payoff less the middle of what the game declares. Deals have numbers; deal i is the same in all conditions and
for all strategies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...agents.match import Match, Outcome, Schedule
from ...envs.core.errors import ProbespielError
from ...envs.core.rng import rng_table
from .conditions import Bench, Condition, seating_of
from .guided import Log, LoggedDecisions
from .lab import Lab
from .strategies import Mixture, Strategy, joined, once_each


def margins(bench: Bench, condition: Condition, payoffs: np.ndarray, hero: int = 0) -> np.ndarray:
    """Half the lead of side `hero` in every game, float64[n], from payoffs float64[n, seats].

    A side without others has its mean payoff, less the middle of the declared range: above it is better than half.
    """
    own = list(bench.side_seats(condition, hero))
    rest = [s for s in range(payoffs.shape[1]) if s not in own]
    if not rest:
        return payoffs[:, own].mean(axis=1) - sum(bench.payoff_range) / 2
    return 0.5 * (payoffs[:, own].mean(axis=1) - payoffs[:, rest].mean(axis=1))


@dataclass(frozen=True)
class Played:
    """Games of one condition: `margins` float64[n], `lengths` int64[n], `status` int8[n], and the log, if kept."""

    margins: np.ndarray
    lengths: np.ndarray
    status: np.ndarray
    outcome: Outcome
    log: LoggedDecisions | None = None

    def games_of_log(self) -> np.ndarray:
        """The game of every row of the log, int64[rows]."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)


def schedule_of(bench: Bench, condition: Condition, pairs: Sequence[tuple[int, int]], deals: Any, seed: int,
                again: int = 0, hero: int = 0) -> Schedule:  # fmt: skip
    """Games of some deals (numbers), each with a pair of players (side `hero`, everybody else).

    With `again` above 0 the dice stay the same and the players' own randomness is another.
    """
    plain = Schedule.of(seed, deals, seating_of(bench, condition, pairs, hero))
    if not again:
        return plain
    numbers = np.asarray(deals, dtype=np.int64)
    tables = rng_table(seed, int(numbers.max(initial=-1)) + 1, "table", again)[numbers]
    return Schedule(plain.seating, plain.dice, tables)


def play(
    lab: Lab,
    condition: Condition,
    strategies: Sequence[Strategy],
    pairs: Sequence[tuple[int, int]],
    deals: Any,
    seed: int,
    again: int = 0,
    logged: bool = False,
    hero: int = 0,
) -> Played:
    """Play game i with deal `deals[i]` between `strategies[pairs[i][0]]` on side `hero` and the other on all others."""
    game = lab.game(condition)
    log = Log(lab.log_room(len(pairs))) if logged else None
    schedule = schedule_of(lab.bench, condition, pairs, deals, seed, again, hero)
    with Match(game, [lab.bench.player(s, lab.marks, log) for s in strategies], seed, None) as match:
        outcome = match.play(schedule)
    if not np.isfinite(outcome.payoffs).all():  # wilful play shows the game, once it is asked to look again
        raise ProbespielError("a payoff is no finite number")
    return Played(
        margins(lab.bench, condition, outcome.payoffs, hero),
        outcome.lengths.astype(np.int64),
        outcome.status,
        outcome,
        log.read() if log is not None else None,
    )


def draw_pairs(rows: Sequence[float], columns: Sequence[float], deals: Any, seed: int) -> list[tuple[int, int]]:
    """A pair of players for every deal from two mixtures; the draws depend on seed and deal alone."""
    numbers = np.asarray(deals, dtype=np.int64)
    known = int(numbers.max(initial=-1)) + 1
    # uniform numbers in [0, 1) from the seeds of the deals, so that conditions share them
    first, second = (
        (rng_table(seed, known, use)[numbers] >> np.uint64(11)) / float(1 << 53) for use in ("row", "column")
    )
    return list(zip(_draw(rows, first), _draw(columns, second)))


def by_mixtures(
    mixtures: Sequence[tuple[Mixture, Mixture]], which: np.ndarray, deals: np.ndarray, seed: int
) -> Iterator[tuple[np.ndarray, list[Strategy], list[tuple[int, int]]]]:
    """For every pair of mixtures that some deal is played by: those deals, the players, and two of them for each.

    Deal number `deals` int64[n][i] is played by the pair `which` int64[n][i]; given are the indexes i, int64[m].
    """
    for number, (rows, columns) in enumerate(mixtures):
        mine = np.flatnonzero(which == number)
        if len(mine):
            players, first, second = joined(rows, columns)
            yield mine, players, draw_pairs(first, second, deals[mine], seed)


def _draw(weights: Sequence[float], uniform: np.ndarray) -> list[int]:
    ends = np.cumsum(np.asarray(weights, dtype=np.float64))
    return np.minimum(np.searchsorted(ends / ends[-1], uniform, side="right"), len(ends) - 1).tolist()


def matrix(
    lab: Lab,
    conditions: Sequence[Condition],
    rows: Sequence[Strategy],
    columns: Sequence[Strategy],
    deals: tuple[int, int],
    blocks: int,
    seed: int,
) -> np.ndarray:
    """Mean margins of every row strategy against every column strategy in blocks of deals, float64[blocks, r, c].

    The deals have the numbers deals[0] .. deals[1] - 1; deal i is played in condition `conditions[i %
    len(conditions)]`, and every pair plays every deal. In a game of one side all columns are the same.
    """
    if len(lab.bench.sides) == 1 and len(columns) > 1:
        return np.repeat(matrix(lab, conditions, rows, columns[:1], deals, blocks, seed), len(columns), axis=2)
    numbers = np.arange(*deals)
    out = np.zeros((blocks, len(rows), len(columns)))
    block_of = np.arange(len(numbers)) * blocks // max(len(numbers), 1)
    counts = np.bincount(block_of, minlength=blocks)
    players = once_each((*rows, *columns))
    index = {s.name: i for i, s in enumerate(players)}
    pairs = [(index[a.name], index[b.name]) for a in rows for b in columns]
    for which, condition in enumerate(conditions):
        mine = np.flatnonzero(numbers % len(conditions) == which)
        if not len(mine):
            continue
        seats = [pair for pair in pairs for _ in mine]
        played = play(lab, condition, players, seats, np.tile(numbers[mine], len(pairs)), seed)
        table = played.margins.reshape(len(pairs), len(mine))
        for pair in range(len(pairs)):
            np.add.at(out[:, pair // len(columns), pair % len(columns)], block_of[mine], table[pair])
    return out / np.maximum(counts, 1)[:, None, None]


__all__ = ["Played", "by_mixtures", "draw_pairs", "margins", "matrix", "play", "schedule_of"]
