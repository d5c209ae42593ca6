"""Choices of characters in the build game of OneShot: uniform over whole builds, or after a book of builds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.abi import float64_at, int64_at
from ...envs.core.jit import kernel
from ...envs.core.rng import rand_float
from ...envs.oneshot.build.rules import options, split_count
from ...envs.oneshot.state import OPTIONS_MAX, STAGES, Stage

ARMOUR_TRAINING, GIFT, FINESSE, LUCKY = 4, 2, 8, 32
HEAD = 3  # of a book: number of builds, address of int64[n, STAGES], address of the chances float64[n]


@kernel
def ways_of_triple(p: Any, perks: int, i: int) -> float:
    """Splits of the physical, combat and social points of the i-th triple; 0 if it is not allowed."""
    luck, gift = 1 if perks & LUCKY else 0, 1 if perks & GIFT else 0
    cost = (3 if perks & ARMOUR_TRAINING else 0) + (3 if perks & FINESSE else 0)
    if i >= p.n_triples[luck] or not p.triple_open[luck, gift, i] or 5 + 5 * p.triples[luck, gift, i, 1] < cost:
        return 0.0
    body = split_count(p.triples[luck, gift, i, 0])
    return float(body * body * split_count(p.triples[luck, gift, i, 2]))


@kernel
def loadouts(p: Any, weapon: int, armour: int) -> float:
    """Ways to complete the gear: armour -1: not chosen yet."""
    budget = p.gear_budget if p.gear_budget >= 0 else 1000
    found = 0.0
    for a in range(p.n_armours):
        if armour < 0 or a == armour:
            for i in range(3):
                if p.weapons[weapon, 2] + p.armours[a, 2] + p.item_price[i] <= budget:
                    found += 1.0
    return found


@kernel
def completions(s: Any, p: Any, seat: int, stage: int, option: int) -> float:
    """Number of complete builds behind an option, up to a factor that all options of the stage share."""
    if stage == Stage.PERKS:
        total = 0.0
        for i in range(OPTIONS_MAX):
            total += ways_of_triple(p, p.perk_bits[option], i)
        return total
    if stage == Stage.ATTRIBUTES:
        return ways_of_triple(p, p.perk_bits[s.choice[seat, Stage.PERKS]], option)
    if stage == Stage.WEAPON:
        return loadouts(p, option, -1)
    if stage == Stage.ARMOUR:
        return loadouts(p, s.choice[seat, Stage.WEAPON], option)
    return 1.0


@kernel
def stage_weights(s: Any, p: Any, seat: int, weights: Any) -> None:
    """Weights of the legal options of the running stage, so that every complete build is equally likely."""
    words = np.zeros(3, np.int64)
    options(s, p, seat, s.stage_no, words)
    for i in range(OPTIONS_MAX):
        weights[i] = completions(s, p, seat, s.stage_no, i) if words[i >> 5] >> (i & 31) & 1 else 0.0


@kernel
def drawn_from(weights: Any, rng: Any) -> int:
    """An index drawn in proportion to the weights."""
    total = 0.0
    for i in range(len(weights)):
        total += weights[i]
    x = rand_float(rng) * total
    last = -1
    for i in range(len(weights)):
        if weights[i] > 0.0:
            last = i
            x -= weights[i]
            if x < 0.0:
                return i
    return last


@kernel
def begins_like(s: Any, seat: int, choices: Any, i: int) -> bool:
    """Whether build i of a list int64[n * STAGES] begins with what the seat has chosen so far."""
    for stage in range(s.stage_no):
        if choices[i * STAGES + stage] != s.choice[seat, stage]:
            return False
    return True


@kernel
def by_the_book(s: Any, p: Any, seat: int, rng: Any, memory: int) -> int:
    """The next choice of a build of the book that fits the own choices so far, in proportion to the chances there."""
    head = int64_at(memory, HEAD)
    n = head[0]
    choices = int64_at(head[1], n * STAGES)
    chances = float64_at(head[2], n)
    weights = np.zeros(OPTIONS_MAX)
    for i in range(n):
        if begins_like(s, seat, choices, i):
            weights[choices[i * STAGES + s.stage_no]] += chances[i]
    option = drawn_from(weights, rng)
    if option >= 0:
        return option
    stage_weights(s, p, seat, weights)  # the seat has left the book
    return drawn_from(weights, rng)


__all__ = ["Stage", "by_the_book", "drawn_from", "stage_weights"]
