"""Declarations: who is asked (R5, R7), what may be declared (4.3), and what a declaration binds to (R10, R31)."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from ..core.legal import allow, allow_bits
from . import hooks
from .services import after_advance, after_retreat, ask, can_aid, can_reload, emit, is_ready, reaches
from .state import (
    ADVANCE,
    AID,
    D_AID,
    D_FULL_DEFENCE,
    D_MELEE,
    D_NOT_YET,
    D_OWN,
    D_PASS,
    D_RELOAD,
    E_DECLARE,
    FULL_DEFENCE,
    M_MELEE,
    M_RUN,
    M_SHOOT,
    MELEE,
    PASS,
    PC_TURN,
    PH_DECLARE,
    RELOAD,
    RETREAT,
    RUN,
    SHOOT,
    TAKE,
    WIN_DECLARE,
)


@kernel
def ask_declaration(s: Any, p: Any) -> None:
    """R5, R7: the next fighter from the lowest reaction upwards declares."""
    while s.at >= 0:
        f = s.order[s.at]
        s.at -= 1
        if s.declared[f] == D_NOT_YET:
            ask(s, PH_DECLARE, f)
            return
    s.pc = PC_TURN
    s.at = 0


@kernel
def legal_declarations(s: Any, p: Any, f: int, words: Any) -> None:
    """4.3, phase `declare`."""
    zones = 0xFF if p.aiming else 1
    allow(words, PASS)
    allow(words, FULL_DEFENCE)
    ready = is_ready(s, p, f)
    for t in range(4):
        e = p.enemy[f, t]
        if e < 0:
            break
        if s.dead[e]:
            continue
        if p.declare_out_of_reach:
            allow_bits(words, MELEE + 8 * t, zones)
            if p.allow_full_run:
                allow_bits(words, RUN + 8 * t, zones)
            if ready:
                allow_bits(words, SHOOT + 8 * t, zones)
            continue
        if reaches(s, p, f, e, M_MELEE):
            allow_bits(words, MELEE + 8 * t, zones)
        if p.allow_full_run and reaches(s, p, f, e, M_RUN):
            allow_bits(words, RUN + 8 * t, zones)
        if ready and reaches(s, p, f, e, M_SHOOT):
            allow_bits(words, SHOOT + 8 * t, zones)
    if can_reload(s, p, f):
        allow(words, RELOAD)
    if after_advance(s, p, f) != s.pos[f]:
        allow(words, ADVANCE)
    if after_retreat(s, p, f) != s.pos[f]:
        allow(words, RETREAT)
    for k in range(4):
        a = p.ally[f, k]
        if a < 0:
            break
        if can_aid(s, p, f, a):
            allow(words, AID + k)
    hooks.options(s, p, f, WIN_DECLARE, words)


@kernel
def declare(s: Any, p: Any, f: int, action: int) -> None:
    """R5, R10, R31: a declaration binds; full defence takes effect at once."""
    what = D_OWN
    target = -1
    zone = action
    if action <= RETREAT:
        zone = 0
        if action == PASS:
            what = D_PASS
        elif action == FULL_DEFENCE:
            what = D_FULL_DEFENCE
            s.full_defence[f] = 1
        else:
            what = D_RELOAD + action - RELOAD
    elif action < MELEE:
        what = D_AID
        zone = 0
        target = p.ally[f, action - AID]
    elif action < TAKE:
        slot = action - MELEE
        mode = slot >> 5
        what = D_MELEE + mode
        target = p.enemy[f, (slot >> 3) & 3]
        zone = slot & 7
    s.declared[f] = what
    s.d_target[f] = target
    s.d_zone[f] = zone
    emit(s, E_DECLARE, f, what, (target + 1) | zone << 4)
