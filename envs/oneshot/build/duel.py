"""Stationary duels solved exactly as finite Markov chains (7.5): the payoff of the build game.

A figure is a row of DUELLIST numbers (`state.D_*`). A state of the chain is the wounds of both and the rounds left of
both diplomatic edges; the result is averaged over the 36 pairs of initiative dice. States of equal wounds form a block
[rounds of the first, rounds of the second], for wounds change what is likely, and edges who may act. A turn changes the
blocks in place, those with most wounds first, because wounds never heal here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit import kernel
from ..choices import EdgeClock, LimitResult
from ..skirmish.numbers import chance_at_least
from ..state import (
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

FROZEN = 1e-13  # a block that is less likely stays as it is


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
def edge_size(two: Any, i: int) -> int:
    """Numbers of rounds that figure i's edge can have: only diplomats gain any."""
    return two[i, D_ROUNDS] + 1 if two[i, D_TACTIC] == 1 else 1


@kernel
def turn_block(
    p: Any, two: Any, i: int, chance: float, gain: Any, bars: int, clocks: int, grid: Any, calm: Any, hits: Any
) -> None:
    """Figure i has a turn in all states of a block, [its rounds, rounds of the other].

    `chance`: that its attack wounds; `gain` float64[E_MAX]: that an edge gives so many rounds (0: none). `bars`: does
    the edge of the other keep it from attacking: 1 yes, 0 no, -1 if it has rounds left. `clocks` (R86): bit 0 its own
    edge is counted down, bit 1 that of the other. `calm` gets the states without a wound, `hits` those with one.
    """
    own, theirs = edge_size(two, i), edge_size(two, 1 - i)
    for a in range(own):
        for b in range(theirs):
            calm[a, b] = 0.0
            hits[a, b] = 0.0
    for b in range(theirs):
        to = b - 1 if clocks & 2 and b > 0 else b
        barred = b > 0 if bars < 0 else bars == 1
        if two[i, D_TACTIC] == 0:
            if barred:
                calm[0, to] += grid[0, b]
            else:
                hits[0, to] += chance * grid[0, b]
                calm[0, to] += (1.0 - chance) * grid[0, b]
            continue
        asking, less = 0.0, 0.0  # states up to these rounds that ask for an edge; chance of fewer rounds than these
        for a in range(own):
            mass = grid[a, b]
            after = a - 1 if clocks & 1 and a > 0 else a
            if barred or a <= 1:
                asking += mass
                calm[after, to] += gain[0] * mass
                calm[a, to] += less * mass
            else:
                if p.diplomatic_breaks_on_attack:
                    after = 0
                hits[after, to] += chance * mass
                calm[after, to] += (1.0 - chance) * mass
            if a > 0:
                calm[a, to] += gain[a] * asking
                less += gain[a]


@kernel
def pour(two: Any, source: Any, target: Any) -> float:
    """Add the chances of a block to another one; returns their sum."""
    total = 0.0
    for a in range(edge_size(two, 0)):
        for b in range(edge_size(two, 1)):
            total += source[a, b]
            target[a, b] += source[a, b]
    return total


@kernel
def sum_of(two: Any, block: Any) -> float:
    """Chance of a block."""
    total = 0.0
    for a in range(edge_size(two, 0)):
        for b in range(edge_size(two, 1)):
            total += block[a, b]
    return total


@kernel
def single_turn(
    p: Any, two: Any, i: int, wounds: Any, edges: Any, now: Any, live: Any, calm: Any, hits: Any, out: Any
) -> None:
    """Figure i alone has a turn: blocks `now` float64[W, W, E, E], their chances `live` float64[W, W]; ends: `out`."""
    clocks = 1 if p.edge_clock == EdgeClock.PERFORMER else 2
    for wa in range(two[0, D_LIMIT], -1, -1):
        for wb in range(two[1, D_LIMIT], -1, -1):
            if live[wa, wb] <= FROZEN:
                continue
            malus = hurt(two[i], wa if i == 0 else wb)
            if i == 0:
                turn_block(
                    p, two, 0 * wa, wounds[0, malus], edges[0, malus], -1 + 0 * wa, clocks, now[wa, wb], calm[0],
                    hits[0],
                )  # fmt: skip
            else:
                turn_block(
                    p, two, 1 + 0 * wa, wounds[1, malus], edges[1, malus], -1 + 0 * wa, clocks, now[wa, wb].T,
                    calm[0].T, hits[0].T,
                )  # fmt: skip
            va, vb = wa + (1 if i == 1 else 0), wb + (1 if i == 0 else 0)
            if va > two[0, D_LIMIT] or vb > two[1, D_LIMIT]:
                out[i] += sum_of(two, hits[0])
            else:
                live[va, vb] += pour(two, hits[0], now[va, vb])
            clear_block(two, now[wa, wb])
            live[wa, wb] = pour(two, calm[0], now[wa, wb])


@kernel
def clear_block(two: Any, block: Any) -> None:
    """No state of a block has a chance."""
    for a in range(edge_size(two, 0)):
        for b in range(edge_size(two, 1)):
            block[a, b] = 0.0


@kernel
def joint_turn(p: Any, two: Any, wounds: Any, edges: Any, now: Any, live: Any, calm: Any, hits: Any, out: Any) -> None:
    """R39: both have their turns at once: what each may do, and how well, is decided by the state before.

    `calm`, `hits` float64[5, E, E]: 0 for the first figure's turn, 1 to 4 for the second's after it.
    """
    for wa in range(two[0, D_LIMIT], -1, -1):
        for wb in range(two[1, D_LIMIT], -1, -1):
            if live[wa, wb] <= FROZEN:
                continue
            first, second = hurt(two[0], wa), hurt(two[1], wb)
            block = now[wa, wb]
            for k in range(1, 3):
                clear_block(two, calm[2 + k])
                clear_block(two, hits[2 + k])
            for held in range(2):  # whether the first holds an edge over the second
                part = calm[1]
                for a in range(edge_size(two, 0)):
                    for b in range(edge_size(two, 1)):
                        part[a, b] = block[a, b] if (a > 0) == (held == 1) else 0.0
                turn_block(
                    p, two, 0 * wa, wounds[0, first], edges[0, first], -1 + 0 * wa, 1 + 0 * wa, part, calm[0], hits[0]
                )
                for wounded in range(2):
                    before = hits[0] if wounded else calm[0]
                    turn_block(
                        p, two, 1 + 0 * wa, wounds[1, second], edges[1, second], held, 1 + 0 * wa, before.T,
                        calm[2].T, hits[2].T,
                    )  # fmt: skip
                    pour(two, calm[2], calm[3 + wounded])
                    pour(two, hits[2], hits[3 + wounded])
            clear_block(two, block)
            live[wa, wb] = 0.0
            for wounded in range(2):
                for struck in range(2):
                    va, vb = wa + struck, wb + wounded
                    found = hits[3 + wounded] if struck else calm[3 + wounded]
                    if va <= two[0, D_LIMIT] and vb <= two[1, D_LIMIT]:
                        live[va, vb] += pour(two, found, now[va, vb])
                    elif va <= two[0, D_LIMIT]:
                        out[0] += sum_of(two, found)
                    elif vb <= two[1, D_LIMIT]:
                        out[1] += sum_of(two, found)
                    else:
                        out[2] += sum_of(two, found)


@kernel
def exchange(two: Any, group: int, wounds: Any, live: Any, out: Any) -> None:
    """The same where both attack whenever it is their turn: there are no edges, the chances are `live` alone."""
    for wa in range(two[0, D_LIMIT], -1, -1):
        for wb in range(two[1, D_LIMIT], -1, -1):
            mass = live[wa, wb]
            if mass <= FROZEN:
                continue
            hit_a = wounds[0, hurt(two[0], wa)] if group & 1 else 0.0
            hit_b = wounds[1, hurt(two[1], wb)] if group & 2 else 0.0
            live[wa, wb] = mass * (1.0 - hit_a) * (1.0 - hit_b)
            last_a, last_b = wa == two[0, D_LIMIT], wb == two[1, D_LIMIT]
            if last_b:
                out[0] += mass * hit_a * (1.0 - hit_b)
            else:
                live[wa, wb + 1] += mass * hit_a * (1.0 - hit_b)
            if last_a:
                out[1] += mass * hit_b * (1.0 - hit_a)
            else:
                live[wa + 1, wb] += mass * hit_b * (1.0 - hit_a)
            both = mass * hit_a * hit_b
            if last_a and last_b:
                out[2] += both
            elif last_b:
                out[0] += both
            elif last_a:
                out[1] += both
            else:
                live[wa + 1, wb + 1] += both


@kernel
def have_turns(
    p: Any, two: Any, group: int, wounds: Any, edges: Any, now: Any, live: Any, calm: Any, hits: Any, out: Any
) -> None:
    """One group (bits of the members) has its turns."""
    if two[0, D_TACTIC] == 0 and two[1, D_TACTIC] == 0:
        exchange(two, group, wounds, live, out)
    elif group == 3:
        joint_turn(p, two, wounds, edges, now, live, calm, hits, out)
    else:
        single_turn(p, two, group - 1, wounds, edges, now, live, calm, hits, out)


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
    p: Any, two: Any, ca: int, cb: int, limit: int, wounds: Any, edges: Any, now: Any, live: Any, calm: Any, hits: Any,
    out: Any,
) -> None:  # fmt: skip
    """A duel with these combat initiatives up to the count `limit`; chances of a, b, a draw are added to `out`."""
    for wa in range(two[0, D_LIMIT] + 1):
        for wb in range(two[1, D_LIMIT] + 1):
            clear_block(two, now[wa, wb])
            live[wa, wb] = 0.0
    now[0, 0, 0, 0] = 1.0
    live[0, 0] = 1.0
    ka, kb = two[0, D_KEY], two[1, D_KEY]
    if ca < 0 or cb < 0:
        odds_for(p, two, 1, wounds, edges)
        if ca < 0 and cb < 0 and ca == cb and ka == kb:
            have_turns(p, two, 3 + 0 * ca, wounds, edges, now, live, calm, hits, out)
        else:
            first = 0 if ca < 0 and (cb >= 0 or ca < cb or (ca == cb and ka < kb)) else 1
            for turn in range(2):
                i = first if turn == 0 else 1 - first
                if (ca if i == 0 else cb) < 0:
                    have_turns(p, two, 1 << i, wounds, edges, now, live, calm, hits, out)
    ca, cb = abs(ca), abs(cb)
    odds_for(p, two, 0, wounds, edges)
    count = 0 if p.turn_at_zero else min(ca, cb)
    while count <= limit:
        due_a, due_b = count % ca == 0, count % cb == 0
        if due_a and due_b and ka == kb:
            have_turns(p, two, 3 + 0 * ca, wounds, edges, now, live, calm, hits, out)
        else:
            for turn in range(2):
                i = turn if ka <= kb else 1 - turn
                if (due_a and i == 0) or (due_b and i == 1):
                    have_turns(p, two, 1 << i, wounds, edges, now, live, calm, hits, out)
        count = min((count // ca + 1) * ca, (count // cb + 1) * cb)
    for wa in range(two[0, D_LIMIT] + 1):
        for wb in range(two[1, D_LIMIT] + 1):
            if wa == wb or p.limit_result == LimitResult.DRAW:
                out[2] += live[wa, wb]
            elif wa < wb:
                out[0] += live[wa, wb]
            else:
                out[1] += live[wa, wb]


@kernel
def duel_value(p: Any, two: Any, limit: int, out: Any) -> float:
    """P(win) - P(loss) of the first of two figures int64[2, DUELLIST]; float64[3] `out` gets win, loss, draw."""
    now, live = np.zeros((W_MAX, W_MAX, E_MAX, E_MAX)), np.zeros((W_MAX, W_MAX))
    calm, hits = np.zeros((5, E_MAX, E_MAX)), np.zeros((5, E_MAX, E_MAX))
    return duel_between(p, two, limit, np.zeros((2, 2)), np.zeros((2, 2, E_MAX)), now, live, calm, hits, out)


@kernel
def duel_between(
    p: Any, two: Any, limit: int, wounds: Any, edges: Any, now: Any, live: Any, calm: Any, hits: Any, out: Any
) -> float:
    """The same with given working space: chances of the turns, of the blocks, and results of a turn in one of them."""
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
            duel_run(p, two, ca, cb, limit, wounds, edges, now, live, calm, hits, out)
    for k in range(3):
        out[k] /= 36.0
    return out[0] - out[1]
