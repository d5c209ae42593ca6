"""Who learns in lessons: a policy that goes towards the chances that are wanted of it, without a framework.

As in the native learner, which it shares its passes and its step with, nothing is summed up that is known to be 0, and
nothing of actions that are not legal. The result depends on no number of threads: there is one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..agents.net_layout import Work, net_of, pack, unpack
from ..agents.policy_net import Blueprint
from ..agents.vectors import aligned
from .learner import ADAM_EPSILON
from .native_calls import passes
from .native_kernel import Nets, Span, expect_usual
from .native_step import Rates, adam, join_gradients, turn
from .protocol import Diverged
from .pupil_kernel import Lists, chances_in, go_towards, list_inputs

PASSES = 2  # over the decisions of a fit
BATCHES = 8  # of a pass
LEAST_BATCH = 64
LONGEST = 1.0  # gradient
SPARSE = 8  # of so many numbers one is not as usual, or fewer: room for lists at first


class Pupil:
    """A policy with these weights, and what its inputs usually are, float32[L] (see `usual.py`; None: 0).

    Inputs of decisions are float32[m, L + k + A]: observation, answers of the k advisers, mask of the legal actions.
    What stands at places `unread`, int64[.], of the observation means nothing to it.
    """

    def __init__(
        self, blueprint: Blueprint, weights: Mapping[str, np.ndarray], usual: np.ndarray | None = None,
        unread: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        self.blueprint, self.net = blueprint, net_of(blueprint, True)
        self.unread = np.zeros(0, np.int64) if unread is None else unread
        self.usual = np.zeros(blueprint.observation, np.float32) if usual is None else usual.astype(np.float32)
        self.usual[self.unread] = 0.0
        size = self.net.size
        self.vector, self.first, self.second = aligned(size), aligned(size), aligned(size)  # and Adam's moments
        self.gradient, self.turned = aligned(1, size), aligned(self.net.turned)
        self.steps = 0  # of Adam
        known = {name: np.array(weight, np.float32) for name, weight in weights.items()}
        known["trunk.weight"][:, self.unread] = 0.0
        pack(blueprint, self.net, known, self.vector)
        self.work = Work(self.net)
        self.work.expect(self.usual)
        self.which = np.flatnonzero(self.usual).astype(np.int32)
        self.values = np.ascontiguousarray(self.usual[self.which])
        layout, at, turned = (array.ctypes.data for array in (self.net.layout, self.vector, self.turned))
        self.nets = Nets(
            layout, layout, at, at, turned, turned, *passes()[:4], self.which.ctypes.data, self.values.ctypes.data,
            len(self.which), 0,
        )  # fmt: skip
        self._turn()

    def _turn(self) -> None:
        turn(self.nets.actor, self.nets.actor_weights, self.nets.actor_turned)
        expect_usual(self.nets, self.nets.actor_weights, self.nets.actor)

    def weights(self) -> dict[str, np.ndarray]:
        """The policy."""
        return unpack(self.blueprint, self.net, self.vector)

    def chances(self, lists: Lists) -> np.ndarray:
        """The chances of all actions in some decisions, float32[m, A]."""
        out = np.zeros((len(lists.starts), self.net.actions), np.float32)
        chances_in(self.nets, lists, out, work=self.work.at)
        return out

    def fit(self, lists: Lists, goals: np.ndarray, rate: float, rng: np.random.Generator) -> float:
        """Steps towards the chances `goals`, float32[m, A]; how much of those of the last batch is right, 0..1."""
        m, equal = len(goals), 0.0
        size = max(LEAST_BATCH, m // BATCHES)
        for _ in range(PASSES):
            order = rng.permutation(m)
            for begin in range(0, m, size):
                rows = np.sort(order[begin : begin + size])  # neighbours in memory are alike
                right = go_towards(self.nets, lists, goals, order=rows, grads=self.gradient[0], work=self.work.at)
                equal = float(right) / len(rows)
                self._step(rate)
        return equal

    def _step(self, rate: float) -> None:
        length = float(join_gradients(self.gradient, 0, self.net.size)) ** 0.5
        if not np.isfinite(length):  # the weights stay as they were
            raise Diverged(
                f"the lessons diverged: the gradient's length is {length}; take a lower learning_rate ({rate:g})"
            )
        self.steps += 1
        rates = Rates(
            rate / (1 - 0.9**self.steps), (1 - 0.999**self.steps) ** 0.5, ADAM_EPSILON,
            min(1.0, LONGEST / (length + 1e-6)),
        )  # fmt: skip
        span = Span(0, self.net.size)
        adam(self.vector, self.gradient[0], self.first, self.second, rates=rates, span=span)
        self._turn()

    def read(self, inputs: np.ndarray) -> np.ndarray:
        """What it reads of inputs, in a new array: what means nothing to it is 0."""
        out = np.array(inputs, np.float32, order="C")
        out[:, self.unread] = 0.0
        return out

    def listed(self, inputs: np.ndarray) -> Lists:
        """Decisions as lists of what is not as usual."""
        length, k, m = self.blueprint.observation, len(self.blueprint.advisers), len(inputs)
        observations = self.read(inputs[:, :length])
        masks = np.ascontiguousarray(inputs[:, length + k :], np.float32)
        starts, observed, totals = (np.zeros(m, np.int64) for _ in range(3))
        answers = np.ascontiguousarray(inputs[:, length : length + k]).astype(np.int32)
        room, done, used = (length + self.net.actions) * (1 + m // SPARSE), 0, 0
        index, values = np.empty(room, np.int32), np.empty(room, np.float32)
        while True:
            lists = Lists(index, values, starts, observed, totals, answers)
            done, used = list_inputs(observations, masks, self.usual, lists, first=done, used=used)
            if done == m:
                return lists._replace(index=index[:used].copy(), values=values[:used].copy())
            index, values = (np.concatenate([array, np.empty_like(array)]) for array in (index, values))


__all__ = ["Pupil"]
