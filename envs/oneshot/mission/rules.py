"""The contract of missions: a party that cooperates against the generator (4.7)."""

from __future__ import annotations

from typing import Any

from ...core.abi import STOPPED, lowest_bit, popcount
from ...core.jit import kernel
from ...core.modules.asking import held
from ...core.rng import rand_below
from .. import hooks
from ..character.figures import place_figure
from ..choices import Utility
from ..dicing import ask, check_fell, note, remember, throw
from ..parley.talk import recheck, talk_check_over
from ..skirmish.arms import check_over
from ..skirmish.effects import resolve_step
from ..skirmish.fight import fight_fell, fight_step
from ..skirmish.numbers import defence_now
from ..state import (
    ALIVE,
    FIGHT_DICE,
    HEROES,
    NOBODY,
    PARTY_FIGURES,
    TAPE,
    TOOL_SLOTS,
    TRIPLES,
    Check,
    Condition,
    ConditionLevel,
    Die,
    Event,
    FightStage,
    Mode,
    Phase,
    Task,
)
from .battle import enter_step, fight_over
from .errand import arrived, explore
from .generator import generate_map, generate_mission, regrow
from .groups import roll_group
from .observe import write_mission
from .party import decide, decider, legal_options
from .rooms import event_fell, group_ready, meet, sneaked, talk_over, tested
from .unseen import forget_map, forget_stranger

# --- chance -----------------------------------------------------------------------------------------------------------


@kernel
def run_tape(s: Any, p: Any) -> None:
    """Run the generator on the dice so far; ask for another one, or go on."""
    run_generator(s, p)
    if s.starved:
        if s.tape_n >= TAPE:  # no dice can do that; stop instead of corrupting the state
            s.status_of_game = STOPPED
            return
        throw(s, Die.TAPE, -1, 6)
        return
    done = s.mode
    if done == Mode.GENERATE:
        for i in range(s.n_scenarios):
            remember(s, 2000 + s.scenarios[i])
        for i in range(s.n_cond):
            remember(s, 3000 + 4 * s.cond_kind[i] + s.cond_level[i])
            remember(s, 100 * s.cond_value[i, 0] + s.cond_value[i, 1])
    elif done == Mode.GROUP:
        for i in range(s.n_units):
            remember(s, 4000 + 8 * s.unit_points[i] + s.unit_type[i])
    for k in range(s.tape_n):
        s.tape[k] = 0
    s.tape_n = 0
    s.tape_at = 0
    if done == Mode.GENERATE:
        s.visited[0] = 1
        s.n_visited = 1
        explore(s, p)
    elif done == Mode.GROUP:
        group_ready(s, p)
    elif s.dealt:
        throw(s, Die.REDEAL, 1, popcount(s.dealt))
    else:
        s.mode = s.held_kind
        s.node = s.held_faces


@kernel
def pump(s: Any, p: Any) -> None:
    """Go on until a die is due, somebody is asked, or the mission is over."""
    while s.status_of_game == 0 and s.die_faces == 0 and s.node == NOBODY:
        mode = s.mode
        if held(s) and mode != Mode.REDEAL:
            return
        if mode == Mode.FIGHT:
            if s.stage == FightStage.OVER:
                fight_over(s, p)
            elif s.stage == FightStage.ENTER:
                enter_step(s, p)
            else:
                fight_step(s, p)
        elif mode in (Mode.GENERATE, Mode.GROUP, Mode.REDEAL):
            run_tape(s, p)
        elif mode == Mode.TRAP:
            trap_step(s, p)
        elif s.ck_kind and s.ck_done:
            kind = s.ck_kind
            if kind == Check.SNEAK:
                s.ck_kind = 0
                s.ck_done = 0
                sneaked(s, p)
            elif kind in (Check.TRAP, Check.PUZZLE):
                tested(s, p)
            else:
                talk_check_over(s, p)
        elif mode == Mode.TALK and s.result:
            talk_over(s, p)
        else:
            explore(s, p)


@kernel
def trap_step(s: Any, p: Any) -> None:
    """The damage of a trap, hero by hero, then its effects."""
    if s.ck_kind and s.ck_done:
        check_over(s, p)
    elif s.victims:
        b = lowest_bit(s.victims)
        s.victims &= s.victims - 1
        throw(s, Die.TRAP, b, 6)
    elif s.stage == FightStage.RESOLVE:
        resolve_step(s, p)
    elif s.pending and s.stage == FightStage.NONE:
        s.resolving = 0
        s.stage = FightStage.RESOLVE
    else:
        s.task = Task.NONE
        s.to_enter = 0
        s.deferred = 0
        s.stage = FightStage.NONE
        s.winner = -1
        arrived(s, p)


@kernel
def setup(s: Any, p: Any) -> None:
    """Heroes; then the mission is rolled."""
    s.node = NOBODY
    s.winner = -1
    s.tool = -1
    s.talk_winner = -1
    for i in range(PARTY_FIGURES):
        place_figure(s, p, i)
        s.auto[i] = 1 if i >= HEROES else 0
    for i in range(HEROES):
        for k in range(TOOL_SLOTS):
            s.tools[i, k] = p.f_tools[i, k]
    s.mode = Mode.GENERATE
    throw(s, Die.TAPE, -1, 6)


@kernel
def go_on(s: Any, p: Any) -> None:
    """What modules had asked for is done."""
    pump(s, p)


@kernel
def seat_for(s: Any, p: Any, who: int) -> int:
    """The seat of a hero; nobody decides for the others."""
    return who if who < p.party else -1


@kernel
def die(s: Any, p: Any) -> int:
    """Faces of the die that must fall."""
    return s.die_faces


@kernel
def run_generator(s: Any, p: Any) -> None:
    """The part of the generator that is due, from the start of the tape."""
    s.tape_at = 0
    s.starved = 0
    if s.mode == Mode.GENERATE:
        generate_mission(s, p, p.scenario)
        if not s.starved:
            generate_map(s, p)
    elif s.mode == Mode.GROUP:
        roll_group(s, p)
    else:
        regrow(s, p)


@kernel
def fill_tape(s: Any, p: Any, rng: Any) -> int:
    """Throw all dice that the generator needs, as `fall` would one by one; return how many."""
    first = s.tape_n
    before = rng[0]
    full = first
    while True:
        upto = min(TAPE, full + 48)
        while full < upto:
            s.tape[full] = rand_below(rng, 6) + 1
            full += 1
        s.tape_n = full
        run_generator(s, p)
        if not s.starved or full >= TAPE:
            break
    used = full if s.starved else s.tape_at
    rng[0] = before
    for _ in range(first, used):
        rand_below(rng, 6)
    for k in range(used, full):
        s.tape[k] = 0
    s.tape_n = used
    return used - first


@kernel
def roll(s: Any, p: Any, rng: Any) -> int:
    """Throw dice until somebody owes a decision; the generator gets many at once, with the same result."""
    thrown = 0
    while s.status_of_game == 0:
        if s.die_kind == Die.TAPE and s.die_faces:
            thrown += fill_tape(s, p, rng)
            s.n_events = 0
            s.die_kind = Die.NONE
            s.die_faces = 0
            pump(s, p)
            continue
        faces = die(s, p)
        if faces == 0:
            return thrown
        fall(s, p, rand_below(rng, faces))
        thrown += 1
    return thrown


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """Any die of a mission."""
    s.n_events = 0
    kind = s.die_kind
    if kind != Die.TAPE and kind != Die.TRIPLE and kind != Die.REDEAL:
        remember(s, outcome + 1000)
    if kind in (Die.CHECK, Die.CONFIRM):
        who = s.die_at
        if s.mode == Mode.TALK and who == 0:
            check_fell(s, p, s.t_saga[0], s.t_luck[0], outcome + 1)
        else:
            check_fell(s, p, s.saga[who], s.luck[who], outcome + 1)
        pump(s, p)
        return
    who = s.die_at
    if kind in FIGHT_DICE:
        fight_fell(s, p, outcome)
        pump(s, p)
        return
    s.die_kind = Die.NONE
    s.die_faces = 0
    if kind == Die.TAPE:
        s.tape[s.tape_n] = outcome + 1
        s.tape_n += 1
    elif kind == Die.EVENT:
        event_fell(s, p, p.events_of[outcome])
    elif kind == Die.TRIPLE:
        s.triple[1] = outcome
        throw(s, Die.RELATION, -1, 6)
    elif kind == Die.REDEAL:
        bits = s.dealt
        for _ in range(outcome):
            bits &= bits - 1
        s.triple[1] = lowest_bit(bits)
        s.dealt = 0
        for k in range(3):
            s.t_value[1, k] = TRIPLES[s.triple[1], k]
        s.mood_wounds[0] = s.mood_of[0, s.triple[1]]
        s.mode = s.held_kind
        s.node = s.held_faces
        if s.ck_kind:
            recheck(s, p)
        return
    elif kind == Die.RELATION:
        s.m_relation = -1 if outcome < 2 else (0 if outcome < 4 else 1)
        meet(s, p)
    elif kind == Die.TRAP:
        guard = defence_now(s, p, who)
        s.l_damage = outcome + 2
        s.l_defence = guard
        note(s, Event.DAMAGE, who, outcome + 2, guard)
        if outcome + 2 >= guard:
            s.target = who
            if s.saga[who] > 0:
                ask(s, Phase.REACT_WOUND, who)
            else:
                s.pend_wound[who] += 1
                s.pending += 1
    pump(s, p)


# --- decisions --------------------------------------------------------------------------------------------------------


@kernel
def to_act(s: Any, p: Any) -> int:
    """The seat of the hero that is asked."""
    return 0 if s.node == NOBODY or s.status_of_game else 1 << decider(s)


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Options of the node."""
    legal_options(s, p, words)


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Take a legal action and go on."""
    s.n_events = 0
    s.decisions += 1
    remember(s, action + 1)
    decide(s, p, action)
    pump(s, p)
    if s.decisions >= p.max_decisions and s.status_of_game == 0:
        s.status_of_game = STOPPED
        s.node = NOBODY
        s.die_faces = 0


@kernel
def over(s: Any, p: Any) -> int:
    """0 running, 1 ended, 2 stopped by the limit of decisions."""
    return s.status_of_game


@kernel
def fulfilled(s: Any, i: int) -> bool:
    """R155: a side condition was kept to the end."""
    if s.cond_failed[i]:
        return False
    if s.cond_kind[i] == Condition.COMBINED:
        return s.cond_scenario[i] >= 0 and s.met[s.cond_scenario[i]] == 1
    return True


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """1 for a success, or the mean of the saga points earned, whatever the result (R120, R155)."""
    worth = 0.0
    if s.status_of_game:
        if p.utility == Utility.SUCCESS:
            worth = float(s.success)
        else:
            points = 1
            for i in range(s.n_cond):
                if s.cond_level[i] == ConditionLevel.OPTIONAL and fulfilled(s, i):
                    points += 1
            alive = 0
            for i in range(p.party):
                if s.standing[i] in ALIVE:
                    alive += 1
            worth = points * alive / p.party
    for i in range(p.party):
        out[i] = hooks.payoff(s, p, i, worth) if s.status_of_game else worth


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """See `mission_pieces` in observe.py."""
    offset = write_mission(s, p, seat, out)
    return hooks.observe_modules(s, p, seat, out, offset)


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Rooms nobody has seen are rolled again from the open exits, and a stranger's values from what fits."""
    s.n_events = 0
    hooks.forget_fields(s, seat)
    if s.status_of_game or s.die_faces:
        return
    s.held_kind = s.mode
    s.held_faces = s.node
    s.dealt = 0
    if s.mode == Mode.TALK:
        forget_stranger(s, p)
    if forget_map(s):
        s.node = NOBODY
        s.mode = Mode.REDEAL
        run_tape(s, p)
    elif s.dealt:
        s.node = NOBODY
        throw(s, Die.REDEAL, 1, popcount(s.dealt))


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """All dice and decisions that the party has seen; the generator's dice are hidden and left out."""
    return s.public ^ ((seat + 1) * 0x9E3779B97F4A7C1)
