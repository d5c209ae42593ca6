"""The kernel of konfrontation: chance, who decides, what is legal, what follows (section 2 of the specification).

A small main program (stations AT_...) runs until somebody is asked. Bids and votes are kept sealed in the record until
both sides have chosen. Steps of modules and their questions lie on a stack above the core's own question.
"""

from __future__ import annotations

from typing import Any

from ..core.abi import ENDED, STOPPED
from ..core.jit import kernel
from ..core.modules.asking import held
from ..core.rng import mix
from . import hooks
from .confrontation import (
    begin_confrontation,
    clear_confrontation,
    compare,
    consequence,
    count_votes,
    declare,
    reveal,
    tie,
    told_units,
)
from .services import (
    actor,
    begin_step,
    control_points,
    emit,
    free_resource,
    free_unit,
    gain_by,
    go_on_step,
    lose_by,
    net_worth,
    note,
    pop,
    put_resource,
    put_unit,
    seat_of,
    strength_of,
    wait,
)
from .state import (
    CHARACTERS,
    DECLARING,
    P_RESOURCE,
    P_SUPPORT,
    RESOURCES,
    UNITS,
    Action,
    Event,
    Frame,
    Interrupt,
    Moment,
    Phase,
    Result,
    Start,
    Station,
    Why,
)

# --- set-up and chance ------------------------------------------------------------------------------------------------


@kernel
def setup(s: Any, p: Any) -> None:
    """Fill a zeroed record and go on to the first die or decision."""
    for f in range(p.factions):
        s.power[f] = p.power[f]
        s.units[f] = p.units[f]
        s.resources[f] = p.resources[f]
        for u in range(UNITS):
            s.nature[f, u] = p.nature[f, u]
            s.value[f, u] = p.value[f, u]
        for r in range(RESOURCES):
            s.extent[f, r] = p.extent[f, r]
        s.worth[f] = net_worth(s, p, f)
        if p.random_natures:
            for u in range(CHARACTERS):
                s.due_natures += s.units[f] >> u & 1
    clear_confrontation(s)
    s.pc = Station.TURN
    if p.clash:
        begin_confrontation(s, p, p.attacker)
        if p.stage == Start.BID or p.stage == Start.DEFENCE:
            s.defender = p.defender
            s.target = p.target
            s.kind = p.kind
            s.commit[0] = p.commit[0]
            s.strength[0] = strength_of(s, p, s.attacker, s.commit[0], s.kind)
            emit(s, Event.ATTACK, s.attacker, s.defender, s.target, 0)
            emit(s, Event.TYPE, s.attacker, s.kind, 0, 0)
            told_units(s, s.attacker, s.commit[0])
            s.pc = Station.DECLARED
        if p.stage == Start.BID:
            s.commit[1] = p.commit[1]
            s.strength[1] = strength_of(s, p, s.defender, s.commit[1], s.kind)
            told_units(s, s.defender, s.commit[1])
            s.pc = Station.DEFENDED
    elif p.first_seat < 0:
        s.due_first = 1
    else:
        s.first = p.first_seat
    run(s, p)


@kernel
def die(s: Any, p: Any) -> int:
    """Faces of the die that is due: the starting seat, a nature, a module's; or 0."""
    if s.status:
        return 0
    if s.due_first:
        return p.factions
    if s.due_natures:
        return 4
    if s.depth and s.f_phase[s.depth - 1] == Frame.LOT:
        return s.f_b[s.depth - 1]
    return 0


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """R28: the starting seat; natures of the starting characters, faction by faction; a module's die."""
    s.n_events = 0
    note(s, outcome + 1)
    if s.due_first:
        s.due_first = 0
        s.first = outcome
    elif s.due_natures:
        fall_nature(s, p, outcome)
    else:
        f = s.depth - 1
        owner, what, seat = s.f_owner[f], s.f_a[f], s.f_seat[f]
        pop(s)
        hooks.fell(s, p, owner, what, seat, outcome)
    run(s, p)


@kernel
def fall_nature(s: Any, p: Any, nature: int) -> None:
    """The first character whose nature is due gets it."""
    left = 0
    for f in range(p.factions - 1, -1, -1):
        for u in range(CHARACTERS - 1, -1, -1):
            if s.units[f] >> u & 1:
                left += 1
                if left == s.due_natures:
                    s.due_natures -= 1
                    s.nature[f, u] = nature
                    emit(s, Event.NATURE, f, u, nature, 0)
                    return


# --- the main program -------------------------------------------------------------------------------------------------


@kernel
def run(s: Any, p: Any) -> None:
    """Go on until a die or an answer is due, or the game is over."""
    while s.status == 0 and s.due_first == 0 and s.due_natures == 0 and not held(s):
        if s.depth:
            f = s.depth - 1
            phase = s.f_phase[f]
            if phase == Frame.STEP:
                go_on_step(s, p)
            elif phase == Frame.TASK:
                owner, what, seat = s.f_owner[f], s.f_a[f], s.f_seat[f]
                pop(s)
                hooks.task(s, p, owner, what, seat)
            else:
                s.ask_phase = phase if phase != Frame.LOT else s.phase
                return
        elif s.pc == Station.WAITING:
            s.ask_phase = s.phase
            return
        else:
            station(s, p)
    if s.status:
        s.phase = Phase.OVER
        s.ask_phase = Phase.OVER


@kernel
def station(s: Any, p: Any) -> None:
    """One station of the main program."""
    at = s.pc
    if at == Station.TURN:
        begin_turn(s, p)
    elif at == Station.SEAT:
        begin_seat(s, p)
    elif at == Station.ACTION:
        wait(s, Phase.ACTION)
    elif at == Station.ACTED:
        end_action(s, p)
    elif at == Station.DECLARED:
        s.pc = Station.EVADE
        begin_step(s, Moment.DECLARED, 1 << s.defender)
    elif at == Station.EVADE:
        runs = s.target < CHARACTERS or (s.target < UNITS and p.supports_run)  # R8, A3
        if runs and s.power[s.defender] >= hooks.run_cost(s, p, s.defender, p.run_home_cost):
            wait(s, Phase.EVADE)
        else:
            wait(s, Phase.DEFEND)
    elif at == Station.DEFENDED:
        s.pc = Station.BID
        begin_step(s, Moment.DEFENDED, 1 << s.attacker | 1 << s.defender)
    elif at == Station.BID:
        wait(s, Phase.BID)
    elif at == Station.REVEALED:
        s.pc = Station.COMPARE
        begin_step(s, Moment.REVEALED, 1 << s.attacker | 1 << s.defender)
    elif at == Station.COMPARE:
        compare(s, p)
    elif at == Station.TIED:
        s.pc = Station.TIE
        begin_step(s, Moment.TIED, 1 << s.attacker | 1 << s.defender)
    elif at == Station.TIE:
        tie(s, p)
    else:
        end_confrontation(s, p)


@kernel
def begin_turn(s: Any, p: Any) -> None:
    """R28: the starting seat moves on by one seat each turn."""
    if s.turn and p.rotate_first:
        s.first = (s.first + 1) % p.factions
    s.turn += 1
    s.place = 0
    emit(s, Event.TURN, -1, s.turn, p.turns, 0)
    s.pc = Station.SEAT
    hooks.reset_fields(s, p, 1)
    begin_step(s, Moment.TURN_START, (1 << p.factions) - 1)


@kernel
def begin_seat(s: Any, p: Any) -> None:
    """A faction's part of the turn."""
    s.actions_left = p.actions_per_turn
    s.attacked = 0
    s.worked = 0
    s.pc = Station.ACTION
    begin_step(s, Moment.SEAT_START, 1 << actor(s, p))


@kernel
def end_action(s: Any, p: Any) -> None:
    """An action is done: the goal, the next action, the next faction, the next turn, the end (section 4)."""
    if p.cp_goal:
        for f in range(p.factions):
            if control_points(s, f) >= p.cp_goal:
                finish(s)
                return
    s.actions_left -= 1
    if s.actions_left > 0:
        s.pc = Station.ACTION
        return
    seat = actor(s, p)
    if p.project_interrupt == Interrupt.LOST and s.project[seat] and not s.worked:  # A22
        emit(s, Event.LOST, seat, 0, 0, 0)
        drop_project(s, seat)
    if s.place + 1 < p.factions:
        s.place += 1
        s.pc = Station.SEAT
    elif s.turn >= p.turns:
        finish(s)
    else:
        s.pc = Station.TURN


@kernel
def finish(s: Any) -> None:
    """The game is over."""
    s.status = ENDED
    s.actions_left = 0
    emit(s, Event.END, -1, 0, 0, 0)


# --- actions of the campaign ------------------------------------------------------------------------------------------


@kernel
def drop_project(s: Any, seat: int) -> None:
    """Nothing is under work any more."""
    s.project[seat] = 0
    s.project_nature[seat] = 0
    s.project_size[seat] = 0
    s.project_left[seat] = 0


@kernel
def work(s: Any, p: Any, seat: int) -> None:
    """One turn of work (R31); a project that is completed without room is lost (R33)."""
    s.worked = 1
    s.project_left[seat] -= 1
    kind, nature, size = s.project[seat], s.project_nature[seat], s.project_size[seat]
    if s.project_left[seat] > 0:
        emit(s, Event.PROJECT, seat, kind, s.project_left[seat], nature)
        return
    drop_project(s, seat)
    if kind == P_RESOURCE:
        slot = free_resource(s, seat)
        if slot >= 0:
            put_resource(s, seat, slot, size)
    else:
        slot = free_unit(s, seat, True)
        if slot >= 0:
            put_unit(s, seat, slot, nature, 1 + size + p.support_bonus)
    if slot < 0:
        emit(s, Event.LOST, seat, 0, 0, 0)
    else:
        emit(s, Event.PROJECT, seat, kind, 0, nature)


@kernel
def act(s: Any, p: Any, seat: int, action: int) -> None:
    """R29: one action."""
    s.pc = Station.ACTED
    if action == Action.ATTACK:
        s.attacked = 1
        begin_confrontation(s, p, seat)
        return
    emit(s, Event.ACTION, seat, action, 0, 0)
    if action == Action.GATHER:
        gain_by(s, p, seat, hooks.gathered(s, p, seat, p.gather_amount), Why.ACTION)
    elif action == Action.CONTINUE:
        work(s, p, seat)
    elif Action.RECRUIT <= action < Action.START_RESOURCE:
        lose_by(s, p, seat, hooks.recruit_price(s, p, seat, p.recruit_cost), Why.ACTION)
        put_unit(s, seat, free_unit(s, seat, False), action - Action.RECRUIT, 1)
    elif Action.START_RESOURCE <= action < Action.START_SUPPORT:
        s.project[seat] = P_RESOURCE
        s.project_size[seat] = action - Action.START_RESOURCE + 1
        s.project_left[seat] = action - Action.START_RESOURCE + 1
        work(s, p, seat)
    elif Action.START_SUPPORT <= action < Action.ATTACK:
        s.project[seat] = P_SUPPORT
        s.project_nature[seat] = (action - Action.START_SUPPORT) // 3
        s.project_size[seat] = (action - Action.START_SUPPORT) % 3 + 1
        s.project_left[seat] = 2 + s.project_size[seat]  # R23
        work(s, p, seat)
    elif action != Action.PASS:
        hooks.choose(s, p, seat, Phase.ACTION, action)


@kernel
def end_confrontation(s: Any, p: Any) -> None:
    """The attack is used up; the campaign goes on, a clash is over."""
    if s.result == Result.DRAW or s.result == Result.EVADED:
        emit(s, Event.RESULT, -1, s.result, 0, 0)
    seats = 1 << s.attacker | 1 << s.defender
    s.active = 0
    if p.clash:
        finish(s)
    else:
        s.pc = Station.ACTED
        begin_step(s, Moment.CONFRONTATION_END, seats)


@kernel
def go_on(s: Any, p: Any) -> None:
    """What modules had asked for beside the stack is done."""
    run(s, p)


# --- decisions --------------------------------------------------------------------------------------------------------


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Take a legal action; bids and votes stay sealed until both sides have chosen."""
    s.n_events = 0
    s.decisions += 1
    if s.depth:
        note(s, action)
        f = s.depth - 1
        owner, phase = s.f_owner[f], s.f_phase[f]
        pop(s)
        hooks.answered(s, p, owner, phase, seat, action)
    elif s.phase == Phase.BID or s.phase == Phase.VOTE:
        s.sealed[0 if seat == s.attacker else 1] = action + 1
        if s.sealed[0] == 0 or s.sealed[1] == 0:
            return
        if s.phase == Phase.BID:
            reveal(s, p)
        else:
            count_votes(s)
    else:
        note(s, action)
        if s.phase == Phase.ACTION:
            act(s, p, seat, action)
        elif s.phase in DECLARING or s.phase in (Phase.EVADE, Phase.DEFEND):
            declare(s, p, seat, action)
        else:
            consequence(s, p, action)
    run(s, p)
    if s.status == 0 and s.decisions >= p.max_decisions:
        s.status = STOPPED
        s.phase = Phase.OVER
        s.ask_phase = Phase.OVER


# --- the end, and what is known ---------------------------------------------------------------------------------------


@kernel
def over(s: Any, p: Any) -> int:
    """0 running, 1 ended, 2 stopped by the limit of decisions."""
    return s.status


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Forget what a seat cannot know: the sealed choice of the others (nothing else is hidden)."""
    for side in range(2):
        if s.sealed[side] and seat_of(s, side) != seat:
            s.sealed[side] = 0
            s.decisions -= 1
    hooks.forget_fields(s, seat)
    s.n_events = 0
    for i in range(len(s.events)):  # which ones are left depends on who has chosen already
        s.events[i] = 0


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """The hash of all that a seat has seen and done."""
    own = 0
    for side in range(2):
        if s.sealed[side] and seat_of(s, side) == seat:
            own = s.sealed[side]
    return mix(mix(s.public, own), seat + 1)
