"""Who will win a fight of Scorekeeper, estimated where a round begins: what a search puts in place of the rest.

Both sides are taken to strike at their nearest able enemies for as long as it takes. A fighter needs so many blows
that get through to stop his man, by the chance that the next one does, and after it by the wound potential (7.6) that
one adds and by the shock rolls that it leads to; and so many rounds for them. The side that needs less time wins, the
surer the more blows it takes: both times are waiting times, whose logarithms have a variance of about 1 / blows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.jit import kernel
from ...envs.scorekeeper.services import able, can_reload, distance, is_ready, reaches
from ...envs.scorekeeper.state import M_MELEE, M_RUN, M_SHOOT, SW, TW, ZONES
from ._scorekeeper_values import (
    ZONE_WEIGHTS,
    after_limb,
    class_chances,
    faint_chance,
    hit_chance,
    potential,
    save_chance,
    stop_chance,
)

STEEPNESS = 0.4
FATE_WORTH = 0.1


@kernel
def usual_mode(s: Any, p: Any, f: int, t: int) -> int:
    """How a fighter will attack a target in the rounds to come."""
    if p.r_has[f] and s.broken[f] == 0 and (is_ready(s, p, f) or can_reload(s, p, f)):
        if distance(s, f, t) <= p.r_range[f]:
            return M_SHOOT
    return M_MELEE


@kernel
def readiness(s: Any, p: Any, f: int, t: int, mode: int) -> float:
    """Share of the rounds in which he attacks rather than reloads or walks."""
    if mode == M_SHOOT:
        share = 1.0 if p.r_capacity[f] >= 4 else p.r_capacity[f] / (p.r_capacity[f] + 1.0)
        return share if is_ready(s, p, f) else 0.6 * share
    if reaches(s, p, f, t, M_MELEE) or (p.allow_full_run and reaches(s, p, f, t, M_RUN)):
        return 1.0
    return 0.5


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
    """`out` float64[2]: blows that f needs to stop t, and rounds that he needs for them."""
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
                always += weight * (1.0 if wound == TW else faint_chance(s, p, t, z, wound, wound))
    merged = c3 * gain * faint_chance(s, p, t, 0, SW, SW) if p.shock_on_cumulation else 0.0
    later = min(1.0, max(1e-3, always + gain / left + merged))
    blows = 1.0 + (1.0 - now) * (1.0 / later - 1.0)
    through = hit_chance(s, p, f, t, mode, 0) * (1.0 - save_chance(s, p, t, f, mode)) * readiness(s, p, f, t, mode)
    bleed = s.bleeding[t] / (c1 * c2 * c3) / left if p.bleeds else 0.0
    out[0] = blows
    out[1] = 1.0 / (max(through, 0.01) / blows + bleed)


@kernel
def clock(s: Any, p: Any) -> int:
    """The round: a simulation may end where it has changed."""
    return s.round_no


@kernel
def outlook(s: Any, p: Any, out: Any) -> None:
    """Expected payoff of every seat of a fight that goes on, float64[seats]."""
    count = np.zeros(2)
    speed = np.zeros(2)  # enemies stopped a round
    blows = np.zeros(2)
    fate = np.zeros(2)
    found = np.zeros(2)
    for f in range(p.fighters):
        team = p.team[f]
        if s.dead[f] == 0:
            fate[team] += s.fate[f]
        if not able(s, f):
            continue
        count[team] += 1.0
        t = nearest_able(s, p, f)
        if t >= 0:
            pace(s, p, f, t, found)
            speed[team] += 1.0 / found[1]
            blows[team] += found[0]
    value = 0.0
    if count[0] == 0.0 or count[1] == 0.0:
        value = 0.95 if count[0] > count[1] else (-0.95 if count[1] > count[0] else 0.0)
    else:
        lead = np.log(speed[0] * count[0] / (speed[1] * count[1]))
        spread = np.sqrt(1.0 / max(1.0, blows[0]) + 1.0 / max(1.0, blows[1]))
        value = np.tanh(STEEPNESS * lead / spread + FATE_WORTH * (fate[0] - fate[1]))
    for f in range(p.fighters):
        out[p.seat_of[f]] = value if p.team[f] == 0 else -value
