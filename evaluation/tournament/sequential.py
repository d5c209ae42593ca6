"""Tournaments that stop when they know: confidence sequences, which hold however often one looks.

A comparison is the mean of what one agent earns more than another in a deal, bounded by the game's payoffs. Its
interval after every block is that of the predictable plug-in empirical-Bernstein confidence sequence (Waudby-Smith and
Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86, 2024, theorem 2): with probability `level`
the intervals of all blocks hold the truth at once. Weights may depend on what came before alone, so they stay the same
within a block, and sums of a block suffice. Several comparisons share the error equally (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from .plan import TournamentError
from .results import column
from .summary import Decision

GOALS = ("ranking", "best", "dominance")
LEVEL = 0.95
LEAST_BLOCKS = 10  # before which no tournament stops: the rest of the report needs some
_MOST_WEIGHT = 0.5  # of a bet (lambda); the paper recommends 1/2 or 3/4


@dataclass(frozen=True)
class Until:
    """When a tournament may stop.

    `ranking`: of every two agents it is known who earns more from the field; `best`: one agent is known to earn more
    than every other; `dominance`: of every two it is known who wins from the other; `sprt`: of two agents, whether the
    first wins less than `high` or more than `low` a game from the other. Agents within `within` payoff of each other
    count as equal.
    """

    goal: str
    within: float = 0.0
    low: float = 0.0
    high: float = 0.0
    level: float = LEVEL

    def __post_init__(self) -> None:
        if self.goal not in (*GOALS, "sprt"):
            raise TournamentError(f"until = {self.goal!r} is unknown: one of {', '.join(GOALS)}")
        if not (0 <= self.within < np.inf):
            raise TournamentError(f"within = {self.within:g} is not allowed: a payoff of at least 0")
        if not 0 < self.level < 1:
            raise TournamentError(f"level = {self.level:g} is not allowed: between 0 and 1")
        if self.goal == "sprt" and not -np.inf < self.low < self.high < np.inf:
            raise TournamentError(
                f"sprt {self.low:g} {self.high:g} is not allowed: the first must be less than the second"
            )

    @property
    def settings(self) -> dict[str, Any]:
        """What decides the end of a tournament, in plain values."""
        bounds = {"low": self.low, "high": self.high} if self.goal == "sprt" else {"within": self.within}
        return {"goal": self.goal, **bounds, "level": self.level}


@dataclass
class Sequence:
    """Confidence sequences of several means of numbers in `[-span, span]`, fed block by block.

    `error` is that of each; `low` and `high` float64[k] are the intervals after the last block, which never widen.
    """

    count: int
    span: float
    error: float
    low: np.ndarray = field(init=False)
    high: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.low, self.high = np.full(self.count, -self.span), np.full(self.count, self.span)
        self._n = 0
        self._sum, self._spread = np.zeros(self.count), np.zeros(self.count)  # of the numbers scaled to [0, 1]
        self._weighted, self._weights, self._cost = np.zeros(self.count), np.zeros(self.count), np.zeros(self.count)

    def add(self, values: np.ndarray) -> None:
        """Take in a block, float64[n, k]. Raises TournamentError for numbers outside the span."""
        if not len(values):
            return
        if np.abs(values).max() > self.span * (1 + 1e-9):
            raise TournamentError(
                f"a difference of {np.abs(values).max():g} is outside of what the game's payoffs allow, {self.span:g}: "
                "the payoff range that a rule module declares is too small"
            )
        scaled = (np.clip(values, -self.span, self.span) + self.span) / (2 * self.span)
        before = self._n
        after = before + len(values)
        mean, variance = (0.5 + self._sum) / (before + 1), (0.25 + self._spread) / (before + 1)
        bound = np.log(2 / self.error)
        weight = np.minimum(np.sqrt(2 * bound / (variance * after * np.log1p(after))), _MOST_WEIGHT)
        squares = ((scaled - mean) ** 2).sum(axis=0)
        total = scaled.sum(axis=0)
        self._weighted += weight * total
        self._weights += weight * len(values)
        self._cost += squares * (-np.log1p(-weight) - weight)
        self._sum += total
        self._spread += squares
        self._n = after
        middle, half = self._weighted / self._weights, (bound + self._cost) / self._weights
        self.low = np.maximum(self.low, (middle - half) * 2 * self.span - self.span)
        self.high = np.minimum(self.high, (middle + half) * 2 * self.span - self.span)


class Watch:
    """Looks at the blocks of a tournament in their order and says when it may stop."""

    def __init__(self, until: Until, names: tuple[str, ...], payoff_range: tuple[float, float], planned: int) -> None:
        if until.goal == "sprt" and len(names) != 2:
            raise TournamentError(f"sprt compares two agents, not {len(names)}")
        self.until, self.names, self.planned = until, names, planned
        self.pairs = tuple(combinations(range(len(names)), 2))
        self.blocks = 0
        error = (1 - until.level) / len(self.pairs)
        low, high = payoff_range
        span = high - low if until.goal in ("ranking", "best") else (high - low) / 2
        self._sequence = Sequence(len(self.pairs), max(span, 1e-12), error)

    def add(self, table: pa.Table) -> bool:
        """Take in the next block, rows as in `results.SCHEMA`; answers whether that is enough."""
        self._sequence.add(_leads(table, self.pairs, len(self.names), self.until.goal in ("ranking", "best")))
        self.blocks += 1
        return self.blocks >= LEAST_BLOCKS and self.decided

    @property
    def signs(self) -> np.ndarray:
        """Of each pair, int64[k]: +1 if the first earns more, -1 if less, 0 if they are equal, 2 if it is not known."""
        low, high, within = self._sequence.low, self._sequence.high, self.until.within
        equal = (low >= -within) & (high <= within) & (within > 0)
        return np.where(low > 0, 1, np.where(high < 0, -1, np.where(equal, 0, 2)))

    @property
    def decided(self) -> bool:
        """Whether the goal is reached."""
        if self.until.goal == "sprt":
            return bool(self._sequence.low[0] > self.until.low or self._sequence.high[0] < self.until.high)
        if self.until.goal == "best":
            return self._best() is not None
        return bool((self.signs != 2).all())

    def _best(self) -> int | None:
        """An agent that earns more than every other, or as much."""
        signs = dict(zip(self.pairs, self.signs.tolist(), strict=True))
        for agent in range(len(self.names)):
            against = [signs[pair] if pair[0] == agent else -signs[pair] for pair in self.pairs if agent in pair]
            if all(sign in (0, 1) for sign in against):
                return agent
        return None

    def decision(self) -> Decision:
        """What is known after the blocks so far."""
        low, high = (tuple(float(v) for v in bounds) for bounds in (self._sequence.low, self._sequence.high))
        until = self.until
        decided = self.decided
        return Decision(
            until.goal,
            decided,
            self.blocks,
            self.planned,
            until.level,
            until.within,
            self.pairs,
            low,
            high,
            self._text(decided),
        )

    def _text(self, decided: bool) -> str:
        played = f"after {self.blocks} of at most {self.planned} blocks"
        holds = f"With {self.until.level:.0%} certainty, however often one looked:"
        return f"{holds} {'; '.join(self._claims())} ({played})." + ("" if decided else " The goal was not reached.")

    def _claims(self) -> Iterator[str]:
        names, signs = self.names, self.signs
        low, high = self._sequence.low, self._sequence.high
        if self.until.goal == "sprt":
            bounds = f"{names[0]} wins between {low[0]:+.4g} and {high[0]:+.4g} a game from {names[1]}"
            more, less = low[0] > self.until.low, high[0] < self.until.high
            yield (
                f"{bounds}, so {f'more than {self.until.low:g}' if more else f'less than {self.until.high:g}'}"
                if (more or less)
                else bounds
            )
            return
        best = self._best()
        verb = "wins from" if self.until.goal == "dominance" else "earns more than"
        if self.until.goal == "best" and best is not None:
            others = [name for agent, name in enumerate(names) if agent != best]
            equal = f", up to {self.until.within:g}" if self.until.within else ""
            yield f"{names[best]} {verb} {_listed(others)}{equal}"
            return
        for agent, name in enumerate(names):
            beaten = [
                names[b if a == agent else a]
                for (a, b), sign in zip(self.pairs, signs, strict=True)
                if (a, sign) == (agent, 1) or (b, sign) == (agent, -1)
            ]
            if beaten:
                yield f"{name} {verb} {_listed(beaten)}"
        for (a, b), sign in zip(self.pairs, signs, strict=True):
            if sign == 0:
                yield f"{names[a]} and {names[b]} are within {self.until.within:g}"
        unknown = int((signs == 2).sum())
        if unknown:
            what = "who wins" if self.until.goal == "dominance" else "who earns more"
            yield f"of {unknown} {'pair' if unknown == 1 else 'pairs'} it is not known {what}"


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _leads(table: pa.Table, pairs: tuple[tuple[int, int], ...], agents: int, field_mean: bool) -> np.ndarray:
    """What the first of each pair earns more in each deal, float64[deals, pairs].

    `field_mean`: from all its opponents on average, else half of the difference in their own games.
    """
    deal, pairing, agent, payoff = (column(table, name) for name in ("deal", "pairing", "agent", "payoff"))
    _, at = np.unique(deal, return_inverse=True)
    deals = int(at.max()) + 1
    cell = (at * len(pairs) + pairing) * agents + agent
    shape = (deals, len(pairs), agents)
    count = np.bincount(cell, minlength=deals * len(pairs) * agents)
    mean = (np.bincount(cell, payoff, minlength=len(count)) / np.maximum(count, 1)).reshape(shape)
    first, second = np.array(pairs).T
    if field_mean:
        score = mean.sum(axis=1) / (agents - 1)  # an agent has rows in the pairings that it plays alone
        return score[:, first] - score[:, second]
    own = np.arange(len(pairs))
    return (mean[:, own, first] - mean[:, own, second]) / 2


__all__ = ["GOALS", "LEVEL", "Sequence", "Until", "Watch"]
