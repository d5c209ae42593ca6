"""Clash: rounds of rock, paper, scissors by all seats at once, a die, and sometimes a question to a single seat.

Every shape that an adapter meets: simultaneous and sequential decisions, dice between them, payoffs in the middle of a
game, forced moves, sides of several seats, and a safety limit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from probespiel.envs.core.jit import kernel
from probespiel.envs.core.rng import mix

N = 2  # seats, bound by build
STAY, BOW = 3, 4

MAX_SEATS = 4


def state_dtype(seats: int) -> np.dtype:
    """The state record for a number of seats."""
    return np.dtype(
        [
            ("turn", "i8"),  # rounds played
            ("ask_phase", "i8"),  # 0 throw, 1 bow
            ("bits", "i8"),  # seats that owe a decision
            ("due", "i8"),  # a die is due
            ("decisions", "i8"),
            ("choice", "i8", (seats,)),  # sealed: 0 none, else the action + 1
            ("last", "i8", (seats,)),  # revealed: 0 none, else the action + 1
            ("payoff", "f8", (seats,)),
            ("n_events", "i8"),
            ("events", "i8", (8,)),
            ("public", "i8"),
        ]
    )


PARAMS = np.dtype(
    [("rounds", "i8"), ("limit", "i8"), ("broken", "i8"), ("bows", "i8"), ("rock", "f8"), ("side", "i8", (MAX_SEATS,))]
)


@kernel
def setup(s: Any, p: Any) -> None:
    """All throw."""
    s.bits = (1 << N) - 1


@kernel
def die(s: Any, p: Any) -> int:
    """Two faces after every round, if seats may be asked to bow."""
    return 2 if s.due else 0


@kernel
def next_round(s: Any, p: Any) -> None:
    """Ask all again, or nobody."""
    s.turn += 1
    s.ask_phase = 0
    s.bits = (1 << N) - 1 if s.turn < p.rounds else 0


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """1: one seat is asked to bow; 0: the next round."""
    s.n_events = 0
    s.due = 0
    s.public = mix(s.public, outcome + 100)
    if outcome == 1:
        s.ask_phase = 1
        s.bits = 1 << (s.turn % N)
    else:
        next_round(s, p)


@kernel
def stopped(s: Any, p: Any) -> bool:
    """The safety limit of decisions."""
    return s.decisions >= p.limit


@kernel
def to_act(s: Any, p: Any) -> int:
    """The seats of the open question."""
    return 0 if s.due or stopped(s, p) else s.bits


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """No rock twice in a row; in the last round nobody may bow; from round `broken` on nothing is legal."""
    if s.turn >= p.broken:
        return
    if s.ask_phase == 1:
        words[0] = 1 << STAY
        if s.turn + 1 < p.rounds:
            words[0] |= 1 << BOW
    else:
        words[0] = 6 if s.last[seat] == 1 else 7


@kernel
def beats(a: int, b: int) -> bool:
    """Paper rock, scissors paper, rock scissors."""
    return (a - b) % 3 == 1


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Seal a throw, reveal when all are in; or stay or bow."""
    s.decisions += 1
    s.n_events = 0
    s.bits &= ~(1 << seat)
    if s.ask_phase == 1:
        if action == BOW:
            s.payoff[seat] -= 1.0
            s.payoff[(seat + 1) % N] += 1.0
        s.public = mix(s.public, action + 1)
        next_round(s, p)
        return
    s.choice[seat] = action + 1
    if s.bits:
        return
    for i in range(N):
        s.last[i] = s.choice[i]
        s.choice[i] = 0
        s.public = mix(s.public, s.last[i])
    for i in range(N):
        for j in range(N):
            if p.side[i] != p.side[j] and beats(s.last[i] - 1, s.last[j] - 1):
                stake = p.rock if s.last[i] == 1 else 1.0
                s.payoff[i] += stake
                s.payoff[j] -= stake
    s.events[0] = s.turn
    s.n_events = 1
    if p.bows:
        s.due = 1
    else:
        next_round(s, p)


@kernel
def over(s: Any, p: Any) -> int:
    """Ended after the last round, stopped by the limit."""
    if s.turn >= p.rounds and s.bits == 0 and s.due == 0:
        return 1
    return 2 if stopped(s, p) and s.due == 0 else 0


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """What the throws won so far."""
    for i in range(N):
        out[i] = s.payoff[i]


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Phase (2), round, own seat (N), own sealed throw (4), last throws (N x 4), payoff so far (N)."""
    out[s.ask_phase] = 1.0
    out[2] = s.turn
    out[3 + seat] = 1.0
    out[3 + N + s.choice[seat]] = 1.0
    for i in range(N):
        out[7 + N + 4 * i + s.last[i]] = 1.0
        out[7 + 5 * N + i] = s.payoff[i]
    return 7 + 6 * N


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Open the sealed throws of the others again."""
    s.n_events = 0
    for i in range(N):
        if i != seat and s.choice[i]:
            s.choice[i] = 0
            s.bits |= 1 << i
            s.decisions -= 1


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """All that was public, and the own sealed throw."""
    return mix(mix(s.public, seat + 1), s.choice[seat] + 10)
