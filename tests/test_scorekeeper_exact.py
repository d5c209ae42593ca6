"""Exact values of Scorekeeper: the numbers of section 7 of its specification, and simulations that agree with them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from probespiel.agents.perfect_information import game_value as search_value
from probespiel.envs.core.errors import ProbespielError, RulesetError
from probespiel.envs.core.game import Game
from probespiel.envs.scorekeeper.armoury import ARMOUR, WEAPONS
from probespiel.envs.scorekeeper.formulas import damage, success_probability
from probespiel.envs.scorekeeper.presets import presets
from probespiel.envs.scorekeeper.system import SYSTEM
from probespiel.evaluation.scorekeeper import exact as exact
from probespiel.evaluation.scorekeeper.chances import class_chances, unaimed_classes
from probespiel.evaluation.scorekeeper.duel import duel_value, policy_duel

F = Fraction


def fighters(value: int = 12, agl: int = 6, **more: Any) -> list[dict[str, Any]]:
    """Two equal fighters in contact with an attack value."""
    one = {"wah": 6, "agl": agl, "res": 6, "wil": 6, "melee_skill": value - agl, "melee": "sword", **more}
    return [{**one, "name": "x", "team": "a", "position": 0}, {**one, "name": "y", "team": "b", "position": 1}]


def contact(value: int = 12, agl: int = 6, rounds: int = 30, config: dict[str, Any] | None = None, **more: Any) -> dict:
    """The contact duel of equals."""
    return {
        "config": {"field_length": 1, "max_rounds": rounds, **(config or {})},
        "fighters": fighters(value, agl, **more),
    }


# --- 7.1 to 7.4: checks, order, damage, aiming ------------------------------------------------------------------------


def test_checks() -> None:
    for value in range(-5, 30):
        below = sum(die < value for die in range(1, 21))
        assert success_probability(value) == F(below, 20)
        assert success_probability(value, 20) == F(sum(die < value for die in range(1, 20)), 20)


def test_order() -> None:
    want = [F(1, 2), F(119, 200), F(17, 25), F(151, 200), F(41, 50), F(7, 8), F(23, 25), F(191, 200), F(49, 50)]
    assert [exact.acts_first(d) for d in range(11)] == [*want, F(199, 200), F(1)]
    for lead in range(-12, 13):
        pairs = list(product(range(1, 11), repeat=2))
        wins = sum(F(a + lead > b) + F(a + lead == b) / 2 for a, b in pairs)
        assert exact.acts_first(lead) == wins / 100


def test_damage() -> None:
    behind = class_chances("shotgun", hard=3)
    assert behind["none"] == F(243, 1024) and behind["KR"] == F(781, 1024)
    assert list(class_chances("shotgun").values()) == [0, F(6, 1024), F(351, 1024), F(546, 1024), F(121, 1024)]
    assert class_chances("shotgun", hard=4)["none"] == 1
    tw = [class_chances("copkiller", *armour)["TW"] for armour in ((0, 0), (3, 0), (0, 4))]
    assert tw == [F(1, 4), F(1, 10), F(1, 20)]
    tw = [class_chances("magnum", *armour)["TW"] for armour in ((0, 0), (0, 4), (3, 0))]
    assert tw == [F(435, 1296), F(70, 1296), 0]


@pytest.mark.parametrize("rule", ["unaffected", "needs_die", "as_die"])
def test_damage_by_enumeration(rule: str) -> None:
    """Every weapon behind every armour, die by die."""
    for name, weapon in WEAPONS.items():
        for hard, soft, bonus in ((0, 0, 0), (3, 0, 2), (0, 4, 3), (2, 2, 5), (4, 1, -2)):
            count: dict[str, int] = {}
            for dice in product(range(1, weapon.sides + 1), repeat=weapon.dice):
                found = damage(dice, bonus if weapon.bonus or weapon.thrown else 0, hard, soft, rule)["class"]
                count[found] = count.get(found, 0) + 1
            chances = class_chances(name, hard, soft, bonus, rule)
            assert sum(chances.values()) == 1
            total = weapon.sides**weapon.dice
            assert {k: v for k, v in chances.items() if v} == {k: F(n, total) for k, n in count.items()}


def test_more_armour_never_helps_the_blow() -> None:
    """7.11, also hard against soft armour of the same number."""

    def at_least(chances: dict[str, Fraction]) -> list[Fraction]:
        values = list(chances.values())
        return [sum(values[i:], F(0)) for i in range(1, 5)]

    for name in WEAPONS:
        for points in range(5):
            hard, soft, more = (
                at_least(class_chances(name, *armour)) for armour in ((points, 0), (0, points), (points + 1, 0))
            )
            assert all(h <= s for h, s in zip(hard, soft)) and all(m <= h for m, h in zip(more, hard))
            if WEAPONS[name].dice == 1:
                assert hard == soft
    for name in ARMOUR:
        assert unaimed_classes("magnum", name)["dead"] <= unaimed_classes("magnum")["dead"]
    assert sum(unaimed_classes("magnum", ["plate_armour", "steel_helmet"]).values()) == 1


def test_aiming() -> None:
    at12, at16 = (exact.stop_per_shot("magnum", "none", v, 6, 12) for v in (12, 16))
    assert [round(float(at12[z]), 4) for z in ("any", "chest", "head")] == [0.1812, 0.1779, 0.1419]
    assert [round(float(at16[z]), 4) for z in ("chest", "head", "any")] == [0.2569, 0.2555, 0.2471]
    for attack in range(5, 25):
        kill = exact.kill_per_shot("magnum", "none", attack, 6)
        assert kill["chest"] >= kill["any"] and kill["chest"] >= kill["head"]


# --- 7.5: acting first ------------------------------------------------------------------------------------------------


def test_exchange() -> None:
    for k, p in product((0.1, 0.5, 0.9), (0.0, 0.3, 1.0)):
        assert exact.exchange(k, k, p) == pytest.approx((1 - (1 - p) * k) / (2 - k), abs=1e-12)
    assert exact.exchange(0, 0, 0.5) == 0


def test_first_blood() -> None:
    dodge = 5 / 20
    for value, first in product((8, 12, 13), (0.0, 0.25, 1.0)):
        want = (2 * first - 1) * dodge / (2 - dodge)
        assert exact.first_blood(value, 6, value, 6, first, "off") == pytest.approx(want, abs=1e-9)
        assert exact.first_blood(value, 6, value, 6, first) == pytest.approx(want, abs=1e-9)
    assert exact.first_blood(14, 6, 14, 6, 1) == pytest.approx(0.0497, abs=5e-5)
    assert exact.first_blood(15, 6, 15, 6, 1) == 0
    for value, want in ((9, 0.0256), (10, -0.0129), (13, -0.1753)):
        assert exact.first_blood(value, 6, value, 6, 1, "any") == pytest.approx(want, abs=5e-5)
    with pytest.raises(RulesetError, match="counter_rule = 'never'"):
        exact.first_blood(9, 6, 9, 6, 1, "never")


def test_first_blood_is_the_limit_of_the_game() -> None:
    """The preset `blade_mirror`, and a quicker left: the value of the game over more and more rounds."""
    setup = presets()["blade_mirror"]
    assert duel_value(setup) == pytest.approx(0, abs=1e-12)
    setup["fighters"][0]["wah"] = 9
    for fighter in setup["fighters"]:
        fighter["res"] = 1  # any wound ends the fight: small sheets are enough
    setup["config"]["max_rounds"] = 200
    first = float(exact.acts_first(3))
    assert duel_value(setup) == pytest.approx(exact.first_blood(12, 6, 12, 6, first), abs=1e-9)


# --- 7.7, 7.9, 7.13: struggle, policies, whole duels ------------------------------------------------------------------


def test_death_struggle() -> None:
    assert [float(x) for x in exact.death_survival(13, 4)] == pytest.approx([0.6, 0.33, 0.165, 0.07425])
    assert exact.death_survival(20, 20)[-1] == 0
    assert exact.survivable_rounds(13) == sum(exact.death_survival(13, 13))
    # by hand: aid 0.5 from the second round on, S = 3: passes 2/20, then 1/20, then never
    assert exact.rescue(3, 11, 1) == F(2, 20) * (F(1, 2) + F(1, 2) * F(1, 20) * F(1, 2))
    assert exact.rescue(3, 11, 0) == F(1, 2) + F(1, 2) * exact.rescue(3, 11, 1)


def test_fixed_policies() -> None:
    setup = contact(config={"bleeding": "off"})
    found = policy_duel(setup, 30)
    assert (found.a, found.b) == pytest.approx((0.4975, 0.4975), abs=5e-5)
    assert found.draw == pytest.approx(0.0051, abs=5e-5) and found.rounds == pytest.approx(7.213, abs=5e-4)


@pytest.mark.parametrize("name", ["melee", "shoot", "hurt"])
def test_fixed_policies_agree_with_the_kernel(name: str) -> None:
    """Simulated fights of the same policies end as often as computed (four standard errors)."""
    config = {"max_rounds": 12, "aiming": False, "ranged_fumble": "none"}
    setups: dict[str, dict[str, Any]] = {
        "melee": contact(config=config, armour=["leather_jacket"], damage_bonus=1),
        "shoot": {"config": {"field_length": 1, **config}, "fighters": fighters(ranged="arcane_bolt", ranged_skill=5)},
        "hurt": contact(config={**config, "wound_penalty_rolls": ["attack", "reaction", "shock"]}, res=4),
    }
    setup = setups[name]
    setup["fighters"][0]["wah"] = 8
    if name == "hurt":
        setup["fighters"][1].update(wounds={"kr": 2, "lw": 1, "sw": 1}, bleeding=1, reaction_mod=-12)
    mode = "shoot" if name == "shoot" else "melee"
    found = policy_duel(setup, 12, "save", mode)
    game = Game(SYSTEM.spec_of_setup(setup))
    rng, n = np.random.default_rng(7), 1500
    ends = np.zeros(4)
    for _ in range(n):
        position = game.position()
        while not position.over:
            if faces := position.die():
                position.fall(int(rng.integers(faces)))
            else:
                legal = position.legal(position.to_act()[0])
                codes = [game.actions.codes[a] for a in legal]
                want = f"{mode}:0:any" if f"{mode}:0:any" in codes else "save"
                assert want in codes
                position.apply(position.to_act()[0], legal[codes.index(want)])
        ends[int(position.record.result)] += 1
    for have, want in zip(ends[1:] / n, (found.a, found.b, found.draw)):
        assert abs(have - want) < 4 * np.sqrt(want * (1 - want) / n) + 1e-9


def test_value_of_whole_duels() -> None:
    club = presets()["mafia_club"]
    club["config"].update(field_length=1, max_rounds=30)
    for place, fighter in enumerate(club["fighters"]):
        fighter.update(position=place, fate=0)
    assert exact.game_value(club) == pytest.approx(0.0068, abs=5e-5)
    assert exact.game_value(contact(16)) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"counter_rule": "any", "counter_modifier": 2},
        {"counter_rule": "half", "declared_defence_bonus": 2, "bleeding": "off"},
        {"counter_rule": "off", "tie_break": "base", "wound_penalty_rolls": ["attack", "reaction", "shock"]},
        {"victory": "first_blood", "first_blood_class": "LW", "hard_vs_bonus": "as_die"},
        {"wound_penalty_rolls": ["attack"]},  # first aid to oneself is worth an action
    ],
)
def test_two_ways_to_a_value(config: dict[str, Any]) -> None:
    """Wound sheets and complete search of the rules themselves give the same value: one round, hurt fighters."""
    config = {"aiming": False, "allow_full_run": False, **config}
    setup = contact(rounds=1, config=config, res=3, damage_bonus=2, armour=["bristol_vest"])
    setup["fighters"][0].update(wah=9, wounds={"kr": 2, "lw": 1, "sw": 1}, bleeding=1)
    setup["fighters"][1].update(melee="knife", wounds={"kr": 1, "lw": 1, "sw": 1}, reaction_mod=-16)
    want = duel_value(setup)
    assert search_value(Game(SYSTEM.spec_of_setup(setup)), 500_000) == pytest.approx(want, abs=1e-12)


def test_search_is_limited() -> None:
    game = Game(SYSTEM.spec_of_setup(presets()["rooftop_chase"]))
    with pytest.raises(ProbespielError, match="more than 1000 positions"):
        search_value(game, 1000)


def test_worked_examples_of_kind_stat() -> None:
    steps = [
        {"what": "acts_first", "args": {"difference": 3}, "expect": "151/200"},
        {"what": "damage_classes", "args": {"weapon": "shotgun", "hard": 3}, "expect": {"none": "243/1024"}},
        {"what": "exchange", "args": {"hit_a": "1/2", "hit_b": "1/2", "first": "1/2"}, "expect": 0.5},
        {"what": "death_survival", "args": {"shock_value": 13, "rolls": 2}, "expect": ["3/5", "33/100"]},
        {"what": "survivable_rounds", "args": {"shock_value": 2}, "expect": "1/20"},
    ]
    assert exact.run_case({"steps": steps}) == []
    steps[0]["expect"] = "1/2"
    assert "acts_first is 151/200" in exact.run_case({"steps": steps})[0]
    with pytest.raises(ProbespielError, match="function 'luck' is unknown"):
        exact.run_case({"steps": [{"what": "luck", "expect": 1}]})
