"""Moves of a search that grows a tree: playing on from a position, forced decisions, dice with known outcomes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..envs.core.abi import (
    APPLY,
    DIE,
    FALL,
    LEGAL,
    RETURNS,
    ROLL,
    TO_ACT,
    address_of,
    call_kernel,
    lowest_bit,
)
from ..envs.core.batch import random_legal
from ..envs.core.inner import inner
from ..envs.core.jit import driver
from ..envs.core.rows import count_legal
from .search_kernel import BAD_POLICY, BAD_RULES, CLOCK, ESTIMATE, cast, roll_out


class Options(NamedTuple):
    """How to search; see `probespiel.agents.solve_search` for the meaning."""

    policy: int
    which: Any  # int64[k], as in `search_kernel.Options`
    epsilon: float
    outlook: int
    memory: int
    horizon: int
    ticks: bool
    effort: int
    explore: float
    ripe: int
    floor: float


class Table(NamedTuple):
    """The game: entry point, parameters, words of a legal set; `sides`, `teams` int64[seats] (see `search_kernel`)."""

    k: int
    p: int
    n_words: int
    sides: Any
    teams: Any


class Scratch(NamedTuple):
    """Working space of a search.

    Records uint8[size]: `state`, `play`, `dealt` (and `dealt_words` int64[size // 8], a view of it), and `link`, the
    end of the chain of deals; `deals` int64[4] counts those. `words` int64[W] is a legal set, `path` int64[P] the nodes
    of a simulation, `which` int64[capacity], `payoff` float64[capacity], `found` float64[2] the utility of each side,
    `digits`, `faces`, `chosen` int64[64], `seed` uint64[1]; `prior` float64[32 W], how often the rollout
    baselines took each action where the searching seat is to act, and `asked` uint64[1], the dice by which they did.
    """

    state: Any
    play: Any
    dealt: Any
    dealt_words: Any
    words: Any
    path: Any
    which: Any
    payoff: Any
    found: Any
    digits: Any
    faces: Any
    chosen: Any
    deals: Any
    link: Any
    seed: Any
    prior: Any
    asked: Any


class Study(NamedTuple):
    """All that one search works with: its tree and roots, and a tree `known` that was solved before."""

    tree: Any  # solve_tree.Tree
    known: Any  # solve_tree.Tree
    roots: Any  # solve_tree.Roots
    game: Table
    options: Options
    scratch: Scratch


class Seeker(NamedTuple):
    """Who searches: the address of the forgotten record (0: the start of the game), the seat, its information state."""

    world: int
    me: int
    key: int


@inner(allocates=False)
def score(game, options, scratch, s, valued):
    """Utilities of both sides at `s` into `found`: payoffs, or what the outlook says."""
    if valued:
        call_kernel(options.outlook, ESTIMATE, s, game.p, options.memory, 0, address_of(scratch.payoff))
    else:
        call_kernel(game.k, RETURNS, s, game.p, 0, 0, address_of(scratch.payoff))
    scratch.found[0] = 0.0
    scratch.found[1] = 0.0
    for seat in range(len(game.sides)):
        scratch.found[game.sides[seat]] += scratch.payoff[seat]


@inner(allocates=False)
def play_out(game, options, scratch, s, until, rng):
    """Play from `s` (modified) to the end, or to the horizon; utilities into `found`; 0 or a status below 0."""
    words_at = address_of(scratch.words)
    call_kernel(game.k, ROLL, s, game.p, 0, 0, address_of(rng))
    cast(game, options, scratch, rng)
    rounds = 0
    while True:
        bits = call_kernel(game.k, TO_ACT, s, game.p, 0, 0, 0)
        if bits < 0:
            return BAD_RULES
        if bits == 0:
            score(game, options, scratch, s, valued=False)
            return 0
        rounds += 1
        if options.horizon > 0:
            ahead = rounds if options.ticks else call_kernel(options.outlook, CLOCK, s, game.p, options.memory, 0, 0)
            if ahead >= until:
                score(game, options, scratch, s, valued=True)
                return 0
        todo = bits
        while todo:
            # Everybody chooses before anybody's choice is applied: a policy may look at the record.
            seat = lowest_bit(todo)
            todo &= todo - 1
            call_kernel(game.k, LEGAL, s, game.p, seat, 0, words_at)
            n = count_legal(scratch.words)
            if n == 0:
                return BAD_RULES
            if n == 1:
                action = random_legal(scratch.words, rng)
            else:
                action = roll_out(game, options, scratch.which[seat], s, seat=seat, words=scratch.words, rng=rng)
            if action < 0:
                return BAD_POLICY
            scratch.chosen[seat] = action
        while bits:
            seat = lowest_bit(bits)
            bits &= bits - 1
            call_kernel(game.k, APPLY, s, game.p, seat, scratch.chosen[seat], 0)
        call_kernel(game.k, ROLL, s, game.p, 0, 0, address_of(rng))


@inner(allocates=False)
def forced(game, scratch, s):
    """Take all decisions at `s` in which there is nothing to choose, up to the next die."""
    while True:
        bits = call_kernel(game.k, TO_ACT, s, game.p, 0, 0, 0)
        if bits <= 0:
            return
        seat = lowest_bit(bits)
        call_kernel(game.k, LEGAL, s, game.p, seat, 0, address_of(scratch.words))
        if count_legal(scratch.words) != 1:
            return
        for w in range(game.n_words):
            if scratch.words[w]:
                call_kernel(game.k, APPLY, s, game.p, seat, 32 * w + lowest_bit(scratch.words[w]), 0)


@driver(allocates=False)
def throw(game, s, code):
    """Throw the dice that are due so that the outcomes are those of a code."""
    while True:
        faces = call_kernel(game.k, DIE, s, game.p, 0, 0, 0)
        if faces == 0:
            return
        call_kernel(game.k, FALL, s, game.p, code % faces, 0, 0)
        code //= faces


@inner(allocates=False)
def rethrow(game, scratch, s, code):
    """Throw the dice that are due as a generator that begins with `code` throws them."""
    scratch.seed[0] = np.uint64(code)
    call_kernel(game.k, ROLL, s, game.p, 0, 0, address_of(scratch.seed))
