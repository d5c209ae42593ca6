"""Hidden hands from one deck; in each round all play a card at once, and the higher wins a point from each lower."""

from __future__ import annotations

from typing import Any

import numpy as np

from probespiel.envs.core.jit import kernel
from probespiel.envs.core.rng import mix

PLAYERS = 2  # bound by the build
SEATS, DECK, ROUNDS = 4, 8, 4  # capacities
STATE = np.dtype(
    [
        ("hand", "i8", (SEATS,)),  # bit set of cards
        ("owed", "i8", (SEATS,)),  # cards still to be dealt
        ("start", "i8", (SEATS,)),  # all cards that a seat ever held
        ("sealed", "i8", (SEATS,)),  # card + 1
        ("played", "i8", (SEATS,)),  # bit set of cards
        ("turn", "i8"),
        ("score", "i8", (SEATS,)),
        ("public", "i8"),
        ("ask_phase", "i8"),
        ("n_events", "i8"),
        ("events", "i8", (1,)),
    ]
)
PARAMS = np.dtype([("hand", "i8"), ("deck", "i8")])


@kernel
def setup(s: Any, p: Any) -> None:
    """Cards are owed."""
    for i in range(PLAYERS):
        s.owed[i] = p.hand


@kernel
def used(s: Any) -> int:
    """Bit set of cards that are not in the deck."""
    out = 0
    for i in range(PLAYERS):
        out |= s.hand[i] | s.played[i]
    return out


@kernel
def die(s: Any, p: Any) -> int:
    """One of the cards left."""
    waiting = False
    for i in range(PLAYERS):
        if s.owed[i]:
            waiting = True
    if not waiting:
        return 0
    left = 0
    taken = used(s)
    for c in range(p.deck):
        if not (taken >> c) & 1:
            left += 1
    return left


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """Deal it to the first seat that is owed one."""
    seat = 0
    while s.owed[seat] == 0:
        seat += 1
    taken = used(s)
    for c in range(p.deck):
        if not (taken >> c) & 1:
            if outcome == 0:
                s.hand[seat] |= 1 << c
                s.start[seat] |= 1 << c
                s.owed[seat] -= 1
                return
            outcome -= 1


@kernel
def to_act(s: Any, p: Any) -> int:
    """Everybody who has not sealed a card."""
    bits = 0
    if s.turn < p.hand and die(s, p) == 0:
        for i in range(PLAYERS):
            if s.sealed[i] == 0:
                bits |= 1 << i
    return bits


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """The hand."""
    words[0] = s.hand[seat]


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Seal a card; when all are in, compare everybody with everybody."""
    s.sealed[seat] = action + 1
    for i in range(PLAYERS):
        if s.sealed[i] == 0:
            return
    for i in range(PLAYERS):
        for j in range(PLAYERS):
            if s.sealed[i] > s.sealed[j]:
                s.score[i] += 1
                s.score[j] -= 1
    for i in range(PLAYERS):
        card = s.sealed[i] - 1
        s.public = mix(s.public, card + 1)
        s.hand[i] ^= 1 << card
        s.played[i] |= 1 << card
        s.sealed[i] = 0
    s.turn += 1


@kernel
def over(s: Any, p: Any) -> int:
    """All cards played."""
    return 1 if s.turn >= p.hand else 0


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """Points."""
    for i in range(PLAYERS):
        out[i] = s.score[i]


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Own hand, and cards played."""
    for c in range(p.deck):
        out[c] = (s.hand[seat] >> c) & 1
        for i in range(PLAYERS):
            out[DECK * (1 + i) + c] = (s.played[i] >> c) & 1
    return DECK * (1 + PLAYERS)


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Hands of the others go back, and their sealed cards."""
    for i in range(PLAYERS):
        if i != seat:
            cards = s.hand[i]
            while cards:
                cards &= cards - 1
                s.owed[i] += 1
            s.hand[i] = 0
            s.start[i] = s.played[i]
            s.sealed[i] = 0


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """Cards held at any time, cards seen, the own sealed card."""
    return mix(mix(mix(s.start[seat], s.public), s.sealed[seat]), seat + 1)
