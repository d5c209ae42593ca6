"""Rock, paper, scissors with any payoffs, one or more rounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from probespiel.envs.core.jit import kernel
from probespiel.envs.core.rng import mix

ROUNDS = 4
PLAYERS = 2
STATE = np.dtype(
    [
        ("turn", "i8"),  # rounds finished
        ("sealed", "i8", (2,)),  # 0 not chosen, else choice + 1
        ("chosen", "i8", (ROUNDS, 2)),
        ("score", "f8"),
        ("public", "i8"),
        ("ask_phase", "i8"),
        ("n_events", "i8"),
        ("events", "i8", (1,)),
    ]
)
PARAMS = np.dtype([("rounds", "i8"), ("payoff", "f8", (3, 3))])


@kernel
def to_act(s: Any, p: Any) -> int:
    """Who has not chosen yet."""
    if s.turn >= p.rounds:
        return 0
    return (0 if s.sealed[0] else 1) | (0 if s.sealed[1] else 2)


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """All three."""
    words[0] = 7


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Seal a choice; when both are in, score."""
    s.sealed[seat] = action + 1
    if s.sealed[0] and s.sealed[1]:
        a = s.sealed[0] - 1
        b = s.sealed[1] - 1
        s.score += p.payoff[a, b]
        s.chosen[s.turn, 0] = a + 1
        s.chosen[s.turn, 1] = b + 1
        s.public = mix(s.public, 3 * a + b + 1)
        s.sealed[0] = 0
        s.sealed[1] = 0
        s.turn += 1


@kernel
def over(s: Any, p: Any) -> int:
    """All rounds played."""
    return 1 if s.turn >= p.rounds else 0


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """Zero-sum."""
    out[0] = s.score
    out[1] = -s.score


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Past rounds, own seat."""
    for i in range(s.turn):
        for j in range(2):
            out[6 * i + 3 * j + s.chosen[i, j] - 1] = 1.0
    out[6 * ROUNDS + seat] = 1.0
    return 6 * ROUNDS + 2


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """The other's sealed choice is made again."""
    s.sealed[1 - seat] = 0


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """Past rounds and the own sealed choice."""
    return mix(mix(s.public, s.sealed[seat]), seat + 1)
