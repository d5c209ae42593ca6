"""Declarations: who is asked (R5, R7), what may be declared (4.3), and what a declaration binds to (R10, R31)."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from ..core.legal import allow, allow_bits
from . import hooks
from .services import after_advance, after_retreat, ask, can_aid, can_reload, emit, is_ready, reaches
from .state import WIN_DECLARE, Action, Declared, Event, Mode, Phase, Station


@kernel
def ask_declaration(s: Any, p: Any) -> None:
    """R5, R7: the next fighter from the lowest reaction upwards declares."""
    while s.at >= 0:
        f = s.order[s.at]
        s.at -= 1
        if s.declared[f] == Declared.NOT_YET:
            ask(s, Phase.DECLARE, f)
            return
    s.pc = Station.TURN
    s.at = 0


@kernel
def legal_declarations(s: Any, p: Any, f: int, words: Any) -> None:
    """4.3, phase `declare`."""
    zones = 0xFF if p.aiming else 1
    allow(words, Action.PASS)
    allow(words, Action.FULL_DEFENCE)
    ready = is_ready(s, p, f)
    for t in range(4):
        e = p.enemy[f, t]
        if e < 0:
            break
        if s.dead[e]:
            continue
        if p.declare_out_of_reach:
            allow_bits(words, Action.MELEE + 8 * t, zones)
            if p.allow_full_run:
                allow_bits(words, Action.RUN + 8 * t, zones)
            if ready:
                allow_bits(words, Action.SHOOT + 8 * t, zones)
            continue
        if reaches(s, p, f, e, Mode.MELEE):
            allow_bits(words, Action.MELEE + 8 * t, zones)
        if p.allow_full_run and reaches(s, p, f, e, Mode.RUN):
            allow_bits(words, Action.RUN + 8 * t, zones)
        if ready and reaches(s, p, f, e, Mode.SHOOT):
            allow_bits(words, Action.SHOOT + 8 * t, zones)
    if can_reload(s, p, f):
        allow(words, Action.RELOAD)
    if after_advance(s, p, f) != s.pos[f]:
        allow(words, Action.ADVANCE)
    if after_retreat(s, p, f) != s.pos[f]:
        allow(words, Action.RETREAT)
    for k in range(4):
        a = p.ally[f, k]
        if a < 0:
            break
        if can_aid(s, p, f, a):
            allow(words, Action.AID + k)
    hooks.options(s, p, f, WIN_DECLARE, words)


@kernel
def declare(s: Any, p: Any, f: int, action: int) -> None:
    """R5, R10, R31: a declaration binds; full defence takes effect at once."""
    what = Declared.OWN
    target = -1
    zone = action
    if action <= Action.RETREAT:
        zone = 0
        if action == Action.PASS:
            what = Declared.PASS
        elif action == Action.FULL_DEFENCE:
            what = Declared.FULL_DEFENCE
            s.full_defence[f] = 1
        else:
            what = Declared.RELOAD + action - Action.RELOAD
    elif action < Action.MELEE:
        what = Declared.AID
        zone = 0
        target = p.ally[f, action - Action.AID]
    elif action < Action.TAKE:
        slot = action - Action.MELEE
        mode = slot >> 5
        what = Declared.MELEE + mode
        target = p.enemy[f, (slot >> 3) & 3]
        zone = slot & 7
    s.declared[f] = what
    s.d_target[f] = target
    s.d_zone[f] = zone
    emit(s, Event.DECLARE, f, what, (target + 1) | zone << 4)
