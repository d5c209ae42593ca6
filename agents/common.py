"""Baselines of every system."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..envs.core.abi import call_kernel, lowest_bit
from ..envs.core.batch import random_legal
from ..envs.core.entry import legal, legal_now
from ..envs.core.jit import kernel
from .declaration import Baseline

WORDS = 1  # words of a legal-action set (bound by the build)


@kernel
def random(s: Any, p: Any, seat: int, rng: Any) -> int:
    """A uniform legal action."""
    words = np.zeros(WORDS, np.int64)
    legal(s, p, seat, words)
    return random_legal(words, rng)


@kernel
def first(s: Any, p: Any, seat: int, rng: Any) -> int:
    """The legal action with the lowest id."""
    words = np.zeros(WORDS, np.int64)
    legal(s, p, seat, words)
    for w in range(WORDS):
        if words[w] != 0:
            return 32 * w + lowest_bit(words[w])
    return -1


@kernel
def reply(s: Any, p: Any, seat: int, rng: Any) -> int:
    """What all baselines answer to a module that asks beside the rules: anything that is possible."""
    words = np.zeros(WORDS, np.int64)
    legal_now(s, p, seat, words)
    return random_legal(words, rng)


@kernel
def another(function: int, which: int, s: int, p: int, seat: int, k: int, rng: int) -> int:
    """A policy that is none of the system's baselines: what stands at an address answers."""
    return call_kernel(function, which, s, p, seat, k, rng)


BASELINES = {
    "random": Baseline(random, "a uniform legal action"),
    "first": Baseline(first, "the legal action with the lowest id"),
}
