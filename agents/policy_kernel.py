"""A trained policy as a compiled one, for every rule set at once: what games that are only imagined are played by.

Chances are float32 where those of `policy_net` are float64, and dice fall otherwise: moves that count are never made
by it, for they must be the same on every machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..envs.core.abi import KEY as STATE_KEY
from ..envs.core.abi import LEGAL, call_kernel, float64_at, int64_at, lowest_bit, uint64_at
from ..envs.core.jit import driver
from ..envs.core.memory import get, get_index, get_word, put, put_index, put_word
from ..envs.core.rng import rand_float
from ..envs.core.rows import list_nonzero
from .fitted_kernel import see
from .net_layout import ACTIONS, ANSWERS, CHANCES, INDEX, LOGITS, SHOWN, TOTAL, VALUES
from .net_pass import drawn

# Words of a block: both parts of a pass, layout and weights of the network, its working memory; the size of an
# observation, where it is seen (float32), which of the inputs are listed (int32) and their values (float32); where
# the legal set stands and its words; advisers, pairs (address, which) of them and their answers (int32); a generator
# (uint64) for them; the temperature (float64).
LOOK, PASS, LAYOUT, WEIGHTS, WORK, SIZE, SEEN, LISTED, LISTED_VALUES = range(9)
LEGAL_AT, N_WORDS, ADVISERS, CALLED, ADVICE, DICE, HEAT, WORDS = range(9, 17)


@driver(allocates=False)
def list_legal(index, values, begin, size, legal, n_words):
    """Write the legal actions behind the `begin` inputs that are listed at addresses; how many inputs that makes."""
    total = begin
    for i in range(n_words):
        bits = get_word(legal, i)
        while bits:
            put_index(index, total, size + 32 * i + lowest_bit(bits))
            put(values, total, np.float32(1.0))
            bits &= bits - 1
            total += 1
    return total


@driver(allocates=False)
def heat(logits, chances, n, temperature):
    """Replace n chances at an address by those at another temperature above 0, as shares of the largest one."""
    highest = get(logits, 0)
    for i in range(1, n):
        highest = max(highest, get(logits, i))
    for i in range(n):
        put(chances, i, np.float32(np.exp(np.float64(get(logits, i) - highest) / temperature)))


@driver(allocates=False)
def likeliest(logits, n):
    """The first position of the largest of n logits at an address."""
    best = 0
    for i in range(1, n):
        if get(logits, i) > get(logits, best):
            best = i
    return best


@driver
def decide(w: Any, s: int, p: int, seat: int, k: int, rng: int) -> int:
    """The action of the trained policy of a block `w` int64[WORDS]; -1: an adviser failed."""
    size, index, values, work = w[SIZE], w[LISTED], w[LISTED_VALUES], w[WORK]
    see(k, 0, s, p, seat=seat, size=size, seen=w[SEEN])
    shown = list_nonzero(w[SEEN], size, index, values=values)
    call_kernel(k, LEGAL, s, p, seat, 0, w[LEGAL_AT])
    total = list_legal(index, values, shown, size, legal=w[LEGAL_AT], n_words=w[N_WORDS])
    if total - shown <= 1:
        return get_index(index, shown) - size if total > shown else -1
    dice = uint64_at(w[DICE], 1)
    for j in range(w[ADVISERS]):
        dice[0] = call_kernel(k, STATE_KEY, s, p, seat, 0, 0)  # what they say depends on what the seat knows alone
        said = call_kernel(get_word(w[CALLED], 2 * j), get_word(w[CALLED], 2 * j + 1), s, p, seat, k, w[DICE])
        if said < 0:
            return -1
        put_index(w[ADVICE], j, said)
    put_word(work, SHOWN, shown)
    put_word(work, TOTAL, total)
    put_word(work, INDEX, index)
    put_word(work, VALUES, values)
    put_word(work, ANSWERS, w[ADVICE])
    call_kernel(w[LOOK], w[WEIGHTS], w[LAYOUT], work, 1, 0, 0)
    n = call_kernel(w[PASS], w[WEIGHTS], w[LAYOUT], work, 0, 0, 0)
    temperature = float64_at(w[HEAT], 1)[0]
    if temperature == 0.0:
        return get_index(get_word(work, ACTIONS), likeliest(get_word(work, LOGITS), n))
    if temperature != 1.0:
        heat(get_word(work, LOGITS), get_word(work, CHANCES), n, temperature=temperature)
    return get_index(get_word(work, ACTIONS), drawn(get_word(work, CHANCES), n, rand_float(uint64_at(rng, 1))))


def learned(which, s, p, seat, k, rng):
    """The action of the trained policy whose block is at `which`, called as a `NativePolicy`; -1: an adviser failed."""
    return decide(int64_at(which, WORDS), s, p, seat=seat, k=k, rng=rng)


__all__ = ["learned"]
