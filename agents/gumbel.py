"""The root of a search by sequential halving over what a policy would do: what is tried, and for how long.

Gumbel search (Danihelka, Guez, Schrittwieser and Silver 2022, Policy improvement by planning with Gumbel): of all legal
actions those are tried that come first by Gumbel noise and the logarithm of the policy's chance, which is drawing from
the policy without replacement. Rounds of equal simulations for each halve them (Karnin, Koren and Somekh 2013), by the
same numbers and what was found of their values. Beyond the root the tree is searched as ever. With few simulations the
expected value of the answer is not below that of the policy, where UCB has not yet visited every action.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

MOST = 16  # actions that are tried at the root
FEWEST_VISITS, SCALE = 50.0, 0.1  # of the trust in values, as in Mctx (DeepMind's reference)
UNLIKELY = 1e-6  # chance that an action has at least, so that what a policy never does can still be found


def halving(sims: int, actions: int) -> list[tuple[int, int]]:
    """Rounds of sequential halving: (actions that are left, simulations of each); together at most `sims`.

    With fewer simulations than actions only as many are tried.
    """
    left, rounds = min(actions, sims), max(1, math.ceil(math.log2(max(1, min(actions, sims)))))
    out: list[tuple[int, int]] = []
    spent = 0
    for i in range(rounds):
        each = max(1, (sims - spent) // ((rounds - i) * left))
        if spent + each * left > sims:
            break
        out.append((left, each))
        spent += each * left
        left = max(2, -(-left // 2)) if left > 1 else 1
    return out


@dataclass
class Draw:
    """What is tried at the root: action ids, best first, with noise and logarithms of chances, float64[m] each."""

    actions: np.ndarray
    noise: np.ndarray
    logits: np.ndarray

    @classmethod
    def of(cls, legal: np.ndarray, chances: np.ndarray | None, seed: int, temperature: float) -> Draw:
        """Draw from the policy's `chances` float64[A] (None: all alike) at the `legal` ids int64[n].

        `temperature` is that of the noise: 0 takes the likeliest.
        """
        told = np.ones(len(legal)) if chances is None else np.maximum(chances[legal], UNLIKELY)
        logits = np.log(told / told.sum())
        noise = temperature * np.random.default_rng(seed).gumbel(size=len(legal))
        order = np.argsort(-(noise + logits), kind="stable")[:MOST]
        return cls(legal[order], noise[order], logits[order])

    def trust(self, visits: np.ndarray) -> float:
        """What a value from 0 to 1 weighs beside the logarithm of a chance, by the visits float64[m]."""
        return (FEWEST_VISITS + float(visits.max(initial=0.0))) * SCALE

    def ranked(self, visits: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Places in `actions`, best first, by noise, policy and values (from 0 to 1) of those that were visited."""
        score = self.noise + self.logits + self.trust(visits) * values
        return np.argsort(-np.where(visits > 0, score, -np.inf), kind="stable")

    def improved(self, visits: np.ndarray, values: np.ndarray) -> np.ndarray:
        """The policy improved by what was found, float64[m]: chances in proportion to exp(logit + trust * value).

        An action without a visit counts as the mean of the others, weighed by their visits.
        """
        total = visits.sum()
        mean = float(visits @ values) / total if total else 0.0
        told = self.logits + self.trust(visits) * np.where(visits > 0, values, mean)
        told = np.exp(told - told.max())
        return told / told.sum()


__all__ = ["Draw", "halving"]
