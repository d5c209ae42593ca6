"""What happens on a mission: rooms, groups, fights, traps, puzzles, talks, conditions, the end (4.7)."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from .clock import begin_fight
from .dicing import ask, begin_check, note, remember, skill_value, throw
from .generator import generate_group, half, has_scenario
from .ground import fits
from .numbers import malus, team_up
from .sheets import load_sheet
from .state import (
    ABSENT,
    AGILITY,
    AMBUSH,
    C_CIVILIANS,
    C_COMBINED,
    C_TIME,
    C_UNSEEN,
    CK_PUZZLE,
    CK_SNEAK,
    CK_TRAP,
    DEAD,
    DIE_ENTER,
    DIE_EVENT,
    DIE_TRIPLE,
    E_ALARM,
    E_CHECK,
    E_CONDITION,
    E_ENTER,
    E_EVENT,
    E_MISSION,
    E_ROOM,
    EV_CONFRONTATION,
    EV_TALK,
    EV_TARGET,
    EV_TRAP,
    F_NONE,
    F_PICK,
    FIGHT,
    FOR_ROOM,
    FOR_TARGET,
    FOR_WAVES,
    HEROES,
    I_HEAL,
    K_ARCHITECTURE,
    K_MECHANICS,
    K_SNEAKING,
    M_EXPLORE,
    M_FIGHT,
    M_GROUP,
    M_TRAP,
    MAX_POINTS,
    N_APPROACH,
    N_ASSIGN,
    N_EXPLORE,
    N_TOOL,
    OBJECT,
    PACKED,
    R_EVENT,
    R_TARGET,
    S_CLEANSE,
    S_DESTROY,
    S_PROTECT,
    S_RETRIEVE,
    S_TRAVERSE,
    T_FLASK,
    TOOL_SLOTS,
    UNCONSCIOUS,
    UP,
    X_BROKEN,
    X_SUCCESS,
)

# --- the party --------------------------------------------------------------------------------------------------------


@kernel
def leader(s: Any) -> int:
    """The first seat whose hero is up, -1 none."""
    for i in range(HEROES):
        if s.standing[i] == UP:
            return i
    return -1


@kernel
def explore(s: Any, p: Any) -> None:
    """Back on the map: the leader decides, unless the mission is over."""
    s.mode = M_EXPLORE
    s.stage = F_NONE
    if s.status_of_game:
        return
    who = leader(s)
    if who < 0:
        end_mission(s, 0)
        return
    ask(s, N_EXPLORE, who)


@kernel
def end_mission(s: Any, success: int) -> None:
    """The mission is over."""
    s.success = success
    s.status_of_game = 1
    s.node = -1
    s.die_faces = 0
    note(s, E_MISSION, -1, success, 0)


@kernel
def carrier(s: Any, item: int) -> int:
    """The lowest seat that is up and carries an item, -1 none."""
    for i in range(HEROES):
        if s.standing[i] == UP and s.items[i, item] > 0:
            return i
    return -1


# --- conditions and scenarios -----------------------------------------------------------------------------------------


@kernel
def fail_condition(s: Any, p: Any, kind: int) -> None:
    """R155: a side condition has failed."""
    for i in range(s.n_cond):
        if s.cond_kind[i] == kind and not s.cond_failed[i]:
            s.cond_failed[i] = 1
            note(s, E_CONDITION, -1, kind, s.cond_level[i])
            if s.cond_level[i] == 2:
                end_mission(s, 0)
            elif s.cond_level[i] == 1:
                if p.critical_effect == 0:
                    for h in range(HEROES):
                        s.burden[h] += s.penalty
                elif p.critical_effect == 1:
                    s.more += s.penalty
                else:
                    s.stronger += s.penalty


@kernel
def raise_alarm(s: Any, p: Any) -> None:
    """4.7.5."""
    if not s.alarm:
        s.alarm = 1
        note(s, E_ALARM, -1, 0, 0)
    fail_condition(s, p, C_UNSEEN)


@kernel
def spend_minutes(s: Any, p: Any, minutes: int) -> None:
    """Time passes; a time limit in minutes may be broken."""
    s.minutes += minutes
    if s.defensive:
        return
    for i in range(s.n_cond):
        if s.cond_kind[i] == C_TIME and s.minutes > s.cond_value[i, 0]:
            fail_condition(s, p, C_TIME)


@kernel
def check_scenarios(s: Any, p: Any) -> None:
    """Cleansing and carrying home; the end of the mission (4.7.6, 4.7.8)."""
    if s.status_of_game:
        return
    if has_scenario(s, S_CLEANSE) and not s.met[S_CLEANSE]:
        done = True
        for i in range(s.n_rooms):
            if (s.room_type[i] == R_EVENT or s.room_type[i] == R_TARGET) and not s.cleared[i]:
                done = False
        if done:
            s.met[S_CLEANSE] = 1
    if s.carrying and s.room == 0:
        s.met[S_RETRIEVE] = 1
    if not s.met[s.scenarios[0]]:
        return
    for i in range(s.n_cond):
        if s.cond_kind[i] == C_COMBINED and s.cond_level[i] == 2 and s.cond_scenario[i] >= 0:
            if not s.met[s.cond_scenario[i]]:
                return
    end_mission(s, 1)


# --- rooms ------------------------------------------------------------------------------------------------------------


@kernel
def enter_room(s: Any, p: Any, room: int) -> None:
    """4.7.2, 4.7.3: walk into a room."""
    s.room = room
    s.entered += 1
    note(s, E_ROOM, -1, s.room_type[room], room)
    spend_minutes(s, p, p.minutes_per_room)
    if s.status_of_game:
        return
    first = s.visited[room] == 0
    if first:
        shown = s.room_type[room]
        for way in range(4):
            shown = 2 * shown + (1 if s.room_links[room, way] >= 0 else 0)
        remember(s, 5000 + shown)
        s.n_visited += 1
        s.visited[room] = s.n_visited
    kind = s.room_type[room]
    if kind == R_EVENT and first:
        throw(s, DIE_EVENT, -1, 6)
        return
    if kind == R_EVENT and not s.cleared[room] and s.room_event[room] == EV_CONFRONTATION:
        unpack_group(s, room)
        s.purpose = FOR_ROOM
        ask(s, N_APPROACH, leader(s))
        return
    if kind == R_TARGET and not s.cleared[room]:
        s.room_event[room] = EV_TARGET
        target_area(s, p)
        return
    arrived(s, p)


@kernel
def arrived(s: Any, p: Any) -> None:
    """Nothing more happens in this room."""
    if s.status_of_game == 0 and leader(s) < 0:
        end_mission(s, 0)
    check_scenarios(s, p)
    if s.status_of_game == 0 and s.entered >= p.max_rooms:
        end_mission(s, 0)
    explore(s, p)


@kernel
def target_area(s: Any, p: Any) -> None:
    """4.7.6: the group of the target area; `protect` alone begins with its waves."""
    if s.n_scenarios == 1 and s.scenarios[0] == S_PROTECT:
        begin_waves(s, p)
    else:
        s.purpose = FOR_TARGET
        begin_group_dice(s)


@kernel
def event_fell(s: Any, p: Any, event: int) -> None:
    """R168: what is in the room."""
    s.room_event[s.room] = event
    note(s, E_EVENT, -1, event, s.room)
    if event == EV_CONFRONTATION:
        s.purpose = FOR_ROOM
        begin_group_dice(s)
    else:
        ask(s, N_ASSIGN, leader(s))


@kernel
def begin_group_dice(s: Any) -> None:
    """R170: the group of this room is rolled."""
    s.mode = M_GROUP
    s.tape_n = 0


@kernel
def roll_group(s: Any, p: Any) -> None:
    """R170, R171, R155: with the tier and the boss of the purpose."""
    tier = p.tier_event
    boss = 0
    if s.purpose == FOR_TARGET:
        tier = p.tier_target
        boss = 1 if has_scenario(s, S_DESTROY) else 0
        if s.n_scenarios == 1 and s.scenarios[0] == S_TRAVERSE:
            tier = 0
    elif s.purpose == FOR_WAVES:
        tier = 0
    s.tape_at = 0
    s.starved = 0
    generate_group(s, p, tier, boss, s.more, s.stronger)


@kernel
def pack_group(s: Any, room: int) -> None:
    """Remember the group of a room."""
    s.group_n[room] = s.n_units
    for k in range(PACKED):
        s.group_units[room, k] = 0
    for i in range(s.n_units):
        points = min(MAX_POINTS, s.unit_points[i])
        s.group_units[room, i % PACKED] |= (points * 6 + s.unit_type[i]) << 8 * (i // PACKED)


@kernel
def unpack_group(s: Any, room: int) -> None:
    """The group that waits in a room."""
    s.n_units = s.group_n[room]
    for i in range(s.n_units):
        code = s.group_units[room, i % PACKED] >> 8 * (i // PACKED) & 255
        s.unit_points[i] = code // 6
        s.unit_type[i] = code % 6


@kernel
def group_ready(s: Any, p: Any) -> None:
    """The group has been rolled."""
    s.mode = M_EXPLORE
    if s.purpose == FOR_WAVES:
        s.unit_at = 0
        s.waves_left -= 1
        s.mode = M_FIGHT
        if s.stage == F_NONE:
            start_fight(s, p, 0, 0)
        return
    if s.purpose == FOR_ROOM:
        pack_group(s, s.room)
        ask(s, N_APPROACH, leader(s))
    elif s.n_scenarios == 1 and s.scenarios[0] == S_TRAVERSE:
        ask(s, N_APPROACH, leader(s))
    else:
        s.unit_at = 0
        start_fight(s, p, 0, 0)


@kernel
def sneaker(s: Any, p: Any) -> int:
    """The hero that is up with the lowest modifier for sneaking."""
    best = -1
    for i in range(HEROES):
        if s.standing[i] == UP and (best < 0 or sneak_modifier(s, p, i) < sneak_modifier(s, p, best)):
            best = i
    return best


@kernel
def sneak_modifier(s: Any, p: Any, i: int) -> int:
    """R21, R22, R106: agility and sneaking, armour once."""
    skill = skill_value(p, s.rank[i, K_SNEAKING], s.value[i, 1])
    return s.physical[i, AGILITY] + skill + p.sneak_difficulty - s.armour_malus[i] - malus(s, i)


@kernel
def approach(s: Any, p: Any, action: int) -> None:
    """FIGHT, AMBUSH or BYPASS."""
    s.node = -1
    s.unit_at = 0
    if action == FIGHT:
        start_fight(s, p, 0, 0)
        return
    s.plan = action
    i = sneaker(s, p)
    begin_check(s, CK_SNEAK, i, sneak_modifier(s, p, i), 4, 1, 0, 0)


@kernel
def sneaked(s: Any, p: Any) -> None:
    """The sneaking test is done."""
    note(s, E_CHECK, s.ck_who, s.ck_win, s.ck_total)
    if s.ck_win:
        if s.plan == AMBUSH:
            s.quiet = 1
            start_fight(s, p, p.ambush_modifier, 0)
        else:
            if s.purpose == FOR_TARGET:
                s.cleared[s.room] = 1
                s.met[S_TRAVERSE] = 1
            arrived(s, p)
        return
    raise_alarm(s, p)
    if s.status_of_game == 0:
        start_fight(s, p, 0, p.ambush_modifier)


# --- tests in rooms ---------------------------------------------------------------------------------------------------


@kernel
def has_tool(s: Any, i: int) -> bool:
    """The hero carries a usable tool."""
    for k in range(TOOL_SLOTS):
        if s.tools[i, k] != 0:
            return True
    return False


@kernel
def best_tool(s: Any, p: Any, i: int) -> int:
    """Automatic first, then the best bonus."""
    best = -1
    for k in range(TOOL_SLOTS):
        if s.tools[i, k] != 0:
            if best < 0 or (p.tool_kind[k] == 2) > (p.tool_kind[best] == 2):
                best = k
            elif (p.tool_kind[k] == 2) == (p.tool_kind[best] == 2) and p.tool_bonus[k] > p.tool_bonus[best]:
                best = k
    return best


@kernel
def assign(s: Any, p: Any, i: int) -> None:
    """The leader has chosen who does it."""
    s.node = -1
    s.hero = i
    s.tool = -1
    if s.room_event[s.room] == EV_TALK:
        throw(s, DIE_TRIPLE, -1, 12)
    elif has_tool(s, i):
        ask(s, N_TOOL, leader(s))
    else:
        room_test(s, p)


@kernel
def room_test(s: Any, p: Any) -> None:
    """The test of a trap or a puzzle; an automatic tool needs none."""
    s.node = -1
    i = s.hero
    event = s.room_event[s.room]
    kind = CK_TRAP if event == EV_TRAP else CK_PUZZLE
    mod = -half(p, p.sg) - malus(s, i)
    if kind == CK_TRAP:
        mod += s.physical[i, AGILITY] - s.armour_malus[i] + skill_value(p, s.rank[i, K_MECHANICS], s.value[i, 1])
    else:
        mod += skill_value(p, s.rank[i, K_ARCHITECTURE], s.value[i, 1])
    stake = 1 if kind == CK_TRAP else 0
    if s.tool >= 0:
        stake = 1
        if s.tools[i, s.tool] > 0:
            s.tools[i, s.tool] -= 1
        if p.tool_kind[s.tool] == 2:
            s.ck_who = i
            s.ck_kind = kind
            s.ck_natural = s.ck_confirm = s.ck_auto = s.ck_crit = 0
            s.ck_win = 1
            s.ck_done = 1
            s.ck_total = 0
            return
        mod += p.tool_bonus[s.tool]
    begin_check(s, kind, i, mod, 4, 1, stake, 0)


@kernel
def tested(s: Any, p: Any) -> None:
    """A trap or a puzzle has been tried."""
    i = s.ck_who
    kind = s.ck_kind
    s.ck_kind = 0
    s.ck_done = 0
    note(s, E_CHECK, i, s.ck_win, s.ck_total)
    disaster = s.ck_win == 0 and s.ck_crit == 1
    if s.tool >= 0 and disaster:
        s.tools[i, s.tool] = 0
    s.cleared[s.room] = 1
    if kind == CK_PUZZLE:
        if s.ck_win:
            s.items[i, I_HEAL] += 1
        else:
            spend_minutes(s, p, 3)
        arrived(s, p)
        return
    if s.ck_win:
        arrived(s, p)
        return
    s.victims = 1 << i
    if disaster:
        s.victims = 0
        for h in range(HEROES):
            if s.standing[h] < DEAD:
                s.victims |= 1 << h
    s.mode = M_TRAP
    s.to_enter = 1  # it is no fight that somebody could win
    s.task = T_FLASK
    s.deferred = 1
    s.stage = F_NONE
    s.surprise = 0


@kernel
def close_talk(s: Any) -> None:
    """Nobody will ever know what the stranger was like."""
    s.talking = 0
    s.result = 0
    s.triple[1] = -1
    s.talk_winner = -1
    s.ck_mod = s.ck_need = s.ck_total = s.ck_plain = s.ck_crit = s.ck_win = s.ck_mood = 0
    for i in range(2):
        s.possible[i] = 0
        s.mood_relation[i] = s.mood_wounds[i] = 0
        for k in range(12):
            s.mood_of[i, k] = 0
    for k in range(3):
        s.t_value[1, k] = 0


@kernel
def talk_over(s: Any, p: Any) -> None:
    """A talk in a room has ended."""
    i = s.hero
    s.saga[i] = s.t_saga[0]
    s.luck[i] = s.t_luck[0]
    result = s.result
    close_talk(s)
    s.cleared[s.room] = 1
    if result == X_SUCCESS:
        s.items[i, I_HEAL] += 1
    if result == X_BROKEN:
        s.cleared[s.room] = 0
        s.room_event[s.room] = EV_CONFRONTATION
        s.purpose = FOR_ROOM
        begin_group_dice(s)
        return
    arrived(s, p)


# --- fights -----------------------------------------------------------------------------------------------------------


@kernel
def begin_waves(s: Any, p: Any) -> None:
    """4.7.6: `protect`: the object stands between, the first wave comes."""
    s.purpose = FOR_WAVES
    s.waves_left = p.sg + 1
    s.stage = F_NONE
    begin_group_dice(s)


@kernel
def place_enemy(s: Any, p: Any, i: int) -> None:
    """The next unit of the group becomes figure i."""
    k = s.unit_at
    s.unit_at += 1
    points = min(MAX_POINTS, s.unit_points[k])
    load_sheet(s, p, i, s.unit_type[k] * (MAX_POINTS + 1) + points)
    s.team[i] = 1
    s.span[i] = 2
    s.auto[i] = 1
    s.wounds[i] = 0
    s.standing[i] = UP
    s.saga[i] = 0
    s.luck[i] = 0
    s.init_mod[i] = 0
    s.target_mod[i] = 0
    s.burden[i] = 0
    s.moved[i] = 0
    s.acted[i] = 0
    s.c_init[i] = 0
    s.late[i] = 0
    note(s, E_ENTER, i, s.unit_type[k], points)


@kernel
def free_place(s: Any, p: Any, i: int) -> int:
    """The first free default position of the enemies for figure i, as its y; -1 none."""
    for k in range(p.wave_size):
        y = (p.grid_height - 2) * (k + 1) // (p.wave_size + 1)
        if fits(s, p, i, p.grid_width - 2, y):
            return y
    return -1


@kernel
def next_slot(s: Any) -> int:
    """A place among the enemies for a new figure: unused or dead first, else one that lies there unconscious."""
    for i in range(HEROES, 2 * HEROES):
        if s.standing[i] >= DEAD:
            return i
    for i in range(HEROES, 2 * HEROES):
        if s.standing[i] == UNCONSCIOUS:
            return i
    return -1


@kernel
def bring(s: Any, p: Any) -> int:
    """Let one more enemy in if there is room for it; its figure, or -1."""
    if s.unit_at >= s.n_units or team_up(s, 1) >= p.wave_size:
        return -1
    i = next_slot(s)
    if i < 0:
        return -1
    was = s.standing[i]
    s.standing[i] = ABSENT
    s.span[i] = 2
    y = free_place(s, p, i)
    if y < 0:
        s.standing[i] = was
        return -1
    place_enemy(s, p, i)
    s.x[i] = p.grid_width - 2
    s.y[i] = y
    return i


@kernel
def count_to_enter(s: Any) -> None:
    """Enemies still to come: of this wave, and one for every further wave."""
    s.to_enter = s.n_units - s.unit_at
    if s.purpose == FOR_WAVES:
        s.to_enter += s.waves_left


@kernel
def start_fight(s: Any, p: Any, ours: int, theirs: int) -> None:
    """4.7.4: everybody takes his place; initiative modifiers of both sides."""
    s.mode = M_FIGHT
    s.node = -1
    s.hard_end = 0
    for i in range(p.party):
        s.x[i] = 0
        s.y[i] = (p.grid_height - 2) * (i + 1) // (p.party + 1)
        s.init_mod[i] = p.f_init_mod[i] + ours
    for i in range(HEROES, 2 * HEROES):
        s.standing[i] = ABSENT
        s.team[i] = 1
        s.wounds[i] = 0
    s.object_in = 0
    s.standing[OBJECT] = ABSENT
    s.round_limit = 0
    if s.purpose == FOR_WAVES:
        s.object_in = 1
        s.standing[OBJECT] = UP
        s.wounds[OBJECT] = 0
        for i in range(s.n_cond):
            if s.cond_kind[i] == C_TIME and s.defensive:
                s.round_limit = 6 * s.cond_value[i, 0]
    while bring(s, p) >= 0:
        pass
    for i in range(HEROES, 2 * HEROES):
        if s.standing[i] == UP:
            s.init_mod[i] = theirs
    count_to_enter(s)
    s.entered_on = -1
    begin_fight(s, p)


@kernel
def enter_step(s: Any, p: Any) -> None:
    """The end of a count: enemies come in, one initiative die each; the next wave is rolled when one is beaten."""
    if s.purpose == FOR_WAVES and s.unit_at >= s.n_units and s.waves_left > 0 and team_up(s, 1) == 0:
        begin_group_dice(s)
        return
    i = bring(s, p)
    count_to_enter(s)
    if i >= 0:
        throw(s, DIE_ENTER, i, 6)
    else:
        s.stage = F_PICK


@kernel
def fight_over(s: Any, p: Any) -> None:
    """4.7.4 to 4.7.7: what a fight has cost and brought."""
    beaten = team_up(s, 1) == 0 and s.to_enter == 0
    in_time = s.round_limit > 0 and s.count >= s.round_limit
    lost_object = s.object_in and s.standing[OBJECT] != UP
    quiet = s.quiet and s.count <= p.alarm_counts
    s.quiet = 0
    s.to_enter = 0
    s.stage = F_NONE
    s.object_in = 0
    s.standing[OBJECT] = ABSENT
    for i in range(HEROES, 2 * HEROES):
        s.standing[i] = ABSENT
    for m in range(3):
        for i in range(len(s.x)):
            for j in range(len(s.x)):
                s.edge[m, i, j] = 0
    s.edges = 0
    if leader(s) < 0:
        end_mission(s, 0)
        return
    if lost_object:
        if s.scenarios[0] == S_PROTECT:
            end_mission(s, 0)
            return
        fail_condition(s, p, C_COMBINED)
        if s.status_of_game:
            return
    elif not beaten and not in_time:
        end_mission(s, 0)  # the limit of counts
        return
    spend_minutes(s, p, (s.count + p.counts_per_minute - 1) // p.counts_per_minute)
    if not quiet and s.status_of_game == 0:
        raise_alarm(s, p)
    if s.status_of_game == 0 and s.purpose == FOR_ROOM:
        for i in range(s.n_cond):
            if s.cond_kind[i] == C_CIVILIANS:
                dead = min(s.cond_value[i, 1], s.count // p.counts_per_minute)
                s.hostages_dead += dead
                if dead > 0:
                    fail_condition(s, p, C_CIVILIANS)
    if s.status_of_game:
        return
    if s.purpose == FOR_TARGET:
        for kind in range(S_DESTROY, S_PROTECT):
            if has_scenario(s, kind):
                if kind == S_RETRIEVE:
                    s.carrying = 1
                elif kind != S_CLEANSE:
                    s.met[kind] = 1
        if has_scenario(s, S_PROTECT):
            begin_waves(s, p)
            return
    elif s.purpose == FOR_WAVES and not lost_object:
        s.met[S_PROTECT] = 1
    s.cleared[s.room] = 1
    arrived(s, p)
