"""The flow of a fight: round, events, reaction, declarations, turns, upkeep (4.2); the contract functions.

The main program goes from station to station (`s.pc`); what a station begins (a roll, a question, a wound, steps of
modules) is finished before the next one.
"""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from ..core.rng import mix, rand_below
from . import hooks
from .combat import (
    CHECKS,
    begin_attack,
    can_parry,
    can_save,
    counter,
    offer_fate,
    picked,
    react,
    repeat,
    rolled,
)
from .services import (
    able,
    after_advance,
    after_retreat,
    aid_value_of,
    allow,
    allow_bits,
    ask,
    begin_roll,
    can_aid,
    can_reload,
    damage_class,
    emit,
    is_ready,
    reaches,
    shock_value_of,
)
from .state import (
    ADVANCE,
    AID,
    ASK_NOBODY,
    COUNTER,
    COUNTER_HALF,
    D_ADVANCE,
    D_AID,
    D_FULL_DEFENCE,
    D_MELEE,
    D_NONE,
    D_NOT_YET,
    D_OWN,
    D_PASS,
    D_RELOAD,
    D_RETREAT,
    D_RUN,
    D_SHOOT,
    DIE_MODULE,
    DIE_NONE,
    DIE_PICK,
    DIE_ROLL,
    DIE_TIE,
    DRAWN,
    E_BLEED,
    E_DECLARE,
    E_FORGO,
    E_MOVE,
    E_ORDER,
    E_REDUCE,
    E_RELOAD,
    E_ROUND,
    E_SCRIPT,
    E_VOID,
    EV_ROUND_END,
    EV_ROUND_START,
    EV_TURN,
    EXECUTE,
    FORGO,
    FULL_DEFENCE,
    K_DAMAGE,
    K_DEATH,
    K_FIRST_AID,
    K_PARRY,
    K_REACTION,
    K_SHOCK,
    K_ZONE,
    KEEP,
    M_MELEE,
    M_RUN,
    M_SHOOT,
    MAXF,
    MELEE,
    NO_COUNTER,
    PARRY,
    PASS,
    PAY_MARGIN,
    PAY_SURVIVAL,
    PC_BLEED,
    PC_DEATH,
    PC_DECLARE,
    PC_END,
    PC_END_STEPS,
    PC_EVENTS,
    PC_ORDER,
    PC_PERFORM,
    PC_REACTION,
    PC_REACTION_FATE,
    PC_ROUND,
    PC_ROUND_STEPS,
    PC_TIES,
    PC_TURN,
    PC_WAKE,
    PH_COUNTER,
    PH_DECLARE,
    PH_FORGO,
    PH_REACT,
    PH_REDUCE,
    PH_REROLL,
    R_CHECK,
    R_HAZARD_EVENT,
    R_ORDEAL,
    R_TRAUMA,
    R_WAKE,
    REDUCE,
    RELOAD,
    REROLL,
    RETREAT,
    RUN,
    S_ELECTRIC,
    S_FALL,
    S_ORDEAL,
    S_WOUND,
    SAVE,
    SHOOT,
    TAKE,
    W_BLEEDING,
    W_EVENT,
    W_FALL,
    WIN_DECLARE,
    WON_A,
)
from .wounds import begin_hazard, begin_wound, close, end_test, enter_wound

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
    s.pc = PC_ROUND
    pump(s, p)


# --- stations ---------------------------------------------------------------------------------------------------------


@kernel
def begin_round(s: Any, p: Any) -> None:
    """R1: the state of a round is cleared."""
    s.round_no += 1
    s.n_order = 0
    s.fate_done = 0
    s.actor = -1
    for f in range(p.fighters):
        s.rolled[f] = 0
        s.reaction[f] = 0
        s.declared[f] = D_NOT_YET
        s.d_target[f] = -1
        s.d_zone[f] = 0
        s.acted[f] = 0
        s.full_defence[f] = 0
        s.saves_lost[f] = 0
        s.forfeited[f] = 0
        s.parries[f] = 0
        s.counters[f] = 0
        s.action_lost[f] = s.skip_next[f]
        s.skip_next[f] = 0
    hooks.reset_fields(s, p, 0)
    emit(s, E_ROUND, -1, s.round_no, 0)
    s.pc = PC_EVENTS
    s.at = 0


@kernel
def run_scripted(s: Any, p: Any) -> None:
    """4.5: the next scripted event of this round."""
    while s.at < p.scripted:
        i = s.at
        s.at += 1
        f = p.s_fighter[i]
        if p.s_round[i] != s.round_no or s.dead[f]:
            continue
        kind = p.s_kind[i]
        emit(s, E_SCRIPT, f, kind, p.s_wound[i])
        if kind == S_WOUND:
            begin_wound(s, p, f, p.s_wound[i], p.s_zone[i], -1, W_EVENT)
        elif kind == S_FALL:
            begin_wound(s, p, f, p.s_wound[i], p.s_zone[i], -1, W_FALL)
        elif kind == S_ELECTRIC:
            begin_hazard(s, p, f, -1, R_HAZARD_EVENT)
        elif p.character[f] and able(s, f):
            purpose = R_ORDEAL if kind == S_ORDEAL else R_TRAUMA
            begin_roll(s, K_SHOCK, purpose, f, -1, shock_value_of(s, p, f, p.shock[f], purpose), 1, 20)
        return
    s.pc = PC_ROUND_STEPS
    begin_steps(s, EV_ROUND_START)


@kernel
def roll_reaction(s: Any, p: Any) -> None:
    """R3: the next able fighter in setup order rolls."""
    while s.at < p.fighters:
        f = s.at
        s.at += 1
        if able(s, f):
            s.order[s.n_order] = f
            s.n_order += 1
            begin_roll(s, K_REACTION, R_CHECK, f, -1, 0, 1, 10)
            return
    s.pc = PC_REACTION_FATE if p.fate_enabled and p.fate_rolls >> K_REACTION & 1 else PC_ORDER


@kernel
def ask_reaction(s: Any, p: Any) -> None:
    """4.2: who may repeat his reaction roll is asked, in ascending order of the values."""
    best = -1
    for f in range(p.fighters):
        if s.rolled[f] and s.fate[f] > 0 and not s.fate_done >> f & 1:
            if best < 0 or s.reaction[f] < s.reaction[best]:
                best = f
    if best < 0:
        s.pc = PC_ORDER
        return
    s.roll_kind = K_REACTION
    s.roll_for = R_CHECK
    s.roll_owner = best
    s.roll_other = -1
    s.roll_value = 0
    s.roll_ok = 0
    s.roll_faces = 10
    s.roll_sum = s.react_die[best]
    s.roll_pack = s.react_die[best]
    offer_fate(s, p, 0)


@kernel
def order_key(s: Any, p: Any, fighter: int) -> int:
    """What the acting order goes by; equal keys are drawn (R9)."""
    value = (s.reaction[fighter] + 2000) << 20
    if p.ties_by_base:
        value += (p.wah[fighter] + p.agl[fighter]) << 8 | p.wah[fighter]
    return value


@kernel
def sort_order(s: Any, p: Any) -> None:
    """R6: highest reaction first; tied fighters in setup order until they are drawn."""
    for i in range(1, s.n_order):
        f = s.order[i]
        value = order_key(s, p, f)
        j = i
        while j > 0 and order_key(s, p, s.order[j - 1]) < value:
            s.order[j] = s.order[j - 1]
            j -= 1
        s.order[j] = f
    s.tie_at = 0
    s.tie_end = 0
    s.pc = PC_TIES


@kernel
def draw_ties(s: Any, p: Any) -> None:
    """R9: the first actor of a tied group, then the next one, group after group from the highest."""
    while True:
        if s.tie_end - s.tie_at > 1:
            s.die_kind = DIE_TIE
            s.die_faces = s.tie_end - s.tie_at
            return
        s.tie_at = s.tie_end
        if s.tie_at >= s.n_order:
            break
        value = order_key(s, p, s.order[s.tie_at])
        s.tie_end = s.tie_at + 1
        while s.tie_end < s.n_order and order_key(s, p, s.order[s.tie_end]) == value:
            s.tie_end += 1
    emit(s, E_ORDER, -1, s.n_order, order_pack(s))
    for f in range(p.fighters):
        if s.rolled[f] == 0 or s.reaction[f] <= 0 or s.action_lost[f]:
            s.declared[f] = D_NONE
    s.pc = PC_DECLARE
    s.at = s.n_order - 1


@kernel
def order_pack(s: Any) -> int:
    """The acting order, 3 bits a fighter, the first lowest."""
    pack = 0
    for i in range(s.n_order):
        pack |= s.order[i] << (3 * i)
    return pack


@kernel
def tie_drawn(s: Any, outcome: int) -> None:
    """R9: the outcome-th of those left acts next."""
    i = s.tie_at + outcome
    f = s.order[i]
    while i > s.tie_at:
        s.order[i] = s.order[i - 1]
        i -= 1
    s.order[i] = f
    s.tie_at += 1


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


@kernel
def bleed(s: Any, p: Any) -> None:
    """R59: a scratch a point of bleeding, fighter after fighter."""
    while s.at < p.fighters:
        f = s.at
        dying = s.dead[f] | s.struggle[f]
        if s.bleed_left < 0:
            s.bleed_left = s.bleeding[f] if p.bleeds and p.character[f] else 0
        if s.bleed_left > 0 and dying == 0:
            s.bleed_left -= 1
            emit(s, E_BLEED, f, 0, 0)
            begin_wound(s, p, f, 1, 0, -1, W_BLEEDING)
            return
        s.at += 1
        s.bleed_left = -1
    s.pc = PC_DEATH
    s.at = 0


@kernel
def roll_death(s: Any, p: Any) -> None:
    """R63."""
    while s.at < p.fighters:
        f = s.at
        s.at += 1
        if s.struggle[f] == 0 or s.stable[f] or s.dead[f]:
            continue
        if p.death_next_round and s.struggle_round[f] == s.round_no:
            continue
        base = p.shock[f] - p.death_first_penalty - p.death_step * s.death_rolls[f]
        begin_roll(s, K_DEATH, R_CHECK, f, -1, shock_value_of(s, p, f, base, R_CHECK), 1, 20)
        return
    s.pc = PC_WAKE
    s.at = 0


@kernel
def roll_wake(s: Any, p: Any) -> None:
    """R66: the end of a trauma."""
    while s.at < p.fighters:
        f = s.at
        s.at += 1
        if s.trauma[f] and s.dead[f] == 0:
            begin_roll(s, K_SHOCK, R_WAKE, f, -1, shock_value_of(s, p, f, p.shock[f], R_WAKE), 1, 20)
            return
    s.pc = PC_END_STEPS
    begin_steps(s, EV_ROUND_END)


@kernel
def station(s: Any, p: Any) -> None:
    """One step of the main program."""
    pc = s.pc
    if pc == PC_TURN:
        next_turn(s, p)
    elif pc == PC_PERFORM:
        perform(s, p)
    elif pc == PC_DECLARE:
        ask_declaration(s, p)
    elif pc == PC_REACTION:
        roll_reaction(s, p)
    elif pc == PC_REACTION_FATE:
        ask_reaction(s, p)
    elif pc == PC_ORDER:
        sort_order(s, p)
    elif pc == PC_TIES:
        draw_ties(s, p)
    elif pc == PC_BLEED:
        bleed(s, p)
    elif pc == PC_DEATH:
        roll_death(s, p)
    elif pc == PC_WAKE:
        roll_wake(s, p)
    elif pc == PC_END_STEPS:
        s.pc = PC_END
    elif pc == PC_END:
        if not end_test(s, p):
            if s.round_no >= p.max_rounds:
                close(s, DRAWN)
            else:
                s.pc = PC_ROUND
    elif pc == PC_ROUND:
        begin_round(s, p)
    elif pc == PC_EVENTS:
        run_scripted(s, p)
    elif pc == PC_ROUND_STEPS:
        s.pc = PC_REACTION
        s.at = 0


# --- modules' steps ---------------------------------------------------------------------------------------------------


@kernel
def begin_steps(s: Any, event: int) -> None:
    """The stepped hook `event` (EV_...) runs: module after module, fighter after fighter (a turn: the one on turn)."""
    if hooks.event_modules(event) > 0:
        s.step_event = event
        s.step_module = 0
        s.step_fighter = s.actor if event == EV_TURN else 0


@kernel
def run_step(s: Any, p: Any) -> None:
    """The next call of the stepped hook under way."""
    event, module, f = s.step_event, s.step_module, s.step_fighter
    if module >= hooks.event_modules(event):
        s.step_event = -1
        return
    if event == EV_TURN:
        s.step_module = module + 1
    elif f + 1 < p.fighters:
        s.step_fighter = f + 1
    else:
        s.step_fighter = 0
        s.step_module = module + 1
    hooks.event_call(s, p, event, module, f)


@kernel
def pump(s: Any, p: Any) -> None:
    """Go on until a die is due, somebody is asked, or the fight is over."""
    while s.status == 0 and s.die_kind == DIE_NONE and s.ask_phase == ASK_NOBODY:
        if s.step_event >= 0:
            run_step(s, p)
        else:
            station(s, p)
    if s.die_kind != DIE_NONE and s.ask_phase != ASK_NOBODY:
        s.status = 2  # a module has asked and thrown at once


# --- the contract -----------------------------------------------------------------------------------------------------


@kernel
def die(s: Any, p: Any) -> int:
    """Faces of the die that must fall."""
    return s.die_faces


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """A die of a roll (its number is outcome + 1), a place in a tied group, a team mate hit, or a module's die."""
    s.n_events = 0
    kind = s.die_kind
    if kind == DIE_ROLL:
        number = outcome + 1
        s.roll_sum += number
        s.roll_pack = s.roll_pack << 5 | number
        if s.roll_kind == K_DAMAGE:
            through = number - p.hard[s.x_target, s.x_hit]
            if through > 0:
                s.roll_through += through
        s.roll_left -= 1
        if s.roll_left > 0:
            return
        s.die_kind = DIE_NONE
        s.die_faces = 0
        rolled(s, p)
    else:
        s.die_kind = DIE_NONE
        s.die_faces = 0
        if kind == DIE_TIE:
            tie_drawn(s, outcome)
        elif kind == DIE_PICK:
            picked(s, p, outcome)
        elif kind == DIE_MODULE:
            hooks.run_lot(s, p, s.die_owner, s.die_what, s.die_fighter, outcome)
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
    elif phase == PH_DECLARE:
        legal_declarations(s, p, f, words)
    elif phase == PH_REACT:
        allow(words, TAKE)
        if can_save(s, p, f):
            allow(words, SAVE)
        if can_parry(s, p, f):
            allow(words, PARRY)
    elif phase == PH_REROLL:
        allow(words, KEEP)
        allow(words, REROLL)
    elif phase == PH_COUNTER:
        allow(words, NO_COUNTER)
        allow_bits(words, COUNTER, 0xFF if p.aiming else 1)
    elif phase == PH_REDUCE:
        allow_bits(words, REDUCE, (2 << min(s.fate[f], s.w_class)) - 1)
    elif phase == PH_FORGO:
        allow(words, EXECUTE)
        allow(words, FORGO)


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
    elif phase == PH_DECLARE:
        declare(s, p, f, action)
    elif phase == PH_REACT:
        react(s, p, action)
    elif phase == PH_REROLL:
        if action == REROLL:
            repeat(s, f)
        else:
            offer_fate(s, p, s.fate_stage + 1)
    elif phase == PH_COUNTER:
        counter(s, p, action - COUNTER if action >= COUNTER else -1)
    elif phase == PH_REDUCE:
        points = action - REDUCE
        s.fate[f] -= points
        s.w_class -= points
        if points:
            emit(s, E_REDUCE, f, points, s.w_class)
        enter_wound(s, p)
    elif phase == PH_FORGO:
        if action == EXECUTE:
            begin_steps(s, EV_TURN)
        else:
            emit(s, E_FORGO, f, 0, 0)
            s.actor = -1
            s.pc = PC_TURN
    pump(s, p)
    if s.decisions >= p.max_decisions and s.status == 0:
        s.status = 2
        s.die_kind = DIE_NONE
        s.die_faces = 0
        s.ask_phase = ASK_NOBODY


@kernel
def over(s: Any, p: Any) -> int:
    """0 running, 1 ended, 2 stopped by the limit of decisions."""
    return s.status


@kernel
def margin(s: Any, p: Any) -> float:
    """4.6: score of team a less that of team b; exactly 0 where both have the same."""
    halves_a = 0  # points in halves
    halves_b = 0
    size_a = 0
    for f in range(p.fighters):
        halves = 0 if s.dead[f] else (2 if able(s, f) else 1)
        if p.team[f] == 0:
            halves_a += halves
            size_a += 1
        else:
            halves_b += halves
    size_b = p.fighters - size_a
    return (halves_a * size_b - halves_b * size_a) / (2.0 * size_a * size_b)


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """4.6: payoffs at the end, 0 before."""
    for seat in range(MAXF):
        out[seat] = 0.0
    if s.status != 1:
        return
    value = 0.0
    if s.result == DRAWN:
        if p.draw_by_margin:
            m = margin(s, p)
            value = 1.0 if m > 0.0 else (-1.0 if m < 0.0 else 0.0)
    else:
        value = 1.0 if s.result == WON_A else -1.0
    if p.utility == PAY_MARGIN:
        value = margin(s, p)
    for team in range(2):
        mine = value if team == 0 else -value
        if p.utility == PAY_SURVIVAL:
            size = 0
            lost = 0
            for f in range(p.fighters):
                if p.team[f] == team:
                    size += 1
                    lost += s.dead[f]
            mine -= 0.5 * lost / size
        for f in range(p.fighters):
            if p.team[f] == team:
                out[p.seat_of[f]] = mine


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Everything is public (4.1): there is nothing to forget but what the last step told."""
    s.n_events = 0


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """Hash of all on which the future depends; since everything is public, equal positions may meet."""
    return mix(position_key(s, p), seat + 1)


@kernel
def position_key(s: Any, p: Any) -> int:
    """Two positions with equal keys have equal futures: what the past has left no trace of is left out."""
    h = mix(s.round_no << 8 | s.pc, s.status << 4 | s.bled)
    ordered = s.pc > PC_ORDER
    for f in range(p.fighters):
        a = s.kr[f] | s.lw[f] << 5 | s.sw[f] << 10 | s.tw[f] << 15
        a |= (s.dead[f] | s.struggle[f] << 1 | s.stable[f] << 2 | s.trauma[f] << 3) << 18
        a |= max(0, s.ko_until[f] - s.round_no + 1) << 22
        a |= s.death_rolls[f] << 32 | s.bleeding[f] << 40 | s.fate[f] << 45 | s.head_penalty[f] << 49
        if p.death_next_round and s.struggle_round[f] == s.round_no:
            a |= 1 << 53
        b = s.pos[f] | s.loaded[f] << 8 | s.reserve[f] << 16
        b |= (s.jammed[f] | s.broken[f] << 1 | s.skip_next[f] << 2 | s.action_lost[f] << 3) << 24
        b |= (s.acted[f] | s.full_defence[f] << 1 | s.saves_lost[f] << 2 | s.forfeited[f] << 3) << 28
        b |= s.parries[f] << 32 | s.counters[f] << 40
        c = s.declared[f] | (s.d_target[f] + 1) << 4 | s.d_zone[f] << 8
        c |= (s.rolled[f] | (0 if ordered or s.rolled[f] == 0 else s.reaction[f] + 2000) << 1) << 20
        h = mix(mix(mix(h, a), b), c)
    if ordered:
        h = mix(h, order_pack(s) << 4 | s.n_order)
    h = mix(h, (s.at + 1) | s.tie_at << 8 | s.tie_end << 16 | s.fate_done << 24 | (s.bleed_left + 1) << 32)
    h = mix(h, (s.ask_phase + 1) | (s.ask_fighter + 1) << 8 | (s.ask_owner + 1) << 16 | (s.actor + 1) << 32)
    if s.step_event >= 0:
        h = mix(h, s.step_event << 16 | s.step_module << 8 | s.step_fighter)
    if s.x_on:
        exchange = s.x_attacker | s.x_target << 4 | s.x_mode << 8 | s.x_zone << 12 | s.x_hit << 16
        h = mix(h, exchange << 1 | 1)
    if s.w_on:
        h = mix(h, s.w_target | (s.w_dealer + 1) << 4 | s.w_class << 8 | s.w_zone << 12 | s.w_from << 16)
    if s.die_kind != DIE_NONE:
        h = mix(h, s.die_kind | s.die_faces << 4 | s.die_owner << 16 | s.die_what << 32)
    if s.die_kind == DIE_ROLL or s.ask_phase == PH_REROLL:
        h = mix(h, roll_key(s, p))
    return hooks.state_key(s, p, h)


@kernel
def roll_key(s: Any, p: Any) -> int:
    """What matters of the roll under way, or of one that lies and may be repeated."""
    h = s.roll_kind + 1 | s.roll_for << 8 | (s.roll_owner + 1) << 16 | (s.roll_other + 1) << 24 | s.fate_stage << 32
    h = mix(h, (s.roll_value + 4096) | s.roll_left << 16)
    h = mix(h, s.ko_faces << 1 | s.ko_head)
    if s.die_kind == DIE_ROLL:
        return mix(h, s.roll_through if s.roll_kind == K_DAMAGE else 0)
    face = s.roll_sum
    if s.roll_kind == K_DAMAGE:
        face = damage_class(s.roll_points)
    elif s.roll_kind == K_ZONE:
        face = s.x_hit
    elif CHECKS >> s.roll_kind & 1:
        fumbled = p.fumble_on > 0 and s.roll_sum >= p.fumble_on
        if s.roll_kind != K_PARRY or p.counter_rule != COUNTER_HALF:
            face = 1 if fumbled else 0
    return mix(h, face << 1 | s.roll_ok)
