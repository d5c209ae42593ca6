"""Stationary duels solved exactly as finite Markov chains (7.5): the payoff of the build game.

A figure is a row of DUELLIST numbers (`state.D_*`). A state of the chain is the wounds of both and the rounds left of
both diplomatic edges; the result is averaged over the 36 pairs of initiative dice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.jit import kernel
from .numbers import chance_at_least
from .state import (
    D_ATTACK,
    D_BONUS,
    D_CHARM,
    D_DAMAGE,
    D_DEFENCE,
    D_HARDENED,
    D_INITIATIVE,
    D_KEY,
    D_LIMIT,
    D_LORE,
    D_ROUNDS,
    D_TACTIC,
    D_TALK,
    E_MAX,
    NO_LORE,
    W_MAX,
)


@kernel
def check_chance(modifier: int, need: int, confirmed: int) -> float:
    """R20-R26: chance of a check."""
    chance = 0.0
    for face in range(1, 7):
        passes = 1.0 if face + modifier >= need else 0.0
        if confirmed and face == 1:
            passes = passes * 4.0 / 6.0
        elif confirmed and face == 6:
            passes = 2.0 / 6.0 + passes * 4.0 / 6.0
        chance += passes / 6.0
    return chance


@kernel
def hurt(figure: Any, wounds: int) -> int:
    """R62."""
    return 1 if figure[D_HARDENED] == 0 and 2 * wounds > figure[D_LIMIT] else 0


@kernel
def wound_chance(p: Any, a: Any, b: Any, wounds: int, surprise: int) -> float:
    """R42-R44, R135: chance that an attack of `a`, who has so many wounds, wounds `b`."""
    malus = hurt(a, wounds)
    hit = check_chance(a[D_BONUS] - malus + surprise, a[D_ATTACK], p.attack_automatics)
    need = b[D_DEFENCE] - (a[D_DAMAGE] - malus + surprise)
    chance = chance_at_least(need)
    if a[D_LORE] != NO_LORE:
        good = check_chance(a[D_LORE] - malus, 4, 1)
        chance = max(chance, good * chance_at_least(need - 1) + (1.0 - good) * chance_at_least(need + 1))
    return hit * chance


@kernel
def edge_chances(p: Any, a: Any, b: Any, malus: int, table: Any) -> None:
    """R84: chances of no edge (0) and of so many rounds: float64[E_MAX]."""
    for r in range(E_MAX):
        table[r] = 0.0
    mod = a[D_TALK] - malus - (2 if p.edge_uses_mood else 0)
    value = b[D_CHARM] + p.social_offset
    for face in range(1, 7):
        rounds = min(E_MAX - 1, max(1, face + mod - value))
        passes = 1.0 if face + mod >= value + p.social_tie else 0.0
        if face == 1:
            passes = passes * 4.0 / 6.0
        elif face == 6:
            passes = 2.0 / 6.0 + passes * 4.0 / 6.0
        table[rounds] += passes / 6.0
        table[0] += (1.0 - passes) / 6.0


@kernel
def act_of(figure: Any, mine: int, theirs: int) -> int:
    """0 nothing, 1 attack, 2 edge: by the tactic, with these rounds left of both edges."""
    if figure[D_TACTIC] == 1 and (mine <= 1 or theirs > 0):
        return 2
    return 0 if theirs > 0 else 1


@kernel
def edge_size(two: Any, i: int) -> int:
    """Numbers of rounds that figure i's edge can have: only diplomats gain any."""
    return two[i, D_ROUNDS] + 1 if two[i, D_TACTIC] == 1 else 1


@kernel
def clear(two: Any, chances: Any) -> None:
    """No state has a chance."""
    for wa in range(two[0, D_LIMIT] + 1):
        for wb in range(two[1, D_LIMIT] + 1):
            for ea in range(edge_size(two, 0)):
                for eb in range(edge_size(two, 1)):
                    chances[wa, wb, ea, eb] = 0.0


@kernel
def take_over(two: Any, now: Any, new: Any) -> None:
    """The new chances become the current ones."""
    for wa in range(two[0, D_LIMIT] + 1):
        for wb in range(two[1, D_LIMIT] + 1):
            for ea in range(edge_size(two, 0)):
                for eb in range(edge_size(two, 1)):
                    now[wa, wb, ea, eb] = new[wa, wb, ea, eb]


@kernel
def advance_duel(p: Any, two: Any, group: int, wounds: Any, edges: Any, now: Any, new: Any, out: Any) -> None:
    """One group (bits of the members) has its turns: `now` float64[W, W, E, E] becomes `new`; ends go to `out`."""
    wa_max, wb_max = two[0, D_LIMIT] + 1, two[1, D_LIMIT] + 1
    ea_max, eb_max = edge_size(two, 0), edge_size(two, 1)
    clear(two, new)
    for wa in range(wa_max):
        for wb in range(wb_max):
            for ea in range(ea_max):
                for eb in range(eb_max):
                    chance = now[wa, wb, ea, eb]
                    if chance <= 0.0:
                        continue
                    act_a = act_of(two[0], ea, eb) if group & 1 else 0
                    act_b = act_of(two[1], eb, ea) if group & 2 else 0
                    for oa in range(outcomes(two, 0, act_a)):
                        pa = outcome_chance(two, wounds, edges, 0, wa, act_a, oa)
                        if pa <= 0.0:
                            continue
                        for ob in range(outcomes(two, 1, act_b)):
                            pb = outcome_chance(two, wounds, edges, 1, wb, act_b, ob)
                            if pb <= 0.0:
                                continue
                            va = wa + (1 if act_b == 1 and ob == 1 else 0)
                            vb = wb + (1 if act_a == 1 and oa == 1 else 0)
                            part = chance * pa * pb
                            if va >= wa_max or vb >= wb_max:
                                if va < wa_max:
                                    out[0] += part
                                elif vb < wb_max:
                                    out[1] += part
                                else:
                                    out[2] += part
                                continue
                            fa = next_edge(p, group, 0, ea, act_a, oa)
                            fb = next_edge(p, group, 1, eb, act_b, ob)
                            new[va, vb, fa, fb] += part


@kernel
def outcomes(two: Any, i: int, act: int) -> int:
    """Number of outcomes of an act."""
    if act == 2:
        return two[i, D_ROUNDS] + 1
    return 2 if act == 1 else 1


@kernel
def outcome_chance(two: Any, wounds: Any, edges: Any, i: int, hurts: int, act: int, o: int) -> float:
    """Chance of the o-th outcome: of an attack 0 nothing, 1 a wound; of an edge its rounds."""
    malus = hurt(two[i], hurts)
    if act == 2:
        return edges[i, malus, o]
    if act == 1:
        return wounds[i, malus] if o == 1 else 1.0 - wounds[i, malus]
    return 1.0


@kernel
def next_edge(p: Any, group: int, i: int, rounds: int, act: int, o: int) -> int:
    """R86, R87, A36: rounds of the edge of figure i after the group."""
    if act == 1 and p.diplomatic_breaks_on_attack:
        rounds = 0
    if act == 2 and o > 0:
        return max(rounds, o)
    clock = i if p.edge_clock == 0 else 1 - i
    if group >> clock & 1 and rounds > 0:
        return rounds - 1
    return rounds


@kernel
def odds_for(p: Any, two: Any, surprise: int, wounds: Any, edges: Any) -> None:
    """Chances of both figures, unhurt and under the malus."""
    for i in range(2):
        a, b = two[i], two[1 - i]
        for malus in range(2):
            top = a[D_LIMIT]
            wounds[i, malus] = wound_chance(p, a, b, top if malus else 0, surprise)
            edge_chances(p, a, b, malus, edges[i, malus])


@kernel
def duel_run(
    p: Any, two: Any, ca: int, cb: int, limit: int, now: Any, new: Any, wounds: Any, edges: Any, out: Any
) -> None:
    """A duel with these combat initiatives up to the count `limit`; chances of a, b, a draw are added to `out`."""
    clear(two, now)
    now[0, 0, 0, 0] = 1.0
    ka, kb = two[0, D_KEY], two[1, D_KEY]
    if ca < 0 or cb < 0:
        odds_for(p, two, 1, wounds, edges)
        if ca < 0 and cb < 0 and ca == cb and ka == kb:
            advance_duel(p, two, 3, wounds, edges, now, new, out)
            take_over(two, now, new)
        else:
            first = 0 if ca < 0 and (cb >= 0 or ca < cb or (ca == cb and ka < kb)) else 1
            for turn in range(2):
                i = first if turn == 0 else 1 - first
                if (ca if i == 0 else cb) < 0:
                    advance_duel(p, two, 1 << i, wounds, edges, now, new, out)
                    take_over(two, now, new)
    ca, cb = abs(ca), abs(cb)
    odds_for(p, two, 0, wounds, edges)
    count = 0 if p.turn_at_zero else min(ca, cb)
    while count <= limit:
        due_a, due_b = count % ca == 0, count % cb == 0
        if due_a and due_b and ka == kb:
            advance_duel(p, two, 3, wounds, edges, now, new, out)
            take_over(two, now, new)
        else:
            for turn in range(2):
                i = turn if ka <= kb else 1 - turn
                if (due_a and i == 0) or (due_b and i == 1):
                    advance_duel(p, two, 1 << i, wounds, edges, now, new, out)
                    take_over(two, now, new)
        count = min((count // ca + 1) * ca, (count // cb + 1) * cb)
    for wa in range(two[0, D_LIMIT] + 1):
        for wb in range(two[1, D_LIMIT] + 1):
            rest = 0.0
            for ea in range(edge_size(two, 0)):
                for eb in range(edge_size(two, 1)):
                    rest += now[wa, wb, ea, eb]
            if wa == wb or p.limit_result == 2:
                out[2] += rest
            elif wa < wb:
                out[0] += rest
            else:
                out[1] += rest


@kernel
def duel_value(p: Any, two: Any, limit: int, out: Any) -> float:
    """P(win) - P(loss) of the first of two figures int64[2, DUELLIST]; float64[3] `out` gets win, loss, draw."""
    now = np.zeros((W_MAX, W_MAX, E_MAX, E_MAX))
    new = np.zeros((W_MAX, W_MAX, E_MAX, E_MAX))
    return duel_between(p, two, limit, now, new, np.zeros((2, 2)), np.zeros((2, 2, E_MAX)), out)


@kernel
def duel_between(p: Any, two: Any, limit: int, now: Any, new: Any, wounds: Any, edges: Any, out: Any) -> float:
    """The same with given working space: `now` and `new` of the states, `wounds` and `edges` of the chances."""
    for k in range(3):
        out[k] = 0.0
    odds_for(p, two, 0, wounds, edges)
    for i in range(2):
        two[i, D_ROUNDS] = 0
        for malus in range(2):
            for rounds in range(E_MAX):
                if edges[i, malus, rounds] > 0.0:
                    two[i, D_ROUNDS] = max(two[i, D_ROUNDS], rounds)
    for da in range(1, 7):
        for db in range(1, 7):
            ca, cb = da + two[0, D_INITIATIVE], db + two[1, D_INITIATIVE]
            if ca == 0:
                ca = p.zero_initiative
            if cb == 0:
                cb = p.zero_initiative
            duel_run(p, two, ca, cb, limit, now, new, wounds, edges, out)
    for k in range(3):
        out[k] /= 36.0
    return out[0] - out[1]
