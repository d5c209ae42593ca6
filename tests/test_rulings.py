"""Worked examples of what the rules had left open, and of rules that meet; what the runner refuses in every system."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from probespiel.envs import make_game
from probespiel.envs.core.game import Position
from probespiel.envs.core.verify import load_cases, run_guarded, verify_file
from probespiel.envs.einblatt.verify import run_play as run_einblatt
from probespiel.envs.ews_rps.verify import run_play as run_ews_rps
from probespiel.envs.konfrontation.verify import run_play as run_konfrontation
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.character.kit_file import load_kit
from probespiel.envs.oneshot.character.sheet import advance, normal
from probespiel.envs.oneshot.mission.battle import fight_over
from probespiel.envs.oneshot.params import check_options
from probespiel.envs.oneshot.verify import case_runners as oneshot_runners
from probespiel.envs.scorekeeper.verify import case_runners as scorekeeper_runners
from probespiel.envs.scorekeeper.verify import run_script as run_scorekeeper
from probespiel.evaluation.declaration import analysis_of

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted([*GOLDEN.glob("rulings_*.json"), *GOLDEN.glob("combinations_*.json")])
run_oneshot = oneshot_runners(False)
CASES = {f"{path.stem}:{case['id']}": path for path in FILES for case in load_cases(path)[1]}


@pytest.mark.parametrize("name", CASES)
def test_worked_example(name: str) -> None:
    path = CASES[name]
    result = verify_file(path, analysis_of(load_cases(path)[0]).examples(), only=name.split(":")[1])[0]
    assert not result.problems


def golden(system: str, name: str) -> dict[str, Any]:
    """A copy of a worked example, to be spoilt."""
    return copy.deepcopy(next(case for case in load_cases(GOLDEN / f"{system}.json")[1] if case["id"] == name))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"target": "GM"}, "field 'target'"),
        ({"card": "HK"}, "field 'card'"),
        ({"action": "card:Billy"}, "card:Billy"),
        ({"action": "attack:HK"}, "attack:HK"),
        ({"action": "attack:GM"}, "not legal"),
        ({"seat": "HK"}, "HK"),
    ],
)
def test_einblatt_refuses(change: dict[str, Any], message: str) -> None:
    """Fields that a choice does not take, and names of the wrong kind; as an illegal step it is refused, too."""
    case = golden("einblatt", "billy_tree")
    wrong = {**case["steps"][0], **change}
    case["steps"].insert(0, {**wrong, "illegal": True})
    assert run_einblatt(case) == []
    case["steps"][0] = wrong
    assert message in run_guarded(run_einblatt, case)[0]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("Billy plays", "step 1 = 'Billy plays' is not allowed"),
        ({"chance": "dice", "order": []}, "step 1: chance 'dice': reshuffle"),
        ({"chance": "reshuffle", "deck": "Billy", "order": ["C8", "XX"]}, "step 1: order = ['C8', 'XX']"),
        ({"chance": "initiative", "order": ["HK"]}, "a list of seats"),
        ({"chance": "reshuffle", "deck": "HK", "order": []}, "step 1: deck = 'HK'"),
        ({"chance": "reshuffle", "deck": "Billy", "pile": "C", "order": []}, "step 1: pile = 'C'"),
        ({"expect": {"ep": 3}}, "step 1: ep: 3 is not allowed"),
        ({"expect": {"ep": {"HK": 3}}}, "step 1: ep: seat 'HK' is unknown"),
        ({"expect": {"hand": {"Billy": "HK"}}}, "step 1: hand: 'HK' is not allowed: a list"),
        ({"expect": {"legal": ["card:XX"]}}, "step 1: legal: no action is called 'card:XX'"),
    ],
)
def test_einblatt_words_without_meaning(step: Any, message: str) -> None:
    """A line says which step, which field, and what may stand there."""
    case = golden("einblatt", "billy_tree")
    if isinstance(step, dict) and "expect" in step:
        case["steps"][0]["expect"] = step["expect"]
    else:
        case["steps"].insert(0, step)
    told = run_guarded(run_einblatt, case)
    assert len(told) == 1
    assert message in told[0]


def test_einblatt_wants_both_votes() -> None:
    """A vote of which one part is missing is no vote."""
    case = golden("einblatt", "billy_tree")
    case["setup"]["config"] = {"max_tests": 2}
    for seat in case["setup"]["seats"]:
        seat["hand"] = seat["hand"][:3]
    phases = [("commit", "pass")] * 3 + [("continue", "no")]
    case["steps"] = [{"seat": s, "phase": p, "action": a} for p, a in phases for s in ("Billy", "GM")]
    case["expect"] = {"tests": 1}
    assert run_einblatt(case) == []
    del case["steps"][-1]
    assert "asked in phase continue" in run_einblatt(case)[0]


def test_einblatt_illegal_steps_wait_for_their_question() -> None:
    """A question that the script leaves out is answered before an illegal step that means a later one."""
    case = golden("einblatt", "table_redraw")
    illegal = {"seat": "Ada", "phase": "commit", "action": "card:H7", "illegal": True}
    case["steps"] = [
        illegal,
        *({"seat": s, "phase": "commit", "action": "pass"} for _ in range(3) for s in ("Ada", "Foe")),
    ]
    case["expect"] = {"hand": {"Ada": []}}
    assert "was accepted" in run_einblatt(case)[0]  # Ada keeps her hand, and may play what is in it
    illegal["action"] = "card:CA"
    assert run_einblatt(case) == []


@pytest.mark.parametrize("name", ["tug_of_war", "after_card", "two_piles", "full_hand"])
def test_einblatt_forced_decisions_may_be_left_out(name: str) -> None:
    """What a step expects is then compared after them, if it does not hold before."""
    case = golden("einblatt", name)
    steps = [step for step in case["steps"] if not (step.get("forced") and "expect" not in step)]
    assert len(steps) < len(case["steps"])
    case["steps"] = steps
    assert run_einblatt(case) == []
    case["steps"][-1]["expect"] = {"phase": "sort"}
    assert "phase is" in run_einblatt(case)[0]


# --- konfrontation ----------------------------------------------------------------------------------------------------

BIDS = {"decision": "bids", "bids": {"A": 0, "B": 0}}
ATTACK = {"decision": "declare", "actor": "A", "faction": "B", "type": "social", "commit": ["a1", "a2"]}
TAVERN = {**ATTACK, "target": {"kind": "resource", "name": "tavern"}}
KONFRONTATION = [  # golden case, the step before which it is tried, a decision that no game accepts, what is said
    ("resource_destroyed", 2, {"decision": "bids", "bids": {"A": 0}}, "one of each side"),
    ("resource_destroyed", 2, {"decision": "bids", "bids": {}}, "one of each side"),
    ("resource_destroyed", 2, {"decision": "bids", "bids": {"A": 0, "B": 0, "C": 0}}, "one of each side"),
    ("resource_destroyed", 2, {"decision": "bids", "bids": {"A": 0, "B": 0.5}}, "bid 0.5"),
    ("resource_destroyed", 2, {"decision": "bids"}, "field 'bids' is missing"),
    ("resource_destroyed", 2, {**BIDS, "actor": "A"}, "field 'actor' is not taken"),
    ("resource_destroyed", 0, {**ATTACK, "target": {"kind": "unit", "name": "tavern"}}, "no unit of B"),
    ("resource_destroyed", 0, {**ATTACK, "target": {"kind": "resource", "name": "b1"}}, "no resource of B"),
    ("resource_destroyed", 0, {**ATTACK, "target": {"kind": "power", "name": "b1"}}, "field 'name' is not taken"),
    ("resource_destroyed", 0, {**ATTACK, "target": {"kind": "unit"}}, "field 'name' is missing"),
    ("resource_destroyed", 0, {**ATTACK, "target": {"kind": "tavern"}}, "needs a kind"),
    ("resource_destroyed", 0, {**TAVERN, "faction": "tavern"}, "faction 'tavern'"),
    ("resource_destroyed", 0, {**TAVERN, "commit": ["a1", "b1"]}, "no unit of A"),
    ("resource_destroyed", 0, {**TAVERN, "commit": "a1"}, "must be a list"),
    ("resource_destroyed", 0, {**TAVERN, "unit": "a1"}, "field 'unit' is not taken"),
    ("resource_destroyed", 1, {"decision": "defend", "actor": "B", "commit": ["b1", "tavern"]}, "no unit of B"),
    ("resource_destroyed", 3, {"decision": "fate", "actor": "B", "choice": "remove", "unit": "b1"}, "field 'unit'"),
    ("resource_destroyed", 3, {"decision": "respond", "actor": "B", "choice": "remove"}, "the phase is fate"),
    ("run_home", 1, {"decision": "evade", "actor": "B", "choice": "run_home", "unit": "b1"}, "field 'unit'"),
    ("target_undefended", 4, {"decision": "votes", "votes": {"A": "fight"}}, "one of each side"),
    ("target_undefended", 4, {"decision": "votes", "votes": {"A": "fight", "B": ["draw"]}}, "not a choice"),
    ("target_absent_protector_goes", 4, {"decision": "victim", "actor": "B", "unit": "a1"}, "no unit of B"),
    (
        "defender_wins_removes",
        4,
        {"decision": "spoils", "actor": "B", "choice": "power", "unit": "a1"},
        "takes no unit",
    ),
    ("support_timetable", 1, {"decision": "pass", "actor": "B", "name": "x"}, "field 'name'"),
    ("support_timetable", 1, {"decision": "recruit", "actor": "B", "nature": "social", "extra": 1}, "field 'extra'"),
    ("resource_timetable", 1, {"decision": "resource", "actor": "B", "nature": "social", "size": 1}, "field 'nature'"),
    ("support_timetable", 1, {"decision": "support", "actor": "B", "nature": "social"}, "field 'extra' is missing"),
]


@pytest.mark.parametrize(("name", "at", "wrong", "message"), KONFRONTATION)
def test_konfrontation_refuses(name: str, at: int, wrong: dict[str, Any], message: str) -> None:
    """Half answers, names of the wrong kind, fields that a choice does not take: illegal, or else a failed case."""
    case = golden("konfrontation", name)
    case["steps"].insert(at, {**wrong, "illegal": True})
    assert run_konfrontation(case) == []
    case["steps"][at] = wrong
    assert message in run_guarded(run_konfrontation, case)[0]


def test_konfrontation_wants_a_decision() -> None:
    case = golden("konfrontation", "run_home")
    del case["steps"][0]["decision"]
    assert run_guarded(run_konfrontation, case)[0].startswith("step 1: decision None is unknown: declare, ")


# --- ews_rps ----------------------------------------------------------------------------------------------------------

ROUND = {"player": "rock", "gm": "scissors"}


@pytest.mark.parametrize(
    ("options", "wrong", "message"),
    [
        ({}, {"player": "rock"}, "both sides"),
        ({}, {**ROUND, "attacker": "rock"}, "none of this test"),
        ({}, {**ROUND, "seat": "gm"}, "field 'seat' is not taken"),
        ({}, {**ROUND, "dice": [1]}, "field 'dice' is not taken"),
        ({}, {"player": "attempt", "gm": "rock"}, "not legal"),
        ({"may_decline": True}, {"choice": "attempt", "player": "rock"}, "field 'player' is not taken"),
        ({"may_decline": True}, {"choice": "rock"}, "not legal"),
        ({"may_decline": True}, {"choice": "attempt", "dice": [3]}, "field 'dice' is not taken"),
        ({"procedure": "pm_d6"}, {"roll": "player"}, "field 'dice' is missing"),
        ({"procedure": "pm_d6"}, {"roll": "player", "dice": [2], "gm": "rock"}, "field 'gm' is not taken"),
        ({"procedure": "pm_d6"}, {"roll": "gm", "dice": [2]}, "not gm's roll"),
    ],
)
def test_ews_rps_refuses(options: dict[str, Any], wrong: dict[str, Any], message: str) -> None:
    """Half a round, symbols that are none, fields of another kind of step."""
    setup = {"test": {"kind": "simple", "value": 12, "target": 12}, "options": options}
    case: dict[str, Any] = {"setup": setup, "steps": [{**wrong, "illegal": True}], "expect": {}}
    assert run_ews_rps(case) == []
    case["steps"] = [wrong]
    assert message in run_guarded(run_ews_rps, case)[0]


def test_ews_rps_an_attempt_without_choice_may_be_left_out() -> None:
    setup = {"test": {"kind": "simple", "value": 12, "target": 12}, "options": {"procedure": "pm_d6"}}
    roll = {"roll": "player", "dice": [2]}
    for steps in ([roll], [{"choice": "attempt"}, roll]):
        assert run_ews_rps({"setup": setup, "steps": steps, "expect": {"verdict": "passed"}}) == []


# --- scorekeeper ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"target": 10}, "the rules ask for"),
        ({"action": "pass"}, "field 'action' is not taken"),
        ({"who": None}, "the rules ask for"),
        ({"who": "magnum"}, "the rules ask for"),
        ({"dice": [3, 4]}, "the rules ask for"),
        ({"dice": [2.5]}, "none of 1..10"),
    ],
)
def test_scorekeeper_refuses_rolls(change: dict[str, Any], message: str) -> None:
    case = golden("rulings_scorekeeper", "two_lost_actions")
    case["setup"].pop("events")
    case["steps"] = [{"roll": "reaction", "who": "vic", "dice": [3]}]
    case["expect"] = {}
    assert run_scorekeeper(case) == []
    case["steps"][0].update(change)
    assert message in run_guarded(run_scorekeeper, case)[0]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"action": "aid:foe"}, "can mean nobody"),
        ({"action": "melee:vic:any"}, "can mean nobody"),
        ({"action": "melee:chest:foe"}, "melee:chest:foe"),
        ({"action": "melee:foe"}, "melee:foe"),
        ({"action": "take"}, "not legal"),
        ({"action": "pass", "target": "foe"}, "field 'target' is not taken"),
        ({"action": "pass", "reject": "take"}, "exclude each other"),
    ],
)
def test_scorekeeper_refuses_decisions(wrong: dict[str, Any], message: str) -> None:
    """Names of the wrong kind and fields that a decision does not take."""
    case = golden("rulings_scorekeeper", "two_lost_actions")
    case["setup"].pop("events")
    case["expect"] = {}
    rolls = [{"roll": "reaction", "who": "vic", "dice": [1]}, {"roll": "reaction", "who": "foe", "dice": [9]}]
    if "target" not in wrong and "reject" not in wrong:
        case["steps"] = [*rolls, {"decide": "vic", "reject": wrong["action"]}]
        assert run_scorekeeper(case) == []
    case["steps"] = [*rolls, {"decide": "vic", **wrong}]
    assert message in run_guarded(run_scorekeeper, case)[0]


@pytest.mark.parametrize(
    ("kind", "step", "message"),
    [
        ("calc", {"fn": "damage", "args": {"dice": [1], "hrad": 1}, "expect": 0}, "'hrad'; damage takes dice, bonus"),
        ("calc", {"fn": "damage", "args": {}, "expect": 0}, "'dice'"),
        ("calc", {"fn": "damages", "expect": 0}, "function 'damages' is unknown"),
        ("calc", {"fn": "damage", "args": {"dice": [1]}}, "field 'expect' is missing"),
        ("config_error", {"setup": {"fighters": []}}, "field 'mentions' is missing"),
        ("config_error", {"setup": {"fighters": []}, "mention": ["fighters"]}, "field 'mention' is not taken"),
        ("config_error", {"setup": {"fighters": []}, "mentions": "fighters"}, "must be a list"),
        ("stat", {"what": "acts_first", "args": {"lead": 1}, "expect": 1}, "acts_first takes difference"),
    ],
)
def test_scorekeeper_refuses_functions(kind: str, step: dict[str, Any], message: str) -> None:
    """Half a question, or one of another form, is no example that holds."""
    runner = {**scorekeeper_runners(False), **analysis_of("scorekeeper").examples()}[kind]
    assert message in run_guarded(runner, {"steps": [step]})[0]


# --- oneshot ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "attack", "weapon": "sword"},
        {"type": "attack", "weapon": "sword", "target": "sword"},
        {"type": "attack", "weapon": "anna", "target": "bodo"},
        {"type": "attack", "weapon": "sword", "target": "bodo", "method": "cunning"},
        {"type": "edge", "method": "sword", "target": "bodo"},
        {"type": "edge", "method": "cunning", "target": "anna"},
        {"type": "item", "item": "sword", "target": "anna"},
        {"type": "item", "item": "rope", "target": "anna"},
        {"type": "move", "to": [4]},
        {"type": "move", "to": "bodo"},
        {"type": "end_turn", "target": "bodo"},
        {"type": "talk", "method": "cunning"},
        {"type": "bodo"},
        {},
    ],
)
def test_oneshot_refuses_in_fights(wrong: dict[str, Any]) -> None:
    """Half a decision, a name of the wrong kind, a field too many; legal ones stay legal."""
    case = golden("oneshot", "g42-first-wound")
    case["setup"]["figures"]["anna"]["char"]["items"] = {"smelling_salts": 1, "heal_draught": 1, "fire_flask": 1}
    case["steps"][0]["illegal"] = [wrong]
    assert run_oneshot["fight"](case) == []
    case["steps"][0]["decision"] = wrong
    assert "not possible now" in run_oneshot["fight"](case)[0]


@pytest.mark.parametrize(
    "wrong",
    [{"type": "talk"}, {"type": "talk", "method": "leave"}, {"type": "read", "method": "cunning"}, {"type": "attack"}],
)
def test_oneshot_refuses_in_talks(wrong: dict[str, Any]) -> None:
    talk = next(case for case in load_cases(GOLDEN / "oneshot.json")[1] if case["kind"] == "parley" and case["steps"])
    case = copy.deepcopy(talk)
    case["steps"][0].setdefault("illegal", []).append(wrong)
    assert run_oneshot["parley"](case) == []
    case["steps"][0]["decision"] = wrong
    assert "not possible now" in run_oneshot["parley"](case)[0]


def test_oneshot_refuses_steps_with_other_fields() -> None:
    case = golden("oneshot", "g42-first-wound")
    case["steps"][0]["action"] = "attack"
    assert "field 'action' is not taken" in run_oneshot["fight"](case)[0]


@pytest.mark.parametrize(
    ("name", "kind", "change", "message"),
    [
        ("g42-first-wound", "fight", {"obstacle": [[0, 0]]}, "field 'obstacle' is not taken"),
        ("g42-first-wound", "fight", {"dice": [1, 7]}, "dice = 7"),
        ("g42-first-wound", "fight", {"dice": 1}, "a list of faces"),
        ("g21-test-success", "check", {"die": 0}, "die = 0 is not allowed: a whole number 1..6"),
        ("g24-critical-failure", "check", {"confrim": 1}, "field 'confrim'"),
        ("g29-modifier-physical-untrained", "test_modifier", {"skill": "dance"}, "skill = 'dance'"),
        ("g29-modifier-physical-untrained", "test_modifier", {"physical": "skill"}, "physical = 'skill'"),
        ("g40-counter", "schedule", {"initiatives": {"a": "b"}}, "initiatives: a = 'b'"),
        ("g51-distance-straight", "distance", {"a": [0]}, "a = [0] is not allowed: [x, y]"),
        ("g54-move-range", "reach", {"steps": 7}, "steps = 7 is not allowed: a whole number 0..6"),
        ("g77-lie-tie", "lie", {"listener_dice": 3}, "field 'listener_dice'"),
        ("g80-tool-plain", "tool", {"tool": "sword"}, "tool = 'sword' is not allowed: one of rope"),
        ("g90-mission-sg1", "mission", {"scenario": "civilians"}, "scenario = 'civilians'"),
        ("g96-group", "group", {"tier": "boss"}, "tier = 'boss'"),
        ("g56-hit-chance", "value", {"args": [1]}, "hit takes attack"),
    ],
)
def test_oneshot_refuses_setups(name: str, kind: str, change: dict[str, Any], message: str) -> None:
    """A field that the kind does not take, a value of the wrong sort; where it is expected, it is an error."""
    case = golden("oneshot", name)
    assert run_oneshot[kind](case) == []
    case["setup"].update(change)
    assert message in run_guarded(run_oneshot[kind], case)[0]
    case["expect"] = {"error": [message]}
    assert run_oneshot[kind](case) == []
    case["expect"] = {"error": message}
    assert "must be a list" in run_oneshot[kind](case)[0]


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        ([7, 2], "die 7 is none of 1..6"),
        (["4", 2], "die '4' is none of"),
        ([True, 2], "die True"),
        (4, "must be a list"),
    ],
)
def test_oneshot_refuses_dice(dice: Any, message: str) -> None:
    case = golden("oneshot", "g42-first-wound")
    case["steps"][0]["dice"] = dice
    assert message in run_oneshot["fight"](case)[0]


@pytest.mark.parametrize("system", ["oneshot", "scorekeeper"])
def test_a_step_is_an_object(system: str) -> None:
    name, runner = {
        "oneshot": ("g42-first-wound", run_oneshot["fight"]),
        "scorekeeper": ("reaction_example", run_scorekeeper),
    }[system]
    case = golden(system, name)
    case["steps"].insert(0, 7)
    assert run_guarded(runner, case) == ["ProbespielError: step 1 = 7 is not allowed: an object with named fields"]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("weapons", ["lance"], "weapons = 'lance'"),
        ("items", {"wine": 1}, "items = 'wine'"),
        ("perks", ["brave"], "perks = 'brave'"),
        ("skills", {"dancing": 1}, "skills = 'dancing'"),
        ("tools", ["spade"], "tools = 'spade'"),
        ("armour", "tin", "armour = 'tin'"),
    ],
)
def test_oneshot_names_the_field_of_a_sheet(field: str, value: Any, message: str) -> None:
    """Section 5: unknown names raise an error that names the field and the value."""
    with pytest.raises(ValueError, match=message):
        normal({field: value}, load_kit(None))


def test_raising_to_zero_grants_nothing() -> None:
    """A42 governs R123, for each attribute: the objects of a worked example are partial and cannot say `nothing`."""
    options = check_options({})
    for name, grants in (("body", {"physical": 1, "combat": 1}), ("mind", {"skill": 5}), ("charisma", {"social": 1})):
        char = normal({name: -1}, load_kit(options["kit"]))
        assert advance(char, name, 9, options) == {"cost": 4, "grants": {}, "left": 5}
        assert advance(char, name, 9, options) == {"cost": 5, "grants": grants, "left": 4}


def mission(**config: Any) -> tuple[Position, Any]:
    """A mission on its map, with two optional side conditions and a critical one."""
    position = make_game("oneshot-mission", "cellar_cleanse", **config).position(seed=1)
    s = position.record
    assert position.phase() == "explore"
    s.n_cond = 3
    for i, (kind, level) in enumerate(
        ((st.Condition.UNSEEN, 0), (st.Condition.TIME_LIMIT, 0), (st.Condition.CIVILIANS, 1))
    ):
        s.cond_kind[i], s.cond_level[i], s.cond_failed[i], s.cond_value[i] = kind, level, 0, 99
    return position, s


@pytest.mark.parametrize(("failed", "points"), [((), 3.0), ((0,), 2.0), ((0, 1), 1.0), ((2,), 3.0)])
def test_optional_conditions_pay_whatever_the_result(failed: tuple[int, ...], points: float) -> None:
    """R120 with `utility=saga`: a mission that is given up pays them, like the point for taking part."""
    position, s = mission(utility="saga")
    for i in failed:
        s.cond_failed[i] = 1
    position.apply(position.to_act()[0], st.Action.ABORT)
    assert position.over and not s.success
    assert position.returns().tolist() == [points] * 3


@pytest.mark.parametrize(
    ("scenario", "fails"), [(st.Scenario.PROTECT, True), (st.Scenario.TRAVERSE, False), (-1, False)]
)
def test_a_lost_object_fails_the_combined_condition_that_protects_it(scenario: int, fails: bool) -> None:
    """R156: not one that is about another scenario while the object belongs to an additional one."""
    position, s = mission()
    s.n_scenarios = 2
    s.scenarios[:2] = st.Scenario.CLEANSE, st.Scenario.PROTECT
    s.cond_kind[0], s.cond_level[0], s.cond_scenario[0] = st.Condition.COMBINED, 2, scenario
    s.purpose, s.object_in, s.standing[st.OBJECT] = st.Purpose.WAVES, 1, st.Status.DEAD
    fight_over(s, position.game.params)
    assert bool(s.cond_failed[0]) == fails
    assert int(s.status_of_game) == fails  # a necessary condition fails the mission
    assert not s.met[st.Scenario.PROTECT]
