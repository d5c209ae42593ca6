"""The observation of a seat: Box(902) and the pieces of modules (4.8), and the kernel that writes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.jit import kernel
from ..core.observe import Layout, Piece, parts
from . import hooks
from .module import Module
from .services import able, damage_class, penalty_on
from .state import PH_CUSTOM, ZONES, Declared, Mode, Phase, Roll, Station, Status

BLOCKS = 8  # oneself, 3 mates, 4 enemies
BLOCK = 104
SHARED = BLOCKS * BLOCK  # where the global block begins
BASE = 902

_FIGHTER: tuple[tuple[str, int, float, float, str], ...] = (
    ("who", 4, 0, 1, "present, is_self, is_ally, is_enemy"),
    ("nature", 2, 0, 1, "surprised, is_character"),
    ("status", 6, 0, 1, "able, unconscious, trauma, struggle, stabilised, dead"),
    ("awake", 1, 0, 1, "rounds until awake / 10"),
    ("values", 6, -1, 1, "wah / 20, agl / 20, res / 20, wil / 20, melee_skill / 20, ranged_skill / 20"),
    ("care", 2, 0, 1, "first_aid / 30, magic_resistance / 30"),
    ("modifiers", 3, -1, 1, "damage_bonus / 20, reaction_mod / 20, roll_mod / 20"),
    ("fate", 1, 0, 1, "fate / 10"),
    ("wounds", 6, 0, 1, "share of kr, share of lw, share of sw, room for kr / 10, room for lw / 10, room for sw / 10"),
    ("lethal", 3, 0, 1, "tw, tw_capacity, bleeding / 5"),
    ("penalty", 3, 0, 1, "penalty / 20, head penalty / 10, death rolls / 20"),
    ("place", 2, -1, 1, "position, signed distance from the observer"),
    ("reaction", 2, -1, 1, "reaction / 40, place in the acting order / 8"),
    ("flags", 6, 0, 1, "acted, full_defence, saves_lost, action_lost, forfeited, skip_next"),
    ("blows", 2, 0, 1, "parries / 8, counters / 8"),
    ("declared", 11, 0, 1, "not yet, none, pass, full_defence, reload, advance, retreat, aid, melee, run, shoot"),
    ("declared_target", 8, 0, 1, "block of the declared target"),
    ("declared_zone", 8, 0, 1, "declared zone: any, seven zones"),
    ("melee_weapon", 3, 0, 1, "dice / 5, sides / 20, electric"),
    (
        "ranged_weapon",
        11,
        0,
        1,
        "has, dice / 5, sides / 20, range / 60, loaded, capacity, reserve / 20, jammed, broken, magic, bonus",
    ),
    ("armour", 14, 0, 1, "hard per zone, soft per zone / 10"),
)  # fmt: skip
_GLOBAL: tuple[tuple[str, int, float, float, str], ...] = (
    ("phase", 6, 0, 1, "declare, forgo, react, counter, fate_reroll, fate_reduce"),
    ("clock", 2, 0, 1, "round, rounds left"),
    ("field", 1, 0, 1, "field_length / 200"),
    ("victory", 3, 0, 1, "incapacitated, death, first_blood"),
    ("attacker", 8, 0, 1, "block of the attacker of the exchange under way"),
    ("target", 8, 0, 1, "block of its target"),
    ("mode", 4, 0, 1, "melee, run, counter, shoot"),
    ("zone", 8, 0, 1, "its declared zone: any, seven zones"),
    ("roll", 10, 0, 1, "last roll: reaction, attack, zone, damage, save, parry, shock, duration, death, aid"),
    ("dice", 3, -1, 1, "dice total / 30, target value / 30, success"),
    ("wound", 5, 0, 1, "pending wound class: none to TW"),
    ("wound_zone", 8, 0, 1, "its zone: none, seven zones"),
    ("counter_rule", 4, 0, 1, "off, declared, half, any"),
)  # fmt: skip


def _piece(row: tuple[str, int, float, float, str], prefix: str = "") -> Piece:
    """A piece whose parts its text names where it lists as many; shares are those of what the field or rounds allow."""
    name, size, low, high, doc = row
    named = parts(doc)
    return Piece(prefix + name, (size,), low, high, doc, named if len(named) == size else ())


def layout(modules: Sequence[Module]) -> Layout:
    """The observation layout: 8 fighters (oneself, mates, enemies) of 104, the global block of 70, modules."""
    who = ["self", *[f"mate{i}" for i in (1, 2, 3)], *[f"enemy{i}" for i in (1, 2, 3, 4)]]
    pieces = [_piece(row, f"{w}.") for w in who for row in _FIGHTER] + [_piece(row) for row in _GLOBAL]
    return Layout(
        [*pieces, *[Piece(f"{m.name}.{p.name}", (p.size,), p.low, p.high, p.doc) for m in modules for p in m.pieces]]
    )


@kernel
def share(x: int, scale: float) -> float:
    """x / scale, clipped to [-1, 1]."""
    return min(1.0, max(-1.0, x / scale))


@kernel
def status_of(s: Any, f: int) -> int:
    """4.8: of several the last."""
    if s.dead[f]:
        return Status.DEAD
    if s.struggle[f]:
        return Status.STABILISED if s.stable[f] else Status.STRUGGLE
    if s.trauma[f]:
        return Status.TRAUMA
    return Status.ABLE if able(s, f) else Status.UNCONSCIOUS


@kernel
def observer_of(s: Any, p: Any, seat: int) -> int:
    """The fighter in block 0: the seat's own; of a team the one who decides, else its first."""
    first = -1
    for f in range(p.fighters):
        if p.seat_of[f] == seat:
            if first < 0 or (s.ask_phase >= 0 and s.ask_fighter == f):
                first = f
    return first


@kernel
def observe_fighter(s: Any, p: Any, me: int, f: int, out: Any) -> None:
    """One block of 104 at the place of the fighter; sheets of the other team are hidden with `private_sheets`."""
    o = BLOCK * p.block[me, f]
    mine = p.team[me] == p.team[f]
    shown = 1.0 if mine or p.private_sheets == 0 else 0.0
    out[o] = 1.0
    out[o + (1 if f == me else (2 if mine else 3))] = 1.0
    out[o + 4] = 1.0 if p.surprised[f] else 0.0
    out[o + 5] = 1.0 if p.character[f] else 0.0
    out[o + 6 + status_of(s, f)] = 1.0
    out[o + 12] = share(max(0, s.ko_until[f] - s.round_no + 1), 10.0)
    out[o + 13] = shown * share(p.wah[f], 20.0)
    out[o + 14] = shown * share(p.agl[f], 20.0)
    out[o + 15] = shown * share(p.res[f], 20.0)
    out[o + 16] = shown * share(p.wil[f], 20.0)
    out[o + 17] = shown * share(p.melee_skill[f], 20.0)
    out[o + 18] = shown * share(p.ranged_skill[f], 20.0)
    out[o + 19] = shown * share(p.first_aid[f], 30.0)
    out[o + 20] = shown * share(p.magic_resistance[f], 30.0)
    out[o + 21] = shown * share(p.damage_bonus[f], 20.0)
    out[o + 22] = share(p.reaction_mod[f], 20.0)
    out[o + 23] = share(p.roll_mod[f], 20.0)
    out[o + 24] = shown * share(s.fate[f], 10.0)
    out[o + 25] = share(s.kr[f], p.cap_kr[f])
    out[o + 26] = share(s.lw[f], p.cap_lw[f])
    out[o + 27] = share(s.sw[f], p.cap_sw[f])
    out[o + 28] = shown * share(p.cap_kr[f], 10.0)
    out[o + 29] = shown * share(p.cap_lw[f], 10.0)
    out[o + 30] = shown * share(p.cap_sw[f], 10.0)
    out[o + 31] = share(s.tw[f], 5.0)
    out[o + 32] = share(p.tw_capacity[f], 5.0)
    out[o + 33] = share(s.bleeding[f], 5.0)
    out[o + 34] = share(penalty_on(s, p, f, Roll.ATTACK), 20.0)
    out[o + 35] = share(s.head_penalty[f], 10.0)
    out[o + 36] = share(s.death_rolls[f], 20.0)
    out[o + 37] = share(s.pos[f], p.field_length)
    out[o + 38] = share(s.pos[f] - s.pos[me], p.field_length)
    if s.rolled[f]:
        out[o + 39] = share(s.reaction[f], 40.0)
        if s.pc > Station.TIES:
            for i in range(s.n_order):
                if s.order[i] == f:
                    out[o + 40] = share(i + 1, 8.0)
    out[o + 41] = s.acted[f]
    out[o + 42] = s.full_defence[f]
    out[o + 43] = s.saves_lost[f]
    out[o + 44] = s.action_lost[f]
    out[o + 45] = s.forfeited[f]
    out[o + 46] = s.skip_next[f]
    out[o + 47] = share(s.parries[f], 8.0)
    out[o + 48] = share(s.counters[f], 8.0)
    what = s.declared[f]
    if what != Declared.OWN:
        out[o + 49 + what] = 1.0
        if s.d_target[f] >= 0:
            out[o + 60 + p.block[me, s.d_target[f]]] = 1.0
            out[o + 68 + s.d_zone[f]] = 1.0
    out[o + 76] = share(p.m_dice[f], 5.0)
    out[o + 77] = share(p.m_sides[f], 20.0)
    out[o + 78] = p.m_electric[f]
    if p.r_has[f]:
        out[o + 79] = 1.0
        out[o + 80] = share(p.r_dice[f], 5.0)
        out[o + 81] = share(p.r_sides[f], 20.0)
        out[o + 82] = share(p.r_range[f], 60.0)
        out[o + 83] = share(s.loaded[f], 20.0)
        out[o + 84] = share(p.r_capacity[f], 20.0)
        out[o + 85] = shown * share(s.reserve[f], 20.0)
        out[o + 86] = s.jammed[f]
        out[o + 87] = s.broken[f]
        out[o + 88] = p.r_magic[f]
        out[o + 89] = p.r_bonus[f]
    for z in range(1, ZONES):
        out[o + 89 + z] = shown * share(p.hard[f, z], 10.0)
        out[o + 96 + z] = shown * share(p.soft[f, z], 10.0)


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """float32[902] and the pieces of modules."""
    me = observer_of(s, p, seat)
    for f in range(p.fighters):
        observe_fighter(s, p, me, f, out)
    o = SHARED
    if 0 <= s.ask_phase < PH_CUSTOM:
        out[o + s.ask_phase] = 1.0
    out[o + 6] = share(s.round_no, p.max_rounds)
    out[o + 7] = share(p.max_rounds - s.round_no, p.max_rounds)
    out[o + 8] = share(p.field_length, 200.0)
    out[o + 9 + p.victory] = 1.0
    if s.x_on:
        out[o + 12 + p.block[me, s.x_attacker]] = 1.0
        out[o + 20 + p.block[me, s.x_target]] = 1.0
        mode = s.x_mode
        out[o + 28 + (0 if mode == Mode.MELEE else (1 if mode == Mode.RUN else (2 if mode == Mode.COUNTER else 3)))] = (
            1.0
        )
        out[o + 32 + s.x_zone] = 1.0
    kind = s.roll_kind
    if kind >= 0:
        out[o + 40 + kind] = 1.0
        out[o + 50] = share(s.roll_sum, 30.0)
        if p.private_sheets == 0 or p.team[s.roll_owner] == p.team[me]:
            out[o + 51] = share(s.roll_value, 30.0)
        out[o + 52] = s.roll_ok
    wound = 0
    zone = 0
    if s.w_on:
        wound = s.w_class if s.ask_phase == Phase.FATE_REDUCE else 0
        zone = s.w_zone
    elif s.x_on:
        zone = s.x_hit
        if s.ask_phase == Phase.FATE_REROLL and kind == Roll.DAMAGE:
            wound = damage_class(s.roll_points)
    out[o + 53 + wound] = 1.0
    out[o + 58 + zone] = 1.0
    out[o + 66 + p.counter_rule] = 1.0
    return hooks.observe_modules(s, p, seat, out, BASE)
