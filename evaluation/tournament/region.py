"""What holds for every payoff matrix within simultaneous bounds, and is therefore as sure as the bounds are.

`low` and `high` (agents, agents) bound every margin M[i, j] at once: antisymmetric (high = -low.T), with a zero
diagonal, infinite where nothing is known. Whatever is true of all antisymmetric matrices between them is true of the
real one whenever the bounds are, no matter how many such statements are made.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .metagame import TOLERANCE, linear_program, maximin_many

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Region:
    """Simultaneous bounds of all margins, (agents, agents) each."""

    low: Floats
    high: Floats

    @property
    def known(self) -> bool:
        """Whether all bounds are finite."""
        return bool(np.isfinite(self.low).all())

    @property
    def tolerance(self) -> float:
        """Leads up to this are rounding."""
        return TOLERANCE * float(np.abs(self.low[np.isfinite(self.low)]).max(initial=0.0))

    def leads(self, i: int, k: int) -> Floats:
        """Lower bounds (agents,) of what i earns more than k does, against each opponent."""
        return self.low[i] - self.high[k]

    def dominator(self, k: int) -> tuple[Floats, float] | None:
        """The mixture (agents,) that is better than k against every strategy, and by how much at least.

        A single strategy where one does; None if nothing is shown to.
        """
        if not self.known:
            return None
        n = len(self.low)
        smallest = np.array([self.leads(i, k).min() if i != k else -np.inf for i in range(n)])
        if smallest.max() > self.tolerance:
            return np.eye(n)[smallest.argmax()], float(smallest.max())
        value, mixture = maximin_many((self.low - self.high[k])[None])
        return (mixture[0], float(value[0])) if value[0] > self.tolerance else None

    def best_answer_to(self, k: int) -> Floats | None:
        """A mixture of opponents (agents,) against which k is shown to be better than every other strategy, or None.

        If there is one, nothing dominates k, not even weakly: k stays the best answer when the mixture is moved a
        little towards all strategies (Pearce 1984, Rationalizable strategic behavior, lemma 4).
        """
        n = len(self.low)
        if not self.known or n == 1:
            return None
        others = [i for i in range(n) if i != k]
        behind = np.array([self.leads(k, i) for i in others])  # (others, opponents)
        sure = behind.min(axis=0)
        if sure.max() > self.tolerance:
            return np.eye(n)[sure.argmax()]
        if (behind.max(axis=1) <= self.tolerance).any():
            return None  # somebody whom it is shown to lead nowhere
        value, mixture = maximin_many(behind.T[None])
        return mixture[0] if value[0] > self.tolerance else None

    def most_gained(self, mixture: Floats) -> float:
        """What no strategy can gain more than, on average, against a mixture (agents,); 0 at least, maybe infinite."""
        used = mixture > 0
        return max(0.0, float(-(mixture[used] @ self.low[used]).min())) + 0.0

    def least_gained(self, mixture: Floats) -> float:
        """What the best strategy gains at least, on average, against a mixture (agents,); 0 at least."""
        used = mixture > 0
        return max(0.0, float(-(mixture[used] @ self.high[used]).min())) + 0.0

    def equilibrium_weights(self) -> tuple[Floats, Floats]:
        """Bounds (least, most), (agents,) each, of every strategy's weight in any equilibrium of any matrix within.

        A mixture x is an equilibrium of a symmetric zero-sum game if no column gains, x M >= 0; then x high >= 0, which
        leaves a polytope, whose extent in each direction a linear program finds.
        """
        n = len(self.low)
        least, most = np.zeros(n), np.ones(n)
        if not self.known or n == 1:
            return (least, most) if n > 1 else (most, most)
        scale = max(float(np.abs(self.high).max()), 1e-300)
        limits = {"A_ub": -self.high.T / scale, "b_ub": np.full(n, 1e-9), "A_eq": np.ones((1, n)), "b_eq": [1.0]}
        alone = np.all(self.high >= 0, axis=1)  # strategies that may be an equilibrium by themselves
        for k in range(n):
            unit = np.eye(n)[k]
            least[k] = 0.0 if bool(np.any(alone[unit == 0])) else linear_program(unit, **limits)[k]
            most[k] = 1.0 if alone[k] else linear_program(-unit, **limits)[k]
        return np.where(least > TOLERANCE, least, 0.0), np.where(most > TOLERANCE, np.minimum(most, 1.0), 0.0)
