"""Compiled tests of a decision: whether it is about the module under test (see `Marking`), and hashes of positions."""

from __future__ import annotations

import numpy as np

from ...envs.core.abi import address_of, int64_at
from ...envs.core.jit import driver
from ...envs.core.rng import mix
from .guided_kernel import count_of

PLACE = 0x706C6163  # a tag that keeps hashes of positions apart from other uses of `mix`


@driver
def phase_of(s, marking):
    """The phase of the record at address `s`."""
    return int64_at(s + marking.phase_at, 1)[0]


@driver
def is_marked(phase, marking):
    """Whether a phase is one of the module's."""
    return 0 <= phase < len(marking.phases) and marking.phases[phase] != 0


@driver
def has_a_say(phase, words, marking):
    """Whether a decision is about the module: it is asked in one of its phases, or one of its actions is legal."""
    for w in range(len(words)):
        if words[w] & marking.marked[w]:
            return True
    return is_marked(phase, marking)


@driver
def of_interest(s, words, branching):
    """Whether a decision, of the legal set `words` in the record at address `s`, is one that `branching` looks at."""
    if count_of(words) < 2:
        return False
    return not branching.only_marked or has_a_say(phase_of(s, branching.marking), words, branching.marking)


@driver
def position_hash(s, keep):
    """Hash of the bytes of a record that make up the position."""
    h = np.int64(PLACE)
    n = len(keep) // 8
    words = int64_at(s, n)
    masks = int64_at(address_of(keep), n)
    for i in range(n):
        h = mix(h, words[i] & masks[i])
    return h


__all__ = ["has_a_say", "is_marked", "of_interest", "phase_of", "position_hash"]
