"""The wound procedure (R51 to R56, R59), shock and hazard rolls (R60 to R67), the end of the fight (R75, R76)."""

from __future__ import annotations

from typing import Any

from ..core.abi import ENDED
from ..core.jit import kernel
from . import hooks
from .services import able, ask, begin_roll, emit, shock_value_of
from .state import Event, Mode, Phase, Purpose, Result, Roll, Source, Station, Victory, Wound, Zone

# --- the end ----------------------------------------------------------------------------------------------------------


@kernel
def lost_teams(s: Any, p: Any) -> int:
    """R75: teams that have lost, bit set."""
    if p.victory == Victory.FIRST_BLOOD:
        return s.bled
    standing = 0
    for f in range(p.fighters):
        if p.victory == Victory.DEATH:
            ok = s.dead[f] == 0
        else:
            ok = able(s, f)
        if ok and hooks.stands(s, p, f, 1):
            standing |= 1 << p.team[f]
    return 3 & ~standing


@kernel
def close(s: Any, result: int) -> None:
    """The fight is over."""
    s.status = ENDED
    s.result = result
    s.ask_phase = -1
    s.die_kind = 0
    s.die_faces = 0
    s.step_event = -1
    emit(s, Event.END, -1, result, 0)


@kernel
def end_test(s: Any, p: Any) -> bool:
    """R76: whether the fight is over; both sides losing at once is a draw."""
    if s.status == 0:
        lost = lost_teams(s, p)
        if lost:
            close(s, Result.DRAWN if lost == 3 else (Result.WON_B if lost == 1 else Result.WON_A))
    return s.status != 0


# --- what wounds lead to ----------------------------------------------------------------------------------------------


@kernel
def kill(s: Any, fighter: int) -> None:
    """The fighter is dead (a machine: destroyed)."""
    s.dead[fighter] = 1
    s.full_defence[fighter] = 0
    emit(s, Event.DEAD, fighter, 0, 0)


@kernel
def faint(s: Any, p: Any, fighter: int, rounds: int) -> None:
    """R61: unconscious for the rest of this round and so many more."""
    s.ko_until[fighter] = s.round_no + rounds
    s.full_defence[fighter] = 0
    if s.ko_head:
        s.head_penalty[fighter] = p.head_sw_extra_penalty
    emit(s, Event.FAINT, fighter, rounds, 0)


@kernel
def lose_action(s: Any, fighter: int) -> None:
    """R62: this round's action, or the next one if it is used or lost."""
    used = s.action_lost[fighter] != 0
    if s.pc != Station.EVENTS:
        used = used or s.acted[fighter] != 0 or s.full_defence[fighter] != 0
    if used:
        s.skip_next[fighter] = 1
    else:
        s.action_lost[fighter] = 1
    emit(s, Event.LOST_ACTION, fighter, 1 if used else 0, 0)


@kernel
def begin_hazard(s: Any, p: Any, fighter: int, dealer: int, purpose: int) -> bool:
    """R62, R67: the roll of an electric shock or fall; False if the fighter makes none."""
    if p.character[fighter] == 0 or not able(s, fighter):
        return False
    value = shock_value_of(s, p, fighter, p.shock[fighter] - p.hazard_penalty, purpose)
    begin_roll(s, Roll.SHOCK, purpose, fighter, dealer, value, 1, 20)
    return True


@kernel
def end_exchange(s: Any) -> None:
    """The attack is over."""
    s.x_on = 0


@kernel
def wound_done(s: Any, p: Any) -> None:
    """The end of a wound procedure: the end test, and what its cause still asks for."""
    s.w_on = 0
    cause = s.w_from
    if cause == Source.BLEEDING or end_test(s, p):
        return
    f = s.w_target
    if cause == Source.ATTACK:
        after_hit(s, p)
    elif cause == Source.FALL:
        begin_hazard(s, p, f, -1, Purpose.HAZARD_EVENT)


@kernel
def after_hit(s: Any, p: Any) -> None:
    """R62: an electric weapon's hazard roll; else the attack is over."""
    a = s.x_attacker
    electric = p.r_electric[a] if s.x_mode == Mode.SHOOT else p.m_electric[a]
    if electric == 0 or not begin_hazard(s, p, s.x_target, a, Purpose.HAZARD):
        end_exchange(s)


@kernel
def begin_wound(s: Any, p: Any, fighter: int, wound: int, zone: int, dealer: int, cause: int) -> None:
    """A wound of a class (0 none) at a zone (0 none): R51, then fate (R70, 4.4), then entry."""
    s.w_on = 1
    s.w_target = fighter
    s.w_dealer = dealer
    s.w_zone = zone
    s.w_from = cause
    if wound == Wound.TW:
        if zone in (Zone.RIGHT_LEG, Zone.LEFT_LEG, Zone.RIGHT_ARM, Zone.LEFT_ARM):
            wound = Wound.SW
    if wound > 0:
        wound = hooks.wound_class(s, p, fighter, zone, wound)
    s.w_class = wound
    if wound > 0 and s.fate[fighter] > 0 and p.fate_enabled and s.dead[fighter] == 0:
        key = wound >= Wound.LW or s.kr[fighter] + 1 >= p.cap_kr[fighter]
        if p.victory == Victory.FIRST_BLOOD and wound >= p.first_blood_class:
            key = True
        if key or p.fate_always:
            ask(s, Phase.FATE_REDUCE, fighter)
            return
    enter_wound(s, p)


@kernel
def enter_wound(s: Any, p: Any) -> None:
    """R53 to R56, R59: enter the wound with its cumulation; then the shock roll (R60) or the end of the procedure."""
    f, wound, zone = s.w_target, s.w_class, s.w_zone
    if wound == 0 or s.dead[f]:
        emit(s, Event.NO_WOUND, f, zone, 0)
        wound_done(s, p)
        return
    emit(s, Event.WOUND, f, zone, wound)
    level = wound  # class that is being entered; 0: no more
    top = wound
    if wound == Wound.SW and p.character[f] and p.bleeds:
        s.bleeding[f] += 1
    if level == Wound.KR:
        s.kr[f] += 1
        level = 0
        if s.kr[f] >= p.cap_kr[f]:
            s.kr[f] = 0
            level = Wound.LW
    if level == Wound.LW:
        s.lw[f] += 1
        level = 0
        top = max(top, Wound.LW.value)
        if s.lw[f] >= p.cap_lw[f]:
            s.lw[f] = 0
            level = Wound.SW
    if level == Wound.SW:
        s.sw[f] += 1
        level = 0
        top = max(top, Wound.SW.value)
        if s.sw[f] >= p.cap_sw[f]:
            s.sw[f] = 0
            s.bleeding[f] = 0
            level = Wound.TW
            top = Wound.TW
    if top > wound:
        emit(s, Event.MERGE, f, top, 0)
    if level == Wound.TW:
        s.tw[f] += 1
        if s.tw[f] >= p.tw_capacity[f]:
            if wound < Wound.TW and p.character[f] and s.struggle[f] == 0:
                s.struggle[f] = 1
                s.struggle_round[f] = s.round_no
                s.full_defence[f] = 0
                emit(s, Event.STRUGGLE, f, 0, 0)
            else:
                kill(s, f)
    if top >= p.first_blood_class:
        s.bled |= 1 << p.team[f]
    hooks.wounded(s, p, f, zone, wound)
    if not begin_shock(s, p, wound, top):
        wound_done(s, p)


@kernel
def begin_shock(s: Any, p: Any, wound: int, top: int) -> bool:
    """R60: the first line that fits; False if there is no roll."""
    f = s.w_target
    if p.character[f] == 0 or not able(s, f):
        return False
    value = p.shock[f]
    s.ko_faces = 10
    s.ko_head = 0
    head = s.w_zone == Zone.HEAD
    if wound == Wound.SW:
        if head:
            value = (value + p.half_shock_up) // 2
            s.ko_faces = 4
            s.ko_head = 1
    elif wound < Wound.SW and top >= Wound.SW and p.shock_on_cumulation:
        pass
    elif wound == Wound.LW and head:
        s.ko_faces = 4
    else:
        return False
    begin_roll(s, Roll.SHOCK, Purpose.CHECK, f, s.w_dealer, shock_value_of(s, p, f, value, Purpose.CHECK), 1, 20)
    return True
