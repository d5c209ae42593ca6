"""The flow of a fight from station to station (4.2), and the contract functions that are not in files of their own.

The main program goes from station to station (`s.pc`); what a station begins (a roll, a question, a wound, steps of
modules) is finished before the next one.
"""

from __future__ import annotations

from typing import Any

from ..core.abi import STOPPED
from ..core.jit import kernel
from ..core.legal import allow, allow_bits
from ..core.modules.asking import held
from ..core.rng import rand_below
from . import hooks
from .combat import can_parry, can_save, counter, offer_fate, picked, react, repeat, rolled
from .declarations import ask_declaration, declare, legal_declarations
from .round_start import ask_reaction, begin_round, draw_ties, roll_reaction, run_scripted, sort_order, tie_drawn
from .services import emit
from .state import ASK_NOBODY, Action, Die, Event, Moment, Phase, Result, Roll, Station
from .steps import begin_steps, run_step
from .turns import next_turn, perform
from .upkeep import bleed, roll_death, roll_wake
from .wounds import close, end_test, enter_wound

# --- set-up -----------------------------------------------------------------------------------------------------------


@kernel
def setup(s: Any, p: Any) -> None:
    """Sheets and places; then on to the first die or decision."""
    s.ask_phase = ASK_NOBODY
    s.ask_fighter = -1
    s.ask_owner = -1
    s.step_event = -1
    s.actor = -1
    s.bleed_left = -1
    s.x_attacker = -1
    s.x_target = -1
    s.roll_kind = -1
    s.roll_owner = -1
    s.roll_other = -1
    s.w_target = -1
    s.w_dealer = -1
    for f in range(p.fighters):
        s.kr[f] = p.kr[f]
        s.lw[f] = p.lw[f]
        s.sw[f] = p.sw[f]
        s.bleeding[f] = p.bleeding[f]
        s.fate[f] = p.fate[f]
        s.pos[f] = p.position[f]
        s.loaded[f] = p.loaded[f]
        s.reserve[f] = p.r_reserve[f]
    s.pc = Station.ROUND
    pump(s, p)


# --- the main program -------------------------------------------------------------------------------------------------


@kernel
def station(s: Any, p: Any) -> None:
    """One step of the main program."""
    pc = s.pc
    if pc == Station.TURN:
        next_turn(s, p)
    elif pc == Station.PERFORM:
        perform(s, p)
    elif pc == Station.DECLARE:
        ask_declaration(s, p)
    elif pc == Station.REACTION:
        roll_reaction(s, p)
    elif pc == Station.REACTION_FATE:
        ask_reaction(s, p)
    elif pc == Station.ORDER:
        sort_order(s, p)
    elif pc == Station.TIES:
        draw_ties(s, p)
    elif pc == Station.BLEED:
        bleed(s, p)
    elif pc == Station.DEATH:
        roll_death(s, p)
    elif pc == Station.WAKE:
        roll_wake(s, p)
    elif pc == Station.END_STEPS:
        s.pc = Station.END
    elif pc == Station.END:
        if not end_test(s, p):
            if s.round_no >= p.max_rounds:
                close(s, Result.DRAWN)
            else:
                s.pc = Station.ROUND
    elif pc == Station.ROUND:
        begin_round(s, p)
    elif pc == Station.EVENTS:
        run_scripted(s, p)
    elif pc == Station.ROUND_STEPS:
        s.pc = Station.REACTION
        s.at = 0


@kernel
def pump(s: Any, p: Any) -> None:
    """Go on until a die is due, somebody is asked, or the fight is over."""
    while s.status == 0 and s.die_kind == Die.NONE and s.ask_phase == ASK_NOBODY and not held(s):
        if s.step_event >= 0:
            run_step(s, p)
        else:
            station(s, p)
    if s.die_kind != Die.NONE and s.ask_phase != ASK_NOBODY:
        s.status = STOPPED  # a module has asked and thrown at once


# --- the contract -----------------------------------------------------------------------------------------------------


@kernel
def go_on(s: Any, p: Any) -> None:
    """What modules had asked for beside the rules is done."""
    pump(s, p)


@kernel
def seat_for(s: Any, p: Any, who: int) -> int:
    """The seat that decides for a fighter."""
    return p.seat_of[who]


@kernel
def die(s: Any, p: Any) -> int:
    """Faces of the die that must fall."""
    return s.die_faces


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """A die of a roll (its number is outcome + 1), a place in a tied group, a team mate hit, or a module's die."""
    s.n_events = 0
    kind = s.die_kind
    if kind == Die.ROLL:
        number = outcome + 1
        s.roll_sum += number
        s.roll_pack = s.roll_pack << 5 | number
        if s.roll_kind == Roll.DAMAGE:
            through = number - p.hard[s.x_target, s.x_hit]
            if through > 0:
                s.roll_through += through
        s.roll_left -= 1
        if s.roll_left > 0:
            return
        s.die_kind = Die.NONE
        s.die_faces = 0
        rolled(s, p)
    else:
        s.die_kind = Die.NONE
        s.die_faces = 0
        if kind == Die.TIE:
            tie_drawn(s, outcome)
        elif kind == Die.PICK:
            picked(s, p, outcome)
        elif kind == Die.MODULE:
            hooks.fell(s, p, s.die_owner, s.die_what, s.die_fighter, outcome)
    pump(s, p)


@kernel
def roll(s: Any, p: Any, rng: Any) -> int:
    """Throw dice until somebody owes a decision or the fight is over; return how many."""
    thrown = 0
    while s.die_faces > 0:
        fall(s, p, rand_below(rng, s.die_faces))
        thrown += 1
    return thrown


@kernel
def to_act(s: Any, p: Any) -> int:
    """The seat that decides for the fighter who is asked."""
    if s.ask_phase == ASK_NOBODY:
        return 0
    return 1 << p.seat_of[s.ask_fighter]


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Legal answers (4.3)."""
    f, phase = s.ask_fighter, s.ask_phase
    if s.ask_owner >= 0:
        hooks.legal_of(s, p, s.ask_owner, phase, f, words)
    elif phase == Phase.DECLARE:
        legal_declarations(s, p, f, words)
    elif phase == Phase.REACT:
        allow(words, Action.TAKE)
        if can_save(s, p, f):
            allow(words, Action.SAVE)
        if can_parry(s, p, f):
            allow(words, Action.PARRY)
    elif phase == Phase.FATE_REROLL:
        allow(words, Action.KEEP)
        allow(words, Action.REROLL)
    elif phase == Phase.COUNTER:
        allow(words, Action.NO_COUNTER)
        allow_bits(words, Action.COUNTER, 0xFF if p.aiming else 1)
    elif phase == Phase.FATE_REDUCE:
        allow_bits(words, Action.REDUCE, (2 << min(s.fate[f], s.w_class)) - 1)
    elif phase == Phase.FORGO:
        allow(words, Action.EXECUTE)
        allow(words, Action.FORGO)


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Take a legal answer and go on."""
    s.n_events = 0
    s.decisions += 1
    f, phase, owner = s.ask_fighter, s.ask_phase, s.ask_owner
    s.ask_phase = ASK_NOBODY
    s.ask_owner = -1
    if owner >= 0:
        hooks.answered(s, p, owner, phase, f, action)
    elif phase == Phase.DECLARE:
        declare(s, p, f, action)
    elif phase == Phase.REACT:
        react(s, p, action)
    elif phase == Phase.FATE_REROLL:
        if action == Action.REROLL:
            repeat(s, f)
        else:
            offer_fate(s, p, s.fate_stage + 1)
    elif phase == Phase.COUNTER:
        counter(s, p, action - Action.COUNTER if action >= Action.COUNTER else -1)
    elif phase == Phase.FATE_REDUCE:
        points = action - Action.REDUCE
        s.fate[f] -= points
        s.w_class -= points
        if points:
            emit(s, Event.REDUCE, f, points, s.w_class)
        enter_wound(s, p)
    elif phase == Phase.FORGO:
        if action == Action.EXECUTE:
            begin_steps(s, Moment.TURN)
        else:
            emit(s, Event.FORGO, f, 0, 0)
            s.actor = -1
            s.pc = Station.TURN
    pump(s, p)
    if s.decisions >= p.max_decisions and s.status == 0:
        s.status = STOPPED
        s.die_kind = Die.NONE
        s.die_faces = 0
        s.ask_phase = ASK_NOBODY


@kernel
def over(s: Any, p: Any) -> int:
    """0 running, 1 ended, 2 stopped by the limit of decisions."""
    return s.status


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Everything is public (4.1): there is nothing to forget but what the last step told."""
    s.n_events = 0
