"""Compiled memory of a course of learning: decisions that were branched are kept, and learned from again."""

from __future__ import annotations

import numpy as np

from ...envs.core.abi import float32_at, float64_at
from ...envs.core.jit import driver
from ...envs.core.rng import rand_below
from .value_kernel import LENGTH, RATE, SEEN, learn, look_back


@driver
def keep(memory, before, net, words, targets):
    """Write the decision that the network looks at, and what its actions lead to, over the oldest, if there is room.

    `before`: decisions that were written so far.
    """
    if len(memory.seen) == 0:
        return
    row = before % len(memory.seen)
    seen = float32_at(net[SEEN], net[LENGTH])
    for i in range(len(seen)):
        memory.seen[row, i] = seen[i]
    for w in range(len(words)):
        memory.words[row, w] = words[w]
    for action in range(len(targets)):
        memory.targets[row, action] = targets[action]


@driver
def reread(course, written, net):
    """Learn again from what was kept of `written` decisions, in ever other orders: what is rare takes longer."""
    memory, rate = course.memory, course.rate
    rows = min(written, len(memory.seen))
    if rows == 0:
        return
    order = np.arange(rows)
    turns = min(memory.turns, max(1, memory.again // rows))
    for turn in range(turns):
        for at in range(rows - 1, 0, -1):
            other = rand_below(course.rng, at + 1)
            order[at], order[other] = order[other], order[at]
        float64_at(net[RATE], 1)[0] = rate[0] + (rate[1] - rate[0]) * (turn + 1) / turns
        for row in order:
            look_back(net, memory.seen[row], words=memory.words[row])
            learn(net, memory.words[row], memory.targets[row])


__all__ = ["keep", "reread"]
