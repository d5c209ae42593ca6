"""Decisions in talks of OneShot: chances under the belief about the other, and the dynamic programme of section 7.6.

The belief is the rules' own record of what a talker can infer: the attribute triples that fit all outcomes so far.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.abi import float64_at, int64_at, popcount
from ...envs.core.jit import kernel
from ...envs.core.rng import mix, rand_float
from ...envs.oneshot.choices import Critical, MoodTracks
from ...envs.oneshot.parley.talk import patience_of, shift, talk_modifier
from ...envs.oneshot.state import DECLINE, LUCK, MISSION, N_TRIPLES, SAGA, TALK, TRIPLES, Talk

LOST = 36  # die and confirm die: outcomes of a check
WIN, CRITICAL, NEAR, FAILURE, DISASTER = range(5)
FAILS, MOODS, GOALS, RECOVERIES, HORIZON = 4, 5, 5, 3, 40  # bounds of the programme's states
H_SLOTS, H_SIZE, H_KEYS, H_VALUES, HEAD = range(5)  # the memory's head
KINDS = 5
# A talk on a mission brings a healing draught, and a fight where it breaks off; what the one is worth as a part of what
# the other costs. Measured at difficulty 3 with 0.05, 0.1, 0.15, 0.25 and 0.4, in points of missions completed beyond
# talks by `talk_best_odds`: `prowler` in `courier` 0.64, 0.64, 0.62, 0.52, 0.47 (40,000 missions; 100,000 at 0.25),
# `vanguard` in `boss_hunt` 0.65, 0.65, 1.10, 1.10, 0.90 (4,000).
DRAUGHT = 0.2


@kernel
def spread(p: Any, modifier: int, mood: int, need: int, out: Any) -> None:
    """R24, R72: chances of the five outcomes of a method with this modifier (without the mood)."""
    for k in range(KINDS):
        out[k] = 0.0
    for face in range(1, 7):
        raw = face + modifier
        plain = raw + mood >= need
        usual = WIN
        if not plain:
            usual = NEAR if raw >= need else FAILURE
        if face == 1:
            out[usual] += 4.0 / 36.0
            out[DISASTER if not plain or p.critical_means == Critical.AUTOMATIC else FAILURE] += 2.0 / 36.0
        elif face == 6:
            out[usual] += 4.0 / 36.0
            out[CRITICAL if plain or p.critical_means == Critical.AUTOMATIC else WIN] += 2.0 / 36.0
        else:
            out[usual] += 6.0 / 36.0


@kernel
def need_of(p: Any, k: int, method: int) -> int:
    """R71: what a method must reach against the k-th triple."""
    return TRIPLES[k, method] + p.social_offset + p.social_tie


@kernel
def mood_for(s: Any, who: int, k: int, method: int) -> int:
    """Mood for a method if the other's attributes are the k-th triple."""
    return s.mood_of[who, k] if method == Talk.AGGRESSIVE else s.mood_relation[who]


@kernel
def believed(s: Any, p: Any, who: int, method: int, out: Any) -> None:
    """Chances of the five outcomes under the belief, all triples left being equally likely."""
    part = np.zeros(KINDS)
    for k in range(KINDS):
        out[k] = 0.0
    left = max(1, popcount(s.possible[who]))
    for k in range(N_TRIPLES):
        if s.possible[who] >> k & 1:
            spread(p, talk_modifier(s, p, who, method), mood_for(s, who, k, method), need_of(p, k, method), part)
            for j in range(KINDS):
                out[j] += part[j] / left


@kernel
def best_method(s: Any, p: Any, who: int, warm: int) -> int:
    """The method that most likely succeeds; `warm`: the one that least likely fails for real."""
    out = np.zeros(KINDS)
    best = 0
    most = -1.0
    for method in range(3):
        believed(s, p, who, method, out)
        good = out[WIN] + out[CRITICAL]
        if warm:
            good = 10.0 * (1.0 - out[FAILURE] - out[DISASTER]) + good
        if good > most + 1e-12:
            most = good
            best = method
    return TALK + best


@kernel
def near_breaking(s: Any, who: int) -> bool:
    """Whether the next real failure more likely than not breaks the other's patience."""
    breaks = 0
    for k in range(N_TRIPLES):
        if s.possible[who] >> k & 1 and s.fails[who] + 1 >= patience_of(TRIPLES[k, 2]):
            breaks += 1
    return 2 * breaks > popcount(s.possible[who])


@kernel
def can_recover(s: Any, who: int) -> bool:
    """R78."""
    return s.t_value[who, 2] >= 1 and s.fails[who] >= 1 and s.recover_left[who] >= 1


@kernel
def talk_best_odds(s: Any, p: Any, who: int) -> int:
    """The method with the highest chance of a success now."""
    return best_method(s, p, who, 0 * who)


@kernel
def talk_warm_up(s: Any, p: Any, who: int) -> int:
    """While the mood is bad, what keeps patience and may raise it; then the best chance."""
    return best_method(s, p, who, 1 if s.mood_relation[who] < 0 else 0)


@kernel
def talk_cautious(s: Any, p: Any, who: int) -> int:
    """The best chance; before the last failure a recovery, else it leaves (where one can: else it goes on warily)."""
    if near_breaking(s, who) and (s.fails[who] > 0 or not s.solo):
        if can_recover(s, who):
            return TALK + Talk.RECOVER
        if s.solo:
            return TALK + Talk.LEAVE
        return best_method(s, p, who, 1 + 0 * who)
    return best_method(s, p, who, 0 * who)


# --- the dynamic programme --------------------------------------------------------------------------------------------


@kernel
def place_of(goal: int, recoveries: int, n: int, g: int, f: int, relation: int, hurt: int, r: int) -> int:
    """Index of a state: steps left, successes, failures, both moods, recoveries left."""
    at = (n * goal + g) * FAILS + f
    return ((at * MOODS + relation + 2) * MOODS + hurt + 2) * (recoveries + 1) + r


@kernel
def worth_of(
    s: Any, p: Any, values: Any, goal: int, rs: int, patience: int, end: Any, n: int, g: int, f: int, rel: int,
    hurt: int, r: int,
) -> float:  # fmt: skip
    """Value of a state; `end`: payoffs of success, of no result, of a break-off."""
    if g >= goal:
        return end[0]
    if f >= patience:
        return end[2]
    if n <= 0:
        return end[1]
    return values[place_of(goal, rs, n, g, f, rel, hurt, r)]


@kernel
def method_worth(
    s: Any, p: Any, who: int, values: Any, goal: int, rs: int, patience: int, end: Any, chances: Any, method: int,
    k: int, n: int, g: int, f: int, rel: int, hurt: int, r: int,
) -> float:  # fmt: skip
    """Value of a method in a state with n steps left."""
    mood = hurt if method == Talk.AGGRESSIVE else rel
    spread(p, talk_modifier(s, p, who, method), mood, need_of(p, k, method), chances)
    total = 0.0
    for outcome in range(KINDS):
        if chances[outcome] <= 0.0:
            continue
        gained, failed, change = 0, 0, 0
        if outcome == WIN:
            gained = 1
        elif outcome == CRITICAL:
            gained = 2
        elif outcome == NEAR:
            change = 1
        elif outcome == FAILURE:
            failed, change = 1, -1
        else:
            failed = 2
            change = -2 if p.critical_mood_double else -1
        new_rel = shift(rel, change) if p.mood_tracks == MoodTracks.LINKED or method != Talk.AGGRESSIVE else rel
        new_hurt = shift(hurt, change) if p.mood_tracks == MoodTracks.LINKED or method == Talk.AGGRESSIVE else hurt
        total += chances[outcome] * worth_of(
            s, p, values, goal, rs, patience, end, n - 1, g + gained, f + failed, new_rel, new_hurt, r
        )
    return total


@kernel
def recovery_worth(
    s: Any, p: Any, who: int, values: Any, goal: int, rs: int, patience: int, end: Any, n: int, g: int, f: int,
    rel: int, hurt: int, r: int,
) -> float:  # fmt: skip
    """Value of a recovery (R78)."""
    chances = np.zeros(KINDS)
    charisma = s.t_value[who, 2]
    modifier = talk_modifier(s, p, who, Talk.RECOVER) - s.mood_relation[who] + rel
    spread(p, modifier, 0, 4, chances)
    good = chances[WIN] + chances[CRITICAL]
    total = good * worth_of(s, p, values, goal, rs, patience, end, n - 1, g, f - min(charisma, f), rel, hurt, r - 1)
    total += (chances[FAILURE] + chances[NEAR]) * worth_of(
        s, p, values, goal, rs, patience, end, n - 1, g, f, rel, hurt, r - 1
    )
    total += chances[DISASTER] * worth_of(s, p, values, goal, rs, patience, end, n - 1, g, f + 2, rel, hurt, r - 1)
    return total


@kernel
def horizon_of(p: Any) -> int:
    """Steps that the programme looks ahead."""
    return min(HORIZON, p.max_steps)


@kernel
def solve_talk(s: Any, p: Any, who: int, k: int, goal: int, rs: int, end: Any, values: Any) -> None:
    """Values of all states against the k-th triple, backwards from the last step."""
    patience = patience_of(TRIPLES[k, 2])
    chances = np.zeros(KINDS)
    for n in range(1, horizon_of(p) + 1):
        for g in range(goal):
            for f in range(min(FAILS, patience)):
                for rel in range(-2, 3):
                    for hurt in range(-2, 3):
                        for r in range(rs + 1):
                            best = end[1] if s.solo else -1e9
                            for method in range(3):
                                worth = method_worth(
                                    s, p, who, values, goal, rs, patience, end, chances, method, k, n, g, f, rel,
                                    hurt, r,
                                )  # fmt: skip
                                best = max(best, worth)
                            if r > 0 and f > 0 and s.t_value[who, 2] >= 1:
                                worth = recovery_worth(
                                    s, p, who, values, goal, rs, patience, end, n, g, f, rel, hurt, r
                                )
                                best = max(best, worth)
                            values[place_of(goal, rs, n, g, f, rel, hurt, r)] = best


@kernel
def payoff_ends(s: Any, p: Any, end: Any) -> None:
    """Payoffs of success, of no result, of a break-off: those of a talk alone, of two, or on a mission (4.7.2)."""
    end[0], end[1], end[2] = 1.0, 0.0, -1.0
    if MISSION:
        end[0] = DRAUGHT
    elif s.solo:
        for i in range(3):
            end[i] = p.payoffs[i]


@kernel
def sheet_key(s: Any, p: Any, who: int) -> int:
    """What the programme depends on besides the options, what rule modules add to a method included."""
    key = mix(1 + s.solo, s.t_malus[who] + 1)
    for i in range(3):
        key = mix(key, talk_modifier(s, p, who, i) + 40)
        key = mix(key, s.t_value[who, i] + 10)
    return key | 1


@kernel
def talk_dp(s: Any, p: Any, who: int, memory: int) -> int:
    """7.6, averaged over the triples that are still possible; exact when one is left."""
    goal = min(GOALS, p.goal_successes)
    rs = min(RECOVERIES, p.recover_limit)
    size = (horizon_of(p) + 1) * goal * FAILS * MOODS * MOODS * (rs + 1)
    end = np.zeros(3)
    payoff_ends(s, p, end)
    head = int64_at(memory, HEAD)
    slot = (sheet_key(s, p, who) >> 5) % head[H_SLOTS]
    keys = int64_at(head[H_KEYS], head[H_SLOTS])
    each = size * N_TRIPLES
    first = head[H_VALUES] + 8 * slot * each
    if keys[slot] != sheet_key(s, p, who):
        for k in range(N_TRIPLES):
            solve_talk(s, p, who, k, goal, rs, end, float64_at(first + 8 * k * size, size))
        keys[slot] = sheet_key(s, p, who)
    n = p.max_steps - s.step_no
    if not s.solo:
        n = (n + 1) // 2
    n = max(1, min(horizon_of(p), n))
    g = min(goal - 1, s.successes[who])
    rel, r = s.mood_relation[who], min(rs, s.recover_left[who])
    left = max(1, popcount(s.possible[who]))
    worth = np.zeros(Talk.LEAVE + 1)
    chances = np.zeros(KINDS)
    for k in range(N_TRIPLES):
        if s.possible[who] >> k & 1:
            values = float64_at(first + 8 * k * size, size)
            patience = patience_of(TRIPLES[k, 2])
            hurt, f = s.mood_of[who, k], s.fails[who]
            for method in range(3):
                worth[method] += method_worth(
                    s, p, who, values, goal, rs, patience, end, chances, method, k, n, g, f, rel, hurt, r
                ) / left  # fmt: skip
            if can_recover(s, who):
                worth[Talk.RECOVER] += recovery_worth(
                    s, p, who, values, goal, rs, patience, end, n, g, f, rel, hurt, r
                ) / left  # fmt: skip
    best = 0
    for move in range(1, 4):
        if move == Talk.RECOVER and not can_recover(s, who):
            continue
        if worth[move] > worth[best] + 1e-12:
            best = move
    if s.solo and end[1] > worth[best] + 1e-12:
        best = Talk.LEAVE
    return TALK + best


# --- the rest ---------------------------------------------------------------------------------------------------------


@kernel
def react_talk(s: Any) -> int:
    """Luck and saga points are spent where they turn a failure; for a second success too."""
    if s.re_luck:
        return LUCK
    return SAGA if s.re_saga else DECLINE


@kernel
def drawn(rng: Any, chance: float) -> bool:
    """True with this chance."""
    return rand_float(rng) < chance
