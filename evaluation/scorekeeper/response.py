"""How much can be won from `aggressor` in a Scorekeeper duel of two wound sheets, by backward induction.

One side attacks unaimed whenever it may and dodges every blow, as that baseline does; the other side plays the best
response to it. What it wins is how far the baseline is from being unbeatable (its exploitability).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ...envs.core.errors import ProbespielError
from .duel import ACTED, Floats, Round, duel_of, orders, policy_duel


class AggressorSlow(Round):
    """A round in which the slower one attacks unaimed and dodges; the faster one does his best."""

    @cached_property
    def counter_of_fast(self) -> Floats:
        """The best counter of the faster one; the slower one dodges."""
        best, save = self.after, self.slow.save[None, :]
        for hit, blow in zip(self.fast.counter, self.fast.blow):
            struck = save * self.after + (1 - save) * self.on_slow(self.after, blow)
            best = np.maximum(best, (1 - hit)[:, None] * self.after + hit[:, None] * struck)
        return best

    def fast_attacks(self, zone: int, declared: int | None, announced: bool) -> Floats:
        """The turn of the faster one, and then that of the slower one, who dodges and never parries."""
        goes_on = self.after if declared is None else self.slow_attacks(declared, ACTED)
        if zone < 0:
            return self.fast.aid @ goes_on
        hit, save = self.fast.hit[zone][:, None], self.slow.save[None, :]
        struck = save * goes_on + (1 - save) * self.on_slow(goes_on, self.fast.blow[zone])
        return (1 - hit) * goes_on + hit * struck

    def declarations(self, slow_in: bool) -> list[tuple[int | None, bool]]:
        """The slower one's."""
        return [(0, False)] if slow_in else [(None, False)]


class AggressorFast(Round):
    """A round in which the faster one attacks unaimed and dodges; the slower one does his best."""

    @cached_property
    def counter_of_slow(self) -> Floats:
        """The best counter of the slower one; the faster one dodges."""
        best, save = self.after, self.fast.save[:, None]
        for hit, blow in zip(self.slow.counter, self.slow.blow):
            struck = save * self.after + (1 - save) * self.on_fast(self.after, blow)
            best = np.minimum(best, (1 - hit)[None, :] * self.after + hit[None, :] * struck)
        return best

    def _slow_turn(self, zone: int, status: int) -> Floats:
        if zone < 0 or status != ACTED:
            return super()._slow_turn(zone, status)
        hit, save = self.slow.hit[zone][None, :], self.fast.save[:, None]
        struck = save * self.after + (1 - save) * self.on_fast(self.after, self.slow.blow[zone])
        return (1 - hit) * self.after + hit * struck

    def answers(self, declared: int | None, announced: bool, fast_in: bool) -> list[Floats]:
        """What the faster one does after a declaration: nothing but attack."""
        if fast_in:
            return [self.fast_attacks(0, declared, announced)]
        return super().answers(declared, announced, fast_in)


def response_value(setup: Mapping[str, Any], team: str) -> float:
    """What `team` (a or b) wins from an aggressor by its best response; raises Unsupported, ProbespielError."""
    if team not in ("a", "b"):
        raise ProbespielError(f"team = {team!r} is not allowed: a | b")
    duel = duel_of(setup)
    n, m = duel.size
    a, b = duel.sides
    # a fast round is one in which a is faster
    when_a, when_b = (AggressorSlow, AggressorFast) if team == "a" else (AggressorFast, AggressorSlow)
    rule = duel.config["counter_rule"]
    value = np.zeros((n, m))
    later = orders(duel, 2)
    for number in range(duel.config["max_rounds"], 0, -1):
        ends = np.zeros((n + 1, m + 1))
        ends[:n, :m] = value
        ends[:n, m], ends[n, :m] = 1.0, -1.0
        after = a.upkeep @ ends @ b.upkeep.T
        value = np.zeros((n, m))
        for (a_first, a_in, b_in), p in (later if number > 1 else orders(duel, 1)).items():
            if a_first:
                value += p * when_a(a, b, rule, after).value(a_in, b_in)
            else:
                value -= p * when_b(b, a, rule, -after.T).value(b_in, a_in).T
    found = float(value[duel.bodies[0].start, duel.bodies[1].start])
    return found if team == "a" else -found


def exploitability(setup: Mapping[str, Any]) -> float:
    """What a best response wins from aggressors, the mean of both seats: nobody wins more a fight in a tournament."""
    return (response_value(setup, "a") + response_value(setup, "b")) / 2


def aggressor_value(setup: Mapping[str, Any]) -> float:
    """What team a wins where both sides are aggressors."""
    found = policy_duel(setup, setup["config"].get("max_rounds", 30))
    return found.a - found.b


__all__ = ["aggressor_value", "exploitability", "response_value"]
