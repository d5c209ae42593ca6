"""Compiled fights of a baseline against itself, in which positions at the start of rounds are written down."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...envs.core.abi import APPLY, LEGAL, RETURNS, ROLL, TO_ACT, address_of, call_kernel, lowest_bit
from ...envs.core.batch import random_legal, start_table
from ...envs.core.jit import driver
from ...envs.core.rng import rand_float

CLOCK, SEE = 0, 1  # entries of the function that looks


class Call(NamedTuple):
    """Addresses of what is called: the rules, the outlook, the policy and what tells it from others."""

    k: int
    look: int
    policy: int
    which: int


class Plan(NamedTuple):
    """How many fights a record, the share of starts that is kept, and how wild first rounds are.

    In every second fight the first round is played at random with the chance `stray` a decision, and not written down.
    """

    games: int
    share: float
    stray: float


class Desk(NamedTuple):
    """Working space: `state` uint8[size], `words` int64[W], `one` float64[features], `payoff` float64[64].

    `rngs` uint64[1] is the generator.
    """

    state: Any
    words: Any
    one: Any
    payoff: Any
    rngs: Any


class Found(NamedTuple):
    """What was seen: `rows` int64[m] (number of the record), `seen` float32[m, features], `results` float32[m].

    The results are the payoffs of seat 0 in the end.
    """

    rows: Any
    seen: Any
    results: Any


@driver
def collect(call, params, plan, desk, found):
    """Play fights with every record of parameters and write down a share of the rounds' starts.

    `call` Call, `params` int64[n]: addresses, `plan` Plan, `desk` Desk, `found` Found. Returns how many were written,
    or a number below 0 for a policy that answered what is not legal.
    """
    k, look, policy, which = call.k, call.look, call.policy, call.which
    games, share, stray = plan.games, plan.share, plan.stray
    state, words, one, payoff, rngs = desk.state, desk.words, desk.one, desk.payoff, desk.rngs
    rows, seen, results = found.rows, found.seen, found.results
    used = 0
    s, rng_at = address_of(state), address_of(rngs)
    for i in range(len(params)):
        p = params[i]
        for number in range(games):
            wild = number % 2 == 1
            first = used
            clock = -1
            start_table(k, s, p, len(state), rng=rngs)
            call_kernel(k, ROLL, s, p, 0, 0, rng_at)
            while True:
                bits = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
                if bits == 0:
                    break
                now = call_kernel(look, CLOCK, s, p, 0, 0, 0)
                if now != clock:
                    clock = now
                    if not (wild and now == 1) and used < len(rows) and rand_float(rngs) < share:
                        able_now = call_kernel(look, SEE, s, p, 0, 0, address_of(one))
                        if able_now & 15 and able_now >> 4:
                            for j in range(len(one)):
                                seen[used, j] = one[j]
                            rows[used] = i
                            used += 1
                seat = lowest_bit(bits)
                call_kernel(k, LEGAL, s, p, seat, 0, address_of(words))
                if wild and now == 1 and rand_float(rngs) < stray:
                    action = random_legal(words, rngs)
                else:
                    action = call_kernel(policy, which, s, p, seat, k, rng_at)
                if action < 0 or not (words[action >> 5] >> (action & 31)) & 1:
                    return -1
                call_kernel(k, APPLY, s, p, seat, action, 0)
                call_kernel(k, ROLL, s, p, 0, 0, rng_at)
            call_kernel(k, RETURNS, s, p, 0, 0, address_of(payoff))
            for j in range(first, used):
                results[j] = payoff[0]
    return used
