"""Baselines of ews_rps (section 6 of its specification), compiled; and the strongest predictor, `mixture`.

"Predicts" means: guesses the other's next symbol from the last 1024 rounds, and shows the symbol whose outcome is worth
most: the highest chance of a win while only a win helps, the lowest chance of a loss while only a loss hurts; where a
draw counts in between, what lies between the two. Decided rounds are played in the same manner, unless it is said
otherwise; among equally good symbols a random one is taken. Before a test everybody but `decliner` attempts it.

Over 500 lines because each predictor is a few lines, and they are compared side by side.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.core.jit import kernel
from ...envs.core.rng import mix, rand_float
from ...envs.ews_rps.state import H_ACTING, H_DECIDED, SYMBOLS, Action, Kind, Payoff, Phase, Tie
from ..base import Param
from ..declaration import Baseline
from .counter import KINDS, advance_counter, begin_counter, counter_numbers, own_numbers, played
from .memory import Memory
from .predictors import (
    GUESSES,
    H_COUNT,
    H_RUN,
    NONE,
    ROUNDS,
    ROWS,
    Learnt,
    advance_guesses,
    advance_mixture,
    bytes_of,
    choose_mixture,
    find_slot,
    free_slot,
    head_of,
    mixture_chances,
    numbers_each,
    numbers_of,
    stamp,
)
from .rounds import (
    LOOK_BACK,
    allowed,
    entry_at,
    lack_in,
    no_counts,
    reply,
    result_for,
    result_in,
    run_before,
    shown_by,
    situation_in,
    situation_now,
    stakes,
    uniform_symbol,
    usual_worth,
    utility_at,
    utility_on,
    wanted,
    win_share,
)
from .rounds import action_of as to_action
from .types import BIAS, frequency_counts, longest_match_at, markov_counts, shift_after

PATTERN = 1  # `feint`: by how much its symbol moves on in decided rounds
LONGEST_CHAIN = 12  # dice of one chain that `decliner` reckons with
MEMORABLE = 5  # rounds of a streak that `context` tells apart


# --- without memory of anybody ----------------------------------------------------------------------------------------


@kernel
def uniform(s: Any, p: Any, seat: int, rng: Any) -> int:
    """1/3 each, always: the equilibrium."""
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    return to_action(uniform_symbol(s, p, seat, rng))


@kernel
def constant(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """Always the same symbol."""
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    return allowed(s, p, seat, int(values[0]) % SYMBOLS, rng)


@kernel
def cycle(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Rock, paper, scissors in turn."""
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    return allowed(s, p, seat, s.past % SYMBOLS, rng)


@kernel
def biased(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """Independent draws from fixed weights of rock, paper, scissors; symbols of modules are never shown."""
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    total = values[0] + values[1] + values[2]
    if total <= 0.0:
        return to_action(uniform_symbol(s, p, seat, rng))
    x = rand_float(rng) * total
    symbol = 0 if x < values[0] else (1 if x < values[0] + values[1] else 2)
    return allowed(s, p, seat, symbol, rng)


@kernel
def feint(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Uniform while the verdict is open; in decided rounds the symbols in turn, for everybody to see."""
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    if s.decided:
        return allowed(s, p, seat, (shown_by(entry_at(s, s.past - 1), seat) + PATTERN) % SYMBOLS, rng)
    return to_action(uniform_symbol(s, p, seat, rng))


@kernel
def winstay_loseshift(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Repeats after a win, moves after a loss to a symbol that would have won, is uniform after a draw."""
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    symbol = shift_after(s, p, s.past, seat)
    return to_action(uniform_symbol(s, p, seat, rng)) if symbol < 0 else allowed(s, p, seat, symbol, rng)


# --- chances of a test, for those who may decline ---------------------------------------------------------------------


@kernel
def chain(limit: int, length: int) -> float:
    """Chance that one of the two extremes of the comparison die is added exactly `length` times (R18)."""
    if 0 <= limit < length:
        return 6.0**-length if length == limit + 1 else 0.0
    return 6.0**-length * 5.0 / 6.0


@kernel
def roll_total(i: int) -> int:
    """The i-th total of the comparison die: four plain faces, then chains of sixes and of fives."""
    if i < 4:
        return i + 1 if i % 2 == 1 else -i - 1
    length = (i - 4) // 2 + 1
    return 6 * length if i % 2 == 0 else -5 * length


@kernel
def roll_chance(p: Any, i: int) -> float:
    """Its chance."""
    return 1.0 / 6.0 if i < 4 else chain(p.reroll_limit, (i - 4) // 2 + 1)


@kernel
def utility_of(s: Any, p: Any, margin: int) -> float:
    """The acting side's utility of a roll with this margin."""
    if p.payoff == Payoff.MARGIN:
        return max(-p.margin_clip, min(p.margin_clip, margin)) / p.margin_clip
    if margin == 0 and s.kind == Kind.CONTEST and p.tie == Tie.DRAW:
        return 0.0
    won = margin > 0 or (margin == 0 and (s.kind != Kind.CONTEST or p.tie == Tie.ATTACKER))
    if p.payoff == Payoff.PASS:
        return 1.0 if won else -1.0
    return s.win_points if won else -s.loss_points


@kernel
def value_of_test(s: Any, p: Any) -> float:
    """The acting side's mean utility of the test that is about to begin, by uniform play or by the die (section 7)."""
    if not p.die:
        again = win_share(s, p)
        value = (1.0 - 2.0 * again) * utility_at(s, p, 0)
        return value + again * (utility_on(s, s, p, 1, 1) + utility_on(s, s, p, -1, 1))
    totals = 4 + 2 * LONGEST_CHAIN
    value = 0.0
    for i in range(totals):
        if s.kind == Kind.CONTEST:
            for j in range(totals):
                chance = roll_chance(p, i) * roll_chance(p, j)
                value += chance * utility_of(s, p, roll_total(i) - roll_total(j) - s.gap)
        else:
            value += roll_chance(p, i) * utility_of(s, p, roll_total(i) - s.gap)
    return value


@kernel
def decliner(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Attempts a test if it is worth more than nothing by uniform play, else declines; plays uniformly."""
    if s.ask_phase != Phase.CHOICE:
        return to_action(uniform_symbol(s, p, seat, rng))
    return Action.DECLINE if p.may_decline and value_of_test(s, p) <= 1e-9 else Action.ATTEMPT


# --- one predictor ----------------------------------------------------------------------------------------------------


@kernel
def sure_of(symbol: int) -> Any:
    """The distribution that is certain of a symbol."""
    chances = no_counts()
    chances[symbol] = 1.0
    return chances


@kernel
def frequency(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """Predicts by discounted counts of the other's symbols."""
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    counts = no_counts()
    frequency_counts(s, s.past, seat, values[0], counts)
    worth = np.zeros(3)
    wanted(s, p, seat, worth)
    return reply(s, p, seat, counts, worth, rng)


@kernel
def markov(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """Predicts what followed the last k joint rounds, of the longest context that was seen often enough."""
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    worth = np.zeros(3)
    wanted(s, p, seat, worth)
    counts = no_counts()
    markov_counts(s, s.past, seat, int(values[0]), counts)
    return reply(s, p, seat, counts, worth, rng)


@kernel
def longest_match(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """Predicts what followed the longest suffix of the joint, own or other history that had occurred before."""
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    symbol = longest_match_at(s, s.past, seat, int(values[0]))
    if symbol < 0:
        return to_action(uniform_symbol(s, p, seat, rng))
    counts = sure_of(symbol)
    worth = np.zeros(3)
    wanted(s, p, seat, worth)
    return reply(s, p, seat, counts, worth, rng)


@kernel
def context(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Predicts by what the other showed in the same situation: streak, need minus net, decided or not."""
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    n = s.past
    counts = no_counts()
    for c in range(SYMBOLS):
        counts[c] = 0.5
    lack = min(4, max(-3, s.need - s.net))
    now = min(MEMORABLE, max(-MEMORABLE, s.net if s.acting == seat else -s.net))
    run = 0
    for i in range(max(0, n - LOOK_BACK), n):
        entry = entry_at(s, i)
        run = 0 if i == 0 else run_before(entry_at(s, i - 1), run, seat, entry)
        if lack_in(entry) != lack or (entry >> H_DECIDED & 1) != s.decided or (entry >> H_ACTING & 1) != s.acting:
            continue
        if min(MEMORABLE, max(-MEMORABLE, run)) == now:
            counts[shown_by(entry, 1 - seat)] += 1.0
    worth = np.zeros(3)
    wanted(s, p, seat, worth)
    return reply(s, p, seat, counts, worth, rng)


# --- many predictors --------------------------------------------------------------------------------------------------


@kernel
def learnt(s: Any, p: Any, seat: int, values: Any, memory: int, what: int) -> int:
    """The slot of the memory that knows all rounds so far; what is missing is learnt.

    `what`: 0 the mixture, 1 guesses, 2 the mixture and what `counter` makes of it.
    """
    key = mix(s.road, seat + 1)
    slot = find_slot(memory, key, mix(s.road_before, seat + 1))
    if slot < 0:
        slot = free_slot(memory, s.past)
    head = head_of(memory, slot)
    seen = bytes_of(memory, slot)
    numbers = numbers_of(memory, slot)
    if what == 2 and head[H_COUNT] == 0:
        begin_counter(s, p, seat, values, own_numbers(numbers))
    worth = np.zeros(3)
    outcomes = np.zeros((SYMBOLS, SYMBOLS))
    if head[H_COUNT] < s.past:
        for own in range(SYMBOLS):
            for other in range(SYMBOLS):
                outcomes[own, other] = result_for(s, p, seat, own, other)
    always = p.payoff == Payoff.MARGIN
    while head[H_COUNT] < s.past:
        n = head[H_COUNT]
        entry = entry_at(s, n)
        own = shown_by(entry, seat)
        other = shown_by(entry, 1 - seat)
        scored = 0 if entry >> H_DECIDED & 1 and not always else 1
        usual_worth(s, p, seat, entry >> H_ACTING & 1, lack_in(entry), worth)
        if n + 1 < s.past:
            following = entry_at(s, n + 1)
            head[H_RUN] = run_before(entry, head[H_RUN], seat, following)
            code = situation_in(following, seat, head[H_RUN])
            stake = 0 if following >> H_DECIDED & 1 and not always else 1
        else:
            head[H_RUN] = s.net if s.acting == seat else -s.net
            code = situation_now(s, seat)
            stake = 0 if s.decided and not always else 1
        learnt = Learnt(own=own, other=other, situation=code, scored=scored, stake=stake)
        if what == 1:
            advance_guesses(SYMBOLS, n, seen, numbers, outcomes=outcomes, worth=worth, values=values, learnt=learnt)
        else:
            known = numbers[: numbers_each(SYMBOLS)]
            advance_mixture(SYMBOLS, n, seen, known, outcomes=outcomes, worth=worth, values=values, learnt=learnt)
        if what == 2:
            advance_counter(s, p, seat, n, numbers, values=values)
        head[H_COUNT] += 1
    stamp(memory, slot, key)
    return slot


@kernel
def mixture(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """A mixture of several hundred context models on all levels of second-guessing; uniform unless it has won of late.

    In decided rounds it is uniform, and so gives nothing away. Values: forgetting of differences, forgetting of wins,
    floor of a probability, gate.
    """
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    worth = np.zeros(3)
    if s.past == 0 or not stakes(s, p, seat, worth):
        return to_action(uniform_symbol(s, p, seat, rng))
    slot = learnt(s, p, seat, values, memory, 0)
    numbers = numbers_of(memory, slot)
    m = choose_mixture(SYMBOLS, numbers, values[3])
    if m < 0:
        return to_action(uniform_symbol(s, p, seat, rng))
    return reply(s, p, seat, mixture_chances(SYMBOLS, numbers, m), worth, rng)


@kernel
def habit(s: Any, p: Any, seat: int, rng: Any) -> int:
    """What people do who do not think of it: as `winstay_loseshift`, and more rock where that says nothing."""
    symbol = shift_after(s, p, s.past, seat)
    if symbol < 0:
        x = rand_float(rng)
        symbol = 0 if x < BIAS[0] else (1 if x < BIAS[0] + BIAS[1] else 2)
    return allowed(s, p, seat, symbol, rng)


@kernel
def counter(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """The restricted Nash response to what is known of the opponent, within a purse; see `counter.py`.

    Values: forgetting of differences and of wins, floor of a probability (as of `mixture`), the first purse as a share
    of the match, the trust in a forecast, the chance a round that the opponent changes, the kind that it is taken for,
    the chance that it falls back into a habit instead.
    """
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    if values[7] > 0.0 and rand_float(rng) < values[7]:
        return habit(s, p, seat, rng)
    slot = learnt(s, p, seat, values, memory, 2)
    mixture = played(own_numbers(numbers_of(memory, slot)))
    pick = rand_float(rng)
    symbol = 0
    while symbol < SYMBOLS - 1 and pick >= mixture[symbol]:
        pick -= mixture[symbol]
        symbol += 1
    return allowed(s, p, seat, symbol, rng)


@kernel
def best_variant(numbers: Any, seen: Any) -> int:
    """The variant with the highest score among those that guess something now: guess * SYMBOLS + shift; or -1."""
    best = -1
    for v in range(GUESSES * SYMBOLS):
        if seen[ROWS * ROUNDS + v // SYMBOLS] != NONE and (best < 0 or numbers[v] > numbers[best]):
            best = v
    return best


@kernel
def symbol_of(seen: Any, variant: int) -> int:
    """The symbol that a variant expects of the other."""
    return (seen[ROWS * ROUNDS + variant // SYMBOLS] + variant % SYMBOLS) % SYMBOLS


@kernel
def meta(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """The best of many predictors, seen from both sides and second-guessed; uniform if none is clearly good.

    Values: forgetting of scores, and how many standard deviations of a worthless variant's score are clear.
    """
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    if s.past == 0:
        return to_action(uniform_symbol(s, p, seat, rng))
    slot = learnt(s, p, seat, values, memory, 1)
    numbers = numbers_of(memory, slot)
    seen = bytes_of(memory, slot)
    best = best_variant(numbers, seen)
    n = head_of(memory, slot)[H_COUNT]
    steps = float(n)
    if values[0] < 1.0:
        steps = (1.0 - values[0] ** (2.0 * n)) / (1.0 - values[0] ** 2)
    deviation = math.sqrt(steps * 2.0 / 9.0)  # of a round in which two of three outcomes are worth the same
    if best < 0 or numbers[best] <= values[1] * deviation:
        return to_action(uniform_symbol(s, p, seat, rng))
    worth = np.zeros(3)
    wanted(s, p, seat, worth)
    return reply(s, p, seat, sure_of(symbol_of(seen, best)), worth, rng)


@kernel
def regret(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """Multiplicative weights over the variants of `meta`: a random one, by the exponential of what it has won.

    Values: forgetting of scores (1: none, which is the no-regret form), and a factor of the learning rate.
    """
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    if s.past == 0:
        return to_action(uniform_symbol(s, p, seat, rng))
    slot = learnt(s, p, seat, values, memory, 1)
    numbers = numbers_of(memory, slot)
    seen = bytes_of(memory, slot)
    best = best_variant(numbers, seen)
    if best < 0:
        return to_action(uniform_symbol(s, p, seat, rng))
    variants = GUESSES * SYMBOLS
    rate = values[1] * math.sqrt(8.0 * math.log(variants) / s.past)  # Cesa-Bianchi and Lugosi 2006, theorem 2.3
    total = 0.0
    for v in range(variants):
        if seen[ROWS * ROUNDS + v // SYMBOLS] != NONE:
            total += math.exp(rate * (numbers[v] - numbers[best]))
    x = rand_float(rng) * total
    chosen = best
    for v in range(variants):
        if seen[ROWS * ROUNDS + v // SYMBOLS] != NONE:
            x -= math.exp(rate * (numbers[v] - numbers[best]))
            if x < 0.0:
                chosen = v
                break
    worth = np.zeros(3)
    wanted(s, p, seat, worth)
    return reply(s, p, seat, sure_of(symbol_of(seen, chosen)), worth, rng)


@kernel
def safe_exploit(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """Uniform; risks the reply to the best variant of `meta` only with what it has won so far.

    A round at stake is worth 1 from its worst to its best outcome, and what it has won is what lies above the mean.
    Values: forgetting of scores, and how much must be won.
    """
    if s.ask_phase == Phase.CHOICE:
        return Action.ATTEMPT
    worth = np.zeros(3)
    surplus = 0.0
    for i in range(s.past):
        entry = entry_at(s, i)
        if p.payoff == Payoff.MARGIN or not entry >> H_DECIDED & 1:
            usual_worth(s, p, seat, entry >> H_ACTING & 1, lack_in(entry), worth)
            surplus += worth[result_in(entry, seat) + 1]
    if surplus < values[1]:
        return to_action(uniform_symbol(s, p, seat, rng))
    slot = learnt(s, p, seat, values, memory, 1)
    numbers = numbers_of(memory, slot)
    seen = bytes_of(memory, slot)
    best = best_variant(numbers, seen)
    if best < 0 or numbers[best] <= 0.0:
        return to_action(uniform_symbol(s, p, seat, rng))
    wanted(s, p, seat, worth)
    return reply(s, p, seat, sure_of(symbol_of(seen, best)), worth, rng)


def memory_for(game: Game) -> Memory:
    """A memory for a game's symbols."""
    return Memory(symbols_in(game))


def counter_memory(game: Game) -> Memory:
    """The same with room for what `counter` knows."""
    symbols = symbols_in(game)
    return Memory(symbols, more=counter_numbers(symbols))


def symbols_in(game: Game) -> int:
    """How many symbols a game has, those of modules included."""
    return int(game.kernel.namespaces["probespiel.envs.ews_rps.observe"].SYMBOLS)


def _share(name: str, default: float, doc: str) -> Param:
    return Param(name, default, doc, 0, 1, kind=float)


BASELINES = {
    "uniform": Baseline(uniform, "every symbol equally often: the equilibrium"),
    "constant": Baseline(
        constant,
        "always the same symbol",
        params=(Param("symbol", 0, "0 rock, 1 paper, 2 scissors, 3.. those of modules", 0, 10, kind=int),),
    ),
    "cycle": Baseline(cycle, "rock, paper, scissors in turn"),
    "biased": Baseline(
        biased,
        "independent draws from fixed weights",
        params=(
            _share("rock", BIAS[0], "weight of rock"),
            _share("paper", BIAS[1], "weight of paper"),
            _share("scissors", BIAS[2], "weight of scissors"),
        ),
    ),
    "winstay_loseshift": Baseline(winstay_loseshift, "repeats after a win, moves on after a loss"),
    "frequency": Baseline(
        frequency,
        "predicts by discounted counts",
        params=(_share("decay", 0.95, "weight of a round against the next"),),
    ),
    "markov": Baseline(
        markov,
        "predicts what followed the last k joint rounds",
        params=(Param("order", 3, "longest context in rounds", 1, 8, kind=int),),
    ),
    "longest_match": Baseline(
        longest_match,
        "predicts what followed the longest suffix that occurred before",
        params=(Param("limit", 20, "longest suffix in rounds", 1, 50, kind=int),),
    ),
    "context": Baseline(context, "predicts by what the other showed in the same situation"),
    "meta": Baseline(
        meta,
        "the best of 90 predictors on all levels of second-guessing; uniform if none is clearly good",
        params=(
            _share("decay", 0.95, "weight of a round's score against the next"),
            Param("clear", 2.5, "standard deviations above a worthless one", 0, 20, kind=float),
        ),
        memory=memory_for,
    ),
    "regret": Baseline(
        regret,
        "multiplicative weights over the predictors of meta: randomised, no regret",
        params=(
            _share("decay", 1.0, "weight of a round's score against the next"),
            Param("rate", 1.0, "factor of the learning rate", 0, 100, kind=float),
        ),
        memory=memory_for,
    ),
    "safe_exploit": Baseline(
        safe_exploit,
        "uniform; risks a predictor's reply only with the surplus won so far",
        params=(
            _share("decay", 0.95, "weight of a round's score against the next"),
            Param("surplus", 1.0, "rounds won before anything is risked", 0, 1000, kind=float),
        ),
        memory=memory_for,
    ),
    "feint": Baseline(feint, "uniform while the verdict is open, a visible pattern in decided rounds"),
    "decliner": Baseline(decliner, "declines tests that are worth less than nothing (may_decline); uniform"),
    "mixture": Baseline(
        mixture,
        "weighs 384 context models on all levels of second-guessing; uniform unless that has won of late",
        params=(
            _share("forget", 0.95, "weight of what followed a guess against the next"),
            _share("watch", 0.97, "weight of a win against the next"),
            _share("floor", 0.1, "share of every prediction that is uniform"),
            Param("gate", 1.0, "standard deviations that the wins must lie above nothing", 0, 20, kind=float),
        ),
        memory=memory_for,
        work=300,
    ),
    "counter": Baseline(
        counter,
        "reads the opponent and answers as far as what it has won allows (restricted Nash response)",
        params=(
            _share("forget", 0.95, "weight of what followed a guess against the next"),
            _share("watch", 0.97, "weight of a win against the next"),
            _share("floor", 0.1, "share of every context model's prediction that is uniform"),
            _share("risk", 0.1, "payoff of the match that may be lost in expectation, against whomever"),
            Param("trust", 0.99, "chance that the forecast is right; 1: the best response", 0.01, 1, kind=float),
            _share("change", 0.002, "chance a round that the opponent becomes another one"),
            Param("sure", -1, "kind it takes the opponent for (docs/search.md), -1: any", -1, KINDS - 1, kind=int),
            _share("habit", 0.0, "share of the rounds played by a person's habits: win, stay; lose, shift"),
        ),
        memory=counter_memory,
        work=50,
    ),
}
