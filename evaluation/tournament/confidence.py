"""Intervals that hold however often one looks: confidence sequences by betting, from sums of blocks alone.

Against the assumption that a mean is m one bets that the numbers lie above it: a number z of [-1/2, 1/2] multiplies the
capital by 1 + w (z - m), which on average gains nothing if m is the mean. With probability 1 - a the capital then never
reaches 1 / a (Ville's inequality), and every m against which it did is ruled out (Waudby-Smith and Ramdas, "Estimating
means of bounded random variables by betting", JRSS B 86, 2024). The capital itself falls as m grows: once it rules out
some m, it rules out all below.

The logarithm of a factor 1 + y is y - y^2 / 2 + y^3 / 3 - g(y) y^4, and g(y), the integral of t^3 / (1 + t y) over t
from 0 to 1, falls as y grows. Where at most q of the capital can be lost, it is therefore at least the same polynomial
with g(-q), and the sums of the first four powers of the numbers of a block suffice. (Fan, Grama and Liu, "Exponential
inequalities for martingales with applications", EJP 20, 2015, stop at the square, which pays for every number as if it
were the worst: bold bets on numbers that are mostly small would gain half as much.)

The weight w that gains most depends on when one hopes to know. Capital is split among bettors that hope for different
shares of the planned numbers (BETTORS); each takes the spread of the blocks before as that of the next one, so that
its weight depends on the past alone. Weights have a limit because a number may lie at the end of the range: where the
range is wide beside the spread, that limit decides. Against a mean of at most c - 1/2 a number loses at most w c, so
that a bettor who leaves larger means to others may bet more. The same bettors bet downwards with as much capital.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb

import numpy as np
import numpy.typing as npt

from .plan import TournamentError

Floats = npt.NDArray[np.float64]

# Of every bettor: the share of the planned numbers after which it hopes to know, and c. It bets on means up to c - 1/2.
BETTORS = ((1.0, 1.0), (0.3, 1.0), (0.1, 1.0), (1.0, 0.53), (0.3, 0.53), (0.1, 0.53))
MOST_LOST = 0.95  # of the capital by one number; less than 1, with which all could be lost
POWERS = 4  # of the numbers, whose sums tell the least that the capital can be
_PRIOR = 0.01  # the square of a first deviation, a tenth of the range
_HALVINGS = 50


@dataclass
class Sequence:
    """Confidence sequences of several means of numbers in `[-span, span]`, fed block by block.

    `planned` is how many numbers of each there may be, `error` that of each; `low` and `high` float64[count] are the
    intervals at the last look, which never widen; `n` int64[count] says on how many numbers each rests.
    """

    count: int
    span: float
    error: float
    planned: int
    low: Floats = field(init=False)
    high: Floats = field(init=False)
    n: npt.NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self.low, self.high = np.full(self.count, -self.span), np.full(self.count, self.span)
        self.n = np.zeros(self.count, dtype=np.int64)
        self._sum, self._squares = np.zeros(self.count), np.zeros(self.count)  # of the numbers scaled to [-1/2, 1/2]
        # [j, k] of every bettor: the sum of z^k times the factor of the power j of w (z - m), which is 0 for k > j.
        self._bets = np.zeros((POWERS + 1, POWERS + 1, len(BETTORS), self.count))

    @property
    def bound(self) -> float:
        """The logarithm of the capital with which a mean is ruled out on either side."""
        return float(np.log(2 / self.error))

    @property
    def mean(self) -> Floats:
        """Means of the numbers so far, 0 without any, float64[count]."""
        return 2 * self.span * self._sum / np.maximum(self.n, 1)

    @property
    def deviation(self) -> Floats:
        """Standard deviations of the numbers, as the next bets assume them, float64[count]; never 0."""
        return 2 * self.span * np.sqrt(self._variance())

    def _variance(self) -> Floats:
        spread = self._squares - self._sum**2 / np.maximum(self.n, 1)
        return np.where(self.n > 0, (_PRIOR + np.maximum(spread, 0.0)) / (self.n + 1), 0.25)

    def add(self, values: Floats, which: npt.NDArray[np.bool_] | None = None) -> None:
        """Take in a block, float64[numbers, count], of the means in the mask `which` (all without one).

        Raises TournamentError for numbers outside the span.
        """
        if not len(values):
            return
        chosen = np.ones(self.count, dtype=bool) if which is None else which
        largest = float(np.abs(values[:, chosen]).max(initial=0.0))
        if largest > self.span * (1 + 1e-9):
            raise TournamentError(
                f"a difference of {largest:g} is outside of what the game's payoffs allow, {self.span:g}: the payoff "
                "range that a rule module declares is too small, or a compiled agent chose what is not legal"
            )
        scaled = np.where(chosen, np.clip(values / (2 * self.span), -0.5, 0.5), 0.0)
        count = len(values) * chosen
        powers = np.array([count, *((scaled**k).sum(axis=0) for k in range(1, POWERS + 1))])
        for j, factor in enumerate(self._factors(), start=1):
            self._bets[j, : j + 1] += factor * powers[: j + 1, None]
        self._sum, self._squares, self.n = self._sum + powers[1], self._squares + powers[2], self.n + count

    def _factors(self) -> list[Floats]:
        """By what the powers of z - m are multiplied, from the first on, float64[bettors, count] each."""
        share, deepest = (column[:, None] for column in np.array(BETTORS).T)
        hoped = np.maximum(share * self.planned, 1.0)
        weight = np.minimum(np.sqrt(2 * self.bound / (hoped * self._variance())), MOST_LOST / deepest)
        lost = weight * deepest
        exact = range(1, POWERS)  # powers that the logarithm has, too
        tail = -np.log1p(-lost) - sum(lost**j / j for j in exact)
        return [*(-((-weight) ** j) / j for j in exact), -tail / deepest**POWERS]

    def look(self) -> None:
        """Bring the intervals up to date."""
        self.low = np.maximum(self.low, 2 * self.span * self._ruled_out(1))
        self.high = np.minimum(self.high, -2 * self.span * self._ruled_out(-1))

    def narrow(self, low: Floats, high: Floats, which: npt.NDArray[np.bool_]) -> None:
        """Cut the intervals in the mask `which` by others that hold with an error of their own, float64[count] each."""
        self.low = np.where(which, np.maximum(self.low, low), self.low)
        self.high = np.where(which, np.minimum(self.high, high), self.high)

    def _ruled_out(self, side: int) -> Floats:
        """A mean up to which all are ruled out, of the scaled numbers times `side`, float64[count]; -1/2 if none is."""
        terms = [
            sum((-1) ** i * comb(j, i) * side ** (j - i) * self._bets[j, j - i] for j in range(max(i, 1), POWERS + 1))
            for i in range(POWERS + 1)
        ]  # of the powers of m
        low, high = np.full(self.count, -0.5), np.full(self.count, 0.5)
        upto = np.array(BETTORS)[:, 1:] - 0.5
        for _ in range(_HALVINGS):
            m = (low + high) / 2
            capital = np.where(m <= upto, sum(term * m**i for i, term in enumerate(terms)), -np.inf)
            out = np.logaddexp.reduce(capital, axis=0) - np.log(len(BETTORS)) >= self.bound
            low, high = np.where(out, m, low), np.where(out, high, m)
        return low

    def reach(self) -> Floats:
        """How far about from 0 a mean must be to be told from it once all planned numbers are there, float64[count].

        By the bettor that hopes for all of them, with its share of the capital, if the deviation is what it seems; and
        not nearer than the largest bet allows.
        """
        gain = self.bound + np.log(len(BETTORS))
        needed = (gain + self.bound) / np.sqrt(2 * self.bound) * self.deviation / np.sqrt(self.planned)
        boldest = MOST_LOST / min(deepest for _, deepest in BETTORS)
        return np.maximum(needed, gain / (self.planned * boldest) * 2 * self.span)

    def to_come(self) -> Floats:
        """The standard deviation of how far the means may still move until all planned numbers are there."""
        left = np.maximum(1 / np.maximum(self.n, 1) - 1 / self.planned, 0.0)
        return self.deviation * np.sqrt(left)


__all__ = ["BETTORS", "MOST_LOST", "POWERS", "Sequence"]
