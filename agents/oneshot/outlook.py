"""Who will win a skirmish of one against one: told exactly for two who do nothing but attack.

Where a new count begins, both are taken to come as near as pays and to strike whenever it is their turn, until one
falls or the last count is over. What a blow does depends on the wounds of both alone, so their chances are carried
along turn by turn (the duels of 7.5, from a state in the middle of the fight, with distances and ranges). What else
might be done (edges, retreat, items) must lie within the horizon of the search; edges in force are minded as they run
out, saga points and heal draughts count as wounds that can be taken besides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.jit import kernel
from ...envs.oneshot.choices import EdgeClock, LimitResult
from ...envs.oneshot.skirmish.clock import tie_key
from ...envs.oneshot.skirmish.ground import distance
from ...envs.oneshot.skirmish.pilots import rest_of, worth_at
from ...envs.oneshot.state import Item, Status, Talk

MOST = 32  # wounds that somebody can still take, as far as this looks


@kernel
def clock(s: Any, p: Any) -> int:
    """The count: a simulation may end where it has changed."""
    return s.count


@kernel
def blows(s: Any, p: Any, i: int, far: int, scared: int, fooled: int, out: Any) -> None:
    """Chances that an attack of figure i over a distance wounds: `out` float64[2], unhurt and under the malus.

    `scared`, `fooled`: rounds left of an aggressive edge on it, and of its cunning edge on the other.
    """
    hurts, fear, feint = s.wounds[i], s.edge[Talk.AGGRESSIVE, 1 - i, i], s.edge[Talk.CUNNING, i, 1 - i]
    s.edge[Talk.AGGRESSIVE, 1 - i, i] = scared
    s.edge[Talk.CUNNING, i, 1 - i] = fooled
    s.wounds[i] = 0
    out[0] = max(0.0, worth_at(s, p, i, 1 - i, far))
    s.wounds[i] = s.limit[i]
    out[1] = max(0.0, worth_at(s, p, i, 1 - i, far))
    s.wounds[i] = hurts
    s.edge[Talk.AGGRESSIVE, 1 - i, i] = fear
    s.edge[Talk.CUNNING, i, 1 - i] = feint


@kernel
def taken(s: Any, i: int, lost: int) -> int:
    """Wounds of figure i after so many more, the first of which its saga points avert."""
    return s.wounds[i] + max(0, lost - s.saga[i] - s.items[i, Item.HEAL])


@kernel
def hampered(s: Any, i: int, lost: int) -> int:
    """R62: 1 if figure i is under the malus after so many more wounds."""
    return 1 if s.hardened[i] == 0 and 2 * taken(s, i, lost) > s.limit[i] else 0


@kernel
def approach(s: Any, p: Any, i: int, far: int) -> int:
    """The distance from which figure i attacks: as near as it can come, if that is better than where it stands."""
    near = max(min(far, 1), far - s.move_range[i])
    here = worth_at(s, p, i, 1 - i, far)
    return near if here <= 0.0 or worth_at(s, p, i, 1 - i, near) > here else far


@kernel
def race(s: Any, p: Any) -> float:
    """P(win) - P(loss) of figure 0 if both attack until the end."""
    size_a = min(MOST, 1 + rest_of(s, p, 1, 0) + s.saga[0] + s.items[0, Item.HEAL])
    size_b = min(MOST, 1 + rest_of(s, p, 0, 1) + s.saga[1] + s.items[1, Item.HEAL])
    live = np.zeros((size_a, size_b))
    live[0, 0] = 1.0
    chances = np.zeros((2, 2))
    at = np.full(2, -1)  # the distances and edges that these chances are for
    next_turn = np.zeros(2, np.int64)
    left = np.zeros((3, 2), np.int64)  # rounds left of the edges of each on the other
    for i in range(2):
        next_turn[i] = s.count if s.group >> i & 1 else s.due[i]
        for m in range(3):
            left[m, i] = s.edge[m, i, 1 - i]
    far = distance(s, 0, 1)
    value = 0.0
    while True:
        count = min(next_turn[0], next_turn[1])
        if count > p.max_count:
            break
        due = (1 if next_turn[0] == count else 0) | (2 if next_turn[1] == count else 0)
        key_a, key_b = tie_key(s, p, 0), tie_key(s, p, 1)
        while due:
            group = due
            if due == 3 and key_a != key_b:
                group = 1 if key_a < key_b else 2
            due &= ~group
            for i in range(2):
                if group >> i & 1:
                    next_turn[i] += s.c_init[i]
                    far = approach(s, p, i, far)
            for i in range(2):
                scared, fooled = left[Talk.AGGRESSIVE, 1 - i], left[Talk.CUNNING, i]
                wanted = 4 * far + (2 if scared else 0) + (1 if fooled else 0)
                if group >> i & 1 and at[i] != wanted:
                    at[i] = wanted
                    blows(s, p, i, far, scared, fooled, chances[i])
            ready_a = (group & 1) > 0 and left[Talk.DIPLOMATIC, 1] == 0
            ready_b = (group & 2) > 0 and left[Talk.DIPLOMATIC, 0] == 0
            for a in range(size_a - 1, -1, -1):
                for b in range(size_b - 1, -1, -1):
                    mass = live[a, b]
                    if mass == 0.0:
                        continue
                    hit_a = chances[0, hampered(s, 0, a)] if ready_a else 0.0
                    hit_b = chances[1, hampered(s, 1, b)] if ready_b else 0.0
                    live[a, b] = mass * (1.0 - hit_a) * (1.0 - hit_b)
                    if b + 1 < size_b:
                        live[a, b + 1] += mass * hit_a * (1.0 - hit_b)
                    else:
                        value += mass * hit_a * (1.0 - hit_b)
                    if a + 1 < size_a:
                        live[a + 1, b] += mass * hit_b * (1.0 - hit_a)
                    else:
                        value -= mass * hit_b * (1.0 - hit_a)
                    both = mass * hit_a * hit_b
                    if a + 1 < size_a and b + 1 < size_b:
                        live[a + 1, b + 1] += both
                    elif a + 1 < size_a:
                        value += both
                    elif b + 1 < size_b:
                        value -= both
            if p.diplomatic_breaks_on_attack:
                left[Talk.DIPLOMATIC, 0] = 0 if ready_a else left[Talk.DIPLOMATIC, 0]
                left[Talk.DIPLOMATIC, 1] = 0 if ready_b else left[Talk.DIPLOMATIC, 1]
            for i in range(2):
                if group >> (i if p.edge_clock == EdgeClock.PERFORMER else 1 - i) & 1:
                    for m in range(3):
                        left[m, i] = max(0, left[m, i] - 1)
    if p.limit_result == LimitResult.DRAW:
        return value
    for a in range(size_a):
        for b in range(size_b):
            lead = taken(s, 1, b) - taken(s, 0, a)
            if p.limit_result == LimitResult.LOSSES:
                lead += s.start_wounds[0] - s.start_wounds[1]
            if lead > 0:
                value += live[a, b]
            elif lead < 0:
                value -= live[a, b]
    return value


@kernel
def outlook(s: Any, p: Any, out: Any) -> None:
    """Expected payoff of both seats, float64[2], of a duel that goes on."""
    value = 0.0
    if s.standing[0] == Status.UP and s.standing[1] == Status.UP and s.c_init[0] > 0 and s.c_init[1] > 0:
        value = race(s, p)
    out[p.seat_of[0]] = value
    out[p.seat_of[1]] = -value
