"""The start of a round: scripted events (4.5), reaction rolls (R3), the acting order and its ties (R6, R9)."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from . import hooks
from .combat import offer_fate
from .services import able, begin_roll, emit, shock_value_of
from .state import Declared, Die, Event, Moment, Purpose, Roll, Script, Source, Station
from .steps import begin_steps
from .wounds import begin_hazard, begin_wound


@kernel
def begin_round(s: Any, p: Any) -> None:
    """R1: the state of a round is cleared."""
    s.round_no += 1
    s.n_order = 0
    s.fate_done = 0
    s.actor = -1
    for f in range(p.fighters):
        s.rolled[f] = 0
        s.reaction[f] = 0
        s.declared[f] = Declared.NOT_YET
        s.d_target[f] = -1
        s.d_zone[f] = 0
        s.acted[f] = 0
        s.full_defence[f] = 0
        s.saves_lost[f] = 0
        s.forfeited[f] = 0
        s.parries[f] = 0
        s.counters[f] = 0
        s.action_lost[f] = s.skip_next[f]
        s.skip_next[f] = 0
    hooks.reset_fields(s, p, 0)
    emit(s, Event.ROUND, -1, s.round_no, 0)
    s.pc = Station.EVENTS
    s.at = 0


@kernel
def run_scripted(s: Any, p: Any) -> None:
    """4.5: the next scripted event of this round."""
    while s.at < p.scripted:
        i = s.at
        s.at += 1
        f = p.s_fighter[i]
        if p.s_round[i] != s.round_no or s.dead[f]:
            continue
        kind = p.s_kind[i]
        emit(s, Event.SCRIPT, f, kind, p.s_wound[i])
        if kind == Script.WOUND:
            begin_wound(s, p, f, p.s_wound[i], p.s_zone[i], -1, Source.EVENT)
        elif kind == Script.FALL:
            begin_wound(s, p, f, p.s_wound[i], p.s_zone[i], -1, Source.FALL)
        elif kind == Script.ELECTRIC:
            begin_hazard(s, p, f, -1, Purpose.HAZARD_EVENT)
        elif p.character[f] and able(s, f):
            purpose = Purpose.ORDEAL if kind == Script.ORDEAL else Purpose.TRAUMA
            begin_roll(s, Roll.SHOCK, purpose, f, -1, shock_value_of(s, p, f, p.shock[f], purpose), 1, 20)
        return
    s.pc = Station.ROUND_STEPS
    begin_steps(s, Moment.ROUND_START)


@kernel
def roll_reaction(s: Any, p: Any) -> None:
    """R3: the next able fighter in setup order rolls."""
    while s.at < p.fighters:
        f = s.at
        s.at += 1
        if able(s, f):
            s.order[s.n_order] = f
            s.n_order += 1
            begin_roll(s, Roll.REACTION, Purpose.CHECK, f, -1, 0, 1, 10)
            return
    s.pc = Station.REACTION_FATE if p.fate_enabled and p.fate_rolls >> Roll.REACTION & 1 else Station.ORDER


@kernel
def ask_reaction(s: Any, p: Any) -> None:
    """4.2: who may repeat his reaction roll is asked, in ascending order of the values."""
    best = -1
    for f in range(p.fighters):
        if s.rolled[f] and s.fate[f] > 0 and not s.fate_done >> f & 1:
            if best < 0 or s.reaction[f] < s.reaction[best]:
                best = f
    if best < 0:
        s.pc = Station.ORDER
        return
    s.roll_kind = Roll.REACTION
    s.roll_for = Purpose.CHECK
    s.roll_owner = best
    s.roll_other = -1
    s.roll_value = 0
    s.roll_ok = 0
    s.roll_faces = 10
    s.roll_sum = s.react_die[best]
    s.roll_pack = s.react_die[best]
    offer_fate(s, p, 0)


@kernel
def order_key(s: Any, p: Any, fighter: int) -> int:
    """What the acting order goes by; equal keys are drawn (R9)."""
    value = (s.reaction[fighter] + 2000) << 20
    if p.ties_by_base:
        value += (p.wah[fighter] + p.agl[fighter]) << 8 | p.wah[fighter]
    return value


@kernel
def sort_order(s: Any, p: Any) -> None:
    """R6: highest reaction first; tied fighters in setup order until they are drawn."""
    for i in range(1, s.n_order):
        f = s.order[i]
        value = order_key(s, p, f)
        j = i
        while j > 0 and order_key(s, p, s.order[j - 1]) < value:
            s.order[j] = s.order[j - 1]
            j -= 1
        s.order[j] = f
    s.tie_at = 0
    s.tie_end = 0
    s.pc = Station.TIES


@kernel
def draw_ties(s: Any, p: Any) -> None:
    """R9: the first actor of a tied group, then the next one, group after group from the highest."""
    while True:
        if s.tie_end - s.tie_at > 1:
            s.die_kind = Die.TIE
            s.die_faces = s.tie_end - s.tie_at
            return
        s.tie_at = s.tie_end
        if s.tie_at >= s.n_order:
            break
        value = order_key(s, p, s.order[s.tie_at])
        s.tie_end = s.tie_at + 1
        while s.tie_end < s.n_order and order_key(s, p, s.order[s.tie_end]) == value:
            s.tie_end += 1
    emit(s, Event.ORDER, -1, s.n_order, order_pack(s))
    for f in range(p.fighters):
        if s.rolled[f] == 0 or s.reaction[f] <= 0 or s.action_lost[f]:
            s.declared[f] = Declared.NONE_POSSIBLE
    s.pc = Station.DECLARE
    s.at = s.n_order - 1


@kernel
def order_pack(s: Any) -> int:
    """The acting order, 3 bits a fighter, the first lowest."""
    pack = 0
    for i in range(s.n_order):
        pack |= s.order[i] << (3 * i)
    return pack


@kernel
def tie_drawn(s: Any, outcome: int) -> None:
    """R9: the outcome-th of those left acts next."""
    i = s.tie_at + outcome
    f = s.order[i]
    while i > s.tie_at:
        s.order[i] = s.order[i - 1]
        i -= 1
    s.order[i] = f
    s.tie_at += 1
