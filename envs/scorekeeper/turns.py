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
    mode_of,
    reaches,
)
from .state import ATTACKS, NO_TURN, WIN_DECLARE, Declared, Event, Mode, Moment, Phase, Purpose, Roll, Station
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
        if s.declared[f] in NO_TURN or s.action_lost[f] or s.forfeited[f] or not able(s, f):
            continue
        s.actor = f
        s.pc = Station.PERFORM
        if p.allow_forgo:
            ask(s, Phase.FORGO, f)
        else:
            begin_steps(s, Moment.TURN)
        return
    s.pc = Station.BLEED
    s.at = 0
    s.bleed_left = -1


@kernel
def perform(s: Any, p: Any) -> None:
    """R11, R12: carry out what was declared."""
    f = s.actor
    s.pc = Station.TURN
    s.acted[f] = 1
    what, t = s.declared[f], s.d_target[f]
    if what in ATTACKS:
        mode = mode_of(what)
        if not reaches(s, p, f, t, mode):
            emit(s, Event.VOID, f, what, 0)
            return
        if mode == Mode.SHOOT:
            s.loaded[f] -= 1
        else:
            step_close(s, f, t)
            if mode == Mode.RUN and p.full_run_forfeits_saves:
                s.saves_lost[f] = 1
        begin_attack(s, p, f, t, mode, s.d_zone[f])
    elif what == Declared.RELOAD:
        if can_reload(s, p, f):
            moved = min(p.r_capacity[f] - s.loaded[f], s.reserve[f])
            s.loaded[f] += moved
            s.reserve[f] -= moved
            s.jammed[f] = 0
            emit(s, Event.RELOAD, f, s.loaded[f], s.reserve[f])
        else:
            emit(s, Event.VOID, f, what, 0)
    elif what == Declared.ADVANCE:
        move_to(s, f, after_advance(s, p, f), what)
    elif what == Declared.RETREAT:
        move_to(s, f, after_retreat(s, p, f), what)
    elif what == Declared.AID:
        if can_aid(s, p, f, t):
            begin_roll(s, Roll.FIRST_AID, Purpose.CHECK, f, -1, aid_value_of(s, p, f), 1, 20)
        else:
            emit(s, Event.VOID, f, what, 0)
    elif what == Declared.OWN:
        hooks.choose(s, p, f, WIN_DECLARE, s.d_zone[f])


@kernel
def move_to(s: Any, fighter: int, place: int, what: int) -> None:
    """R17."""
    if place == s.pos[fighter]:
        emit(s, Event.VOID, fighter, what, 0)
    else:
        s.pos[fighter] = place
        emit(s, Event.MOVE, fighter, place, 0)


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
    emit(s, Event.MOVE, fighter, s.pos[fighter], 0)
