"""Compiled loops of lessons: decisions as lists, what a policy would do in them, the step towards what is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..agents.net_layout import ACTIONS, CHANCES, D_LOGITS, TOGETHER, WORDS
from ..envs.core.abi import address_of, call_kernel, zero_bytes
from ..envs.core.jit import driver
from ..envs.core.memory import get, get_index, put
from ..envs.core.rows import list_unequal
from .native_kernel import decide, look_at, parted, show_decision, teach_usual


class Lists(NamedTuple):
    """m decisions to learn from: what of `native_kernel.Decisions` says which they are."""

    index: Any
    values: Any
    starts: Any
    observed: Any
    totals: Any
    answers: Any

    def some(self, rows: np.ndarray) -> Lists:
        """Some of the decisions, int64[.], in the same memory."""
        return Lists(
            self.index, self.values, self.starts[rows], self.observed[rows], self.totals[rows], self.answers[rows]
        )


def joined(parts: Sequence[Lists]) -> Lists:
    """The decisions of several lists, one behind the other."""
    behind = np.cumsum([0, *(len(part.index) for part in parts[:-1])])
    columns = [np.concatenate(column) for column in zip(*parts)]
    columns[2] = np.concatenate([part.starts + at for part, at in zip(parts, behind)])
    return Lists(*columns)


@driver(allocates=False)
def list_inputs(observations, masks, usual, lists, first, used):
    """List decisions from the `first` on, behind `used` numbers, while there is room; the next one, and what is used.

    `observations` float32[m, L] are 0 afterwards, `masks` float32[m, A].
    """
    length, actions = observations.shape[1], masks.shape[1]
    for i in range(first, len(observations)):
        if used + length + actions > len(lists.index):
            return i, used
        at = address_of(observations) + 4 * length * i
        index, values = address_of(lists.index) + 4 * used, address_of(lists.values) + 4 * used
        found = list_unequal(at, address_of(usual), length, index, values=values)
        lists.starts[i], lists.observed[i] = used, found
        for a in range(actions):
            if masks[i, a] > 0.5:
                lists.index[used + found], lists.values[used + found] = length + a, 1.0
                found += 1
        lists.totals[i] = found
        used += found
    return len(observations), used


@parted
def chances_in(nets, lists, out, work):
    """Write the policy's chances of all actions in some decisions, float32[m, A]; `out` is 0 before."""
    for begin in range(0, len(out), TOGETHER):
        many = min(TOGETHER, len(out) - begin)
        for j in range(many):
            show_decision(lists, begin + j, work, j)
        look_at(nets, nets.actor_weights, nets.actor, work, many=many)
        for j in range(many):
            n = decide(nets, nets.actor_weights, nets.actor, work, j=j)
            for i in range(n):
                out[begin + j, get_index(work[j, ACTIONS], i)] = get(work[j, CHANCES], i)


@parted
def go_towards(nets, lists, goals, order, grads, work):
    """The gradient of the mean cross entropy of `goals`, float32[., A], in decisions `order`, written to `grads`.

    How much of the chances is right, summed up: 1 less the distance (in total variation) for each decision.
    """
    zero_bytes(address_of(grads), 4 * len(grads))
    at, memory, m = address_of(grads), address_of(work), len(order)
    share, right = np.float32(1.0 / m), 0.0
    for begin in range(0, m, TOGETHER):
        many = min(TOGETHER, m - begin)
        for j in range(many):
            show_decision(lists, order[begin + j], work, j)
        look_at(nets, nets.actor_weights, nets.actor, work, many=many)
        for j in range(many):
            d = order[begin + j]
            n = decide(nets, nets.actor_weights, nets.actor, work, j=j)
            for i in range(n):
                chance, wanted = get(work[j, CHANCES], i), goals[d, get_index(work[j, ACTIONS], i)]
                right += min(chance, wanted)
                put(work[j, D_LOGITS], i, (chance - wanted) * share)
            call_kernel(nets.backward, nets.actor_weights, nets.actor_turned, at, nets.actor, memory + 8 * WORDS * j, 0)
        call_kernel(nets.settle, nets.actor_turned, at, nets.actor, memory, many, 0)
    teach_usual(nets, at, nets.actor)
    return right


__all__ = ["Lists", "chances_in", "go_towards", "joined", "list_inputs"]
