"""Who will win a fight of Scorekeeper, estimated where a round begins: what a search puts in place of the rest.

Both sides are taken to strike at their nearest able enemies for as long as it takes. A fighter needs so many blows
that get through to stop his man, by the chance that the next one does, and after it by the wound potential (7.6) that
one adds and by the shock rolls that it leads to; and so many rounds for them. These numbers, the sheets and the order
of the round are the features of both sides, of which a small network makes the expected result. It was fitted to the
results of fights in which everybody plays `aggressor` (`training/scorekeeper/outlook.py`), so a search that simulates
some rounds before it asks for an outlook improves on that baseline (policy improvement by truncated rollouts:
Bertsekas 2013, Rollout Algorithms for Discrete Optimization).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.jit import kernel
from ...envs.scorekeeper.services import able, can_reload, distance, is_ready, shock_value_of, wound_penalty
from ...envs.scorekeeper.state import ZONES, Mode, Purpose, Station, Victory, Wound
from .net import net_value
from .values import (
    ZONE_WEIGHTS,
    after_limb,
    chance_below,
    class_chances,
    faint_chance,
    hit_chance,
    parry_chance,
    potential,
    save_chance,
    stop_chance,
)

SIDE = 21  # features of a side
SHARED = 3  # features of the fight
FEATURES = 2 * SIDE + SHARED


@kernel
def usual_mode(s: Any, p: Any, f: int, t: int) -> int:
    """How a fighter will attack a target in the rounds to come."""
    if p.r_has[f] and s.broken[f] == 0 and (is_ready(s, p, f) or can_reload(s, p, f)):
        if distance(s, f, t) <= p.r_range[f]:
            return Mode.SHOOT
    return Mode.MELEE


@kernel
def readiness(s: Any, p: Any, f: int, mode: int) -> float:
    """Share of the rounds in which he attacks rather than reloads."""
    if mode != Mode.SHOOT:
        return 1.0
    return 1.0 if p.r_capacity[f] >= 4 else p.r_capacity[f] / (p.r_capacity[f] + 1.0)


@kernel
def delay(s: Any, p: Any, f: int, t: int, mode: int) -> float:
    """Rounds before he can attack: to reload, or to come near."""
    if mode == Mode.SHOOT:
        return 0.0 if is_ready(s, p, f) else 1.0
    gap = distance(s, f, t) - (p.run_reach[f] if p.allow_full_run else p.reach[f])
    return 0.0 if gap <= 0 else min(5.0, 1.0 + (gap - 1) // max(1, p.run_distance[f]))


@kernel
def nearest_able(s: Any, p: Any, f: int) -> int:
    """The nearest able enemy, -1 for none."""
    best = -1
    for t in range(4):
        e = p.enemy[f, t]
        if e >= 0 and able(s, e) and (best < 0 or distance(s, f, e) < distance(s, f, best)):
            best = e
    return best


@kernel
def pace(s: Any, p: Any, f: int, t: int, out: Any) -> None:
    """`out` float64[4]: blows that f needs to stop t, rounds for them, chances of one to get through, and to stop."""
    mode = usual_mode(s, p, f, t)
    chances = np.zeros((ZONES, 5))
    class_chances(s, p, f, t, mode, chances)
    left = max(1.0 - potential(p, t, s.kr[t], s.lw[t], s.sw[t]), 0.02)
    c1, c2, c3 = p.cap_kr[t], p.cap_lw[t], p.cap_sw[t]
    now, always, gain = 0.0, 0.0, 0.0
    for z in range(1, ZONES):
        for c in range(1, 5):
            if chances[z, c] > 0.0:
                wound = after_limb(z, c)
                weight = ZONE_WEIGHTS[z] / 20.0 * chances[z, c]
                gain += weight * (1 if wound == 1 else (c1 if wound == 2 else c1 * c2)) / (c1 * c2 * c3)
                now += weight * stop_chance(s, p, t, z, c)
                always += weight * (1.0 if wound == Wound.TW else faint_chance(s, p, t, z, wound, wound))
    merged = c3 * gain * faint_chance(s, p, t, 0, Wound.SW, Wound.SW) if p.shock_on_cumulation else 0.0
    later = min(1.0, max(1e-3, always + gain / left + merged))
    blows = 1.0 + (1.0 - now) * (1.0 / later - 1.0)
    through = hit_chance(s, p, f, t, mode, 0) * (1.0 - save_chance(s, p, t, f, mode)) * readiness(s, p, f, mode)
    bleed = s.bleeding[t] / (c1 * c2 * c3) / left if p.bleeds else 0.0
    out[0] = blows
    out[1] = 1.0 / (max(through, 0.01) / blows + bleed)
    out[2] = through
    out[3] = now


@kernel
def acts_before(s: Any, f: int, t: int) -> float:
    """1 if f acts before t in this round, 0 if not, or if the order is not known."""
    for i in range(s.n_order):
        if s.order[i] == f:
            return 1.0 if s.pc >= Station.DECLARE else 0.0
        if s.order[i] == t:
            return 0.0
    return 0.0


@kernel
def fighter_features(s: Any, p: Any, f: int, t: int, out: Any) -> None:
    """Features of an able fighter against his nearest able enemy, float64[SIDE], the last one left out."""
    found = np.zeros(4)
    pace(s, p, f, t, found)
    out[0] = np.log(found[0])
    out[1] = 0.5 * np.log(found[1])
    out[2] = found[2]
    out[3] = found[3]
    out[4] = potential(p, f, s.kr[f], s.lw[f], s.sw[f])
    out[5] = 0.1 * wound_penalty(s, p, f)
    out[6] = s.kr[f] / p.cap_kr[f]
    out[7] = s.lw[f] / p.cap_lw[f]
    out[8] = s.sw[f] / p.cap_sw[f]
    out[9] = chance_below(shock_value_of(s, p, f, p.shock[f], Purpose.CHECK))
    out[10] = parry_chance(s, p, f, False)
    out[11] = save_chance(s, p, f, t, usual_mode(s, p, t, f))
    out[12] = 0.4 * delay(s, p, f, t, usual_mode(s, p, f, t))
    out[13] = acts_before(s, f, t)
    out[14] = 0.5 * s.bleeding[f]
    out[15] = 0.5 * min(s.fate[f], 4)
    out[16] = 0.1 * (p.wah[f] + p.agl[f] + p.reaction_mod[f] - p.wah[t] - p.agl[t] - p.reaction_mod[t])
    out[17] = 1.0 if usual_mode(s, p, f, t) == Mode.SHOOT else 0.0
    out[18] = 0.05 * min(s.loaded[f] + s.reserve[f], 20) if p.r_has[f] else 0.0
    out[19] = 1.0 if distance(s, f, t) <= p.reach[f] else 0.0


@kernel
def features(s: Any, p: Any, out: Any) -> int:
    """Features of both sides (means over their able fighters) and of the fight, float64[FEATURES]; able fighters.

    The answer holds those of team a and, 16 times as much, those of team b; without any on a side `out` means nothing.
    """
    one = np.zeros(SIDE)
    count = np.zeros(2, np.int64)
    shooting = False
    for i in range(FEATURES):
        out[i] = 0.0
    gap = 1000
    for f in range(p.fighters):
        if not able(s, f):
            continue
        team = p.team[f]
        count[team] += 1
        t = nearest_able(s, p, f)
        if t >= 0:
            gap = min(gap, distance(s, f, t))
            shooting = shooting or usual_mode(s, p, f, t) == Mode.SHOOT
            fighter_features(s, p, f, t, one)
            for i in range(SIDE - 1):
                out[SIDE * team + i] += one[i]
    for team in range(2):
        if count[team] > 0:
            for i in range(SIDE - 1):
                out[SIDE * team + i] /= count[team]
            out[SIDE * team + SIDE - 1] = np.log(count[team])
    if not shooting:
        # as if in contact: nobody is hurt while they walk, and who steps back gains nothing but time
        gap = 1
        for team in range(2):
            out[SIDE * team + 12] = 0.0
            out[SIDE * team + 19] = 1.0
    out[2 * SIDE] = 0.05 * min(gap, 30)
    out[2 * SIDE + 1] = 0.05 * min(p.max_rounds - s.round_no, 20)
    out[2 * SIDE + 2] = 1.0 if p.victory == Victory.FIRST_BLOOD else 0.0
    return count[0] + 16 * count[1]


@kernel
def clock(s: Any, p: Any) -> int:
    """The round: a simulation may end where it has changed."""
    return s.round_no


@kernel
def outlook(s: Any, p: Any, out: Any) -> None:
    """Expected payoff of every seat of a fight that goes on, float64[seats]."""
    seen = np.zeros(FEATURES)
    able_now = features(s, p, seen)
    a, b = able_now & 15, able_now >> 4
    if a == 0 or b == 0:
        value = 0.95 if a > b else (-0.95 if b > a else 0.0)
    else:
        value = net_value(seen)
    for f in range(p.fighters):
        out[p.seat_of[f]] = value if p.team[f] == 0 else -value
