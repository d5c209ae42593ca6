"""Missions of OneShot, rule by rule: small situations set up by hand, with what 4.7 and R150 to R156 say of them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from probespiel.envs.core.game import Game, Position
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.state import Action, Condition, Die, Room, Scenario, Status
from probespiel.envs.oneshot.system import SYSTEM

NORTH, SOUTH = Action.GO + st.NORTH, Action.GO + st.SOUTH
OPTIONAL, CRITICAL, NECESSARY = range(3)
CONFRONTATION, TRAP, PUZZLE, TALK = 1, 4, 5, 6  # faces of the die of an event room (R168)
FIRST = st.HEROES  # the first enemy


@cache
def start_of(heroes: str, config: str) -> Position:
    """The party (as JSON) with some options, as an interpreted game, at the entrance of any mission."""
    options = {"gear_budget": None, "strict_builds": False, "social_offset": 3, **json.loads(config)}
    party = [{"char": char, "saga_points": 0} for char in json.loads(heroes)]
    setup = {"config": {**options, "party_size": len(party)}, "heroes": party}
    return Game(SYSTEM.spec_of_setup(setup, "oneshot-mission"), compiled=False).position(1)


def mission(
    *heroes: dict[str, Any],
    scenarios: tuple[int, ...] = (Scenario.DESTROY,),
    rooms: tuple[int, ...] = (Room.EVENT_ROOM, Room.TARGET_AREA),
    conditions: tuple[tuple[int, ...], ...] = (),
    **config: Any,
) -> Position:
    """Heroes at the entrance of a straight map: rooms one behind the other, to the north.

    A condition is its kind and level, then its value, hostages, and scenario as far as they matter.
    """
    position = start_of(json.dumps(heroes or ({},)), json.dumps(config)).clone()
    s = position.record
    s.scenarios[: len(scenarios)], s.n_scenarios = scenarios, len(scenarios)
    s.defensive = scenarios[0] == Scenario.PROTECT
    s.n_rooms, s.n_cond = 1 + len(rooms), len(conditions)
    s.room_type[: s.n_rooms] = [Room.ENTRANCE, *rooms]
    s.room_x[:], s.room_y[: s.n_rooms], s.room_links[:] = 0, range(s.n_rooms), -1
    for room in range(1, s.n_rooms):
        s.room_links[room - 1, st.NORTH], s.room_links[room, st.SOUTH] = room, room - 1
    for i, (kind, level, *values) in enumerate(conditions):
        s.cond_kind[i], s.cond_level[i], s.cond_value[i] = kind, level, 0
        s.cond_value[i, : len(values[:2])] = values[:2]
        s.cond_scenario[i] = values[2] if values[2:] else -1
    assert position.phase() == "explore" and int(s.room) == 0
    return position


def dice(position: Position, *faces: int) -> Position:
    """These dice fall, each as its face; every one of them must be due."""
    for face in faces:
        assert position.die() >= face
        position.fall(face - 1)
    return position


def walk(position: Position, *faces: int, way: int = NORTH) -> Position:
    """Into the next room, and the dice that fall there."""
    position.apply(0, way)
    return dice(position, *faces)


def initiative(position: Position, face: int = 6) -> Position:
    """All initiative dice of a fight show the same face; the first turn begins."""
    while position.die():
        dice(position, face if position.record.die_kind == Die.INITIATIVE else 1)
    assert position.phase() == "turn"
    return position


def win(position: Position, count: int) -> Position:
    """The hero on turn executes the last enemy of a group or wave, on this count of the fight."""
    s = position.record
    who = int(s.actor)
    s.standing[FIRST : st.OBJECT] = Status.ABSENT
    s.standing[FIRST], s.x[FIRST], s.y[FIRST] = Status.UNCONSCIOUS, s.x[who] + 2, s.y[who]
    s.unit_at, s.to_enter, s.count = s.n_units, s.waves_left, count
    s.deferred = s.waiting = s.order_n = 0  # it has its turn alone, and has moved
    s.moved[who] = 1
    s.allowed[Action.EXECUTE >> 5] |= 1 << (Action.EXECUTE & 31)
    position.apply(who, Action.EXECUTE)
    return position


def seen(position: Position, piece: str, seat: int = 0) -> list[float]:
    """A piece of what a seat observes, flat."""
    return position.game.layout.view(position.observe(seat))[piece].ravel().tolist()


# --- the end: scenarios and conditions --------------------------------------------------------------------------------


def test_what_is_retrieved_must_be_carried_to_the_entrance() -> None:
    position = mission(scenarios=(Scenario.RETRIEVE,), rooms=(Room.CORRIDOR, Room.TARGET_AREA))
    s = position.record
    walk(position)
    win(initiative(walk(position, 1, 1, 1)), 1)
    assert s.carrying == 1 and s.met[Scenario.RETRIEVE] == 0 and seen(position, "mission")[3] == 1
    walk(position, way=SOUTH)
    assert not position.over and s.met[Scenario.RETRIEVE] == 0
    walk(position, way=SOUTH)
    assert position.over and position.returns().tolist() == [1.0]


@pytest.mark.parametrize(("level", "ended"), [(OPTIONAL, True), (CRITICAL, True), (NECESSARY, False)])
def test_a_necessary_combined_scenario_must_be_met_as_well(level: int, ended: bool) -> None:
    """R155: the mission goes on until it is; one that is not necessary can be left."""
    both = (Scenario.DESTROY, Scenario.CLEANSE)
    rooms = (Room.TARGET_AREA, Room.EVENT_ROOM)
    condition = (Condition.COMBINED, level, 0, 0, Scenario.CLEANSE)
    position = mission(scenarios=both, rooms=rooms, conditions=(condition,))
    win(initiative(walk(position, 1, 1, 1)), 1)
    assert position.over == ended and position.record.met[Scenario.DESTROY] == 1
    if not ended:
        win(initiative(fight(walk(position, CONFRONTATION, 2, 1, 1))), 1)
        assert position.over and position.returns().tolist() == [1.0]


EFFECTS = {"malus": (4, 0, 0), "more": (0, 4, 0), "stronger": (0, 0, 4)}


@pytest.mark.parametrize("effect", EFFECTS)
def test_what_failed_critical_conditions_bring(effect: str) -> None:
    """R155: the penalty of each, once, for every hero alike; seen, and felt by groups that are rolled later."""
    conditions = ((Condition.TIME_LIMIT, CRITICAL, 0), (Condition.UNSEEN, CRITICAL))
    position = mission({}, {}, conditions=conditions, critical_effect=effect, extra_points="none")
    s = position.record
    s.penalty = 2
    assert seen(position, "mission")[2] == 0
    walk(position, CONFRONTATION)
    burden, more, stronger = (n // 2 for n in EFFECTS[effect])  # the first minute broke the time limit
    assert (s.burden[:4].tolist(), s.more, s.stronger) == ([burden] * 4, more, stronger)
    dice(position, *[2] * (1 + 2 * (1 + more)))  # weak: half of two is one
    assert s.n_units == 1 + more and s.unit_points[: s.n_units].tolist() == [2 + stronger] * (1 + more)
    assert seen(position, "mission")[2] == 1
    initiative(fight(position))
    win(position, 1)
    assert (s.burden[:4].tolist(), s.more, s.stronger) == ([EFFECTS[effect][0]] * 4, *EFFECTS[effect][1:])
    assert s.cond_failed[:2].tolist() == [1, 1] and seen(position, "mission")[2] == 1
    walk(position, *[6] * (1 + 2 * (6 + EFFECTS[effect][1])))  # the minutes and the next alarm cost nothing again
    assert (s.burden[:4].tolist(), s.more, s.stronger) == ([EFFECTS[effect][0]] * 4, *EFFECTS[effect][1:])


def fight(position: Position) -> Position:
    """The party does not sneak."""
    position.apply(0, Action.FIGHT)
    return position


# --- fights -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "minutes"), [(1, 1), (20, 1), (21, 2), (40, 2), (41, 3)])
def test_a_fight_costs_a_minute_for_every_twenty_counts_begun(count: int, minutes: int) -> None:
    position = mission(minutes_per_room=0)
    win(initiative(fight(walk(position, CONFRONTATION, 1, 1, 1))), count)
    assert position.record.minutes == minutes


@pytest.mark.parametrize(("way", "count", "alarm"), [
    (Action.AMBUSH, 60, 0), (Action.AMBUSH, 61, 1), (Action.FIGHT, 1, 1),
])  # fmt: skip
def test_an_ambush_is_quiet_if_the_fight_is_short(way: int, count: int, alarm: int) -> None:
    position = mission()
    walk(position, CONFRONTATION, 1, 1, 1).apply(0, way)
    if way == Action.AMBUSH:
        dice(position, 6, 5)  # an automatic success
    win(initiative(position), count)
    assert position.record.alarm == alarm == seen(position, "mission")[5]


@pytest.mark.parametrize("sg", [1, 2, 4])
def test_waves_against_what_is_protected(sg: int) -> None:
    """4.7.6: one more than the difficulty, in one fight; each is rolled when the one before is beaten."""
    position = mission(scenarios=(Scenario.PROTECT,), rooms=(Room.TARGET_AREA,), sg=sg)
    s = position.record
    walk(position)
    waves = 0
    for _ in range(300):
        if s.die_kind == Die.TAPE and position.die():
            waves += s.tape_n == 0
            dice(position, 1)
        elif position.die():
            dice(position, 6 if s.die_kind == Die.INITIATIVE else 1)
        elif not position.over:
            win(position, int(s.count))
    assert waves == sg + 1 and position.over and position.returns().tolist() == [1.0]


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_time_limit_in_rounds_ends_the_waves(rounds: int) -> None:
    """4.7.6: a round is six counts; what still stands then is protected."""
    condition = (Condition.TIME_LIMIT, OPTIONAL, rounds)
    hero = {"body": 3, "stamina": 3, "armour": "plate"}
    position = mission(hero, scenarios=(Scenario.PROTECT,), rooms=(Room.TARGET_AREA,), conditions=(condition,))
    s = position.record
    walk(position)
    for _ in range(100):
        if position.die():
            dice(position, 1)
        elif not position.over:
            position.apply(0, Action.END_TURN)
    assert s.count == 6 * rounds and s.met[Scenario.PROTECT] == 1 and position.returns().tolist() == [1.0]


# --- rooms ------------------------------------------------------------------------------------------------------------

CLEVER = {"agility": 2, "armour": "leather", "mind": 2, "skills": {"mechanics": 3, "lore_architecture": 2}}


def assigned(event: int, hero: dict[str, Any], *others: dict[str, Any], wounds: int = 0, **config: Any) -> Position:
    """The first hero is sent to a trap or puzzle; with a tool the leader is asked about it next."""
    position = mission(hero, *others, **config)
    position.record.wounds[0] = wounds
    walk(position, event).apply(0, Action.ASSIGN)
    return position


@pytest.mark.parametrize(("event", "wounds", "sg", "modifier"), [
    (TRAP, 0, 1, 2 + 3 - 1), (TRAP, 2, 1, 2 + 3 - 1 - 1), (TRAP, 0, 5, 2 + 3 - 1 - 2), (TRAP, 1, 1, 2 + 3 - 1),
    (PUZZLE, 0, 1, 2), (PUZZLE, 2, 1, 2 - 1), (PUZZLE, 0, 5, 2 - 2),
])  # fmt: skip
def test_modifiers_at_traps_and_puzzles(event: int, wounds: int, sg: int, modifier: int) -> None:
    """Agility, mechanics and armour at traps, architecture alone at puzzles; wounds and half of sg at both.

    The least natural die that succeeds without one to confirm it tells the modifier; from 1 and 6 on its total.
    """
    for natural in range(2, 6):
        position = dice(assigned(event, CLEVER, wounds=wounds, sg=sg), natural)
        assert bool(position.record.cleared[1]) and (position.record.ck_total, position.record.ck_win) == (
            natural + modifier, natural + modifier >= 4,
        )  # fmt: skip


def test_an_untrained_hero_thinks_at_traps_and_puzzles() -> None:
    """R22: mind - 1."""
    for event, modifier in ((TRAP, 1 + 2), (PUZZLE, 2)):
        position = dice(assigned(event, {"mind": 3, "agility": 1}), 3)
        assert position.record.ck_total == 3 + modifier


@pytest.mark.parametrize(("face", "wounds"), [(1, 0), (2, 1), (3, 1)])
def test_a_trap_wounds_whose_defence_it_equals(face: int, wounds: int) -> None:
    """d6 + 1 against a defence of 3."""
    position = dice(assigned(TRAP, {"mind": 1}), 2, face)
    assert position.record.wounds[0] == wounds and position.phase() == "explore"


@pytest.mark.parametrize(("hero", "fell", "hit"), [
    ({"mind": 1}, (1, 2), [1, 1, 3]),  # confirmed, and 1 is too little anyway: critical
    ({"mind": 1}, (1, 3), [1, 0, 2]),  # not confirmed
    ({"mind": 4}, (1, 2), [1, 0, 2]),  # 1 + 3 would do: automatic, but not critical
    ({"mind": 1}, (2,), [1, 0, 2]),
])  # fmt: skip
def test_a_critical_failure_at_a_trap_hits_all_who_live(
    hero: dict[str, Any], fell: tuple[int, ...], hit: list[int]
) -> None:
    position = mission(hero, {}, {}, {})
    s = position.record
    s.standing[2], s.wounds[2] = Status.UNCONSCIOUS, 2
    s.standing[3] = Status.DEAD
    s.limit[2] = 1
    walk(position, TRAP).apply(0, Action.ASSIGN)
    dice(position, *fell)
    while position.die():
        dice(position, 5)
    assert s.wounds[:4].tolist() == [*hit, 0]


@pytest.mark.parametrize(("fell", "minutes", "draughts"), [((2,), 1 + 3, 0), ((1, 1), 1 + 3, 0), ((5,), 1, 1)])
def test_what_a_puzzle_costs_and_brings(fell: tuple[int, ...], minutes: int, draughts: int) -> None:
    position = dice(assigned(PUZZLE, {"mind": 1}), *fell)
    s = position.record
    assert (s.minutes, s.items[0, 0], s.cleared[1]) == (minutes, draughts, 1) and position.phase() == "explore"


TOOLS = ["rope", "toolbox", "lockpicks", "precision_kit", "skeleton_key"]
BONUS = {"rope": 1, "lockpicks": 2, "toolbox": 3, "precision_kit": 4}


@pytest.mark.parametrize("tools", [TOOLS, TOOLS[::-1], TOOLS[:4], TOOLS[:3], TOOLS[:1]])
def test_the_best_tool_is_taken(tools: list[str]) -> None:
    """An automatic one first, which needs no roll, then that with the largest bonus."""
    position = assigned(PUZZLE, {"mind": 1, "tools": tools})
    assert position.phase() == "tool"
    position.apply(0, Action.USE_TOOL)
    if "skeleton_key" in tools:
        assert position.record.items[0, 0] == 1 and position.phase() == "explore"
        return
    dice(position, 2)
    assert position.record.ck_total == 2 + max(BONUS[name] for name in tools)


@pytest.mark.parametrize("bonus", [(3, 1, 2), (1, 3, 2), (1, 2, 3)])
def test_the_best_tool_is_taken_wherever_the_kit_has_it(bonus: tuple[int, ...]) -> None:
    position = assigned(PUZZLE, {"tools": TOOLS[:3]}, max_rooms=79)  # a game of its own, whose kit is changed
    position.game.params.tool_bonus[:3] = bonus
    position.apply(0, Action.USE_TOOL)
    assert dice(position, 2).record.ck_total == 2 - 1 + 3


@pytest.mark.parametrize(("fell", "left"), [((1, 1), 0), ((1, 3), -1), ((2,), -1)])
def test_a_plain_tool_breaks_by_a_critical_failure(fell: tuple[int, ...], left: int) -> None:
    position = assigned(PUZZLE, {"tools": ["rope"]})
    position.apply(0, Action.USE_TOOL)
    dice(position, *fell)
    tools = position.record.tools[0].tolist()
    assert sum(tools) == left


@pytest.mark.parametrize(("over", "up"), [(1, True), (2, True), (3, False)])
def test_who_is_healed_to_the_limit_stands_up(over: int, up: bool) -> None:
    """R64, R113: a draught takes two wounds."""
    position = mission({"items": {"heal_draught": 1}}, {})
    s = position.record
    s.standing[1], s.wounds[1] = Status.UNCONSCIOUS, s.limit[1] + over
    position.apply(0, Action.HEAL + 1)
    assert s.wounds[1] == s.limit[1] + over - 2 and (s.standing[1] == Status.UP) == up and s.items[0, 0] == 0


# --- talks ------------------------------------------------------------------------------------------------------------


def talk(*heroes: dict[str, Any], triple: int = 1, relation: int = 3, **config: Any) -> Position:
    """The first hero talks with a stranger who has this triple (from 1), at this face of the relation."""
    position = mission(*heroes, **config)
    s = position.record
    walk(position, TALK).apply(0, Action.ASSIGN)
    s.visited[: s.n_rooms], s.n_visited = range(1, s.n_rooms + 1), s.n_rooms  # so that no room is dealt again
    return dice(position, triple, relation)


@pytest.mark.parametrize(("face", "relation"), [(1, -1), (2, -1), (3, 0), (4, 0), (5, 1), (6, 1)])
def test_relation_of_a_stranger(face: int, relation: int) -> None:
    """It is the mood towards cunning and diplomacy, and is seen."""
    position = talk({}, relation=face)
    assert position.record.mood_relation[0] == relation
    assert seen(position, "parley")[27] == relation / 2


def test_only_the_hero_who_talks_hears_the_talk() -> None:
    position = talk({}, {})
    assert any(seen(position, "parley", 0)) and not any(seen(position, "parley", 1))


def test_a_talker_has_the_wound_limit_of_the_hero() -> None:
    """2 + body, less with `hardened`, more with `will_to_live` (R63); for rules that ask for it."""
    for perks in ([], ["hardened"], ["will_to_live"]):
        position = talk({"body": 2, "perks": perks})
        s = position.record
        assert 2 + s.t_value[0, 0] + s.t_limit_mod[0] == s.limit[0]
        assert s.limit[0] == 4 - ("hardened" in perks) + ("will_to_live" in perks)


def test_a_stranger_is_dealt_again_from_what_fits() -> None:
    """A die of 3 without any bonus persuades those with charisma 0, and nobody else."""
    triples = [tuple(int(x) for x in row) for row in st.TRIPLES]

    def dealt(position: Position) -> list[tuple[int, ...]]:
        found = []
        for outcome in range(position.forget(0).die()):
            other = position.forget(0)
            other.fall(outcome)
            found.append(tuple(int(x) for x in other.record.t_value[1]))
            assert other.record.mood_wounds[0] == -2 and other.legal(0) == position.legal(0)
        return found

    assert dealt(talk({})) == triples
    position = talk({}, goal_successes=2, triple=triples.index((2, 3, 0)) + 1)
    position.apply(0, Action.TALK + st.Talk.DIPLOMATIC)
    assert dealt(dice(position, 3)) == [(2, 3, 0), (3, 2, 0)]
    position = talk({}, triple=triples.index((1, 2, 2)) + 1)
    position.apply(0, Action.TALK + st.Talk.DIPLOMATIC)
    dice(position, 3)  # one failure is enough for charisma 3
    assert dealt(position) == [t for t in triples if 0 < t[2] < 3]
    position = talk({"perks": ["luck"]}, triple=triples.index((1, 2, 2)) + 1)
    position.apply(0, Action.TALK + st.Talk.DIPLOMATIC)
    dice(position, 3)
    assert position.phase() == "react_fail" and dealt(position) == [t for t in triples if t[2] > 0]
