"""Leduc poker (Southey et al. 2005, Bayes' Bluff): worth -0.0856 to the first seat.

Six cards, two of each of three ranks. Both seats pay an ante and get a card; a round of betting, a public card, another
round. A raise costs more in the second round, and there are at most two a round. Whoever pairs the public card wins,
else the higher rank; equal ranks share.
"""

from __future__ import annotations

from typing import Any

from ..core.fields import COUNT, HASH, REAL, WHOLE, Number, Size, number, span
from ..core.jit import kernel
from ..core.rng import mix
from . import hooks

CARDS = 6
ROUND_MOVES = 4  # check, raise, raise, call
MAX_RAISES = 2
FOLD, CALL, RAISE = 0, 1, 2
SEAT, ROUND = Size(2, "seat"), Size(2, "round")
STATE: list[Number] = [
    number("card", span(-1, CARDS - 1), "rank times 2 and suit, -1 not dealt", (SEAT,)),
    number("board", span(-1, CARDS - 1), "the public card, -1 not dealt"),
    number("street", span(0, 1), "the round of betting"),
    number("turn", span(0, 1), "the seat whose move it is"),
    number("raises", span(0, MAX_RAISES), "raises in this round"),
    number("calls", span(0, 2), "calls and checks in a row in this round"),
    number("paid", REAL, "what a seat has put into the pot", (SEAT,)),
    number("folded", span(-1, 1), "the seat that folded, -1 none"),
    number("made", span(0, ROUND_MOVES), "moves made by round", (ROUND,)),
    number("moves", span(0, 2), "0 fold, 1 call or check, 2 raise", (ROUND, Size(ROUND_MOVES, "move"))),
    number("finished", span(0, 1), "1: nothing is left to be decided"),
    number("ask_phase", COUNT, "phase of the question"),
    number("n_events", COUNT, "events of the last step"),
    number("events", WHOLE, "the events, packed", (Size(4, "event"),)),
    number("private", HASH, "rolling hash of what a seat alone has seen", (SEAT,)),
    number("public", HASH, "what everybody has seen"),
]
PARAMS: list[Number] = [
    number("ante", REAL, "what each seat pays before the deal"),
    number("bet", REAL, "what a raise adds, by round", (ROUND,)),
]


@kernel
def setup(s: Any, p: Any) -> None:
    """Both have paid the ante; no card is dealt."""
    s.card[0] = -1
    s.card[1] = -1
    s.board = -1
    s.folded = -1
    s.paid[0] = p.ante
    s.paid[1] = p.ante


@kernel
def die(s: Any, p: Any) -> int:
    """A card for the next seat without one, or the public card: one of those left."""
    if s.card[0] < 0 or s.card[1] < 0:
        return CARDS - (1 if s.card[0] >= 0 else 0) - (1 if s.card[1] >= 0 else 0) - (1 if s.board >= 0 else 0)
    return CARDS - 2 if s.street == 1 and s.board < 0 and s.finished == 0 else 0


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """Deal the outcome-th card left."""
    card = outcome
    for c in range(CARDS):
        if (c == s.card[0] or c == s.card[1] or c == s.board) and c <= card:
            card += 1
    s.n_events = 0
    if s.card[0] < 0 or s.card[1] < 0:
        seat = 0 if s.card[0] < 0 else 1
        s.card[seat] = card
        s.private[seat] = mix(s.private[seat], card + 1)
    else:
        s.board = card
        s.public = mix(s.public, card + 8)
        s.events[0] = (card << 8) | 2
        s.n_events = 1


@kernel
def to_act(s: Any, p: Any) -> int:
    """The seat on turn, once its cards lie there."""
    if s.finished or s.card[0] < 0 or s.card[1] < 0 or (s.street == 1 and s.board < 0):
        return 0
    return 1 << s.turn


@kernel
def open_moves(s: Any, p: Any, seat: int) -> int:
    """Fold if there is something to pay, call, and raise up to twice a round, unless a module forbids one (bits)."""
    bits = 1 << CALL
    if s.paid[1 - seat] > s.paid[seat]:
        bits |= 1 << FOLD
    if s.raises < MAX_RAISES:
        bits |= 1 << RAISE
    return hooks.moves(s, p, seat, bits)


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """The moves that are open."""
    words[0] = open_moves(s, p, seat)


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Take a move; it is public."""
    s.moves[s.street, s.made[s.street]] = action
    s.made[s.street] += 1
    s.public = mix(s.public, action + 1)
    s.events[0] = (action << 8) | seat
    s.n_events = 1
    if s.paid[1 - seat] > s.paid[seat] and action != FOLD:
        s.paid[seat] = s.paid[1 - seat]
    s.turn = 1 - seat
    if action == FOLD:
        s.folded = seat
        s.finished = 1
    elif action == RAISE:
        s.paid[seat] += p.bet[s.street]
        s.raises += 1
        s.calls = 0
    else:
        s.calls += 1
        # a round ends with a call of a raise, or when both have checked
        if s.raises > 0 or s.calls == 2:
            s.turn = 0
            s.raises = 0
            s.calls = 0
            if s.street == 1:
                s.finished = 1
            s.street = 1
    hooks.moved(s, p, seat, action)


@kernel
def over(s: Any, p: Any) -> int:
    """Ended after a fold or a showdown."""
    return s.finished


@kernel
def worth(s: Any, seat: int) -> int:
    """Rank of a seat's card, 3 more for a pair."""
    rank = s.card[seat] // 2
    return rank + 3 if rank == s.board // 2 else rank


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """The winner gets what the other has paid."""
    out[0] = 0.0
    out[1] = 0.0
    if s.finished == 0:
        return
    if s.folded >= 0:
        winner = 1 - s.folded
    else:
        mine = hooks.strength(s, p, 0, s.card[0] // 2, worth(s, 0))
        theirs = hooks.strength(s, p, 1, s.card[1] // 2, worth(s, 1))
        winner = -1 if mine == theirs else (0 if mine > theirs else 1)
    if winner >= 0:
        stake = s.paid[1 - winner]
        out[winner] = stake
        out[1 - winner] = -stake
    for seat in range(2):
        out[seat] = hooks.payoff(s, p, seat, out[seat])


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Own card (6), public card (6), seat (2), moves (2 x 4 x 3)."""
    if s.card[seat] >= 0:
        out[s.card[seat]] = 1.0
    if s.board >= 0:
        out[6 + s.board] = 1.0
    out[12 + seat] = 1.0
    for street in range(2):
        for i in range(s.made[street]):
            out[14 + 12 * street + 3 * i + s.moves[street, i]] = 1.0
    return hooks.observe_modules(s, p, seat, out, 38)


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Take back the other seat's card."""
    s.card[1 - seat] = -1
    s.private[1 - seat] = 0
    hooks.forget_fields(s, seat)
    s.n_events = 0


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """Own card, public card and the moves."""
    return mix(mix(s.private[seat], s.public), seat + 1)
