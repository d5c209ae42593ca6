"""What waits in the rooms of a mission: enemies, traps, puzzles, talks (4.7.2, 4.7.3)."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ..choices import Scenario
from ..dicing import ask, begin_check, note, remember, skill_value, throw
from ..parley.talk import begin_talk
from ..skirmish.numbers import malus
from ..state import (
    AGILITY,
    ALIVE,
    HEROES,
    TOOL_SLOTS,
    TRIPLES,
    Action,
    Check,
    Die,
    Event,
    FightStage,
    Item,
    Mode,
    Phase,
    Purpose,
    Result,
    Room,
    RoomEvent,
    Skill,
    Status,
    Task,
)
from .battle import start_fight
from .errand import arrived, leader, raise_alarm, spend_minutes
from .generator import half
from .groups import begin_group_dice, begin_waves, pack_group, unpack_group


@kernel
def enter_room(s: Any, p: Any, room: int) -> None:
    """4.7.2, 4.7.3: walk into a room."""
    s.room = room
    s.entered += 1
    note(s, Event.ROOM, -1, s.room_type[room], room)
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
    if kind == Room.EVENT_ROOM and first:
        throw(s, Die.EVENT, -1, 6)
        return
    if kind == Room.EVENT_ROOM and not s.cleared[room] and s.room_event[room] == RoomEvent.CONFRONTATION:
        unpack_group(s, room)
        s.purpose = Purpose.ROOM
        ask(s, Phase.APPROACH, leader(s))
        return
    if kind == Room.TARGET_AREA and not s.cleared[room]:
        s.room_event[room] = RoomEvent.TARGET
        target_area(s, p)
        return
    arrived(s, p)


@kernel
def target_area(s: Any, p: Any) -> None:
    """4.7.6: the group of the target area; `protect` alone begins with its waves."""
    if s.n_scenarios == 1 and s.scenarios[0] == Scenario.PROTECT:
        begin_waves(s, p)
    else:
        s.purpose = Purpose.TARGET
        begin_group_dice(s)


@kernel
def event_fell(s: Any, p: Any, event: int) -> None:
    """R168: what is in the room."""
    s.room_event[s.room] = event
    note(s, Event.EVENT, -1, event, s.room)
    if event == RoomEvent.CONFRONTATION:
        s.purpose = Purpose.ROOM
        begin_group_dice(s)
    else:
        ask(s, Phase.ASSIGN, leader(s))


@kernel
def group_ready(s: Any, p: Any) -> None:
    """The group has been rolled."""
    s.mode = Mode.EXPLORE
    if s.purpose == Purpose.WAVES:
        s.unit_at = 0
        s.waves_left -= 1
        s.mode = Mode.FIGHT
        if s.stage == FightStage.NONE:
            start_fight(s, p, 0, 0)
        return
    if s.purpose == Purpose.ROOM:
        pack_group(s, s.room)
        ask(s, Phase.APPROACH, leader(s))
    elif s.n_scenarios == 1 and s.scenarios[0] == Scenario.TRAVERSE:
        ask(s, Phase.APPROACH, leader(s))
    else:
        s.unit_at = 0
        start_fight(s, p, 0, 0)


@kernel
def sneaker(s: Any, p: Any) -> int:
    """The hero that is up with the lowest modifier for sneaking."""
    best = -1
    for i in range(HEROES):
        if s.standing[i] == Status.UP and (best < 0 or sneak_modifier(s, p, i) < sneak_modifier(s, p, best)):
            best = i
    return best


@kernel
def sneak_modifier(s: Any, p: Any, i: int) -> int:
    """R21, R22, R106: agility and sneaking, armour once."""
    skill = skill_value(p, s.rank[i, Skill.SNEAKING], s.value[i, 1])
    return s.physical[i, AGILITY] + skill + p.sneak_difficulty - s.armour_malus[i] - malus(s, i)


@kernel
def approach(s: Any, p: Any, action: int) -> None:
    """FIGHT, AMBUSH or BYPASS."""
    s.node = -1
    s.unit_at = 0
    if action == Action.FIGHT:
        start_fight(s, p, 0, 0)
        return
    s.plan = action
    i = sneaker(s, p)
    begin_check(s, Check.SNEAK, i, sneak_modifier(s, p, i), 4, 1, 0, 0)


@kernel
def sneaked(s: Any, p: Any) -> None:
    """The sneaking test is done."""
    note(s, Event.CHECK, s.ck_who, s.ck_win, s.ck_total)
    if s.ck_win:
        if s.plan == Action.AMBUSH:
            s.quiet = 1
            start_fight(s, p, p.ambush_modifier, 0)
        else:
            if s.purpose == Purpose.TARGET:
                s.cleared[s.room] = 1
                s.met[Scenario.TRAVERSE] = 1
            arrived(s, p)
        return
    raise_alarm(s, p)
    if s.status_of_game == 0:
        start_fight(s, p, 0, p.ambush_modifier)


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
    if s.room_event[s.room] == RoomEvent.TALK:
        throw(s, Die.TRIPLE, -1, 12)
    elif has_tool(s, i):
        ask(s, Phase.TOOL, leader(s))
    else:
        room_test(s, p)


@kernel
def room_test(s: Any, p: Any) -> None:
    """The test of a trap or a puzzle; an automatic tool needs none."""
    s.node = -1
    i = s.hero
    event = s.room_event[s.room]
    kind = Check.TRAP if event == RoomEvent.TRAP else Check.PUZZLE
    mod = -half(p, p.sg) - malus(s, i)
    if kind == Check.TRAP:
        mod += s.physical[i, AGILITY] - s.armour_malus[i] + skill_value(p, s.rank[i, Skill.MECHANICS], s.value[i, 1])
    else:
        mod += skill_value(p, s.rank[i, Skill.LORE_ARCHITECTURE], s.value[i, 1])
    stake = 1 if kind == Check.TRAP else 0
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
    note(s, Event.CHECK, i, s.ck_win, s.ck_total)
    disaster = s.ck_win == 0 and s.ck_crit == 1
    if s.tool >= 0 and disaster:
        s.tools[i, s.tool] = 0
    s.cleared[s.room] = 1
    if kind == Check.PUZZLE:
        if s.ck_win:
            s.items[i, Item.HEAL] += 1
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
            if s.standing[h] in ALIVE:
                s.victims |= 1 << h
    s.mode = Mode.TRAP
    s.to_enter = 1  # it is no fight that somebody could win
    s.task = Task.FLASK
    s.deferred = 1
    s.stage = FightStage.NONE
    s.surprise = 0


@kernel
def meet(s: Any, p: Any) -> None:
    """A talk in a room begins: the hero and a stranger."""
    i = s.hero
    for k in range(3):
        s.t_value[0, k] = s.value[i, k]
        s.t_social[0, k] = s.social[i, k]
        s.t_value[1, k] = TRIPLES[s.triple[1], k]
        s.t_social[1, k] = 0
    s.t_insight[0] = s.rank[i, Skill.INSIGHT]
    s.t_perks[0] = s.perks[i]
    s.t_malus[0] = malus(s, i)
    s.t_wounds[0] = s.wounds[i]
    s.t_wounds[1] = 0
    s.t_limit_mod[0] = s.limit[i] - 2 - s.value[i, 0]
    s.t_saga[0] = s.saga[i]
    s.t_luck[0] = s.luck[i]
    s.mode = Mode.TALK
    begin_talk(s, p, 1, 0)
    s.mood_relation[0] = s.m_relation


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
    if result == Result.SUCCESS:
        s.items[i, Item.HEAL] += 1
    if result == Result.BROKEN:
        s.cleared[s.room] = 0
        s.room_event[s.room] = RoomEvent.CONFRONTATION
        s.purpose = Purpose.ROOM
        begin_group_dice(s)
        return
    arrived(s, p)
