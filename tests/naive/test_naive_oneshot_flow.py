"""Missions of OneShot as a whole against the plain coroutine of `oneshot_flow.py`, after every step."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import probespiel.envs.oneshot.character.kit as kit_module
from probespiel.envs.core.game import Game, Position
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.character.kit import PERKS, SKILLS, VALUES
from probespiel.envs.oneshot.system import SYSTEM
from tests.naive.oneshot import METHODS, Figure, sheet_of
from tests.naive.oneshot_flow import Hero, Mission
from tests.naive.oneshot_mission import SCENARIOS

KIT = json.loads(Path(str(kit_module.__file__)).with_name("kit.json").read_text(encoding="utf-8"))
CHOICES: dict[str, list[Any]] = {
    "sg": [1, 2, 3, 5],
    "scenario": [None, *SCENARIOS],
    "tier_event": ["weak", "normal", "strong"],
    "tier_target": ["normal", "weak", "strong"],
    "wave_size": [4, 1, 2, 3],
    "sneak_difficulty": [-1, 1],
    "ambush_modifier": [-16, -8, 0],
    "minutes_per_room": [1, 0, 10],
    "counts_per_minute": [20, 5],
    "alarm_counts": [60, 10],
    "critical_effect": ["malus", "more", "stronger"],
    "max_rooms": [80, 6],
    "half_rounding": ["floor", "ceil"],
    "extra_points": ["weakest", "strongest", "none"],
    "extra_scenarios": [False, True],
    "skill_surcharge": ["linear", "progressive"],
    "enemy_attribute_cap": [4, 2],
    "untrained_rule": ["literal", "best"],
    "critical_means": ["confirmed", "automatic"],
    "survival_is_test": [False, True],
    "saga_confirm": ["critical_only", "auto_success"],
    "turn_at_zero": [False, True],
    "zero_initiative": [1, 3],
    "tie_break": ["base_initiative_low", "initiative_low"],
    "simultaneous_order": ["random", "seat"],
    "social_tie": ["success", "failure"],
    "social_offset": [3, 0],
    "mood_tracks": ["linked", "separate"],
    "critical_mood_double": [False, True],
    "recover_adds_untrained": [False, True],
    "recover_limit": [1, 3],
    "read_difficulty": [0, -2],
    "request_difficulty": [0, -3],
    "goal_successes": [1, 3],
    "max_steps": [20, 4],
    "edge_clock": ["performer", "target"],
    "edge_stacking": [False, True],
    "diplomatic_breaks_on_attack": [False, True],
    "edge_range": [None, 3],
    "grid_width": [12, 8],
    "grid_height": [12, 14],
    "max_count": [200, 40],
    "utility": ["success", "saga"],
}
FIXED = {
    "patient_attack": "improves", "attack_automatics": False, "luck_scope": "all", "edge_uses_mood": False,
    "cover_modifier": -1, "limit_result": "standing", "luck_uses": 1,
}  # fmt: skip


def random_hero(rng: random.Random, strong: bool) -> dict[str, Any]:
    """Any character; strong ones come further."""
    char: dict[str, Any] = {name: rng.choice([2, 3, 4] if strong else [0, 1, 2, 3]) for name in VALUES}
    char["skills"] = {name: rng.randint(1, 5) for name in rng.sample(SKILLS, 8)}
    char["weapons"] = rng.sample(list(KIT["weapons"]), rng.choice([1, 2]))
    char["armour"] = rng.choice(list(KIT["armours"]))
    char["perks"] = rng.sample([x for x in PERKS if x != "special_gift"], rng.choice([0, 1, 2, 3]))
    char["items"] = {name: rng.choice([0, 1, 2]) for name in KIT["items"]}
    char["tools"] = [name for name in KIT["tools"] if rng.random() < 0.2]
    return char


def random_setup(rng: random.Random) -> dict[str, Any]:
    """A random mission."""
    options = {name: values[0] for name, values in CHOICES.items()}
    for name in rng.sample(list(CHOICES), 12):
        options[name] = rng.choice(CHOICES[name])
    n, strong = rng.randint(1, 4), rng.random() < 0.7
    heroes = [{"char": random_hero(rng, strong), "saga_points": rng.choice([0, 1, 3])} for _ in range(n)]
    config = {**options, "party_size": n, "gear_budget": None, "strict_builds": False}
    return {"config": config, "heroes": heroes}


def naive_of(setup: dict[str, Any]) -> Mission:
    """The same mission for the oracle."""
    options = {**FIXED, **setup["config"]}
    heroes = []
    for i, given in enumerate(setup["heroes"]):
        char = given["char"]
        hero = Hero(f"hero{i}", 0, sheet_of(char, KIT, options), (0, 0), saga=given["saga_points"])
        hero.luck, hero.items = int("luck" in char["perks"]), dict(char["items"])
        heroes.append(hero)
    return Mission(heroes, [given["char"]["tools"] for given in setup["heroes"]], options, KIT)


NAMES = {
    st.Action.END_TURN: "end_turn",
    st.DECLINE: "decline",
    st.SAGA: "saga",
    st.LUCK: "luck",
    st.Action.WEAK_SPOT: "weak_spot",
    st.Action.ABORT: "abort",
    st.Action.USE_TOOL: "use_tool",
    st.Action.NO_TOOL: "no_tool",
    st.Action.FIGHT: "fight",
    st.Action.AMBUSH: "ambush",
    st.Action.BYPASS: "bypass",
    st.TALK + st.Talk.RECOVER: "recover",
    st.TALK + st.Talk.READ: "read",
    st.TALK + st.Talk.LEAVE: "leave",
}


def decode(action: int, position: Position) -> tuple[Any, ...]:
    """An action id in the words of the oracle."""
    s = position.record
    if action in NAMES:
        return (NAMES[action],)
    if action >= st.TALK:
        return ("talk", METHODS[action - st.TALK])
    for start, end, name in (
        (st.Action.EXECUTE, st.Action.HEAL, "execute"),
        (st.Action.HEAL, st.Action.SALTS, "heal"),
        (st.Action.SALTS, st.Action.FLASK, "salts"),
        (st.Action.FLASK, st.DECLINE, "flask"),
        (st.Action.GO, st.Action.ABORT, "go"),
        (st.Action.ASSIGN, st.Action.USE_TOOL, "assign"),
    ):
        if start <= action < end:
            return (name, action - start)
    if action < st.Action.ATTACK:
        me, k = int(s.asked), action - st.Action.MOVE
        return ("move", int(s.x[me]) + int(st.OFFSET_X[k]), int(s.y[me]) + int(st.OFFSET_Y[k]))
    if action < st.Action.EDGE:
        return ("attack", (action - st.Action.ATTACK) // 4, (action - st.Action.ATTACK) % 4)
    return ("edge", METHODS[(action - st.Action.EDGE) // 4], (action - st.Action.EDGE) % 4)


def compare_state(position: Position, naive: Mission, where: str) -> None:
    """Everything that both know."""
    s = position.record
    fight = naive.battle
    figures: list[Figure] = [*naive.heroes] if fight is None else [f for f in fight.figures if f.status != "absent"]
    for f in figures:
        i = figures.index(f) if fight is None else fight.index(f)
        ours = [int(s.wounds[i]), ["up", "unconscious", "dead", "absent"][int(s.standing[i])]]
        want: list[Any] = [f.wounds, f.status]
        if f.team < 2:
            talks = bool(s.talking) and i == int(s.hero)  # who talks has them at hand, and gets back what is left
            ours += [int(s.t_saga[0]), int(s.t_luck[0])] if talks else [int(s.saga[i]), int(s.luck[i])]
            ours += [[int(s.items[i, k]) for k in range(3)]]
            want += [f.saga, f.luck, [f.items.get(name, 0) for name in KIT["items"]]]
        if fight is not None:
            ours += [(int(s.x[i]), int(s.y[i])), int(s.c_init[i]) or None]
            want += [f.pos, f.combat]
        assert ours == want, f"{f.name} at {where}"
    if fight is not None:
        edges = {
            (METHODS[m], a, b): int(s.edge[m, a, b])
            for m in range(3) for a in range(8) for b in range(8) if s.edge[m, a, b]
        }  # fmt: skip
        assert edges == fight.edges, where
        assert int(s.count) == fight.count or fight.over, where
        return
    assert (int(s.room), int(s.entered), int(s.minutes)) == (naive.room, naive.entered, naive.minutes), where
    assert {i for i in range(int(s.n_rooms)) if s.cleared[i]} == naive.cleared, where
    assert {i for i in range(int(s.n_rooms)) if s.visited[i]} == naive.visited, where
    assert (bool(s.alarm), bool(s.carrying)) == (naive.alarm, naive.carrying), where
    assert {SCENARIOS[k] for k in range(5) if s.met[k]} == naive.met, where


def map_seen(naive: Mission) -> np.ndarray:
    """4.7: the window around the party of what it has entered, and of exits that lead elsewhere."""
    out = np.zeros((11, 11, 14), dtype=np.float32)
    x, y = naive.map["rooms"][naive.room][1]
    exits = {other for room in naive.visited for other in naive.links[room] if other is not None} - naive.visited
    for room in exits | naive.visited:
        kind, (u, v) = naive.map["rooms"][room]
        if abs(u - x) <= 5 and abs(v - y) <= 5:
            cell = out[v - y + 5, u - x + 5]
            if room in exits:
                cell[7] = 1
            else:
                cell[st.ROOM_TYPES.index(kind)] = cell[8] = 1
                cell[9] = room in naive.cleared
                cell[10:] = [other is not None for other in naive.links[room]]
    return out


def compare_view(position: Position, naive: Mission, seat: int, where: str) -> None:
    """4.7: what a seat sees of map, conditions, scenarios and mission while the party walks."""
    seen = position.game.layout.view(position.observe(seat))
    np.testing.assert_array_equal(seen["rooms"], map_seen(naive), err_msg=where)
    conditions, scenarios = np.zeros((4, 7)), np.zeros((5, 3))
    for condition in naive.plan["conditions"]:
        row = conditions[["unseen", "time_limit", "civilians", "combined"].index(condition["kind"])]
        row[[0, 1 + ["optional", "critical", "necessary"].index(condition["level"])]] = 1
        value = next((condition[name] for name in ("minutes", "rounds", "civilians") if name in condition), 0)
        row[4:6] = min(1, value / 100), min(1, condition.get("hostages", 0) / 36)
        row[6] = condition["kind"] in naive.failed
    for number, name in enumerate(naive.plan["scenarios"]):
        scenarios[SCENARIOS.index(name)] = 1, number == 0, name in naive.met
    np.testing.assert_allclose(seen["conditions"], conditions, atol=1e-6, err_msg=where)
    np.testing.assert_allclose(seen["scenarios"], scenarios, err_msg=where)
    burden = any(f.burden for f in naive.heroes) or naive.more > 0 or naive.stronger > 0
    sums = [min(1, naive.minutes / 36), naive.o["sg"] / 6, burden, naive.carrying,
            min(1, naive.entered / naive.o["max_rooms"]), naive.alarm]  # fmt: skip
    np.testing.assert_allclose(seen["mission"], sums, atol=1e-6, err_msg=where)


def chosen(rng: random.Random, legal: dict[tuple[Any, ...], int]) -> tuple[Any, ...]:
    """A random decision that gets the mission on more often than not."""
    names = sorted(legal)
    bold = [a for a in names if a[0] in ("attack", "execute", "flask", "saga", "luck")]
    if bold and rng.random() < 0.7:
        return rng.choice(bold)
    moves = [a for a in names if a[0] == "move"]
    if moves and rng.random() < 0.6:
        return max(rng.sample(moves, min(4, len(moves))), key=lambda a: a[1])
    rest = [a for a in names if a[0] not in ("move", "abort")]
    return rng.choice(rest) if rest and rng.random() < 0.995 else rng.choice(names)


def compare_mission(setup: dict[str, Any], rng: random.Random, seen: set[str]) -> int:
    """Play one mission on both with the same dice and decisions; the number of decisions."""
    game = Game(SYSTEM.spec_of_setup(setup, "oneshot-mission"))
    position = Position(game)
    naive = naive_of(setup)
    run = naive.run()
    decisions = 0
    request = next(run, None)
    while request is not None:
        where = f"decision {decisions} of {setup}"
        if request[0] == "die":
            assert position.die() == request[1], where
            outcome = rng.randrange(request[1])
            position.fall(outcome)
            answer: Any = outcome + 1
        else:
            assert position.die() == 0, where
            assert (position.to_act(), position.phase()) == ([request[1]], request[2]), where
            seen.add(request[2])
            compare_state(position, naive, where)
            if request[2] == "explore":
                compare_view(position, naive, rng.randrange(len(naive.heroes)), where)
            legal = {decode(a, position): a for a in position.legal(request[1])}
            assert set(legal) == request[3], where
            answer = chosen(rng, legal)
            seen.add(answer[0])
            position.apply(request[1], legal[answer])
            decisions += 1
        try:
            request = run.send(answer)
        except StopIteration:
            request = None
    assert position.status == 1 and position.die() == 0 and not position.to_act(), setup
    compare_state(position, naive, f"the end of {setup}")
    assert position.returns().tolist() == [naive.payoff()] * len(naive.heroes), setup
    seen.add(f"success {naive.success}")
    return decisions


def compare_missions(seed: int, n: int) -> set[str]:
    """Many random missions; what happened in them."""
    rng = random.Random(seed)
    seen: set[str] = set()
    decisions = sum(compare_mission(random_setup(rng), rng, seen) for _ in range(n))
    assert decisions > 10 * n
    return seen


def test_missions_agree_with_the_oracle() -> None:
    seen = compare_missions(5, 25)
    assert {"explore", "approach", "assign", "turn", "success 1", "success 0", "bypass", "ambush"} <= seen


@pytest.mark.slow
def test_missions_agree_with_the_oracle_at_length() -> None:
    seen = compare_missions(6, 2000)
    assert {"tool", "talk", "recover", "read", "react_six", "react_fail", "react_wound", "weak_spot", "salts"} <= seen
