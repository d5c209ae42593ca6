"""What a hero of a mission does with an action that no blow needs: edges (2.5), and room for enemies still to come.

An edge costs an action, and one that can strike is worth more; of a turn in which nobody can be reached it costs
nothing. Enemies come in at places of their own (4.7.4), and while heroes or the fallen cover all of them nobody comes,
until the limit of counts fails the mission.
"""

from __future__ import annotations

from typing import Any

from ...envs.core.jit import kernel
from ...envs.oneshot.skirmish.ground import distance, flood, gap
from ...envs.oneshot.skirmish.numbers import barred, edge_modifier
from ...envs.oneshot.skirmish.pilots import USUAL_VALUE, may, unknown, worth_at
from ...envs.oneshot.state import ALIVE, HEROES, MOVES, OFFSET_X, OFFSET_Y, Action, Status, Talk

LONG = 4.0  # rounds of an edge that count: by then the enemy is out, or somewhere else
OPENED = 0.25  # what a wound counts that a feint promises, as whoever strikes next may strike somebody else


@kernel
def rounds_of(s: Any, p: Any, me: int, b: int, method: int) -> float:
    """Expected rounds of an edge over an enemy, the chance of none included (R84)."""
    value = USUAL_VALUE if unknown(s, p, me, b) else s.value[b, method]
    more = edge_modifier(s, p, me, b, method) - value - p.social_offset
    total = 0.0
    for face in range(1, 7):
        wins = 1.0 if face + more >= p.social_tie else 0.0
        if face == 1:
            wins *= 4.0 / 6.0
        elif face == 6:
            wins = max(wins, 2.0 / 6.0)
        total += wins * min(LONG, max(1.0, 1.0 * (face + more)))
    return total / 6.0


@kernel
def foremost(s: Any, b: int, me: int) -> int:
    """The hero beside `me` whom an enemy would strike; -1 none."""
    best = -1
    for i in range(HEROES):
        if i != me and s.standing[i] == Status.UP and not barred(s, b, i):
            if best < 0 or distance(s, i, b) < distance(s, best, b):
                best = i
    return best


@kernel
def opened(s: Any, p: Any, me: int, b: int) -> float:
    """Wounds more that the party deals to an enemy in a turn while a cunning edge lies on it."""
    more = 0.0
    for i in range(HEROES):
        if s.standing[i] != Status.UP or barred(s, i, b):
            continue
        far = max(1, distance(s, i, b) - s.move_range[i])
        now = worth_at(s, p, i, b, far)
        if now >= 0.0:
            s.edge[Talk.CUNNING, me, b] += 1
            s.edges += 1
            more += worth_at(s, p, i, b, far) - now
            s.edge[Talk.CUNNING, me, b] -= 1
            s.edges -= 1
    return more


@kernel
def all_covered(s: Any, p: Any, me: int, x: int, y: int) -> bool:
    """Whether no enemy could come in if `me` stood at a place."""
    for k in range(p.wave_size):
        at_x, at_y = p.grid_width - 2, (p.grid_height - 2) * (k + 1) // (p.wave_size + 1)
        free = gap(at_x, at_y, 2, x, y, s.span[me]) > 0
        for i in range(len(s.x)):
            if i != me and s.standing[i] in ALIVE and gap(at_x, at_y, 2, s.x[i], s.y[i], s.span[i]) == 0:
                free = False
        if free:
            return False
    return True


@kernel
def make_room(s: Any, p: Any, me: int) -> int:
    """Nobody is there to be fought: the nearest place that lets one in, or an end of who lies in the way."""
    if s.to_enter == 0 or not all_covered(s, p, me, s.x[me], s.y[me]):
        return Action.END_TURN
    if not s.moved[me]:
        flood(s, p, me, s.move_range[me])
        for k in range(MOVES):  # the nearest first
            x, y = s.x[me] + OFFSET_X[k], s.y[me] + OFFSET_Y[k]
            if s.reach[7 + OFFSET_Y[k]] >> (x + 6) & 1 and not all_covered(s, p, me, x, y):
                return Action.MOVE + k
    if not s.acted[me]:
        for t in range(HEROES):
            if may(s, Action.EXECUTE + t):
                return Action.EXECUTE + t
    best = -1
    least = 1 << 20
    if not s.moved[me]:
        for k in range(MOVES):
            x, y = s.x[me] + OFFSET_X[k], s.y[me] + OFFSET_Y[k]
            if s.reach[7 + OFFSET_Y[k]] >> (x + 6) & 1:
                for b in range(HEROES, 2 * HEROES):
                    if s.standing[b] == Status.UNCONSCIOUS:
                        far = gap(x, y, s.span[me], s.x[b], s.y[b], s.span[b])
                        if far < least:
                            least = far
                            best = k
    return Action.MOVE + best if best >= 0 else Action.END_TURN
