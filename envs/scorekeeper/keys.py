"""Keys of positions: what a search takes for the same position."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from ..core.rng import mix
from . import hooks
from .combat import CHECKS
from .round_start import order_pack
from .services import damage_class
from .state import CounterRule, Die, Phase, Roll, Station


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """Hash of all on which the future depends; since everything is public, equal positions may meet."""
    return mix(position_key(s, p), seat + 1)


@kernel
def position_key(s: Any, p: Any) -> int:
    """Two positions with equal keys have equal futures: what the past has left no trace of is left out."""
    h = mix(s.round_no << 8 | s.pc, s.status << 4 | s.bled)
    ordered = s.pc > Station.ORDER
    for f in range(p.fighters):
        a = s.kr[f] | s.lw[f] << 5 | s.sw[f] << 10 | s.tw[f] << 15
        a |= (s.dead[f] | s.struggle[f] << 1 | s.stable[f] << 2 | s.trauma[f] << 3) << 18
        a |= max(0, s.ko_until[f] - s.round_no + 1) << 22
        a |= s.death_rolls[f] << 32 | s.bleeding[f] << 40 | s.fate[f] << 45 | s.head_penalty[f] << 49
        if p.death_next_round and s.struggle_round[f] == s.round_no:
            a |= 1 << 53
        b = s.pos[f] | s.loaded[f] << 8 | s.reserve[f] << 16
        b |= (s.jammed[f] | s.broken[f] << 1 | s.skip_next[f] << 2 | s.action_lost[f] << 3) << 24
        b |= (s.acted[f] | s.full_defence[f] << 1 | s.saves_lost[f] << 2 | s.forfeited[f] << 3) << 28
        b |= s.parries[f] << 32 | s.counters[f] << 40
        c = s.declared[f] | (s.d_target[f] + 1) << 4 | s.d_zone[f] << 8
        c |= (s.rolled[f] | (0 if ordered or s.rolled[f] == 0 else s.reaction[f] + 2000) << 1) << 20
        h = mix(mix(mix(h, a), b), c)
    if ordered:
        h = mix(h, order_pack(s) << 4 | s.n_order)
    h = mix(h, (s.at + 1) | s.tie_at << 8 | s.tie_end << 16 | s.fate_done << 24 | (s.bleed_left + 1) << 32)
    h = mix(h, (s.ask_phase + 1) | (s.ask_fighter + 1) << 8 | (s.ask_owner + 1) << 16 | (s.actor + 1) << 32)
    if s.step_event >= 0:
        h = mix(h, s.step_event << 16 | s.step_module << 8 | s.step_fighter)
    if s.x_on:
        exchange = s.x_attacker | s.x_target << 4 | s.x_mode << 8 | s.x_zone << 12 | s.x_hit << 16
        h = mix(h, exchange << 1 | 1)
    if s.w_on:
        h = mix(h, s.w_target | (s.w_dealer + 1) << 4 | s.w_class << 8 | s.w_zone << 12 | s.w_from << 16)
    if s.die_kind != Die.NONE:
        h = mix(h, s.die_kind | s.die_faces << 4 | s.die_owner << 16 | s.die_what << 32)
    if s.die_kind == Die.ROLL or s.ask_phase == Phase.FATE_REROLL:
        h = mix(h, roll_key(s, p))
    return hooks.state_key(s, p, h)


@kernel
def roll_key(s: Any, p: Any) -> int:
    """What matters of the roll under way, or of one that lies and may be repeated."""
    h = s.roll_kind + 1 | s.roll_for << 8 | (s.roll_owner + 1) << 16 | (s.roll_other + 1) << 24 | s.fate_stage << 32
    h = mix(h, (s.roll_value + 4096) | s.roll_left << 16)
    h = mix(h, s.ko_faces << 1 | s.ko_head)
    if s.die_kind == Die.ROLL:
        return mix(h, s.roll_through if s.roll_kind == Roll.DAMAGE else 0)
    face = s.roll_sum
    if s.roll_kind == Roll.DAMAGE:
        face = damage_class(s.roll_points)
    elif s.roll_kind == Roll.ZONE:
        face = s.x_hit
    elif CHECKS >> s.roll_kind & 1:
        fumbled = p.fumble_on > 0 and s.roll_sum >= p.fumble_on
        if s.roll_kind != Roll.PARRY or p.counter_rule != CounterRule.HALF:
            face = 1 if fumbled else 0
    return mix(h, face << 1 | s.roll_ok)
