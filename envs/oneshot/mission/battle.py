"""Fights on a mission: who takes part, who comes in later, what a fight costs and brings (4.7.4 to 4.7.7)."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ..character.figures import load_sheet
from ..choices import Scenario
from ..dicing import note, throw
from ..skirmish.clock import begin_fight
from ..skirmish.ground import fits
from ..skirmish.numbers import team_up
from ..state import (
    ALIVE,
    AT_TARGET,
    HEROES,
    MAX_POINTS,
    OBJECT,
    Condition,
    Die,
    Event,
    FightStage,
    Mode,
    Purpose,
    Status,
)
from .errand import arrived, end_mission, fail_condition, leader, raise_alarm, spend_minutes
from .generator import has_scenario
from .groups import begin_group_dice, begin_waves


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
    s.standing[i] = Status.UP
    s.saga[i] = 0
    s.luck[i] = 0
    s.init_mod[i] = 0
    s.target_mod[i] = 0
    s.burden[i] = 0
    s.moved[i] = 0
    s.acted[i] = 0
    s.c_init[i] = 0
    note(s, Event.ENTER, i, s.unit_type[k], points)


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
        if s.standing[i] not in ALIVE:
            return i
    for i in range(HEROES, 2 * HEROES):
        if s.standing[i] == Status.UNCONSCIOUS:
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
    s.standing[i] = Status.ABSENT
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
    if s.purpose == Purpose.WAVES:
        s.to_enter += s.waves_left


@kernel
def start_fight(s: Any, p: Any, ours: int, theirs: int) -> None:
    """4.7.4: everybody takes his place; initiative modifiers of both sides."""
    s.mode = Mode.FIGHT
    s.node = -1
    s.hard_end = 0
    for i in range(p.party):
        s.x[i] = 0
        s.y[i] = (p.grid_height - 2) * (i + 1) // (p.party + 1)
        s.init_mod[i] = p.f_init_mod[i] + ours
    for i in range(HEROES, 2 * HEROES):
        s.standing[i] = Status.ABSENT
        s.team[i] = 1
        s.wounds[i] = 0
    s.object_in = 0
    s.standing[OBJECT] = Status.ABSENT
    s.round_limit = 0
    if s.purpose == Purpose.WAVES:
        s.object_in = 1
        s.standing[OBJECT] = Status.UP
        s.wounds[OBJECT] = 0
        for i in range(s.n_cond):
            if s.cond_kind[i] == Condition.TIME_LIMIT and s.defensive:
                s.round_limit = 6 * s.cond_value[i, 0]
    while bring(s, p) >= 0:
        pass
    for i in range(HEROES, 2 * HEROES):
        if s.standing[i] == Status.UP:
            s.init_mod[i] = theirs
    count_to_enter(s)
    s.entered_on = -1
    begin_fight(s, p)


@kernel
def enter_step(s: Any, p: Any) -> None:
    """The end of a count: enemies come in, one initiative die each; the next wave is rolled when one is beaten."""
    if s.purpose == Purpose.WAVES and s.unit_at >= s.n_units and s.waves_left > 0 and team_up(s, 1) == 0:
        begin_group_dice(s)
        return
    i = bring(s, p)
    count_to_enter(s)
    if i >= 0:
        throw(s, Die.ENTER, i, 6)
    else:
        s.stage = FightStage.PICK


@kernel
def fight_over(s: Any, p: Any) -> None:
    """4.7.4 to 4.7.7: what a fight has cost and brought."""
    beaten = team_up(s, 1) == 0 and s.to_enter == 0
    in_time = s.round_limit > 0 and s.count >= s.round_limit
    lost_object = s.object_in and s.standing[OBJECT] != Status.UP
    quiet = s.quiet and s.count <= p.alarm_counts
    s.quiet = 0
    s.to_enter = 0
    s.stage = FightStage.NONE
    s.object_in = 0
    s.standing[OBJECT] = Status.ABSENT
    for i in range(HEROES, 2 * HEROES):
        s.standing[i] = Status.ABSENT
    for m in range(3):
        for i in range(len(s.x)):
            for j in range(len(s.x)):
                s.edge[m, i, j] = 0
    s.edges = 0
    if leader(s) < 0:
        end_mission(s, 0)
        return
    if lost_object:
        if s.scenarios[0] == Scenario.PROTECT:
            end_mission(s, 0)
            return
        for i in range(s.n_cond):  # R156: the combined scenario fails, if it is this one
            if s.cond_kind[i] == Condition.COMBINED and s.cond_scenario[i] == Scenario.PROTECT:
                fail_condition(s, p, Condition.COMBINED)
        if s.status_of_game:
            return
    elif not beaten and not in_time:
        end_mission(s, 0)  # the limit of counts
        return
    spend_minutes(s, p, (s.count + p.counts_per_minute - 1) // p.counts_per_minute)
    if not quiet and s.status_of_game == 0:
        raise_alarm(s, p)
    if s.status_of_game == 0 and s.purpose == Purpose.ROOM:
        for i in range(s.n_cond):
            if s.cond_kind[i] == Condition.CIVILIANS:
                dead = min(s.cond_value[i, 1], s.count // p.counts_per_minute)
                s.hostages_dead += dead
                if dead > 0:
                    fail_condition(s, p, Condition.CIVILIANS)
    if s.status_of_game:
        return
    if s.purpose == Purpose.TARGET:
        for kind in AT_TARGET:
            if has_scenario(s, kind):
                if kind == Scenario.RETRIEVE:
                    s.carrying = 1
                elif kind != Scenario.CLEANSE:
                    s.met[kind] = 1
        if has_scenario(s, Scenario.PROTECT):
            begin_waves(s, p)
            return
    elif s.purpose == Purpose.WAVES and not lost_object:
        s.met[Scenario.PROTECT] = 1
    s.cleared[s.room] = 1
    arrived(s, p)
