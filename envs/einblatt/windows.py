"""Where modules come in (2.9): windows with their options, and hooks stepped through modules and seats."""

from __future__ import annotations

from typing import Any

from ..core.abi import lowest_bit
from ..core.jit import kernel
from . import hooks
from .frames import push
from .plays import attribute_of
from .state import Frame, WindowOrder


@kernel
def run_event(s: Any, event: int) -> None:
    """Step a hook through modules and seats (a frame), if any module has it."""
    if hooks.event_modules(event) > 0:
        push(s, Frame.EVENT, -1, 0, 0, event, 0, 0)


@kernel
def run_window(s: Any, window: int) -> None:
    """Open a window (a frame), if any module has options at all."""
    if hooks.has_window(window):
        s.close = 0
        push(s, Frame.WINDOW, -1, 0, 0, window, 0, 0)


@kernel
def window_seat(s: Any, p: Any, position: int) -> int:
    """The seat at a position of `window_order` (ties: seat order)."""
    if p.window_order == WindowOrder.REVERSE:
        return p.seats - 1 - position
    if p.window_order == WindowOrder.ATTRIBUTE:
        for seat in range(p.seats):
            before = 0
            mine = attribute_of(s, p, seat)
            for o in range(p.seats):
                theirs = attribute_of(s, p, o)
                if theirs > mine or (theirs == mine and o < seat):
                    before += 1
            if before == position:
                return seat
    return position


@kernel
def options_of(s: Any, p: Any, seat: int, window: int, words: Any) -> int:
    """Write the options of a seat in a window; return how many there are."""
    for w in range(len(words)):
        words[w] = 0
    if s.ep_set[seat]:  # its result is final
        return 0
    hooks.options(s, p, seat, window, words)
    count = 0
    for w in range(len(words)):
        bits = words[w]
        while bits:
            b = lowest_bit(bits)
            bits &= bits - 1
            if hooks.offer(s, p, seat, window, 32 * w + b, 1):
                count += 1
            else:
                words[w] &= ~(1 << b)
    return count


@kernel
def window_step(s: Any, p: Any) -> None:
    """2.9: ask seat after seat; repeat the pass until nobody takes an option."""
    f = s.depth - 1
    window = s.f_a[f]
    while True:
        if s.close:
            s.close = 0
            s.depth = f
            return
        if s.f_b[f] >= p.seats:
            if s.f_c[f] == 0:
                s.depth = f
                return
            s.f_b[f] = 0
            s.f_c[f] = 0
        seat = window_seat(s, p, s.f_b[f])
        s.f_b[f] += 1
        if options_of(s, p, seat, window, s.scratch) > 0:
            push(s, window, -1, seat, 1 << seat, 0, 0, 0)
            return


@kernel
def event_step(s: Any, p: Any) -> None:
    """Call the stepped hook for the next module and seat."""
    f = s.depth - 1
    event, module, seat = s.f_a[f], s.f_b[f], s.f_c[f]
    if module >= hooks.event_modules(event):
        s.depth = f
        return
    if seat + 1 < p.seats:
        s.f_c[f] = seat + 1
    else:
        s.f_c[f] = 0
        s.f_b[f] = module + 1
    hooks.event_call(s, p, event, module, seat)
