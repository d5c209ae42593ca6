"""The record of a test: comparisons, what they give away, EP, replaced plays and set results (R41, R56, A18)."""

from __future__ import annotations

from typing import Any

from ..core.abi import STOPPED
from ..core.jit import kernel
from . import hooks
from .frames import EVERYBODY, emit, sign
from .piles import discard, reveal
from .plays import class_of, know_trump, show_trump
from .state import COMPARED, Event, Reason


@kernel
def betrays(s: Any, p: Any, seat: int, play: int, own: int, other: int) -> None:
    """A18: a comparison that would come out otherwise if the suit's trump state were different gives it away."""
    if 0 <= play < 32 and p.colours_count:
        suit = play >> 3
        if not s.known[seat] >> suit & 1:
            twin = own - 8 if own >= 8 else own + 8
            now = sign(own - other)
            if now != sign(twin - other):
                know_trump(s, seat, suit)


@kernel
def score(s: Any, p: Any) -> None:
    """Compute the EP of all seats from the record, the carried EP and the results that modules have set."""
    for seat in range(p.seats):
        if not s.ep_set[seat]:
            s.ep[seat] = s.ep_carried[seat]
    for i in range(s.n_entries):
        d = s.e_won[i]
        a, b = s.e_a[i], s.e_b[i]
        if not s.ep_set[a]:
            s.ep[a] += d
        if not s.ep_set[b]:
            s.ep[b] -= d


@kernel
def judge_entry(s: Any, p: Any, i: int) -> int:
    """R41: who wins a comparison of the record, by the classes and by what modules say; from the first seat's view."""
    a, b = s.e_a[i], s.e_b[i]
    d = sign(s.e_class_a[i] - s.e_class_b[i])
    d = hooks.comparison(s, p, a, b, s.e_play_a[i], s.e_play_b[i], d)
    d = -hooks.comparison(s, p, b, a, s.e_play_b[i], s.e_play_a[i], -d)
    s.e_won[i] = d
    return d


@kernel
def open_trump(s: Any, seat: int, play: int, own: int) -> int:
    """1 if a play is a card of a suit that everybody knows to be trump for its owner."""
    return 1 if 0 <= play < 32 and own >= 8 and s.known[seat] >> (play >> 3) & 1 else 0


@kernel
def compare(s: Any, p: Any, a: int, play_a: int, class_a: int, b: int, play_b: int, class_b: int) -> None:
    """R41, R56: compare two plays and add the comparison to the record."""
    i = s.n_entries
    if i >= len(s.e_a):
        s.status = STOPPED
        return
    s.e_a[i] = a
    s.e_b[i] = b
    s.e_play_a[i] = play_a
    s.e_play_b[i] = play_b
    s.e_class_a[i] = class_a
    s.e_class_b[i] = class_b
    s.e_round[i] = s.round_no
    s.n_entries = i + 1
    d = judge_entry(s, p, i)
    if not s.ep_set[a]:
        s.ep[a] += d
    if not s.ep_set[b]:
        s.ep[b] -= d
    betrays(s, p, a, play_a, class_a, class_b)
    betrays(s, p, b, play_b, class_b, class_a)
    trumps = open_trump(s, a, play_a, class_a) | open_trump(s, b, play_b, class_b) << 1
    emit(s, Event.COMPARE, a, b, d + (trumps << COMPARED), EVERYBODY)


@kernel
def outcome_for(s: Any, i: int, seat: int) -> int:
    """Reason code (WON, LOST, TIED) of entry i for a seat that took part in it."""
    d = s.e_won[i]
    if d == 0:
        return Reason.TIED
    return Reason.WON if (d > 0) == (s.e_a[i] == seat) else Reason.LOST


@kernel
def recorded_cards(s: Any, seat: int, losing_only: int) -> int:
    """Cards of a seat in this test's record, all or only those that lost a comparison (bit set)."""
    cards = 0
    for i in range(s.n_entries):
        if (
            s.e_a[i] == seat
            and 0 <= s.e_play_a[i] < 32
            and not (losing_only and outcome_for(s, i, seat) != Reason.LOST)
        ):
            cards |= 1 << s.e_play_a[i]
        if (
            s.e_b[i] == seat
            and 0 <= s.e_play_b[i] < 32
            and not (losing_only and outcome_for(s, i, seat) != Reason.LOST)
        ):
            cards |= 1 << s.e_play_b[i]
    return cards


@kernel
def open_cards_of(s: Any, p: Any, seat: int, this_round: int) -> int:
    """Revealed round cards of a seat and its cards in the record, or only this round's card (bit set)."""
    cards = 0 if this_round else recorded_cards(s, seat, 0)
    for r in range(p.rounds):
        if 0 <= s.slot[seat, r] < 32 and s.slot_open[seat, r] and s.area[seat] >> s.slot[seat, r] & 1:
            if p.slots or r == s.round_no:
                cards |= 1 << s.slot[seat, r]
    return cards


@kernel
def replace(s: Any, p: Any, seat: int, old: int, new: int) -> None:
    """Put a card (lying nowhere) in the place of a played card, rescore, and discard the old one (frame of 2.9).

    Of two equal played cards the earlier one is meant. The new card goes where the old one lay: the conflict area, or
    in a melee the discard pile.
    """
    value = class_of(s, p, seat, new)
    reveal(s, seat, new)
    emit(s, Event.REPLACE, seat, old, new, EVERYBODY)
    r = -1
    reason = Reason.PLAYED
    for i in range(s.n_entries):
        mine = (s.e_a[i] == seat and s.e_play_a[i] == old) or (s.e_b[i] == seat and s.e_play_b[i] == old)
        if mine and (r < 0 or s.e_round[i] == r):
            r = s.e_round[i]
            if s.e_a[i] == seat:
                s.e_play_a[i] = new
                s.e_class_a[i] = value
                betrays(s, p, seat, new, value, s.e_class_b[i])
            else:
                s.e_play_b[i] = new
                s.e_class_b[i] = value
                betrays(s, p, seat, new, value, s.e_class_a[i])
            judge_entry(s, p, i)
            other = s.e_b[i] if s.e_a[i] == seat else s.e_a[i]
            if other == s.e_a[i]:
                betrays(s, p, other, s.e_play_a[i], s.e_class_a[i], value)
            else:
                betrays(s, p, other, s.e_play_b[i], s.e_class_b[i], value)
            reason = outcome_for(s, i, seat)
    for k in range(p.rounds):
        if s.slot[seat, k] == old and (r < 0 or k == r):
            s.slot[seat, k] = new
            s.slot_class[seat, k] = value
    for k in range(0, 60, 6):
        if s.further[seat] >> k & 63 == old + 1:
            s.further[seat] ^= (old + 1 ^ new + 1) << k
    melee = p.melee[s.conflict]
    if melee:
        show_trump(s, p, seat, new)
    if r < 0 or not melee:
        s.area[seat] = s.area[seat] & ~(1 << old) | 1 << new
        discard(s, p, seat, old, Reason.LOST)
    else:  # it lies on the discard pile already; the new card follows it there
        discard(s, p, seat, new, reason)
    score(s, p)


@kernel
def set_result(s: Any, seat: int, ep: int) -> None:
    """Set the result of a seat for this test; the record no longer counts for it."""
    s.ep[seat] = ep
    s.ep_set[seat] = 1
    emit(s, Event.EP, seat, ep, 1, EVERYBODY)


@kernel
def end_test(s: Any) -> None:
    """End the running test at once: what is not recorded yet does not count."""
    s.cut = 1
    s.close = 1


@kernel
def close_window(s: Any) -> None:
    """Close the window that is open: nobody is asked further."""
    s.close = 1


@kernel
def restrict(s: Any, seat: int, points: int) -> None:
    """Restriction points due at the end of the conflict on top of R70 (not waived by `restrict`)."""
    s.extra_restr[seat] += points
