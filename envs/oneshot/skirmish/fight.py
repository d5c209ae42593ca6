"""A fight: initiative, count, turns, attacks, edges, wounds, items (R30-R66, R83-R87, R112-R116).

`fight_step` does the next thing; it is called as long as no die is due and nobody is asked.
"""

from __future__ import annotations

from typing import Any

from ...core.abi import lowest_bit
from ...core.jit import kernel
from ...core.legal import allow
from .. import hooks
from ..dicing import ask, note
from ..mission.pursuer import plan
from ..state import (
    ALIVE,
    CUSTOM,
    MACRO,
    MISSION,
    NOBODY,
    OFFSET_X,
    OFFSET_Y,
    Action,
    Die,
    Event,
    FightStage,
    Item,
    Phase,
    Status,
    Task,
)
from .arms import begin_attack, begin_edge, blast_area, blast_barred, check_over, damage_fell, flask_step, use_flask
from .clock import clear_last, initiative_step, member_step, order_step, pick_group, roll_initiative, run_clocks
from .effects import join_late, resolve_step, settle
from .ground import allow_macros, allow_moves, distance, flood, macro_offset
from .numbers import barred, range_steps


@kernel
def turn_options(s: Any, p: Any) -> None:
    """Write the legal actions of the figure on turn to `s.allowed` (4.3)."""
    a = s.actor
    words = s.allowed
    for w in range(5):
        words[w] = 0
    allow(words, Action.END_TURN)
    if not s.moved[a]:
        if MACRO:
            allow_macros(s, p, a, words)
        else:
            allow_moves(s, p, a, words)
    if s.acted[a]:
        return
    mine = s.team[a]
    for t in range(p.members[1 - mine]):
        b = p.first[1 - mine] + t
        if s.standing[b] == Status.UP:
            if not barred(s, a, b):
                for w in range(2):
                    if range_steps(s, a, w, b) >= 0:
                        allow(words, Action.ATTACK + 4 * w + t)
            if p.edge_range < 0 or distance(s, a, b) <= p.edge_range:
                for m in range(3):
                    allow(words, Action.EDGE + 4 * m + t)
            if s.items[a, Item.FLASK] > 0 and distance(s, a, b) <= p.flask_reach:
                if not blast_barred(s, a, blast_area(s, p, b)):
                    allow(words, Action.FLASK + t)
        elif s.standing[b] == Status.UNCONSCIOUS and distance(s, a, b) <= 1:
            allow(words, Action.EXECUTE + t)
    if s.items[a, Item.HEAL] > 0 or s.items[a, Item.SALTS] > 0:
        for k in range(p.members[mine]):
            b = p.first[mine] + k
            if s.standing[b] in ALIVE:
                far = distance(s, a, b) if b != a else 0
                if s.items[a, Item.HEAL] > 0 and s.wounds[b] > 0 and far <= p.heal_reach:
                    allow(words, Action.HEAL + k)
                if s.items[a, Item.SALTS] > 0 and s.standing[b] == Status.UNCONSCIOUS and far <= p.salts_reach:
                    allow(words, Action.SALTS + k)


@kernel
def allow_turn(s: Any, p: Any, words: Any) -> None:
    """Options of the node `turn`: those of the rules as they stand in `s.allowed`, and those of modules."""
    for w in range(min(len(words), len(s.allowed))):
        words[w] = s.allowed[w]
    if not s.acted[s.actor]:
        hooks.options(s, p, s.actor, Phase.TURN, words)


@kernel
def turn_step(s: Any, p: Any) -> None:
    """Ask the figure on turn, or end its turn (R38)."""
    a = s.actor
    if s.standing[a] != Status.UP or (s.moved[a] and s.acted[a]):
        end_turn(s, p)
        return
    if MISSION and s.auto[a]:
        enemy_step(s, p)
        return
    turn_options(s, p)
    ask(s, Phase.TURN, a)


@kernel
def end_turn(s: Any, p: Any) -> None:
    """The next member, or the end of the group."""
    hooks.turn_ends(s, p, s.actor)
    s.stage = FightStage.MEMBER


@kernel
def enemy_step(s: Any, p: Any) -> None:
    """The environment plays the figure on turn."""
    a = s.actor
    plan(s, p, a)
    if s.plan_flask >= 0:
        use_flask(s, p, a, s.plan_flask)
    elif s.plan_target >= 0:
        begin_attack(s, p, a, s.plan_weapon, s.plan_target)
    elif s.plan_x >= 0:
        s.x[a] = s.plan_x
        s.y[a] = s.plan_y
        s.moved[a] = 1
        note(s, Event.MOVE, a, s.x[a], s.y[a])
    else:
        end_turn(s, p)


@kernel
def act(s: Any, p: Any, action: int) -> None:
    """Take an action of the node `turn`."""
    a = s.actor
    s.node = NOBODY
    clear_last(s)
    foes = p.first[1 - s.team[a]]
    friends = p.first[s.team[a]]
    if action == Action.END_TURN:
        end_turn(s, p)
    elif action >= CUSTOM:
        s.acted[a] = 1
        hooks.choose(s, p, a, Phase.TURN, action)
    elif action < Action.ATTACK:
        k = action - Action.MOVE
        if MACRO:
            flood(s, p, a, s.move_range[a])
            k = macro_offset(s, p, a, k) if k else -1
        if k >= 0:
            s.x[a] += OFFSET_X[k]
            s.y[a] += OFFSET_Y[k]
        s.moved[a] = 1
        note(s, Event.MOVE, a, s.x[a], s.y[a])
    elif action < Action.EDGE:
        begin_attack(s, p, a, (action - Action.ATTACK) >> 2, foes + ((action - Action.ATTACK) & 3))
    elif action < Action.EXECUTE:
        begin_edge(s, p, a, (action - Action.EDGE) >> 2, foes + ((action - Action.EDGE) & 3))
    elif action < Action.HEAL:
        b = foes + action - Action.EXECUTE
        s.acted[a] = 1
        s.pend_kill |= 1 << b
        s.pending += 1
        note(s, Event.EXECUTE, a, b, 0)
        settle(s)
    elif action < Action.SALTS:
        b = friends + action - Action.HEAL
        s.acted[a] = 1
        s.items[a, Item.HEAL] -= 1
        s.pend_heal[b] += 1
        s.pending += 1
        note(s, Event.HEAL, a, b, 0)
        settle(s)
    elif action < Action.FLASK:
        b = friends + action - Action.SALTS
        s.acted[a] = 1
        s.items[a, Item.SALTS] -= 1
        s.pend_wake |= 1 << b
        s.pending += 1
        note(s, Event.WAKE, a, b, 0)
        settle(s)
    else:
        use_flask(s, p, a, foes + action - Action.FLASK)


@kernel
def fight_step(s: Any, p: Any) -> None:
    """Do the next thing of the fight."""
    if s.ck_kind and s.ck_done:
        check_over(s, p)
        return
    stage = s.stage
    if stage == FightStage.TURN:
        if s.task == Task.FLASK:
            flask_step(s)
        else:
            turn_step(s, p)
    elif stage == FightStage.RESOLVE:
        resolve_step(s, p)
    elif stage == FightStage.PICK:
        pick_group(s, p)
    elif stage == FightStage.MEMBER:
        member_step(s, p)
    elif stage == FightStage.CLOSE:
        run_clocks(s, p)
    elif stage == FightStage.INIT:
        initiative_step(s)
    elif stage == FightStage.ORDER:
        order_step(s)


@kernel
def fight_fell(s: Any, p: Any, outcome: int) -> None:
    """A die of the fight that belongs to no check."""
    kind = s.die_kind
    i = s.die_at
    face = outcome + 1
    if kind == Die.DAMAGE:
        damage_fell(s, p, face)
        return
    s.die_kind = Die.NONE
    s.die_faces = 0
    if kind == Die.INITIATIVE:
        c = roll_initiative(s, p, i, face)
        if c == 0:
            c = p.zero_initiative
        s.c_init[i] = c
        note(s, Event.INITIATIVE, i, c, face)
    elif kind == Die.ORDER:
        bits = s.waiting
        for _ in range(outcome):
            bits &= bits - 1
        chosen = lowest_bit(bits)
        s.order[s.order_n] = chosen
        s.order_n += 1
        s.waiting &= ~(1 << chosen)
    elif kind in (Die.WAKE, Die.ENTER):
        join_late(s, p, i, face)
