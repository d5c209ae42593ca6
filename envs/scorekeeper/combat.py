"""An exchange of blows (4.2), and what every roll leads to once fate has spoken (4.4)."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from . import hooks
from .services import (
    able,
    ask,
    attack_value_of,
    begin_roll,
    damage_class,
    damage_points,
    emit,
    parry_value_of,
    save_value_of,
    throw,
)
from .state import (
    ZONE_OF_D20,
    Action,
    CounterRule,
    Declared,
    Die,
    Event,
    Fumble,
    Mode,
    Phase,
    Purpose,
    Roll,
    Source,
    Station,
    Zone,
)
from .wounds import after_hit, begin_wound, end_exchange, end_test, faint, kill, lose_action, wound_done

CHECKS = 1 << Roll.ATTACK | 1 << Roll.SAVE | 1 << Roll.PARRY | 1 << Roll.SHOCK | 1 << Roll.DEATH | 1 << Roll.FIRST_AID

# --- the exchange -----------------------------------------------------------------------------------------------------


@kernel
def begin_attack(s: Any, p: Any, attacker: int, target: int, mode: int, zone: int) -> None:
    """R22, R34, R37: the attack roll."""
    s.x_on = 1
    s.x_attacker = attacker
    s.x_target = target
    s.x_mode = mode
    s.x_zone = zone
    s.x_hit = 0
    emit(s, Event.ATTACK, attacker, target, mode | zone << 2)
    value = attack_value_of(s, p, attacker, target, mode, zone)
    begin_roll(s, Roll.ATTACK, Purpose.CHECK, attacker, target, value, 1, 20)


@kernel
def fumbled(s: Any, p: Any) -> bool:
    """R29: the attack die that lies is a fumble."""
    return p.fumble_on > 0 and s.roll_sum >= p.fumble_on


@kernel
def can_save(s: Any, p: Any, fighter: int) -> bool:
    """R20, R25, R39, R50: whether the fighter hit has a saving throw."""
    ok = s.saves_lost[fighter] == 0
    if s.x_mode == Mode.SHOOT and p.r_magic[s.x_attacker] == 0:
        ok = ok and p.cover_available != 0 and (p.surprised[fighter] == 0 or s.round_no > 1)
    return hooks.may_save(s, p, fighter, s.x_mode, 1 if ok else 0) != 0


@kernel
def can_parry(s: Any, p: Any, fighter: int) -> bool:
    """R26, R31, R62: whether the fighter hit may parry."""
    if s.x_mode == Mode.SHOOT:
        return False
    ok = (s.acted[fighter] == 0 or s.full_defence[fighter] != 0) and s.action_lost[fighter] == 0
    ok = ok and (p.parry_limit == 0 or s.parries[fighter] < p.parry_limit)
    return hooks.may_parry(s, p, fighter, s.x_mode, 1 if ok else 0) != 0


@kernel
def begin_reaction(s: Any, p: Any) -> None:
    """R24, R28: the fighter hit is asked if there is more to do than to take it."""
    t = s.x_target
    if able(s, t) and (can_save(s, p, t) or can_parry(s, p, t)):
        ask(s, Phase.REACT, t)
    else:
        strike(s, p)


@kernel
def react(s: Any, p: Any, action: int) -> None:
    """R24 to R26, R33: save, parry or take."""
    t, a = s.x_target, s.x_attacker
    emit(s, Event.REACT, t, action, 0)
    if action == Action.SAVE:
        begin_roll(s, Roll.SAVE, Purpose.CHECK, t, a, save_value_of(s, p, t, a, s.x_mode), 1, 20)
    elif action == Action.PARRY:
        s.parries[t] += 1
        announced = s.declared[t] == Declared.FULL_DEFENCE
        if hooks.parry_cost(s, p, t, 1) != 0:
            s.full_defence[t] = 1
            if not announced:
                s.forfeited[t] = 1
        begin_roll(s, Roll.PARRY, Purpose.CHECK, t, a, parry_value_of(s, p, t, announced), 1, 20)
    else:
        strike(s, p)


@kernel
def parried(s: Any, p: Any) -> None:
    """R34: after a successful parry the counter, if the rule allows one."""
    t = s.x_target
    hooks.parried(s, p, t, s.x_attacker)
    rule = p.counter_rule
    ok = rule == CounterRule.ANY
    if rule == CounterRule.DECLARED:
        ok = s.declared[t] == Declared.FULL_DEFENCE
    elif rule == CounterRule.HALF:
        ok = 2 * s.roll_sum < s.roll_value
    ok = ok and s.counters[t] < p.counters_per_round and s.x_mode != Mode.COUNTER
    if hooks.may_counter(s, p, t, s.x_attacker, 1 if ok else 0) != 0:
        ask(s, Phase.COUNTER, t)
    else:
        end_exchange(s)


@kernel
def strike(s: Any, p: Any) -> None:
    """R23, R42: the hit goes through; its zone."""
    if s.x_zone != Zone.NONE:
        s.x_hit = s.x_zone
        throw_damage(s, p)
    else:
        begin_roll(s, Roll.ZONE, Purpose.CHECK, s.x_attacker, s.x_target, 0, 1, 20)


@kernel
def throw_damage(s: Any, p: Any) -> None:
    """R44: the weapon's dice."""
    a = s.x_attacker
    if s.x_mode == Mode.SHOOT:
        dice, faces = p.r_dice[a], p.r_sides[a]
    else:
        dice, faces = p.m_dice[a], p.m_sides[a]
    begin_roll(s, Roll.DAMAGE, Purpose.CHECK, a, s.x_target, 0, dice, faces)


@kernel
def fumble(s: Any, p: Any) -> None:
    """R41."""
    a = s.x_attacker
    emit(s, Event.FUMBLE, a, p.ranged_fumble, 0)
    if p.ranged_fumble == Fumble.JAM:
        s.jammed[a] = 1
    elif p.ranged_fumble == Fumble.BREAK:
        s.broken[a] = 1
    elif p.ranged_fumble == Fumble.ALLY:
        count = 0
        only = -1
        for k in range(1, 4):
            mate = p.ally[a, k]
            if mate >= 0 and s.dead[mate] == 0:
                count += 1
                only = mate
        if count > 1:
            s.die_kind = Die.PICK
            s.die_faces = count
            return
        if count == 1:
            stray(s, p, only)
            return
    end_exchange(s)


@kernel
def stray(s: Any, p: Any, ally: int) -> None:
    """R41: a shot hits a team mate: zone rolled, no defence."""
    emit(s, Event.STRAY, s.x_attacker, ally, 0)
    s.x_target = ally
    s.x_zone = 0
    strike(s, p)


@kernel
def picked(s: Any, p: Any, outcome: int) -> None:
    """The ally hit by a stray shot is the outcome-th of the living team mates in setup order."""
    a = s.x_attacker
    for k in range(1, 4):
        mate = p.ally[a, k]
        if mate >= 0 and s.dead[mate] == 0:
            if outcome == 0:
                stray(s, p, mate)
                return
            outcome -= 1


# --- rolls ------------------------------------------------------------------------------------------------------------


@kernel
def rolled(s: Any, p: Any) -> None:
    """All dice of a roll lie: what they say, then fate (R69)."""
    kind = s.roll_kind
    total = s.roll_sum
    who = s.roll_owner
    s.roll_ok = 0
    if CHECKS >> kind & 1:
        ok = total < s.roll_value
        if kind == Roll.ATTACK and fumbled(s, p):
            ok = False
        s.roll_ok = hooks.check(s, p, who, kind, total, s.roll_value, 1 if ok else 0)
    elif kind == Roll.ZONE:
        s.x_hit = ZONE_OF_D20[total]
    elif kind == Roll.DAMAGE:
        s.roll_points = damage_points(s, p, who, s.x_target, s.x_mode, s.x_hit, s.roll_through)
    elif kind == Roll.REACTION:
        set_reaction(s, p, who, total)
    told = s.roll_value  # what the log tells beside the dice
    if kind == Roll.ZONE:
        told = s.x_hit | s.x_target << 3
    elif kind == Roll.DAMAGE:
        told = s.roll_points
    elif kind == Roll.REACTION:
        told = s.reaction[who]
    emit(s, Event.ROLL, who, told, s.roll_pack | kind << 25 | s.roll_ok << 29 | s.roll_for << 30)
    if kind == Roll.REACTION and s.pc == Station.REACTION:
        return  # fate is asked when all have rolled
    offer_fate(s, p, 0)


@kernel
def set_reaction(s: Any, p: Any, fighter: int, number: int) -> None:
    """R3, R8."""
    value = p.wah[fighter] + p.agl[fighter] + number + p.reaction_mod[fighter]
    if p.surprised[fighter] and s.round_no == 1:
        value -= p.surprise_penalty
    if p.penalty_rolls >> Roll.REACTION & 1:
        value -= s.lw[fighter] + 4 * s.sw[fighter] + p.tw_penalty * s.tw[fighter] + s.head_penalty[fighter]
    s.react_die[fighter] = number
    s.reaction[fighter] = hooks.reaction_value(s, p, fighter, number, value)
    s.rolled[fighter] = 1


@kernel
def may_repeat(s: Any, p: Any, fighter: int, useful: bool) -> bool:
    """R69, R72, 4.4: whether a fighter is asked about the roll that lies; `useful`: repeating may help him."""
    if s.fate[fighter] <= 0 or s.dead[fighter] or p.fate_enabled == 0 or p.fate_rolls >> s.roll_kind & 1 == 0:
        return False
    return useful or p.fate_always != 0 or CHECKS >> s.roll_kind & 1 == 0


@kernel
def offer_fate(s: Any, p: Any, stage: int) -> None:
    """R71, 4.4: the owner is asked (stage 0), then by option `involved` the other fighter (1); then the roll stands."""
    if stage == 0 and may_repeat(s, p, s.roll_owner, s.roll_ok == 0):
        s.fate_stage = 0
        ask(s, Phase.FATE_REROLL, s.roll_owner)
    elif stage < 2 and p.fate_involved and s.roll_other >= 0 and may_repeat(s, p, s.roll_other, s.roll_ok != 0):
        s.fate_stage = 1
        ask(s, Phase.FATE_REROLL, s.roll_other)
    else:
        finish_roll(s, p)


@kernel
def repeat(s: Any, fighter: int) -> None:
    """R69: a point for the roll once more, all its dice together."""
    s.fate[fighter] -= 1
    emit(s, Event.REROLL, fighter, s.roll_kind, s.fate[fighter])
    dice = 1
    pack = s.roll_pack >> 5
    while pack:
        pack >>= 5
        dice += 1
    throw(s, dice, s.roll_faces)


@kernel
def finish_roll(s: Any, p: Any) -> None:
    """The roll stands; what follows."""
    kind, ok = s.roll_kind, s.roll_ok != 0
    if kind == Roll.ATTACK:
        if ok:
            begin_reaction(s, p)
        elif s.x_mode == Mode.SHOOT and fumbled(s, p):
            fumble(s, p)
        else:
            end_exchange(s)
    elif kind == Roll.SAVE:
        if ok:
            end_exchange(s)
        else:
            strike(s, p)
    elif kind == Roll.PARRY:
        if ok:
            parried(s, p)
        else:
            strike(s, p)
    elif kind == Roll.ZONE:
        throw_damage(s, p)
    elif kind == Roll.DAMAGE:
        wound = damage_class(s.roll_points)
        if wound == 0:
            after_hit(s, p)
        else:
            begin_wound(s, p, s.x_target, wound, s.x_hit, s.x_attacker, Source.ATTACK)
    elif kind == Roll.SHOCK:
        finish_shock(s, p, ok)
    elif kind == Roll.DURATION:
        faint(s, p, s.roll_owner, s.roll_sum)
        finish_purpose(s, p)
    elif kind == Roll.DEATH:
        s.death_rolls[s.roll_owner] += 1
        if not ok:
            kill(s, s.roll_owner)
    elif kind == Roll.FIRST_AID:
        if ok:
            patient = s.d_target[s.roll_owner]
            if s.struggle[patient]:
                s.stable[patient] = 1
            else:
                s.bleeding[patient] -= 1
            emit(s, Event.AID, s.roll_owner, patient, s.stable[patient])
    elif kind == Roll.REACTION:
        s.fate_done |= 1 << s.roll_owner


@kernel
def finish_shock(s: Any, p: Any, ok: bool) -> None:
    """R60, R62, R65, R66: what a shock roll of each purpose leads to."""
    f, purpose = s.roll_owner, s.roll_for
    if purpose == Purpose.WAKE:
        if ok:
            s.trauma[f] = 0
            emit(s, Event.WAKE, f, 0, 0)
    elif ok:
        finish_purpose(s, p)
    elif purpose == Purpose.TRAUMA:
        s.trauma[f] = 1
        s.full_defence[f] = 0
        emit(s, Event.TRAUMA, f, 0, 0)
        end_test(s, p)
    elif purpose in (Purpose.HAZARD, Purpose.HAZARD_EVENT) and p.hazard_faints == 0:
        lose_action(s, f)
        finish_purpose(s, p)
    else:
        if purpose != Purpose.CHECK:
            s.ko_faces = 10
            s.ko_head = 0
        begin_roll(s, Roll.DURATION, purpose, f, s.roll_other, 0, 1, s.ko_faces)


@kernel
def finish_purpose(s: Any, p: Any) -> None:
    """Go on after a shock roll with all that came of it."""
    if s.roll_for == Purpose.CHECK:
        wound_done(s, p)
    elif s.roll_for == Purpose.HAZARD:
        end_exchange(s)
        end_test(s, p)
    elif s.roll_for in (Purpose.HAZARD_EVENT, Purpose.ORDEAL, Purpose.TRAUMA):
        end_test(s, p)


@kernel
def counter(s: Any, p: Any, zone: int) -> None:
    """R34: the defender strikes back; -1 for not."""
    if zone < 0:
        end_exchange(s)
        return
    t, a = s.x_target, s.x_attacker
    s.counters[t] += 1
    emit(s, Event.COUNTER, t, a, zone)
    begin_attack(s, p, t, a, Mode.COUNTER, zone)
