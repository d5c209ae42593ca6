"""Attacks, edges and flasks: their rolls and reactions (R42-R45, R84, R115, R127, R135)."""

from __future__ import annotations

from typing import Any

from ...core.abi import lowest_bit
from ...core.jit import kernel
from .. import hooks
from ..dicing import ask, begin_check, note, skill_value, throw
from ..state import ALIVE, NOBODY, P_WEAK_SPOT, SAGA, Action, Check, Die, Event, Item, Phase, Skill, Status, Talk, Task
from .effects import drop_edges, settle
from .ground import distance
from .numbers import attack_modifier, barred, damage_modifier, defence_now, edge_modifier, malus, range_steps


@kernel
def blast_area(s: Any, p: Any, target: int) -> int:
    """R115: figures not dead within the area around the target's footprint."""
    bits = 0
    for i in range(len(s.x)):
        if s.standing[i] in ALIVE and distance(s, i, target) <= p.flask_area:
            bits |= 1 << i
    return bits


@kernel
def blast_barred(s: Any, who: int, area: int) -> bool:
    """R85: somebody in the area holds a diplomatic edge over the thrower."""
    if s.edges:
        for i in range(len(s.x)):
            if area >> i & 1 and barred(s, who, i):
                return True
    return False


@kernel
def begin_attack(s: Any, p: Any, a: int, weapon: int, b: int) -> None:
    """R42: the attack roll."""
    s.acted[a] = 1
    s.weapon = weapon
    s.target = b
    s.steps = range_steps(s, a, weapon, b)
    s.weak = 0
    s.l_need = s.attack[a]
    s.l_secret = a
    note(s, Event.ATTACK, a, b, s.w_number[a, weapon])
    if p.diplomatic_breaks_on_attack and s.edge[Talk.DIPLOMATIC, a, b] > 0:
        s.pend_break[a] |= 1 << b
        s.pending += 1
    mod = attack_modifier(s, p, a, weapon, b, s.steps)
    begin_check(s, Check.ATTACK, a, mod, s.attack[a], p.attack_automatics, 0, 0)


@kernel
def begin_edge(s: Any, p: Any, a: int, method: int, b: int) -> None:
    """R84: the edge check; `s.weapon` keeps the method."""
    s.acted[a] = 1
    s.weapon = method
    s.target = b
    need = s.value[b, method] + p.social_offset
    s.l_secret = b
    begin_check(s, Check.EDGE, a, edge_modifier(s, p, a, b, method), need + p.social_tie, 1, 0, 0)


@kernel
def check_over(s: Any, p: Any) -> None:
    """A check of the fight is done: go on with what it was for."""
    kind = s.ck_kind
    a = s.ck_who
    s.ck_kind = 0
    s.ck_done = 0
    s.l_natural = s.ck_natural
    s.l_total = s.ck_total
    s.l_goal = s.ck_need
    if kind == Check.ATTACK:
        s.l_attack = s.ck_total
        s.l_hit = s.ck_win
        if s.ck_win:
            note(s, Event.HIT, a, s.ck_total, 10 * s.ck_need + s.ck_natural)
            if s.perks[a] & P_WEAK_SPOT:
                ask(s, Phase.REACT_WEAK_SPOT, a)
            else:
                throw(s, Die.DAMAGE, a, 6)
        else:
            note(s, Event.MISS, a, s.ck_total, 10 * s.ck_need + s.ck_natural)
            settle(s)
    elif kind == Check.WEAK:
        s.weak = 1 if s.ck_win else -1
        s.l_weak = s.ck_win
        note(s, Event.WEAK_SPOT, a, s.weak, 0)
        throw(s, Die.DAMAGE, a, 6)
    elif kind == Check.EDGE:
        s.l_success = s.ck_win
        note(s, Event.EDGE_DIE, a, s.ck_total, 1000 * s.ck_win + 10 * s.ck_need + s.ck_natural)
        if s.ck_win:
            rounds = max(1, s.ck_total - (s.value[s.target, s.weapon] + p.social_offset))
            s.l_rounds = rounds
            s.pend_edge[s.weapon, a, s.target] = max(s.pend_edge[s.weapon, a, s.target], rounds)
            s.pend_edges += 1
            s.pending += 1
            note(s, Event.EDGE, a, s.target, 100 * s.weapon + min(99, rounds))
            settle(s)
        else:
            note(s, Event.NO_EDGE, a, s.target, s.weapon)
            settle(s)
    elif kind == Check.SURVIVE:
        s.l_survival = s.ck_win
        s.l_secret = -1
        was = s.standing[a]
        s.standing[a] = Status.UNCONSCIOUS if s.ck_win else Status.DEAD
        note(s, Event.SURVIVAL, a, s.ck_win, 10 * s.ck_total + s.ck_natural)
        if was == Status.UP:
            drop_edges(s, a)
        hooks.wounded(s, p, a)


@kernel
def weak_spot_chosen(s: Any, p: Any, action: int) -> None:
    """R135: the test on `lore_race`, or the damage die at once."""
    s.node = NOBODY
    a = s.actor
    if action == Action.WEAK_SPOT:
        mod = skill_value(p, s.rank[a, Skill.LORE_RACE], s.value[a, 1]) - malus(s, a)
        begin_check(s, Check.WEAK, a, mod, 4, 1, 0, 0)
    else:
        throw(s, Die.DAMAGE, a, 6)


@kernel
def use_flask(s: Any, p: Any, a: int, b: int) -> None:
    """R115: every figure in the area rolls in seat order."""
    s.acted[a] = 1
    s.items[a, Item.FLASK] -= 1
    s.victims = blast_area(s, p, b)
    s.task = Task.FLASK
    note(s, Event.FLASK, a, b, 0)


@kernel
def damage_fell(s: Any, p: Any, face: int) -> None:
    """R43, R44, R115: the damage die."""
    s.die_kind = Die.NONE
    s.die_faces = 0
    a = s.actor
    if s.task == Task.FLASK:
        b = s.die_at
        total = face + p.flask_damage - malus(s, a) + s.surprise
    else:
        b = s.target
        total = face + damage_modifier(s, p, a, s.weapon, b, s.steps) + s.weak
    guard = defence_now(s, p, b)
    s.l_damage = total
    s.l_defence = guard
    s.l_natural = face
    s.l_total = total
    s.l_goal = guard
    s.l_secret = b
    note(s, Event.DAMAGE, b, total, guard)
    if total >= guard:
        s.target = b
        if s.saga[b] > 0:
            ask(s, Phase.REACT_WOUND, b)
        else:
            take_wound(s, p, b)
    else:
        if s.task != Task.FLASK:
            s.l_wound = 0
            settle(s)


@kernel
def take_wound(s: Any, p: Any, b: int) -> None:
    """R44: one wound, now or at the end of the group."""
    hooks.dealt(s, p, s.actor, b)
    s.pend_wound[b] += 1
    s.pending += 1
    s.l_wound = 1
    s.l_hurt |= 1 << b
    if s.task != Task.FLASK:
        settle(s)


@kernel
def wound_answered(s: Any, p: Any, action: int) -> None:
    """R127: a saga point averts the wound."""
    s.node = NOBODY
    b = s.asked
    if action == SAGA:
        s.saga[b] -= 1
        note(s, Event.SAGA, b, 0, 0)
        note(s, Event.AVERTED, b, 0, 0)
        if s.task != Task.FLASK:
            s.l_wound = 0
            settle(s)
    else:
        take_wound(s, p, b)


@kernel
def flask_step(s: Any) -> None:
    """The die of the next victim, or the end of the flask."""
    if s.victims:
        b = lowest_bit(s.victims)
        s.victims &= s.victims - 1
        throw(s, Die.DAMAGE, b, 6)
        return
    s.task = 0
    if s.l_wound != 1:
        s.l_wound = 0
    settle(s)
