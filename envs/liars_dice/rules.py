"""Liar's dice for two: each seat throws its dice, sees them alone, and bids how many of all dice show a face.

Every bid must be higher than the one before, or that one is doubted ("liar"): then all dice are looked at. The highest
face is wild. If the bid holds, the bidder wins, else the doubter; a game pays 1.
"""

from __future__ import annotations

from typing import Any

from ..core.fields import COUNT, FLAG, WHOLE, Number, Size, Values, number, span
from ..core.jit import kernel
from ..core.rng import mix
from . import hooks

MOST_DICE, MOST_FACES = 5, 6
MOST_BIDS = 2 * MOST_DICE * MOST_FACES
LEGAL_WORDS = 1  # of a set of actions; a rule set has its own
LONGEST = 2 + MOST_FACES + 2 * MOST_BIDS + 1  # an observation, without pieces of modules
SEAT = Size(2, "seat")
STATE: list[Number] = [
    number("count", span(0, MOST_DICE), "dice of a seat that show a face", (SEAT, Size(MOST_FACES, "face"))),
    number("thrown", span(0, MOST_DICE), "dice of a seat that have been thrown", (SEAT,)),
    number("bids", Values("a set of bids (bits)", 0, (1 << MOST_BIDS) - 1), "bids made so far; they ascend"),
    number("last", span(-1, MOST_BIDS - 1), "the last bid, -1 none"),
    number("turn", span(0, 1), "the seat whose move it is"),
    number("doubted", span(0, 1), "1: the last bid is doubted, and the game is over"),
    number("ask_phase", COUNT, "phase of the question"),
    number("n_events", COUNT, "events of the last step"),
    number("events", WHOLE, "the events, packed", (Size(4, "event"),)),
]
PARAMS: list[Number] = [
    number("dice", span(1, MOST_DICE), "dice of each seat"),
    number("faces", span(2, MOST_FACES), "faces of a die; the highest is wild"),
    number("face_first", FLAG, "1: bids are ordered by their face, then by their quantity; 0: the other way round"),
]


@kernel
def setup(s: Any, p: Any) -> None:
    """No die has been thrown."""
    s.last = -1


@kernel
def quantity_of(p: Any, bid: int) -> int:
    """How many dice a bid is about."""
    return 1 + (bid % (2 * p.dice) if p.face_first else bid // p.faces)


@kernel
def face_of(p: Any, bid: int) -> int:
    """The face of a bid, 0 and up."""
    return bid // (2 * p.dice) if p.face_first else bid % p.faces


@kernel
def die(s: Any, p: Any) -> int:
    """The next die of the first seat that has not thrown all."""
    return p.faces if s.thrown[0] < p.dice or s.thrown[1] < p.dice else 0


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """A die shows a face."""
    seat = 0 if s.thrown[0] < p.dice else 1
    s.thrown[seat] += 1
    s.count[seat, outcome] += 1
    s.n_events = 0


@kernel
def to_act(s: Any, p: Any) -> int:
    """The seat on turn, once all dice are thrown."""
    if s.doubted or s.thrown[0] < p.dice or s.thrown[1] < p.dice:
        return 0
    return 1 << s.turn


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Every higher bid, and to doubt the last one."""
    total = 2 * p.dice * p.faces
    bits = (1 << (total if s.last < 0 else total + 1)) - (1 << (s.last + 1))
    for w in range(LEGAL_WORDS):
        words[w] = bits >> (32 * w) & 0xFFFFFFFF


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """A bid, or the doubt that ends the game."""
    s.n_events = 1
    if action == 2 * p.dice * p.faces:
        s.doubted = 1
        s.events[0] = seat
        for other in range(2):  # all dice are shown
            s.events[s.n_events] = (packed(s, p, other) << 8) | (2 + other)
            s.n_events += 1
    else:
        s.bids |= 1 << action
        s.last = action
        s.turn = 1 - seat
        s.events[0] = (quantity_of(p, action) << 12) | ((face_of(p, action) + 1) << 8) | seat
        hooks.bid_made(s, p, seat, quantity_of(p, action), face_of(p, action) + 1)


@kernel
def packed(s: Any, p: Any, seat: int) -> int:
    """The dice of a seat as one number: 8 to the power of the face for each."""
    out = 0
    for face in range(p.faces):
        out |= s.count[seat, face] << (3 * face)
    return out


@kernel
def over(s: Any, p: Any) -> int:
    """When a bid is doubted."""
    return s.doubted


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """Whoever was right wins 1."""
    out[0] = 0.0
    out[1] = 0.0
    if s.doubted == 0:
        return
    face, total = face_of(p, s.last), 0
    for seat in range(2):
        own = s.count[seat, face]
        if face != p.faces - 1:
            own += s.count[seat, p.faces - 1]
        total += hooks.matches(s, p, seat, face + 1, own)
    winner = 1 - s.turn if total >= quantity_of(p, s.last) else s.turn
    out[winner] = 1.0
    out[1 - winner] = -1.0
    for seat in range(2):
        out[seat] = hooks.payoff(s, p, seat, out[seat])


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Seat (2), own dice by face in parts of all (f), bids made and the last of them (b each), doubted (1)."""
    total = 2 * p.dice * p.faces
    out[seat] = 1.0
    for face in range(p.faces):
        out[2 + face] = s.count[seat, face] / p.dice
    at = 2 + p.faces
    for bid in range(total):
        out[at + bid] = s.bids >> bid & 1
    if s.last >= 0:
        out[at + total + s.last] = 1.0
    out[at + 2 * total] = s.doubted
    return hooks.observe_modules(s, p, seat, out, at + 2 * total + 1)


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Take back the other seat's dice."""
    other = 1 - seat
    for face in range(p.faces):
        s.count[other, face] = 0
    s.thrown[other] = 0
    hooks.forget_fields(s, seat)
    s.n_events = 0


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """Own dice and all bids."""
    return mix(mix(mix(packed(s, p, seat), s.bids), s.doubted + 1), seat + 1)
