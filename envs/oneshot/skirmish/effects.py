"""What attacks, edges and items do, at once or at the end of a simultaneous group (R39, R40, R50-R53, R60-R66)."""

from __future__ import annotations

from typing import Any

from ...core.abi import lowest_bit
from ...core.jit import kernel
from .. import hooks
from ..dicing import begin_check, note, throw
from ..state import ALIVE, STAMINA, Check, Die, Event, FightStage, Status, Talk
from .clock import decided, roll_initiative, tie_key
from .numbers import malus


@kernel
def settle(s: Any) -> None:
    """Effects outside a simultaneous group come at once (R40)."""
    if s.pending and not s.deferred:
        s.resolving = 0
        s.stage = FightStage.RESOLVE


@kernel
def drop_edges(s: Any, i: int) -> None:
    """R87: all edges of or on a figure end."""
    if s.edges == 0:
        return
    for m in range(3):
        for j in range(len(s.x)):
            if s.edge[m, i, j] > 0:
                s.edge[m, i, j] = 0
                s.edges -= 1
                note(s, Event.EDGE_END, i, j, m)
            if s.edge[m, j, i] > 0:
                s.edge[m, j, i] = 0
                s.edges -= 1
                note(s, Event.EDGE_END, j, i, m)


@kernel
def rejoin(s: Any, p: Any, i: int) -> None:
    """R64: a figure that is up again finds its next turn."""
    s.standing[i] = Status.UP
    note(s, Event.HEALED, i, 0, 0)
    if s.c_init[i] == 0:
        s.wakers |= 1 << i
    elif s.surprise == 0:
        c = s.c_init[i]
        s.due[i] = (s.count + c - 1) // c * c
        if s.due[i] == s.count and (tie_key(s, p, i) <= s.last_key or (s.count == 0 and not p.turn_at_zero)):
            s.due[i] += c


@kernel
def join_late(s: Any, p: Any, i: int, face: int) -> None:
    """R64: initiative of a figure that comes when the fight has begun: no surprise turn, from the next count on.

    After the surprise turns that is the first count, which with `turn_at_zero` is 0.
    """
    c = abs(roll_initiative(s, p, i, face))
    if c == 0:
        c = p.zero_initiative
    s.c_init[i] = c
    s.due[i] = (s.count // c + 1) * c
    note(s, Event.INITIATIVE, i, c, face)


@kernel
def wake_dice(s: Any) -> bool:
    """Ask for the initiative of the next figure that woke without one."""
    if s.wakers:
        i = lowest_bit(s.wakers)
        s.wakers &= s.wakers - 1
        throw(s, Die.WAKE, i, 6)
        return True
    return False


@kernel
def resolve_step(s: Any, p: Any) -> None:
    """R40: the next part of the collected effects."""
    n = len(s.x)
    at = s.resolving
    if at == 0:
        s.wakers = 0
        for i in range(n):
            if s.pend_heal[i]:
                if s.standing[i] in ALIVE:
                    s.wounds[i] = max(0, s.wounds[i] - p.heal_amount * s.pend_heal[i])
                    if s.standing[i] == Status.UNCONSCIOUS and s.wounds[i] <= s.limit[i]:
                        rejoin(s, p, i)
                s.pend_heal[i] = 0
        s.resolving = 1
    elif at == 1:
        if not wake_dice(s):
            for i in range(n):
                if s.pend_wake >> i & 1 and s.standing[i] == Status.UNCONSCIOUS:
                    s.wounds[i] = min(s.wounds[i], s.limit[i])
                    rejoin(s, p, i)
            s.pend_wake = 0
            s.resolving = 2
    elif at == 2:
        if not wake_dice(s):
            s.resolving = 3
    elif at == 3:
        effects_of_arms(s, p)
        s.resolving = 4
    elif s.falling:
        i = lowest_bit(s.falling)
        s.falling &= s.falling - 1
        mod = s.physical[i, STAMINA] - malus(s, i)
        if p.survival_is_test:
            mod -= s.armour_malus[i]
        begin_check(s, Check.SURVIVE, i, hooks.survival_bonus(s, p, i, mod), 4, p.survival_is_test, 0, 0)
    else:
        s.pending = 0
        if decided(s, p):
            return
        s.stage = FightStage.CLOSE if s.deferred else FightStage.TURN


@kernel
def effects_of_arms(s: Any, p: Any) -> None:
    """R40: executions, broken edges, new edges, wounds; who must roll to survive."""
    n = len(s.x)
    for i in range(n):
        if s.pend_kill >> i & 1:
            s.standing[i] = Status.DEAD
            drop_edges(s, i)
    s.pend_kill = 0
    if s.edges:
        for i in range(n):
            if s.pend_break[i]:
                for j in range(n):
                    if s.pend_break[i] >> j & 1 and s.edge[Talk.DIPLOMATIC, i, j] > 0:
                        s.edge[Talk.DIPLOMATIC, i, j] = 0
                        s.edges -= 1
                        note(s, Event.EDGE_END, i, j, Talk.DIPLOMATIC)
    for i in range(n):
        s.pend_break[i] = 0
    if s.pend_edges:
        for m in range(3):
            for i in range(n):
                for j in range(n):
                    rounds = s.pend_edge[m, i, j]
                    if rounds > 0:
                        s.pend_edge[m, i, j] = 0
                        if s.standing[i] == Status.UP and s.standing[j] == Status.UP:
                            if s.edge[m, i, j] == 0:
                                s.edges += 1
                            s.edge[m, i, j] = max(s.edge[m, i, j], rounds)
                            s.fresh[m, i] |= 1 << j
        s.pend_edges = 0
    s.falling = 0
    for i in range(n):
        if s.pend_wound[i]:
            if s.standing[i] in ALIVE:
                s.wounds[i] += s.pend_wound[i]
                note(s, Event.WOUND, i, s.wounds[i], s.limit[i])
                if s.wounds[i] > s.limit[i]:
                    if s.team[i] == 2:
                        s.standing[i] = Status.DEAD  # an object is destroyed, it rolls nothing
                        drop_edges(s, i)
                    else:
                        s.falling |= 1 << i
                else:
                    hooks.wounded(s, p, i)
            s.pend_wound[i] = 0
