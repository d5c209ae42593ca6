"""How kinds of opponents choose their next symbol after a history: the baselines' counts, and all of them as forecasts.

Everything is a function of the first `n` rounds of the history, so that what a kind of opponent would have done can be
asked of past rounds, too. Baselines that draw by these counts are in `baselines.py`; whoever models an opponent
(`counter.py`) holds each of them for possible.
"""

from __future__ import annotations

from typing import Any

from ...envs.core.jit import kernel
from ...envs.ews_rps.state import SYMBOLS
from .rounds import (
    LOOK_BACK,
    best_replies,
    entry_at,
    result_for,
    result_in,
    shown_by,
)

ENOUGH = 2.0  # times that a context of `markov` must have been seen
LONGEST = 20  # rounds of the longest suffix of `longest_match`, as a kind of opponent
ORDER = 3  # of `markov`, as a kind of opponent

# of rock, paper and scissors, unless `biased` is given others
BIAS = (0.5, 0.3, 0.2)

# kinds of opponents: uniform, fixed weights, win-stay lose-shift, three steps from symbol to symbol, four speeds of
# `frequency`, three orders of `markov`, `longest_match`, and `biased` with the weights that it has by itself
UNIFORM, WEIGHTS, WIN_STAY, STEPS = 0, 1, 2, 3
DECAYS = 4
FREQUENCY = STEPS + 3
MARKOV = FREQUENCY + DECAYS
MATCH = MARKOV + ORDER
BIASED = MATCH + 1
TYPES = BIASED + 1
NAMES = (
    "uniform", "fixed weights", "winstay_loseshift", "constant", "cycle", "cycle back", "frequency:decay=0.95",
    "frequency:decay=0.9", "frequency:decay=0.8", "frequency:decay=1", "markov:order=1", "markov:order=2", "markov",
    "longest_match", "biased",
)  # fmt: skip


@kernel
def frequency_counts(s: Any, n: int, seat: int, decay: float, counts: Any) -> None:
    """Add discounted counts of the symbols that the other of `seat` has shown."""
    weight = 1.0
    for i in range(min(n, LOOK_BACK)):
        counts[shown_by(entry_at(s, n - 1 - i), 1 - seat)] += weight
        weight *= decay


@kernel
def markov_counts(s: Any, n: int, seat: int, order: int, counts: Any) -> None:
    """Counts of what the other showed after the last joint rounds, the longest context that was seen often enough."""
    for k in range(order, 0, -1):
        for c in range(SYMBOLS):
            counts[c] = 0.0
        total = 0.0
        for i in range(max(k, n - LOOK_BACK), n):
            same = True
            for back in range(1, k + 1):
                if (entry_at(s, i - back) ^ entry_at(s, n - back)) & 255:
                    same = False
                    break
            if same:
                counts[shown_by(entry_at(s, i), 1 - seat)] += 1.0
                total += 1.0
        if total >= ENOUGH:
            break
    for c in range(SYMBOLS):
        counts[c] += 1.0


@kernel
def longest_match_at(s: Any, n: int, seat: int, limit: int) -> int:
    """The symbol of the other after the longest suffix of the joint, own or other history that had occurred; or -1."""
    longest = 0
    found = -1
    for view in range(3):
        bits = 255 if view == 0 else ((15 if seat == 0 else 240) if view == 1 else (240 if seat == 0 else 15))
        for i in range(n - 1, max(0, n - LOOK_BACK) - 1, -1):
            length = 0
            while length < limit and i - 1 - length >= 0:
                if (entry_at(s, i - 1 - length) ^ entry_at(s, n - 1 - length)) & bits:
                    break
                length += 1
            if length > longest:
                longest = length
                found = i
    return -1 if found < 0 else shown_by(entry_at(s, found), 1 - seat)


@kernel
def shift_after(s: Any, p: Any, n: int, seat: int) -> int:
    """The symbol of win-stay lose-shift: the same after a win, one that would have won after a loss; else -1."""
    if n == 0:
        return -1
    entry = entry_at(s, n - 1)
    result = result_in(entry, seat)
    own = shown_by(entry, seat)
    other = shown_by(entry, 1 - seat)
    if result > 0:
        return own
    if result < 0:
        for step in range(1, SYMBOLS):
            better = (other + step) % SYMBOLS
            if result_for(s, p, seat, better, other) > 0:
                return better
    return -1


@kernel
def decay_of(i: int) -> float:
    """The decays of `frequency` that are held for possible."""
    return 1.0 - 0.05 * (1 << i) if i < DECAYS - 1 else 1.0


@kernel
def spread(bits: int, chances: Any) -> None:
    """Even chances of a set of symbols; of all for an empty set."""
    count = 0
    for c in range(SYMBOLS):
        count += bits >> c & 1
    for c in range(SYMBOLS):
        chances[c] = 1.0 / SYMBOLS if count == 0 else (bits >> c & 1) / count


@kernel
def biased_chances(chances: Any) -> None:
    """The chances of `biased`, who never shows the symbols of modules, float64[symbols]."""
    for c in range(SYMBOLS):
        chances[c] = 0.0
    chances[0], chances[1], chances[2] = BIAS[0], BIAS[1], BIAS[2]


@kernel
def expect(s: Any, p: Any, seat: int, kind: int, n: int, worth: Any, counts: Any, chances: Any) -> None:
    """The chances, float64[symbols], with which a seat of some kind shows each symbol in round number `n`.

    `worth` float64[3] is what a loss, a draw and a win are worth to that seat then; `counts` float64[symbols] is
    overwritten.
    """
    for c in range(SYMBOLS):
        counts[c] = 0.0
    if kind == WEIGHTS:
        total = 0.0
        for c in range(SYMBOLS):
            counts[c] = 1.0
        for i in range(max(0, n - LOOK_BACK), n):
            counts[shown_by(entry_at(s, i), seat)] += 1.0
        for c in range(SYMBOLS):
            total += counts[c]
        for c in range(SYMBOLS):
            chances[c] = counts[c] / total
        return
    if kind == BIASED:
        biased_chances(chances)
        return
    bits = 0
    if kind == WIN_STAY:
        symbol = shift_after(s, p, n, seat)
        bits = 0 if symbol < 0 else 1 << symbol
    elif STEPS <= kind < FREQUENCY:
        bits = 0 if n == 0 else 1 << (shown_by(entry_at(s, n - 1), seat) + kind - STEPS) % SYMBOLS
    elif kind != UNIFORM:
        if kind < MARKOV:
            frequency_counts(s, n, seat, decay_of(kind - FREQUENCY), counts)
        elif kind < MATCH:
            markov_counts(s, n, seat, kind - MARKOV + 1, counts)
        else:
            symbol = longest_match_at(s, n, seat, LONGEST)
            if symbol >= 0:
                counts[symbol] = 1.0
        bits = best_replies(s, p, seat, counts, worth)
    spread(bits, chances)
