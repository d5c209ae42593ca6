"""The mission generator: scenario, side conditions, map, enemy groups (R150-R172).

The functions read dice from a tape. When it is too short they return at once with `s.starved` set; they are then run
again from the start with one die more, so that every die stays a question to the driver.
"""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ..choices import ExtraPoints, Rounding, Scenario, Tier
from ..state import EAST, EXITS, NORTH, ROOMS, STEP_X, STEP_Y, UNITS, WEST, Condition, ConditionLevel, Room


@kernel
def take(s: Any) -> int:
    """The next die of the tape, 1..6."""
    if s.tape_at < s.tape_n:
        s.tape_at += 1
        return s.tape[s.tape_at - 1]
    s.starved = 1
    return 1


@kernel
def take_sum(s: Any, n: int) -> int:
    """Sum of n dice."""
    total = 0
    for _ in range(n):
        total += take(s)
    return total


@kernel
def half(p: Any, n: int) -> int:
    """A51: half of n."""
    return (n + 1) // 2 if p.half_rounding == Rounding.CEIL else n // 2


@kernel
def has_scenario(s: Any, kind: int) -> bool:
    """Whether a scenario is among those rolled."""
    for i in range(s.n_scenarios):
        if s.scenarios[i] == kind:
            return True
    return False


@kernel
def add_scenario(s: Any) -> int:
    """R152: roll a further scenario, 6 and those present again; -1 if all are present."""
    if s.n_scenarios == 5:
        return -1
    while True:
        kind = take(s) - 1
        if s.starved:
            return -1
        if kind < 5 and not has_scenario(s, kind):
            s.scenarios[s.n_scenarios] = kind
            s.n_scenarios += 1
            return kind


@kernel
def raise_level(s: Any, i: int) -> None:
    """R154: optional, critical, necessary."""
    s.cond_level[i] = min(ConditionLevel.NECESSARY.value, s.cond_level[i] + 1)


@kernel
def roll_condition(s: Any, p: Any, kind: int, base: int) -> int:
    """R152, R153: a condition has come up: roll its values, add or merge it; its index."""
    i = -1
    for k in range(s.n_cond):
        if s.cond_kind[k] == kind:
            i = k
    new = i < 0
    if new:
        i = s.n_cond
        s.n_cond += 1
        s.cond_kind[i] = kind
        s.cond_level[i] = base
        s.cond_rolls[i] = 0
        s.cond_scenario[i] = -1
        for v in range(2):
            s.cond_sum[i, v] = 0
            s.cond_value[i, v] = 0
    else:
        raise_level(s, i)
    if kind == Condition.TIME_LIMIT:
        value = 10 * take(s) if s.defensive else 0
        s.cond_sum[i, 0] += value + take_sum(s, 6)
    elif kind == Condition.CIVILIANS:
        people = take_sum(s, p.sg)
        s.cond_sum[i, 0] += people
        s.cond_sum[i, 1] += min(people, take_sum(s, max(0, p.sg - 3)))
    elif kind == Condition.COMBINED and new:
        s.cond_scenario[i] = add_scenario(s)
    s.cond_rolls[i] += 1
    for v in range(2):
        s.cond_value[i, v] = (2 * s.cond_sum[i, v] + s.cond_rolls[i]) // (2 * s.cond_rolls[i])
    return i


@kernel
def base_level(s: Any, p: Any) -> int:
    """R154: level of the condition that appears next."""
    place = s.n_cond
    if p.sg >= 5:
        return max(ConditionLevel.OPTIONAL.value, ConditionLevel.NECESSARY.value - place)
    if p.sg >= 3 and place == 0:
        return ConditionLevel.CRITICAL.value
    return ConditionLevel.OPTIONAL.value


@kernel
def roll_series(s: Any, p: Any, dice: int, optional: bool) -> None:
    """R152: condition dice one after the other; 5 strengthens the result before it, or the one after it."""
    five = False
    waiting = False
    before = -1
    for _ in range(dice):
        while True:
            face = take(s)
            if s.starved:
                return
            if face == 6 or (face == 5 and five) or (face == 1 and s.defensive):
                continue
            break
        if face == 5:
            five = True
            if before >= 0:
                raise_level(s, before)
            else:
                waiting = True
            continue
        kind = Condition.UNSEEN + face - 1
        before = roll_condition(s, p, kind, ConditionLevel.OPTIONAL.value if optional else base_level(s, p))
        if waiting:
            raise_level(s, before)
            waiting = False
        if s.starved:
            return


@kernel
def generate_mission(s: Any, p: Any, scenario: int) -> None:
    """R150-R156: scenarios and side conditions; `scenario` -1: rolled."""
    s.n_scenarios = 0
    s.n_cond = 0
    s.n_extra = 0
    if scenario < 0:
        add_scenario(s)
        if s.starved:
            return
    else:
        s.scenarios[0] = scenario
        s.n_scenarios = 1
    s.defensive = 1 if s.scenarios[0] == Scenario.PROTECT else 0
    s.penalty = max(1, half(p, p.sg))
    roll_series(s, p, p.sg, False)
    if s.starved or not p.extra_scenarios or p.sg <= 3:
        return
    more = max(0, take(s) - half(p, p.sg))
    for _ in range(more):
        if s.starved or add_scenario(s) < 0:
            return
        s.n_extra += 1
        roll_series(s, p, half(p, p.sg), True)


# --- map --------------------------------------------------------------------------------------------------------------


@kernel
def room_at(s: Any, x: int, y: int) -> int:
    """The room on a square, -1 none."""
    for i in range(s.n_rooms):
        if s.room_x[i] == x and s.room_y[i] == y:
            return i
    return -1


@kernel
def add_room(s: Any, kind: int, x: int, y: int) -> int:
    """Place a room without links."""
    i = s.n_rooms
    s.room_type[i] = kind
    s.room_x[i] = x
    s.room_y[i] = y
    for way in range(4):
        s.room_links[i, way] = -1
    s.n_rooms += 1
    return i


@kernel
def add_exit(s: Any, room: int, way: int) -> None:
    """Put an open exit at the end of the queue."""
    if s.queue_n < EXITS:
        s.queue_room[s.queue_n] = room
        s.queue_way[s.queue_n] = way
        s.queue_n += 1


@kernel
def turn_die(s: Any) -> int:
    """R161: 1-2 right, 3-4 straight, 5-6 left, as a turn of the heading."""
    face = take(s)
    if face <= 2:
        return 1
    return 0 if face <= 4 else 3


@kernel
def reopen(s: Any, first: int) -> bool:
    """R166: the most recent room with a free neighbour gets an exit, none before `first`; false if none has one."""
    for back in range(s.n_rooms - first):
        i = s.n_rooms - 1 - back
        for way in range(NORTH, WEST + 1):
            if room_at(s, s.room_x[i] + STEP_X[way], s.room_y[i] + STEP_Y[way]) < 0:
                add_exit(s, i, way)
                return True
    return False


@kernel
def room_kind(s: Any, p: Any, events: int) -> int:
    """R164: type of the room to be placed."""
    placed = s.n_rooms - 1
    slots = 4 * p.sg - 1 - placed
    if slots > 0 and 2 * p.sg - events >= slots:
        return Room.EVENT_ROOM
    if slots <= 0 and placed >= 8 * p.sg - 1:
        return Room.TARGET_AREA
    while True:
        face = take(s)
        if s.starved:
            return Room.EVENT_ROOM
        if (face == Room.TARGET_AREA and slots > 0) or (face == Room.DEAD_END and s.queue_at == s.queue_n):
            continue
        return face


@kernel
def place_beyond(s: Any, p: Any, kind: int, way: int, x: int, y: int) -> int:
    """Place a room that was reached in direction `way`, with its exits; -1 if a die is missing."""
    room = add_room(s, kind, x, y)
    if kind in (Room.CORRIDOR, Room.EVENT_ROOM):
        add_exit(s, room, (way + turn_die(s)) & 3)
    elif kind == Room.T_JUNCTION:
        first = turn_die(s)
        second = first
        while second == first:
            second = turn_die(s)
            if s.starved:
                return -1
        add_exit(s, room, (way + first) & 3)
        add_exit(s, room, (way + second) & 3)
    elif kind == Room.CROSSING:
        add_exit(s, room, (way + EAST) & 3)
        add_exit(s, room, way)
        add_exit(s, room, (way + WEST) & 3)
    return room


@kernel
def generate_map(s: Any, p: Any) -> None:
    """R161-R167: rooms in order of placement, the entrance first, and their links."""
    s.n_rooms = 0
    s.queue_at = 0
    s.queue_n = 0
    add_room(s, Room.ENTRANCE, 0, 0)
    add_exit(s, 0, NORTH)
    events = 0
    while s.n_rooms < ROOMS and not s.starved:
        if s.queue_at == s.queue_n:
            reopen(s, 0)
        origin = s.queue_room[s.queue_at]
        way = s.queue_way[s.queue_at]
        s.queue_at += 1
        x = s.room_x[origin] + STEP_X[way]
        y = s.room_y[origin] + STEP_Y[way]
        room = room_at(s, x, y)
        if room < 0:
            kind = room_kind(s, p, events)
            if s.starved:
                return
            if kind == Room.EVENT_ROOM:
                events += 1
            room = place_beyond(s, p, kind, way, x, y)
            if room < 0:
                return
        s.room_links[origin, way] = room
        s.room_links[room, (way + 2) & 3] = origin
        if s.room_type[room] == Room.TARGET_AREA:
            return


@kernel
def regrow(s: Any, p: Any) -> None:
    """For search: go on with the map from the exits of the `known_rooms`; what they show stays as it is."""
    known = s.known_rooms
    s.n_rooms = known
    s.queue_at = 0
    s.queue_n = 0
    events = 0
    target = False
    for i in range(known):
        if s.room_type[i] == Room.EVENT_ROOM:
            events += 1
        target = target or s.room_type[i] == Room.TARGET_AREA
        for way in range(4):
            if s.room_links[i, way] >= known or s.room_links[i, way] == -2:
                s.room_links[i, way] = -2
                add_exit(s, i, way)
    while s.n_rooms < ROOMS - 1 and not s.starved:
        if s.queue_at == s.queue_n:
            if target:
                return
            if not reopen(s, known):
                # the walls of known rooms were seen; so the last room that nobody has seen is the target
                if s.n_rooms > known:
                    s.room_type[s.n_rooms - 1] = Room.TARGET_AREA
                return
        origin = s.queue_room[s.queue_at]
        way = s.queue_way[s.queue_at]
        s.queue_at += 1
        if target and origin >= known:
            continue  # exits that are still open are walls
        x = s.room_x[origin] + STEP_X[way]
        y = s.room_y[origin] + STEP_Y[way]
        room = room_at(s, x, y)
        if 0 <= room < known and s.room_links[room, (way + 2) & 3] != -2:
            continue  # a known wall
        if room < 0:
            kind = Room.DEAD_END if target else room_kind(s, p, events)
            if s.starved:
                return
            if kind == Room.EVENT_ROOM:
                events += 1
            room = place_beyond(s, p, kind, way, x, y)
            if room < 0:
                return
        s.room_links[origin, way] = room
        s.room_links[room, (way + 2) & 3] = origin
        target = target or s.room_type[room] == Room.TARGET_AREA


# --- enemies ----------------------------------------------------------------------------------------------------------


@kernel
def generate_group(s: Any, p: Any, tier: int, boss: int, more: int, stronger: int) -> None:
    """R170, R171: points and archetype of every unit; `more` further units, `stronger` further points each (R155)."""
    n = take_sum(s, p.sg)
    if tier == Tier.STRONG:
        n += p.sg
    elif tier == Tier.WEAK:
        n = max(1, n // 2)
    n = min(UNITS, n + more)
    s.n_units = n
    for i in range(n):
        s.unit_points[i] = take(s)
        s.unit_type[i] = take(s) - 1
        if s.starved:
            return
    for i in range(n):
        s.unit_points[i] += stronger
    if boss:
        s.unit_points[0] += max(1, half(p, p.sg))
    if p.extra_points != ExtraPoints.NONE:
        sign = 1 if p.extra_points == ExtraPoints.WEAKEST else -1
        for _ in range(p.sg):
            best = 0
            for i in range(1, n):
                if sign * s.unit_points[i] < sign * s.unit_points[best]:
                    best = i
            s.unit_points[best] += 1
