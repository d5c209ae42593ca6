"""Baselines of Scorekeeper (section 6 of its specification), compiled.

What a baseline's own line does not say is common to all of them: they attack able enemies first, then the nearest, then
the first in setup order; they keep rolls, carry out what they declared, and counter when they may.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.jit import kernel
from ...envs.scorekeeper.combat import can_parry, can_save
from ...envs.scorekeeper.rules import legal
from ...envs.scorekeeper.services import (
    able,
    after_advance,
    after_retreat,
    can_aid,
    can_reload,
    distance,
    mode_of,
    reaches,
)
from ...envs.scorekeeper.state import ATTACKS, WORDS, Action, CounterRule, Declared, Mode, Phase, Wound
from ..common import random
from ..declaration import Baseline
from .ply import one_ply as ply
from .values import best_zone, hit_chance, parry_chance, save_chance, stop_per_attack

AGGRESSOR, MARKSMAN, DUELLIST, KITER, GUARDIAN = range(5)


@kernel
def first_action(s: Any, p: Any, seat: int) -> int:
    """The first legal action: what a question of a module that nobody here knows is answered by."""
    words = np.zeros(WORDS, np.int64)
    legal(s, p, seat, words)
    for w in range(WORDS):
        for b in range(32):
            if words[w] >> b & 1:
                return 32 * w + b
    return -1


# --- whom to attack, and how ------------------------------------------------------------------------------------------


@kernel
def choose_target(s: Any, p: Any, f: int, mode: int, spent_first: bool) -> int:
    """Enemy slot to attack in a mode, -1 for none; `spent_first`: those who will have acted before are preferred."""
    best = -1
    rank = 1 << 30
    for t in range(4):
        e = p.enemy[f, t]
        if e < 0:
            break
        if not reaches(s, p, f, e, mode):
            continue
        now = distance(s, f, e) + (0 if able(s, e) else 1000)
        if spent_first and not spends_before(s, f, e):
            now += 500
        if now < rank:
            best = t
            rank = now
    return best


@kernel
def spends_before(s: Any, f: int, e: int) -> bool:
    """Whether an enemy cannot parry on the turn of f: he is faster, and defends by no announced defence."""
    if s.rolled[e] == 0 or s.reaction[e] <= 0 or s.action_lost[e]:
        return s.action_lost[e] != 0
    for i in range(s.n_order):
        if s.order[i] == e:
            return s.declared[e] != Declared.FULL_DEFENCE
        if s.order[i] == f:
            return False
    return False


@kernel
def attack_with(s: Any, p: Any, f: int, mode: int, aimed: bool, spent_first: bool) -> int:
    """The attack of a mode on the chosen target, -1 if there is none."""
    slot = choose_target(s, p, f, mode, spent_first)
    if slot < 0:
        return -1
    zone = best_zone(s, p, f, p.enemy[f, slot], mode) if aimed else 0
    start = Action.SHOOT if mode == Mode.SHOOT else (Action.RUN if mode == Mode.RUN else Action.MELEE)
    return start + 8 * slot + zone


@kernel
def go_at_them(s: Any, p: Any, f: int, aimed: bool, spent_first: bool) -> int:
    """Shoot, else covered melee, else full run, else reload, else advance, else pass."""
    action = attack_with(s, p, f, Mode.SHOOT, aimed, spent_first)
    if action < 0:
        action = attack_with(s, p, f, Mode.MELEE, aimed, spent_first)
    if action < 0 and p.allow_full_run:
        action = attack_with(s, p, f, Mode.RUN, aimed, spent_first)
    if action >= 0:
        return action
    if can_reload(s, p, f):
        return Action.RELOAD
    return Action.ADVANCE if after_advance(s, p, f) != s.pos[f] else Action.PASS


@kernel
def melee_threat(s: Any, f: int) -> int:
    """The slowest enemy who has declared a melee attack on f in this round, -1 for none."""
    for i in range(s.n_order - 1, -1, -1):
        e = s.order[i]
        if (s.declared[e] == Declared.MELEE or s.declared[e] == Declared.RUN) and s.d_target[e] == f:
            return e
    return -1


# --- the duellist -----------------------------------------------------------------------------------------------------


@kernel
def stand_off(s: Any, p: Any, f: int, e: int) -> bool:
    """7.5: whether it pays that e attacks an announced defence of f; then f announces it."""
    if p.counter_rule != CounterRule.DECLARED and p.counter_rule != CounterRule.ANY:
        return False
    parry = parry_chance(s, p, f, True)
    back = hit_chance(s, p, f, e, Mode.COUNTER, 0) * (1.0 - save_chance(s, p, e, f, Mode.COUNTER))
    return 1.0 - parry <= parry * back


@kernel
def duellist_declares(s: Any, p: Any, f: int) -> int:
    """Full defence against a declared melee attack when 7.5 says so; else attack, those who have spent theirs first."""
    e = melee_threat(s, f)
    if e >= 0 and stand_off(s, p, f, e):
        return Action.FULL_DEFENCE
    return go_at_them(s, p, f, True, True)


@kernel
def duellist_reacts(s: Any, p: Any, f: int) -> int:
    """The better of save and parry; a parry must be better by more than the own attack is worth."""
    if not can_parry(s, p, f):
        return Action.SAVE
    announced = s.declared[f] == Declared.FULL_DEFENCE
    parry = parry_chance(s, p, f, announced)
    save = 0.0
    if can_save(s, p, f):
        save = save_chance(s, p, f, s.x_attacker, s.x_mode)
    cost = 0.0
    if s.full_defence[f] == 0 and s.acted[f] == 0 and s.declared[f] in ATTACKS:
        t = s.d_target[f]
        what = s.declared[f]
        mode = mode_of(what)
        if t >= 0 and reaches(s, p, f, t, mode):
            own = stop_per_attack(s, p, f, t, mode, s.d_zone[f]) * (1.0 - save_chance(s, p, t, f, mode))
            back = stop_per_attack(s, p, s.x_attacker, f, s.x_mode, 0)
            hit = hit_chance(s, p, s.x_attacker, f, s.x_mode, 0)
            blow = back / hit if hit > 0.0 else 0.0  # chance that a hit which gets through stops f
            cost = own / blow if blow > 0.0 else 1.0
    if parry - save > cost:
        return Action.PARRY
    return Action.SAVE if can_save(s, p, f) else (Action.PARRY if cost == 0.0 else Action.TAKE)


# --- kiter and guardian -----------------------------------------------------------------------------------------------


@kernel
def kiter_declares(s: Any, p: Any, f: int) -> int:
    """Retreat out of reach of a slower enemy who has declared melee; otherwise shoot."""
    if p.r_has[f] and s.broken[f] == 0:
        e = melee_threat(s, f)
        place = after_retreat(s, p, f)
        if e >= 0 and place != s.pos[f]:
            reach = p.run_reach[e] if s.declared[e] == Declared.RUN else p.reach[e]
            if abs(place - s.pos[e]) > reach:
                return Action.RETREAT
    return go_at_them(s, p, f, True, False)


@kernel
def guardian_declares(s: Any, p: Any, f: int) -> int:
    """First aid for a mate in death struggle, then for one who bleeds; else like the marksman."""
    best = -1
    for k in range(4):
        a = p.ally[f, k]
        if a >= 0 and can_aid(s, p, f, a):
            if s.struggle[a]:
                return Action.AID + k
            if best < 0:
                best = Action.AID + k
    return best if best >= 0 else go_at_them(s, p, f, True, False)


# --- all questions ----------------------------------------------------------------------------------------------------


@kernel
def reduce_most(s: Any, f: int, least: int) -> int:
    """Lower a wound of class `least` or more as far as possible."""
    return Action.REDUCE + (min(s.fate[f], s.w_class) if s.w_class >= least else 0)


@kernel
def answer(s: Any, p: Any, seat: int, style: int) -> int:
    """What a style of play says to any question."""
    f, phase = s.ask_fighter, s.ask_phase
    if s.ask_owner >= 0:
        return first_action(s, p, seat)
    if phase == Phase.DECLARE:
        if style == DUELLIST:
            return duellist_declares(s, p, f)
        if style == KITER:
            return kiter_declares(s, p, f)
        if style == GUARDIAN:
            return guardian_declares(s, p, f)
        return go_at_them(s, p, f, style != AGGRESSOR, False)
    if phase == Phase.REACT:
        if style == DUELLIST:
            return duellist_reacts(s, p, f)
        return Action.SAVE if can_save(s, p, f) else Action.PARRY
    if phase == Phase.COUNTER:
        return Action.COUNTER + (best_zone(s, p, f, s.x_attacker, Mode.COUNTER) if style != AGGRESSOR else 0)
    if phase == Phase.FATE_REDUCE:
        return reduce_most(s, f, 1 if style == AGGRESSOR else Wound.SW)
    if phase == Phase.FATE_REROLL:
        return Action.KEEP
    if phase == Phase.FORGO:
        return Action.EXECUTE
    return first_action(s, p, seat)


@kernel
def aggressor(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Attacks unaimed by whatever reaches, always saves, buys every wound down."""
    return answer(s, p, seat, AGGRESSOR)


@kernel
def marksman(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Like the aggressor, but aims where the target is stopped soonest; buys down severe and lethal wounds."""
    return answer(s, p, seat, MARKSMAN)


@kernel
def duellist(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Reads declarations: announces a defence, parries or dodges by what it is worth, attacks who cannot parry."""
    return answer(s, p, seat, DUELLIST)


@kernel
def kiter(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Shoots, and retreats from slower enemies who come close."""
    return answer(s, p, seat, KITER)


@kernel
def guardian(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Gives first aid where it is needed, else plays the marksman."""
    return answer(s, p, seat, GUARDIAN)


@kernel
def one_ply(s: Any, p: Any, seat: int, rng: Any) -> int:
    """The best expected material one action on; others are taken for aggressors."""
    if s.ask_owner >= 0:
        return random(s, p, seat, rng)
    return ply(s, p, seat)


BASELINES = {
    "aggressor": Baseline(aggressor, "attacks unaimed by whatever reaches, always saves, buys every wound down"),
    "marksman": Baseline(marksman, "the aggressor, aimed where the target is stopped soonest"),
    "duellist": Baseline(duellist, "reads declarations: announced defence, parry or dodge by their worth"),
    "kiter": Baseline(kiter, "shoots, and retreats from slower enemies who come close"),
    "guardian": Baseline(guardian, "first aid for dying and bleeding mates, else the marksman"),
    "one_ply": Baseline(one_ply, "the best expected material one action on; others are taken for aggressors", work=16),
}
