"""What the fitted outlook of missions sees of a party on its way (4.7): health, arms, tasks, what is left of the map.

A search simulates up to the next time when the party is on its way again: the room or the fight that it is in is played
to its end, and what the party is then worth for the rest of the mission is learnt from missions that heuristic parties
went on with (`probespiel outlook oneshot-mission`). So a simulation is short and its result is seldom 0, where whole
missions at higher difficulties nearly always fail and say nothing about one decision.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.jit import kernel
from ...envs.oneshot.choices import Scenario
from ...envs.oneshot.dicing import skill_value
from ...envs.oneshot.mission.generator import has_scenario
from ...envs.oneshot.mission.rooms import sneak_modifier
from ...envs.oneshot.skirmish.numbers import chance_at_least, malus
from ...envs.oneshot.skirmish.pilots import USUAL_DEFENCE
from ...envs.oneshot.state import (
    AGILITY,
    HEROES,
    RANGED,
    ROOMS,
    STRENGTH,
    TOOL_SLOTS,
    Condition,
    Item,
    Phase,
    Room,
    RoomEvent,
    Skill,
    Status,
)

OF_HERO, OF_PARTY, OF_TASK, OF_MAP = 8, 13, 18, 15
SIZE = HEROES * OF_HERO + OF_PARTY + OF_TASK + OF_MAP


@kernel
def clock(s: Any, p: Any) -> int:
    """Rooms behind the party: it moves on when the party is on its way again after whatever was in a room."""
    return s.entered if s.node == Phase.EXPLORE else s.entered - 1


@kernel
def power(s: Any, p: Any, i: int) -> float:
    """Expected wounds of a hero's best attack on a usual enemy who stands near."""
    best = 0.0
    for k in range(2):
        if s.w_kind[i, k] != 0:
            body = s.physical[i, AGILITY if s.w_kind[i, k] == RANGED else STRENGTH]
            hit = chance_at_least(s.attack[i] - s.w_rank[i, k] + s.armour_malus[i] + malus(s, i))
            best = max(best, hit * chance_at_least(USUAL_DEFENCE - s.w_damage[i, k] - body + malus(s, i)))
    return best


@kernel
def put_party(s: Any, p: Any, out: Any) -> int:
    """Every hero for himself, then what they have together; how many numbers were written."""
    at = HEROES * OF_HERO
    best_sneak, best_tool, best_lore, best_talk = -9.0, -9.0, -9.0, -9.0
    for i in range(p.party):
        row = OF_HERO * i
        if s.standing[i] == Status.DEAD:
            continue
        up = s.standing[i] == Status.UP
        rest = max(0, s.limit[i] + 1 - s.wounds[i])
        share = rest / (s.limit[i] + 1.0)
        strong = power(s, p, i)
        out[row] = 1.0 if up else 0.0
        out[row + 1] = 0.0 if up else 1.0
        out[row + 2] = share
        out[row + 3] = 1.0 if 2 * s.wounds[i] > s.limit[i] else 0.0
        out[row + 4] = s.saga[i] / 2.0
        out[row + 5] = s.luck[i]
        out[row + 6] = strong if up else 0.0
        out[row + 7] = strong * share
        if up:
            out[at] += 0.25
            out[at + 1] += 0.1 * rest
            out[at + 2] += 0.5 * strong
            out[at + 3] += 0.1 * strong * rest
            out[at + 4] += 0.05 * s.defence[i] * share
            for k in range(2):
                if s.w_kind[i, k] == RANGED:
                    out[at + 5] += 0.5 * strong
            best_sneak = max(best_sneak, float(sneak_modifier(s, p, i)))
            mechanics = skill_value(p, s.rank[i, Skill.MECHANICS], s.value[i, 1])
            best_tool = max(best_tool, float(s.physical[i, AGILITY] - s.armour_malus[i] + mechanics))
            best_lore = max(best_lore, float(skill_value(p, s.rank[i, Skill.LORE_ARCHITECTURE], s.value[i, 1])))
            best_talk = max(best_talk, float(max(s.social[i, 0], max(s.social[i, 1], s.social[i, 2]))))
            for k in range(TOOL_SLOTS):
                if s.tools[i, k]:
                    out[at + 12] = 1.0
        out[at + 6] += s.items[i, Item.HEAL] / 4.0
        out[at + 7] += s.items[i, Item.SALTS] / 2.0
        out[at + 8] += s.items[i, Item.FLASK] / 2.0
    out[at + 9] = best_sneak / 4.0
    out[at + 10] = best_tool / 4.0
    out[at + 11] = (best_lore + best_talk) / 8.0
    return at + OF_PARTY


@kernel
def put_tasks(s: Any, p: Any, out: Any, at: int) -> int:
    """Difficulty, scenarios still to be met, conditions, time."""
    out[at] = p.sg / 6.0
    for kind in range(5):
        if has_scenario(s, kind) and not s.met[kind]:
            out[at + 1 + kind] = 1.0 if s.scenarios[0] == kind else 0.5
    out[at + 6] = s.carrying
    out[at + 7] = s.burden[0] / 2.0
    out[at + 8] = (s.more + s.stronger) / 3.0
    out[at + 9] = s.n_scenarios / 3.0
    for i in range(s.n_cond):
        level = s.cond_level[i]
        if s.cond_failed[i] or level == 0:
            continue
        kind = s.cond_kind[i]
        if kind == Condition.UNSEEN:
            out[at + 10] = 0.5 * level
        elif kind == Condition.TIME_LIMIT and not s.defensive:
            out[at + 11] = 0.5 * level
            out[at + 12] = max(0.0, 1.0 - (s.cond_value[i, 0] - s.minutes) / 30.0)
        elif kind == Condition.TIME_LIMIT:
            out[at + 13] = 0.5 * level
        elif kind == Condition.CIVILIANS:
            out[at + 14] = 0.5 * level
        elif kind == Condition.COMBINED:
            out[at + 15] = 0.5 * level
    out[at + 16] = s.alarm
    out[at + 17] = p.party / 4.0
    return at + OF_TASK


@kernel
def put_map(s: Any, p: Any, out: Any, at: int) -> int:
    """What is known of the map: rooms still to come, ways to go, who waits on them."""
    events, waiting, units, target, open_exits = 0, 0, 0, -1, 0
    for room in range(s.n_rooms):
        if s.visited[room] == 0:
            continue
        if s.room_type[room] == Room.EVENT_ROOM:
            events += 1
            if not s.cleared[room]:
                waiting += 1
                units += s.group_n[room]
        elif s.room_type[room] == Room.TARGET_AREA:
            target = room
    steps = np.zeros(ROOMS, np.int64)
    foes = np.zeros(ROOMS, np.int64)
    queue = np.zeros(ROOMS, np.int64)
    for room in range(ROOMS):
        steps[room] = -1
    queue[0] = s.room
    steps[s.room] = 0
    head, tail = 0, 1
    nearest, least = -1, 0
    while head < tail:
        room = queue[head]
        head += 1
        for way in range(4):
            other = s.room_links[room, way]
            if other < 0:
                continue
            if s.visited[other] == 0:
                open_exits += 1
                if nearest < 0:
                    nearest, least = steps[room] + 1, foes[room]
            elif steps[other] < 0:
                steps[other] = steps[room] + 1
                met = s.room_event[other] == RoomEvent.CONFRONTATION and not s.cleared[other]
                foes[other] = foes[room] + (s.group_n[other] if met else 0)
                queue[tail] = other
                tail += 1
    placed = s.n_visited - 1
    out[at] = max(0, 4 * p.sg - 1 - placed) / 12.0
    out[at + 1] = max(0, 8 * p.sg - 1 - placed) / 24.0
    out[at + 2] = max(0, 2 * p.sg - events) / 6.0
    out[at + 3] = events / 6.0
    out[at + 4] = 1.0 if target >= 0 else 0.0
    out[at + 5] = 1.0 if target >= 0 and s.cleared[target] else 0.0
    out[at + 6] = waiting / 3.0
    out[at + 7] = units / 12.0
    out[at + 8] = min(open_exits, 8) / 8.0
    out[at + 9] = min(nearest, 10) / 10.0
    out[at + 10] = 1.0 if nearest < 0 else 0.0
    out[at + 11] = min(least, 12) / 12.0
    home = has_scenario(s, Scenario.RETRIEVE) and not s.met[Scenario.RETRIEVE]
    if home:
        out[at + 12] = max(0, steps[0]) / 12.0
    if home and s.carrying:
        out[at + 13] = max(0, steps[0]) / 12.0
        out[at + 14] = foes[0] / 12.0
    return at + OF_MAP


@kernel
def features(s: Any, p: Any, seat: int, out: Any) -> None:
    """All features of a mission that goes on, float32[SIZE], zeroed before; the same for every seat."""
    at = put_party(s, p, out)
    at = put_tasks(s, p, out, at)
    put_map(s, p, out, at)
