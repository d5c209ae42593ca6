"""Compiled tests of a decision: whether it is about the module under test (see `Marking` in `branch_data`)."""

from __future__ import annotations

from ...envs.core.abi import int64_at
from ...envs.core.jit import driver
from .guided_kernel import count_of


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


__all__ = ["has_a_say", "is_marked", "of_interest", "phase_of"]
