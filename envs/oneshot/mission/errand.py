"""The party on its way: who leads, what it carries, time, side conditions and scenarios, the end (4.7)."""

from __future__ import annotations

from typing import Any

from ...core.abi import ENDED
from ...core.jit import kernel
from ..choices import CriticalEffect, Scenario
from ..dicing import ask, note
from ..state import HEROES, Condition, ConditionLevel, Event, FightStage, Mode, Phase, Room, Status
from .generator import has_scenario


@kernel
def leader(s: Any) -> int:
    """The first seat whose hero is up, -1 none."""
    for i in range(HEROES):
        if s.standing[i] == Status.UP:
            return i
    return -1


@kernel
def explore(s: Any, p: Any) -> None:
    """Back on the map: the leader decides, unless the mission is over."""
    s.mode = Mode.EXPLORE
    s.stage = FightStage.NONE
    if s.status_of_game:
        return
    who = leader(s)
    if who < 0:
        end_mission(s, 0)
        return
    ask(s, Phase.EXPLORE, who)


@kernel
def end_mission(s: Any, success: int) -> None:
    """The mission is over."""
    s.success = success
    s.status_of_game = ENDED
    s.node = -1
    s.die_faces = 0
    note(s, Event.MISSION, -1, success, 0)


@kernel
def carrier(s: Any, item: int) -> int:
    """The lowest seat that is up and carries an item, -1 none."""
    for i in range(HEROES):
        if s.standing[i] == Status.UP and s.items[i, item] > 0:
            return i
    return -1


@kernel
def fail_condition(s: Any, p: Any, kind: int) -> None:
    """R155: a side condition has failed."""
    for i in range(s.n_cond):
        if s.cond_kind[i] == kind and not s.cond_failed[i]:
            s.cond_failed[i] = 1
            note(s, Event.CONDITION, -1, kind, s.cond_level[i])
            if s.cond_level[i] == ConditionLevel.NECESSARY:
                end_mission(s, 0)
            elif s.cond_level[i] == ConditionLevel.CRITICAL:
                if p.critical_effect == CriticalEffect.MALUS:
                    for h in range(HEROES):
                        s.burden[h] += s.penalty
                elif p.critical_effect == CriticalEffect.MORE:
                    s.more += s.penalty
                else:
                    s.stronger += s.penalty


@kernel
def raise_alarm(s: Any, p: Any) -> None:
    """4.7.5."""
    if not s.alarm:
        s.alarm = 1
        note(s, Event.ALARM, -1, 0, 0)
    fail_condition(s, p, Condition.UNSEEN)


@kernel
def spend_minutes(s: Any, p: Any, minutes: int) -> None:
    """Time passes; a time limit in minutes may be broken."""
    s.minutes += minutes
    if s.defensive:
        return
    for i in range(s.n_cond):
        if s.cond_kind[i] == Condition.TIME_LIMIT and s.minutes > s.cond_value[i, 0]:
            fail_condition(s, p, Condition.TIME_LIMIT)


@kernel
def check_scenarios(s: Any, p: Any) -> None:
    """Cleansing and carrying home; the end of the mission (4.7.6, 4.7.8)."""
    if s.status_of_game:
        return
    if has_scenario(s, Scenario.CLEANSE) and not s.met[Scenario.CLEANSE]:
        done = True
        for i in range(s.n_rooms):
            if (s.room_type[i] == Room.EVENT_ROOM or s.room_type[i] == Room.TARGET_AREA) and not s.cleared[i]:
                done = False
        if done:
            s.met[Scenario.CLEANSE] = 1
    if s.carrying and s.room == 0:
        s.met[Scenario.RETRIEVE] = 1
    if not s.met[s.scenarios[0]]:
        return
    for i in range(s.n_cond):
        combined = s.cond_kind[i] == Condition.COMBINED and s.cond_scenario[i] >= 0
        if combined and s.cond_level[i] == ConditionLevel.NECESSARY:
            if not s.met[s.cond_scenario[i]]:
                return
    end_mission(s, 1)


@kernel
def arrived(s: Any, p: Any) -> None:
    """Nothing more happens in this room."""
    if s.status_of_game == 0 and leader(s) < 0:
        end_mission(s, 0)
    check_scenarios(s, p)
    if s.status_of_game == 0 and s.entered >= p.max_rooms:
        end_mission(s, 0)
    explore(s, p)
