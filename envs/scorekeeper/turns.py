"""Turns: what was declared is carried out, from the highest reaction to the lowest (R6, R11, R12)."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from . import hooks
from .combat import begin_attack
from .services import (
    able,
    after_advance,
    after_retreat,
    aid_value_of,
    ask,
    begin_roll,
    can_aid,
    can_reload,
    emit,
    reaches,
)
from .state import (
    D_ADVANCE,
    D_AID,
    D_FULL_DEFENCE,
    D_MELEE,
    D_OWN,
    D_RELOAD,
    D_RETREAT,
    D_RUN,
    D_SHOOT,
    E_MOVE,
    E_RELOAD,
    E_VOID,
    EV_TURN,
    K_FIRST_AID,
    M_MELEE,
    M_RUN,
    M_SHOOT,
    PC_BLEED,
    PC_PERFORM,
    PC_TURN,
    PH_FORGO,
    R_CHECK,
    WIN_DECLARE,
)
from .steps import begin_steps


@kernel
def next_turn(s: Any, p: Any) -> None:
    """R6: the next fighter from the highest reaction downwards who has something to carry out."""
    if s.actor >= 0:
        hooks.acted(s, p, s.actor)
        s.actor = -1
    while s.at < s.n_order:
        f = s.order[s.at]
        s.at += 1
        if s.declared[f] <= D_FULL_DEFENCE or s.action_lost[f] or s.forfeited[f] or not able(s, f):
            continue
        s.actor = f
        s.pc = PC_PERFORM
        if p.allow_forgo:
            ask(s, PH_FORGO, f)
        else:
            begin_steps(s, EV_TURN)
        return
    s.pc = PC_BLEED
    s.at = 0
    s.bleed_left = -1


@kernel
def perform(s: Any, p: Any) -> None:
    """R11, R12: carry out what was declared."""
    f = s.actor
    s.pc = PC_TURN
    s.acted[f] = 1
    what, t = s.declared[f], s.d_target[f]
    if what >= D_MELEE and what <= D_SHOOT:
        mode = M_MELEE if what == D_MELEE else (M_RUN if what == D_RUN else M_SHOOT)
        if not reaches(s, p, f, t, mode):
            emit(s, E_VOID, f, what, 0)
            return
        if mode == M_SHOOT:
            s.loaded[f] -= 1
        else:
            step_close(s, f, t)
            if mode == M_RUN and p.full_run_forfeits_saves:
                s.saves_lost[f] = 1
        begin_attack(s, p, f, t, mode, s.d_zone[f])
    elif what == D_RELOAD:
        if can_reload(s, p, f):
            moved = min(p.r_capacity[f] - s.loaded[f], s.reserve[f])
            s.loaded[f] += moved
            s.reserve[f] -= moved
            s.jammed[f] = 0
            emit(s, E_RELOAD, f, s.loaded[f], s.reserve[f])
        else:
            emit(s, E_VOID, f, what, 0)
    elif what == D_ADVANCE:
        move_to(s, f, after_advance(s, p, f), what)
    elif what == D_RETREAT:
        move_to(s, f, after_retreat(s, p, f), what)
    elif what == D_AID:
        if can_aid(s, p, f, t):
            begin_roll(s, K_FIRST_AID, R_CHECK, f, -1, aid_value_of(s, p, f), 1, 20)
        else:
            emit(s, E_VOID, f, what, 0)
    elif what == D_OWN:
        hooks.choose(s, p, f, WIN_DECLARE, s.d_zone[f])


@kernel
def move_to(s: Any, fighter: int, place: int, what: int) -> None:
    """R17."""
    if place == s.pos[fighter]:
        emit(s, E_VOID, fighter, what, 0)
    else:
        s.pos[fighter] = place
        emit(s, E_MOVE, fighter, place, 0)


@kernel
def step_close(s: Any, fighter: int, target: int) -> None:
    """R21: to one metre from the target."""
    gap = s.pos[target] - s.pos[fighter]
    if gap > 1:
        s.pos[fighter] = s.pos[target] - 1
    elif gap < -1:
        s.pos[fighter] = s.pos[target] + 1
    else:
        return
    emit(s, E_MOVE, fighter, s.pos[fighter], 0)
