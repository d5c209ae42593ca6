"""Intervals that hold however often one looks: confidence sequences by betting, from sums of blocks alone.

Against the assumption that a mean is m one bets that the numbers lie above it: a number z of [-1/2, 1/2] multiplies the
capital by 1 + w (z - m), which on average gains nothing if m is the mean. With probability 1 - a the capital then never
reaches 1 / a (Ville's inequality), and every m against which it did is ruled out (Waudby-Smith and Ramdas, "Estimating
means of bounded random variables by betting", JRSS B 86, 2024). For w in [0, 1) the logarithm of the factor is at
least w (z - m) - psi(w) (z - m)^2 with psi(w) = -ln(1 - w) - w (Fan, Grama and Liu, "Exponential inequalities for
martingales with applications", EJP 20, 2015), so that sums and sums of squares of a block suffice. The capital itself
falls as m grows: once it rules out some m, it rules out all below.

The weight w that gains most depends on when one hopes to know. Capital is split among bettors that hope for different
shares of the planned numbers (BETTORS); each takes the spread of the blocks before as that of the next one, so that
its weight depends on the past alone. Weights have a limit because a number may lie at the end of the range: where the
range is wide beside the spread, that limit decides. Against a mean of at most c - 1/2 a number loses at most w c, so
that a bettor who leaves larger means to others may bet more. The same bettors bet downwards with as much capital.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from .plan import TournamentError

Floats = npt.NDArray[np.float64]

# Of every bettor: the share of the planned numbers after which it hopes to know, and c. It bets on means up to c - 1/2.
BETTORS = ((1.0, 1.0), (0.3, 1.0), (0.1, 1.0), (0.1, 0.5625))
MOST_LOST = (0.8, 0.8, 0.8, 0.9)  # of the capital by one number; less than 1, with which all could be lost
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
        # Of every bettor: sums of w z, w, psi z^2, psi z and psi.
        self._bets = np.zeros((5, len(BETTORS), self.count))

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
        total, squares, count = scaled.sum(axis=0), (scaled**2).sum(axis=0), len(values) * chosen
        share, deepest = (column[:, None] for column in np.array(BETTORS).T)
        hoped = np.maximum(share * self.planned, 1.0)
        most = np.array(MOST_LOST)[:, None] / deepest
        weight = np.minimum(np.sqrt(2 * self.bound / (hoped * self._variance())), most)
        cost = (-np.log1p(-weight * deepest) - weight * deepest) / deepest**2
        self._bets += np.array([weight * total, weight * count, cost * squares, cost * total, cost * count])
        self._sum, self._squares, self.n = self._sum + total, self._squares + squares, self.n + count

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
        wz, w, czz, cz, c = self._bets
        low, high = np.full(self.count, -0.5), np.full(self.count, 0.5)
        upto = np.array(BETTORS)[:, 1:] - 0.5
        for _ in range(_HALVINGS):
            m = (low + high) / 2
            capital = side * wz - w * m - (czz - 2 * side * cz * m + c * m**2)
            capital = np.where(m <= upto, capital, -np.inf)
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
        boldest = max(lost / deepest for lost, (_, deepest) in zip(MOST_LOST, BETTORS, strict=True))
        return np.maximum(needed, gain / (self.planned * boldest) * 2 * self.span)

    def to_come(self) -> Floats:
        """The standard deviation of how far the means may still move until all planned numbers are there."""
        left = np.maximum(1 / np.maximum(self.n, 1) - 1 / self.planned, 0.0)
        return self.deviation * np.sqrt(left)


__all__ = ["BETTORS", "MOST_LOST", "Sequence"]
