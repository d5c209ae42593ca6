"""Who has a turn when: initiative, surprise, the count, groups, the end of a fight (R30-R41)."""

from __future__ import annotations

from typing import Any

from ...core.abi import lowest_bit, popcount
from ...core.jit import kernel
from .. import hooks
from ..choices import EdgeClock, LimitResult, Simultaneous, TieBreak
from ..dicing import note, throw
from ..state import MISSION, NOBODY, Die, Event, FightStage, Status
from .numbers import hurt_malus

NO_KEY = -(1 << 40)


@kernel
def clear_last(s: Any) -> None:
    """Nothing has happened since the last decision."""
    s.l_attack = s.l_need = s.l_damage = s.l_defence = s.l_rounds = s.l_total = s.l_goal = -99
    s.l_hit = s.l_wound = s.l_survival = s.l_weak = s.l_success = -99
    s.l_hurt = 0
    s.l_natural = 0
    s.l_secret = -1


@kernel
def begin_fight(s: Any, p: Any) -> None:
    """Figures stand as they shall: forget the last fight and roll initiative."""
    hooks.reset_fields(s, p, 0)
    n = len(s.x)
    for i in range(n):
        s.c_init[i] = 0
        s.due[i] = 0
        s.moved[i] = 0
        s.acted[i] = 0
        s.start_wounds[i] = s.wounds[i]
        s.start_up[i] = 1 if s.standing[i] == Status.UP else 0
        s.pend_heal[i] = s.pend_wound[i] = s.pend_break[i] = 0
        for m in range(3):
            s.fresh[m, i] = 0
            for j in range(n):
                s.edge[m, i, j] = 0
                s.pend_edge[m, i, j] = 0
    s.edges = s.pending = s.pend_edges = s.pend_wake = s.pend_kill = 0
    s.surprise = 0
    s.count = 0
    s.winner = -1
    s.stage = FightStage.INIT
    s.die_at = -1
    s.last_init = -(1 << 40)
    s.last_key = NO_KEY
    clear_last(s)


@kernel
def roll_initiative(s: Any, p: Any, i: int, face: int) -> int:
    """R30, R62: the rolled sum."""
    return face + hooks.initiative_bonus(s, p, i, s.initiative[i] + s.init_mod[i] + hurt_malus(s, i))


@kernel
def initiative_step(s: Any) -> None:
    """Ask for the initiative die of the next figure that is up, or go on to the turns."""
    i = s.die_at + 1
    while i < len(s.x) and (s.standing[i] != Status.UP or s.team[i] == 2):
        i += 1
    if i < len(s.x):
        throw(s, Die.INITIATIVE, i, 6)
        return
    s.surprise = 0
    for j in range(len(s.x)):
        if s.c_init[j] < 0:
            s.surprise = 1
    s.stage = FightStage.PICK
    if s.surprise == 0:
        begin_count(s)


@kernel
def begin_count(s: Any) -> None:
    """R31-R33: combat initiatives become absolute, the count starts."""
    s.surprise = -1  # the surprise turns are over, the first count is still to be picked


@kernel
def set_due(s: Any, p: Any) -> None:
    """First counts of all figures."""
    s.surprise = 0
    for i in range(len(s.x)):
        if s.c_init[i] < 0:
            s.c_init[i] = -s.c_init[i]
        s.due[i] = 0 if p.turn_at_zero else s.c_init[i]
    s.count = 0
    s.last_key = NO_KEY


@kernel
def tie_key(s: Any, p: Any, i: int) -> int:
    """R34, A13: what orders figures on the same count."""
    return s.initiative[i] if p.tie_break == TieBreak.INITIATIVE_LOW else s.combat[i, 2]


@kernel
def finish(s: Any, winner: int) -> None:
    """The fight is over: 0, 1 the team that wins, -1 a draw."""
    s.winner = winner
    s.stage = FightStage.OVER
    s.node = NOBODY
    note(s, Event.END, -1, winner, s.count)


@kernel
def at_the_limit(s: Any, p: Any) -> None:
    """A15b: the count has reached `max_count`."""
    s.count = p.max_count
    score = 0
    hurts = 0
    for i in range(len(s.x)):
        if s.team[i] < 2 and s.standing[i] != Status.ABSENT:
            sign = 1 if s.team[i] == 0 else -1
            up = 1 if s.standing[i] == Status.UP else 0
            score += sign * (up - s.start_up[i] if p.limit_result == LimitResult.LOSSES else up)
            hurts -= sign * (s.wounds[i] - s.start_wounds[i] if p.limit_result == LimitResult.LOSSES else s.wounds[i])
    if score == 0:
        score = hurts
    if p.limit_result == LimitResult.DRAW:
        score = 0
    winner = -1
    if score > 0:
        winner = 0
    elif score < 0:
        winner = 1
    finish(s, winner)


@kernel
def standing_for(s: Any, p: Any, team: int) -> int:
    """Number of figures of a team that are up and stand for it."""
    n = 0
    for i in range(len(s.x)):
        if s.team[i] == team and s.standing[i] == Status.UP and hooks.stands(s, p, i, 1):
            n += 1
    return n


@kernel
def decided(s: Any, p: Any) -> bool:
    """R41: end the fight if at most one team has a figure that is up."""
    red, blue = standing_for(s, p, 0), standing_for(s, p, 1)
    if MISSION:
        if p.object_at >= 0 and s.object_in and s.wounds[p.object_at] > s.limit[p.object_at]:
            finish(s, 1)
            return True
        if red > 0 and s.to_enter > 0:
            return False
    if red and blue:
        return False
    winner = -1
    if red:
        winner = 0
    elif blue:
        winner = 1
    finish(s, winner)
    return True


@kernel
def pick_group(s: Any, p: Any) -> None:
    """R31-R34: the next group that has its turns, in the surprise round or on the count."""
    n = len(s.x)
    if s.surprise == 1:
        best = 1 << 40
        key = 0
        for i in range(n):
            if s.standing[i] == Status.UP and s.c_init[i] < 0:
                k = tie_key(s, p, i)
                later = s.c_init[i] > s.last_init or (s.c_init[i] == s.last_init and k > s.last_key)
                if later and (s.c_init[i] < best or (s.c_init[i] == best and k < key)):
                    best, key = s.c_init[i], k
        if best < 0:
            s.last_init, s.last_key = best, key
            s.group = 0
            for i in range(n):
                if s.standing[i] == Status.UP and s.c_init[i] == best and tie_key(s, p, i) == key:
                    s.group |= 1 << i
            begin_group(s, p)
            return
        s.surprise = -1
    if s.surprise == -1:
        set_due(s, p)
    while True:
        key = 1 << 40
        for i in range(n):
            if s.due[i] == s.count and s.standing[i] == Status.UP and s.c_init[i] > 0:
                k = tie_key(s, p, i)
                if s.last_key < k < key:
                    key = k
        if key < 1 << 40:
            s.last_key = key
            s.group = 0
            for i in range(n):
                if s.due[i] == s.count and s.standing[i] == Status.UP and s.c_init[i] > 0 and tie_key(s, p, i) == key:
                    s.group |= 1 << i
                    s.due[i] += s.c_init[i]
            begin_group(s, p)
            return
        if MISSION:
            if s.to_enter > 0 and s.entered_on != s.count:
                s.entered_on = s.count
                s.stage = FightStage.ENTER
                return
            if s.round_limit > 0 and s.count >= s.round_limit:
                finish(s, 0)
                return
        nearest = 1 << 40
        for i in range(n):
            if s.standing[i] == Status.UP and s.c_init[i] > 0 and s.due[i] < nearest:
                nearest = s.due[i]
        if MISSION and s.round_limit > 0 and nearest > s.round_limit:
            s.count = s.round_limit
            finish(s, 0)
            return
        if nearest > p.max_count:
            at_the_limit(s, p)
            return
        s.count = nearest
        s.last_key = NO_KEY
        note(s, Event.COUNT, -1, 0, s.count)


@kernel
def begin_group(s: Any, p: Any) -> None:
    """R39: several members: effects are collected, and the order of their turns is drawn."""
    members = popcount(s.group)
    s.deferred = 1 if members > 1 else 0
    s.waiting = s.group
    s.order_n = 0
    s.order_at = 0
    s.stage = FightStage.MEMBER
    if members > 1 and p.simultaneous_order == Simultaneous.RANDOM:
        s.stage = FightStage.ORDER


@kernel
def order_step(s: Any) -> None:
    """Draw the next place of the order, or go on when one member is left."""
    left = popcount(s.waiting)
    if left > 1:
        throw(s, Die.ORDER, -1, left)
        return
    s.order[s.order_n] = lowest_bit(s.waiting)
    s.order_n += 1
    s.waiting = 0
    s.stage = FightStage.MEMBER


@kernel
def member_step(s: Any, p: Any) -> None:
    """The next member begins its turn, or the group is closed."""
    if s.order_n:
        if s.order_at >= s.order_n:
            close_group(s)
            return
        i = s.order[s.order_at]
        s.order_at += 1
    else:
        if s.waiting == 0:
            close_group(s)
            return
        i = lowest_bit(s.waiting)
        s.waiting &= s.waiting - 1
    s.actor = i
    s.moved[i] = 0
    s.acted[i] = 0
    s.task = 0
    s.stage = FightStage.TURN
    note(s, Event.TURN, i, 0, s.count)
    hooks.turn_begins(s, p, i)


@kernel
def close_group(s: Any) -> None:
    """Collected effects, then the edge clocks."""
    if s.pending:
        s.resolving = 0
        s.stage = FightStage.RESOLVE
    else:
        s.stage = FightStage.CLOSE


@kernel
def run_clocks(s: Any, p: Any) -> None:
    """R86: edges of the members lose a round, unless they were gained in this group."""
    if s.edges:
        n = len(s.x)
        for m in range(3):
            for a in range(n):
                for b in range(n):
                    if s.edge[m, a, b] > 0 and not s.fresh[m, a] >> b & 1:
                        if s.group >> (a if p.edge_clock == EdgeClock.PERFORMER else b) & 1:
                            s.edge[m, a, b] -= 1
                            if s.edge[m, a, b] == 0:
                                s.edges -= 1
                                note(s, Event.EDGE_END, a, b, m)
        for m in range(3):
            for a in range(n):
                s.fresh[m, a] = 0
    s.group = 0
    s.stage = FightStage.PICK
