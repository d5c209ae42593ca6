"""Goofspiel (Ross 1971): cards 1..n against each other, for point cards 1..n; worth 0, since both seats are alike.

A point card is turned up, and both seats bid a card of their hand at the same moment. The higher card wins the points;
after equal cards nobody gets them. Each card is bid once, so the last ones are bid without a choice. With hidden bids a
seat learns only who has won; in a search the bids that it cannot know are dealt again, among those that fit.
"""

from __future__ import annotations

from typing import Any

from ..core.fields import COUNT, FLAG, HASH, WHOLE, Number, Size, Values, number, span
from ..core.jit import kernel
from ..core.rng import mix
from . import hooks

MOST = 13  # cards of a hand
LONGEST = 4 + 4 * MOST + 3 * MOST * (MOST + 1)  # an observation, without pieces of modules
TIE = 2  # in `won`
RANDOM, DESCENDING, ASCENDING = range(3)  # values of `order`
WIN_LOSS, DIFFERENCE, TOTAL = range(3)  # values of `scoring`
CARDS = Values("a set of cards (bits)", 0, (1 << MOST) - 1)
SEAT, TURN = Size(2, "seat"), Size(MOST, "turn")
STATE: list[Number] = [
    number("hand", CARDS, "cards that are left to bid", (SEAT,)),
    number("deck", CARDS, "point cards that have not been turned up"),
    number("prize", span(-1, MOST - 1), "the point card on the table, less 1; -1 not turned up"),
    number("turn", span(0, MOST), "bids made"),
    number("sealed", span(-1, MOST - 1), "the bid of this turn, less 1, until both are in; -1 none", (SEAT,)),
    number("points", COUNT, "points won", (SEAT,)),
    number("bids", span(-1, MOST - 1), "bids of all turns, less 1; -1 not made or not known", (SEAT, TURN)),
    number("prizes", span(-1, MOST - 1), "point cards of all turns, less 1; -1 not turned up", (TURN,)),
    number("won", span(0, TIE), "who has won a turn, 2 nobody", (TURN,)),
    number("unknown", span(-1, 1), "the seat whose bids are to be dealt again, -1 none"),
    number("ask_phase", COUNT, "phase of the question"),
    number("n_events", COUNT, "events of the last step"),
    number("events", WHOLE, "the events, packed", (Size(8, "event"),)),
    number("private", HASH, "rolling hash of what a seat alone has seen", (SEAT,)),
    number("public", HASH, "what everybody has seen"),
]
PARAMS: list[Number] = [
    number("cards", span(2, MOST), "cards of a hand"),
    number("hidden", FLAG, "1: bids stay hidden, only the winner is told"),
    number("order", span(0, 2), "of the point cards: 0 random, 1 descending, 2 ascending"),
    number("scoring", span(0, 2), "0 win or loss, 1 half the difference of points, 2 points"),
]


@kernel
def setup(s: Any, p: Any) -> None:
    """Full hands, and the first point card where the order is fixed."""
    full = (1 << p.cards) - 1
    s.deck = full
    s.prize = -1
    s.unknown = -1
    for seat in range(2):
        s.hand[seat] = full
        s.sealed[seat] = -1
        for turn in range(MOST):
            s.bids[seat, turn] = -1
    for turn in range(MOST):
        s.prizes[turn] = -1
        s.won[turn] = TIE
    turn_up(s, p)


@kernel
def reveal(s: Any, card: int) -> None:
    """Turn up a point card."""
    s.deck &= ~(1 << card)
    s.prize = card
    s.prizes[s.turn] = card
    s.public = mix(s.public, card + 1)
    s.events[s.n_events] = (card << 8) | 2
    s.n_events += 1


@kernel
def turn_up(s: Any, p: Any) -> None:
    """Turn up the next point card if it is known which one: the order is fixed, or only one is left."""
    if s.deck == 0:
        return
    if p.order == DESCENDING or (p.order == RANDOM and s.deck & (s.deck - 1) == 0):
        card = MOST - 1
        while s.deck >> card & 1 == 0:
            card -= 1
        reveal(s, card)
    elif p.order == ASCENDING:
        card = 0
        while s.deck >> card & 1 == 0:
            card += 1
        reveal(s, card)


@kernel
def missing(s: Any) -> int:
    """The first turn whose bid is to be dealt again, -1 if there is none."""
    if s.unknown >= 0:
        for turn in range(s.turn):
            if s.bids[s.unknown, turn] < 0:
                return turn
    return -1


@kernel
def fits(s: Any, turn: int, card: int) -> bool:
    """Whether a forgotten bid may have been a card: it gives the result, and leaves a card for all other such bids.

    Bids below a known card are dealt from below, those above one from above: earliest end first, which finds an
    assignment of cards to turns if there is one.
    """
    seat = s.unknown
    free = s.hand[seat] & ~(1 << card)
    if s.hand[seat] >> card & 1 == 0 or not allowed(s, turn, card):
        return False
    done = 1 << turn
    for c in range(MOST):
        if free >> c & 1 == 0:
            continue
        best, end = -1, MOST + 1
        for other in range(s.turn):
            if done >> other & 1 or s.bids[seat, other] >= 0 or not allowed(s, other, c):
                continue
            last = s.bids[1 - seat, other] if s.won[other] == 1 - seat else MOST
            if last < end:
                best, end = other, last
        if best >= 0:
            done |= 1 << best
    for other in range(s.turn):
        if done >> other & 1 == 0 and s.bids[seat, other] < 0:
            return False
    return True


@kernel
def allowed(s: Any, turn: int, card: int) -> bool:
    """Whether a card of the seat whose bids are forgotten gives the result of a turn."""
    known = s.bids[1 - s.unknown, turn]
    return card > known if s.won[turn] == s.unknown else card < known


@kernel
def die(s: Any, p: Any) -> int:
    """A forgotten bid, or the next point card: one of those that fit."""
    turn = missing(s)
    if turn >= 0:
        total = 0
        for card in range(p.cards):
            if fits(s, turn, card):
                total += 1
        return total
    if s.prize >= 0:
        return 0
    total = 0
    for card in range(p.cards):
        total += s.deck >> card & 1
    return total


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """The outcome-th card of those that fit."""
    turn = missing(s)
    s.n_events = 0
    left = outcome
    for card in range(p.cards):
        good = fits(s, turn, card) if turn >= 0 else s.deck >> card & 1 == 1
        if good:
            if left == 0:
                if turn >= 0:
                    s.bids[s.unknown, turn] = card
                    s.hand[s.unknown] &= ~(1 << card)
                else:
                    reveal(s, card)
                return
            left -= 1


@kernel
def to_act(s: Any, p: Any) -> int:
    """Who has not bid yet, once a point card lies there."""
    if s.prize < 0 or s.turn >= p.cards or missing(s) >= 0:
        return 0
    return (1 if s.sealed[0] < 0 else 0) | (2 if s.sealed[1] < 0 else 0)


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Any card of the hand."""
    words[0] = s.hand[seat]


@kernel
def settle(s: Any, p: Any) -> None:
    """Both bids are in: the higher one wins the point card."""
    for seat in range(2):
        card = s.sealed[seat]
        s.bids[seat, s.turn] = card
        s.hand[seat] &= ~(1 << card)
        s.sealed[seat] = -1
        s.private[seat] = mix(s.private[seat], card + 1)
        if p.hidden == 0:
            s.public = mix(s.public, card + 20)
    first = hooks.bid_value(s, p, 0, s.bids[0, s.turn] + 1, s.bids[0, s.turn] + 1)
    second = hooks.bid_value(s, p, 1, s.bids[1, s.turn] + 1, s.bids[1, s.turn] + 1)
    winner = TIE if first == second else (0 if first > second else 1)
    s.won[s.turn] = winner
    s.public = mix(s.public, winner + 40)
    if winner != TIE:
        s.points[winner] += hooks.prize(s, p, winner, s.prize + 1)
    if p.hidden == 0:
        for seat in range(2):
            s.events[s.n_events] = (s.bids[seat, s.turn] << 8) | seat
            s.n_events += 1
    s.events[s.n_events] = (winner << 8) | 3
    s.n_events += 1
    for seat in range(2):
        hooks.bid_shown(s, p, seat, s.bids[seat, s.turn] + 1)
    s.turn += 1
    s.prize = -1


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Seal a bid; when both are in they are settled, and the last cards bid themselves."""
    s.n_events = 0
    s.sealed[seat] = action
    if s.sealed[0] < 0 or s.sealed[1] < 0:
        return
    settle(s, p)
    turn_up(s, p)
    if s.turn == p.cards - 1:
        for other in range(2):
            card = 0
            while s.hand[other] >> card & 1 == 0:
                card += 1
            s.sealed[other] = card
        settle(s, p)


@kernel
def over(s: Any, p: Any) -> int:
    """When all cards are bid."""
    return 1 if s.turn >= p.cards else 0


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """Win or loss, half the difference of points, or points."""
    for seat in range(2):
        mine, theirs = s.points[seat], s.points[1 - seat]
        if p.scoring == TOTAL:
            out[seat] = mine
        elif p.scoring == DIFFERENCE:
            out[seat] = (mine - theirs) / 2.0
        else:
            out[seat] = 0.0
            if s.turn >= p.cards and mine != theirs:
                out[seat] = 1.0 if mine > theirs else -1.0
    if s.turn >= p.cards:
        for seat in range(2):
            out[seat] = hooks.payoff(s, p, seat, out[seat])


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Seat (2), hands (2 x n), point card (n), deck (n), points (2), by turn point card, winner, own and other bid.

    The other seat's hand and bids are shown where bids are open.
    """
    n = p.cards
    out[seat] = 1.0
    for card in range(n):
        out[2 + card] = s.hand[seat] >> card & 1
        if p.hidden == 0:
            out[2 + n + card] = s.hand[1 - seat] >> card & 1
        out[2 + 3 * n + card] = s.deck >> card & 1
    if s.prize >= 0:
        out[2 + 2 * n + s.prize] = 1.0
    at = 2 + 4 * n
    most = n * (n + 1) / 2.0
    out[at] = s.points[seat] / most
    out[at + 1] = s.points[1 - seat] / most
    at += 2
    for turn in range(s.turn):
        out[at + turn * n + s.prizes[turn]] = 1.0
        row = at + n * n + turn * 3
        out[row + (s.won[turn] if s.won[turn] == TIE else (0 if s.won[turn] == seat else 1))] = 1.0
        out[at + n * (n + 3) + turn * n + s.bids[seat, turn]] = 1.0
        if p.hidden == 0:
            out[at + n * (2 * n + 3) + turn * n + s.bids[1 - seat, turn]] = 1.0
    return hooks.observe_modules(s, p, seat, out, at + n * (3 * n + 3))


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Take back what the other has sealed, and with hidden bids all that it has bid but where both were equal."""
    other = 1 - seat
    s.sealed[other] = -1
    s.n_events = 0
    if p.hidden:
        s.unknown = other
        s.private[other] = 0
        for turn in range(s.turn):
            if s.won[turn] != TIE and s.bids[other, turn] >= 0:
                s.hand[other] |= 1 << s.bids[other, turn]
                s.bids[other, turn] = -1
    hooks.forget_fields(s, seat)


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """Own bids, the one that is sealed, point cards and winners; with open bids those of the other seat."""
    return mix(mix(mix(s.private[seat], s.public), s.sealed[seat] + 1), seat + 1)
