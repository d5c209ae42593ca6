"""Kuhn poker: the smallest complete kernel, a pattern for new systems and a yardstick for learners (value -1/18)."""

from __future__ import annotations

from typing import Any

from ..core.fields import COUNT, HASH, REAL, WHOLE, Number, Size, number, span
from ..core.jit import kernel
from ..core.rng import mix
from . import hooks

SEAT = Size(2, "seat")
STATE: list[Number] = [
    number("card", span(-1, 2), "0 jack, 1 queen, 2 king, -1 not dealt", (SEAT,)),
    number("dealt", span(0, 2), "seats that have their card"),
    number("turn", span(0, 3), "moves made"),
    number("moves", span(0, 1), "0 pass, 1 bet", (Size(3, "turn"),)),
    number("ask_phase", COUNT, "phase of the question"),
    number("n_events", COUNT, "events of the last step"),
    number("events", WHOLE, "the events, packed", (Size(4, "event"),)),
    number("private", HASH, "rolling hash of what a seat alone has seen", (SEAT,)),
    number("public", HASH, "what everybody has seen"),
]
PARAMS: list[Number] = [
    number("ante", REAL, "what each seat pays before the deal"),
    number("bet", REAL, "what a bet adds"),
]


@kernel
def setup(s: Any, p: Any) -> None:
    """Nobody has a card yet."""
    s.card[0] = -1
    s.card[1] = -1


@kernel
def die(s: Any, p: Any) -> int:
    """A card for the next seat without one: one of the 3, then of the 2 left."""
    return 3 - s.dealt if s.dealt < 2 else 0


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """Deal the outcome-th card left to the next seat without one."""
    s.n_events = 0
    seat = 0 if s.card[0] < 0 else 1
    other = s.card[1 - seat]
    card = outcome
    if other >= 0 and card >= other:
        card += 1
    s.card[seat] = card
    s.private[seat] = mix(s.private[seat], card + 1)
    s.dealt += 1


@kernel
def finished(s: Any) -> bool:
    """Pass pass, bet pass, bet bet, pass bet pass, pass bet bet."""
    if s.turn < 2:
        return False
    return s.turn == 3 or s.moves[0] == 1 or s.moves[1] == 0


@kernel
def to_act(s: Any, p: Any) -> int:
    """Seat 0, seat 1, seat 0."""
    if s.dealt < 2 or finished(s):
        return 0
    return 1 << (s.turn & 1)


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Pass and bet, unless a module forbids one."""
    words[0] = hooks.moves(s, p, seat, 3)


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Take a move; it is public."""
    s.moves[s.turn] = action
    s.turn += 1
    s.public = mix(s.public, action + 1)
    s.events[0] = (action << 8) | seat
    s.n_events = 1
    hooks.moved(s, p, seat, action)


@kernel
def over(s: Any, p: Any) -> int:
    """Ended after a showdown or a fold."""
    return 1 if s.dealt == 2 and finished(s) else 0


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """Antes, and the bet if it was called."""
    out[0] = 0.0
    out[1] = 0.0
    if not finished(s):
        return
    last = s.moves[s.turn - 1]
    before = s.moves[s.turn - 2]
    if before == 1 and last == 0:  # a fold by the seat that moved last
        winner = s.turn & 1
        stake = p.ante
    else:
        mine = hooks.strength(s, p, 0, s.card[0], s.card[0])
        theirs = hooks.strength(s, p, 1, s.card[1], s.card[1])
        winner = 0 if mine > theirs else 1
        stake = p.ante + (p.bet if before == 1 else 0.0)
        if mine == theirs:
            stake = 0.0
    out[winner] = stake
    out[1 - winner] = -stake
    for seat in range(2):
        out[seat] = hooks.payoff(s, p, seat, out[seat])


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Own card (3), seat (2), moves (3 x 2)."""
    if s.card[seat] >= 0:
        out[s.card[seat]] = 1.0
    out[3 + seat] = 1.0
    for i in range(s.turn):
        out[5 + 2 * i + s.moves[i]] = 1.0
    return hooks.observe_modules(s, p, seat, out, 11)


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Take back the other seat's card."""
    if s.card[1 - seat] >= 0:
        s.card[1 - seat] = -1
        s.dealt -= 1
    s.private[1 - seat] = 0
    hooks.forget_fields(s, seat)
    s.n_events = 0


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """Own card and the moves."""
    return mix(mix(s.private[seat], s.public), seat + 1)
