"""Decisions of a party on a mission of OneShot: the way over the map, rooms, tests, talks."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.jit import kernel
from ...envs.oneshot.choices import Scenario
from ...envs.oneshot.dicing import skill_value
from ...envs.oneshot.mission.errand import carrier
from ...envs.oneshot.mission.generator import has_scenario
from ...envs.oneshot.state import AGILITY, ALIVE, HEROES, ROOMS, STEP_X, STEP_Y, Action, Item, RoomEvent, Skill, Status

CLEAVER, GHOST, AMBUSHER = range(3)


@kernel
def first_aid(s: Any, p: Any) -> int:
    """Salts and draughts for who lies there, draughts for who is under the wound malus; -1 nothing."""
    heal, salts = carrier(s, Item.HEAL) >= 0, carrier(s, Item.SALTS) >= 0
    best = -1
    worst = 0
    for i in range(HEROES):
        if s.standing[i] not in ALIVE:
            continue
        if s.standing[i] == Status.UNCONSCIOUS:
            if heal and s.wounds[i] - p.heal_amount <= s.limit[i]:
                return Action.HEAL + i
            if salts:
                return Action.SALTS + i
        over = 2 * s.wounds[i] - s.limit[i]
        if heal and over > worst:
            worst = over
            best = Action.HEAL + i
    return best


@kernel
def wanted_room(s: Any, style: int, room: int) -> bool:
    """Whether there is still something to be done in a room that was visited."""
    if room == 0:
        return s.carrying == 1 and has_scenario(s, Scenario.RETRIEVE)
    if s.cleared[room]:
        return False
    if s.room_event[room] == RoomEvent.TARGET:
        return True
    return style != GHOST and s.group_n[room] > 0 and has_scenario(s, Scenario.CLEANSE)


@kernel
def heading(s: Any, style: int) -> int:
    """The way towards the best goal: home with the loot, else the nearest room that is open or has work left; or -1.

    Unless everything must be searched, rooms far from the entrance are preferred: the target area is placed last.
    """
    way_to = np.zeros(ROOMS, np.int64)
    steps = np.zeros(ROOMS, np.int64)
    queue = np.zeros(ROOMS, np.int64)
    for i in range(ROOMS):
        way_to[i] = -1
    queue[0] = s.room
    way_to[s.room] = 4
    head, tail = 0, 1
    best = -1
    least = 1 << 20
    everything = has_scenario(s, Scenario.CLEANSE)
    home = s.carrying == 1 and has_scenario(s, Scenario.RETRIEVE) and not everything
    while head < tail:
        room = queue[head]
        head += 1
        if room != s.room and wanted_room(s, style, room):
            cost = 10 * steps[room] + (-500 if room == 0 and home else 0)
            if cost < least:
                least = cost
                best = way_to[room]
        for way in range(4):
            other = s.room_links[room, way]
            if other < 0 or way_to[other] >= 0:
                continue
            way_to[other] = way if room == s.room else way_to[room]
            steps[other] = steps[room] + 1
            if s.visited[other]:
                queue[tail] = other
                tail += 1
            else:
                cost = 10 * steps[other]
                if not everything:
                    cost -= 6 * (abs(s.room_x[room] + STEP_X[way]) + abs(s.room_y[room] + STEP_Y[way]))
                if cost < least:
                    least = cost
                    best = way_to[other]
    return int(best)


@kernel
def on_the_way(s: Any, p: Any, style: int) -> int:
    """Node `explore`."""
    found = first_aid(s, p)
    if found >= 0:
        return found
    way = heading(s, style)
    return Action.GO + way if way >= 0 else Action.ABORT


@kernel
def approached(s: Any, style: int) -> int:
    """Node `approach`: a ghost evades whom it need not kill."""
    if style == CLEAVER:
        return Action.FIGHT
    if style == GHOST and not has_scenario(s, Scenario.CLEANSE):
        return Action.BYPASS
    return Action.AMBUSH


@kernel
def fitness(s: Any, p: Any, i: int, event: int) -> int:
    """What hero i adds in such a room; ties are broken by health."""
    score = 0
    if event == RoomEvent.TRAP:
        score = s.physical[i, AGILITY] - s.armour_malus[i] + skill_value(p, s.rank[i, Skill.MECHANICS], s.value[i, 1])
    elif event == RoomEvent.PUZZLE:
        score = skill_value(p, s.rank[i, Skill.LORE_ARCHITECTURE], s.value[i, 1])
    elif event == RoomEvent.TALK:
        score = max(s.social[i, 0], max(s.social[i, 1], s.social[i, 2])) + s.value[i, 2]
    return 20 * score + s.limit[i] - s.wounds[i]


@kernel
def assigned(s: Any, p: Any) -> int:
    """Node `assign`."""
    best = -1
    for i in range(HEROES):
        if s.standing[i] == Status.UP:
            if best < 0 or fitness(s, p, i, s.room_event[s.room]) > fitness(s, p, best, s.room_event[s.room]):
                best = i
    return Action.ASSIGN + best
