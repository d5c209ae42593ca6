"""Nim with a die: it says how many stones lie there, the seats take one or two in turn, who takes the last wins."""

from __future__ import annotations

from typing import Any

import numpy as np

from probespiel.envs.core.jit import kernel
from probespiel.envs.core.rng import mix

PLAYERS = 2
FIRST, FACES = 3, 3  # 3, 4 or 5 stones
STATE = np.dtype(
    [
        ("stones", "i8"),  # 0 before the die
        ("turn", "i8"),
        ("winner", "i8"),  # seat + 1
        ("ask_phase", "i8"),
        ("n_events", "i8"),
        ("events", "i8", (1,)),
    ]
)
PARAMS = np.dtype([("unused", "i8")])


@kernel
def die(s: Any, p: Any) -> int:
    """How many stones."""
    return FACES if s.stones == 0 and s.winner == 0 else 0


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """They lie there."""
    s.stones = FIRST + outcome


@kernel
def to_act(s: Any, p: Any) -> int:
    """One after the other."""
    return 1 << (s.turn & 1) if s.stones else 0


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """One stone, or two if there are as many."""
    words[0] = 3 if s.stones > 1 else 1


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Take them."""
    s.stones -= action + 1
    s.turn += 1
    if s.stones == 0:
        s.winner = seat + 1


@kernel
def over(s: Any, p: Any) -> int:
    """The last one is taken."""
    return 1 if s.winner else 0


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """1 for the winner, -1 for the other."""
    if s.winner:
        out[s.winner - 1] = 1.0
        out[2 - s.winner] = -1.0


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """The stones."""
    out[0] = s.stones
    return 1


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Nothing is hidden."""


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """The position."""
    return mix(mix(s.stones, s.turn & 1), s.winner)
