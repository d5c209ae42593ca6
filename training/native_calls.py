"""The passes of the native learner's networks, and answers of whole policies, as C functions by their address.

Loops over many decisions call them so and need not compile them anew; rules and tables, which know no network, call
answers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..agents.net_calls import address_of_part
from ..agents.net_layout import ACTIONS, ANSWERS, CHANCES, INDEX, SHOWN, TOGETHER, TOTAL, VALUES, WORDS
from ..agents.net_pass import drawn, forward, look
from ..envs.core.abi import call_kernel, uint64_at
from ..envs.core.memory import get_index, get_word, put_word
from ..envs.core.rng import rand_float
from ..envs.core.vec_drivers import Questions
from .native_backward import backward, settle

# memory of `reply`: both parts of a pass, a layout, policies and the bytes of one, working memory; addresses of lists
# and their lengths in bytes, of sizes; of opponents, seeds, actions
LOOK, PASS, LAYOUT, POLICIES, POLICY, WORK, INDEXES, LISTED, ENTRIES, SIZES, WHICH, SEEDS, CHOSEN = range(13)


def reply(memory, m, a, b, c, d):
    """Let policies answer m questions; see `vec_drivers.Replies`. `a` to `d` are not used. Always 0.

    Those that are put to the same policy are looked at together; who was answered is struck off the list.
    """
    work, net = get_word(memory, WORK), get_word(memory, LAYOUT)
    sizes, which = get_word(memory, SIZES), get_word(memory, WHICH)
    for first in range(m):
        policy = get_word(which, first)
        if policy < 0:
            continue
        weights = get_word(memory, POLICIES) + get_word(memory, POLICY) * policy
        many = 0
        for r in range(first, m):
            if get_word(which, r) == policy and many < TOGETHER:
                one = work + 8 * WORDS * many
                put_word(one, SHOWN, get_word(sizes, 2 * r))
                put_word(one, TOTAL, get_word(sizes, 2 * r + 1))
                put_word(one, INDEX, get_word(memory, INDEXES) + r * get_word(memory, ENTRIES))
                put_word(one, VALUES, get_word(memory, LISTED) + r * get_word(memory, ENTRIES))
                put_word(one, ANSWERS, r)  # no advisers are heard here
                put_word(which, r, -1)
                many += 1
        call_kernel(get_word(memory, LOOK), weights, net, work, many, 0, 0)
        for j in range(many):
            one = work + 8 * WORDS * j
            r = get_word(one, ANSWERS)
            n = call_kernel(get_word(memory, PASS), weights, net, one, 0, 0, 0)
            choice = drawn(get_word(one, CHANCES), n, rand_float(uint64_at(get_word(memory, SEEDS) + 8 * r, 1)))
            put_word(get_word(memory, CHOSEN), r, get_index(get_word(one, ACTIONS), choice))
    return 0


def reply_memory(
    layout: int, policies: tuple[int, int], work: np.ndarray, room: Questions, which: np.ndarray,
    actions: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """The memory of `reply` for a room: int64[13], which must live as long as the arrays that it names.

    `policies` are the address of weights float32[k, size] and the bytes of a row; `work` int64[...] is that of
    `net_layout.Work`.
    """
    rows = room.rows
    lists = rows.index.ctypes.data, rows.values.ctypes.data, 4 * rows.index.shape[1], rows.sizes.ctypes.data
    answers = which.ctypes.data, room.seeds.ctypes.data, actions.ctypes.data
    made = passes()
    return np.array([made.look, made.forward, layout, *policies, work.ctypes.data, *lists, *answers], np.int64)


class Passes(NamedTuple):
    """Addresses of compiled functions: the parts of a pass forwards, those of one backwards, answers."""

    look: int
    forward: int
    backward: int
    settle: int
    reply: int


def passes() -> Passes:
    """The passes, compiled when they are first asked for."""
    return Passes(*map(address_of_part, (look, forward, backward, settle, reply)))


__all__ = ["Passes", "passes", "reply", "reply_memory"]
