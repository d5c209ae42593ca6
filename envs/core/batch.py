"""Many tables of one game at once: compiled loops over the rule set's entry point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from . import abi
from .abi import (
    APPLY,
    ENDED,
    LEGAL,
    OBSERVE,
    OVER,
    RETURNS,
    ROLL,
    STOPPED,
    TO_ACT,
    address_of,
    call_kernel,
    copy_bytes,
    lowest_bit,
    popcount,
    select_bit,
    zero_bytes,
)
from .brief import brief
from .checks import check_seed
from .errors import ProbespielError
from .game import Game
from .jit import driver
from .rng import rand_below, rng_table

MOST_TABLES = 10_000_000


@driver(allocates=False)
def start_table(k, s, p, size, rng):
    """Start a game in the record at `s` and throw the first dice; `rng` uint64[1] is advanced.

    `p` is the address of a game's parameters, before which its fresh record lies.
    """
    copy_bytes(s, p - size, size)
    call_kernel(k, ROLL, s, p, 0, 0, address_of(rng))


@driver(allocates=False, inline="always")
def random_legal(words, rng):
    """A uniform action of a legal-action set (int64[W], 32 bits used); -1 if it is empty."""
    if len(words) == 1:  # so it is in most games
        word = words[0]
        n = popcount(word)
        if n > 1:
            return select_bit(word, rand_below(rng, n))
        return lowest_bit(word) if n else -1
    total = 0
    for w in range(len(words)):
        total += popcount(words[w])
    if total == 0:
        return -1
    pick = rand_below(rng, total) if total > 1 else 0
    for w in range(len(words)):
        word = words[w]
        n = popcount(word)
        if pick < n:
            return 32 * w + select_bit(word, pick)
        pick -= n
    return -1


class Tally(NamedTuple):
    """Of many games: payoffs added up `totals` float64[capacity], and `counts` int64[3].

    Counted are games ended, games stopped by the limit, and states without a legal action (a rules error).
    """

    totals: Any
    counts: Any


class Step(NamedTuple):
    """What a step of n tables takes and gives.

    `bits` int64[n] seats to act, `actions` int64[n, seats]; `rewards` float64[n, seats] gets the change of payoff,
    `done` int8[n] the status (0 running, 1 ended, 2 stopped); `before` float64[n, capacity] are the payoffs so far.
    """

    bits: Any
    actions: Any
    rewards: Any
    done: Any
    before: Any


@driver
def play_random(k, p, states, rngs, n_words, capacity, games, tally):
    """Play `games` whole games at every table by uniform legal actions; return decisions taken.

    `states` uint8[n, size], `rngs` uint64[n] and `tally` Tally are modified.
    """
    totals, counts = tally.totals, tally.counts
    n, size = states.shape
    base = address_of(states)
    words = np.zeros(n_words, np.int64)
    words_at = address_of(words)
    payoff = np.zeros(capacity, np.float64)
    decisions = 0
    for i in range(n):
        s = base + i * size
        rng = rngs[i : i + 1]
        rng_at = address_of(rng)
        for _ in range(games):
            start_table(k, s, p, size, rng=rng)
            while True:
                bits = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
                if bits == 0:
                    break
                stuck = False
                while bits:
                    seat = lowest_bit(bits)
                    bits &= bits - 1
                    call_kernel(k, LEGAL, s, p, seat, 0, words_at)
                    action = random_legal(words, rng)
                    if action < 0:
                        stuck = True
                        break
                    call_kernel(k, APPLY, s, p, seat, action, 0)
                    decisions += 1
                if stuck:
                    counts[2] += 1
                    break
                call_kernel(k, ROLL, s, p, 0, 0, rng_at)
            status = call_kernel(k, OVER, s, p, 0, 0, 0)
            counts[0] += status == ENDED
            counts[1] += status == STOPPED
            call_kernel(k, RETURNS, s, p, 0, 0, address_of(payoff))
            for seat in range(capacity):
                totals[seat] += payoff[seat]
    return decisions


@driver
def read_tables(k, p, states, n_words, n_actions, bits, observations, masks):
    """Write for every table and seat to act the observation and the action mask.

    `states` uint8[n, size]; out: `bits` int64[n] seats to act, `observations` float32[n, seats, L] and `masks` int8[n,
    seats, A]; rows of seats that owe no decision are left as they are.
    """
    n, size = states.shape
    base = address_of(states)
    words = np.zeros(n_words, np.int64)
    words_at = address_of(words)
    length = observations.shape[2]
    seats = observations.shape[1]
    for i in range(n):
        s = base + i * size
        todo = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
        bits[i] = todo
        while todo:
            seat = lowest_bit(todo)
            todo &= todo - 1
            row = address_of(observations) + 4 * length * (i * seats + seat)
            zero_bytes(row, 4 * length)
            call_kernel(k, OBSERVE, s, p, seat, 0, row)
            call_kernel(k, LEGAL, s, p, seat, 0, words_at)
            mask = masks[i, seat]
            for a in range(n_actions):
                mask[a] = (words[a >> 5] >> (a & 31)) & 1


@driver
def random_actions(masks, bits, rngs, actions):
    """Draw a uniform legal action for every seat to act: `masks` int8[n, seats, A], `actions` int64[n, seats]."""
    n = len(bits)
    for i in range(n):
        todo = bits[i]
        while todo:
            seat = lowest_bit(todo)
            todo &= todo - 1
            mask = masks[i, seat]
            total = 0
            for a in range(len(mask)):
                total += mask[a]
            pick = rand_below(rngs[i : i + 1], total)
            for a in range(len(mask)):
                if mask[a]:
                    if pick == 0:
                        actions[i, seat] = a
                        break
                    pick -= 1


@driver
def step_tables(k, p, states, rngs, step, restart):
    """Apply the actions of the seats to act at every table, throw the dice, and score (see Step).

    Actions must be legal (checked by the caller). With `restart` a finished table starts its next game at once.
    """
    bits, actions, rewards, done, returns_before = step.bits, step.actions, step.rewards, step.done, step.before
    n, size = states.shape
    base = address_of(states)
    seats = rewards.shape[1]
    capacity = returns_before.shape[1]
    payoff = np.zeros(capacity, np.float64)
    payoff_at = address_of(payoff)
    for i in range(n):
        s = base + i * size
        todo = bits[i]
        if todo == 0:
            continue
        while todo:
            seat = lowest_bit(todo)
            todo &= todo - 1
            call_kernel(k, APPLY, s, p, seat, actions[i, seat], 0)
        rng = rngs[i : i + 1]
        call_kernel(k, ROLL, s, p, 0, 0, address_of(rng))
        status = call_kernel(k, OVER, s, p, 0, 0, 0)
        done[i] = status
        call_kernel(k, RETURNS, s, p, 0, 0, payoff_at)
        for seat in range(seats):
            rewards[i, seat] = payoff[seat] - returns_before[i, seat]
            returns_before[i, seat] = payoff[seat]
        if status and restart:
            start_table(k, s, p, size, rng=rng)
            for seat in range(capacity):
                returns_before[i, seat] = 0.0


@driver(allocates=False)
def start_tables(k, p, states, rngs):
    """Start a new game at every table."""
    size = states.shape[1]
    for i in range(len(states)):
        start_table(k, address_of(states) + i * size, p, size, rng=rngs[i : i + 1])


@dataclass(frozen=True)
class RandomPlay:
    """What uniform random play showed: counts and the mean payoff of every seat."""

    games: int
    decisions: int
    stopped: int
    stuck: int
    mean_payoff: np.ndarray


def check_tables(n: int) -> None:
    """Raise ProbespielError for a number of tables that no batch can have."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 1 <= n <= MOST_TABLES:
        raise ProbespielError(f"n = {brief(n)} is not allowed: 1..{MOST_TABLES} tables")


class Batch:
    """`n` tables of a game, stepped together; all arrays are reused between steps."""

    def __init__(self, game: Game, n: int, seed: int = 0) -> None:
        check_tables(n)
        if not isinstance(game, Game):
            raise ProbespielError(f"game = {brief(game)} is not allowed: a Game, as make_game gives it")
        self.game = game
        self.n = n
        self.states = np.zeros((n, game.state_size), dtype=np.uint8)
        self.rngs = rng_table(check_seed(seed), n, "batch")
        seats = game.n_seats
        self.bits = np.zeros(n, dtype=np.int64)
        self.actions = np.zeros((n, seats), dtype=np.int64)
        self.rewards = np.zeros((n, seats), dtype=np.float64)
        self.done = np.zeros(n, dtype=np.int8)
        self._before = np.zeros((n, game.capacity), dtype=np.float64)
        self._observations: np.ndarray | None = None
        self._masks: np.ndarray | None = None

    @property
    def observations(self) -> np.ndarray:
        """float32[n, seats, L], filled by `read`."""
        if self._observations is None:
            self._observations = np.zeros((self.n, self.game.n_seats, self.game.layout.size), dtype=np.float32)
        return self._observations

    @property
    def masks(self) -> np.ndarray:
        """int8[n, seats, A], filled by `read`."""
        if self._masks is None:
            self._masks = np.zeros((self.n, self.game.n_seats, self.game.n_actions), dtype=np.int8)
        return self._masks

    def _checked(self, result: Any) -> Any:
        self.game.kernel.raise_pending()
        return result

    def start(self) -> None:
        """Start a new game at every table."""
        start_tables(self.game.address, self.game.params_address, self.states, self.rngs)
        self._before[:] = 0
        self.done[:] = 0
        self._checked(None)

    def read(self) -> None:
        """Fill `bits`, `observations` and `masks` for the seats to act."""
        g = self.game
        read_tables(
            g.address,
            g.params_address,
            self.states,
            g.words,
            n_actions=g.n_actions,
            bits=self.bits,
            observations=self.observations,
            masks=self.masks,
        )
        self._checked(None)

    def draw_random(self) -> None:
        """Fill `actions` with uniform legal choices, after `read`."""
        random_actions(self.masks, self.bits, self.rngs, self.actions)

    def step(self, restart: bool = True) -> None:
        """Apply `actions` of the seats in `bits`; fill `rewards` and `done`. Legality is the caller's duty."""
        g = self.game
        step_tables(
            g.address,
            g.params_address,
            self.states,
            self.rngs,
            step=Step(bits=self.bits, actions=self.actions, rewards=self.rewards, done=self.done, before=self._before),
            restart=restart,
        )
        self._checked(None)

    def play_random(self, games: int = 1) -> RandomPlay:
        """Play `games` games, at least 1, by uniform legal actions at every table. Raises ProbespielError."""
        g = self.game
        if isinstance(games, bool) or not isinstance(games, (int, np.integer)) or games < 1:
            raise ProbespielError(f"games = {brief(games)} is not allowed: a whole number from 1 on")
        totals = np.zeros(g.capacity, dtype=np.float64)
        counts = np.zeros(3, dtype=np.int64)
        decisions = play_random(
            g.address,
            g.params_address,
            self.states,
            self.rngs,
            n_words=g.words,
            capacity=g.capacity,
            games=games,
            tally=Tally(totals=totals, counts=counts),
        )
        self._checked(None)
        played = self.n * games
        return RandomPlay(played, int(decisions), int(counts[1]), int(counts[2]), totals[: g.n_seats] / played)


__all__ = ["Batch", "RandomPlay", "abi"]
