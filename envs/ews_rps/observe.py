"""The observation of a seat: named blocks, and the kernel that writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.jit import kernel
from ..core.observe import Layout, Piece, parts
from . import hooks
from .rules import legal_bits, to_act
from .state import ACTIONS, H_ACTING, H_DECIDED, H_FIRST, H_OUTCOME, H_SYMBOL, SYMBOLS, Phase

WINDOW = 512  # the longest history_window; the layout of a rule set is that of the longest


def layout(window: int, symbols: int, actions: int, more: Sequence[Piece] = ()) -> Layout:
    """The layout for a history window, numbers of symbols and actions; `more` are the pieces of modules."""
    k = symbols
    test = (
        "simple test, contest, acting, own number / 30, other number / 30, difference / 12, need / 12, "
        "sign of the streak, length of the streak, rounds, decided, choice due, round due, nothing due, "
        "win_points / 100, loss_points / 100"
    )
    match = "test, own score, pays pass, pays margin, pays stakes, may_decline"
    rows = "rounds, newest first: own symbol, other symbol, own result (win, draw, loss), first of a test, decided"
    return Layout(
        [
            Piece(
                "test",
                (16,),
                -1,
                1,
                f"{test}; numbers are value and target, or the two values; the streak is that of the acting side; "
                "it and rounds are parts of max_rounds",
                parts(test),
            ),
            Piece("match", (6,), -1, 1, f"{match}; test and score are parts of n_tests", parts(match)),
            Piece("history", (window, 2 * k + 5), 0, 1, rows),
            Piece("counts", (2 * k + k * k,), 0, 1, "shares: other's symbols, own ones, other's by its last one"),
            Piece("mask", (actions,), 0, 1, "legal actions"),
            *more,
        ]
    )


@kernel
def clip(x: float) -> float:
    """x, but not beyond -1..1."""
    return min(1.0, max(-1.0, x))


@kernel
def write_test(s: Any, p: Any, seat: int, out: Any) -> None:
    """16 values of the running test; all 0 when there is none."""
    if s.ask_phase == Phase.OVER or s.drawn < p.n_tests:
        out[13] = 1.0
        return
    out[s.kind] = 1.0
    acting = s.acting == seat
    out[2] = 1.0 if acting else 0.0
    out[3] = clip((s.mine if acting else s.other) / 30.0)
    out[4] = clip((s.other if acting else s.mine) / 30.0)
    out[5] = clip(s.gap / 12.0)
    out[6] = clip(s.need / 12.0)
    out[7] = (1.0 if s.net > 0 else 0.0) - (1.0 if s.net < 0 else 0.0)
    out[8] = abs(s.net) / p.max_rounds
    out[9] = s.rounds / p.max_rounds
    out[10] = s.decided
    out[11 if s.ask_phase == Phase.CHOICE else (12 if s.ask_phase == Phase.ROUND else 13)] = 1.0
    out[14] = s.win_points / 100.0
    out[15] = s.loss_points / 100.0


@kernel
def write_history(s: Any, p: Any, seat: int, out: Any, o: int) -> None:
    """The latest rounds, newest first."""
    for i in range(min(p.window, s.past)):
        entry = s.hist[s.past - 1 - i]
        first = entry & 15
        second = entry >> H_SYMBOL & 15
        result = entry >> H_OUTCOME & 3  # 0 the acting side lost, 1 drew, 2 won
        out[o + (first if seat == 0 else second)] = 1.0
        out[o + SYMBOLS + (second if seat == 0 else first)] = 1.0
        acting = entry >> H_ACTING & 1
        out[o + 2 * SYMBOLS + (2 - result if acting == seat else result)] = 1.0
        out[o + 2 * SYMBOLS + 3] = entry >> H_FIRST & 1
        out[o + 2 * SYMBOLS + 4] = entry >> H_DECIDED & 1
        o += 2 * SYMBOLS + 5


@kernel
def write_counts(s: Any, seat: int, out: Any, o: int) -> int:
    """Shares of symbols, and of the other's symbols by the one that it showed before."""
    other = 1 - seat
    if s.past > 0:
        for i in range(SYMBOLS):
            out[o + i] = s.shown[other, i] / s.past
            out[o + SYMBOLS + i] = s.shown[seat, i] / s.past
    o += 2 * SYMBOLS
    for i in range(SYMBOLS):
        total = 0
        for j in range(SYMBOLS):
            total += s.after[other, i, j]
        if total > 0:
            for j in range(SYMBOLS):
                out[o + j] = s.after[other, i, j] / total
        o += SYMBOLS
    return o


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Write the observation of a seat: float32[layout.size], zeroed before (section 4)."""
    write_test(s, p, seat, out)
    out[16] = s.test / p.n_tests
    out[17] = clip((s.score if seat == 0 else -s.score) / p.n_tests)
    out[18 + p.payoff] = 1.0
    out[21] = p.may_decline
    o = 22
    write_history(s, p, seat, out, o)
    o = write_counts(s, seat, out, o + p.window * (2 * SYMBOLS + 5))
    if to_act(s, p) >> seat & 1:
        bits = legal_bits(s, p, seat)
        for action in range(ACTIONS):
            out[o + action] = bits >> action & 1
    return hooks.observe_modules(s, p, seat, out, o + ACTIONS)
