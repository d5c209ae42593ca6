"""What rules and rule modules do with the record: events, questions, dice, places, values."""

from __future__ import annotations

from typing import Any

from ..core.abi import STOPPED
from ..core.jit import kernel
from ..core.legal import allow, allow_bits  # noqa: F401 - rule modules find them here
from ..core.modules.asking import (  # noqa: F401 - rule modules find them here
    allow_for,
    answer_of,
    ask_all,
    throw_die,
)
from ..core.modules.hooks import amount_of, has, kind_of, target_of  # noqa: F401 - rule modules find them here
from ..core.rng import mix
from . import hooks
from .state import AIM, ASK_NOBODY, EVENT, EVENTS, Declared, Die, HardBonus, Mode, Roll

AT, LOW = EVENT.at, EVENT.low

# --- events -----------------------------------------------------------------------------------------------------------


@kernel
def emit(s: Any, kind: int, who: int, a: int, b: int) -> None:
    """Append an event of `EVENT`: a kind, a fighter or -1, and two numbers. Everybody sees it."""
    if s.n_events < EVENTS:
        s.events[s.n_events] = kind | (who - LOW[1]) << AT[1] | (a - LOW[2]) << AT[2] | (b - LOW[3]) << AT[3]
        s.n_events += 1


# --- questions and dice -----------------------------------------------------------------------------------------------


@kernel
def ask(s: Any, phase: int, fighter: int) -> None:
    """A fighter owes a decision of the core."""
    s.ask_phase = phase
    s.ask_fighter = fighter
    s.ask_owner = -1


@kernel
def ask_module(s: Any, owner: int, phase: int, fighter: int) -> None:
    """For modules, in `step` hooks, `choose` and answers: a fighter owes module `owner` (ME) a decision in a phase."""
    if s.ask_phase != ASK_NOBODY or s.die_kind != Die.NONE:
        s.status = STOPPED
    s.ask_phase = phase
    s.ask_fighter = fighter
    s.ask_owner = owner


@kernel
def lot(s: Any, owner: int, what: int, fighter: int, faces: int) -> None:
    """For modules, where they may ask: a fair die falls, the hook `fell` of module `owner` is told."""
    if s.ask_phase != ASK_NOBODY or s.die_kind != Die.NONE:
        s.status = STOPPED
    s.die_kind = Die.MODULE
    s.die_faces = faces
    s.die_owner = owner
    s.die_what = what
    s.die_fighter = fighter


@kernel
def throw(s: Any, dice: int, faces: int) -> None:
    """The dice of the roll under way fall, the first time or again."""
    s.roll_left = dice
    s.roll_faces = faces
    s.roll_sum = 0
    s.roll_through = 0
    s.roll_pack = 0
    s.die_kind = Die.ROLL
    s.die_faces = faces


@kernel
def begin_roll(s: Any, kind: int, purpose: int, owner: int, other: int, value: int, dice: int, faces: int) -> None:
    """A roll of `dice` dice; a check succeeds below `value`. `other` is the other fighter of the exchange or -1."""
    s.roll_kind = kind
    s.roll_for = purpose
    s.roll_owner = owner
    s.roll_other = other
    s.roll_value = value
    s.roll_ok = 0
    s.roll_points = 0
    throw(s, dice, faces)


@kernel
def key_with(value: int, number: int) -> int:
    """For the hook `state_key`: the key `value` with a number of the module mixed in."""
    return mix(value, number)


# --- who and where ----------------------------------------------------------------------------------------------------


@kernel
def able(s: Any, fighter: int) -> bool:
    """Able to roll reaction, declare, act and defend."""
    out = s.dead[fighter] | s.struggle[fighter] | s.trauma[fighter]
    return out == 0 and s.ko_until[fighter] < s.round_no


@kernel
def distance(s: Any, one: int, other: int) -> int:
    """Metres between two fighters (R14)."""
    return abs(s.pos[one] - s.pos[other])


@kernel
def is_ready(s: Any, p: Any, fighter: int) -> bool:
    """R36: the ranged weapon is carried, loaded, not jammed, not broken."""
    return p.r_has[fighter] != 0 and s.loaded[fighter] > 0 and s.jammed[fighter] == 0 and s.broken[fighter] == 0


@kernel
def reaches(s: Any, p: Any, fighter: int, target: int, mode: int) -> bool:
    """R19, R20, R36: the target is not dead and within reach or range; for a shot the weapon is ready."""
    if s.dead[target]:
        return False
    d = distance(s, fighter, target)
    if mode == Mode.SHOOT:
        ok = d <= p.r_range[fighter] and is_ready(s, p, fighter)
    elif mode == Mode.RUN:
        ok = d <= p.run_reach[fighter]
    else:
        ok = d <= p.reach[fighter]
    return ok and hooks.permit(s, p, fighter, target, mode, 1) != 0


@kernel
def mode_of(declared: int) -> int:
    """Mode of a declared attack (ATTACKS)."""
    if declared == Declared.MELEE:
        return Mode.MELEE
    return Mode.RUN if declared == Declared.RUN else Mode.SHOOT


@kernel
def can_reload(s: Any, p: Any, fighter: int) -> bool:
    """R18: there is something to reload, or a jam to clear."""
    if p.r_has[fighter] == 0 or s.broken[fighter]:
        return False
    return s.jammed[fighter] != 0 or (s.loaded[fighter] < p.r_capacity[fighter] and s.reserve[fighter] > 0)


@kernel
def needs_aid(s: Any, p: Any, patient: int) -> bool:
    """R64: in death struggle and not stabilised, or bleeding and not in death struggle."""
    if s.dead[patient]:
        return False
    if s.struggle[patient]:
        return s.stable[patient] == 0
    return s.bleeding[patient] > 0


@kernel
def can_aid(s: Any, p: Any, fighter: int, patient: int) -> bool:
    """R64: need and reach."""
    return needs_aid(s, p, patient) and distance(s, fighter, patient) <= p.reach[fighter]


@kernel
def nearest_enemy(s: Any, p: Any, fighter: int) -> int:
    """R17: able enemies first, else those not dead; the earlier one in setup order among equally near; -1 for none."""
    best = -1
    best_rank = 1 << 30
    for t in range(4):
        e = p.enemy[fighter, t]
        if e < 0 or s.dead[e]:
            continue
        rank = distance(s, fighter, e) + (0 if able(s, e) else 1000)
        if rank < best_rank:
            best = e
            best_rank = rank
    return best


@kernel
def after_advance(s: Any, p: Any, fighter: int) -> int:
    """R17: where an advance would lead."""
    here = s.pos[fighter]
    e = nearest_enemy(s, p, fighter)
    if e < 0:
        return here
    gap = s.pos[e] - here
    steps = min(abs(gap) - 1, p.run_distance[fighter])
    if steps <= 0:
        return here
    return here + steps if gap > 0 else here - steps


@kernel
def after_retreat(s: Any, p: Any, fighter: int) -> int:
    """R17: where a retreat would lead."""
    here = s.pos[fighter]
    e = nearest_enemy(s, p, fighter)
    if e < 0:
        return here
    gap = s.pos[e] - here
    down = gap > 0 or (gap == 0 and p.team[fighter] == 0)
    if down:
        return max(0, here - p.run_distance[fighter])
    return min(p.field_length, here + p.run_distance[fighter])


# --- values -----------------------------------------------------------------------------------------------------------


@kernel
def wound_penalty(s: Any, p: Any, fighter: int) -> int:
    """R57, R61: what wounds subtract from the rolls that they touch."""
    points = s.lw[fighter] + 4 * s.sw[fighter] + p.tw_penalty * s.tw[fighter]
    return points + s.head_penalty[fighter]


@kernel
def penalty_on(s: Any, p: Any, fighter: int, kind: int) -> int:
    """What wounds subtract from a roll of a kind."""
    return wound_penalty(s, p, fighter) if p.penalty_rolls >> kind & 1 else 0


@kernel
def melee_value(s: Any, p: Any, fighter: int) -> int:
    """AGL + melee skill with the usual modifiers, wounds apart."""
    return p.agl[fighter] + p.melee_skill[fighter] + p.roll_mod[fighter]


@kernel
def range_modifier(p: Any, fighter: int, d: int) -> int:
    """R38: modifier of a shot over a distance of `d` metres."""
    m = p.r_range[fighter]
    if 3 * d <= m:
        return 0
    return p.range_mod_medium if 3 * d <= 2 * m else p.range_mod_long


@kernel
def attack_value_of(s: Any, p: Any, attacker: int, target: int, mode: int, zone: int) -> int:
    """R22, R23, R34, R37, R38, R50: the attack hits if the d20 is strictly below it."""
    if mode == Mode.SHOOT:
        base = p.wil[attacker] if p.r_magic[attacker] else p.wah[attacker]
        value = base + p.ranged_skill[attacker] + p.roll_mod[attacker]
        value += range_modifier(p, attacker, distance(s, attacker, target))
    else:
        value = melee_value(s, p, attacker)
        if mode == Mode.RUN:
            value += p.full_run_modifier
        elif mode == Mode.COUNTER:
            value += p.counter_modifier
    value -= AIM[zone] + penalty_on(s, p, attacker, Roll.ATTACK)
    return hooks.attack_value(s, p, attacker, target, mode, zone, value)


@kernel
def save_value_of(s: Any, p: Any, fighter: int, attacker: int, mode: int) -> int:
    """R25, R39, R50: dodge under AGL, cover under WAH, magic under the magic resistance."""
    if mode != Mode.SHOOT:
        value = p.agl[fighter]
    elif p.r_magic[attacker]:
        value = p.magic_resistance[fighter]
    else:
        value = p.wah[fighter]
    value += p.roll_mod[fighter] - penalty_on(s, p, fighter, Roll.SAVE)
    return hooks.save_value(s, p, fighter, mode, value)


@kernel
def parry_value_of(s: Any, p: Any, fighter: int, announced: bool) -> int:
    """R32: value of a parry; `announced`: full defence was declared."""
    value = melee_value(s, p, fighter) - penalty_on(s, p, fighter, Roll.PARRY)
    if announced:
        value += p.declared_defence_bonus
    return hooks.parry_value(s, p, fighter, value)


@kernel
def aid_value_of(s: Any, p: Any, fighter: int) -> int:
    """R64: value of first aid."""
    return p.first_aid[fighter] + p.roll_mod[fighter] - penalty_on(s, p, fighter, Roll.FIRST_AID)


@kernel
def shock_value_of(s: Any, p: Any, fighter: int, base: int, purpose: int) -> int:
    """A shock roll under `base` (S or a changed value) with the penalties of the options."""
    return hooks.shock_value(s, p, fighter, purpose, base - penalty_on(s, p, fighter, Roll.SHOCK))


@kernel
def damage_class(points: int) -> int:
    """R44: the class of so many points of damage, 0 for no wound."""
    if points <= 0:
        return 0
    if points <= 6:
        return 1
    if points <= 11:
        return 2
    return 3 if points <= 15 else 4


@kernel
def damage_points(s: Any, p: Any, attacker: int, target: int, mode: int, zone: int, through: int) -> int:
    """R45, R46: points behind all armour; `through` is the sum of the dice behind hard armour."""
    bonus = p.damage_bonus[attacker]
    if mode == Mode.SHOOT:
        bonus = bonus if p.r_bonus[attacker] else 0
    elif p.m_bonus[attacker] == 0:
        bonus = 0
    if mode == Mode.RUN:
        bonus += p.full_run_damage_bonus
    hard = p.hard[target, zone]
    if (p.hard_vs_bonus == HardBonus.NEEDS_DIE and through == 0) or bonus == 0:
        bonus = 0
    elif p.hard_vs_bonus == HardBonus.AS_DIE and bonus > 0:
        bonus = max(0, bonus - hard)
    points = max(0, through + bonus - p.soft[target, zone])
    return hooks.damage(s, p, attacker, target, mode, zone, points)
