"""The contract of missions: a party that cooperates against the generator (4.7)."""

from __future__ import annotations

from typing import Any

from ..core.abi import lowest_bit, popcount
from ..core.jit import kernel
from ..core.rng import rand_below
from . import hooks
from .arms import check_over, weak_spot_chosen, wound_answered
from .dicing import allow, answer_reaction, ask, check_fell, legal_reaction, note, remember, throw
from .effects import resolve_step
from .errand import (
    approach,
    arrived,
    assign,
    best_tool,
    carrier,
    end_mission,
    enter_room,
    enter_step,
    event_fell,
    explore,
    fight_over,
    group_ready,
    roll_group,
    room_test,
    sneaked,
    talk_over,
    tested,
)
from .fight import act, fight_fell, fight_step
from .generator import generate_map, generate_mission, regrow
from .numbers import defence_now, malus
from .observe_mission import write_mission
from .sheets import place_figure
from .state import (
    ABORT,
    AMBUSH,
    ASSIGN,
    BYPASS,
    C_COMBINED,
    CK_SNEAK,
    CK_TALK,
    CK_TRAP,
    DEAD,
    DECLINE,
    DIE_CHECK,
    DIE_CONFIRM,
    DIE_DAMAGE,
    DIE_ENTER,
    DIE_EVENT,
    DIE_INITIATIVE,
    DIE_NONE,
    DIE_ORDER,
    DIE_REDEAL,
    DIE_RELATION,
    DIE_TAPE,
    DIE_TRAP,
    DIE_TRIPLE,
    E_HEAL,
    E_WAKE,
    EXITS,
    F_ENTER,
    F_NONE,
    F_OVER,
    F_RESOLVE,
    FIGHT,
    GO,
    HEAL,
    HEROES,
    I_HEAL,
    I_SALTS,
    K_INSIGHT,
    LUCK,
    M_FIGHT,
    M_GENERATE,
    M_GROUP,
    M_REDEAL,
    M_TALK,
    M_TRAP,
    N_APPROACH,
    N_ASSIGN,
    N_EXPLORE,
    N_TALK,
    N_TOOL,
    N_TURN,
    N_WEAK,
    N_WOUND,
    NO_TOOL,
    NOBODY,
    PACKED,
    PARTY_FIGURES,
    ROOMS,
    SAGA,
    SALTS,
    T_NONE,
    TALK,
    TAPE,
    TOOL_SLOTS,
    TRIPLES,
    UNCONSCIOUS,
    UP,
    USE_TOOL,
    WEAK_SPOT,
)
from .talk import begin_talk, consistent, legal_talk, recheck, talk_check_over, talk_move

# --- chance -----------------------------------------------------------------------------------------------------------


@kernel
def run_tape(s: Any, p: Any) -> None:
    """Run the generator on the dice so far; ask for another one, or go on."""
    run_generator(s, p)
    if s.starved:
        if s.tape_n >= TAPE:  # no dice can do that; stop instead of corrupting the state
            s.status_of_game = 2
            return
        throw(s, DIE_TAPE, -1, 6)
        return
    done = s.mode
    if done == M_GENERATE:
        for i in range(s.n_scenarios):
            remember(s, 2000 + s.scenarios[i])
        for i in range(s.n_cond):
            remember(s, 3000 + 4 * s.cond_kind[i] + s.cond_level[i])
            remember(s, 100 * s.cond_value[i, 0] + s.cond_value[i, 1])
    elif done == M_GROUP:
        for i in range(s.n_units):
            remember(s, 4000 + 8 * s.unit_points[i] + s.unit_type[i])
    for k in range(s.tape_n):
        s.tape[k] = 0
    s.tape_n = 0
    s.tape_at = 0
    if done == M_GENERATE:
        s.visited[0] = 1
        s.n_visited = 1
        explore(s, p)
    elif done == M_GROUP:
        group_ready(s, p)
    elif s.dealt:
        throw(s, DIE_REDEAL, 1, popcount(s.dealt))
    else:
        s.mode = s.held_kind
        s.node = s.held_faces


@kernel
def pump(s: Any, p: Any) -> None:
    """Go on until a die is due, somebody is asked, or the mission is over."""
    while s.status_of_game == 0 and s.die_faces == 0 and s.node == NOBODY:
        mode = s.mode
        if mode == M_FIGHT:
            if s.stage == F_OVER:
                fight_over(s, p)
            elif s.stage == F_ENTER:
                enter_step(s, p)
            else:
                fight_step(s, p)
        elif mode in (M_GENERATE, M_GROUP, M_REDEAL):
            run_tape(s, p)
        elif mode == M_TRAP:
            trap_step(s, p)
        elif s.ck_kind and s.ck_done:
            kind = s.ck_kind
            if kind == CK_SNEAK:
                s.ck_kind = 0
                s.ck_done = 0
                sneaked(s, p)
            elif kind >= CK_TRAP:
                tested(s, p)
            else:
                talk_check_over(s, p)
        elif mode == M_TALK and s.result:
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
        throw(s, DIE_TRAP, b, 6)
    elif s.stage == F_RESOLVE:
        resolve_step(s, p)
    elif s.pending and s.stage == F_NONE:
        s.resolving = 0
        s.stage = F_RESOLVE
    else:
        s.task = T_NONE
        s.to_enter = 0
        s.deferred = 0
        s.stage = F_NONE
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
    s.mode = M_GENERATE
    throw(s, DIE_TAPE, -1, 6)


@kernel
def die(s: Any, p: Any) -> int:
    """Faces of the die that must fall."""
    return s.die_faces


@kernel
def run_generator(s: Any, p: Any) -> None:
    """The part of the generator that is due, from the start of the tape."""
    s.tape_at = 0
    s.starved = 0
    if s.mode == M_GENERATE:
        generate_mission(s, p, p.scenario)
        if not s.starved:
            generate_map(s, p)
    elif s.mode == M_GROUP:
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
        if s.die_kind == DIE_TAPE and s.die_faces:
            thrown += fill_tape(s, p, rng)
            s.n_events = 0
            s.die_kind = DIE_NONE
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
    if kind != DIE_TAPE and kind != DIE_TRIPLE and kind != DIE_REDEAL:
        remember(s, outcome + 1000)
    if kind in (DIE_CHECK, DIE_CONFIRM):
        who = s.die_at
        if s.mode == M_TALK and who == 0:
            check_fell(s, p, s.t_saga[0], s.t_luck[0], outcome + 1)
        else:
            check_fell(s, p, s.saga[who], s.luck[who], outcome + 1)
        pump(s, p)
        return
    who = s.die_at
    if kind in (DIE_INITIATIVE, DIE_ORDER) or DIE_DAMAGE <= kind <= DIE_ENTER:
        fight_fell(s, p, outcome)
        pump(s, p)
        return
    s.die_kind = DIE_NONE
    s.die_faces = 0
    if kind == DIE_TAPE:
        s.tape[s.tape_n] = outcome + 1
        s.tape_n += 1
    elif kind == DIE_EVENT:
        event_fell(s, p, p.events_of[outcome])
    elif kind == DIE_TRIPLE:
        s.triple[1] = outcome
        throw(s, DIE_RELATION, -1, 6)
    elif kind == DIE_REDEAL:
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
    elif kind == DIE_RELATION:
        s.m_relation = -1 if outcome < 2 else (0 if outcome < 4 else 1)
        meet(s, p)
    elif kind == DIE_TRAP:
        guard = defence_now(s, p, who)
        s.l_damage = outcome + 2
        s.l_defence = guard
        if outcome + 2 >= guard:
            s.target = who
            if s.saga[who] > 0:
                ask(s, N_WOUND, who)
            else:
                s.pend_wound[who] += 1
                s.pending += 1
    pump(s, p)


@kernel
def meet(s: Any, p: Any) -> None:
    """A talk in a room begins: the hero and a stranger."""
    i = s.hero
    for k in range(3):
        s.t_value[0, k] = s.value[i, k]
        s.t_social[0, k] = s.social[i, k]
        s.t_value[1, k] = TRIPLES[s.triple[1], k]
        s.t_social[1, k] = 0
    s.t_insight[0] = s.rank[i, K_INSIGHT]
    s.t_perks[0] = s.perks[i]
    s.t_malus[0] = malus(s, i)
    s.t_wounds[0] = s.wounds[i]
    s.t_wounds[1] = 0
    s.t_limit_mod[0] = s.limit[i] - 2 - s.value[i, 0]
    s.t_saga[0] = s.saga[i]
    s.t_luck[0] = s.luck[i]
    s.mode = M_TALK
    begin_talk(s, p, 1, 0)
    s.mood_relation[0] = s.m_relation


# --- decisions --------------------------------------------------------------------------------------------------------


@kernel
def decider(s: Any) -> int:
    """The seat that decides: a talker is the hero who talks."""
    if s.mode == M_TALK and s.asked == 0 and (s.node == N_TALK or s.node < N_TALK):
        return s.hero
    return s.asked


@kernel
def to_act(s: Any, p: Any) -> int:
    """The seat of the hero that is asked."""
    return 0 if s.node == NOBODY or s.status_of_game else 1 << decider(s)


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Options of the node."""
    node = s.node
    if node == N_TURN:
        for w in range(len(words)):
            words[w] = s.allowed[w]
    elif node == N_WOUND:
        allow(words, DECLINE)
        allow(words, SAGA)
    elif node == N_WEAK:
        allow(words, DECLINE)
        allow(words, WEAK_SPOT)
    elif node == N_EXPLORE:
        for way in range(4):
            if s.room_links[s.room, way] >= 0:
                allow(words, GO + way)
        allow(words, ABORT)
        heal, salts = carrier(s, I_HEAL) >= 0, carrier(s, I_SALTS) >= 0
        for i in range(HEROES):
            if s.standing[i] < DEAD:
                if heal and s.wounds[i] > 0:
                    allow(words, HEAL + i)
                if salts and s.standing[i] == UNCONSCIOUS:
                    allow(words, SALTS + i)
    elif node == N_APPROACH:
        allow(words, FIGHT)
        allow(words, AMBUSH)
        allow(words, BYPASS)
    elif node == N_ASSIGN:
        for i in range(HEROES):
            if s.standing[i] == UP:
                allow(words, ASSIGN + i)
    elif node == N_TOOL:
        allow(words, USE_TOOL)
        allow(words, NO_TOOL)
    elif node == N_TALK:
        legal_talk(s, p, words)
    else:
        legal_reaction(s, words)


@kernel
def on_the_map(s: Any, p: Any, action: int) -> None:
    """Node `explore`: walk, use an item, give up."""
    s.node = NOBODY
    if action == ABORT:
        end_mission(s, 0)
    elif action >= GO:
        enter_room(s, p, s.room_links[s.room, action - GO])
    elif action >= SALTS:
        i = action - SALTS
        s.items[carrier(s, I_SALTS), I_SALTS] -= 1
        s.wounds[i] = min(s.wounds[i], s.limit[i])
        s.standing[i] = UP
        note(s, E_WAKE, s.asked, i, 0)
        explore(s, p)
    else:
        i = action - HEAL
        s.items[carrier(s, I_HEAL), I_HEAL] -= 1
        s.wounds[i] = max(0, s.wounds[i] - p.heal_amount)
        if s.standing[i] == UNCONSCIOUS and s.wounds[i] <= s.limit[i]:
            s.standing[i] = UP
        note(s, E_HEAL, s.asked, i, 0)
        explore(s, p)


@kernel
def react(s: Any, p: Any, action: int) -> None:
    """`react_fail` and `react_six`, in talks and elsewhere."""
    who = s.ck_who
    if s.mode == M_TALK and s.ck_kind >= CK_TALK and s.ck_kind < CK_SNEAK:
        if action == SAGA:
            s.t_saga[0] -= 1
            s.ck_paid = 1
        elif action == LUCK:
            s.t_luck[0] -= 1
            s.ck_paid = 2
        answer_reaction(s, p, action, s.t_saga[0], s.t_luck[0])
        return
    if action == SAGA:
        s.saga[who] -= 1
    elif action == LUCK:
        s.luck[who] -= 1
    answer_reaction(s, p, action, s.saga[who], s.luck[who])


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Take a legal action and go on."""
    s.n_events = 0
    s.decisions += 1
    remember(s, action + 1)
    node = s.node
    if node == N_TURN:
        act(s, p, action)
    elif node == N_WOUND:
        wound_answered(s, p, action)
    elif node == N_WEAK:
        weak_spot_chosen(s, p, action)
    elif node == N_EXPLORE:
        on_the_map(s, p, action)
    elif node == N_APPROACH:
        approach(s, p, action)
    elif node == N_ASSIGN:
        assign(s, p, action - ASSIGN)
    elif node == N_TOOL:
        s.node = NOBODY
        if action == USE_TOOL:
            s.tool = best_tool(s, p, s.hero)
        room_test(s, p)
    elif node == N_TALK:
        talk_move(s, p, action - TALK)
    else:
        react(s, p, action)
    pump(s, p)
    if s.decisions >= p.max_decisions and s.status_of_game == 0:
        s.status_of_game = 2
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
    if s.cond_kind[i] == C_COMBINED:
        return s.cond_scenario[i] >= 0 and s.met[s.cond_scenario[i]] == 1
    return True


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """1 for a success, or the mean of the saga points earned (R120, R155)."""
    worth = 0.0
    if s.status_of_game:
        if p.utility == 2:
            worth = float(s.success)
        else:
            points = 1
            for i in range(s.n_cond):
                if s.success and s.cond_level[i] == 0 and fulfilled(s, i):
                    points += 1
            alive = 0
            for i in range(p.party):
                if s.standing[i] < DEAD:
                    alive += 1
            worth = points * alive / p.party
    for i in range(p.party):
        out[i] = worth


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
    if s.mode == M_TALK:
        forget_stranger(s, p)
    if forget_map(s):
        s.node = NOBODY
        s.mode = M_REDEAL
        run_tape(s, p)
    elif s.dealt:
        s.node = NOBODY
        throw(s, DIE_REDEAL, 1, popcount(s.dealt))


@kernel
def forget_stranger(s: Any, p: Any) -> None:
    """The counterpart of a talk: any triple that fits what was seen."""
    s.dealt = s.possible[0]
    if s.ck_kind:
        for k in range(len(TRIPLES)):
            if s.dealt >> k & 1 and not consistent(s, p, k):
                s.dealt &= ~(1 << k)
    s.ck_mod = s.ck_mood = s.ck_need = s.ck_total = s.ck_plain = s.ck_crit = 0
    s.triple[1] = -1
    s.mood_wounds[0] = 0
    for k in range(3):
        s.t_value[1, k] = 0


@kernel
def forget_map(s: Any) -> bool:
    """Number the rooms by their visits, and open every exit whose other end is unknown; false if nothing is hidden."""
    n = s.n_visited
    if n == s.n_rooms:
        return False
    for new in range(n):
        for old in range(new, s.n_rooms):
            if s.visited[old] == new + 1:
                if old != new:
                    swap_rooms(s, old, new)
                break
    s.known_rooms = n
    for i in range(n, ROOMS):
        s.room_type[i] = s.room_x[i] = s.room_y[i] = 0
        s.visited[i] = s.cleared[i] = s.room_event[i] = s.group_n[i] = 0
        for k in range(PACKED):
            s.group_units[i, k] = 0
        for way in range(4):
            s.room_links[i, way] = -1
    for i in range(n):
        for way in range(4):
            if s.room_links[i, way] >= n:
                s.room_links[i, way] = -2
    s.n_rooms = n
    for k in range(EXITS):
        s.queue_room[k] = s.queue_way[k] = 0
    s.queue_n = s.queue_at = 0
    return True


@kernel
def swap_rooms(s: Any, a: int, b: int) -> None:
    """Exchange the numbers of two rooms, links to them included."""
    s.room_type[a], s.room_type[b] = s.room_type[b], s.room_type[a]
    s.room_x[a], s.room_x[b] = s.room_x[b], s.room_x[a]
    s.room_y[a], s.room_y[b] = s.room_y[b], s.room_y[a]
    s.visited[a], s.visited[b] = s.visited[b], s.visited[a]
    s.cleared[a], s.cleared[b] = s.cleared[b], s.cleared[a]
    s.room_event[a], s.room_event[b] = s.room_event[b], s.room_event[a]
    s.group_n[a], s.group_n[b] = s.group_n[b], s.group_n[a]
    for k in range(PACKED):
        s.group_units[a, k], s.group_units[b, k] = s.group_units[b, k], s.group_units[a, k]
    for way in range(4):
        s.room_links[a, way], s.room_links[b, way] = s.room_links[b, way], s.room_links[a, way]
    for i in range(s.n_rooms):
        for way in range(4):
            if s.room_links[i, way] == a:
                s.room_links[i, way] = b
            elif s.room_links[i, way] == b:
                s.room_links[i, way] = a
    if s.room == a:
        s.room = b
    elif s.room == b:
        s.room = a


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """All dice and decisions that the party has seen; the generator's dice are hidden and left out."""
    return s.public ^ ((seat + 1) * 0x9E3779B97F4A7C1)
