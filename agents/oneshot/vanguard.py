"""Fights of missions behind the hardiest hero: enemies strike whoever is nearest to them (4.7), and that is to be he.

The hero who can stand most of the enemies' attacks goes where he deals most; a wound counts for more of whoever is
nearly out, and of whoever deals many. Each of the others goes where he deals more than he has to suffer from those
enemies to whom he is nearer than the hardiest, and strikes before he steps back where that comes to more. An action
that reaches nobody goes into an edge, and nobody stays where he keeps enemies out who are still to come (`spare.py`).
"""

from __future__ import annotations

from typing import Any

from ...envs.core.jit import kernel
from ...envs.oneshot.skirmish.ground import distance, flood, gap
from ...envs.oneshot.skirmish.numbers import barred, chance_at_least, defence_now
from ...envs.oneshot.skirmish.pilots import (
    CLOSE,
    help_of,
    may,
    nearest,
    rest_of,
    steps_at,
    strike,
    unknown,
    worth_at,
)
from ...envs.oneshot.state import HEROES, MOVES, OFFSET_X, OFFSET_Y, RANGED, Action, Status, Talk
from .spare import OPENED, foremost, make_room, opened, rounds_of

# Measured with edges, 4,000 missions each: `boss_hunt` at difficulty 3 completes 28.8 % at 0.5, 29.8 % at 0.7, 31.4 %
# at 1, in others 29.4 % at 1.8; without a bulwark to hide behind it gains nothing (`heist` 51.3 and 51.5 %,
# `cellar_cleanse` 61.3 and 61.5 % at 0.5 and 0.7), and 1 is shown for neither.
FEAR = 0.7  # wounds dealt that a wound suffered is worth
USUAL_HIT = 0.5  # chance that an enemy whose values are hidden hits
# Measured in six presets and at difficulty 3, 2,000 to 4,000 missions each: as many or more completed at 1 than at 0
# everywhere (`heist` 43.8 to 48.4 %, `boss_hunt` at difficulty 3 21.5 to 24.2 %); there 22.7 % at 2.5 and 20.7 % at 6.
NEARLY_OUT = 1.0  # how much more a wound is worth of an enemy whom the next one puts out
# With that and in other missions: 22.8 % in `boss_hunt` at difficulty 3 at 0, 26.4 % at 1.5, 20.6 % at 5; `heist` 49.3,
# 52.1 and 53.5 %, `cellar_cleanse` 56.8, 59.1 and 60.5 %.
DEADLY = 1.5  # how much more it is worth of one who deals a wound a turn
FAR = 0.02  # wounds that a step nearer to an enemy is worth from where nobody can be attacked


@kernel
def threat(s: Any, p: Any, b: int, me: int, far: int) -> float:
    """Wounds that an enemy deals over a distance, as far as `me` may know: its weapons are seen by all."""
    if not unknown(s, p, me, b):
        return max(0.0, worth_at(s, p, b, me, far))
    most = 0.0
    for w in range(2):
        steps = steps_at(s, b, w, far)
        if steps >= 0:
            need = defence_now(s, p, me) - s.w_damage[b, w] + steps
            most = max(most, USUAL_HIT * chance_at_least(need))
    return most


@kernel
def way_of(s: Any, p: Any, b: int, me: int) -> int:
    """How far an enemy can go in a turn, as far as `me` may know."""
    return CLOSE - 1 if unknown(s, p, me, b) else s.move_range[b]


@kernel
def hardiest(s: Any, p: Any) -> int:
    """The hero that stands the attacks of all enemies longest, -1 where no hero is up."""
    best = -1
    most = -1.0
    for i in range(HEROES):
        if s.standing[i] != Status.UP:
            continue
        harm = FAR
        for b in range(HEROES, 2 * HEROES):
            if s.standing[b] == Status.UP:
                harm += threat(s, p, b, i, 1)
        stands = (s.limit[i] + 1 - s.wounds[i]) / harm
        if stands > most:
            most = stands
            best = i
    return best


@kernel
def danger(s: Any, p: Any, me: int, x: int, y: int, front: int) -> float:
    """Wounds that a hero may expect at a place until its next turn, those to whom `front` is nearer left out."""
    total = 0.0
    for b in range(HEROES, 2 * HEROES):
        if s.standing[b] != Status.UP or barred(s, b, me):
            continue
        far = gap(x, y, s.span[me], s.x[b], s.y[b], s.span[b])
        other = distance(s, front, b)
        if other < far or (other == far and front < me):
            continue
        way = way_of(s, p, b, me)
        if s.w_kind[b, 0] == RANGED or s.w_kind[b, 1] == RANGED or far <= way + 1:
            total += threat(s, p, b, me, max(1, far - way))
    return total


@kernel
def step_to(s: Any, me: int, k: int, axis: int) -> int:
    """Where a move leads, -1 being none: its x (axis 0) or y (1)."""
    if axis == 0:
        return s.x[me] + (OFFSET_X[k] if k >= 0 else 0)
    return s.y[me] + (OFFSET_Y[k] if k >= 0 else 0)


@kernel
def blow(s: Any, p: Any, me: int, b: int, x: int, y: int) -> float:
    """Wounds that a strike at an enemy deals from a place, worth more where he is nearly out or deadly; or 0."""
    if s.standing[b] != Status.UP or barred(s, me, b):
        return 0.0
    worth = worth_at(s, p, me, b, gap(x, y, s.span[me], s.x[b], s.y[b], s.span[b]))
    soon = 1.0 + NEARLY_OUT / (1.0 + rest_of(s, p, me, b))
    return max(0.0, worth) * soon * (1.0 + DEADLY * threat(s, p, b, me, 1))


@kernel
def marked(s: Any, p: Any, me: int, x: int, y: int) -> int:
    """The enemy whom it is best to strike from a place; -1 where nobody can be attacked."""
    best = -1
    most = 0.0
    for b in range(HEROES, 2 * HEROES):
        worth = blow(s, p, me, b, x, y)
        if worth > most:
            most = worth
            best = b
    return best


@kernel
def value_at(s: Any, p: Any, me: int, goal: int, k: int, front: int, strikes: int) -> float:
    """Wounds dealt (if it still `strikes`) less wounds feared after a move."""
    x, y = step_to(s, me, k, 0), step_to(s, me, k, 1)
    far = gap(x, y, s.span[me], s.x[goal], s.y[goal], s.span[goal])
    value = -0.001 * far
    if strikes:
        b = marked(s, p, me, x, y)
        value = blow(s, p, me, b, x, y) if b >= 0 else -FAR * far
    if me != front:
        value -= FEAR * danger(s, p, me, x, y, front)
    return value


@kernel
def best_step(s: Any, p: Any, me: int, goal: int, front: int, strikes: int) -> int:
    """The move of the highest value, the shortest of those that come to the same; -1: stay."""
    flood(s, p, me, s.move_range[me])
    best = -1
    most = value_at(s, p, me, goal, -1, front, strikes)
    for k in range(MOVES):
        x, y = s.x[me] + OFFSET_X[k], s.y[me] + OFFSET_Y[k]
        if s.reach[7 + OFFSET_Y[k]] >> (x + 6) & 1:
            value = value_at(s, p, me, goal, k, front, strikes)
            value -= 0.00001 * (abs(x - s.x[me]) + abs(y - s.y[me]))
            if value > most:
                most = value
                best = k
    return best


@kernel
def spare_edge(s: Any, p: Any, me: int) -> int:
    """The edge that spares the party or costs the enemies most wounds while it lasts; else the turn ends."""
    best = Action.END_TURN + 0 * me
    most = 0.0
    for t in range(HEROES):
        b = HEROES + t
        if s.acted[me] or s.standing[b] != Status.UP:
            continue
        far = distance(s, me, b)
        other = foremost(s, b, me)
        mine = other < 0 or far < distance(s, other, b) or (far == distance(s, other, b) and me < other)
        way = way_of(s, p, b, me)
        struck = me if mine else other
        harm = threat(s, p, b, struck, max(1, distance(s, struck, b) - way))
        for method in range(3):
            action = Action.EDGE + 4 * method + t
            worth = 0.0
            if not may(s, action):
                continue
            if method == Talk.DIPLOMATIC:
                if s.edge[method, me, b] <= 1:
                    worth = harm - (threat(s, p, b, other, max(1, distance(s, other, b) - way)) if other >= 0 else 0.0)
            elif method == Talk.CUNNING:
                worth = OPENED * opened(s, p, me, b) * (1.0 + DEADLY * threat(s, p, b, me, 1))
            else:
                s.edge[method, me, b] += 1
                s.edges += 1
                worth = harm - threat(s, p, b, struck, max(1, distance(s, struck, b) - way))
                s.edge[method, me, b] -= 1
                s.edges -= 1
            worth *= rounds_of(s, p, me, b, method)
            if worth > most:
                most = worth
                best = action
    return best


@kernel
def guarded_turn(s: Any, p: Any, me: int) -> int:
    """A decision of the node `turn` in a mission."""
    goal = nearest(s, p, me)
    if goal < 0:
        return make_room(s, p, me)
    front = hardiest(s, p)
    if s.acted[me]:
        if s.moved[me] or me == front:
            return Action.END_TURN
        back = best_step(s, p, me, goal, front, 0)
        return Action.MOVE + back if back >= 0 else Action.END_TURN
    found = help_of(s, p, me)
    if found >= 0:
        return found
    mark = marked(s, p, me, s.x[me], s.y[me])
    if not s.moved[me]:
        k = best_step(s, p, me, goal, front, 1)
        if mark >= 0 and k >= 0:
            back = best_step(s, p, me, goal, front, 0)
            after = blow(s, p, me, mark, s.x[me], s.y[me]) + value_at(s, p, me, goal, back, front, 0)
            if after >= value_at(s, p, me, goal, k, front, 1):
                found = strike(s, p, me, mark)
                if found >= 0:
                    return found
        if k >= 0:
            return Action.MOVE + k
    found = strike(s, p, me, mark if mark >= 0 else goal)
    return found if found >= 0 else spare_edge(s, p, me)
