"""Who goes where on a mission of oneshot, who is helped, what a fight costs: by hand, one kernel function at a time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents.oneshot import mission
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.mission import battle, party

UP, UNCONSCIOUS, DEAD, ABSENT = st.Status.UP, st.Status.UNCONSCIOUS, st.Status.DEAD, st.Status.ABSENT


def company(*wounds: int, limit: int = 4) -> Any:
    """Heroes with so many wounds who are up, the others absent; nothing in their bags."""
    n = 2 * st.HEROES + 1
    s = SimpleNamespace(
        standing=np.full(n, ABSENT), wounds=np.zeros(n, int), limit=np.full(n, limit), team=np.zeros(n, int),
        items=np.zeros((st.HEROES, 8), int), events=np.zeros(99, int), n_events=0, asked=0, node=0,
    )  # fmt: skip
    for i, hurt in enumerate(wounds):
        s.standing[i], s.wounds[i] = UP, hurt
    return s


def carried(monkeypatch: pytest.MonkeyPatch, module: Any, *items: int) -> None:
    """Hero 1 has these items, nobody any other."""
    monkeypatch.setattr(module, "carrier", lambda s, item: 1 if item in items else -1)


def test_first_aid_goes_to_who_wakes_by_it_then_to_the_worst(monkeypatch: pytest.MonkeyPatch) -> None:
    p = SimpleNamespace(heal_amount=2)
    carried(monkeypatch, mission, st.Item.HEAL)
    s = company(3, 4, 4)  # over half of the limit of 4 by 2, 4 and 4: the first of the worst
    assert mission.first_aid(s, p) == st.Action.HEAL + 1
    assert mission.first_aid(company(2, 1), p) == -1  # half of the limit is no malus
    s.standing[2], s.wounds[2] = UNCONSCIOUS, 6
    assert mission.first_aid(s, p) == st.Action.HEAL + 2  # 4 of 4 are left: it wakes
    s.wounds[2] = 7
    assert mission.first_aid(s, p) == st.Action.HEAL + 2  # it does not wake, and is worst all the same
    carried(monkeypatch, mission, st.Item.HEAL, st.Item.SALTS)
    assert mission.first_aid(s, p) == st.Action.SALTS + 2
    s.wounds[2] = 6
    assert mission.first_aid(s, p) == st.Action.HEAL + 2  # as many as the limit are left: no salts are needed
    s.standing[2] = DEAD
    assert mission.first_aid(s, p) == st.Action.HEAL + 1


def halls(links: dict[int, dict[int, int]], visited: set[int], **more: Any) -> Any:
    """Rooms in a line along x, of which some were visited; the party stands in room 1."""
    n = mission.ROOMS
    s = SimpleNamespace(
        room_links=np.full((n, 4), -1), visited=np.array([r in visited for r in range(n)], int),
        cleared=np.zeros(n, int), room_event=np.zeros(n, int), group_n=np.zeros(n, int), room_x=np.arange(n),
        room_y=np.zeros(n, int), room=1,
        carrying=0,
    )  # fmt: skip
    for room, ways in links.items():
        for way, other in ways.items():
            s.room_links[room, way] = other
    for name, value in more.items():
        setattr(s, name, value)
    return s


def test_home_with_the_loot_else_to_what_is_far_from_the_entrance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room 0 is the entrance; 2 and 3 are open beside it; who has what was asked for goes home."""
    wanted: set[int] = set()
    monkeypatch.setattr(mission, "has_scenario", lambda s, kind: kind in wanted)
    east = int(np.flatnonzero(np.array(mission.STEP_X) == 1)[0])
    west = int(np.flatnonzero(np.array(mission.STEP_X) == -1)[0])
    s = halls({1: {west: 0, east: 2}, 0: {}, 2: {}}, {0, 1})
    s.cleared[[0, 1]] = 1
    assert mission.heading(s, mission.CLEAVER) == east
    wanted.add(st.Scenario.RETRIEVE)
    s.carrying = 1
    assert mission.heading(s, mission.CLEAVER) == west
    s = halls({1: {west: 2, east: 3}}, {0, 1})
    assert mission.heading(s, mission.CLEAVER) == east  # x of 2 beside x of 0
    wanted.clear()
    wanted.add(st.Scenario.CLEANSE)
    assert mission.heading(s, mission.CLEAVER) == min(east, west)  # all must be searched: the first of equals


def test_a_way_of_number_0_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mission, "first_aid", lambda *_: -1)
    for way, told in ((0, st.Action.GO), (3, st.Action.GO + 3), (-1, st.Action.ABORT)):
        monkeypatch.setattr(mission, "heading", lambda s, style, way=way: way)
        assert mission.on_the_way(None, None, 0) == told


def test_a_ghost_evades_whom_it_need_not_kill(monkeypatch: pytest.MonkeyPatch) -> None:
    for cleanse, told in ((False, st.Action.BYPASS), (True, st.Action.AMBUSH)):
        monkeypatch.setattr(mission, "has_scenario", lambda s, kind, cleanse=cleanse: cleanse)
        assert mission.approached(None, mission.GHOST) == told
        assert mission.approached(None, mission.CLEAVER) == st.Action.FIGHT


def test_of_equals_the_healthier_is_assigned() -> None:
    s = company(2, 1, 1)
    s.room_event, s.room = np.array([0]), 0
    assert mission.assigned(s, None) == st.Action.ASSIGN + 1
    assert mission.fitness(s, None, 0, 0) == 2  # of the limit of 4 two are left


# The party


def legal(s: Any) -> set[int]:
    words = np.zeros(8, np.int64)
    party.legal_options(s, None, words)
    return {a for a in range(200) if words[a >> 5] >> (a & 31) & 1}


def test_who_may_be_helped_on_the_map(monkeypatch: pytest.MonkeyPatch) -> None:
    s = company(0, 1, 3)
    s.standing[2], s.node, s.room, s.room_links = UNCONSCIOUS, st.Phase.EXPLORE, 0, np.full((1, 4), -1)
    carried(monkeypatch, party, st.Item.HEAL, st.Item.SALTS)
    assert legal(s) == {st.Action.ABORT, st.Action.HEAL + 1, st.Action.HEAL + 2, st.Action.SALTS + 2}
    s.node = st.Phase.ASSIGN
    assert legal(s) == {st.Action.ASSIGN, st.Action.ASSIGN + 1}


def test_help_on_the_map(monkeypatch: pytest.MonkeyPatch) -> None:
    """Salts wake with as many wounds as the limit; a draught wakes where no more are left, and takes what there is."""
    monkeypatch.setattr(party, "explore", lambda *_: None)
    monkeypatch.setattr(party, "carrier", lambda s, item: 0 if item == st.Item.HEAL else 1)
    p = SimpleNamespace(heal_amount=2)
    for wounds, left, standing in ((6, 4, UP), (7, 5, UNCONSCIOUS), (1, 0, UP)):
        s = company(wounds)
        s.standing[0], s.items[:2] = UNCONSCIOUS, 1
        party.on_the_map(s, p, st.Action.HEAL)
        assert (s.wounds[0], s.standing[0]) == (left, standing)
        assert s.items[0, st.Item.HEAL] == 0 and s.items[1, st.Item.HEAL] == 1
    for wounds, left in ((6, 4), (1, 1)):
        s = company(wounds)
        s.standing[0], s.items[:2] = UNCONSCIOUS, 1
        party.on_the_map(s, p, st.Action.SALTS)
        assert (s.wounds[0], s.standing[0]) == (left, UP) and s.items[1, st.Item.SALTS] == 0


@pytest.mark.parametrize(("action", "saga", "luck"), [(party.SAGA, 1, 2), (party.LUCK, 2, 1)])
def test_what_heroes_pay_is_gone(action: int, saga: int, luck: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(party, "answer_reaction", lambda *_: None)
    s = SimpleNamespace(ck_who=1, mode=st.Mode.FIGHT, ck_kind=0, saga=[0, 2], luck=[0, 2], t_saga=[2], t_luck=[2])
    party.react(s, None, action)
    assert (s.saga[1], s.luck[1], s.t_saga[0], s.t_luck[0]) == (saga, luck, 2, 2)
    s = SimpleNamespace(ck_who=0, mode=st.Mode.TALK, ck_kind=next(iter(st.TALK_CHECKS)), saga=[2], luck=[2], t_saga=[2],
                        t_luck=[2], ck_paid=0)  # fmt: skip
    party.react(s, None, action)
    assert (s.t_saga[0], s.t_luck[0], s.saga[0], s.luck[0]) == (saga, luck, 2, 2)


def test_a_talk_is_decided_by_the_hero_who_talks() -> None:
    s = SimpleNamespace(mode=st.Mode.TALK, asked=0, node=st.NOBODY, hero=2)
    assert party.decider(s) == 2
    s.asked = 1
    assert party.decider(s) == 1


# Fights


def test_enemies_to_come_are_those_of_the_wave_and_one_for_each_further_wave() -> None:
    s = SimpleNamespace(n_units=5, unit_at=2, purpose=st.Purpose.WAVES, waves_left=3)
    battle.count_to_enter(s)
    assert s.to_enter == 3 + 3
    s.purpose = st.Purpose.ROOM
    battle.count_to_enter(s)
    assert s.to_enter == 3


@pytest.mark.parametrize(
    ("units", "left", "up", "rolled"), [(0, 1, 0, True), (0, 0, 0, False), (1, 1, 0, False), (0, 1, 1, False)]
)
def test_the_next_wave_is_rolled_when_one_is_beaten(
    units: int, left: int, up: int, rolled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(battle, "begin_group_dice", lambda s: done.append("rolled"))
    monkeypatch.setattr(battle, "team_up", lambda s, team: up)
    monkeypatch.setattr(battle, "bring", lambda s, p: -1)
    s = SimpleNamespace(n_units=units, unit_at=0, purpose=st.Purpose.WAVES, waves_left=left, stage=0)
    battle.enter_step(s, None)
    assert bool(done) == rolled and (s.stage == st.FightStage.PICK) == (not rolled)


def test_enemies_take_the_places_of_the_dead_before_those_of_who_lies_there() -> None:
    s = company()
    s.standing[st.HEROES :] = UP
    assert battle.next_slot(s) == -1
    s.standing[st.HEROES + 1] = UNCONSCIOUS
    assert battle.next_slot(s) == st.HEROES + 1
    s.standing[st.HEROES + 2] = DEAD
    assert battle.next_slot(s) == st.HEROES + 2


def test_who_finds_no_room_stays_what_he_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two may stand at a time; who lay in the place still lies there where nothing is free."""
    up = [1]
    monkeypatch.setattr(battle, "team_up", lambda s, team: up[0])
    monkeypatch.setattr(battle, "free_place", lambda s, p, i: -1)
    s = company()
    s.standing[st.HEROES :] = UNCONSCIOUS
    s.unit_at, s.n_units, s.span = 0, 1, np.ones(len(s.standing), int)
    p = SimpleNamespace(wave_size=2, grid_width=10)
    assert battle.bring(s, p) == -1 and s.standing[st.HEROES] == UNCONSCIOUS
    placed: list[int] = []
    monkeypatch.setattr(battle, "free_place", lambda s, p, i: 3)
    monkeypatch.setattr(battle, "place_enemy", lambda s, p, i: placed.append(i))
    s.x, s.y = np.zeros(len(s.standing), int), np.zeros(len(s.standing), int)
    assert battle.bring(s, p) == st.HEROES == placed[0] and (s.x[st.HEROES], s.y[st.HEROES]) == (8, 3)
    up[0] = 2
    assert battle.bring(s, p) == -1


def test_enemies_stand_apart_on_their_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three on a grid of 10 by 10: at 2, 4 and 6 of 8."""
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(battle, "fits", lambda s, p, i, x, y: asked.append((x, y)))
    p = SimpleNamespace(wave_size=3, grid_height=10, grid_width=10)
    assert battle.free_place(None, p, 9) == -1 and asked == [(8, 2), (8, 4), (8, 6)]


class Fought:
    """What came of a fight: minutes spent, whether there was alarm, how it went on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, up: int = 0) -> None:
        self.said: list[Any] = []
        say = self.said.append
        monkeypatch.setattr(battle, "team_up", lambda s, team: up)
        monkeypatch.setattr(battle, "leader", lambda s: 0)
        monkeypatch.setattr(battle, "end_mission", lambda s, won: say("ended"))
        monkeypatch.setattr(battle, "spend_minutes", lambda s, p, minutes: say(minutes))
        monkeypatch.setattr(battle, "raise_alarm", lambda s, p: say("alarm"))
        monkeypatch.setattr(battle, "fail_condition", lambda s, p, kind: say(kind))
        monkeypatch.setattr(battle, "begin_waves", lambda s, p: say("waves"))
        monkeypatch.setattr(battle, "arrived", lambda s, p: say("arrived"))
        monkeypatch.setattr(battle, "has_scenario", lambda s, kind: kind in self.scenarios)
        self.scenarios: set[int] = set()

    def fight(self, **more: Any) -> Any:
        s = company(0)
        s.edge, s.x = np.ones((3, 2, 2), int), np.zeros(2, int)
        known = dict(
            to_enter=0, round_limit=0, count=12, object_in=0, quiet=0, edges=4, scenarios=[-1, -1], n_cond=0,
            purpose=st.Purpose.ROOM, status_of_game=0, cond_kind=[0], cond_scenario=[-1],
            cond_value=np.zeros((1, 2), int),
            hostages_dead=0, carrying=0, met=np.zeros(20, int), cleared=np.zeros(3, int), room=1,
        )  # fmt: skip
        for name, value in (known | more).items():
            setattr(s, name, value)
        self.said.clear()
        battle.fight_over(s, SimpleNamespace(counts_per_minute=6, alarm_counts=10))
        return s


def test_a_fight_costs_whole_minutes_and_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    fought = Fought(monkeypatch)
    s = fought.fight()
    assert fought.said == [2, "alarm", "arrived"] and s.cleared.tolist() == [0, 1, 0]
    assert s.edges == 0 and not s.edge.any()
    fought.fight(count=13)
    assert fought.said[0] == 3
    for count, heard in ((10, False), (11, True)):
        fought.fight(count=count, quiet=1)
        assert ("alarm" in fought.said) == heard


def test_a_fight_is_over_for_good_with_the_last_enemy_to_come_or_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    fought = Fought(monkeypatch)
    fought.fight(to_enter=1)
    assert fought.said == ["ended"]
    for count, said in ((18, [3, "alarm", "arrived"]), (17, ["ended"])):
        fought.fight(to_enter=1, round_limit=18, count=count)
        assert fought.said == said


def test_civilians_die_by_the_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as there are at most, and one is enough to fail."""
    fought = Fought(monkeypatch)
    for count, dead in ((5, 0), (6, 1), (30, 3)):
        s = fought.fight(count=count, n_cond=1, cond_kind=[st.Condition.CIVILIANS], cond_value=np.array([[9, 3]]))
        assert s.hostages_dead == dead and (st.Condition.CIVILIANS in fought.said) == (dead > 0)


def test_what_was_to_be_protected_and_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the mission it ends it; as a further condition that one fails, and it is not met."""
    fought = Fought(monkeypatch)
    more = {"object_in": 1, "purpose": st.Purpose.WAVES}
    fought.fight(scenarios=[st.Scenario.PROTECT, -1], **more)
    assert fought.said == ["ended"]
    s = fought.fight(
        scenarios=[-1, st.Scenario.PROTECT], n_cond=1, cond_kind=[st.Condition.COMBINED],
        cond_scenario=[st.Scenario.PROTECT], **more,
    )  # fmt: skip
    assert fought.said == [st.Condition.COMBINED, 2, "alarm", "arrived"] and not s.met.any()
    s = fought.fight(purpose=st.Purpose.WAVES)
    assert s.met[st.Scenario.PROTECT] == 1


def test_what_was_done_at_the_target(monkeypatch: pytest.MonkeyPatch) -> None:
    fought = Fought(monkeypatch)
    fought.scenarios = {st.Scenario.RETRIEVE, st.Scenario.CLEANSE}
    s = fought.fight(purpose=st.Purpose.TARGET)
    assert s.carrying == 1 and not s.met.any()


def test_the_next_of_the_group_comes_with_its_points(monkeypatch: pytest.MonkeyPatch) -> None:
    sheets: list[tuple[int, int]] = []
    monkeypatch.setattr(battle, "load_sheet", lambda s, p, i, at: sheets.append((i, at)))
    s = company()
    n = len(s.standing)
    s.unit_at, s.unit_points, s.unit_type = 0, [2, battle.MAX_POINTS + 3], [1, 0]
    for name in ("span", "auto", "saga", "luck", "init_mod", "target_mod", "burden", "moved", "acted", "c_init"):
        setattr(s, name, np.ones(n, int))
    battle.place_enemy(s, None, 5)
    battle.place_enemy(s, None, 6)
    assert sheets == [(5, battle.MAX_POINTS + 1 + 2), (6, battle.MAX_POINTS)] and s.unit_at == 2
    assert (s.team[5], s.span[5], s.standing[5], s.saga[5], s.init_mod[5]) == (1, 2, UP, 0, 0)


@pytest.mark.parametrize(("defensive", "limit"), [(1, 24), (0, 0)])
def test_everybody_takes_his_place_in_a_fight(defensive: int, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two heroes at 2 and 5 of 8; one enemy comes, with the modifier of its side; four minutes are six counts each."""
    came = iter([st.HEROES, -1])

    def bring(s: Any, p: Any) -> int:
        found = next(came)
        if found >= 0:
            s.standing[found] = UP
        return found

    monkeypatch.setattr(battle, "bring", bring)
    monkeypatch.setattr(battle, "begin_fight", lambda *_: None)
    s = company(0, 0)
    n = len(s.standing)
    s.x, s.y, s.init_mod = np.full(n, 7), np.full(n, 7), np.zeros(n, int)
    more = dict(purpose=st.Purpose.WAVES, n_cond=1, cond_kind=[st.Condition.TIME_LIMIT], cond_value=np.array([[4, 0]]))
    for name, value in (more | dict(defensive=defensive, n_units=3, unit_at=1, waves_left=2)).items():
        setattr(s, name, value)
    battle.start_fight(s, SimpleNamespace(party=2, grid_height=10, f_init_mod=[1, 2, 0, 0]), 3, -2)
    assert s.init_mod[:2].tolist() == [4, 5] and (s.x[:2].tolist(), s.y[:2].tolist()) == ([0, 0], [2, 5])
    assert s.init_mod[st.HEROES : st.HEROES + 2].tolist() == [-2, 0] and s.to_enter == 4
    assert s.round_limit == limit and s.standing[st.OBJECT] == UP and s.entered_on == -1
