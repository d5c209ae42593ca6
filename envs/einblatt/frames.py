"""Events, sets of cards to choose from, and the stack of frames: what the flow, the rules and modules all write to."""

from __future__ import annotations

from typing import Any

from ..core.abi import STOPPED
from ..core.jit import kernel
from ..core.rng import mix
from .state import ALL_CARDS, EVENT, EVENTS, MAXS, SEEN, STACK, Frame

EVERYBODY = -1
FR_LOT = 1007  # frame: a die of a module falls

AT, LOW = EVENT.at, EVENT.low


@kernel
def event_code(kind: int, seat: int, a: int, b: int) -> int:
    """An event of `EVENT` as a number, but for who saw it: a kind, a seat (-1: none), and two numbers."""
    return kind | (seat - LOW[1]) << AT[1] | (a - LOW[2]) << AT[2] | (b - LOW[3]) << AT[3]


@kernel
def emit(s: Any, kind: int, seat: int, a: int, b: int, who: int) -> None:
    """Note an event for the seats in the bit set `who` (EVERYBODY: all): in the event list and in their histories."""
    code = event_code(kind, seat, a, b)
    if who == EVERYBODY:
        s.public = mix(s.public, code)
    else:
        for o in range(MAXS):
            if who >> o & 1:
                s.private[o] = mix(s.private[o], code)
    if s.n_events < EVENTS:
        s.events[s.n_events] = code | (who & SEEN) << AT[4]
        s.n_events += 1


@kernel
def whisper(s: Any, kind: int, seat: int, a: int, b: int) -> None:
    """Note an event that its seat alone sees."""
    code = event_code(kind, seat, a, b)
    s.private[seat] = mix(s.private[seat], code)
    if s.n_events < EVENTS:
        s.events[s.n_events] = code | 1 << seat + AT[4]
        s.n_events += 1


@kernel
def note(s: Any, kind: int, seat: int, a: int, b: int) -> None:
    """Note a public event that tells nothing new: for the reader's log, not for the histories."""
    if s.n_events < EVENTS:
        s.events[s.n_events] = event_code(kind, seat, a, b) | SEEN << AT[4]
        s.n_events += 1


@kernel
def sign(x: int) -> int:
    """-1, 0 or 1."""
    if x > 0:
        return 1
    return -1 if x < 0 else 0


@kernel
def allow_cards(words: Any, cards: int) -> None:
    """Add `card:` actions for a set of cards."""
    words[0] |= cards & ALL_CARDS


@kernel
def push(s: Any, phase: int, owner: int, seat: int, bits: int, a: int, b: int, c: int) -> None:
    """Put a frame on the stack; it is dealt with before everything below it."""
    d = s.depth
    if d >= STACK:  # an endless window or recursion of a module: stop the game instead of corrupting it
        s.status = STOPPED
        return
    s.f_phase[d] = phase
    s.f_owner[d] = owner
    s.f_seat[d] = seat
    s.f_bits[d] = bits
    s.f_a[d] = a
    s.f_b[d] = b
    s.f_c[d] = c
    s.depth = d + 1


@kernel
def ask(s: Any, owner: int, phase: int, seat: int) -> None:
    """Ask a seat: the module `owner` (write ME) then gets `legal_of` and `answered`."""
    push(s, phase, owner, seat, 1 << seat, 0, 0, 0)


@kernel
def task(s: Any, owner: int, what: int, seat: int) -> None:
    """Let the module's hook `task` run when all that was asked or drawn after this call is done."""
    push(s, Frame.TASK, owner, seat, 0, what, 0, 0)


@kernel
def lot(s: Any, owner: int, what: int, seat: int, faces: int) -> None:
    """Throw a die of `faces` faces (a frame); the module's hook `fell` gets the outcome, 0 .. faces - 1."""
    push(s, FR_LOT, owner, seat, 0, what, faces, 0)
