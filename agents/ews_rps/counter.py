"""What `counter` learns round by round: which kind of opponent it meets, and what it may risk on that.

The opponent is of one of the kinds of `types.py`, or follows the mixture of context models (`predictors.py`), and may
change from one to another (fixed share: Herbster and Warmuth 1998, Tracking the Best Expert, Machine Learning 32). The
posterior over kinds gives a forecast of the next symbol, and the answer is the restricted Nash response to it within
the purse (`agents/restricted_response.py`, which states the bounds). A round is worth what the test will be worth if
all that follows is played uniformly: where uniform play is the equilibrium (section 7; no module that favours a
symbol) the payoffs of all rounds add up to that of the match, so that its expected payoff is at least the value of the
match less `risk`. Nothing of this holds of one that falls back into habits, as the levels of play below the last do.

It all lies behind the numbers of the predictors in the slot of a history, and is a function of that history alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.jit import kernel
from ...envs.ews_rps.state import H_ACTING, H_FIRST, SYMBOLS, Kind
from ..public_game_kernel import matrix_value
from ..restricted_response import restricted_response
from .predictors import choose_mixture, mixture_chances, numbers_each
from .rounds import (
    Spot,
    entry_at,
    lack_in,
    no_counts,
    result_for,
    result_in,
    round_values,
    shown_by,
    usual_worth,
    wanted,
)
from .types import BIASED, TYPES, UNIFORM, biased_chances, expect

KINDS = TYPES + 1  # those that are known, and the mixture of context models
PRIOR = 0.1  # of uniform play
PRIOR_BIASED = 0.25  # of `biased`, as people, too, show rock most; all other kinds share the rest
BLUR = 0.05  # share of every kind's forecast that is uniform
EAGER = 0.2  # of what is at stake: what a win is worth beyond it, and a loss less, if the forecast is sure; a streak
# keeps whom we can read where we can read him, a draw ends the test and may lose him

# the numbers: weights of the kinds, their forecasts, the mixture that is played, and these
C_PURSE, C_VALUE, C_LOSS, C_DRAW, C_WIN, C_TEST, C_NET, C_ROUNDS = range(8)
NUMBERS = 8


@kernel
def counter_numbers(symbols: int) -> int:
    """Numbers (float64) that a slot needs besides those of the predictors."""
    return KINDS + KINDS * symbols + symbols + NUMBERS


@kernel
def own_numbers(numbers: Any) -> Any:
    """Those numbers of a slot."""
    return numbers[len(numbers) - counter_numbers(SYMBOLS) :]


@kernel
def played(own: Any) -> Any:
    """The mixture over symbols for the next round, float64[symbols]."""
    return own[KINDS + KINDS * SYMBOLS : KINDS + KINDS * SYMBOLS + SYMBOLS]


@kernel
def prior_of(kind: int, values: Any) -> float:
    """What a kind weighs before anything is known."""
    if values[6] >= 0.0:
        return 1.0 if kind == values[6] else 0.0
    if kind == UNIFORM:
        return PRIOR
    return PRIOR_BIASED if kind == BIASED else (1.0 - PRIOR - PRIOR_BIASED) / (KINDS - 2)


@kernel
def begin_counter(s: Any, p: Any, seat: int, values: Any, own: Any) -> None:
    """Before the first round: nothing is known, and the purse is full. `values` as in `baselines.counter`."""
    for kind in range(KINDS):
        own[kind] = prior_of(kind, values)
    for i in range(KINDS * SYMBOLS):
        own[KINDS + i] = 1.0 / SYMBOLS
    # All others begin with even chances; this one can be answered before anything is seen.
    biased_chances(own[KINDS + BIASED * SYMBOLS : KINDS + (BIASED + 1) * SYMBOLS])
    small = own[len(own) - NUMBERS :]
    small[C_PURSE] = values[3] * (1 if p.may_decline else p.n_tests)
    small[C_TEST] = 0.0
    small[C_NET] = 0.0
    small[C_ROUNDS] = 0.0
    answer(s, p, seat, values, own=own)


@kernel
def advance_counter(s: Any, p: Any, seat: int, n: int, numbers: Any, values: Any) -> None:
    """Learn round number `n` and answer the next one; the predictors have learnt it."""
    own = own_numbers(numbers)
    entry = entry_at(s, n)
    believe(shown_by(entry, 1 - seat), values, own)
    small = own[len(own) - NUMBERS :]
    pay(s, p, seat, shown_by(entry, 1 - seat), own=own)
    # the next round
    fresh = s.rounds == 0
    if n + 1 < s.past:
        fresh = (entry_at(s, n + 1) >> H_FIRST & 1) != 0
    if fresh:
        small[C_TEST] += 1.0
        small[C_NET] = 0.0
        small[C_ROUNDS] = 0.0
        if p.may_decline:  # the history does not tell of tests that were declined: each has a purse of its own
            small[C_PURSE] = values[3]
    else:
        result = result_in(entry, seat)
        small[C_NET] += result if entry >> H_ACTING & 1 == seat else -result
        small[C_ROUNDS] += 1.0
    forecast(s, p, seat, n + 1, numbers, own=own)
    answer(s, p, seat, values, own=own)


@kernel
def believe(other: int, values: Any, own: Any) -> None:
    """Weigh the kinds by how likely they thought what the other showed; some of them may have changed."""
    total = 0.0
    for kind in range(KINDS):
        own[kind] *= (1.0 - BLUR) * own[KINDS + kind * SYMBOLS + other] + BLUR / SYMBOLS
        total += own[kind]
    for kind in range(KINDS):
        own[kind] = (1.0 - values[5]) * own[kind] / total + values[5] * prior_of(kind, values)


@kernel
def pay(s: Any, p: Any, seat: int, other: int, own: Any) -> None:
    """What the mixture has won in expectation by what the other showed goes into the purse, or out of it."""
    small = own[len(own) - NUMBERS :]
    gained = -small[C_VALUE]
    mixture = played(own)
    for symbol in range(SYMBOLS):
        gained += mixture[symbol] * small[C_DRAW + result_for(s, p, seat, symbol, other)]
    small[C_PURSE] = max(small[C_PURSE] + gained, 0.0)


@kernel
def forecast(s: Any, p: Any, seat: int, n: int, numbers: Any, own: Any) -> None:
    """Ask all kinds for the other's symbol in round number `n`."""
    worth = np.zeros(3)
    if n < s.past:
        entry = entry_at(s, n)
        usual_worth(s, p, 1 - seat, entry >> H_ACTING & 1, lack_in(entry), worth)
    else:
        wanted(s, p, 1 - seat, worth)
    counts = no_counts()
    for kind in range(TYPES):
        chances = own[KINDS + kind * SYMBOLS : KINDS + (kind + 1) * SYMBOLS]
        expect(s, p, 1 - seat, kind, n, worth, counts=counts, chances=chances)
    learnt = numbers[: numbers_each(SYMBOLS)]
    best = mixture_chances(SYMBOLS, learnt, choose_mixture(SYMBOLS, learnt, -1e300))
    for symbol in range(SYMBOLS):
        own[KINDS + TYPES * SYMBOLS + symbol] = best[symbol]


@kernel
def answer(s: Any, p: Any, seat: int, values: Any, own: Any) -> None:
    """The restricted Nash response in the next round, from the forecasts, the stakes and the purse."""
    small = own[len(own) - NUMBERS :]
    test = s.test if p.may_decline else int(small[C_TEST])
    if test >= p.n_tests:
        return  # the match is over
    worths = small[C_LOSS : C_WIN + 1]
    i = s.picks[test]
    acting = p.pool_acting[i]
    if acting < 0:
        acting = 0 if p.pool_kind[i] == Kind.SIMPLE or p.fixed_roles else test & 1
    spot = Spot(
        kind=p.pool_kind[i],
        gap=p.pool_other[i] - p.pool_mine[i],
        need=p.pool_need[i],
        win_points=p.pool_win[i],
        loss_points=p.pool_loss[i],
        acting=acting,
        net=int(small[C_NET]),
        rounds=int(small[C_ROUNDS]),
    )
    round_values(s, spot, p, seat, worths)
    span = max(worths[0], worths[1], worths[2]) - min(worths[0], worths[1], worths[2])
    payoffs = np.empty((SYMBOLS, SYMBOLS))
    reward = np.empty(SYMBOLS)
    work = np.empty((SYMBOLS + 1, 2 * SYMBOLS + 2))
    chances = no_counts()
    for kind in range(KINDS):
        for other in range(SYMBOLS):
            chances[other] += own[kind] * own[KINDS + kind * SYMBOLS + other]
    eager = 1.0  # in a decided round nothing is at stake but what is shown
    if span > 1e-9:
        eager = EAGER * span * max(0.0, (SYMBOLS * chances.max() - 1.0) / (SYMBOLS - 1.0)) ** 4
    for symbol in range(SYMBOLS):
        reward[symbol] = 0.0
        for other in range(SYMBOLS):
            result = result_for(s, p, seat, symbol, other)
            payoffs[symbol, other] = worths[result + 1] if span > 1e-9 else float(result)
            reward[symbol] += chances[other] * (payoffs[symbol, other] + eager * result)
    small[C_VALUE] = matrix_value(payoffs, np.empty((SYMBOLS + 1, 2 * SYMBOLS + 1)))
    purse = small[C_PURSE] if span > 1e-9 else 2.0
    floor = small[C_VALUE] - purse - 1e-12
    restricted_response(payoffs, reward, trust=values[4], floor=floor, mixture=played(own), work=work)
    if span <= 1e-9:
        small[C_VALUE] = worths[1]  # whatever is shown, the test is worth that
