"""The baseline `one_ply` of Scorekeeper: the expected change of material of every legal action, others as aggressors.

Dice are averaged by formula, not thrown. An exchange counts by its parts: hit, defence, loss of material of the class
distribution behind the armour; blows that come before the own turn may prevent it, and an own blow may prevent those
that would come after it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.jit import kernel
from ...envs.scorekeeper.combat import can_parry, can_save
from ...envs.scorekeeper.rules import legal
from ...envs.scorekeeper.services import able, after_retreat, aid_value_of, damage_class, distance, mode_of, reaches
from ...envs.scorekeeper.state import ATTACKS, WORDS, ZONES, Action, CounterRule, Declared, Mode, Phase, Roll
from .values import (
    OUT_VALUE,
    ZONE_WEIGHTS,
    chance_below,
    hit_chance,
    loss_by_zone,
    material,
    material_after,
    parry_chance,
    save_chance,
    stop_by_zone,
)

FATE_PRICE = 0.12  # material that a fate point is worth
AID_DYING, AID_BLEEDING = 0.25, 0.08
LATER = 0.5  # share of the value of an attack that can only be made in the next round
CLOSER = 0.02
MODES_OF_ATTACKS = tuple(mode.value for mode in (Mode.MELEE, Mode.RUN, Mode.SHOOT))  # by block of actions


@kernel
def threat_mode(s: Any, p: Any, e: int, f: int) -> int:
    """The mode in which an enemy will attack f in this round, -1 for none: as declared, else as an aggressor."""
    what = s.declared[e]
    if what != Declared.NOT_YET:
        if what in ATTACKS and s.d_target[e] == f and s.acted[e] == 0 and s.forfeited[e] == 0:
            mode = mode_of(what)
            return mode if reaches(s, p, e, f, mode) else -1
        return -1
    if not able(s, e) or s.rolled[e] == 0 or s.reaction[e] <= 0 or s.action_lost[e]:
        return -1
    for t in range(4):  # an aggressor goes for the nearest able enemy
        o = p.enemy[e, t]
        if o >= 0 and o != f and able(s, o) and distance(s, e, o) < distance(s, e, f):
            return -1
    if reaches(s, p, e, f, Mode.SHOOT):
        return Mode.SHOOT
    if reaches(s, p, e, f, Mode.MELEE):
        return Mode.MELEE
    return Mode.RUN if p.allow_full_run and reaches(s, p, e, f, Mode.RUN) else -1


@kernel
def acts_before(s: Any, e: int, f: int) -> bool:
    """Whether e stands before f in the acting order."""
    for i in range(s.n_order):
        if s.order[i] == e:
            return True
        if s.order[i] == f:
            return False
    return False


@kernel
def attack_worth(s: Any, p: Any, f: int, t: int, mode: int, zone: int) -> float:
    """Expected loss of material of a target by one attack, its saving throw included."""
    loss = np.zeros(ZONES)
    loss_by_zone(s, p, f, t, mode, loss)
    return hit_chance(s, p, f, t, mode, zone) * (1.0 - save_chance(s, p, t, f, mode)) * loss[zone]


# --- declarations -----------------------------------------------------------------------------------------------------


@kernel
def read_threats(s: Any, p: Any, f: int, modes: Any, table: Any) -> None:
    """What every enemy slot threatens: `modes` int64[4]; `table` float64[4, 5]: hit, save, parry, loss, stop."""
    losses = np.zeros(ZONES)
    stops = np.zeros(ZONES)
    for t in range(4):
        modes[t] = -1
        e = p.enemy[f, t]
        if e < 0 or s.dead[e]:
            continue
        mode = threat_mode(s, p, e, f)
        if mode < 0:
            continue
        zone = s.d_zone[e] if s.declared[e] in ATTACKS else 0
        loss_by_zone(s, p, e, f, mode, losses)
        stop_by_zone(s, p, e, f, mode, stops)
        modes[t] = mode
        table[t, 0] = hit_chance(s, p, e, f, mode, zone)
        table[t, 1] = save_chance(s, p, f, e, mode)
        table[t, 2] = parry_chance(s, p, f, False) if mode != Mode.SHOOT else 0.0
        table[t, 3] = losses[zone]
        table[t, 4] = stops[zone]


@kernel
def harm(s: Any, p: Any, f: int, modes: Any, table: Any, target: int, stopped: float, run: bool) -> float:
    """Expected loss of f who acts in this round; blows after his own may be prevented, after a full run not saved."""
    total = 0.0
    for t in range(4):
        if modes[t] < 0:
            continue
        e = p.enemy[f, t]
        save = table[t, 1]
        come = 1.0
        if not acts_before(s, e, f):
            if run and p.full_run_forfeits_saves:
                save = 0.0
            if t == target:
                come = 1.0 - stopped
        total += come * table[t, 0] * (1.0 - save) * table[t, 3]
    return total


@kernel
def still_able(s: Any, p: Any, f: int, modes: Any, table: Any) -> float:
    """Chance that no blow before the own turn stops f."""
    chance = 1.0
    for t in range(4):
        if modes[t] >= 0 and acts_before(s, p.enemy[f, t], f):
            chance *= 1.0 - table[t, 0] * (1.0 - table[t, 1]) * table[t, 4]
    return chance


@kernel
def defence_worth(s: Any, p: Any, f: int, modes: Any, table: Any, announced: bool) -> float:
    """Expected change of material of a round without an action of one's own, counters included."""
    total = 0.0
    countered = False
    for t in range(4):
        if modes[t] < 0:
            continue
        e = p.enemy[f, t]
        parry = 0.0
        if modes[t] != Mode.SHOOT:
            parry = parry_chance(s, p, f, announced)
        best = max(table[t, 1], parry)
        total -= table[t, 0] * (1.0 - best) * table[t, 3]
        rule = p.counter_rule
        counters = rule == CounterRule.ANY or (announced and rule != CounterRule.OFF)
        if counters and parry > 0.0 and parry >= table[t, 1] and not countered:
            countered = True
            total += table[t, 0] * parry * attack_worth(s, p, f, e, Mode.COUNTER, 0)
    return total


@kernel
def best_shot(s: Any, p: Any, f: int) -> float:
    """The best unaimed shot once the weapon is ready again."""
    best = 0.0
    for t in range(4):
        e = p.enemy[f, t]
        if e >= 0 and s.dead[e] == 0 and distance(s, f, e) <= p.r_range[f]:
            best = max(best, attack_worth(s, p, f, e, Mode.SHOOT, 0))
    return best


@kernel
def declare_best(s: Any, p: Any, seat: int, f: int) -> int:
    """The declaration of the best expected change of material."""
    words = np.zeros(WORDS, np.int64)
    legal(s, p, seat, words)
    modes = np.zeros(4, np.int64)
    table = np.zeros((4, 5))
    read_threats(s, p, f, modes, table)
    ready = still_able(s, p, f, modes, table)
    usual = harm(s, p, f, modes, table, -1, 0.0, False)
    best = Action.PASS
    value = defence_worth(s, p, f, modes, table, False)
    now = defence_worth(s, p, f, modes, table, True)
    if now > value + 1e-9:
        best, value = Action.FULL_DEFENCE, now
    losses = np.zeros(ZONES)
    stops = np.zeros(ZONES)
    for t in range(4):
        e = p.enemy[f, t]
        for kind in range(3):
            start = Action.MELEE + 32 * kind + 8 * t
            if not words[start >> 5] >> (start & 31) & 1:
                continue
            mode = MODES_OF_ATTACKS[kind]
            loss_by_zone(s, p, f, e, mode, losses)
            stop_by_zone(s, p, f, e, mode, stops)
            through = ready * (1.0 - save_chance(s, p, e, f, mode))
            for z in range(ZONES):
                action = start + z
                if not words[action >> 5] >> (action & 31) & 1:
                    continue
                hit = through * hit_chance(s, p, f, e, mode, z)
                now = hit * losses[z] - harm(s, p, f, modes, table, t, hit * stops[z], mode == Mode.RUN)
                if now > value + 1e-9:
                    best, value = action, now
    if words[0] >> Action.RELOAD & 1:
        urgent = s.loaded[f] == 0 or s.jammed[f] != 0
        now = (LATER * best_shot(s, p, f) if urgent else 0.0) - usual
        if now > value + 1e-9:
            best, value = Action.RELOAD, now
    if words[0] >> Action.ADVANCE & 1 and CLOSER - usual > value + 1e-9:
        best, value = Action.ADVANCE, CLOSER - usual
    if words[0] >> Action.RETREAT & 1:
        now = -safe_harm(s, p, f, modes, table, after_retreat(s, p, f)) - CLOSER
        if now > value + 1e-9:
            best, value = Action.RETREAT, now
    for k in range(4):
        if words[0] >> (Action.AID + k) & 1:
            dying = s.struggle[p.ally[f, k]] != 0
            now = chance_below(aid_value_of(s, p, f)) * (AID_DYING if dying else AID_BLEEDING) - usual
            if now > value + 1e-9:
                best, value = Action.AID + k, now
    return best


@kernel
def safe_harm(s: Any, p: Any, f: int, modes: Any, table: Any, place: int) -> float:
    """Expected loss of f if he goes to a place on his turn: melee of slower enemies may not reach him there."""
    total = 0.0
    for t in range(4):
        if modes[t] < 0:
            continue
        e = p.enemy[f, t]
        reach = p.run_reach[e] if modes[t] == Mode.RUN else p.reach[e]
        if modes[t] != Mode.SHOOT and not acts_before(s, e, f) and abs(place - s.pos[e]) > reach:
            continue
        total += table[t, 0] * (1.0 - table[t, 1]) * table[t, 3]
    return total


# --- other questions --------------------------------------------------------------------------------------------------


@kernel
def pending_worth(s: Any, p: Any, f: int) -> float:
    """What the declared action of f, not yet carried out, is worth."""
    what, t = s.declared[f], s.d_target[f]
    if s.acted[f] or s.full_defence[f] or s.forfeited[f] or s.action_lost[f]:
        return 0.0
    if what in ATTACKS:
        mode = mode_of(what)
        return attack_worth(s, p, f, t, mode, s.d_zone[f]) if reaches(s, p, f, t, mode) else 0.0
    if what == Declared.AID:
        return chance_below(aid_value_of(s, p, f)) * (AID_DYING if s.struggle[t] else AID_BLEEDING)
    return CLOSER


@kernel
def react_best(s: Any, p: Any, f: int) -> int:
    """Take, save or parry by the expected loss."""
    a, mode = s.x_attacker, s.x_mode
    losses = np.zeros(ZONES)
    loss_by_zone(s, p, a, f, mode, losses)
    stake = losses[s.x_zone]
    best = Action.TAKE
    value = -stake
    if can_save(s, p, f):
        now = -(1.0 - save_chance(s, p, f, a, mode)) * stake
        if now > value + 1e-12:
            best, value = Action.SAVE, now
    if can_parry(s, p, f):
        announced = s.declared[f] == Declared.FULL_DEFENCE
        parry = parry_chance(s, p, f, announced)
        now = -(1.0 - parry) * stake - pending_worth(s, p, f)
        counters = p.counter_rule == CounterRule.ANY or (p.counter_rule == CounterRule.DECLARED and announced)
        if counters and s.counters[f] < p.counters_per_round:
            now += parry * attack_worth(s, p, f, a, Mode.COUNTER, 0)
        if now > value + 1e-12:
            best, value = Action.PARRY, now
    return best


@kernel
def counter_best(s: Any, p: Any, f: int) -> int:
    """The zone of the best expected loss."""
    losses = np.zeros(ZONES)
    loss_by_zone(s, p, f, s.x_attacker, Mode.COUNTER, losses)
    best = Action.NO_COUNTER
    value = 0.0
    for z in range(ZONES if p.aiming else 1):
        now = hit_chance(s, p, f, s.x_attacker, Mode.COUNTER, z) * losses[z]
        if now > value + 1e-12:
            best, value = Action.COUNTER + z, now
    return best


@kernel
def repeat_worth(s: Any, p: Any, f: int) -> float:
    """What repeating the roll that lies is worth to its owner."""
    kind = s.roll_kind
    chance = chance_below(s.roll_value)
    a, t, mode = s.x_attacker, s.x_target, s.x_mode
    if s.roll_owner != f:
        return 0.0
    if kind == Roll.SHOCK:
        return chance * (material(s, p, f) - OUT_VALUE)
    if kind == Roll.DEATH:
        return chance * AID_DYING
    if kind == Roll.FIRST_AID:
        return chance * (AID_DYING if s.struggle[s.d_target[f]] else AID_BLEEDING)
    losses: Any = np.zeros(ZONES)
    if kind == Roll.ATTACK:
        loss_by_zone(s, p, a, t, mode, losses)
        return chance * (1.0 - save_chance(s, p, t, a, mode)) * losses[s.x_zone]
    if kind in (Roll.SAVE, Roll.PARRY):
        loss_by_zone(s, p, a, t, mode, losses)
        return chance * losses[s.x_zone]
    if kind == Roll.ZONE:
        loss_by_zone(s, p, a, t, mode, losses)
        mean = 0.0
        for z in range(1, ZONES):
            mean += losses[z] * ZONE_WEIGHTS[z] / 20.0
        return mean - losses[s.x_hit]
    if kind == Roll.DAMAGE:
        loss_by_zone(s, p, a, t, mode, losses)
        return losses[s.x_hit] - (material(s, p, t) - material_after(s, p, t, s.x_hit, damage_class(s.roll_points)))
    return 0.0


@kernel
def reduce_best(s: Any, p: Any, f: int) -> int:
    """The number of fate points that leaves most material."""
    best = 0
    value = -1e9
    for k in range(min(s.fate[f], s.w_class) + 1):
        now = material_after(s, p, f, s.w_zone, s.w_class - k) - FATE_PRICE * k
        if now > value + 1e-12:
            best, value = k, now
    return Action.REDUCE + best


@kernel
def one_ply(s: Any, p: Any, seat: int) -> int:
    """The best expected material one action on."""
    f, phase = s.ask_fighter, s.ask_phase
    if phase == Phase.DECLARE:
        return declare_best(s, p, seat, f)
    if phase == Phase.REACT:
        return react_best(s, p, f)
    if phase == Phase.COUNTER:
        return counter_best(s, p, f)
    if phase == Phase.FATE_REDUCE:
        return reduce_best(s, p, f)
    if phase == Phase.FORGO:
        return Action.EXECUTE
    return Action.REROLL if repeat_worth(s, p, f) > FATE_PRICE else Action.KEEP
