"""The kernel of ews_rps: rounds, streaks, contests, the plus/minus die, matches (R1-R21)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.abi import ENDED, popcount, select_bit
from ..core.jit import kernel
from ..core.rng import mix, rand_below
from . import hooks
from .state import (
    CUSTOM,
    EVENT,
    H_ACTING,
    H_DECIDED,
    H_FIRST,
    H_LACK,
    H_OUTCOME,
    H_SYMBOL,
    LACK_HIGH,
    LACK_LOW,
    SYMBOL_SHIFT,
    SYMBOLS,
    Action,
    Ending,
    Event,
    Kind,
    Payoff,
    Phase,
    Tie,
    Verdict,
)

# Outcome + 1 of symbol m against t in bits 6 m + 2 t (R5): a shift instead of a branch that nobody could predict.
OUTCOMES = sum(((m - t + 1) % 3) << (6 * m + 2 * t) for m in range(3) for t in range(3))
AT, LOW = EVENT.at, EVENT.low
GOES_ON, BEGINS = -1, -2  # in place of an ending: the test goes on; the first test begins


@kernel
def emit(s: Any, kind: int, a: int, b: int, c: int, acting: int) -> None:
    """Append a public event of `EVENT`: its kind and three numbers, and whose test it is."""
    numbers = (a - LOW[1]) << AT[1] | (b - LOW[2]) << AT[2] | (c - LOW[3]) << AT[3]
    s.events[s.n_events] = kind | numbers | (acting - LOW[4]) << AT[4]
    s.n_events += 1


# --- arithmetic of a test ---------------------------------------------------------------------------------------------


@kernel
def swing_of(s: Any, p: Any) -> int:
    """By how much one round of the streak moves the comparison (R6-R8, R12, A2)."""
    return 2 * p.bonus_step if s.kind == Kind.CONTEST and p.malus else p.bonus_step


@kernel
def margin_of(s: Any) -> int:
    """Total of the acting side minus the target or the other side's total (R10, R14)."""
    return s.bonus[0] - s.bonus[1] - s.gap


@kernel
def succeeds(s: Any, p: Any) -> bool:
    """R9, R13 and R19: whether the acting side would succeed as it stands."""
    margin = margin_of(s)
    if p.die:
        return margin > 0 if s.kind == Kind.CONTEST and p.tie != Tie.ATTACKER else margin >= 0
    if p.down:  # a started block counts for nothing
        return margin > -swing_of(s, p)
    if s.kind == Kind.CONTEST and p.tie != Tie.ATTACKER:
        return margin > 0
    return margin >= 0


@kernel
def is_equal(s: Any, p: Any) -> bool:
    """Whether a contest would end as a draw (A3)."""
    return s.kind == Kind.CONTEST and p.tie == Tie.DRAW and margin_of(s) == 0


@kernel
def settled(s: Any, p: Any) -> int:
    """A5: 1 if the verdict cannot change any more, max_rounds left aside."""
    if s.net > 0:
        return 1 if succeeds(s, p) else 0
    if s.net < 0:
        return 0 if succeeds(s, p) or is_equal(s, p) else 1
    return 0


# --- the run of a match -----------------------------------------------------------------------------------------------


@kernel
def setup(s: Any, p: Any) -> None:
    """R21: the tests are drawn, or taken as they are; then the first one starts."""
    s.last_test = -1
    if p.faces:
        s.ask_phase = Phase.DRAW
        return
    for i in range(p.n_tests):
        s.picks[i] = i
    s.drawn = p.n_tests
    next_test(s, p, BEGINS)


@kernel
def start_test(s: Any, p: Any) -> None:
    """R2, R3, A4: the next test, up to its first question."""
    i = s.picks[s.test]
    s.kind = p.pool_kind[i]
    s.mine = p.pool_mine[i]
    s.other = p.pool_other[i]
    s.gap = s.other - s.mine
    s.need = p.pool_need[i]
    s.win_points = p.pool_win[i]
    s.loss_points = p.pool_loss[i]
    acting = p.pool_acting[i]
    if acting < 0:
        acting = 0 if s.kind == Kind.SIMPLE or p.fixed_roles else s.test & 1
    s.acting = acting
    s.rounds = 0
    s.net = 0
    s.bonus[0] = 0
    s.bonus[1] = 0
    s.decided = 0
    s.asked = 0
    s.roll_side = 0
    s.face = 0
    s.rerolls = 0
    hooks.reset_fields(s, p, 0)
    hooks.test_start(s, p)
    emit(s, Event.TEST, s.test, s.kind, s.acting, s.acting)
    absent = p.gm_uniform and acting == 1  # A8: it always attempts
    if (p.may_decline or p.die or hooks.has_window(Phase.CHOICE)) and not absent:
        s.ask_phase = Phase.CHOICE
    else:
        s.ask_phase = Phase.ROLL if p.die else Phase.ROUND


@kernel
def end_test(s: Any, p: Any, ending: int) -> None:
    """The verdict and its payoff."""
    result = Verdict.DECLINED
    if ending != Ending.DECLINED:
        result = Verdict.SUCCESS if succeeds(s, p) else (Verdict.EQUAL if is_equal(s, p) else Verdict.FAILURE)
    result = hooks.verdict(s, p, result)
    value = 0.0
    if result != Verdict.DECLINED:
        if p.payoff == Payoff.MARGIN:
            value = max(-p.margin_clip, min(p.margin_clip, margin_of(s))) / p.margin_clip
        elif p.payoff == Payoff.PASS:
            value = (1.0 if result == Verdict.SUCCESS else 0.0) - (1.0 if result == Verdict.FAILURE else 0.0)
        elif result != Verdict.EQUAL:
            value = s.win_points if result == Verdict.SUCCESS else -s.loss_points
    value = hooks.utility(s, p, value)
    s.score += value if s.acting == 0 else -value
    s.last_test = s.test
    s.last_kind = s.kind
    s.last_acting = s.acting
    s.last_verdict = result
    s.last_ending = ending
    s.last_rounds = s.rounds
    s.last_net = s.net
    s.last_mine = s.mine
    s.last_other = s.other
    s.last_bonus[0] = s.bonus[0]
    s.last_bonus[1] = s.bonus[1]
    s.last_utility = value
    emit(s, Event.RESULT, result, ending, s.kind, s.acting)
    hooks.test_end(s, p)
    s.test += 1


@kernel
def next_test(s: Any, p: Any, ending: int) -> None:
    """The running test ends as `ending` says (BEGINS: there is none yet); the next one starts, or the match is over."""
    if ending != BEGINS:
        end_test(s, p, ending)
    if s.test == p.n_tests:
        s.status = ENDED
        s.ask_phase = Phase.OVER
    else:
        start_test(s, p)


@kernel
def remember(s: Any, a: int, b: int, first: int) -> None:
    """Write a round into the history: `a`, `b` are the symbols of seats 0 and 1."""
    entry = a | b << H_SYMBOL | first << H_FIRST | s.decided << H_DECIDED | s.acting << H_ACTING
    lack = min(LACK_HIGH, max(LACK_LOW, s.need - s.net)) - LACK_LOW
    entry |= (s.outcome + 1) << H_OUTCOME | lack << H_LACK
    n = s.past
    if n > 0:
        before = s.hist[n - 1]
        s.after[0, before & 15, a] += 1
        s.after[1, before >> H_SYMBOL & 15, b] += 1
    s.shown[0, a] += 1
    s.shown[1, b] += 1
    s.hist[n] = entry
    s.past = n + 1
    s.road_before = s.road
    s.road = mix(s.road, entry + 64)


@kernel
def outcome_of(s: Any, p: Any, mine: int, theirs: int) -> int:
    """R5: 1, 0 or -1 for the acting side, which shows `mine`."""
    result = 0
    if SYMBOLS == 3 or (mine < 3 and theirs < 3):
        result = (OUTCOMES >> (6 * mine + 2 * theirs) & 3) - 1
    return hooks.outcome(s, p, mine, theirs, result)


@kernel
def reveal(s: Any, p: Any) -> int:
    """R5-R8, R12, R20: both symbols are in; how the test ends, or GOES_ON."""
    a = s.sealed[0] - 1
    b = s.sealed[1] - 1
    s.sealed[0] = 0
    s.sealed[1] = 0
    result = outcome_of(s, p, a, b) if s.acting == 0 else outcome_of(s, p, b, a)
    s.outcome = result
    remember(s, a, b, 1 if s.rounds == 0 else 0)
    s.rounds += 1
    emit(s, Event.REVEAL, a, b, result, s.acting)
    streak = result != 0 and (s.net == 0 or (result > 0) == (s.net > 0))
    if streak:
        s.net += result
        value = hooks.points(s, p, result, p.bonus_step)
        if s.kind == Kind.SIMPLE:
            s.bonus[0] += result * value
        else:
            winner = (1 - result) >> 1
            s.bonus[winner] += value
            if p.malus:
                s.bonus[1 - winner] -= value
        s.decided = settled(s, p)
    hooks.round_end(s, p)
    if not hooks.goes_on(s, p, result, 1 if streak else 0):
        return Ending.DECIDED if streak else (Ending.DRAW if result == 0 else Ending.LUCK_TURNED)
    if s.rounds >= p.max_rounds:
        return Ending.MAX_ROUNDS
    return Ending.DECIDED if p.early and s.decided else GOES_ON


@kernel
def next_roll(s: Any, p: Any) -> int:
    """R19: a chain of dice is over; how the test ends, or GOES_ON."""
    emit(s, Event.ROLL, s.acting if s.roll_side == 0 else 1 - s.acting, s.bonus[s.roll_side], 0, s.acting)
    s.face = 0
    s.rerolls = 0
    if s.kind == Kind.CONTEST and s.roll_side == 0:
        s.roll_side = 1
        return GOES_ON
    return Ending.ROLLED


@kernel
def symbols_of(s: Any, p: Any, seat: int) -> int:
    """Bit set of the symbols that a seat may show now (A9: all)."""
    return hooks.symbols(s, p, seat, 7)


@kernel
def legal_bits(s: Any, p: Any, seat: int) -> int:
    """The legal actions of a seat that owes a decision, as a bit set."""
    if s.ask_phase == Phase.ROUND:
        bits = symbols_of(s, p, seat)
        return bits & 7 | (bits >> 3) << CUSTOM
    bits = 1 << Action.ATTEMPT
    if p.may_decline:
        bits |= 1 << Action.DECLINE
    if hooks.has_window(Phase.CHOICE):
        words = np.zeros(1, np.int64)
        hooks.options(s, p, seat, Phase.CHOICE, words)
        bits |= words[0] & ~s.asked
    return bits


# --- the contract -----------------------------------------------------------------------------------------------------


@kernel
def die(s: Any, p: Any) -> int:
    """A test drawn from the pool, the absent gm's symbol (A8), or a d6."""
    if s.ask_phase == Phase.ROUND:
        if p.gm_uniform and s.sealed[0] and not s.sealed[1]:
            return popcount(symbols_of(s, p, 1))
        return 0
    if s.ask_phase == Phase.ROLL:
        return 6
    return p.faces if s.ask_phase == Phase.DRAW else 0


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """Apply a chance outcome."""
    s.n_events = 0
    ending = GOES_ON
    if s.ask_phase == Phase.ROUND:
        s.sealed[1] = select_bit(symbols_of(s, p, 1), outcome) + 1
        ending = reveal(s, p)
    elif s.ask_phase == Phase.DRAW:
        s.picks[s.drawn] = outcome
        s.road = mix(s.road, outcome + 1)
        s.drawn += 1
        if s.drawn == p.n_tests:
            ending = BEGINS
    else:  # R17, R18
        face = outcome + 1
        s.road = mix(s.road, face)
        value = face if face % 2 == 0 else -face
        if s.face == 0:
            s.bonus[s.roll_side] = value
            if face >= 5 and p.reroll_limit != 0:
                s.face = face
            else:
                ending = next_roll(s, p)
        else:
            s.rerolls += 1
            if face == s.face:
                s.bonus[s.roll_side] += value
            if face != s.face or s.rerolls == p.reroll_limit:
                ending = next_roll(s, p)
    if ending != GOES_ON:
        next_test(s, p, ending)


@kernel
def roll(s: Any, p: Any, rng: Any) -> int:
    """Throw all dice that are due; return how many. Mostly there are none, which costs nothing here."""
    if s.status or die(s, p) == 0:
        return 0
    return roll_all(s, p, rng)


@kernel
def roll_all(s: Any, p: Any, rng: Any) -> int:
    """Throw dice until none is due; return how many."""
    thrown = 0
    while True:
        faces = die(s, p)
        if faces == 0:
            return thrown
        fall(s, p, rand_below(rng, faces))
        thrown += 1


@kernel
def to_act(s: Any, p: Any) -> int:
    """The acting side before a test, both sides in a round."""
    if s.ask_phase == Phase.ROUND:
        bits = 0
        if not s.sealed[0]:
            bits = 1
        if not s.sealed[1] and not p.gm_uniform:
            bits |= 2
        return bits
    return 1 << s.acting if s.ask_phase == Phase.CHOICE else 0


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Symbols in a round; attempt, decline and the modules' options before a test."""
    words[0] = legal_bits(s, p, seat)


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Seal a symbol, or answer before a test."""
    s.n_events = 0
    ending = GOES_ON
    if s.ask_phase == Phase.ROUND:
        s.sealed[seat] = (action if action < 3 else action - SYMBOL_SHIFT) + 1
        if not s.sealed[1 - seat]:
            return
        ending = reveal(s, p)
    else:
        s.road = mix(s.road, action + 8)
        emit(s, Event.CHOICE, seat, action, 0, s.acting)
        if action == Action.ATTEMPT:
            s.ask_phase = Phase.ROLL if p.die else Phase.ROUND
        elif action == Action.DECLINE:
            ending = Ending.DECLINED
        else:
            s.asked |= 1 << action
            hooks.choose(s, p, seat, Phase.CHOICE, action)
    if ending != GOES_ON:
        next_test(s, p, ending)


@kernel
def over(s: Any, p: Any) -> int:
    """Ended after the last test; the number of rounds is limited (R20)."""
    return s.status


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """The mean utility over the tests; zero-sum, unless a module pays otherwise."""
    value = s.score / p.n_tests
    out[0] = hooks.payoff(s, p, 0, value)
    out[1] = hooks.payoff(s, p, 1, -value)


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """The other seat's sealed symbol is chosen again; nothing else is hidden."""
    s.sealed[1 - seat] = 0
    s.n_events = 0
    hooks.forget_fields(s, seat)


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """All that was public, and the own sealed symbol."""
    return mix(mix(s.road, s.sealed[seat]), seat + 1)
