"""What follows a decision of a mission if a heuristic party goes on to the end, compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from probespiel.agents.base import NativePolicy
from probespiel.envs.core.abi import APPLY, RETURNS, ROLL, TO_ACT, address_of, call_kernel, copy_bytes, lowest_bit
from probespiel.envs.core.game import Game
from probespiel.envs.core.jit import driver


class Rules(NamedTuple):
    """What compiled code calls: the rules and their parameters, and a baseline's entry and number (addresses)."""

    k: int
    p: int
    policy: int
    which: int

    @classmethod
    def of(cls, game: Game, policy: NativePolicy) -> Rules:
        """A game and the baseline that plays it, which must be kept as long as these addresses are used."""
        return cls(game.address, game.params_address, policy.address, policy.which)


@driver
def choice_of(rules: Any, world: Any, seat: int, seed: Any) -> int:
    """What the baseline does in a record, uint8[.]."""
    rng = np.zeros(1, np.uint64)
    rng[0] = seed
    return call_kernel(rules.policy, rules.which, address_of(world), rules.p, seat, rules.k, address_of(rng))


@driver
def take_all(rules: Any, world: Any, seat: int, actions: Any, seeds: Any, out: Any) -> None:
    """Take each of `actions` int64[c] in a record, forgotten or not, with the dice of each of `seeds` uint64[r].

    `out` float64[c, r] gets the payoff of the first seat, the baseline playing on to the end.
    """
    record, payoffs, rng = np.zeros_like(world), np.zeros(64), np.zeros(1, np.uint64)
    s, dice = address_of(record), address_of(rng)
    for r in range(len(seeds)):
        for c in range(len(actions)):
            copy_bytes(s, address_of(world), len(world))
            rng[0] = seeds[r]
            call_kernel(rules.k, ROLL, s, rules.p, 0, 0, dice)
            call_kernel(rules.k, APPLY, s, rules.p, seat, actions[c], 0)
            call_kernel(rules.k, ROLL, s, rules.p, 0, 0, dice)
            while True:
                bits = call_kernel(rules.k, TO_ACT, s, rules.p, 0, 0, 0)
                if bits <= 0:
                    break
                who = lowest_bit(bits)
                action = call_kernel(rules.policy, rules.which, s, rules.p, who, rules.k, dice)
                call_kernel(rules.k, APPLY, s, rules.p, who, action, 0)
                call_kernel(rules.k, ROLL, s, rules.p, 0, 0, dice)
            call_kernel(rules.k, RETURNS, s, rules.p, 0, 0, address_of(payoffs))
            out[c, r] = payoffs[0]
