"""What the baselines of ews_rps share: what is at stake in a round, the best reply to a prediction, past situations."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...envs.core.jit import kernel
from ...envs.core.rng import rand_below
from ...envs.ews_rps.rules import outcome_of, swing_of, symbols_of
from ...envs.ews_rps.state import (
    H_ACTING,
    H_DECIDED,
    H_FIRST,
    H_LACK,
    H_OUTCOME,
    H_SYMBOL,
    LACK_LOW,
    SYMBOL_SHIFT,
    SYMBOLS,
    Kind,
    Payoff,
    Tie,
)


class Spot(NamedTuple):
    """A round of the history with the test that it belonged to; fields as in the state record."""

    kind: int
    gap: int
    need: int
    win_points: float
    loss_points: float
    acting: int
    net: int
    rounds: int


FURTHER = 16  # rounds of a streak that are looked ahead to; what comes after is less likely than 1e-7
LOOK_BACK = 1024  # rounds of the history that baselines read


@kernel
def utility_at(spot: Any, p: Any, net: int) -> float:
    """The acting side's utility if the test ended with this net (section 4); `spot` is the state, or a Spot."""
    margin = net * swing_of(spot, p) - spot.gap
    if p.payoff == Payoff.MARGIN:
        return max(-p.margin_clip, min(p.margin_clip, margin)) / p.margin_clip
    won = net >= spot.need
    if spot.kind == Kind.CONTEST and p.tie != Tie.ATTACKER:
        if margin == 0 and p.tie == Tie.DRAW:
            return 0.0
        won = margin > 0
    if p.payoff == Payoff.PASS:
        return 1.0 if won else -1.0
    return spot.win_points if won else -spot.loss_points


@kernel
def win_share(s: Any, p: Any) -> float:
    """Chance that a side wins a round in which both show any symbol equally often."""
    if SYMBOLS == 3:
        return 1.0 / 3.0
    wins = 0
    for mine in range(SYMBOLS):
        for theirs in range(SYMBOLS):
            if outcome_of(s, p, mine, theirs) > 0:
                wins += 1
    return wins / (SYMBOLS * SYMBOLS)


@kernel
def utility_on(s: Any, spot: Any, p: Any, net: int, rounds: int) -> float:
    """The acting side's mean utility when its streak stands at `net` after `rounds` rounds and all play uniformly."""
    again = win_share(s, p)  # chance that a streak goes on
    sign = 1 if net > 0 else -1
    value = 0.0
    chance = 1.0
    for _ in range(FURTHER):
        if rounds >= p.max_rounds:
            break
        value += chance * (1.0 - again) * utility_at(spot, p, net)
        chance *= again
        net += sign
        rounds += 1
    return value + chance * utility_at(spot, p, net)


@kernel
def round_values(s: Any, spot: Any, p: Any, seat: int, values: Any) -> None:
    """The utility of the test for a seat, as it will be after a loss, a draw and a win in this round: float64[3].

    What follows the round is played uniformly. `spot` is the state `s` for the round that is to be played now.
    """
    for result in range(-1, 2):
        value = 0.0
        if result == 0 or (spot.net != 0 and (result > 0) != (spot.net > 0)):
            value = utility_at(spot, p, spot.net)  # it ends the test
        else:
            value = utility_on(s, spot, p, spot.net + result, spot.rounds + 1)
        values[1 + result if spot.acting == seat else 1 - result] = value if spot.acting == seat else -value


@kernel
def stakes(s: Any, p: Any, seat: int, worth: Any) -> bool:
    """What a loss, a draw and a win in this round are worth to a seat: float64[3]; False if they are all the same.

    They are scaled so that the best one lies 1 above the worst, and lie 0 in the mean over uniform play.
    """
    round_values(s, s, p, seat, worth)
    low = min(worth[0], worth[1], worth[2])
    high = max(worth[0], worth[1], worth[2])
    if high - low < 1e-9:
        return False
    wins = win_share(s, p)
    mean = wins * (worth[0] + worth[2]) + (1.0 - 2.0 * wins) * worth[1]
    for i in range(3):
        worth[i] = (worth[i] - mean) / (high - low)
    return True


@kernel
def usual_worth(s: Any, p: Any, seat: int, acting: int, lack: int, worth: Any) -> None:
    """The same for a round that was played, from what is remembered of it: `lack` is need minus net."""
    wins = win_share(s, p)
    worth[0] = 0.0
    worth[2] = 1.0
    worth[1] = 0.5
    if p.payoff != Payoff.MARGIN and p.tie != Tie.DRAW:
        # the acting side must win (a draw is a loss), or must not lose (a draw is a win)
        worth[1] = 1.0 if (lack <= 0) == (acting == seat) else 0.0
    mean = wins * (worth[0] + worth[2]) + (1.0 - 2.0 * wins) * worth[1]
    for i in range(3):
        worth[i] -= mean


@kernel
def wanted(s: Any, p: Any, seat: int, worth: Any) -> None:
    """What the outcomes are worth to a predictor (section 6); in decided rounds as if they still mattered."""
    if not stakes(s, p, seat, worth):
        usual_worth(s, p, seat, s.acting, s.need - s.net, worth)


@kernel
def result_for(s: Any, p: Any, seat: int, own: int, other: int) -> int:
    """1, 0 or -1 for a seat that shows `own`."""
    return outcome_of(s, p, own, other) if s.acting == seat else -outcome_of(s, p, other, own)


@kernel
def action_of(symbol: int) -> int:
    """The action that shows a symbol."""
    return symbol if symbol < 3 else symbol + SYMBOL_SHIFT


@kernel
def one_of(bits: int, rng: Any) -> int:
    """A uniform one of a set of symbols."""
    count = 0
    for symbol in range(SYMBOLS):
        count += bits >> symbol & 1
    pick = rand_below(rng, count)
    for symbol in range(SYMBOLS):
        if bits >> symbol & 1:
            if pick == 0:
                return symbol
            pick -= 1
    return -1


@kernel
def uniform_symbol(s: Any, p: Any, seat: int, rng: Any) -> int:
    """A uniform one of the symbols that a seat may show."""
    return one_of(symbols_of(s, p, seat), rng)


@kernel
def allowed(s: Any, p: Any, seat: int, symbol: int, rng: Any) -> int:
    """The action of a symbol, or of a uniform one if it may not be shown now."""
    if symbols_of(s, p, seat) >> symbol & 1:
        return action_of(symbol)
    return action_of(uniform_symbol(s, p, seat, rng))


@kernel
def best_replies(s: Any, p: Any, seat: int, chances: Any, worth: Any) -> int:
    """The symbols with the highest expected worth against a distribution over symbols, as a bit set."""
    bits = symbols_of(s, p, seat)
    best = 0
    top = -1e300
    for own in range(SYMBOLS):
        if not bits >> own & 1:
            continue
        value = 0.0
        for other in range(SYMBOLS):
            value += chances[other] * worth[result_for(s, p, seat, own, other) + 1]
        if value > top + 1e-12:
            top = value
            best = 1 << own
        elif value > top - 1e-12:
            best |= 1 << own
    return best


@kernel
def reply(s: Any, p: Any, seat: int, chances: Any, worth: Any, rng: Any) -> int:
    """The action with the highest expected worth against a distribution over symbols; a random one of several."""
    return action_of(one_of(best_replies(s, p, seat, chances, worth), rng))


@kernel
def entry_at(s: Any, i: int) -> int:
    """Round number `i` of the history as a plain integer, with which differences may be negative."""
    return np.int64(s.hist[i])  # pyright: ignore[reportReturnType]


@kernel
def shown_by(entry: int, seat: int) -> int:
    """The symbol of a seat in an entry of the history."""
    return entry >> H_SYMBOL & 15 if seat else entry & 15


@kernel
def result_in(entry: int, seat: int) -> int:
    """1, 0 or -1: the result of a round for a seat."""
    result = (entry >> H_OUTCOME & 3) - 1
    return result if entry >> H_ACTING & 1 == seat else -result


@kernel
def lack_in(entry: int) -> int:
    """Need minus net before a round, cut off to -3..4."""
    return (entry >> H_LACK & 7) + LACK_LOW


@kernel
def situation(seat: int, acting: int, decided: int, lack: int, run: int) -> int:
    """Code 0..29 of a round before it is played: own streak (cut off to 2), decided, must win or must not lose, role.

    `run` is the length of the running streak, negative if the other seat wins.
    """
    streak = min(2, max(-2, run)) + 2
    state = 2 if decided else (1 if lack > 0 else 0)
    return (streak * 3 + state) * 2 + (1 if acting == seat else 0)


@kernel
def situation_now(s: Any, seat: int) -> int:
    """The code of the round that is to be played."""
    run = s.net if s.acting == seat else -s.net
    return situation(seat, s.acting, s.decided, s.need - s.net, run)


@kernel
def situation_in(entry: int, seat: int, run: int) -> int:
    """The code of a round of the history; `run` is the streak before it."""
    return situation(seat, entry >> H_ACTING & 1, entry >> H_DECIDED & 1, lack_in(entry), run)


@kernel
def run_before(entry: int, run: int, seat: int, following: int) -> int:
    """The streak before the round `following`, from the round before it and the streak before that."""
    if following >> H_FIRST & 1:
        return 0
    return run + result_in(entry, seat)


@kernel
def no_counts() -> Any:
    """Zeros for the counts of all symbols."""
    return np.zeros(SYMBOLS)
