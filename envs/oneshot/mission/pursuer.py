"""The enemies of a mission: they choose the nearest hero, come close, and strike (4.7)."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ..skirmish.ground import distance, flood, gap
from ..skirmish.numbers import barred, expected_wounds, range_steps
from ..state import ALIVE, Item, Status


@kernel
def flask_target(s: Any, p: Any, a: int) -> int:
    """The first hero around whom at least two heroes and no ally stand, within reach; -1 none."""
    if s.items[a, Item.FLASK] <= 0:
        return -1
    for b in range(p.first[0], p.first[0] + p.members[0]):
        if s.standing[b] != Status.UP or distance(s, a, b) > p.flask_reach:
            continue
        heroes = 0
        good = True
        for i in range(len(s.x)):
            if s.standing[i] in ALIVE and distance(s, i, b) <= p.flask_area:
                if s.team[i] == 0:
                    heroes += 1
                elif s.team[i] == 1:
                    good = False
                if barred(s, a, i):
                    good = False
        if good and heroes >= 2:
            return b
    return -1


@kernel
def nearest_foe(s: Any, a: int) -> int:
    """The nearest hero that is up and may be attacked, or the object; ties: heroes first, then the lowest seat."""
    best = -1
    for b in range(len(s.x)):
        if (s.team[b] == 0 or s.team[b] == 2) and s.standing[b] == Status.UP and not barred(s, a, b):
            if best < 0 or distance(s, a, b) < distance(s, a, best):
                best = b
    return best


@kernel
def plan(s: Any, p: Any, a: int) -> None:
    """What enemy `a` does next: `plan_flask`, else `plan_target` with `plan_weapon`, else a move, else nothing."""
    s.plan_flask = -1
    s.plan_target = -1
    s.plan_x = -1
    b = nearest_foe(s, a)
    if not s.acted[a]:
        s.plan_flask = flask_target(s, p, a)
        if s.plan_flask >= 0 or b < 0:
            return
        best = -1.0
        for w in range(2):
            steps = range_steps(s, a, w, b)
            if steps >= 0:
                wounds = expected_wounds(s, p, a, w, b, steps)
                if wounds > best:
                    best = wounds
                    s.plan_target = b
                    s.plan_weapon = w
        if s.plan_target >= 0:
            return
    if b < 0 or s.moved[a] or s.acted[a]:
        return
    flood(s, p, a, s.move_range[a])
    x, y = s.x[a], s.y[a]
    best = gap(x, y, s.span[a], s.x[b], s.y[b], s.span[b]) * 1000000
    for dy in range(-6, 7):
        for dx in range(-6, 7):
            if (dx != 0 or dy != 0) and s.reach[7 + dy] >> (x + dx + 6) & 1:
                far = gap(x + dx, y + dy, s.span[a], s.x[b], s.y[b], s.span[b])
                # nearest, fewest steps, smallest dy, smallest dx
                cost = far * 1000000 + (abs(dx) + abs(dy)) * 10000 + (dy + 6) * 100 + dx + 6
                if cost < best:
                    best = cost
                    s.plan_x = x + dx
                    s.plan_y = y + dy
