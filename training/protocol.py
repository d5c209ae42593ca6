"""The seam between a training and its learner: what `selfplay.SelfPlay` asks for, and nothing else.

A learner is made as `maker(config, blueprint, tables, league, device)`, of the type `Maker`; `native.NativeLearner` and
`learner.TorchLearner` are two, and `learners.py` knows them by name. It gets tables at which nobody has sat down yet,
and a league without a current policy. In every `update` it

1. tells the league its current policy (`League.set_current`), which then plays for `self`,
2. begins the games (`Tables.reset`) if they have not begun (`Tables.begun`), and else goes on where they are,
3. makes `config.steps` decisions at every table,
4. learns from them, with `coefficients` for what changes in the course of a training and `config` for all else,
5. moves the average policy, which is the anchor of the loss and what is kept in the end, but for `values_only`,
6. offers the policy to the league (`League.offer`) every `config.offer_every` updates.

It draws random numbers from `config.seed` alone and leaves the global generators of numpy and torch as they are. Its
`state()` is all that a checkpoint keeps of it; the tables and the league keep theirs. Weights cross the seam as arrays,
named as in `Blueprint.shapes`, and no network does, so that a learner need not know torch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from ..agents.policy_net import Blueprint
from ..envs.core.errors import ProbespielError
from .config import TrainConfig
from .league import League
from .tables import Tables

if TYPE_CHECKING:
    import torch as th


class Diverged(ProbespielError):
    """Losses or gradients that are no numbers any more; the text says what to do."""


def diverged(config: TrainConfig, decisions: int, what: str) -> Diverged:
    """The error for a training in which `what` is not finite after so many decisions."""
    return Diverged(
        f"the training diverged after {decisions:,} decisions: {what}; go back to the last checkpoint, or begin anew "
        f"with a lower learning_rate ({config.learning_rate:g}) or gradient_limit ({config.gradient_limit:g})"
    )


class Coefficients(NamedTuple):
    """What changes in the course of a training; all else stands in its settings."""

    learning_rate: float
    entropy: float
    even: float
    values_only: bool = False  # leave the policy as it is


class Learner(Protocol):
    """What a training needs of its learner."""

    @property
    def updates(self) -> int:
        """Updates so far."""
        ...

    @property
    def decisions(self) -> int:
        """Decisions learnt from so far."""
        ...

    def update(self, coefficients: Coefficients) -> dict[str, float]:
        """Play, learn, move the average and the league on; what was measured, as `train/<name>` and `play/<name>`.

        May raise Diverged.
        """
        ...

    def weights(self) -> dict[str, np.ndarray]:
        """The weights of the current policy, float32 copies."""
        ...

    def average(self) -> dict[str, np.ndarray]:
        """The weights of the average policy, float32 copies."""
        ...

    def adopt(self, weights: Mapping[str, np.ndarray]) -> None:
        """Go on with this policy; the average begins anew with it."""
        ...

    def state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and plain values that going on exactly needs, besides tables and league."""
        ...

    def load(self, arrays: Mapping[str, np.ndarray], values: Mapping[str, Any]) -> None:
        """Go on from `state()`; raises one of the usual errors of Python or torch where it does not fit."""
        ...


Maker = Callable[[TrainConfig, Blueprint, Tables, League, "th.device"], Learner]

__all__ = ["Coefficients", "Diverged", "Learner", "Maker", "diverged"]
